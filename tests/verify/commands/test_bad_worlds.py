"""Worlds and parts that are wrong, typed in: one line with the value, exit status 2."""

import pytest
from refused import refused

from verify.cli import main

FINITE = """kind = "finite_class"
horizon = 16
truth = 0
rewards = "bernoulli"
functions = [[["1/2", "0"]], [["1/2", "1"]]]
agents = [{contexts = ["1"], truth = 0}, {contexts = ["1"], truth = 1}]
"""
LINEAR = """kind = "linear"
horizon = 16
parameter = ["1/2", "1/4"]
agents = [{contexts = "cube.py", arms = 2}, {contexts = "cube.py", arms = 2}]
"""
REWARDS = '''"""Rewards."""
from dataclasses import dataclass
from typing import ClassVar
import numpy as np
from fedigw.interfaces import RewardLaw

@dataclass(frozen=True)
class Mine(RewardLaw):
    name: ClassVar[str] = "mine"
    def points(self, mean):
        return np.stack([0 * mean, mean * 0 + 1], -1), np.stack([1 - mean, mean], -1)
'''
CUBE = '''"""Features in a cube."""
from dataclasses import dataclass
from typing import ClassVar
from fedigw.interfaces import ContextLaw

@dataclass(frozen=True)
class Cube(ContextLaw):
    name: ClassVar[str] = "cube"
    def draw(self, steps, arms, dimension, rng):
        return rng.random((steps, arms, dimension)) / dimension**0.5
'''
FILES = {
    "finite.toml": FINITE,
    "linear.toml": LINEAR,
    "rewards.py": REWARDS,
    "cube.py": CUBE,
}
# (a file and its text, what is typed instead, further words, the error)
WRONG: dict[str, tuple[str, str, str, list[str], str]] = {
    "a personal truth outside the class": (
        *("finite.toml", "truth = 1}", "truth = 2}"),
        ["finite.toml"],
        "agents[1].truth = 2: must be an index of functions, 0 to 1",
    ),
    "a clock that never ticks": (
        *("linear.toml", "arms = 2}]", "arms = 2, clock = {period = 2, offset = 99}}]"),
        ["linear.toml"],
        "agents[1].clock = periodic, period = 2, offset = 99: never ticks before the horizon 16",
    ),
    "a certificate without strong convexity": (
        *("finite.toml", "horizon = 16", 'horizon = 16\nstop = "certificate"'),
        ["finite.toml"],
        "stop = certificate: needs a strongly convex loss, which finite_class models do not have",
    ),
    "a reward law with another mean": (
        *("rewards.py", "[1 - mean, mean]", "[mean, 1 - mean]"),
        ["finite.toml", "--set", "rewards=rewards.py"],
        "rewards = rewards.py:Mine: at mean 0 its rewards have the mean 1",
    ),
    "contexts outside the unit ball": (
        *("cube.py", "/ dimension**0.5", ""),
        ["linear.toml"],
        "contexts = cube.py:Cube: draws a feature of norm 1.",
    ),
    "contexts with mean rewards outside [0,1]": (
        *("linear.toml", '"1/4"]', '"-3/4"]'),
        ["linear.toml"],
        "parameter = mean rewards -0.5",
    ),
    "probabilities asked of a law that draws": (
        *("finite.toml", 'contexts = ["1"], truth = 1', 'contexts = "cube.py", truth = 1'),
        ["finite.toml"],
        "contexts = cube: has no probabilities of listed contexts",
    ),
}


@pytest.fixture
def here(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_refused_in_one_line(case, here, capfd):
    file, old, new, words, said = WRONG[case]
    simulate = ["simulate", *words, "--replications", "2"]
    assert FILES[file].count(old) == 1
    assert main(simulate) == 0  # the control: as it stands it runs
    capfd.readouterr()
    changed = here / file
    changed.write_text(FILES[file].replace(old, new))
    refused(capfd, simulate, said)
