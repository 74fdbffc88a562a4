"""Proof steps and closed forms are kept between starts, and never shown after a source has changed."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from verify.answers import kept

HOME = Path(__file__).resolve().parents[3]
BOUND = ["bound", "col:finite", "--variant", "sharpened", "--set", "M=10", "K=5", "T=1e6", "F=100"]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(kept, "PLACE", tmp_path / "texts.kept")
    return tmp_path / "texts.kept"


def test_made_once(place: Path) -> None:
    made: list[str] = []
    make = lambda: made.append("x") or ["line"]  # type: ignore[func-returns-value]  # noqa: E731
    assert kept.kept(make, "a") == kept.kept(make, "a") == ["line"]
    assert len(made) == 1
    kept.kept(make, "b")
    assert len(made) == 2


def test_other_sources_other_text(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept.kept(lambda: "old", "a")
    monkeypatch.setattr(kept, "code_digest", lambda: "of changed sources")
    assert kept.kept(lambda: "new", "a") == "new"


@pytest.mark.parametrize("damage", ["", "{}", "[1]", '{"made_from": 1, "values": 2}', "\0"])
def test_a_damaged_file_is_made_again(place: Path, damage: str) -> None:
    place.write_text(damage)
    assert kept.kept(lambda: "new", "a") == "new"
    assert kept.kept(lambda: "other", "a") == "new"


def test_a_place_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(kept, "PLACE", tmp_path / "file" / "texts.kept")
    assert kept.kept(lambda: "text", "a") == "text"


def test_the_file_does_not_grow_for_ever(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST", 3)
    sizes = []
    for number in range(9):
        kept.kept(lambda: "text", str(number))
        sizes.append(place.stat().st_size)
    assert sizes[8] == max(sizes) == sizes[2]


def test_only_a_call_that_text_decides_has_a_name() -> None:
    from bounds.theorems.col_finite import closed_form

    assert kept.call_name(partial(closed_form, "printed")) != kept.call_name(partial(closed_form, "repaired"))
    assert kept.call_name(partial(closed_form, ["printed"])) is None
    assert kept.call_name(partial(lambda: 1)) is None
    assert kept.call_name(partial(len, "abc")) is None  # not ours: its source is not in the digest


@pytest.mark.parametrize("command", [["list"], ["show", "lem:V_upper"], BOUND], ids=lambda c: c[0])
def test_a_second_start_brings_no_sympy(command: list[str]) -> None:
    program = (
        "import sys; from verify.cli import main; code = main(sys.argv[1:]);"
        "heavy = {'sympy', 'scipy', 'matplotlib', 'cvxpy', 'z3', 'threadpoolctl'} & set(sys.modules);"
        "sys.exit(code or ', '.join(sorted(heavy)) or 0)"
    )
    runs = [
        subprocess.run([sys.executable, "-c", program, *command], cwd=HOME, capture_output=True, text=True)
        for _ in range(2)
    ]
    assert runs[1].returncode == 0, runs[1].stderr
    assert runs[0].stdout == runs[1].stdout
