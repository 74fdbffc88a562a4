"""Make claims about errors in the paper ("errata") and remarks. Each has a witness: an instance at which, in exact
arithmetic, the printed line is false and the repaired one true.

The commands `show` and `run` print the witness as a calculation that can be followed by hand.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from finite_class.lemmas.sides import Sides
from finite_class.lemmas.witnesses import Witness
from verify.claim import Claim, Erratum, Evidence, Task, Variant, Verdict
from verify.claim import Severity as Severity  # the files of errata import it from here
from verify.formal.scalar_steps import check_steps, refute_steps, written

Make = Callable[[], Witness]
ABOUT = {
    "witness": (
        "Compare both sides of the printed line at the witness, in exact arithmetic; control: of the repaired line",
        "Compare both sides of the repaired line at the witness, in exact arithmetic; control: of the printed line",
    ),
    "step": (
        "Refute the printed step by a counterexample of z3; control: the repaired step",
        "Prove the repaired step for all reals by z3; control: the printed step",
    ),
}


def judged(task: Task, make: Make, label: str, repaired: bool = False) -> Evidence:
    """Return the verdict EXACT if the printed line holds at the witness that make() returns, else REFUTED. repaired:
    judge the repaired line instead. label: the label of the erratum."""
    witness = make()
    sides, line = (
        (witness.repaired, witness.repaired_line) if repaired else (witness.printed, witness.printed_line)
    )
    instance = (repaired and witness.repaired_instance) or witness.instance
    figures: dict[str, Any] = {
        "instance": instance,
        "line": line,
        "left": _short(sides.left),
        "right": _short(sides.right),
    }
    figures |= {"left_value": float(sides.left), "right_value": float(sides.right)}
    replay = f"python -m verify run {label}"
    if sides.holds:
        said = f"{line}: {_numbers(sides, '<=')} at {instance}"
        return Evidence(Verdict.EXACT, said, figures, replay=replay)
    said = f"{line}: violated, {_numbers(sides, '>')} at {instance}"
    return Evidence(Verdict.REFUTED, said, figures, replay=replay)


def stepped(task: Task, printed: str, repaired: str, right: bool = False) -> Evidence:
    """Refute every inequality in the text `printed` by a counterexample. right: prove every inequality in `repaired`
    for all reals instead."""
    return check_steps(written(repaired)) if right else refute_steps(written(printed))


def enter(claim: Claim, variant: str, make: Make, label: str, name: str = "") -> None:
    """Add to a variant of a claim the check that the printed line of an erratum holds at a witness; the witness refutes
    it. make() returns the witness. The negative control checks the repaired line. label: the label of the erratum.
    name: the name of the check."""
    given = dict(make=make, repaired=False, label=label)
    called = name or make.__name__.replace("_", "-")
    about = f"Compare both sides of the printed line at the witness of {label.replace(':', ' ')}, in exact arithmetic;"
    about += " control: of the repaired line"
    claim.check(variant, control=dict(repaired=True), given=given, name=called, about=about)(judged)


def erratum(
    document: str | None,
    *witnesses: Make,
    place: str,
    severity: Severity,
    repair: str,
    about: tuple[str, ...],
    order_survives: str = "yes",
    printed: bool = True,
    regime: str = "",
    title: str = "",
    steps: tuple[str, str] | None = None,
) -> Claim:
    """Return the claim about an error in the paper, or about a remark. document: the docstring of the claim's file,
    "erratum:E<number>. Title. ...". witnesses: functions that return an instance each; two checks, named after the
    function, show that it refutes the printed line and satisfies the repaired one. steps: if a step of a proof is
    wrong, the printed and the repaired inequalities as texts. The other arguments are fields of Erratum and Claim."""
    label, _, first_line = (document or "").partition("\n")[0].partition(". ")
    record = Erratum(place, severity, order_survives, repair, about, printed, regime)
    wrong, origin = (
        ("printed", "as printed") if printed else ("implied", "not printed: what the text suggests")
    )
    first = witnesses[0]()
    claim = Claim(
        label=label,
        title=title or first_line.removesuffix("."),
        section="Errata",
        tags=(record.kind, *about),
        erratum=record,
        notes=partial(witness_lines, witnesses),
        variants={
            wrong: Variant(_text(first.printed_line), (origin,), Verdict.REFUTED),
            "repaired": Variant(_text(first.repaired_line), ("as repaired",), Verdict.EXACT),
        },
        reference=", ".join(about),
    )
    for make in witnesses:
        _both(claim, wrong, judged, "repaired", dict(make=make, label=label), make.__name__, "witness")
    if steps is not None:
        _both(claim, wrong, stepped, "right", dict(printed=steps[0], repaired=steps[1]), "step", "step")
    return claim


def _both(
    claim: Claim,
    wrong: str,
    function: Callable[..., Evidence],
    switch: str,
    given: dict[str, Any],
    name: str,
    what: str,
) -> None:
    name, (first, second), right = name.replace("_", "-"), ABOUT[what], {**given, switch: True}
    claim.check(wrong, control=right, given=given, name=name, about=first)(function)
    claim.check("repaired", control={switch: False}, given=right, name=f"{name}-repair", about=second)(
        function
    )


def witness_lines(witnesses: Sequence[Make]) -> tuple[str, ...]:
    lines = []
    for make in witnesses:
        found = make()
        lines += [f"witness: {found.instance}", *(f"  {step}" for step in found.calculation)]
        for title, line, sides in (
            ("refuted line", found.printed_line, found.printed),
            ("repaired line", found.repaired_line, found.repaired),
        ):
            lines.append(f"  {title}: {line}: {_numbers(sides, '<=' if sides.holds else '>')}")
    return tuple(lines)


def _text(line: str) -> str:
    escaped = line.replace("_", r"\_").replace("^", r"\^{}")
    return rf"\text{{{escaped}}}"


def _numbers(sides: Sides, relation: str) -> str:
    return f"{float(sides.left):.6g} {relation} {float(sides.right):.6g}"


def _short(value: Fraction) -> str:
    return str(value) if value.denominator.bit_length() < 200 else "exact, not shown: too many digits"
