"""Systems in users' files: the template, conformance, their own bound, and learners of other libraries."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from fedigw.parts import systems
from fedigw.system_conformance import check_system
from verify.instances import kind_of

ROOT = Path(__file__).resolve().parents[3]
INSTANCE = str(ROOT / "examples" / "rivals.toml")
SHORT = ("--set", "horizon=32", "--replications", "2")
Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def verify(tmp_path, monkeypatch, forks):
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}:{tmp_path}")  # of the child that runs the file
    monkeypatch.chdir(tmp_path)
    return forks


# a line of the template, a wrong one in its place, and what `check` says then
WRONG = {
    "reads the truth": (
        "return Optimist(sizes.dimension, self.delta)",
        "found = Optimist(sizes.dimension, self.delta)\n        found.moments = 9 * TRUTH[0]\n        return found",
        "what it plays depends on the truth",
    ),
    "promises too little": (
        "return sizes.agents * (4",
        "return 1e-6 * sizes.agents * (4",
        "VIOLATED: declared",
    ),
    "no arm": ("return int(np.argmax(", "return 99 + int(np.argmax(", "must be an arm from 0 to"),
    "its own randomness": (
        "return int(np.argmax(",
        "return int(np.random.default_rng().integers(2)) + 0 * int(np.argmax(",
        "the seed does not decide everything",
    ),
}
SPY = """
TRUTH = [0.0]


def _spy(self, game):
    TRUTH[0] = game.world.truth(0)
    return Learner.play(self, game)


Mine.play = _spy
"""


def test_the_template_conforms_plays_and_has_its_own_bound(verify, tmp_path):
    written = verify("new", "system", "mine")
    assert "simulate examples/rivals.toml --system mine.py" in written.stdout
    assert verify("check", "mine.py").stdout == "system mine: conforms\n"
    done = verify("simulate", INSTANCE, "--system", "mine.py", *SHORT)
    assert done.returncode == 0, done.stderr
    assert "declared by mine, no check bears on it" in done.stdout
    assert "counted at most 0 in a replication" in done.stdout


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_system_is_refused(verify, tmp_path, name):
    verify("new", "system", "mine")
    before, after, said = WRONG[name]
    text = (tmp_path / "mine.py").read_text()
    assert text.count(before) == 1
    spy = SPY if "TRUTH" in after else ""
    (tmp_path / "mine.py").write_text(text.replace(before, after) + spy)
    done = verify("check", "mine.py")
    assert (done.returncode, "Traceback" in done.stderr) == (1, False), done.stdout + done.stderr
    assert said in done.stdout


def test_a_bound_that_is_broken_is_violated(verify, tmp_path):
    verify("new", "system", "mine")
    before, after, _ = WRONG["promises too little"]
    (tmp_path / "mine.py").write_text((tmp_path / "mine.py").read_text().replace(before, after))
    done = verify("simulate", INSTANCE, "--system", "mine.py", "--set", "horizon=256", "--replications", "20")
    assert done.returncode == 1
    assert "VIOLATED: the guaranteed interval of the mean lies above it" in done.stdout


def test_our_own_systems_conform():
    kind = kind_of("linear")
    plays = {name: check_system(system(), kind) for name, system in systems().items()}
    nowhere = ["no linear environment is one that it plays on"]
    assert {name: found for name, found in plays.items() if found and found != nowhere} == {}
    assert sum(not found for found in plays.values()) >= 9


# A stand-in with the calls that each adapter makes; the libraries themselves are not needed by the tests.
STAND_INS = {
    "coba_linucb": (
        "coba/learners.py",
        "class LinUCBLearner:\n    def __init__(self, features, seed): pass\n"
        "    def predict(self, context, actions): return actions[0], 1.0\n"
        "    def learn(self, context, action, reward, probability): assert 0 <= reward <= 1\n",
    ),
    "vowpalwabbit_squarecb": (
        "vowpalwabbit/__init__.py",
        "class Workspace:\n    def __init__(self, options): assert '--squarecb --gamma_scale 1000' in options\n"
        "    def predict(self, lines): return [1 / len(lines)] * len(lines)\n"
        "    def learn(self, lines): assert sum(line[0] != '|' for line in lines) == 1\n",
    ),
}


@pytest.mark.parametrize("name", STAND_INS)
def test_learners_of_other_libraries(verify, tmp_path, name):
    file = str(ROOT / "examples" / "own" / f"{name}.py")
    place, text = STAND_INS[name]
    try:
        __import__(place.split("/")[0])
    except ImportError:
        absent = verify("simulate", INSTANCE, "--system", file, *SHORT)
        assert (absent.returncode, absent.stderr.count("\n")) == (2, 1), absent.stderr
        assert f"needs {place.split('/')[0]}: pip install 'fedigw-verify[bench]'" in absent.stderr
    (tmp_path / place).parent.mkdir()
    (tmp_path / place).write_text(text)
    keys = ("--set", "gamma_scale=1000") if "gamma_scale" in Path(file).read_text() else ()
    done = verify("simulate", INSTANCE, "--system", file, *SHORT, *keys)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Mean regret")
    unknown = verify("simulate", INSTANCE, "--system", file, *SHORT, "--set", "nothing=1")
    assert (unknown.returncode, unknown.stderr.count("\n")) == (2, 1), unknown.stderr
    assert "system.nothing: unknown key" in unknown.stderr
