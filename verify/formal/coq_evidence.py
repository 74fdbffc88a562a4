"""Use Coq as evidence: a claim is proved if Coq has checked a theorem that states it.

Coq's answers are recorded in proofs/ (record.py), so a campaign needs no Coq. A theorem counts as a proof if all of
these hold:

1. It is in the Coq files.
2. The record is of exactly these files, and nothing in them disables a check of Coq.
3. It uses no axiom outside proofs/assumptions.allowed, compared by name and type.
4. Its constants, as Coq prints them, equal the values in statements.toml and the project's symbolic bounds.
5. Every definition that it uses is the one that a person has read (proofs/definitions.txt).
6. Its hypotheses are those in statements.toml, and those of the claim (hypotheses.py).
7. All other theorems that state the same variant pass too.

If 1, 4, 5 or the first part of 6 fails, the verdict is refuted, with both sides; otherwise it is undecided.
"""

import importlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any

from verify.claim import BY_COQ, Check, Claim, Evidence, Task, Verdict
from verify.formal import coq_syntax, definitions, hypotheses
from verify.formal import statements as listed
from verify.formal.coq import Answers
from verify.formal.coq_syntax import Definition
from verify.formal.record import CoqRecord, Unusable, recorded
from verify.formal.statements import PROOFS, Constant, Statement, remembered, statements, unchanged

REPLAY = "make proofs"
SAMPLES = 14  # points at which two expressions are compared, with 40 digits
# Factors of the points: small ones reach the branches of a maximum that large numbers hide.
SIZES = tuple(Fraction(*pair) for pair in ((1, 1), (1, 3), (1, 1), (6, 1), (2, 3), (1, 40), (30, 1)))


class Differs(Exception):
    """Raised if a theorem in Coq does not state what is claimed; the text gives both sides."""


def attach(claim: Claim) -> Claim:
    """Return the claim with one more check for each Coq theorem that states one of its variants."""
    ours = [s for s in statements() if s.label == claim.label and s.variant in claim.variants]
    ours.sort(key=lambda s: (s.same != "yes", s.same != "stronger"))  # what states the claim comes first
    names = [s.name for s in ours]
    extra = tuple(
        Check(
            # a theorem that states two variants is checked for each, under two names
            f"{BY_COQ}{statement.name}"
            + (f"-{statement.variant}" if names.count(statement.name) > 1 else ""),
            statement.variant,
            partial(run, statement=statement, claimed=claim.variants[statement.variant].hypotheses),
            partial(control, statement=statement),
            f"Coq theorem {statement.theorem} ({statement.same}: {statement.why})",
        )
        for statement in ours
    )
    return replace(claim, checks=(*claim.checks, *extra)) if extra else claim


@unchanged()
def run(task: Task, statement: Statement, claimed: Iterable[str] | None = None) -> Evidence:
    """Return the evidence that the Coq theorem in `statement` gives for a variant of a claim. claimed: the claim's
    hypotheses, which are compared with the theorem's; None to skip this comparison."""
    found = known_evidence(statement)
    if found.kind is not Verdict.COQ:
        return found
    weaker, name = partial(replace, found, kind=Verdict.UNDECIDED), statement.theorem
    others = listed.stating(statement)
    if not others:
        return weaker(summary=f"{name} holds; it is {statement.same}")
    for other in (statement, *others) if claimed is not None else ():
        if reason := hypotheses.disagreement(other, claimed or ()):
            return weaker(summary=f"{other.theorem} holds, {reason}")
    for other in others:
        if other != statement and known_evidence(other).kind is not Verdict.COQ:
            why = f"{other.theorem}, which states the claim, is not confirmed"
            return weaker(summary=f"{name} holds, but {why}")
    return found


@unchanged()
def control(task: Task, statement: Statement) -> Evidence:
    """Run the negative control of a check by Coq. Coq must reject a stronger, false statement. If the theorem refutes a
    claim, the theorem about the repaired claim must hold instead."""
    if statement.refutes and statement.repair:
        repaired = replace(statement, theorem=statement.repair, refutes=False, constants=(), bound=None)
        if (found := known_evidence(repaired)).kind.confirms:
            return found
    try:
        return stronger(statement, recorded().answers)
    except Unusable as reason:  # no answers, so no control either
        return Evidence(Verdict.UNDECIDED, f"not run: {reason}", ran=False)


def stronger(statement: Statement, answers: Answers) -> Evidence:
    """Return the evidence of a negative control, which must be refuted. Coq must reject the theorem's proof for a
    stronger statement, and a bound 10 % smaller must differ from the one in Coq."""
    if not answers.told_apart.get(statement.theorem):
        return Evidence(Verdict.COQ, f"{statement.theorem}: Coq does not reject a stronger statement")
    found = f"{statement.theorem}: Coq rejects it as a proof of a stronger statement"
    false = falsified(statement)
    if false is None:
        return Evidence(Verdict.REFUTED, found)
    try:
        compare_coq(false, answers, PROOFS)
    except Differs as difference:
        return Evidence(Verdict.REFUTED, f"{found}; {difference}")
    return Evidence(Verdict.COQ, f"{statement.theorem}: a smaller bound passes")


def falsified(statement: Statement) -> Statement | None:
    """Return the statement with its first constant or, if it has no constants, its bound made 10 % smaller; None if it
    has neither."""
    if statement.constants:
        first = statement.constants[0]
        smaller = replace(first, expression=f"Rational(9,10)*({first.expression})")
        return replace(statement, constants=(smaller, *statement.constants[1:]))
    if statement.bound is not None:
        return replace(statement, bound=f"Rational(9,10)*({statement.bound})")
    return None


def evidence(statement: Statement, folder: Path = PROOFS, known: CoqRecord | None = None) -> Evidence:
    """Return the evidence that one Coq theorem gives. known: Coq's answers, by default the recorded ones."""
    figures: dict[str, Any] = {
        "theorem": statement.theorem,
        "same": statement.same,
        "why": statement.why,
        "constants": {c.definition: c.expression for c in statement.constants},
    }
    try:
        compare_source(statement, folder)
        if reason := definitions.unsafe(folder):
            raise Unusable(reason)
        known = known or recorded(folder)
        axioms = known.answers.axioms.get(statement.theorem, [])
        figures |= {"axioms": axioms, "coq": known.answers.version}
        figures |= {"answers": known.how, "sources": known.sources[:12]}
        if foreign := sorted(set(axioms) - listed.allowed_axioms(folder)):
            said = f"{statement.theorem} uses the axiom {foreign[0].partition(' : ')[0]}, not allowed"
            return Evidence(Verdict.UNDECIDED, said, figures)
        compare_coq(statement, known.answers, folder)
    except Unusable as reason:
        return Evidence(Verdict.UNDECIDED, f"not checked: {reason}", figures, ran=False)
    except (Differs, coq_syntax.SyntaxProblem) as difference:
        return Evidence(Verdict.REFUTED, f"{statement.theorem}: {difference}", figures, replay=REPLAY)
    kind = Verdict.REFUTED if statement.refutes else Verdict.COQ
    says = "Coq refutes the printed claim" if statement.refutes else "theorem of Coq"
    summary = f"{says}: {statement.theorem}; {len(axioms)} axioms, all allowed; {known}"
    return Evidence(kind, summary, figures, replay=REPLAY)


known_evidence = remembered(evidence)  # a theorem may be a check, one of several, and the control of another


def compare_source(statement: Statement, folder: Path) -> None:
    """Raise Differs if the Coq files lack the theorem, or its constants have other values there than in
    statements.toml."""
    if listed.source_statement(statement, folder) is None:
        raise Differs(f"there is no such theorem in {statement.file}")
    known = source_definitions(folder)
    for constant in statement.constants:
        if constant.name not in known:
            raise Differs(f"{constant.definition} is not defined as a real number or function")
        compare_constant(constant, known[constant.name], known)


def compare_coq(statement: Statement, answers: Answers, folder: Path) -> None:
    """Raise Differs if the theorem, as Coq prints it, has another bound or other definitions, hypotheses or constants
    than the statement says."""
    printed = answers.statements.get(statement.theorem)
    if printed is None:
        raise Differs("is not a theorem that Coq was asked about")
    if name := definitions.changed(printed, folder):
        raise Differs(f"{name} is not as in {definitions.RECORD}; read the change, then record it")
    stated = hypotheses.of_coq(printed, folder) if statement.hypotheses is not None else frozenset()
    if different := sorted(stated ^ frozenset(statement.hypotheses or ())):
        side = "not listed" if different[0] in stated else "listed only"
        raise Differs(f"the hypothesis {different[0]!r} is {side} in statements.toml")
    known = answers.numbers
    for constant in statement.constants:
        compare_constant(constant, known[constant.name], known)
    if statement.bound is not None:
        right = right_hand_side(printed)
        if not equal(coq_syntax.expression(right, known), sympy_expression(statement.bound)):
            raise Differs(f"Coq bounds by {' '.join(right.split())}, claimed {statement.bound}")


def compare_constant(constant: Constant, definition: Definition, known: Mapping[str, Definition]) -> None:
    formal = coq_syntax.expression(definition.body, known)
    if not equal(formal, sympy_expression(constant.expression)):
        raise Differs(f"{constant.name} is {formal} in the formal statement, claimed {constant.expression}")
    if constant.symbolic is not None and not equal(formal, symbolic(constant.symbolic)):
        raise Differs(f"{constant.name} is {formal} in the formal statement, not {constant.symbolic}")


@remembered
def source_definitions(folder: Path) -> dict[str, Definition]:
    found = {}
    for constant in {c for s in statements(folder) for c in s.constants}:
        source = (folder / (constant.definition.partition(".")[0] + ".v")).read_text(encoding="utf-8")
        if (definition := coq_syntax.source_definition(source, constant.name)) is not None:
            found[constant.name] = definition
    return found


def right_hand_side(statement: str) -> str:
    """Return the part of a Coq statement after its last <= or = outside parentheses."""
    text, depth, start = " ".join(statement.split()), 0, 0
    for match in re.finditer(r"[()]| (?:<=|=) ", text):
        if match.group() in "()":
            depth += 1 if match.group() == "(" else -1
        elif depth == 0:
            start = match.end()
    return text[start:]


@cache
def sympy_expression(text: str) -> Any:
    import sympy

    standard = {name: getattr(sympy, name) for name in ("sqrt", "exp", "log", "Rational", "Max", "Min")}
    names: dict[str, Any] = {}
    for name, applied in re.findall(r"([A-Za-z_]\w*)(\s*\()?", text):
        if name not in standard:
            names[name] = sympy.Function(name) if applied else sympy.Symbol(name, positive=True)
    return sympy.sympify(text, locals=standard | names)


@cache
def symbolic(text: str) -> Any:
    """Evaluate `text`, a call "module:function(arguments)" of a function of this project, and return a sympy
    expression. Arguments that are letters, such as c, q and g, are sympy symbols."""
    import sympy

    module, _, call = text.partition(":")
    symbols = sympy.symbols("c q g s t K M T F n d norm2 delta u h beta tau2 sigma2 zeta2", positive=True)
    names = {"one": sympy.Integer(1), "sqrt": sympy.sqrt} | {symbol.name: symbol for symbol in symbols}
    space = vars(importlib.import_module(module)) | names
    return sympy.sympify(eval(call, {"__builtins__": {}}, space))


@cache
def equal(first: Any, second: Any) -> bool:
    """Return whether two sympy expressions are the same, or agree to 30 digits at rational points of all sizes. Unknown
    functions count as symbols. If an argument of a maximum or minimum is never selected at these points, it was not
    compared, and the answer is False."""
    import mpmath
    import sympy

    sides = [sympy.sympify(first), sympy.sympify(second)]
    if sides[0] == sides[1]:
        return True
    atoms = sorted(set().union(*(side.atoms(sympy.core.function.AppliedUndef) for side in sides)), key=str)
    named = {atom: sympy.Dummy(str(atom), positive=True) for atom in atoms}
    sides = [side.subs(named) for side in sides]
    free = sorted(set().union(*(side.free_symbols for side in sides)), key=str)
    unseen = {(m, part) for side in sides for m in side.atoms(sympy.Max, sympy.Min) for part in m.args}
    branches = sorted(unseen, key=str)
    chosen = [False] * len(branches)
    with mpmath.workdps(45):
        values_of = sympy.lambdify(free, [*sides, *(side for pair in branches for side in pair)], "mpmath")
        for point in range(SAMPLES):
            sizes = (SIZES[point * (i + 1) % len(SIZES)] for i in range(len(free)))
            place = [Fraction(37 + 8 * point + 13 * i, 16 + i) * size for i, size in enumerate(sizes)]
            left, right, *pairs = values_of(*(mpmath.mpf(x.numerator) / x.denominator for x in place))
            if abs(left - right) > mpmath.mpf(10) ** -30 * (1 + abs(right)):
                return False
            chosen = [was or m == part for was, m, part in zip(chosen, pairs[::2], pairs[1::2], strict=True)]
    return all(chosen)
