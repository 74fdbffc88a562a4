"""A folder that somebody else prepared: a report writes inside --out only, through no link, and runs nothing of it."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import report_example

from bounds.errors import InputError
from fedigw.instance_file import to_toml
from fedigw.record import replace_text, write_checked
from verify.campaign.outcome import Outcome
from verify.campaign.records import open_folder, parameters
from verify.catalogue import catalogue
from verify.claim import Evidence, Plot
from verify.cli import main
from verify.report import plots
from verify.report.plots import draw_all
from verify.verdict import Verdict

HOSTILE = "<script>alert(1)</script>"


def crafted(label: str, check: str = "unit", claim: str | None = None) -> dict[str, Any]:
    """Results of another program, without records, whose evidence agrees with its verdict."""
    figures = {"rows": [{HOSTILE: HOSTILE}], "text": HOSTILE}
    more = {"figures": figures, "instance": {"kind": "finite_class", "horizon": 2}}
    words = dict.fromkeys(("title", "statement", "reference"), HOSTILE)
    stated = ("stated", Verdict.EXACT, f"{HOSTILE}\nkind = 1", more)
    row = report_example.claim(label, HOSTILE, stated, **words, kind="lemma", tags=[HOSTILE], erratum=None)
    (variant,) = row["variants"]
    variant |= {"formula": f"x < {HOSTILE}", "hypotheses": [HOSTILE], "tight": HOSTILE}
    (found,) = variant["checks"]
    found |= {"claim": label if claim is None else claim, "check": check, "about": HOSTILE}
    found["control"] |= {"summary": f"{HOSTILE}\nkind = 1", "figures": figures}
    summary = {"verdicts": {"checked (exact)": 1}, "vacuous": 0, "expectations_met": 1, "expectations": 1}
    summary |= {"controls_told_apart": 1, "controls": 1, "checks_not_run": 0}
    level = {"family": 0.01, "check": 0.001, "rule": HOSTILE}
    changes = {"version": HOSTILE, "level": level, "summary": summary, "claims": [row]}
    return report_example.document() | changes


def report(folder: Path, document: dict[str, Any]) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.json").write_text(json.dumps(document))
    return main(["report", "--out", str(folder)])


def files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "label",
    ["../../victim/new", "/tmp/victim", "lem:../../victim/new", "lem:a/b", "lem:", "lem:x\n", "..", ""],
)
def test_a_label_from_a_file_names_no_path(label, tmp_path, capsys):
    (tmp_path / "victim").mkdir()
    folder = tmp_path / "a" / "out"
    for document in (crafted(label), crafted("lem:VE", check=label), crafted("lem:VE", claim=label)):
        assert report(folder, document) == 2
        said = capsys.readouterr().err
        assert "results.json has" in said
        assert said.count("\n") == 1
        assert files(tmp_path) == {folder / "results.json"}


def test_everything_from_a_file_is_escaped(tmp_path, capsys):
    assert report(tmp_path, crafted("lem:unknown_here")) == 0
    assert "has no records" in capsys.readouterr().err
    for name in ("report.html", "summary.md"):
        assert HOSTILE not in (tmp_path / name).read_text(), name
    written = next((tmp_path / "instances").iterdir()).read_text()
    assert [line for line in written.splitlines() if line.startswith("kind")] == ['kind = "finite_class"']


@pytest.mark.parametrize("below", ["instances", "plots", "records"])
def test_no_folder_of_ours_may_be_a_link(below, tmp_path):
    victim, folder = tmp_path / "victim", tmp_path / "out"
    victim.mkdir()
    folder.mkdir()
    (folder / below).symlink_to(victim)
    assert report(folder, crafted("lem:unknown_here")) == 2
    assert not files(victim)
    write_checked(folder / "campaign.json", parameters("quick", 0))
    with pytest.raises(InputError, match=f"{below} is a link"):
        open_folder(folder, parameters("quick", 0), False, lambda _: None)
    assert not files(victim)


def test_files_that_are_links_are_replaced_not_followed(tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("precious")
    for name in ("report.html", "summary.md", "lem_unknown_here--unit.toml"):
        place = tmp_path / "out" / ("instances" if name.endswith(".toml") else "") / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(victim)
    assert report(tmp_path / "out", crafted("lem:unknown_here")) == 0
    assert victim.read_text() == "precious"
    assert not any(path.is_symlink() for path in (tmp_path / "out").rglob("*"))


@pytest.mark.fedigw
def test_a_plot_that_is_a_link_is_replaced(tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("precious")
    claim = next(claim for claim in catalogue().values() if claim.plots)
    drawn = Plot(claim.plots[0].name, "title", ("one",), lambda axes, _: axes.plot([1, 2]))
    assert drawn.name == claim.plots[0].name
    for suffix in (".svg", ".png", ".pdf"):
        place = (tmp_path / "out" / "plots" / plots.file_stem(claim.label, drawn.name)).with_suffix(suffix)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(victim)
    mine = replace(claim, plots=(drawn,))
    known = Evidence(Verdict.EXACT, "found", {"x": 1})
    outcome = Outcome(claim.label, "one", next(iter(claim.variants)), known, known)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plots, "find", lambda _: mine)
        draw_all([mine], [outcome], tmp_path / "out")
    assert victim.read_text() == "precious"


def test_a_link_in_the_place_of_our_temporary_file_is_not_followed(tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / f".file.{os.getpid()}.tmp").symlink_to(victim)
    replace_text(tmp_path / "file", "ours")
    assert victim.read_text() == "precious"
    assert (tmp_path / "file").read_text() == "ours"


def test_a_comment_of_an_instance_file_is_one_line():
    assert to_toml({}, ("one\ntwo = 2",)).splitlines()[0] == "# one two = 2"
