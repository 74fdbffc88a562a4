"""One new file is one new part: each trial adds a single file to its folder, and discovery, conformance and commands do
the rest. The folder is a temporary one that the package looks into as well, so nothing else is touched."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fedigw import conformance, parts
from fedigw.discovery import modules
from verify.campaign.units import Settings, run_unit
from verify.cli import main
from verify.instances import kind_of
from verify.verdict import Verdict

POLICY = '''
"""Uniform play: every arm alike, whatever the scores."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedigw.interfaces import Policy


@dataclass(frozen=True)
class Uniform(Policy):
    name: ClassVar[str] = "uniform_play"
    rational: ClassVar[bool] = True

    def probabilities(self, scores, rate, widths=None):
        return 0 * scores + (1 + 0 * scores) / scores.shape[-1]
'''
PROTOCOL = '''
"""One gradient step from 0: the server averages nothing, it adds gradients."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedigw.interfaces import Fitted, FLProtocol


@dataclass(frozen=True)
class OneStep(FLProtocol):
    step_size: float = 0.25
    name: ClassVar[str] = "one_step"
    needs: ClassVar[tuple[str, ...]] = ("gradients",)

    def fit(self, problem, channel, memory, rng):
        shape = (problem.dimension,)
        who = channel.begin_round()
        point = channel.broadcast("point", np.zeros(shape), shape)
        total = channel.total("gradient", problem.gradients(point, who), shape)
        return Fitted(channel.broadcast("estimate", -self.step_size * total, shape))
'''
AGGREGATOR = '''
"""The coordinate-wise median."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedigw.interfaces import Aggregator


@dataclass(frozen=True)
class Median(Aggregator):
    name: ClassVar[str] = "middle"

    def combine(self, messages, weights):
        return np.median(messages, axis=0)
'''
ENCODER = '''
"""Numbers rounded to a grid: 16 bits each."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedigw.interfaces import Encoder


@dataclass(frozen=True)
class Grid(Encoder):
    step: float = 0.001
    name: ClassVar[str] = "grid"

    def encode(self, messages, rng):
        return np.round(messages / self.step) * self.step

    def bits(self, messages):
        return 16 * messages.size
'''
CLOCK = '''
"""An agent that acts at every step except every nth."""

from dataclasses import dataclass
from typing import ClassVar

from fedigw.interfaces import Clock


@dataclass(frozen=True)
class Skipping(Clock):
    every: int = 3
    name: ClassVar[str] = "skipping"

    def count(self, time):
        return time - time // self.every
'''
ENVIRONMENT = '''
"""Two contexts, two arms, features on the axes."""

import numpy as np

from bounds.schedules import doubling_plan
from linear.contexts.finite import FiniteContexts
from linear.federations import linear_federation

EXAMPLES = ({"agents": 2, "horizon": 16},)


def make(rng, agents: int = 2, horizon: int = 64):
    features = np.array([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]])
    contexts = FiniteContexts(features, np.full(2, 0.5))
    parameter = rng.dirichlet(np.ones(2))
    return linear_federation((contexts,) * agents, parameter, doubling_plan(horizon, agents))
'''
CLAIM = '''
"""own:trial. One and one is two."""

from verify.claim import Claim, Evidence, Task, Variant
from verify.verdict import Verdict

claim = Claim(
    label="own:trial",
    title="Addition",
    section="Trials",
    variants={"printed": Variant("1+1=2", ("none",), Verdict.EXACT)},
)


@claim.check("printed", control=dict(total=3))
def adds(task: Task, total: int = 2) -> Evidence:
    """Add."""
    return Evidence(Verdict.EXACT if 1 + 1 == total else Verdict.REFUTED, f"1 + 1 = {total}")
'''
VERB = '''
"""greet: say hello to somebody."""

from __future__ import annotations

import argparse

__all__ = ["greet"]
EXAMPLE = "python -m verify greet Ada"
PYTHON = """
assert greet("Ada") == "hello, Ada\\""""


def greet(name: str) -> str:
    """Return a greeting."""
    if not name:
        from bounds.errors import InputError

        raise InputError("--name", name, "must not be empty")
    return f"hello, {name}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name")


def execute(given: argparse.Namespace) -> int:
    import sys

    sys.stdout.write(greet(given.name) + "\\n")
    return 0
'''
TRIALS = {
    "verify.verbs": ("greet", VERB),
    "fedigw.policies": ("uniform_play", POLICY),
    "linear.protocols": ("one_step", PROTOCOL),
    "fedigw.aggregators": ("middle", AGGREGATOR),
    "fedigw.encoders": ("grid", ENCODER),
    "fedigw.clocks": ("skipping", CLOCK),
    "linear.environments": ("axes", ENVIRONMENT),
    "verify.papers.fedigw.claims": ("own_trial", CLAIM),
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


@pytest.fixture(params=list(TRIALS))
def trial(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """One new file in one folder; removed again afterwards."""
    from verify.catalogue import catalogue

    package = request.param
    stem, source = TRIALS[package]
    (tmp_path / f"{stem}.py").write_text(source.lstrip())
    folder = importlib.import_module(package)
    monkeypatch.setattr(folder, "__path__", [*folder.__path__, str(tmp_path)])
    importlib.invalidate_caches()
    catalogue.cache_clear()
    yield package
    sys.modules.pop(f"{package}.{stem}", None)
    if hasattr(folder, stem):
        delattr(folder, stem)
    catalogue.cache_clear()


def simulated(tmp_path: Path, *words: str, text: str = FILE) -> int:
    path = tmp_path / "instance.toml"
    path.write_text(text)
    return main(["simulate", str(path), "--replications", "3", *words])


def test_one_new_file_is_enough(trial: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stem = TRIALS[trial][0]
    linear = kind_of("linear")
    if trial == "fedigw.policies":
        assert conformance.check_policy(parts.policies()[stem]()) == []
        assert simulated(tmp_path, "--policy", stem) == 0
        assert "the theorem is about inverse gap weighting" in capsys.readouterr().out
    elif trial == "linear.protocols":
        protocol = parts.protocols(linear.protocols)[stem]()
        assert conformance.check_protocol(protocol, linear) == []
        assert simulated(tmp_path, "--protocol", stem, "--set", "step_size=0.5", "learning_rate=9") == 0
        assert "has no guarantee (H3)" in capsys.readouterr().out
    elif trial == "fedigw.aggregators":
        assert conformance.check_aggregator(parts.aggregators()[stem]()) == []
        assert simulated(tmp_path, "--set", f"link.aggregator={stem}") == 0
        assert "no theorem for the aggregator middle" in capsys.readouterr().out
    elif trial == "fedigw.encoders":
        assert conformance.check_encoder(parts.encoders()[stem]()) == []
        assert simulated(tmp_path, "--set", 'link.encoder={name="grid", step=0.01}') == 0
        assert "no theorem for the encoder grid" in capsys.readouterr().out
    elif trial == "fedigw.clocks":
        assert conformance.check_clock(parts.clocks()[stem]()) == []
        assert simulated(tmp_path, text=FILE + "clock = {every = 5}\n") == 0
        assert "bound sharpened" in capsys.readouterr().out
    elif trial == "linear.environments":
        module = modules(linear.environments, ("make", "EXAMPLES"))[stem]
        assert conformance.check_environment(module, linear) == []
        text = 'kind = "linear"\nhorizon = 32\nenvironment = {name = "axes", agents = 4, seed = 3}\n'
        assert simulated(tmp_path, text=text) == 0
    elif trial == "verify.verbs":
        import verify
        from verify.pages import api, commands

        assert main(["greet", "Ada"]) == 0
        assert capsys.readouterr().out == "hello, Ada\n"
        assert main(["greet", ""]) == 2
        assert capsys.readouterr().err == "verify: --name = : must not be empty\n"
        assert verify.__all__.count("greet") == 1
        with pytest.raises(verify.InputError, match=r"^name = : must not be empty"):
            verify.greet("")  # type: ignore[attr-defined]
        del verify.greet  # type: ignore[attr-defined]
        assert "python -m verify greet Ada" in commands.page()
        assert "greet(name: str) -> str" in api.page()
    else:
        # in this process: the workers of a campaign do not look into the temporary folder
        outcome = run_unit(Settings(), "own:trial", "adds")
        assert outcome.evidence.kind is Verdict.EXACT
        assert outcome.control_ok
        for words in (["show", "own:trial"], ["list"]):
            assert main(words) == 0
            assert "Addition" in capsys.readouterr().out


def test_after_the_trials_nothing_is_left() -> None:
    assert "uniform_play" not in parts.policies()
    assert "one_step" not in parts.protocols(kind_of("linear").protocols)
    assert main(["show", "own:trial"]) == 2
    assert main(["greet", "Ada"]) == 2


LYING = '''
"""Ignores its data and promises the exact minimiser."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedigw.interfaces import Fitted, FLProtocol
from linear.protocols.direct import Direct


@dataclass(frozen=True)
class Lying(FLProtocol):
    name: ClassVar[str] = "lying"

    def fit(self, problem, channel, memory, rng):
        channel.begin_round()
        return Fitted(channel.broadcast("estimate", np.zeros(problem.dimension), (problem.dimension,)))

    def guarantee(self, setting):
        return Direct().guarantee(setting)
'''
RAISING = '"""A policy."""\n\nraise ValueError("not today")\n'
NAMELESS = '"""A policy without a class."""\n'


@pytest.mark.parametrize(
    ("package", "stem", "source", "words", "status", "said"),
    [
        ("linear.protocols", "lying", LYING, ["--protocol", "lying"], 1, "VIOLATED"),
        ("fedigw.policies", "raising", RAISING, ["--policy", "igw"], 2, "fedigw/policies/raising.py, line 3"),
        ("fedigw.policies", "nameless", NAMELESS, ["--policy", "igw"], 2, "must define one class"),
    ],
)
def test_a_file_that_lies_or_breaks_its_contract(
    package: str,
    stem: str,
    source: str,
    words: list[str],
    status: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / f"{stem}.py").write_text(source.lstrip())
    folder = importlib.import_module(package)
    monkeypatch.setattr(folder, "__path__", [*folder.__path__, str(tmp_path)])
    importlib.invalidate_caches()
    try:
        assert simulated(tmp_path, *words) == status
        output = capsys.readouterr()
        assert said in output.out + output.err
        assert "Traceback" not in output.err
    finally:
        sys.modules.pop(f"{package}.{stem}", None)
