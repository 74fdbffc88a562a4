"""Errata as claims: the printed line refuted by its witness in exact arithmetic, the repair confirmed beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

from finite_class.lemmas.sides import Sides
from finite_class.lemmas.witnesses import Witness
from verify.claim import Check, Claim, Erratum, Evidence, Task, Variant
from verify.formal.scalar_steps import ScalarStep, check_steps, refute_steps
from verify.verdict import Verdict

Make = Callable[[], Witness]

# Numbers of errata that have no claim here, each with its reason, so that the numbering has no unexplained hole.
RESERVED: dict[int, str] = {}


def judged(task: Task, make: Make, repaired: bool, label: str) -> Evidence:
    """Refuted if the inequality fails at the witness, exact if it holds there."""
    witness = make()
    sides, line = (
        (witness.repaired, witness.repaired_line) if repaired else (witness.printed, witness.printed_line)
    )
    instance = (repaired and witness.repaired_instance) or witness.instance
    figures = {
        "instance": instance,
        "line": line,
        "left": _short(sides.left),
        "right": _short(sides.right),
        "left_value": float(sides.left),
        "right_value": float(sides.right),
    }
    replay = f"python -m verify run {label}"
    if sides.holds:
        return Evidence(
            Verdict.EXACT, f"{line}: {_numbers(sides, '<=')} at {instance}", figures, replay=replay
        )
    return Evidence(
        Verdict.REFUTED,
        f"{line}: violated, {_numbers(sides, '>')} at {instance}",
        figures,
        replay=replay,
    )


def printed_steps(task: Task, steps: Sequence[ScalarStep]) -> Evidence:
    """Refute every printed step with a counterexample."""
    return refute_steps(steps)


def repaired_steps(task: Task, steps: Sequence[ScalarStep]) -> Evidence:
    """Prove every repaired step for all reals."""
    return check_steps(steps)


def enter(claim: Claim, variant: str, make: Make, label: str, name: str = "") -> None:
    """Enter the witness of an erratum as a check of the claim that it refutes; the repaired line is its control."""
    given = dict(make=make, repaired=False, label=label)
    called = name or make.__name__.replace("_", "-")
    about = f"the witness of {label.replace(':', ' ')} in exact arithmetic; control: the repaired line there"
    claim.check(variant, control=dict(repaired=True), given=given, name=called, about=about)(judged)


def erratum(
    number: int,
    title: str,
    statement: str,
    witnesses: tuple[tuple[str, Make], ...],
    record: Erratum,
    steps: tuple[Sequence[ScalarStep], Sequence[ScalarStep]] | None = None,
) -> Claim:
    """Return the claim erratum:E<number>. steps: (printed steps, repaired steps) where a step of the proof errs."""
    label = f"erratum:E{number}"
    wrong_variant = "printed" if record.printed else "implied"
    checks = []
    for name, make in witnesses:
        printed = partial(judged, make=make, repaired=False, label=label)
        repaired = partial(judged, make=make, repaired=True, label=label)
        checks.append(Check(name, wrong_variant, printed, repaired, "the witness in exact arithmetic"))
        checks.append(Check(f"{name}-repair", "repaired", repaired, printed, "the repair at the witness"))
    if steps is not None:
        refuted = partial(printed_steps, steps=steps[0])
        proved = partial(repaired_steps, steps=steps[1])
        checks.append(Check("step", wrong_variant, refuted, proved, "the printed step, by SMT"))
        checks.append(Check("step-repair", "repaired", proved, refuted, "the repaired step, by SMT"))
    first = witnesses[0][1]()
    return Claim(
        label=label,
        title=title,
        section="Errata",
        statement=statement,
        tags=("erratum", *record.about),
        erratum=record,
        variants={
            wrong_variant: Variant(_text(first.printed_line), (_origin(record),), Verdict.REFUTED),
            "repaired": Variant(_text(first.repaired_line), ("as repaired",), Verdict.EXACT),
        },
        checks=tuple(checks),
        reference=", ".join(record.about),
    )


def _origin(record: Erratum) -> str:
    return "as printed" if record.printed else "not printed: what the text relies on or suggests"


def _text(line: str) -> str:
    escaped = line.replace("_", r"\_").replace("^", r"\^{}")
    return rf"\text{{{escaped}}}"


def _numbers(sides: Sides, relation: str) -> str:
    return f"{float(sides.left):.6g} {relation} {float(sides.right):.6g}"


def _short(value: Fraction) -> str:
    """The fraction itself where a reader can use it; the digits of a huge one are left to the float beside it."""
    return str(value) if value.denominator.bit_length() < 200 else "exact, not shown: too many digits"
