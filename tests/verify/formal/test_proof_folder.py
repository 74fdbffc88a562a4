"""A Coq that is missing or another one, and folders of proofs that could prove anything: refused by name."""

import re
import stat
from pathlib import Path

import pytest
from proof_sources import copy_of_proofs, statement

from verify.formal import coq, coq_evidence, definitions, record, statements
from verify.verdict import Verdict


def fake_coqc(tmp_path: Path, version: str) -> str:
    path = tmp_path / "coqc"
    path.write_text(f"#!/bin/sh\necho 'The Coq Proof Assistant, version {version}'\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_a_coq_that_is_missing_or_another_is_not_asked(tmp_path):
    with pytest.raises(coq.NotHere, match="no-such-coqc is not installed"):
        record.recheck(build=tmp_path, coqc="no-such-coqc")
    with pytest.raises(coq.NotHere, match=r"Coq 8\.20\.0 is here, the proofs are written for 8\.16"):
        record.recheck(build=tmp_path, coqc=fake_coqc(tmp_path, "8.20.0"))


def test_the_right_series_is_accepted_and_others_are_not():
    for version in ("8.16", "8.16.1", "8.16+rc1"):
        coq.require_series(version, "8.16")
    for version in ("8.1", "8.160", "8.17.0", "9.0"):
        with pytest.raises(coq.NotHere, match=re.escape(version)):
            coq.require_series(version, "8.16")


def test_print_assumptions_is_read_whole():
    printed = """
Axioms:
ClassicalDedekindReals.sig_not_dec : forall P : Prop, {~ ~ P} + {~ P}
ClassicalDedekindReals.sig_forall_dec
  : forall P : nat -> Prop,
    (forall n : nat, {P n} + {~ P n}) -> {n : nat | ~ P n} + {forall n : nat, P n}
cheat : False
"""
    found = coq.axioms(printed)
    assert [entry.partition(" : ")[0] for entry in found] == [
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "cheat",
    ]
    assert set(found) - statements.allowed_axioms() == {"cheat : False"}
    assert coq.axioms("Closed under the global context\n") == []
    with pytest.raises(coq.Broken):
        coq.axioms("something else")


CHEATS = {
    "an axiom": ("GlobalRegret.v", "Section GlobalRegret.", "Axiom cheat : False.\nSection GlobalRegret."),
    "a hypothesis outside sections": (
        "GlobalRegret.v",
        "Section GlobalRegret.",
        "Hypothesis cheat : forall x y : R, x <= y.\nSection GlobalRegret.",
    ),
    "a check switched off": (
        "TwoArms.v",
        "Section TwoArms.",
        "Unset Guard Checking.\nFixpoint forever (n : nat) : False := forever n.\nSection TwoArms.",
    ),
    "a flag": ("_CoqProject", "-Q . FedIGW", "-Q . FedIGW\n-arg -type-in-type"),
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_files_that_could_prove_anything_are_refused(cheat, tmp_path):
    folder = copy_of_proofs(tmp_path)
    name, old, new = CHEATS[cheat]
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1))
    reason = definitions.unsafe(folder)
    assert reason.startswith(name)
    with pytest.raises(coq.Broken, match=re.escape(reason)):  # Coq is not even asked
        record.recheck(folder, tmp_path / "build")
    found = coq_evidence.evidence(statement("GlobalRegret.thm_global_regret_best"), folder)
    assert found.kind is Verdict.UNDECIDED
    assert reason in found.summary


def test_a_file_with_the_name_of_a_standard_library_is_refused(tmp_path):
    folder = copy_of_proofs(tmp_path)
    (folder / "Classical_Prop.v").write_text("Definition classic := True.\n")
    project = folder / "_CoqProject"
    project.write_text(project.read_text() + "Classical_Prop.v\n")
    assert definitions.unsafe(folder) == "Classical_Prop.v has the name of a standard library with an axiom"
    assert definitions.unsafe() is None


CHANGED = [
    ("FiniteRegretBest.v", "Definition best_Reg_T (g : R) : R :=", "Definition best_Reg_T (g : R) : R := Rmin 0",
     "FiniteRegretBest.col_finite_best"),
    ("Setting.v", "Hrbar : 0 <= rbar;", "Hrbar : 0 <= rbar; Hmore : 0 < g;", "BestRegret.lem_epoch_regret_bound_best"),
    ("FiniteSums.v", "| S k => sum k f + f k end.", "| S k => sum k f end.", "Policies.lem_V_upper"),
    ("DoublingSchedule.v", "Nat.log2_up T", "Nat.log2 T", "FiniteRegret.col_finite_sharpened"),
    ("BestParameters.v", "E12 : transferred p <= 1 / 2", "E12 : transferred p <= 0", "PathwiseClaim.pathwise_claim"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "theorem"), CHANGED)
def test_a_changed_definition_behind_a_statement_is_refuted(file, old, new, theorem, tmp_path):
    """The statement reads the same; what its words mean does not."""
    folder = copy_of_proofs(tmp_path)
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))
    s = statement(theorem)
    with pytest.raises(coq_evidence.Differs, match=r"definitions\.txt"):
        coq_evidence.compare_coq(s, record.recorded().answers, folder)


def test_a_second_definition_of_a_name_is_noticed(tmp_path):
    folder = copy_of_proofs(tmp_path)
    (folder / "Errata.v").write_text(
        (folder / "Errata.v").read_text() + "\nDefinition best_Reg_T (g : R) : R := 0.\n"
    )
    printed = record.recorded().answers.statements["FiniteRegretBest.col_finite_best"]
    assert definitions.changed(printed, folder) == "Errata.best_Reg_T"
