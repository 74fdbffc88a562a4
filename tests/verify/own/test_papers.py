"""A paper is a folder: chosen by name or path, with its own title, statements, claims, bounds."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from fedigw.outside import digest

ROOT = Path(__file__).resolve().parents[3]
Command = Callable[..., subprocess.CompletedProcess[str]]
PAPER = 'name = "sums"\ntitle = "On sums"\nauthors = "Ada Lovelace"\n'
STATEMENTS = """[[statement]]
label = "thm:two"
number = "Theorem 1"
title = "One and one is two"

[[statement]]
label = "prop:three"
number = "Proposition 2.1"
title = "One and two is three"
"""
CLAIM = '''"""thm:two. One and one is two."""
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.statistics.compared import at_most

claim = Claim(title="Addition", section="Sums", variants={"printed": Variant("1+1=2", ("none",), Verdict.EXACT)})


@claim.check("printed", control=dict(total=1))
def adds(task: Task, total: int = 2) -> Evidence:
    """Add."""
    return at_most([(1 + 1, total, "here")], "sum")
'''
PICTURE = '''

@claim.plot("The sum", "adds")
def picture(axes, figures) -> None:
    """Draw it."""
    axes.plot([0, 1], [1, 2])
'''
THEOREM = '''"""thm:two as a bound."""
from dataclasses import dataclass
from bounds.arithmetic import sqrt
from bounds.per_step import StepTheorem


@dataclass(frozen=True)
class Two(StepTheorem):
    label: str = "thm:two"

    def bound(self, case):
        return 4 * sqrt(case["T"])


THEOREM = Two()
'''


@pytest.fixture
def verify(tmp_path, monkeypatch, forks):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "300")
    return forks


def folder(place: Path, **files: str) -> Path:
    """Write a paper's folder; `files` replaces or adds files, __ stands for / and the suffix is kept after _dot_."""
    given = {"paper.toml": PAPER, "statements.toml": STATEMENTS, "claims/thm_two.py": CLAIM}
    given |= {name.replace("__", "/").replace("_dot_", "."): text for name, text in files.items()}
    for name, text in given.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    return place


@pytest.mark.fedigw
def test_a_paper_of_ones_own_from_list_to_report(verify, tmp_path):
    highlights = '[highlights]\n"thm:two/printed" = "It is exact."\n"prop:three/printed" = "It is open."\n'
    files = {"theorems__thm_two_dot_py": THEOREM, "claims__thm_two_dot_py": CLAIM + PICTURE}
    home = folder(tmp_path / "sums", paper_dot_toml=PAPER + highlights, **files)
    assert "Proposition 2.1  One and two is three  not covered" in verify("--paper", "sums", "list").stdout
    done = verify("--paper", "sums", "all", "--out", "out", "--record")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 of 2 theorems and propositions checked" in done.stdout
    assert "Found: It is exact.\nNot shown, as it is not decided here: prop:three/printed\n" in done.stdout
    page = (tmp_path / "out" / "report.html").read_text()
    assert "<h1>On sums</h1>" in page
    assert "Ada Lovelace" in page
    assert "data:image/svg+xml" in page, "its picture is drawn"
    for text in (page, (tmp_path / "out" / "summary.md").read_text()):
        assert "1 of" in text
        assert ("It is exact." in text, "It is open." in text) == (True, False)
        # classes of style sheets and names of our own programs are no words about a paper
        assert not re.search(
            r"FedIGW|Shi\b|TMLR|epoch|errata",
            re.sub(r"<style>.*?</style>|<script>.*?</script>", "", text, flags=re.DOTALL),
        )
    again = verify("report", "--out", "out", "--paper=sums")
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "out" / "report.html").read_text() == page
    other = verify("report", "--out", "out")
    assert (other.returncode, other.stderr.count("\n")) == (2, 1)
    assert "results.json has the paper 'sums', not fedigw; add --paper" in other.stderr
    other = verify("run", "lem:VE", "--out", "out", "--resume")
    assert (other.returncode, other.stderr.count("\n")) == (2, 1)
    assert "was begun with other parameters: paper (sums there, fedigw here)" in other.stderr
    rows = {row["label"]: row for row in json.loads(verify("--paper", "sums", "list", "--json").stdout)}
    listed = verify("--paper", "sums", "list").stdout
    assert 'One statement: `python -m verify --paper sums show "Theorem 1"`' in listed, "a path from here"
    assert verify("--paper", "sums", "show", "Theorem 1").returncode == 0
    assert rows["thm:two"]["verdicts"]["printed"] | {"instances": 1} == {
        "verdict": "checked",
        "by": "exact",
        "instances": 1,
    }
    shown = verify("--paper", "sums", "show", "sums:thm:two").stdout
    assert shown.startswith("Theorem 1 (thm:two): Addition\n  Checked as printed, not proved\n")
    assert "lovelace" in shown
    origin = "recorded by the folder's author (quick profile, seed 0, version 0.1.0), not recomputed here"
    assert f"Verdicts as {origin}; `run` does not trust them.\nCheck again: " in shown
    assert f"Verdicts: as {origin}: `python -m verify --paper sums all`.\n" in listed
    assert f"; {origin}}}," in verify("--paper", "sums", "cite", "thm:two").stdout
    bound = verify("--paper", "sums", "bound", "thm:two", "--variant", "printed", "--set", "T=100")
    assert bound.stdout.startswith("Regret at most 40, where 100 is known without learning: checked (exact")
    assert f"\n               {origin}\n" in bound.stdout
    assert "epoch" not in bound.stdout
    assert "informative from T = 17\n" in bound.stdout
    short = json.loads(
        verify(
            "--paper", "sums", "bound", "thm:two", "--variant", "printed", "--set", "T=16", "--json"
        ).stdout
    )
    assert short["vacuous"]
    assert short["first_informative_horizon"] == 17
    # the record is of the files as they were
    smaller = home / "theorems" / "thm_two.py"
    smaller.write_text(THEOREM.replace("4 * sqrt", "3 * sqrt"))
    bound = verify("--paper", "sums", "bound", "thm:two", "--variant", "printed", "--set", "T=100")
    assert bound.stdout.startswith("30, by a statement that is undecided: no guarantee.")
    assert "a file in proofs/ or theorems/ changed since it was checked" in bound.stdout
    smaller.write_text(THEOREM)
    # verdicts that somebody wrote into the record by hand
    written = home / "recorded_verdicts.json"
    before = written.read_text()
    written.write_text(
        before.replace('"by": "exact"', '"by": "certificate"').replace('"checked"', '"proved"')
    )
    edited = "recorded_verdicts.json is not as `all --record` wrote it; run that again"
    listed = verify("--paper", "sums", "list").stdout
    assert f"Undecided: thm:two: {edited}.\n" in listed
    assert "stands" not in listed
    assert f"  not known: {edited}; its claim" in verify("--paper", "sums", "show", "thm:two").stdout
    written.write_text(before)
    (home / "claims" / "thm_two.py").write_text(CLAIM.replace("1 + 1, total", "1 + 2, total"))
    assert "undecided" in verify("--paper", "sums", "list", "--all").stdout
    assert verify("--paper", "sums", "run", "thm:two").returncode == 1


BAD = {
    "no statements": ({"statements_dot_toml": ""}, "statements.toml has no [[statement]]"),
    "not toml": ({"paper_dot_toml": "name = "}, "paper.toml cannot be read"),
    "an unknown key": (
        {"paper_dot_toml": PAPER + 'license = "MIT"\n'},
        "'license' is unknown; did you mean 'licence'?",
    ),
    "a licence that is no text": (
        {"paper_dot_toml": PAPER + 'licence = ["MIT"]\n'},
        "paper.toml: licence must be a text of one line",
    ),
    "a highlight of nothing": (
        {"paper_dot_toml": PAPER + '[highlights]\n"thm:x/printed" = "Found"\n'},
        "[highlights] 'thm:x/printed' must be label/variant",
    ),
    "no title": ({"paper_dot_toml": 'name = "sums"\nauthors = "A"\n'}, "paper.toml lacks title"),
    "one name twice": (
        {"paper_dot_toml": PAPER.replace("sums", "fedigw")},
        "; change the name in paper.toml",
    ),
    "hostile label": (
        {"statements_dot_toml": STATEMENTS.replace("thm:two", "thm:../../two")},
        "must be like thm:main_result",
    ),
    "escape sequences in a title": (
        {"statements_dot_toml": STATEMENTS.replace("One and one", "\\u001b[2J One and one")},
        "statement 1: label, number and title must be texts of one line",
    ),
    "two lines of authors": (
        {"paper_dot_toml": PAPER.replace("Ada ", "Ada\\n")},
        "authors must be a text of one line",
    ),
    "unknown key": ({"statements_dot_toml": STATEMENTS + "colour = 1\n"}, "statement 2"),
    "twice": ({"statements_dot_toml": STATEMENTS.replace("prop:three", "thm:two")}, "has thm:two twice"),
    "rests on nothing": (
        {"statements_dot_toml": STATEMENTS + 'rests_on = ["lem:x"]\n'},
        "rests on lem:x, which is not there",
    ),
    "rests on a paper that is not there": (
        {"statements_dot_toml": STATEMENTS + 'rests_on = ["nobody:lem:x"]\n'},
        "there is no paper nobody; known: fedigw",
    ),
    "rests on a statement that another paper does not have": (
        {"statements_dot_toml": STATEMENTS + 'rests_on = ["squarecb:lem:x"]\n'},
        "the paper squarecb has no statement lem:x",
    ),
    "examples that are no texts": ({"paper_dot_toml": PAPER + "[commands]\nlist = 1\n"}, "must have texts"),
    "damaged places": ({"places_dot_json": '[{"number": 1}]'}, "places.json is damaged"),
    "a record with escape sequences": (
        {"recorded_verdicts_dot_json": '{"profile": "\\u001b[2J", "seed": 0, "verdicts": {"thm:two": {}}}'},
        "recorded_verdicts.json is damaged",
    ),
    "proved by its author": (
        {
            "recorded_verdicts_dot_json": '{"verdicts": {"thm:two": {"printed": {"verdict": "proved", "by": "coq"}}}}'
        },
        "recorded_verdicts.json is damaged",
    ),
}


LESS_SURE = {  # what a claim rests on -> the verdict on it, which is checked (exact) by itself
    "squarecb:lem:igw": "checked",
    "squarecb:thm:regret/printed": "measured",  # less sure than the claim's own check
    "squarecb:lem:igw/lecture-notes": "undecided",  # refuted
    "squarecb:lem:igw/nothing": "undecided",
}


@pytest.mark.parametrize("other", LESS_SURE)
def test_a_verdict_is_no_surer_than_what_it_rests_on(other):
    from verify.recorded import Recorded, limited
    from verify.verdict import Verdict

    own = Recorded(Verdict.EXACT.fields, "")
    assert limited(own, ["lem:here", other]).row["verdict"] == LESS_SURE[other]
    refuted = Recorded(Verdict.REFUTED.fields, "")
    assert limited(refuted, [other]) is refuted


def test_a_claim_that_rests_on_a_refuted_one_from_check_to_page(verify, tmp_path):
    other = "squarecb:lem:igw/lecture-notes"
    resting = CLAIM.replace('section="Sums"', f'section="Sums", depends=("{other}",)')
    folder(tmp_path / "sums", claims__thm_two_dot_py=resting)
    done = verify("--paper", "sums", "all", "--out", "out", "--record")
    assert done.returncode == 1, done.stdout + done.stderr
    found = json.loads((tmp_path / "out" / "results.json").read_text())["claims"][0]["variants"][0]
    assert found["verdict"] == "undecided"
    assert f"rests on {other}: refuted (witness)" in found["problems"]
    assert f"Uses {other} (refuted (witness))" in (tmp_path / "out" / "report.html").read_text()
    shown = verify("--paper", "sums", "show", "thm:two").stdout
    assert f"printed: undecided (rests on {other}: refuted (witness))" in shown
    assert f"Uses: {other} (refuted (witness))" in shown
    wrong = CLAIM.replace('section="Sums"', 'section="Sums", depends=("squarecb:lem:x",)')
    folder(tmp_path / "bad", claims__thm_two_dot_py=wrong)
    assert "the paper squarecb has no statement lem:x" in verify("--paper", "bad", "list").stderr


def test_a_statement_of_the_first_paper_that_changed_is_undecided(monkeypatch):
    from verify import paper, recorded

    assert recorded.record()["changed"] == {}, "the recorded hashes are those of places.json"
    texts = paper.hashes(paper.FOLDER) | {"col:finite": ["00000000"]}
    monkeypatch.setattr(recorded, "hashes", lambda folder: texts)
    found = recorded.record.__wrapped__(paper.FOLDER)
    assert found["changed"] == {"col:finite": "the statement changed since it was checked"}
    assert "col:finite" not in found["verdicts"]


@pytest.mark.parametrize("name", BAD)
def test_a_bad_folder_is_one_line(verify, tmp_path, name):
    files, said = BAD[name]
    folder(tmp_path / "mine", **files)
    done = verify("--paper", "./mine", "list")
    assert done.returncode == 2, done.stdout
    assert done.stderr.count("\n") == 1, done.stderr
    assert said in done.stderr


def test_a_folder_that_is_empty_or_never_ends(verify, tmp_path):
    (tmp_path / "mine").mkdir()
    said = ["has no paper.toml; `python -m verify new paper FILE.tex` writes one"]
    assert said[0] in verify("--paper", "mine", "list").stderr
    home = folder(tmp_path / "mine")
    for name in ("statements.toml", "places.json", "paper.toml"):
        before = (home / name).read_text() if (home / name).exists() else None
        (home / name).unlink(missing_ok=True)
        (home / name).symlink_to("/dev/zero")
        done = verify("--paper", "./mine", "list")
        assert (done.returncode, done.stderr.count("\n")) == ((0, 0) if name == "places.json" else (2, 1)), (
            done.stderr
        )
        (home / name).unlink()
        if before is not None:
            (home / name).write_text(before)


def test_a_claim_that_is_wrong_or_hostile_fails_and_the_others_go_on(verify, tmp_path):
    """A label that statements.toml does not have, a file that exits, one that is no Python, a pipe, and a good one."""
    claims = {
        "thm_x": CLAIM.replace("thm:two", "thm:x"),
        "prop_three": "import os\nos._exit(0)\n",
        "own_b": "x = (\n",
    }
    folder(tmp_path / "mine", **{f"claims__{stem}_dot_py": text for stem, text in claims.items()})
    os.mkfifo(tmp_path / "mine" / "claims" / "own_c.py")
    done = verify("--paper", "mine", "all", "--out", "out")
    assert done.returncode == 1
    assert "own_c.py: is no file" in done.stderr
    assert "label 'thm:x' is not in statements.toml" in done.stderr
    assert "prop_three.py: ended its process with status 0" in done.stderr
    shown = verify("--paper", "mine", "show", "prop:three").stdout
    assert re.search(r"not covered: its file is not a claim: .*prop_three.py: ended its process", shown)
    assert "own_b.py, line 1: SyntaxError" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Checked as printed, not proved (1): Theorem 1" in done.stdout


def test_one_bad_claim_is_one_line_and_a_claim_may_be_named_by_its_file(verify, tmp_path):
    folder(
        tmp_path / "mine",
        claims__thm_x_dot_py=CLAIM.replace("thm:two", "thm:x"),
        claims__prop_three_dot_py="x = (",
        claims__own_b_dot_py=CLAIM.replace("thm:two. ", ""),
    )
    refused = {"thm:x": "label 'thm:x' is not in statements.toml", "prop:three": "SyntaxError"}
    for label, said in (refused | {"own:b": "the docstring must begin with the statement's label"}).items():
        done = verify("--paper", "mine", "run", label)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert said in done.stderr
    for name in ("prop_three", "thm_x", "own_b"):
        (tmp_path / "mine" / "claims" / f"{name}.py").unlink()
    done = verify("--paper", "mine", "run", "mine/claims/thm_two.py")
    assert done.returncode == 0, done.stderr
    assert "another file" not in done.stderr


def test_a_form_that_is_not_printed_is_not_the_papers(verify, tmp_path):
    """A statement of which only a special case is checked is one statement all the same, and a refuted form or a
    refuted result of one's own is no error of the paper."""
    refuted = CLAIM.replace('"printed"', '"special"').replace("Verdict.EXACT", "Verdict.REFUTED")
    refuted = refuted.replace("control=dict(total=1)", "control=dict(total=2), given=dict(total=1)")
    own = refuted.replace('"special"', '"printed"').replace("thm:two", "own:two")
    folder(tmp_path / "mine", claims__thm_two_dot_py=refuted, claims__own_two_dot_py=own)
    done = verify("--paper", "mine", "all", "--out", "out", "--record")
    assert done.returncode == 0, done.stdout
    assert "Checked in other forms only (1): Theorem 1" in done.stdout
    page = (tmp_path / "out" / "report.html").read_text()
    assert (
        "there is a witness against it, which `run` prints"
        in verify("--paper", "mine", "show", "own:two").stdout
    )
    assert re.search(r"Refuted, and not in print\s*<span[^>]*>\(2\)", page)
    assert "Errors in the paper" not in page


def test_a_false_statement_has_the_command_that_finds_its_witness(verify, tmp_path):
    false = CLAIM.replace("Verdict.EXACT", "Verdict.REFUTED")
    false = false.replace("control=dict(total=1)", "control=dict(total=2), given=dict(total=1)")
    folder(tmp_path / "mine", claims__thm_two_dot_py=false)
    assert verify("--paper", "mine", "all", "--out", "out").returncode == 0
    for page in ("report.html", "summary.md"):
        text = (tmp_path / "out" / page).read_text()
        assert "python -m verify run" not in text
    for words in (
        ["plot", "--out", "nowhere"],
        ["report", "--out", "nowhere"],
        ["list", "thm:two"],
        ["run", "all"],
    ):
        refused = verify("--paper", "mine", *words)
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1), refused.stderr
        assert "python -m verify --paper mine" in refused.stderr
    found = re.search(
        r"python -m verify (--paper \S+ run thm:two)", (tmp_path / "out" / "report.html").read_text()
    )
    assert verify(*found[1].split()).returncode == 0


def test_where_it_appeared(verify, tmp_path):
    for where, kind in (
        ("", "misc"),
        ("Annals of Sums", "article"),
        ("Conference on Sums", "inproceedings"),
    ):
        folder(tmp_path / "mine", paper_dot_toml=PAPER + f'where = "{where}"\n')
        shown = verify("--paper", "mine", "show", "thm:two").stdout
        assert f"@{kind}{{" in shown
        assert ("booktitle" in shown) == (kind == "inproceedings")


def test_what_is_true_is_nothing_undecided(verify, tmp_path):
    twice = CLAIM.replace('"printed": ', '"sharpened": Variant("", (), Verdict.EXACT), "printed": ').replace(
        '@claim.check("printed"',
        '@claim.check("sharpened", control=dict(total=1), name="again")\n@claim.check("printed"',
    )
    folder(tmp_path / "mine", claims__thm_two_dot_py=twice)
    assert re.search(r"Theorem 1 .* not decided +-\n", verify("--paper", "mine", "list").stdout)


@pytest.mark.fedigw
def test_names_of_papers_and_labels_in_full(verify, tmp_path):
    listed = {row["name"]: row for row in json.loads(verify("papers", "--json").stdout)}
    assert listed["fedigw"]["statements"] > listed["fedigw"]["covered"] > 20
    assert verify("show", "fedigw:col:finite").stdout == verify("show", "col:finite").stdout
    refused = {
        ("show", "nobody:col:finite"): "unknown; known: fedigw",
        ("--paper", "nowhere", "list"): "unknown; known: fedigw",
        ("--paper", ".", "list"): "has no paper.toml; `python -m verify new paper FILE.tex` writes one",
        ("--paper", "fedigw", "show", "squarecb:lem:igw"): "is of the paper squarecb: write --paper squarecb",
        ("--paper",): "give one name or path",
    }
    for words, said in refused.items():
        done = verify(*words)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert said in done.stderr


def test_papers_of_another_distribution(tmp_path, monkeypatch):
    """Two installed distributions, one with a paper inside a package that must not be imported, one with a name that is
    taken."""
    home = tmp_path / "installed"
    folder(home / "their_package" / "sums")
    (home / "their_package" / "__init__.py").write_text("raise RuntimeError('imported')\n")
    (home / "theirs-1.dist-info").mkdir()
    (home / "theirs-1.dist-info" / "METADATA").write_text("Name: theirs\nVersion: 1\n")
    entry = home / "theirs-1.dist-info" / "entry_points.txt"
    entry.write_text(
        "[fedigw_verify.papers]\nsums = their_package.sums\ngone = their_package.gone\nx = no_package\n"
    )
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}{os.pathsep}{home}")
    monkeypatch.setenv("COLUMNS", "300")

    def verify(*words: str) -> subprocess.CompletedProcess[str]:  # a new process: it looks for distributions
        command = [sys.executable, "-m", "verify", *words]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)

    said = verify("papers").stdout
    assert "sums        1 of   2 statements have a claim" in said
    assert re.search(r"fedigw +\d+ of  44 statements have a claim, +\d+ of 22 theorems and lemmas", said)
    assert verify("run", "sums:thm:two").returncode == 0
    assert "Theorem 1 (thm:two): Addition" in verify("show", "sums:thm:two").stdout
    assert "unknown; known: fedigw" in verify("--paper", "gone", "list").stderr
    (home / "their_package" / "sums" / "paper.toml").write_text("name = ")  # the others are not blocked by it
    assert re.search(r"\nsums +--paper = \S+: .*cannot be read", verify("papers").stdout)
    assert "1 of   1" in verify("papers").stdout
    assert verify("--paper", "ucb1", "list").returncode == 0
    assert "paper.toml cannot be read" in verify("--paper", "sums", "list").stderr
    (home / "their_package" / "sums" / "paper.toml").write_text(PAPER.replace("sums", "falcon"))
    done = verify("papers")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "two papers have this name" in done.stderr


# of each worked example: its claim, one line of it made wrong, and how many forms are then refuted
WRONG = {
    "squarecb": (
        "lem_igw",
        "SHARP_PRICE = Fraction(2), Fraction(1)",
        "SHARP_PRICE = Fraction(2), Fraction(1, 2)",
        2,
    ),
    "falcon": ("thm_regret", "SHARE = 1.0", "SHARE = 0.05", 1),
    "ucb1": ("thm_regret", "LEADING = 8.0", "LEADING = 0.1", 1),
    "linucb": ("lem_potential", "factor=1 / math.log(2)", "factor=1.44", 1),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_worked_example_its_record_and_its_wrong_version(verify, name, tmp_path):
    source = ROOT / "examples" / "papers" / name
    record = json.loads((source / "recorded_verdicts.json").read_text())
    claims = sorted((source / "claims").glob("*.py"))
    assert record["files"] == {path.name: digest(path) for path in claims}, f"--paper {name} all --record"
    assert all(row["verdict"] != "undecided" for rows in record["verdicts"].values() for row in rows.values())
    highlights = tomllib.loads((source / "paper.toml").read_text())["highlights"]
    found = [record["verdicts"][label][form] for label, form in (name.split("/") for name in highlights)]
    assert {row["verdict"] for row in found} <= {"proved", "checked", "measured", "refuted"}
    assert found
    lines = sum(
        len(path.read_text().splitlines())
        for path in source.rglob("*")
        if path.suffix in (".py", ".toml", ".v")
    )
    assert lines <= 300
    rows = source / "proofs" / "record.json"
    proved = json.loads(rows.read_text()) if rows.exists() else {}
    assert {row["digest"] for row in proved.values()} == {digest(p) for p in source.glob("proofs/*.v")}
    assert "not compared with a PDF" in verify("--paper", name, "list").stdout
    stem, before, after, refuted = WRONG[name]
    shutil.copytree(source, tmp_path / "wrong")
    for file, old, new in (("paper.toml", f'"{name}"', '"wrong"'), (f"claims/{stem}.py", before, after)):
        text = (tmp_path / "wrong" / file).read_text()
        assert text.count(old) == 1
        (tmp_path / "wrong" / file).write_text(text.replace(old, new))
    done = verify("--paper", "wrong", "run", stem.replace("_", ":", 1), "--out", "out")
    assert done.returncode == 1, done.stdout + done.stderr
    for page in ("report.html", "summary.md"):
        assert "not compared with a PDF" in (tmp_path / "out" / page).read_text()
    claim = json.loads((tmp_path / "out" / "results.json").read_text())["claims"][0]
    assert sum(v["verdict"] == "refuted" for v in claim["variants"]) == refuted


def test_a_statement_that_changed_since_it_was_checked(verify, tmp_path):
    """From the TeX source to a citation; then one word of the source is changed, and nothing is cited any more."""
    source = (
        "\\title{On sums}\\author{Ada}\\begin{theorem}\\label{thm:two} One and one is two. \\end{theorem}\n"
    )
    (tmp_path / "mine.tex").write_text(source)
    assert verify("new", "paper", "mine.tex").returncode == 0
    (tmp_path / "mine" / "claims" / "thm_two.py").write_text(CLAIM)
    undecided = verify("--paper", "mine", "cite", "thm:two")
    assert "printed is undecided, which cannot be cited" in undecided.stderr
    assert verify("--paper", "mine", "all", "--out", "out", "--record").returncode == 0
    first = json.loads(verify("--paper", "mine", "cite", "thm:two", "--json").stdout)
    assert re.fullmatch(r"mine:thm:two/printed@[0-9a-f]{8}", first["id"])
    (tmp_path / "mine.tex").write_text(source.replace("is two", "makes two"))
    assert "Theorem 1: its text changed since it was read" in verify("new", "paper", "mine.tex").stdout
    done = verify("--paper", "mine", "cite", first["id"])
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "the statement changed since it was checked" in done.stderr


def test_an_id_that_is_asked_for_again_is_recomputed(verify):
    found = json.loads(verify("cite", "squarecb:lem:igw", "--json").stdout)["id"]
    assert verify("cite", found).returncode == 0
    assert found in verify("badge", found).stdout
    other = f"{found.partition('@')[0]}@00000000"
    for verb in ("cite", "badge"):
        done = verify(verb, other)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
        assert f"changed since it was checked; now {found}" in done.stderr
    unknown = verify("--paper", "squarecb", "cite", "thm:nothing").stderr
    assert "`python -m verify --paper squarecb list` prints the paper's statements" in unknown
