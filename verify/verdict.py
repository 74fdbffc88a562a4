"""Verdicts, strongest first. Kinds of evidence are never merged into one "pass"."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """What a piece of evidence, or a claim's variant, amounts to."""

    KERNEL = "kernel"
    PROVED = "proved"
    CERTIFIED = "certified"
    EXACT = "exact"
    COMPUTED = "computed"
    SUPPORTED = "supported"
    INCONCLUSIVE = "inconclusive"
    REFUTED = "refuted"

    @property
    def meaning(self) -> str:
        return MEANING[self]

    @property
    def confirms(self) -> bool:
        return self not in (Verdict.INCONCLUSIVE, Verdict.REFUTED)

    @property
    def decided(self) -> bool:
        return self is not Verdict.INCONCLUSIVE

    def unless(self, broken: bool) -> Verdict:
        """Return this verdict, or REFUTED where `broken`."""
        return Verdict.REFUTED if broken else self

    def at_least(self, other: Verdict) -> bool:
        order = list(Verdict)
        return order.index(self) <= order.index(other)


def spoken(verdict: Verdict, vacuous: str, added: bool = False) -> str:
    """Return a verdict as it is shown. vacuous: where the statement says nothing ("on R^d"), "" for one that says
    something. added: whether it is true with a hypothesis that it does not state.

    Such a statement is true, since nothing meets its hypotheses or its bound is infinite, and is never shown as plainly
    true: its evidence is of the emptiness.
    """
    if added and verdict is not Verdict.INCONCLUSIVE:
        return (
            f"true with an added hypothesis ({verdict}{' without it' if verdict is Verdict.REFUTED else ''})"
        )
    return f"vacuous {vacuous} ({verdict})" if vacuous and verdict.confirms else str(verdict)


MEANING = {
    Verdict.KERNEL: "a theorem of a proof kernel, assumptions listed",
    Verdict.PROVED: "for all parameters, symbolically or as scalar inequalities that z3 decides",
    Verdict.CERTIFIED: "by a rational or interval certificate",
    Verdict.EXACT: "in rational arithmetic on the stated instances",
    Verdict.COMPUTED: "deterministically in floating point, at the stated places and tolerance",
    Verdict.SUPPORTED: "by measurement, statistically at the stated level",
    Verdict.INCONCLUSIVE: "not decided by the evidence",
    Verdict.REFUTED: "the statement itself is false: a witness is attached",
}
