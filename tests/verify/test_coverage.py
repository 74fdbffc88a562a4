"""Every statement of the paper is shown, with its verdict or why it has none; names in print are understood."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from refused import answered, refused

from bounds.errors import InputError
from verify import catalogue as catalogue_room
from verify.catalogue import catalogue, coverage, coverage_sentence, find, index, label_of
from verify.claim import inconsistency
from verify.cli import main
from verify.paper import BY_LABEL, BY_NUMBER, FOLDER, LABELS, STATEMENTS
from verify.recorded import declared, of_number, of_variant
from verify.recorded import record as recorded
from verify.verdict import FIELDS, Verdict

ROOT = Path(__file__).resolve().parents[2]


def test_there_are_twenty_two_numbered_statements():
    numbered = [s for s in STATEMENTS if s.numbered]
    kinds = [s.kind for s in numbered]
    assert len(numbered) == 22
    assert [kinds.count(kind) for kind in ("theorem", "corollary", "lemma")] == [1, 6, 15]
    assert len(BY_NUMBER) == sum(len(s.numbers) for s in STATEMENTS)  # no number twice
    placed = {row["number"]: row for row in json.loads((FOLDER / "places.json").read_text())}
    assert set(placed) <= {number for s in STATEMENTS for number in s.numbers}
    for statement in STATEMENTS:
        rows = [placed[number] for number in statement.numbers if number in placed]
        assert {row["again"] or row["label"] for row in rows} <= {*statement.labels, None}
        assert bool(statement.lines) is (statement.kind not in ("algorithm", "table", "figure"))
        assert statement.missing
        assert set(statement.rests_on) <= set(BY_LABEL)


@pytest.mark.fedigw
def test_a_statement_is_covered_as_soon_as_a_claim_is_about_it(monkeypatch):
    rows = {row.statement.label: row for row in coverage()}
    for label, row in rows.items():
        claimed = any(name in catalogue() for name in BY_LABEL[label].labels)
        assert (row.missing is None) is claimed
        assert claimed or row.words.startswith("not covered: ")
    uncovered = [s.label for s in STATEMENTS if s.numbered and not s.covered(catalogue())]
    covered = 22 - len(uncovered)
    assert coverage_sentence().startswith("All 22" if covered == 22 else f"{covered} of the 22")
    more = dict(catalogue()) | {label: find("col:finite") for label in uncovered}
    monkeypatch.setattr(catalogue_room, "index", lambda: more)
    assert coverage_sentence().startswith("All 22 numbered statements")
    fewer = {label: claim for label, claim in more.items() if label not in ("lem:VE", "col:convex_raw")}
    monkeypatch.setattr(catalogue_room, "index", lambda: fewer)
    assert coverage_sentence().startswith(
        "20 of the 22 numbered statements (1 theorem, 6 corollaries, 15 lemmas)"
    )


def test_what_it_rests_on_is_named_only_while_that_is_not_covered():
    corollary = BY_LABEL["col:convex_raw"]
    assert "rests on lem:error_decompose and lem:rademacher" in corollary.reason(())
    assert "rests on lem:rademacher," in corollary.reason(("lem:error_decompose",))
    assert "rests on" not in corollary.reason(("lem:error_decompose", "lem:rademacher"))
    assert corollary.covered(("col:convex_raw_full",))


@pytest.mark.fedigw
def test_list_shows_every_label_of_the_paper(capsys):
    rows = {row["label"]: row for row in answered(capsys, "list")}
    assert {s.label for s in STATEMENTS} <= rows.keys()
    assert set(catalogue()) <= rows.keys()
    for row in rows.values():
        assert row["covered"] is (row["missing"] is None) is bool(row["verdicts"])
    assert rows["thm:global_regret"]["number"] == "Theorem 4.1"
    assert rows["thm:global_regret"]["verdicts"]["sharpened"] == {"verdict": "proved", "by": "coq"}
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    numbered = [s for s in STATEMENTS if s.numbered]
    assert len(numbered) == 22
    assert all(any(line.startswith(f"{s.number}  ") for line in lines) for s in numbered)
    assert len(lines) < 32
    assert max(map(len, lines)) <= 100
    assert main(["list", "--all"]) == 0
    printed = capsys.readouterr().out
    assert coverage_sentence() in printed
    for row in rows.values():
        line = next(line for line in printed.splitlines() if line.startswith(row["label"] + " "))
        assert row["covered"] or f"NOT COVERED: {row['missing']}" in line


@pytest.mark.fedigw
@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("Theorem 4.1", "thm:global_regret"),
        ("theorem C.6", "thm:global_regret"),
        ("Thm. 4.1", "thm:global_regret"),
        ("Corollary 4.2", "col:finite"),
        ("Corollary D.3", "col:finite"),
        ("Corollary D.8", "col:linear"),
        ("cor E.2", "col:linear_per"),
        ("Lemma C.10", "lem:V_upper"),
        ("Lemma D.2", "lem:finite_error"),
        ("Remark 4.5", "rmk:linear"),
        ("Remark 6.3", "rmk:linear_per"),
        ("Table 4", "tab:linear"),
        ("E6", "erratum:E6"),
        ("erratum:E6", "erratum:E6"),
    ],
)
def test_names_in_print(name, label):
    """ "Corollary 4.2" was answered with col:linear."""
    assert find(name).label == label


@pytest.mark.parametrize("label", [s.label for s in STATEMENTS])
def test_a_label_without_a_claim_is_refused_with_the_reason(label):
    """lem:FedAvg_complete was answered with lem:loss_decompose."""
    statement = BY_LABEL[label]
    if statement.covered(catalogue()):
        for number in statement.numbers:
            assert label_of(number) in statement.labels
        return
    for name in (*statement.labels, *statement.numbers):
        with pytest.raises(InputError) as caught:
            find(name)
        message = str(caught.value)
        assert "is not covered: " + statement.reason(catalogue()) in message
        assert "did you mean" not in message


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Corollary 4.1", "that is Theorem 4.1, thm:global_regret"),
        ("Theorem 9.9", "the paper has Theorem 4.1"),
        pytest.param("E99", "no such erratum; known: erratum:E1", marks=pytest.mark.fedigw),
        pytest.param("erratum:E99", "no such erratum; known: erratum:E1", marks=pytest.mark.fedigw),
        ("col:fnite", "did you mean 'col:finite'"),
        ("lem:FedAvg_complet", "did you mean 'lem:FedAvg_complete'"),
    ],
)
def test_names_of_nothing(name, words, capsys):
    for command in (["run", name], ["bound", name, "--variant", "printed"], ["show", name]):
        refused(capsys, command, words)


def test_show_says_what_is_not_covered(capsys):
    for label in LABELS:
        assert main(["show", label]) == 0
        printed = capsys.readouterr().out
        assert label in printed
        assert BY_LABEL[label].number in printed
        assert BY_LABEL[label].covered(catalogue()) or "not covered: " in printed


@pytest.mark.parametrize(
    ("words", "variant", "cautions"),
    [
        ("col:finite --variant printed --set M=1 K=2 T=8 F=9", "printed", "NO GUARANTEE"),
        ("col:finite --variant best --set M=1 K=2 T=8 F=9", "best", ""),
        ("col:linear --variant sharpened --set M=1 K=2 T=8 d=9", "sharpened", "not proved"),
        ("thm:global_regret --variant repaired --set M=1 K=2 T=8 A=9", "repaired", ""),
    ],
)
def test_a_bound_carries_its_verdict(words, variant, cautions, capsys):
    label = words.partition(" ")[0]
    document = answered(capsys, "bound", *words.split())
    assert {k: document[k] for k in FIELDS if k in document} == recorded()["verdicts"][label][variant]
    assert "recorded campaign" in document["verdict_source"]
    assert main(["bound", *words.split()]) == 0
    line = next(x for x in capsys.readouterr().out.splitlines() if x.startswith("  verdict "))
    assert document["verdict"] in line
    proved = document["verdict"] == "proved"
    assert proved is not bool(re.search("NO GUARANTEE|[Nn][Oo][Tt] [Pp]", line))
    assert proved or cautions in line


def test_a_number_carries_the_verdict_of_the_checks_that_bear_on_it(capsys):
    words = "bound col:finite --variant repaired --quantity calls --set M=1 K=2 T=8 F=9"
    document = answered(capsys, *words.split())
    assert {k: document[k] for k in FIELDS if k in document} == recorded()["verdicts"]["col:finite"]["calls"]
    assert of_number("col:linear", "best", "numbers", "agd").verdict is Verdict.EXACT
    assert of_number("col:linear", "best", "calls", "chebyshev").verdict is Verdict.COQ  # the schedule's


@pytest.mark.parametrize(
    "key",
    [
        ("col:finite", "repaired", "calls_", None),
        ("col:finite", "repaired", "best", None),  # named like a variant of the claim
        ("col:finite", "repaired", "bits", "exact_minimiser"),
        ("col:linear", "printed", "numbers", "direct"),  # refuted is the regret, and AGD's count
        ("col:linear", "repaired", "numbers", "chebyshev"),
        ("col:linear_per", "printed", "regret", None),
        ("thm:global_regret", "printed", "calls", None),
        ("nowhere", "best", "regret", None),
    ],
)
def test_a_number_that_no_check_bears_on_is_undecided(key):
    assert of_number(*key).verdict is Verdict.UNDECIDED


@pytest.mark.fedigw
def test_the_recorded_keys_are_those_that_the_claims_declare():
    found = declared(catalogue())
    assert {name: recorded()[name] for name in found} == found
    for label, keys in found["keys"].items():
        assert set(keys.values()) <= set(recorded()["verdicts"][label])


@pytest.mark.fedigw
def test_one_number_has_one_verdict():
    claim = find("col:finite")
    twice = dict(claim.variants) | {"calls": replace(claim.variants["calls"], covers=(("best", "regret"),))}
    assert "two variants cover best regret" in str(inconsistency(replace(claim, variants=twice)))


@pytest.mark.fedigw
def test_a_variant_that_no_campaign_ran_is_undecided(monkeypatch):
    record = dict(recorded()) | {"verdicts": {}}
    monkeypatch.setattr("verify.recorded.record", lambda: record)
    known = of_variant(find("col:finite"), "printed")
    assert known.verdict is Verdict.UNDECIDED
    assert known.source.startswith("no campaign that ran it is recorded")


@pytest.mark.fedigw
def test_the_record_of_claims_is_what_they_say():
    assert catalogue_room.RECORD.read_text() == catalogue_room.record(), "run `python -m verify.catalogue`"
    assert list(index()) == list(catalogue())
