"""The record of Coq's answers: taken as it is, refused when stale or changed, and equal to what Coq answers."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from verify.claim import Task, Verdict
from verify.formal import coq_evidence, definitions, record
from verify.formal.coq import Broken
from verify.formal.statements import PROOFS, Statement, allowed_axioms, statements

needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")
THEOREM = next(s for s in statements() if s.theorem == "Policies.lem_V_upper")
TASK = Task("quick", np.random.SeedSequence(3), 0.01)
STALE = "the record is of other sources; run make proofs"


@pytest.fixture
def proofs(tmp_path):
    return Path(
        shutil.copytree(PROOFS, tmp_path / "proofs", ignore=shutil.ignore_patterns("*.vo*", "*.glob"))
    )


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


# --- a campaign's view: no Coq ----------------------------------------------------------------------------------------


def test_the_record_is_of_these_sources():
    known = record.recorded()
    assert known.sources == record.digest()
    assert set(known.answers.statements) == set(record.asked()[0])
    assert all(known.answers.told_apart.values())


def test_evidence_says_that_it_was_recorded_and_on_what():
    found = coq_evidence.evidence(THEOREM)
    assert found.kind is Verdict.COQ
    sources = record.digest()[:12]
    assert found.summary.endswith(f"recorded, checked on sources {sources}, Coq 8.16.1")
    assert (found.figures["answers"], found.figures["sources"]) == ("recorded", sources)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("Errata.v", "Proof.", "Proof. idtac."),
        ("_CoqProject", "-Q . FedIGW", "-Q . FedIGW\n"),
        ("assumptions.allowed", "Classical_Prop.classic", "Classical_Prop.other"),
        ("statements.toml", 'coq = "8.16"', 'coq = "8.17"'),
        ("statements.toml", 'theorem = "Policies.lem_V_upper"', 'theorem = "Policies.lem_V"'),
    ],
)
def test_a_record_of_other_sources_is_stale(file, old, new, proofs):
    edit(proofs / file, old, new)
    with pytest.raises(record.Unusable, match=STALE):
        record.recorded(proofs)
    if file == "Errata.v":
        found = coq_evidence.evidence(THEOREM, proofs)
        assert (found.kind, found.summary) == (Verdict.UNDECIDED, f"not checked: {STALE}")


def test_a_remark_on_a_statement_makes_nothing_stale(proofs):
    """Which claim a theorem states is compared at every run; only what Coq is asked is in the digest."""
    edit(proofs / "statements.toml", 'why = "contexts are finite"', 'why = "contexts are finite sets"')
    assert record.recorded(proofs).sources == record.digest()


def test_a_stale_record_confirms_nothing_and_has_no_control_to_count(monkeypatch):
    def stale(*_: object) -> record.CoqRecord:
        raise record.Unusable(STALE)

    monkeypatch.setattr(coq_evidence, "recorded", stale)
    monkeypatch.setattr(coq_evidence, "known_evidence", coq_evidence.evidence)  # not as remembered
    for s in statements():
        assert coq_evidence.run(TASK, s).kind is Verdict.UNDECIDED
        # nothing was checked, so there is no control to count: not "there is no such theorem"
        assert not coq_evidence.run(TASK, s).ran
        assert coq_evidence.control(TASK, s).kind is Verdict.UNDECIDED


@pytest.mark.parametrize("part", ["sources", "seal", "axioms", "told_apart", "definitions", "version"])
def test_a_record_changed_by_hand_is_refused(part, proofs):
    path = proofs / record.RECORD
    document = json.loads(path.read_text())
    where = document if part in document else document["answers"]
    where[part] = {"axioms": {}, "told_apart": {}, "definitions": {}}.get(part, "0" * 64)
    path.write_text(json.dumps(document))
    with pytest.raises(record.Unusable, match="was changed by hand; run make statements"):
        record.recorded(proofs)


def test_a_statement_with_one_hypothesis_less_is_refused(proofs):
    """The constants are the same; only the seal tells."""
    edit(proofs / record.TEXT, "== Policies.lem_V_upper\nforall", "== Policies.lem_V_upper\nFalse -> forall")
    assert "changed by hand" in coq_evidence.evidence(THEOREM, proofs).summary


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"seal": 1, "answers": {"more": 1}, "sources": 2}', None])
def test_a_damaged_record_is_one_line(text, proofs):
    (proofs / record.RECORD).unlink()
    if text is not None:
        (proofs / record.RECORD).write_text(text)
    said = "there is no record" if text is None else "record.json cannot be read"
    with pytest.raises(record.Unusable, match=said):
        record.recorded(proofs)


def test_evidence_has_the_same_bytes_with_and_without_coq(tmp_path, monkeypatch):
    """A PATH with a coqc that tells if it is called, and a PATH without any."""
    trap = tmp_path / "bin" / "coqc"
    trap.parent.mkdir()
    trap.write_text(f"#!/bin/sh\necho asked > {tmp_path}/asked\n")
    trap.chmod(0o755)
    answers = []
    for path in (trap.parent, tmp_path / "nothing"):
        monkeypatch.setenv("PATH", str(path))
        assert (shutil.which("coqc") is not None) is (path == trap.parent)
        answers.append(
            [repr((coq_evidence.run(TASK, s), coq_evidence.control(TASK, s))) for s in statements()[::16]]
        )
    assert answers[0] == answers[1]
    assert "Verdict.COQ" in answers[0][0]
    assert not (tmp_path / "asked").exists()


# --- make proofs' view: Coq answers anew ------------------------------------------------------------------------------


def small(folder: Path) -> Path:
    """Three files of the proofs and one statement about them: compiles in seconds."""
    keep = ("FiniteSums.v", "FiniteProbability.v", "FiniteVariance.v")
    (folder / "_CoqProject").write_text("-Q . FedIGW\n" + "\n".join(keep) + "\n")
    entries = (folder / "statements.toml").read_text().split("[[statement]]")
    chosen = [e for e in entries[1:] if "FiniteVariance.lem_finite_var_sharpened" in e]
    (folder / "statements.toml").write_text("[[statement]]".join([entries[0], *chosen]))
    for path in folder.glob("*.v"):
        if path.name not in keep:
            path.unlink()
    return folder


@needs_coq
@pytest.mark.long
def test_a_small_theorem_from_source_to_record_and_back(proofs, tmp_path, capsys, monkeypatch):
    """One compilation serves all of it."""
    folder, build = small(proofs), tmp_path / "build"
    s = statements(folder)[0]
    assert record.main([str(build), str(folder)]) == 1  # the copied record is of other sources
    assert "run make statements" in capsys.readouterr().err

    known = record.recheck(folder, build)
    # accepted as a proof of itself, rejected as one of the strict inequality
    assert known.answers.told_apart == {s.theorem: True}
    assert set(known.answers.axioms[s.theorem]) <= allowed_axioms()
    found = coq_evidence.evidence(s, folder, known)
    assert found.kind is Verdict.COQ, found.summary
    assert "; rechecked on sources " in found.summary

    record.write(known, folder)
    assert coq_evidence.evidence(s, folder).kind is Verdict.COQ
    assert record.main([str(build), str(folder)]) == 0
    assert "the record is what Coq answers: rechecked on sources " in capsys.readouterr().out

    # a record that says something else, sealed as if it were right: only Coq can tell, and does
    axioms = {s.theorem: known.answers.axioms[s.theorem][1:]}
    record.write(replace(known, answers=replace(known.answers, axioms=axioms)), folder)
    assert coq_evidence.evidence(s, folder).kind is Verdict.COQ
    assert record.main([str(build), str(folder)]) == 1
    assert f"axioms of {s.theorem}" in capsys.readouterr().err

    _refused_by_coq(s, folder, build, monkeypatch)


def _refused_by_coq(s: Statement, folder: Path, build: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "FiniteVariance.v"
    honest = path.read_text()
    # a smaller constant: the proof does not go through, and the file is named
    path.write_text(honest.replace("_constant : R := 4 / 3", "_constant : R := 1 / 3"))
    with pytest.raises(Broken, match=r"FiniteVariance\.v does not compile, line "):
        record.recheck(folder, build)
    # an axiom smuggled in: refused before Coq is asked
    cheat = "Axiom convenient : forall x y : R, x <= y.\nSection FiniteVariance."
    path.write_text(
        re.sub(
            r"(Theorem lem_finite_var_sharpened :.*?)Proof using[^.]*\..*?Qed\.",
            r"\1Proof using HD0 HD1 Hp0 Hp1 HR HR01 Hf. apply convenient. Qed.",
            honest.replace("Section FiniteVariance.", cheat, 1),
            flags=re.DOTALL,
        )
    )
    with pytest.raises(Broken, match=r"FiniteVariance\.v admits something: Axiom"):
        record.recheck(folder, build)
    # and if the sources were not searched, Coq's own answer names it
    monkeypatch.setattr(definitions, "unsafe", lambda *_: None)
    found = coq_evidence.evidence(s, folder, record.recheck(folder, build))
    assert found.kind is Verdict.UNDECIDED
    assert re.search(r"uses the axiom (FiniteVariance\.)?convenient, not allowed", found.summary)


@needs_coq
@pytest.mark.long
def test_coq_answers_what_is_recorded():
    known = record.recheck()
    assert record.difference(record.recorded().answers, known.answers) is None
    for s in statements():
        found = coq_evidence.evidence(s, known=known)
        assert found.kind is (Verdict.REFUTED if s.refutes else Verdict.COQ), found.summary
