"""Proofs in a paper's folder: z3 and Coq are asked again, and their answers compared with the record."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from fedigw.outside import digest
from verify import own_claims
from verify.claim import PROOF_FILE, Evidence
from verify.formal import proof_files
from verify.verdict import Verdict

TRUE = """(set-logic QF_NRA)
(declare-const x Real)
(assert (< (+ (* x x) 1) (* 2 x)))
(check-sat)
"""
COQ = """Require Import Reals Psatz.
Open Scope R_scope.
Theorem square : forall x : R, x * x + 1 >= 2 * x.
Proof. intro x. pose proof (Rle_0_sqr (x - 1)) as H. unfold Rsqr in H. lra. Qed.
Axiom magic : 1 < 0.
Theorem by_magic : 1 < 0. Proof. exact magic. Qed.
"""
FILES = {
    "square.smt2": TRUE,
    "false.smt2": TRUE.replace("2 x", "3 x"),
    "comments.smt2": "; one\n\n" + TRUE.replace("Real)", "Real) ; any"),
    "nothing.smt2": TRUE.replace("(assert", "(assert (< x x))\n(assert"),
    "strange.smt2": TRUE + "(get-model)\n",
    "square.lean": "theorem square (x : Int) : x * x + 1 >= 2 * x := by nlinarith\n",
    "broken.v": "Theorem x : False. Proof. exact I. Qed.\n",
    "square.v": COQ,
}
needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed")


@pytest.fixture(autouse=True)
def proofs(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(proof_files, "PROOFS", tmp_path)
    monkeypatch.setattr(proof_files, "RECORD", tmp_path / "record.json")
    return tmp_path


def found(*given: Any) -> Evidence:
    return own_claims.received(proof_files.proof(*given), False)


def recorded(proofs: Path, **rows: str) -> None:
    """Write a record; a name has _ for its dot, and _of_ before a theorem."""
    named = {key.replace("_of_", ":").replace("_", ".", 1): answer for key, answer in rows.items()}
    made = {
        k: {"digest": digest(proofs / k.partition(":")[0]), "answer": a, "by": "X 1"}
        for k, a in named.items()
    }
    (proofs / "record.json").write_text(json.dumps(made))


@pytest.mark.parametrize(
    ("file", "verdict", "said"),
    [
        ("square.smt2", Verdict.Z3, "answers unsat"),
        ("comments.smt2", Verdict.Z3, "answers unsat"),
        ("false.smt2", Verdict.REFUTED, "answers sat"),
        ("nothing.smt2", Verdict.UNDECIDED, "assumptions contradict each other"),
        ("strange.smt2", Verdict.UNDECIDED, "not of real arithmetic"),
        ("square.lean", Verdict.UNDECIDED, "Lean is not run here; no answer is recorded for digest"),
        ("absent.smt2", Verdict.UNDECIDED, "there is no proofs/absent.smt2"),
        ("../square.smt2", Verdict.UNDECIDED, "must be the name of a .smt2, .v or .lean file"),
        ("square.txt", Verdict.UNDECIDED, "must be the name of a .smt2, .v or .lean file"),
    ],
)
def test_what_a_file_proves(file, verdict, said):
    evidence = found(file)
    assert (evidence.kind, evidence.figures.get("asserted", False)) == (verdict, verdict is Verdict.UNDECIDED)
    assert said in evidence.summary
    assert evidence.ran is ("Lean" not in said), "Lean is not asked, so no control can fail"


@pytest.mark.parametrize(
    "given", [None, 3, [], {"file": "square.smt2"}, {"file": 1, "theorem": 2, "stronger": 3}]
)
def test_a_figure_that_names_no_file(given):
    """A check runs in a process of its own and may return any figures."""
    assert own_claims.received(Evidence(Verdict.Z3, "", {PROOF_FILE: given}), False).kind is Verdict.UNDECIDED


def test_an_answer_is_compared_with_the_record(proofs):
    recorded(proofs, square_smt2="sat")
    assert "answers unsat, and sat is recorded for the same file" in found("square.smt2").summary
    assert found("square.smt2").kind is Verdict.UNDECIDED
    (proofs / "square.smt2").write_text(TRUE + "\n")  # the record is of another text
    assert found("square.smt2").kind is Verdict.Z3
    (proofs / "record.json").write_text('{"square.smt2": 1}')
    assert "record.json is damaged" in found("square.smt2").summary


def test_a_campaign_writes_the_record_and_keeps_the_rows_about_lean(proofs):
    recorded(proofs, square_lean="no errors", false_smt2="unsat")
    checks = [
        {"evidence": {"figures": dict(found(file).figures)}} for file in ("square.smt2", "strange.smt2")
    ]
    proof_files.record({"claims": [{"variants": [{"checks": checks}]}]})
    rows = json.loads((proofs / "record.json").read_text())
    assert sorted(rows) == ["square.lean", "square.smt2"]
    assert rows["square.smt2"]["answer"] == "unsat"
    assert "recorded for this file: X 1 answers no errors" in found("square.lean").summary
    (proofs / "square.lean").write_text("-- another\n")
    assert "the record is of another file" in found("square.lean").summary


@needs_coq
def test_coq_is_asked(proofs):
    square, magic = found("square.v", "square"), found("square.v", "by_magic")
    assert square.kind is Verdict.COQ
    assert "forall x : R, (x * x + 1 >= 2 * x)%R" in square.summary
    assert found("square.v", "square", True).kind is Verdict.REFUTED, "its negative control"
    assert "by_magic assumes square.magic : (1 < 0)%R" in magic.summary
    assert magic.kind is Verdict.UNDECIDED
    assert "broken.v does not compile, line 1" in found("broken.v", "x").summary
    assert found("square.v", "square. Admitted").kind is Verdict.UNDECIDED
    recorded(proofs, square_v_of_square="True")
    assert "True is recorded for the same file" in found("square.v", "square").summary


def test_without_coq_the_record_is_the_authors_word(proofs, monkeypatch):
    monkeypatch.setenv("PATH", str(proofs))
    proof_files._coq.cache_clear()
    recorded(proofs, square_v_of_square="forall x")
    evidence = found("square.v", "square")
    assert (evidence.kind, evidence.figures["asserted"], evidence.ran) == (Verdict.UNDECIDED, True, False)
    assert "coqc is not installed" in evidence.summary
    assert "recorded for this file: X 1 answers forall x" in evidence.summary
