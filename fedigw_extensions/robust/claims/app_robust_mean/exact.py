"""Compute in exact rational numbers how far the worst messages move each robust aggregation rule (app:robust_mean)."""

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt

from fedigw_extensions.robust.attacks.witness import Point, worst_messages
from fedigw_extensions.robust.bounds import app_robust_mean as formulas
from verify.claim import Evidence, Task, Verdict

CONTROL = Fraction(99, 100)
CONTROL_ABOVE = Fraction(101, 100)
CONSTANTS = dict(
    trimmed_mean=formulas.least, median=formulas.median, geometric_median=formulas.geometric_median
)


def aggregate(rule: str, messages: Sequence[Point], lying: int) -> Point:
    """Return the value of an aggregation rule in Fractions; the trimmed mean cuts `lying` values at each end. The
    geometric median is found only if it is one of the messages."""
    if rule == "geometric_median":
        return next(point for point in messages if _is_geometric_median(point, messages))
    columns = [sorted(column) for column in zip(*messages, strict=True)]
    if rule == "trimmed_mean":
        kept = [column[lying : len(column) - lying] for column in columns]
        return tuple(sum(column, Fraction(0)) / len(column) for column in kept)
    return tuple((c[(len(c) - 1) // 2] + c[len(c) // 2]) / 2 for c in columns)


def _is_geometric_median(point: Point, messages: Sequence[Point]) -> bool:
    pull, held = [Fraction(0)] * len(point), 0
    for message in messages:
        away = [a - b for a, b in zip(message, point, strict=True)]
        squared = sum((x * x for x in away), Fraction(0))
        if not squared:
            held += 1
            continue
        length = root(squared)
        if length is None:
            return False
        pull = [p + x / length for p, x in zip(pull, away, strict=True)]
    return sum(p * p for p in pull) < held * held


def root(square: Fraction) -> Fraction | None:
    up, down = isqrt(square.numerator), isqrt(square.denominator)
    return Fraction(up, down) if (up * up, down * down) == (square.numerator, square.denominator) else None


def ratio(rule: str, honest: Sequence[Point], lies: Sequence[Point]) -> Fraction:
    found = aggregate(rule, [*honest, *lies], len(lies))
    centre = [sum(column) / len(honest) for column in zip(*honest, strict=True)]
    variance = sum((x - z) ** 2 for p in honest for x, z in zip(p, centre, strict=True)) / len(honest)
    return Fraction(sum((a - z) ** 2 for a, z in zip(found, centre, strict=True)) / variance)


def witnesses(task: Task, rule: str, share: Fraction = Fraction(1)) -> Evidence:
    """Compute in exact rational numbers how far the worst messages move a rule, for all 30 pairs of M <= 12 agents
    and f < M/2 liars. Control, which must fail: a constant 1 % smaller."""
    # they reach the constant to four digits without exceeding it; except for the geometric median, all messages in
    # which honest agents and liars send two values each are tried as well
    reached, splits = {}, 0
    for agents, lying in formulas.PAIRS:
        constant = CONSTANTS[rule](agents, lying)
        assert constant is not None
        honest, lies = worst_messages(rule, agents, lying)
        found = {f"M = {agents}, f = {lying}": ratio(rule, honest, lies)}
        if rule != "geometric_median":
            found |= _splits(rule, agents, lying)
            splits += len(found) - 1
        for where, value in found.items():
            if value > share * constant:
                figures = {"ratio": str(value), "constant": str(constant), "messages": str((honest, lies))}
                said = f"{where}: {float(value):.6g} honest variances, claimed {float(share * constant):.6g}"
                return Evidence(Verdict.REFUTED, said, figures)
        reached[f"{agents},{lying}"] = float(next(iter(found.values())) / constant)
    least = min(reached.values())
    said = f"30 pairs reach the constant: at least {least:.7f} of it, none exceeds it"
    said += f"; nor do {splits} two-valued messages" if splits else ""
    kind = Verdict.EXACT if least > 0.9999 else Verdict.REFUTED
    return Evidence(kind, said, {"reached": reached, "two_valued": splits})


def _splits(rule: str, agents: int, lying: int) -> dict[str, Fraction]:
    zero, one, high, low = ((Fraction(x),) for x in (0, 1, 2, -1))
    return {
        f"M = {agents}, f = {lying}, {j} honest at 1, {i} lies above": ratio(
            rule, [one] * j + [zero] * (agents - lying - j), [high] * i + [low] * (lying - i)
        )
        for j in range(1, agents - lying)
        for i in range(lying + 1)
    }


def _moments(values: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    mean = sum(values, Fraction(0)) / len(values)
    return mean, sum(((x - mean) ** 2 for x in values), Fraction(0)) / len(values)


def every_rule(task: Task, share: Fraction = Fraction(1)) -> Evidence:
    """Show, by messages that fit two sets of honest agents, that no aggregation rule has a smaller constant than the
    trimmed mean. Control, which must fail: a larger lower bound."""
    # f messages are 1 and M-f are 0: if the zeros are honest, their variance 0 forces the value 0; if the ones are
    # honest too, 0 is f/(M-2f) variances away from their mean
    for agents, lying in formulas.PAIRS:
        claimed = formulas.least(agents, lying)
        assert claimed is not None
        messages = [Fraction(1)] * lying + [Fraction(0)] * (agents - lying)
        forced, none = _moments(messages[lying:])
        assert none == 0
        centre, variance = _moments(messages[: agents - lying])
        needed = (forced - centre) ** 2 / variance  # what this pair of worlds proves
        if needed < share * claimed:
            return Evidence(
                Verdict.REFUTED,
                f"M = {agents}, f = {lying}: these force {float(needed):.6g}, less than {float(share * claimed):.6g}",
                {"constant": str(needed)},
            )
    return Evidence(Verdict.EXACT, "30 pairs: two honest sets behind the same messages force f/(M-2f)", {})
