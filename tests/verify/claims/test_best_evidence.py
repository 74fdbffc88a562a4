"""Variant best in numbers: every check confirms, every control is refuted, and the corollary's numbers."""

import math
from fractions import Fraction as F

import numpy as np
import pytest

from bounds.best.constant import best
from bounds.best.regret import KAPPA, over_g
from bounds.constants.kappa import certify_kappa
from verify.catalogue import catalogue
from verify.claim import Check, Task
from verify.papers.fedigw.claims.lem_epoch_regret_bound import claim as epoch_regret
from verify.papers.fedigw.claims.lem_finite_error import claim as finite_error
from verify.papers.fedigw.claims.lem_finite_error import kappa
from verify.verdict import Verdict

TASK = Task("quick", np.random.SeedSequence(3), 0.01)


CHECKS = [c for c in (*epoch_regret.checks, *finite_error.checks) if c.name.startswith("best-")]


@pytest.mark.parametrize("check", CHECKS, ids=lambda c: c.name)
def test_check_confirms_and_its_control_is_refuted(check: Check) -> None:
    assert check.run(TASK).kind.confirms
    assert check.control(TASK).kind is Verdict.REFUTED


def test_the_kernel_carries_the_variant() -> None:
    """Its proof is in Coq alone: every claim of the paper with a variant best expects the kernel's word for it."""
    claims = [
        claim
        for label, claim in catalogue().items()
        if "best" in claim.variants and not label.startswith(("own:", "app:"))
    ]
    assert len(claims) >= 5
    for claim in claims:
        assert claim.variants["best"].expects is Verdict.KERNEL
        carrying = [c for c in claim.checks if c.variant == "best" and c.name.startswith("kernel-")]
        assert any(c.run(TASK).kind is Verdict.KERNEL for c in carrying), claim.label


def test_kappa_evidence() -> None:
    assert certify_kappa(KAPPA, F(104, 100)).proved
    assert kappa(TASK).kind is Verdict.CERTIFIED
    assert kappa(TASK, F("0.4638")).kind is Verdict.REFUTED


def test_leading_constant_of_the_corollary() -> None:
    # 18.56 with kappa 0.4631, 18.542 with 0.46368; the sharpened variant has 23.95.
    limit = over_g(10**12, doubling=True) * (2 + math.sqrt(2))
    assert limit / math.sqrt(0.4631) == pytest.approx(18.56, abs=0.01)
    assert limit / math.sqrt(KAPPA) == pytest.approx(18.542, abs=1e-3)


def test_multiplier_attains_the_constant() -> None:
    for arms in (2, 3, 50):
        for doubling in (False, True):
            c = best(arms, doubling=doubling)
            g = math.sqrt(c.best_multiplier_squared)
            assert (float(c.arms) + float(c.risk) * g * g) / g == pytest.approx(
                over_g(arms, doubling=doubling)
            )
