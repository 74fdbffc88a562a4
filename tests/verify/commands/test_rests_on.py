"""A bound is no surer than what it rests on: the word beside it is that of its weakest part, for that federation."""

from pathlib import Path

import pytest
from refused import answered

from verify.cli import main
from verify.verdict import shown

EXAMPLE = (
    Path(__file__).resolve().parents[3] / "examples" / "linear.toml"
)  # two hospitals, different patients


def one_law(folder: Path) -> Path:
    made = folder / "same.toml"
    made.write_text(
        EXAMPLE.read_text(encoding="utf-8").replace('"1/4", "3/4"', '"1/2", "1/2"'), encoding="utf-8"
    )
    return made


def verdict_of(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    found = answered(capsys, *words)
    return shown(found if "verdict" in found else found["bounds"]["regret"])


@pytest.mark.parametrize(
    ("protocol", "same", "different"),
    [
        ("direct", "proved (Coq)", "proved (Coq)"),
        ("agd", "proved (Coq)", "proved (Coq)"),
        ("cg", "proved (Coq)", "proved (Coq)"),
        ("chebyshev", "undecided", "undecided"),  # its rate is a theorem of the literature, and of no claim
        ("agd_convex", "measured (level 3.8e-05)", "measured (level 3.8e-05)"),
    ],
)
def test_the_verdict_is_that_of_the_weakest_part(protocol, same, different, tmp_path, capsys):
    words = ("--protocol", protocol, "--set", "horizon=16")
    runs = ("--replications", "2")
    assert verdict_of(capsys, "simulate", str(one_law(tmp_path)), *words, *runs) == same
    assert verdict_of(capsys, "simulate", str(EXAMPLE), *words, *runs) == different
    formula = ("bound", "col:linear", "--protocol", protocol, "--set", "M=2", "K=3", "T=16", "d=3")
    assert verdict_of(capsys, *formula) == same
    assert verdict_of(capsys, *formula, "heterogeneous=1") == different


def test_local_methods_in_personalised_worlds_point_to_their_own_corollary(capsys):
    personal = str(EXAMPLE.with_name("linear_personalised.toml"))
    words = ["--protocol", "lsgd_pfl", "--set", "horizon=16", "rounds=3", "--replications", "2"]
    assert main(["simulate", personal, *words]) == 0
    assert "`bound col:convex_per` has rounds that suffice" in capsys.readouterr().out


@pytest.mark.parametrize("local_steps", ["5", "1"])
@pytest.mark.parametrize(
    ("file", "protocol", "label", "sizes", "one"),
    [
        ("linear.toml", "fedavg", "col:convex", ("M=2", "K=3", "T=16", "d=3", "path=1"), "proved (Coq)"),
        (
            *("linear_personalised.toml", "lsgd_pfl", "col:convex_per"),
            *(("M=3", "K=2", "T=16", "da=2", "db=1"), "proved (z3)"),
        ),
    ],
)
def test_a_run_with_a_tolerance_is_as_sure_as_the_schedule_it_runs(
    file, protocol, label, sizes, one, local_steps, capsys
):
    """one: the verdict with one local step, gradient descent. A run also rests on the lemma of its method, whose
    choice of a step z3 proves."""
    verdict = one if local_steps == "1" else "proved (z3)"
    steps = f"local_steps={local_steps}"
    words = ("--protocol", protocol, "--set", "tolerance=0.5", "horizon=16", steps, "--replications", "2")
    assert verdict_of(capsys, "simulate", str(EXAMPLE.with_name(file)), *words) == "proved (z3)"
    assert verdict_of(capsys, "bound", label, "--protocol", protocol, "--set", *sizes, steps) == verdict


@pytest.mark.parametrize(
    ("protocol", "path", "verdict"),
    [(p, r, "proved (Coq)") for p in ("agd", "gd") for r in "12" if (p, r) != ("gd", "2")]
    + [("gd", "2", "proved (z3)")],
)
def test_descent_by_the_distance_rests_on_its_rate(path, verdict, protocol, capsys):
    """On path 2 gradient descent averages its points, by Theorem G and a schedule that z3 proves."""
    sizes = ("M=2", "K=3", "T=16", "d=3", f"path={path}")
    assert verdict_of(capsys, "bound", "col:convex", "--protocol", protocol, "--set", *sizes) == verdict


LINEAR = """kind = "linear"
horizon = 256
environment = {name = "finite_contexts", agents = 2, arms = 3, dimension = 2}
"""
UNIFORM = """kind = "finite_class"
horizon = 16
truth = 0
ties = "uniform"
functions = [[["1/2", "0"]], [["1/2", "1"]]]
agents = [{contexts = ["1"], arms = [0, 1]}]
"""
BOLD = """from fedigw.policies.igw import InverseGapWeighting

class Bold(InverseGapWeighting):
    name = "bold"

    def probabilities(self, scores, rate, widths=None):
        return super().probabilities(scores, 1000 * rate)
"""
LYING = """from dataclasses import replace
from linear.environments.finite_contexts import make as honest
from linear.world import LinearWorld

EXAMPLES = ({},)

class Lying(LinearWorld):
    def truth(self, agent):
        return -self.parameter

def make(rng, horizon=64):
    made = honest(rng, 2, 3, 3, 2, horizon)
    world = made.world
    return replace(made, world=Lying(world.agents, world.parameter, world.rewards))
"""


@pytest.mark.parametrize(
    ("world", "words", "status", "said"),
    [
        (LINEAR.replace("finite_contexts", "sphere"), (), 0, "(measured (level 3.8e-05), not proved)"),
        (LINEAR.replace("finite_contexts", "sphere"), (), 0, "infinitely many, and Coq's theorems are about"),
        (LINEAR, (), 0, "(proved (Coq))"),
        (LINEAR, ("--protocol", "agd", "--set", "early_stopping=true"), 0, "(proved (Coq))"),
        (LINEAR, ("--set", "learning_rate=[9,9,8,7,6,5,4,3]"), 0, "(undecided, NOT PROVED"),
        (LINEAR, ("--policy", "bold.py"), 0, "no bound: policy bold: the theorem is about inverse gap"),
        (UNIFORM, (), 0, "(checked (floating point), not proved)"),
        (
            'kind = "linear"\nhorizon = 65536\nenvironment = {name = "lying.py"}\n',
            (),
            1,
            "VIOLATED: the mean excess risk of what epoch",
        ),
    ],
)
def test_a_run_is_no_surer_than_what_it_is_made_of(world, words, status, said, tmp_path, monkeypatch, capsys):
    """Contexts of any law, an early end, falling rates, a policy and rewards of a user's own, random ties."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("bold.py", BOLD), ("lying.py", LYING), ("world.toml", world)):
        Path(name).write_text(text)
    assert main(["simulate", "world.toml", "--replications", "2", *words]) == status
    assert said in capsys.readouterr().out
