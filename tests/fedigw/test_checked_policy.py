"""What a user's policy returns is checked where it is used; ours are not touched."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from fedigw import outside
from fedigw.discovery import CatalogueError
from fedigw.parts import named, policies
from fedigw.policies.igw import InverseGapWeighting

HEAD = """from dataclasses import dataclass
from typing import ClassVar
import numpy as np
from fedigw.interfaces import Policy

@dataclass(frozen=True)
class P(Policy):
    name: ClassVar[str] = "p"

    def probabilities(self, scores, rate, widths=None):
"""
LINE = HEAD.count("\n")
WRONG = {
    "np.ones(scores.shape)": "must sum to 1 within 1e-06: a sum is 3",
    "np.full(scores.shape, np.nan)": "must be finite numbers: one is nan",
    "np.eye(3)[0] * 1.5 - np.eye(3)[1] * 0.5 + 0 * scores": "must not be negative: one is -0.5",
    "np.ones(2)": "must have the shape of the scores, (4, 3), not (2,)",
    "'abc'": "must be an array of numbers, not str",
    "np.full(scores.shape, (1 + 1e-5) / 3)": "must sum to 1 within 1e-06: a sum is 1.00001",
}


def theirs(tmp_path: Path, body: str, monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setattr(outside, "_allowed", True)
    (tmp_path / "p.py").write_text(HEAD + f"        return {body}\n")
    return named("policy", str(tmp_path / "p.py"), policies())


@pytest.mark.parametrize("body", WRONG)
def test_what_is_no_probability_is_refused_with_file_and_line(body, tmp_path, monkeypatch):
    policy = theirs(tmp_path, body, monkeypatch)
    with pytest.raises(CatalogueError) as refused:
        policy.probabilities(np.zeros((4, 3)), 1.0)
    assert str(refused.value) == f"{tmp_path / 'p.py'}, line {LINE}: P.probabilities {WRONG[body]}"


def test_rounding_is_divided_away_and_the_rest_is_left_as_it_is(tmp_path, monkeypatch):
    rounded = theirs(tmp_path, "np.full(scores.shape, 1 / 3, dtype=np.float32)", monkeypatch)
    found = rounded.probabilities(np.zeros((4, 3)), 1.0)
    assert np.abs(found.sum(axis=-1) - 1).max() < 1e-15
    exact = theirs(tmp_path, "np.array([1 - 2 * scores[0], *(2 * [scores[0]])])", monkeypatch)
    row = exact.probabilities(np.array([Fraction(1, 7)] * 3, dtype=object), Fraction(1))
    assert list(row) == [Fraction(5, 7), Fraction(1, 7), Fraction(1, 7)]


def test_our_own_are_not_checked_at_run_time():
    assert type(named("policy", "igw", policies())).probabilities is InverseGapWeighting.probabilities
