"""One new file is one new part: each trial adds a single file to its folder, and discovery, conformance and commands do
the rest. The folder is a temporary one that the package looks into as well, so nothing else is touched."""

import importlib
import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bounds import quantities
from fedigw import conformance, parts
from fedigw.discovery import modules
from verify import verbs
from verify.campaign.units import Settings, run_unit
from verify.catalogue import catalogue, files
from verify.cli import main
from verify.instances import kind_of
from verify.verdict import Verdict

UNDECIDED = str(Verdict.UNDECIDED)
CONTRIBUTING = (Path(__file__).resolve().parents[2] / "CONTRIBUTING.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", CONTRIBUTING, flags=re.DOTALL)


def shown(part: str) -> str:
    """Return the file that CONTRIBUTING.md shows with this text in it."""
    (found,) = (block for block in BLOCKS if part in block)
    return found


HEAD = """from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedigw.interfaces import *

@dataclass(frozen=True)
"""
POLICY = f'''
"""Uniform play: every arm alike, whatever the scores."""
{HEAD}class Uniform(Policy):
    name: ClassVar[str] = "uniform_play"
    rational: ClassVar[bool] = True

    def probabilities(self, scores, rate, widths=None):
        return 0 * scores + (1 + 0 * scores) / scores.shape[-1]
'''
AGGREGATOR = f'''
"""The coordinate-wise median."""
{HEAD}class Median(Aggregator):
    name: ClassVar[str] = "middle"

    def combine(self, messages, weights):
        return np.median(messages, axis=0)
'''
ENCODER = f'''
"""Numbers rounded to a grid: 16 bits each."""
{HEAD}class Grid(Encoder):
    step: float = 0.001
    name: ClassVar[str] = "grid"

    def encode(self, messages, rng):
        return np.round(messages / self.step) * self.step

    def bits(self, messages):
        return 16 * messages.size
'''
CLOCK = f'''
"""An agent that acts at every step except every nth."""
{HEAD}class Skipping(Clock):
    every: int = 3
    name: ClassVar[str] = "skipping"

    def count(self, time):
        return time - time // self.every
'''
WORLD = '''
"""A world with a reward law of its own: Beta rewards whose means are linear in the features."""

from dataclasses import dataclass

import numpy as np

from bounds.schedules import doubling_plan
from fedigw.federation import Federation
from fedigw.interfaces import Experience, World
from fedigw.rates import rates_of
from linear.model import Ridge
from linear.protocols.direct import Direct
from linear.quadratics import Samples
from linear.ridge import RidgeData

EXAMPLES = ({"agents": 2, "horizon": 16},)
FEATURES = np.array([[[1.0, 0.0], [0.0, 1.0]]])
MEANS = np.array([0.75, 0.25])


@dataclass(frozen=True)
class BetaWorld(World):
    agents: int

    @property
    def arms(self):
        return (2,) * self.agents

    def play(self, agent, act, steps, rng):
        probabilities = act(FEATURES)[0]
        arms = rng.choice(2, size=steps.full, p=probabilities)
        rewards = rng.beta(4 * MEANS[arms], 4 - 4 * MEANS[arms])
        phi = FEATURES[0, arms]
        samples = Samples(phi, rewards, np.ones(steps.full, dtype=np.int64)) if steps.keep else None
        data = RidgeData(steps.full, phi.T @ phi, phi.T @ rewards, samples)
        return Experience(data, steps.played * probabilities[1] * (MEANS[0] - MEANS[1]))

    def describe(self):
        return {"environment": {"name": "beta_rewards", "agents": self.agents}}


def make(rng, agents: int = 2, horizon: int = 64):
    return Federation(
        kind="linear",
        world=BetaWorld(agents),
        model=Ridge(2),
        plan=doubling_plan(horizon, agents),
        rates=rates_of("sharpened", rational=False),
        protocol=Direct(),
    )
'''
TRIALS = {
    "greet": ("verify.verbs", shown("def greet")),
    "fair": ("fedigw.policies", shown('"fair"')),
    "promising": ("linear.protocols", shown('"promising"')),
    "middle": ("fedigw.aggregators", AGGREGATOR),
    "grid": ("fedigw.encoders", ENCODER),
    "skipping": ("fedigw.clocks", CLOCK),
    "centred": ("linear.losses", shown('"centred"')),
    "halves": ("fedigw.reward_laws", shown('"halves"')),
    "cube": ("fedigw.context_laws", shown('"cube"')),
    "axes": ("linear.environments", shown("def make")),
    "beta_rewards": ("linear.environments", WORLD),
    "numbers_up": ("bounds.quantities", shown("QUANTITY = ")),
    "own_trial": ("verify.papers.fedigw.claims", shown('"""own:trial. ')),
}
FILE = """
kind = "linear"
horizon = 64
parameter = ["1/2", "1/4"]
features = [[["1", "0"], ["0", "1"]]]
[[agents]]
contexts = ["1"]
[[agents]]
contexts = ["1"]
[[agents]]
contexts = ["1"]
"""


@contextmanager
def new_file(folder: Path, package: str, stem: str, source: str) -> Iterator[None]:
    """Add one file to a package: in a folder that the package looks into as well; take it away afterwards."""
    (folder / f"{stem}.py").write_text(source.lstrip())
    home = importlib.import_module(package)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(home, "__path__", [*home.__path__, str(folder)])
        forget()
        try:
            yield
        finally:
            sys.modules.pop(f"{package}.{stem}", None)
            vars(home).pop(stem, None)
    forget()


def forget() -> None:
    """Let the next look into a folder see what it holds."""
    importlib.invalidate_caches()
    for found in (catalogue, files, quantities.names, verbs._places):
        found.cache_clear()


def simulated(tmp_path: Path, *words: str, text: str = FILE) -> int:
    path = tmp_path / "instance.toml"
    path.write_text(text)
    return main(["simulate", str(path), "--replications", "3", *words])


def fair(tmp_path: Path, read: Callable[[], str]) -> None:
    """A policy with a theorem of its own: the number is printed, and no check bears on it."""
    assert conformance.check_policy(parts.policies()["fair"]()) == []
    assert simulated(tmp_path, "--policy", "fair", "--json") == 0
    bound = json.loads(read())["bounds"]["regret"]
    assert (bound["variant"], bound["value"], bound["trivial"]) == ("best", 96, 192)
    assert (bound["verdict"], bound["claims"][0]) == (UNDECIDED, "own:fair")
    three = FILE.replace('["0", "1"]]', '["0", "1"], ["0", "0"]]')
    assert simulated(tmp_path, "--policy", "fair", text=three) == 0
    assert "all agents have two arms" in read()


def promising(tmp_path: Path, read: Callable[[], str]) -> None:
    """A protocol with a guarantee: a bound on the regret and on what it sends, all of them undecided."""
    linear = kind_of("linear")
    assert conformance.check_protocol(parts.protocols(linear.protocols)["promising"](), linear) == []
    assert simulated(tmp_path, "--protocol", "promising", "--json") == 0
    bounds = json.loads(read())["bounds"]
    assert bounds["regret"]["variant"] == "sharpened"
    assert bounds["numbers"]["value"] == bounds["numbers"]["measured"] == 6 * 3 * (3 + 2 + 2)
    assert {row["verdict"] for row in bounds.values()} == {UNDECIDED}
    assert not any(row["violated"] for row in bounds.values())


def middle(tmp_path: Path, read: Callable[[], str]) -> None:
    assert conformance.check_aggregator(parts.aggregators()["middle"]()) == []
    assert simulated(tmp_path, "--set", "link.aggregator=middle") == 0
    assert "no theorem for the aggregator middle" in read()


def grid(tmp_path: Path, read: Callable[[], str]) -> None:
    assert conformance.check_encoder(parts.encoders()["grid"]()) == []
    assert simulated(tmp_path, "--set", 'link.encoder={name="grid", step=0.01}') == 0
    assert "no theorem for the encoder grid" in read()


def skipping(tmp_path: Path, read: Callable[[], str]) -> None:
    assert conformance.check_clock(parts.clocks()["skipping"]()) == []
    assert simulated(tmp_path, text=FILE + "clock = {every = 5}\n") == 0
    assert "bound sharpened" in read()


def centred(tmp_path: Path, read: Callable[[], str]) -> None:
    """A loss: worlds with its link, protocols that ask for gradients, and the bound of its excess risk."""
    from linear.federations import losses

    assert conformance.check_loss(losses()["centred"]()) == []
    text = 'kind = "linear"\nloss = "centred"\nhorizon = 32\nenvironment = {name = "sphere", agents = 2}\n'
    assert simulated(tmp_path, text=text) == 0
    assert "bound sharpened" in read()


def environment(name: str) -> str:
    linear = kind_of("linear")
    module = modules(linear.environments, ("make", "EXAMPLES"))[name]
    assert conformance.check_environment(module, linear) == []
    return f'kind = "linear"\nhorizon = 32\nenvironment = {{name = "{name}", agents = 4, seed = 3}}\n'


def axes(tmp_path: Path, read: Callable[[], str]) -> None:
    assert simulated(tmp_path, text=environment("axes")) == 0
    assert "bound sharpened" in read()


def halves(tmp_path: Path, read: Callable[[], str]) -> None:
    """Rewards of one's own in every kind of world, next to the bounds that hold for any rewards in [0,1]."""
    assert conformance.check_reward_law(parts.reward_laws()["halves"]()) == []
    finite = 'kind = "finite_class"\nhorizon = 64\ntruth = 0\nagents = [{contexts = ["1"]}]\n'
    for text in (FILE, finite + 'functions = [[["1/2", "0"]], [["1/2", "1"]]]\n'):
        assert simulated(tmp_path, "--set", "rewards=halves", "--json", text=text) == 0
        found = json.loads(read())
        assert found["bounds"]["regret"]["verdict"] == "proved"


def cube(tmp_path: Path, read: Callable[[], str]) -> None:
    """Contexts of one's own: the theorem holds for any law, which is measured on the sphere only."""
    assert conformance.check_context_law(parts.context_laws()["cube"]()) == []
    text = FILE.replace('features = [[["1", "0"], ["0", "1"]]]\n', "")
    text = text.replace('contexts = ["1"]', 'contexts = "cube"\narms = 3')
    assert simulated(tmp_path, "--json", text=text) == 0
    assert json.loads(read())["bounds"]["regret"]["verdict"] == "measured"
    for words in (["--protocol", "fedavg", "--set", "batch=2"], ["--system", "fedlinucb"]):
        assert simulated(tmp_path, *words, text=text) == 0
    assert simulated(tmp_path, text=text.replace('"1/4"', '"-1/4"')) == 2
    assert "mean rewards -0." in read()


def beta_rewards(tmp_path: Path, read: Callable[[], str]) -> None:
    """A world with another law of rewards: the bound is printed, and nobody has checked the hypotheses."""
    assert simulated(tmp_path, "--json", text=environment("beta_rewards")) == 0
    bound = json.loads(read())["bounds"]["regret"]
    assert bound["verdict"] == UNDECIDED
    assert bound["verdict_source"] == "nothing checks that BetaWorld meets the hypotheses"
    assert not bound["violated"]


def numbers_up(tmp_path: Path, read: Callable[[], str]) -> None:
    """A quantity: every theorem that counts messages has it at once, closed form included, undecided."""
    words = ["bound", "col:finite", "--variant", "repaired", "--quantity", "numbers_up", "--json"]
    assert main([*words, "--set", "M=10", "K=5", "T=1000", "F=50"]) == 0
    found = json.loads(read())
    assert (found["value"], found["closed_form"]) == (9 * 10 * 50, "F*M*floor(log(T)/log(2))")
    assert found["verdict"] == UNDECIDED


def greet(tmp_path: Path, read: Callable[[], str]) -> None:
    import verify
    from verify.pages import api, commands

    assert main(["greet", "Ada"]) == 0
    assert read() == "hello, Ada\n"
    assert main(["greet", ""]) == 2
    assert read() == "verify: --name = : must not be empty\n"
    assert verify.__all__.count("greet") == 1
    with pytest.raises(verify.InputError, match=r"^name = : must not be empty"):
        verify.greet("")
    del verify.greet
    assert "python -m verify greet Ada" in commands.page()
    assert "greet(name: str) -> str" in api.page()


def own_trial(tmp_path: Path, read: Callable[[], str]) -> None:
    """In this process: the workers of a campaign do not look into the temporary folder."""
    outcome = run_unit(Settings(), "own:trial", "adds")
    assert outcome.evidence.kind is Verdict.EXACT
    assert outcome.control_ok
    for words in (["show", "own:trial"], ["list", "--all"]):
        assert main(words) == 0
        assert "Addition" in read()


def test_every_file_that_is_shown_is_tried():
    assert set(BLOCKS) <= {source for _, source in TRIALS.values()}


@pytest.mark.parametrize("stem", TRIALS)
def test_one_new_file_is_enough(stem, tmp_path, capsys):
    def read() -> str:
        return "".join(capsys.readouterr())

    package, source = TRIALS[stem]
    with new_file(tmp_path, package, stem, source):
        globals()[stem](tmp_path, read)


def test_after_the_trials_nothing_is_left():
    assert "fair" not in parts.policies()
    assert "promising" not in parts.protocols(kind_of("linear").protocols)
    assert main(["show", "own:trial"]) == 2
    assert main(["greet", "Ada"]) == 2


LYING = f'''
"""Ignores its data and promises the exact minimiser."""
{HEAD}class Lying(FLProtocol):
    name: ClassVar[str] = "lying"

    def fit(self, problem, channel, memory, rng):
        channel.begin_round()
        return Fitted(channel.broadcast("estimate", np.zeros(problem.dimension), (problem.dimension,)))

    def guarantee(self, setting):
        from linear.protocols.direct import Direct

        return Direct().guarantee(setting)
'''
BORROWING = shown('"fair"').replace("own:fair", "thm:global_regret").replace('"fair"', '"borrowing"')
NAMING = POLICY.replace('"uniform_play"', '"naming"\n    theorem: ClassVar[str] = "thm:global_regret"')
RAISING = '"""A policy."""\n\nraise ValueError("not today")\n'
NAMELESS = '"""A policy without a class."""\n'


@pytest.mark.parametrize(
    ("package", "stem", "source", "words", "status", "printed"),
    [
        ("linear.protocols", "lying", LYING, ["--protocol", "lying"], 1, "VIOLATED"),
        ("fedigw.policies", "borrowing", BORROWING, ["--policy", "borrowing"], 0, "label of another theorem"),
        ("fedigw.policies", "naming", NAMING, ["--policy", "naming"], 0, "is about igw, falcon"),
        ("fedigw.policies", "raising", RAISING, ["--policy", "igw"], 2, "fedigw/policies/raising.py, line 3"),
        ("fedigw.policies", "nameless", NAMELESS, ["--policy", "igw"], 2, "must define one class"),
    ],
)
def test_a_file_that_lies_or_breaks_its_contract(
    package, stem, source, words, status, printed, tmp_path, capsys
):
    with new_file(tmp_path, package, stem, source):
        assert simulated(tmp_path, *words) == status
    output = capsys.readouterr()
    assert printed in output.out + output.err
    assert "Traceback" not in output.err
