"""Derive a verdict from numbers: inequalities compared one by one, or a sample compared with a bound on its mean.

A user's check returns the evidence that `at_most` or `mean_at_most` makes from its numbers. The numbers are part of the
evidence and are compared again when the claim is run, so the author cannot choose the verdict.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from verify.claim import Evidence, Task, Verdict
from verify.statistics.measurement import mean_against, within_unit

ROUNDING = 1e-9  # relative, of floating-point cases
MOST = 100_000  # cases, or values of a sample
Case = tuple[Any, Any, str]


def at_most(cases: Iterable[Case], what: str = "value") -> Evidence:
    """Compare cases (left, right, where), which state left <= right, and return the evidence. The verdict is refuted if
    a case fails; the first such case is the witness. Otherwise it is checked: exactly if all sides are int or Fraction,
    else in floating point. where: words for the case. what: words for the left side."""
    listed = [[_plain(left), _plain(right), where] for left, right, where in cases]
    figures: dict[str, Any] = {"cases": listed}
    kind = _of_cases(listed)
    if kind is Verdict.REFUTED:
        left, right, where = next(case for case in listed if not _holds(*case[:2]))
        figures["witness"] = f"{left} > {right} ({where})"
        return Evidence(kind, f"{what} {figures['witness']}", figures)
    figures |= {"instances": len(listed)} if kind is Verdict.EXACT else {}
    ratios = [float(_number(left) / _number(right)) for left, right, _ in listed if _number(right) > 0]
    share = f"{max(ratios):.4g} times the bound" if ratios else "the bound"
    return Evidence(kind, f"{what} at most {share} in {len(listed)} cases", figures)


def mean_at_most(
    sample: Any, largest: float, bound: float, task: Task, what: str = "mean", trivial: float | None = None
) -> Evidence:
    """Test the statement that independent values in [0, largest] have a mean of at most `bound`, and return the
    evidence.

    Two betting tests share the error level of the task; the check must be declared statistical. trivial: a bound on the
    mean that holds without the statement, by default `largest`. If `bound` is not below it, the evidence is vacuous.
    what: words for the mean.
    """
    values = [float(value) for value in np.asarray(sample, dtype=float)]
    figures = {"sample": values, "largest": float(largest), "bound": float(bound)}
    kind = recomputed(figures, task.level) or Verdict.UNDECIDED
    said = f"{what} {np.mean(values):.4g} of {len(values)} values, stated: at most {bound:.4g}"
    vacuous = bool(bound >= min(largest, largest if trivial is None else trivial))
    return Evidence(kind, said, figures, vacuous=vacuous, level=task.level)


def recomputed(figures: Mapping[str, Any], level: float | None) -> Verdict | None:
    """Return the verdict that follows from the numbers in `figures`; None if they do not come from `at_most` or
    `mean_at_most`. level: the error level of a test of a mean; None if no such test is allowed."""
    try:
        if isinstance(cases := figures.get("cases"), Sequence) and 0 < len(cases) <= MOST:
            return _of_cases(cases)
        if level is None or not 0 < len(sample := figures["sample"]) <= MOST:
            return None
        scaled = within_unit(np.asarray(sample, dtype=float), figures["largest"])
        return mean_against(scaled, figures["bound"] / figures["largest"], level)
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        return None


def _of_cases(cases: Sequence[Sequence[Any]]) -> Verdict:
    numbers = [(_number(case[0]), _number(case[1])) for case in cases]
    exact = all(isinstance(number, Fraction) for pair in numbers for number in pair)
    kind = Verdict.EXACT if exact else Verdict.FLOAT
    return kind.unless(not all(_holds(left, right) for left, right in numbers))


def _holds(left: Any, right: Any) -> bool:
    low, high = _number(left), _number(right)
    if isinstance(low, Fraction) and isinstance(high, Fraction):
        return low <= high
    return bool(low <= high + ROUNDING * max(1.0, abs(float(high))))


def _plain(value: Any) -> Any:
    if isinstance(value, (int, np.integer)):
        return int(value)
    return str(value) if isinstance(value, (Fraction, str)) else float(value)


def _number(value: Any) -> Fraction | float:
    if isinstance(value, bool) or not isinstance(value, (int, str, float, Fraction)):
        raise TypeError(f"{value!r:.40} is no number")
    return value if isinstance(value, float) else Fraction(value)
