"""Closed forms are cached between starts, and never shown after a source has changed."""

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from verify.verbs.bound import forms

HOME = Path(__file__).resolve().parents[3]
BOUND = ["bound", "col:finite", "--variant", "sharpened", "--set", "M=10", "K=5", "T=1e6", "F=100"]


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(forms, "PLACE", tmp_path / "forms.cache")
    return tmp_path / "forms.cache"


def test_made_once(place):
    made: list[str] = []
    make = lambda: made.append("x") or ["line"]  # noqa: E731
    assert forms.cached(make, "a") == forms.cached(make, "a") == ["line"]
    assert len(made) == 1
    forms.cached(make, "b")
    assert len(made) == 2


def test_other_sources_other_text(place, monkeypatch):
    forms.cached(lambda: "old", "a")
    monkeypatch.setattr(forms, "_made_from", lambda: "changed sources")
    assert forms.cached(lambda: "new", "a") == "new"


@pytest.mark.parametrize("damage", ["", "{}", "[1]", '{"made_from": 1, "values": 2}', "\0"])
def test_a_damaged_file_is_made_again(place, damage):
    place.write_text(damage)
    assert forms.cached(lambda: "new", "a") == "new"
    assert forms.cached(lambda: "other", "a") == "new"


def test_a_place_that_cannot_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(forms, "PLACE", tmp_path / "file" / "forms.cache")
    assert forms.cached(lambda: "text", "a") == "text"


def test_the_file_does_not_grow_for_ever(place, monkeypatch):
    monkeypatch.setattr(forms, "MOST", 3)
    sizes = []
    for number in range(9):
        forms.cached(lambda: "text", str(number))
        sizes.append(place.stat().st_size)
    assert sizes[8] == max(sizes) == sizes[2]


def test_only_a_call_that_text_decides_has_a_name():
    from bounds.theorems.col_finite import closed_form

    assert forms.call_name(partial(closed_form, "printed")) != forms.call_name(
        partial(closed_form, "repaired")
    )
    assert forms.call_name(partial(closed_form, ["printed"])) is None
    assert forms.call_name(partial(lambda: 1)) is None
    assert forms.call_name(partial(len, "abc")) is None  # not ours: its source is not in the digest


SIMULATE = ["simulate", "examples/linear.toml", "--set", "horizon=64", "--replications", "3"]
PLAN = ["plan", "--agents", "5", "--arms", "3", "--dimension", "4", "--horizon", "100"]
LIGHT = [["list"], ["show", "lem:V_upper"], BOUND]
OTHERS = [SIMULATE, PLAN, ["fit", "examples/dataset.toml"], ["exact", "examples/erratum_E6.toml"]]


@pytest.mark.parametrize("commands", [LIGHT, OTHERS], ids=["light", "others"])
def test_a_second_start_brings_no_claim_and_little_else(commands):
    heavy = {"sympy", "matplotlib", "cvxpy", "z3"} | ({"numpy", "scipy"} if commands is LIGHT else set())
    program = (
        "import sys; from verify.cli import main; "
        f"codes = [main(words) for words in {commands}]; "
        f"heavy = {heavy} & set(sys.modules) | {{m for m in sys.modules if '.claims.' in m}}; "
        "sys.exit(any(codes) or ', '.join(sorted(heavy)) or 0)"
    )
    runs = [
        subprocess.run([sys.executable, "-c", program], cwd=HOME, capture_output=True, text=True)
        for _ in range(2 if commands is LIGHT else 1)
    ]
    assert runs[-1].returncode == 0, runs[-1].stderr
    assert runs[0].stdout == runs[-1].stdout
