"""The hypotheses of a formal statement are those of its claim: both sides in one vocabulary, compared mechanically."""

from dataclasses import replace

import numpy as np
import pytest

from verify.catalogue import catalogue
from verify.claim import Task, Verdict
from verify.formal import coq_evidence, hypotheses
from verify.formal.record import recorded
from verify.formal.statements import Statement, statements

CLAIMS = catalogue()
COMPARED = [s for s in statements() if s.hypotheses is not None and s.label in CLAIMS]


def named(theorem: str, variant: str) -> Statement:
    return next(s for s in statements() if (s.theorem, s.variant) == (theorem, variant))


def claimed(statement: Statement) -> tuple[str, ...]:
    return CLAIMS[statement.label].variants[statement.variant].hypotheses


def identify(statement: Statement) -> str:
    return f"{statement.theorem}-{statement.variant}"


@pytest.mark.parametrize("statement", COMPARED, ids=identify)
def test_the_list_is_what_coq_prints_and_what_the_claim_says(statement):
    printed = recorded().answers.statements[statement.theorem]
    assert frozenset(statement.hypotheses or ()) == hypotheses.of_coq(printed)
    assert hypotheses.disagreement(statement, claimed(statement)) is None


def test_every_theorem_of_the_paper_has_a_list():
    assert not [
        s.theorem
        for s in statements()
        if s.label.startswith(("lem:", "thm:", "col:")) and s.hypotheses is None
    ]


@pytest.mark.parametrize("statement", [s for s in COMPARED if s.same == "yes" and s.hypotheses], ids=identify)
def test_a_tag_removed_is_noticed_on_either_side(statement):
    """Negative control: drop each tag from the list, then each hypothesis from the claim."""
    answers = recorded().answers
    for tag in statement.hypotheses or ():
        left = tuple(t for t in statement.hypotheses or () if t != tag)
        with pytest.raises(coq_evidence.Differs, match="not listed"):
            coq_evidence.compare_coq(replace(statement, hypotheses=left), answers, coq_evidence.PROOFS)
    for line in claimed(statement):
        if needed := hypotheses.of_claim([line]) & frozenset(statement.hypotheses or ()):
            without = [other for other in claimed(statement) if not hypotheses.of_claim([other]) & needed]
            assert hypotheses.relation(statement, without) == "weaker"


@pytest.mark.fedigw
def test_a_theorem_under_other_hypotheses_carries_no_verdict():
    statement = named("FiniteRegret.col_finite_sharpened", "sharpened")
    task = Task("quick", np.random.SeedSequence(0))
    assert coq_evidence.run(task, statement, claimed(statement)).kind is Verdict.COQ
    unclipped = [line.replace("min(1, ln|F|/(kappa n))", "ln|F|/(kappa n)") for line in claimed(statement)]
    found = coq_evidence.run(task, statement, unclipped)
    assert found.kind is Verdict.UNDECIDED
    assert "the theorem has 'rate from the clipped risk'" in found.summary


@pytest.mark.fedigw
def test_an_added_hypothesis_makes_a_claim_weaker_than_its_theorem():
    statement = named("GlobalRegret.thm_global_regret_sharpened", "sharpened")
    assert hypotheses.relation(statement, [*claimed(statement), "agents in step"]) == "stronger"


def test_the_cases_of_a_variant_are_complete():
    """Theorems for three arms or more need one for two, AGD needs the direct method, unless one has no case."""
    for statement in (s for s in COMPARED if s.same == "yes"):
        key = (statement.label, statement.variant, "yes")
        alike = [frozenset(s.hypotheses or ()) for s in COMPARED if (s.label, s.variant, s.same) == key]
        for name in {h.case for h in hypotheses.vocabulary() if h.case}:
            tags = frozenset(h.tag for h in hypotheses.vocabulary() if h.case == name)
            assert any(not listed & tags for listed in alike) or tags <= frozenset().union(*alike), key


def test_any_kernel_means_any_kernel():
    """lem:finite_error names no inverse gap weighting: its samples come from a kernel that is a variable."""
    for statement in (s for s in statements() if s.label == "lem:finite_error" and s.same == "yes"):
        printed = recorded().answers.statements[statement.theorem]
        assert "igw" not in printed
        assert "(p : nat -> nat -> nat -> R)" in " ".join(printed.split())
