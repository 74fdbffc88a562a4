"""Two campaigns compared: nothing to say of equal ones, one line for every check that differs, one for bad input."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from report_example import document

from verify.campaign.compare import checks, main
from verify.campaign.results import write
from verify.verdict import shown

FIRST = document()
UNIT = " ".join(next(iter(checks(FIRST))))
SAID = shown(next(iter(checks(FIRST).values()))["evidence"])


def save(folder: Path, made: dict[str, Any]) -> str:
    folder.mkdir()
    write(folder, made)
    return str(folder)


@pytest.fixture
def old(tmp_path):
    return save(tmp_path / "old", FIRST)


def test_equal_campaigns(old, tmp_path, capsys):
    other = copy.deepcopy(FIRST) | {"code": "of another version"}
    new = save(tmp_path / "new", other)
    assert main([old, new]) == main([f"{old}/results.json", new]) == 0
    assert capsys.readouterr().out == f"same       {len(checks(FIRST))}\n" * 2


@pytest.mark.parametrize(
    ("change", "lines"),
    [
        (lambda checks: checks.pop(0), [f"gone       {UNIT}"]),
        (lambda checks: checks[0]["evidence"].update(summary="other"), [f"different  {UNIT}: evidence"]),
        (lambda checks: checks[0]["evidence"].update(figures={"x": 1}), [f"different  {UNIT}: evidence"]),
        (
            lambda checks: checks[0]["evidence"].update(verdict="undecided", by=None),
            [f"different  {UNIT}: evidence ({SAID} there, undecided here)"],
        ),
        (
            lambda checks: checks[0].update(check="another"),
            [f"gone       {UNIT}", f"new        {UNIT.split()[0]} another"],
        ),
    ],
)
def test_what_differs_is_named(change, lines, old, tmp_path, capsys):
    made = copy.deepcopy(FIRST)
    change(made["claims"][0]["variants"][0]["checks"])
    assert main([old, save(tmp_path / "new", made)]) == 1
    assert sorted(capsys.readouterr().out.splitlines()[:-1]) == sorted(lines)


def test_versions_are_named_before_what_they_changed(old, tmp_path, capsys):
    made = copy.deepcopy(FIRST)
    made["made_with"] |= {"numpy": "new", "torch": "first"}
    made["seed"] = 7
    made["claims"][0]["variants"][0]["checks"][0]["evidence"].update(summary="other")
    assert main([old, save(tmp_path / "new", made)]) == 1
    numpy, torch, seed, check, _ = capsys.readouterr().out.splitlines()
    assert numpy == "made with  numpy (old there, new here)"
    assert torch == "made with  torch (None there, first here)"
    assert seed == "made with  seed (0 there, 7 here)"
    assert check == f"different  {UNIT}: evidence"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "compare: arguments = : must be OLD NEW"),
        (["a"], "compare: arguments = a: must be OLD NEW"),
        (["OLD", "nowhere"], "compare: NEW = nowhere: has no results.json"),
        (["damaged", "OLD"], "compare: OLD = damaged: has a damaged results.json"),
        (["OLD", "hollow"], "compare: NEW = hollow: has a damaged results.json"),
        (["OLD", "empty"], "compare: a damaged results.json; the campaign's command with --resume writes it"),
        (["OLD", "file.json"], "compare: NEW = file.json: must be a results.json"),
    ],
)
def test_bad_input_is_one_line(words, message, old, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    hollow = json.dumps(FIRST).replace('"check"', '"chek"')
    empty = '{"schema": 3, "made_with": {}, "claims": [], "version": 1}'
    for name, text in {"damaged": "{", "hollow": hollow, "empty": empty}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "results.json").write_text(text)
    (tmp_path / "file.json").write_text("{}")
    assert main([old if word == "OLD" else word for word in words]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(message)
    assert len(printed.err.splitlines()) == 1
