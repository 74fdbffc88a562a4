"""Records: damaged, foreign and newer ones are told apart; what is not ours stays; full disks end cleanly."""

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from campaign_process import HOME

from bounds.errors import InputError
from verify.campaign import outcome, records
from verify.campaign import units as campaign
from verify.campaign.provenance import made_with
from verify.campaign.results import results
from verify.campaign.units import Settings, run_campaign
from verify.claim import Check, Claim, Evidence, Task, Variant, Verdict
from verify.cli import main

LABEL = "lem:VE"


def holds(task: Task) -> Evidence:
    return Evidence(Verdict.EXACT, "holds", {"draw": float(task.rng().random()), "pair": (1, 2)})


def fails(task: Task) -> Evidence:
    return Evidence(Verdict.REFUTED, "fails")


def breaks(task: Task) -> Evidence:
    return Evidence(Verdict.EXACT, "not JSON", {"count": np.int64(3)})


@pytest.fixture
def catalogue(monkeypatch):
    """A catalogue of one claim with three checks, one of which cannot be written down."""
    checks = tuple(
        Check(name, "printed", run, fails) for name, run in (("a", holds), ("b", holds), ("c", breaks))
    )
    claim = Claim(LABEL, "t", "s", "x", {"printed": Variant("x", (), Verdict.EXACT)}, checks)
    known = {LABEL: claim}
    monkeypatch.setattr(
        outcome, "chosen", lambda labels: [known[label] for label in known if label in labels]
    )
    monkeypatch.setattr(campaign, "find", known.__getitem__)
    return known


def run(folder: Path, resume: bool = False, seed: int = 0) -> tuple[str, list[str], list[str]]:
    """The results as text, the warnings, and the checks that were carried out."""
    warnings: list[str] = []
    made: list[str] = []
    heard = lambda done, total, finished: made.append(finished.outcome.check)  # noqa: E731
    found = run_campaign([LABEL], Settings(seed=seed), folder, resume, heard, warn=warnings.append)
    return json.dumps([outcome.outcome_json(o) for o in found], sort_keys=True), warnings, made


def test_a_resumed_campaign_equals_a_fresh_one(catalogue, tmp_path):
    text, _, made = run(tmp_path / "c")
    assert made == ["a", "b", "c"]
    again, warnings, made = run(tmp_path / "c", resume=True)
    assert again == text
    assert warnings == []
    assert made == ["c"]  # what could not be carried out is tried again
    assert "int64" in text  # and says why


DEPTH = 20_000
BODY = '{"schema": 1, "sha256": "0", "body": %s}'
TEXTS = {  # in the place of a record
    "empty": "",
    "binary": bytes(range(256)),
    "list": "[]",
    "NaN": BODY % "NaN",
    "nested": "[" * 200_000,
    "nested body": BODY % ("[" * DEPTH + "]" * DEPTH),
    "long integer": BODY % ("9" * 5000),
    "half a pair": BODY % '"\\ud800"',
}
CHANGES = {  # of its bytes
    "flipped bit": (b"holds", b"Holds"),
    "old schema": (b'"schema":1', b'"schema":0'),
    "true schema": (b'"schema":1', b'"schema":true'),
    "no schema": (b'"schema":1', b'"schema":null'),
}


def damage(path: Path, how: str) -> None:
    if how in TEXTS:
        text = TEXTS[how]
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    elif how in CHANGES:
        path.write_bytes(path.read_bytes().replace(*CHANGES[how], 1))
    elif how == "cut":
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    elif how == "another check":
        path.write_bytes(path.with_name(path.name.replace("--a", "--b")).read_bytes())
    elif how == "foreign body":
        records.write_checked(path, {"something": "else"})
    elif how == "pipe":
        path.unlink()
        os.mkfifo(path)
    elif how == "wrong types":
        body = records.read_checked(path)
        records.write_checked(path, body | {"outcome": {"claim": LABEL, "check": "a", "evidence": 3}})
    elif how in FORGED:  # with a right checksum
        found = records.read_checked(path)
        FORGED[how](found["outcome"])
        records.write_checked(path, found)


FORGED: dict[str, Callable[[dict[str, Any]], object]] = {
    "a list for figures": lambda found: found["evidence"].update(figures=[1]),
    "a word for a level": lambda found: found["control"].update(level="high"),
    "another method": lambda found: found["evidence"].update(by="level 0.1"),
    "a failure": lambda found: found.update(failure="said so"),
    "an unknown word": lambda found: found["evidence"].update(
        figures={"same": 3}, by="coq", verdict="proved"
    ),
}
OTHERS = ("cut", "another check", "foreign body", "wrong types", "pipe", *FORGED)


@pytest.mark.parametrize("how", [*TEXTS, *CHANGES, *OTHERS])
def test_a_bad_record_is_recomputed_with_a_warning(catalogue, tmp_path, how):
    text, _, _ = run(tmp_path)
    damage(records.record_path(tmp_path, LABEL, "a"), how)
    again, warnings, made = run(tmp_path, resume=True)
    assert again == text
    assert made == ["a", "c"]
    assert len(warnings) == 1
    assert warnings[0].endswith("recomputed")


def test_a_record_of_another_variant_is_recomputed(catalogue, tmp_path):
    """Judged by what the record says, the check would be missing from its own variant."""
    text, _, _ = run(tmp_path)
    path = records.record_path(tmp_path, LABEL, "a")
    body = records.read_checked(path)
    body["outcome"]["variant"] = "repaired"
    records.write_checked(path, body)
    assert run(tmp_path, resume=True)[0] == text


def test_a_record_of_another_campaign_is_recomputed(catalogue, tmp_path):
    text, _, _ = run(tmp_path / "here")
    run(tmp_path / "there", seed=1)
    name = records.record_path(Path(), LABEL, "a")
    (tmp_path / "here" / name).write_bytes((tmp_path / "there" / name).read_bytes())
    again, warnings, made = run(tmp_path / "here", resume=True)
    assert again == text
    assert "seed (1 there, 0 here)" in warnings[0]
    assert made == ["a", "c"]


@pytest.mark.parametrize("resume", [True, False])
def test_a_folder_in_the_place_of_a_record(catalogue, tmp_path, resume):
    run(tmp_path)
    path = records.record_path(tmp_path, LABEL, "a")
    path.unlink()
    (path / "inside").mkdir(parents=True)
    with pytest.raises(InputError, match=r"a folder stands in the place of the record lem_VE--a\.json"):
        run(tmp_path, resume)
    assert (path / "inside").is_dir()
    assert records.record_path(tmp_path, LABEL, "b").is_file()


@pytest.mark.parametrize("schema", [b"2", b'"2"', b"1.5"])
@pytest.mark.parametrize("name", ["campaign.json", f"records/{LABEL.replace(':', '_')}--a.json"])
@pytest.mark.parametrize("resume", [True, False])
def test_a_newer_version_is_never_overwritten(catalogue, tmp_path, name, resume, schema):
    run(tmp_path)
    path = tmp_path / name
    path.write_bytes(path.read_bytes().replace(b'"schema":1', b'"schema":' + schema, 1))
    before = {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    with pytest.raises(InputError, match="newer version"):
        run(tmp_path, resume)
    assert {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()} == before


def test_resuming_with_other_parameters_says_which(catalogue, tmp_path, monkeypatch):
    run(tmp_path)
    before = {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    with pytest.raises(InputError, match=r"other parameters: seed \(0 there, 7 here\)$"):
        run(tmp_path, resume=True, seed=7)
    monkeypatch.setattr(records, "code_digest", lambda: "changed")
    monkeypatch.setattr(records, "made_with", lambda: made_with() | {"numpy": "9.9"})
    changes = r"other parameters: numpy \([0-9.]+ there, 9.9 here\); code \(.* there, changed here\)$"
    with pytest.raises(InputError, match=changes):
        run(tmp_path, resume=True)
    assert {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()} == before
    _, warnings, _ = run(tmp_path)
    assert "starting over" in warnings[0]


def test_a_folder_that_is_not_a_campaigns_is_left_alone(catalogue, tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match="not a campaign's folder"):
        run(tmp_path)
    (tmp_path / "campaign.json").write_text('{"my": "own"}')
    with pytest.raises(InputError, match=r"damaged campaign.json"):
        run(tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["campaign.json", "thesis.tex"]


def test_starting_over_leaves_what_is_not_ours_and_nothing_that_is(catalogue, tmp_path):
    run(tmp_path)
    theirs = "records/my_notes.json records/own_notes-2.json plots/holiday.png instances/hard.toml notes.md"
    derived = (
        *("results.json", "report.html", "summary.md", "timings.json", "records/col_finite--slope.json"),
        *("plots/col_finite-curve.svg", "plots/col_finite-curve.png", "instances/erratum_E7--witness.toml"),
    )
    for name in (*theirs.split(), *derived):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}")
    run(tmp_path, resume=True)
    assert all((tmp_path / name).is_file() for name in derived)
    _, warnings, made = run(tmp_path)
    assert made == ["a", "b", "c"]
    assert "an earlier campaign of 3 records" in warnings[0]
    assert [name for name in derived if (tmp_path / name).exists()] == []
    assert [name for name in theirs.split() if not (tmp_path / name).is_file()] == []


def test_every_file_that_is_written_about_a_claim_is_known_as_ours(tmp_path):
    from verify.campaign.derived import is_about_a_claim
    from verify.campaign.units import units
    from verify.catalogue import catalogue as real
    from verify.paper import file_name
    from verify.report.plots import file_stem

    names = [records.record_path(tmp_path, *unit).name for unit in units(real())]
    names += [f"{file_name(label)}--{check}.toml" for label, check in units(real())]
    names += [f"{file_stem(claim.label, plot.name)}.svg" for claim in real().values() for plot in claim.plots]
    for name in names:
        (tmp_path / name).write_text("")
        assert is_about_a_claim(tmp_path / name)


def test_a_folder_left_by_a_kill_before_its_marker_is_adopted(catalogue, tmp_path):
    (tmp_path / ".campaign.json.123.tmp").write_text("half")
    text, _, _ = run(tmp_path, resume=True)
    assert "holds" in text
    assert not list(tmp_path.glob(".*"))


def test_a_folder_that_is_a_link_or_has_no_locks(catalogue, tmp_path, monkeypatch):
    def no_locks(descriptor: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(records.fcntl, "flock", no_locks)
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    warnings: list[str] = []
    with records.held(tmp_path / "link", warnings.append):
        text, _, _ = run(tmp_path / "link")
    assert warnings == [
        f"{tmp_path / 'link'}: its file system has no locks; run no other campaign there meanwhile"
    ]
    again, _, made = run(tmp_path / "real", resume=True)
    assert (again, made) == (text, ["c"])


def test_a_file_in_the_way(catalogue, tmp_path):
    (tmp_path / "file").write_text("")
    for out in ("file", "file/below"):
        with pytest.raises(InputError, match=r"--out"):
            run(tmp_path / out)


@pytest.mark.fedigw
@pytest.mark.parametrize("folder", ["/proc/campaign", "/dev/null/campaign"])
def test_an_unwritable_folder_is_one_line(folder, capsys):
    assert main(["run", "lem:finite_error", "--out", folder]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"verify: --out = {folder}: ")
    assert len(said.splitlines()) == 1


@pytest.mark.fedigw
def test_a_full_disk_ends_cleanly(tmp_path):
    """A file size limit stands for the disk: the marker fits, a record does not. What is done is kept."""
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (700, 700))"
    program = f"if __name__ == '__main__': {limit}; from verify.__main__ import console; console()"
    command = [sys.executable, "-c", program, "run", "lem:finite_error", "--out", str(tmp_path / "c")]
    whole = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}  # half a file of byte code would spoil later tests
    done = subprocess.run(command, cwd=HOME, env=whole, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"verify: {tmp_path / 'c' / 'records'}")
    assert ": File too large; what is done is saved; continue with: python -m verify run" in last
    assert "Traceback" not in done.stderr
    assert not list((tmp_path / "c").rglob(".*.tmp"))


def test_no_space_left(catalogue, tmp_path, monkeypatch):
    """The error of the second record leaves the first."""
    saved: list[str] = []

    def save(folder: Path, found: outcome.Outcome, made_with: object) -> None:
        if saved:
            raise OSError(errno.ENOSPC, "No space left on device")
        saved.append(found.check)
        records.save_outcome(folder, found, records.parameters("quick", 0))

    monkeypatch.setattr(campaign, "save_outcome", save)
    with pytest.raises(OSError, match="No space"):
        run(tmp_path)
    assert [p.name for p in (tmp_path / "records").iterdir()] == ["lem_VE--a.json"]


def test_results_do_not_depend_on_how_outcomes_came(catalogue, tmp_path):
    from verify.campaign.judgement import judge

    fresh = run_campaign([LABEL], Settings(), tmp_path)
    loaded = run_campaign([LABEL], Settings(), tmp_path, resume=True)
    documents = [results(found, judge(found), Settings()) for found in (fresh, loaded)]
    assert documents[0] == documents[1]


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("verify/papers/fedigw/claims/own_new.py", True),
        ("verify/papers/fedigw/worst/x.toml", True),
        ("bounds/best/barrier.json", True),
        ("proofs/Setting.v", True),
        ("proofs/Setting.vo", False),
        ("verify/__pycache__/x.pyc", False),
        ("docs/page.md", False),
        ("fedigw_extensions/robust/tests/test_x.py", False),
    ],
)
def test_the_digest_counts_what_decides_a_result(name, counts, tmp_path, monkeypatch):
    from verify.campaign import provenance

    home = tmp_path / "tests"  # what the folder of the checkout is called plays no part
    monkeypatch.setattr(provenance, "__file__", str(home / "verify" / "campaign" / "provenance.py"))
    monkeypatch.setattr(provenance.shipped, "HERE", home / "fedigw")
    before = provenance.code_digest.__wrapped__()
    (home / name).parent.mkdir(parents=True)
    (home / name).write_text("x")
    assert (provenance.code_digest.__wrapped__() != before) is counts
