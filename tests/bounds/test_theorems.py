"""A theorem is a value: found by its label, asked about a federation, and extended by one new file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from bounds import quantities, theorems
from bounds.theorem import Applied, Setting, Theorem
from bounds.theorems.col_finite import FiniteRegret
from fedigw.applicable import applicable
from fedigw.interfaces import Policy
from verify.catalogue import index
from verify.instances import parse, read_with

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
GIVEN = {"M": 10, "K": 5, "T": 1000, "F": 50}


def test_a_theorem_is_found_by_the_label_of_its_claim() -> None:
    for label, theorem in theorems.theorems().items():
        assert theorems.find(label) is theorem
        assert label in index(), "a theorem without a claim would have no verdict"
        assert not theorem.replaces or theorems.exists(theorem.replaces)
    assert theorems.find("lem:VE") is None


def test_what_a_federation_lacks_is_said_and_no_number_is_given() -> None:
    for policy, words in (("greedy", "inverse gap weighting"), ("igw", "")):
        found = applicable(parse(read_with(EXAMPLES / "federation.toml", policy=policy)))
        assert bool(found.values) is not bool(found.missing)
        assert words in " ".join(found.missing)


def test_a_policy_brings_its_own_theorem_in_its_own_file() -> None:
    @dataclass(frozen=True)
    class EverySecondStep(Theorem):
        label: str = "own:coin"
        required: tuple[str, ...] = ()

        def missing(self, setting: Setting) -> tuple[str, ...]:
            return ("all agents have two arms",) if set(setting.arms) != {2} else ()

        def applied(self, setting: Setting) -> Applied:
            steps = sum(map(sum, setting.plan.played)) / 2
            return Applied({"best": steps}, setting.claim, (), {"best": 2 * steps}, theorem=self.label)

    @dataclass(frozen=True)
    class Coin(Policy):
        name: ClassVar[str] = "coin"
        theorem: ClassVar[Theorem | str] = EverySecondStep()

        def probabilities(self, scores: np.ndarray, rate: Any, widths: Any = None) -> np.ndarray:
            return np.full_like(scores, 1 / scores.shape[-1])

    federation = replace(parse(read_with(EXAMPLES / "erratum_E6.toml")), policy=Coin())
    found = applicable(federation)
    assert set(federation.arms) == {2}
    assert (found.theorem, found.values) == ("own:coin", {"best": sum(map(sum, federation.plan.played)) / 2})
    larger = applicable(replace(parse(read_with(EXAMPLES / "linear.toml")), policy=Coin()))
    assert larger.missing == ("all agents have two arms",)
    assert not larger.values


def test_a_quantity_is_one_new_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theorem = FiniteRegret()
    assert "numbers_up" not in theorem.quantities
    text = (
        "from bounds.quantities import Quantity\n\nQUANTITY = Quantity(lambda counted: counted.numbers_up)\n"
    )
    (tmp_path / "numbers_up.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(quantities, "__path__", [*quantities.__path__, str(tmp_path)])
    quantities.names.cache_clear()
    try:
        assert "numbers_up" in theorem.quantities
        report = theorem.evaluate("repaired", "numbers_up", None, GIVEN)
        assert report.value == 9 * 10 * 50
        assert str(report.closed_form) == "F*M*floor(log(T)/log(2))"
    finally:
        quantities.names.cache_clear()
