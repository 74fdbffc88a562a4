"""Evidence by Coq: what it accepts, and every way in which it must fall back by name."""

import re
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
import sympy
from proof_sources import copy_of_proofs, statement

from bounds import lem_epoch_regret_bound
from bounds.best import constant as best_constant
from verify.catalogue import catalogue
from verify.claim import SAME, Verdict
from verify.formal import coq, coq_evidence, record
from verify.formal import statements as formal
from verify.formal.statements import PROOFS, statements
from verify.pages import formal as formal_page
from verify.paper import is_label


@pytest.fixture
def unchanged(monkeypatch):
    """A copy of the record that a test may falsify; the campaign's evidence then rests on it."""
    word = deepcopy(record.recorded())
    vars(word.answers).pop("numbers", None)  # computed from the definitions that the test falsifies
    monkeypatch.setattr(coq_evidence, "recorded", lambda *_: word)
    monkeypatch.setattr(coq_evidence, "known_evidence", coq_evidence.evidence)  # not as remembered
    return word.answers


# --- statements.toml ------------------------------------------------------------------------------------------------


def test_every_statement_is_well_formed():
    for s in statements():
        assert is_label(s.label), s.label
        assert s.same in SAME
        assert s.file in formal.files()
        found = formal.source_statement(s)
        assert found is not None, s.theorem
        assert found[0], f"{s.theorem} has no comment above it"
        assert not s.refutes or s.repair in record.recorded().answers.statements


def test_nothing_is_admitted():
    for name in formal.files():
        text = re.sub(r"\(\*.*?\*\)", "", (PROOFS / name).read_text(), flags=re.DOTALL)
        assert not re.search(r"\b(Admitted|admit|Axiom|Parameter|Conjecture)\b", text), name


def test_the_page_is_up_to_date():
    assert formal_page.PAGE.read_text(encoding="utf-8") == formal_page.render(), "run `make statements`"


@pytest.mark.fedigw
def test_claims_carry_their_coq_checks():
    names = {c.name for c in catalogue()["thm:global_regret"].checks}
    assert {"coq-thm_global_regret_repaired", "coq-thm_global_regret_sharpened"} <= names


# --- the comparisons ------------------------------------------------------------------------------------------------


def test_every_statement_is_confirmed_and_its_controls_refuted():
    """Controls: a false constant or bound given to the same checker, and a Coq that accepts more than was proved."""
    answers = record.recorded().answers
    careless = replace(answers, told_apart=dict.fromkeys(answers.told_apart, False))
    for s in statements():
        found = coq_evidence.evidence(s)
        assert found.kind is (Verdict.REFUTED if s.refutes else Verdict.COQ), found.summary
        # without numbers Coq's own rejection is the control; with numbers a smaller one is compared too
        assert (coq_evidence.falsified(s) is None) == (not s.constants and s.bound is None), s.theorem
        assert coq_evidence.stronger(s, answers).kind is Verdict.REFUTED, s.theorem
        assert coq_evidence.stronger(s, careless).kind is Verdict.COQ, s.theorem


SMALLER = [
    ("Constants.sharpened_constant", "28 * c ^ 2", "27 * c ^ 2", "thm_global_regret_sharpened"),
    ("Constants.repaired_constant", "11 * c ^ 2", "10 * c ^ 2", "thm_global_regret_repaired"),
    ("FiniteRegret.col_finite_constant", "28 * sqrt 2 / 9", "27 * sqrt 2 / 9", "col_finite_sharpened"),
    ("FiniteVariance.sharpened_variance_constant", "4 / 3", "5 / 4", "lem_finite_var_sharpened"),
    ("FiniteError.kappa", "1 / 2", "2 / 3", "lem_finite_error_mean_sharpened"),
    ("BestParameters.best_arms", "85810593538027", "85810593538026", "thm_global_regret_best"),
    ("BestParameters.doubling_risk", "6730457456051523", "6730457456051522", "col_finite_best"),
    ("BestParameters.two_arm_constant", "9 / 4", "8 / 4", "lem_epoch_regret_bound_best_two_arms"),
    ("FiniteExponent.kappa_best", "46368 / 100000", "4637 / 10000", "lem_finite_error_mean_best"),
    ("RobustAggregation.trimmed_kappa", "M - 2 * f", "M - f", "trimmed_mean_robust"),
    ("RobustAggregation.median_kappa", "M - half - 1", "M - half - 2", "median_robust"),
    ("GeometricMedian.geometric_kappa", "M - half - f", "M - half", "geometric_median_robust"),
    ("RidgeDifferentLaws.different_laws_constant", "9 / 4", "2", "ridge_different_laws"),
    ("LinearDifferentLaws.different_constant", "9 / 4", "2", "col_linear_different_best"),
    ("InterleavedDoubling.interleaved_bound", "2 * sqrt 2", "sqrt 2", "interleaved_doubling_best"),
    ("EpsilonGreedyDoubling.epsilon_greedy_bound", "511 / 100", "510 / 100", "epsilon_greedy_doubling"),
    ("HighProbability.likely_risk", "classes - 1", "classes - 2", "finite_high_probability_best"),
    ("AgdCommunication.agd_rounds_bound", "1 + sqrt 2", "sqrt 2", "agd_total_rounds"),
    ("VersionSpace.threshold", "delta) / 2", "delta) / 3", "truth_is_kept"),
    ("Sensitivity.joint_sensitivity_square", "^ 2 / 2", "^ 2 / 3", "joint_sensitivity"),
]


@pytest.mark.parametrize(("definition", "old", "new", "theorem"), SMALLER)
def test_a_changed_constant_in_the_formal_statement_is_refuted(definition, old, new, theorem, unchanged):
    assert old in unchanged.definitions[definition]
    unchanged.definitions[definition] = unchanged.definitions[definition].replace(old, new, 1)
    s = next(s for s in statements() if s.name == theorem)
    found = coq_evidence.evidence(s)
    assert found.kind is Verdict.REFUTED
    assert any(c.name in found.summary for c in s.constants)  # itself, or one that is defined by it


@pytest.mark.parametrize(("definition", "old", "new", "theorem"), SMALLER[::4])
def test_a_changed_constant_in_the_sources_is_refuted_even_without_coq(
    definition, old, new, theorem, tmp_path
):
    folder = copy_of_proofs(tmp_path)
    path = folder / f"{definition.partition('.')[0]}.v"
    name = definition.partition(".")[2]
    text = path.read_text()
    start = text.index(f"Definition {name} ")
    path.write_text(text[:start] + text[start:].replace(old, new, 1))
    s = next(s for s in statements() if s.name == theorem)
    found = coq_evidence.evidence(s, folder)
    assert found.kind is Verdict.REFUTED
    assert any(c.name in found.summary for c in s.constants)


@pytest.mark.parametrize(
    ("module", "function", "theorem"),
    [
        (lem_epoch_regret_bound, "sharpened", "thm_global_regret_sharpened"),
        (lem_epoch_regret_bound, "paper", "thm_global_regret_repaired"),
        (lem_epoch_regret_bound, "sharpened_over_g", "col_finite_sharpened"),
        (best_constant, "of", "thm_global_regret_best"),
        (best_constant, "of", "thm_global_regret_best_asynchronous"),
        (best_constant, "of", "col_finite_best"),
    ],
)
def test_a_changed_symbolic_bound_or_constant_is_refuted(module, function, theorem, unchanged, monkeypatch):
    def smaller(*a: Any, **kw: Any) -> Any:
        found, factor = honest(*a, **kw), sympy.Rational(99, 100)
        return replace(found, arms=found.arms * factor) if module is best_constant else factor * found

    honest = getattr(module, function)
    monkeypatch.setattr(module, function, smaller)
    monkeypatch.setattr(coq_evidence, "symbolic", coq_evidence.symbolic.__wrapped__)  # not as remembered
    found = coq_evidence.evidence(next(s for s in statements() if s.name == theorem))
    assert found.kind is Verdict.REFUTED
    assert f"{module.__name__}:{function}" in found.summary


def test_a_changed_bound_in_the_conclusion_is_refuted(unchanged):
    s = statement("Policies.lem_q_loss_bound_sharpened")
    found = coq_evidence.evidence(replace(s, bound="(K - 2)/gamma"))
    assert found.kind is Verdict.REFUTED
    assert "(K - 2)/gamma" in found.summary


# --- Coq unhappy ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "name"),
    [
        ("Classical_Prop.classic : False", "Classical_Prop.classic"),  # an allowed name for another statement
        ("Cheat.everything : False", "Cheat.everything"),
        ("forever is assumed to be guarded.", "forever is assumed to be guarded."),
        ("evil is positive.", "evil is positive."),
    ],
)
def test_what_is_no_allowed_axiom_is_foreign(entry, name, unchanged):
    s = statement("FiniteRegretBest.col_finite_best")
    unchanged.axioms[s.theorem] = coq.axioms(f"Axioms:\n{entry}\n")
    found = coq_evidence.evidence(s)
    assert found.kind is Verdict.UNDECIDED
    assert f"uses the axiom {name}, not allowed" in found.summary


def test_an_ingredient_carries_no_verdict(unchanged):
    """If the theorem itself is not confirmed, a true number fact about its constant is not evidence for the claim."""
    for fact in ("BestParameters.best_over_g_value", "GlobalRegret.thm_global_regret_best_doubling"):
        assert coq_evidence.run(None, statement(fact)).kind is Verdict.COQ
    unchanged.axioms["GlobalRegret.thm_global_regret_best"] = ["GlobalRegret.cheat : False"]
    for s in (s for s in statements() if (s.label, s.variant) == ("thm:global_regret", "best")):
        found = coq_evidence.run(None, s)
        assert found.kind is Verdict.UNDECIDED, s.theorem


def test_every_variant_has_theorems_that_state_it():
    for s in statements():
        assert s.refutes or formal.stating(s), (s.label, s.variant)


# --- equality -------------------------------------------------------------------------------------------------------

x, y = sympy.symbols("x y", positive=True)


def test_the_right_hand_side():
    text = "forall x : R, (x <= 1) ->\nf (x <= y) <=\n  g (a = b) / 2"
    assert coq_evidence.right_hand_side(text) == "g (a = b) / 2"


def test_equality_sees_both_branches_of_a_maximum():
    K, n, v = sympy.symbols("K n v", positive=True)
    a = sympy.Rational(44, 100)
    honest = sympy.Max(1 - 1 / K, 1 - 2 / K + a)
    assert coq_evidence.equal(honest, sympy.Max(1 - 2 / K + a, 1 - 1 / K))
    for wrong in (
        1 - 2 / K + a,
        sympy.Max(0, 1 - 2 / K + a),
        sympy.Max(1 - sympy.Rational(11, 10) / K, 1 - 2 / K + a),
    ):
        assert not coq_evidence.equal(honest, wrong)
    clipped = sympy.Min(1, v / n)
    assert coq_evidence.equal(clipped, sympy.Min(v / n, 1))
    for wrong in (1, v / n, sympy.Min(1, sympy.Rational(4, 5) * v / n), sympy.Min(2, v / n)):
        assert not coq_evidence.equal(clipped, wrong)


def test_equality_confirms_no_branch_that_no_point_chooses_and_notices_a_last_digit():
    hidden = sympy.Max(x, y - 10**9)
    assert not coq_evidence.equal(hidden, sympy.Max(x, y - 10**9 - 1))
    assert not coq_evidence.equal(hidden, sympy.Max(x, (y**2 - 10**18) / (y + 10**9)))
    assert coq_evidence.equal(hidden, hidden)  # nothing to compare
    assert coq_evidence.equal(x**2 - y**2, (x - y) * (x + y))
    assert not coq_evidence.equal(x, x * (1 + sympy.Rational(1, 10**20)))
