"""Evidence by Coq: the claim is a theorem that it has checked, its axioms are the allowed ones, its constants are ours.

What Coq answered is the record in proofs/ (record.py), so a campaign needs no Coq. A statement counts only if (1) it
stands in the sources, (2) the record is of exactly these sources, nothing in them switching a check off, (3) it uses no
axiom outside proofs/assumptions.allowed, name and type, (4) every constant in it, as Coq prints it, equals its
closed form and the project's symbolic bound, (5) every definition behind it is the one a person has read
(proofs/definitions.txt), (6) its hypotheses are those that statements.toml lists and that the claim lists
(hypotheses.py), and (7) all theorems that state the same variant pass: an ingredient alone carries no verdict.
A difference in (1), (4), (5) or from the list of statements.toml is refuted with both sides; other hypotheses than the
claim's, or a stale record, are undecided and say so.
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
from verify.formal.coq import Answers
from verify.formal.record import CoqRecord, Unusable, recorded
from verify.formal.statements import (
    PROOFS,
    Constant,
    Statement,
    allowed_axioms,
    remembered,
    source_statement,
    statements,
    stating,
    unchanged,
)

REPLAY = "make proofs"
SAMPLES = 14  # points at which two expressions are compared, with 40 digits
# Factors of the points: small ones reach the branches of a maximum that large numbers hide.
SIZES = tuple(Fraction(*pair) for pair in ((1, 1), (1, 3), (1, 1), (6, 1), (2, 3), (1, 40), (30, 1)))


class Differs(Exception):
    """The formal statement is not the claimed one; the text gives both sides."""


def attach(claim: Claim) -> Claim:
    """Return the claim with one check for each formal statement of one of its variants."""
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
    """What Coq says about a statement, as evidence for its claim with the hypotheses `claimed`."""
    found = evidence(statement)
    if found.kind is not Verdict.COQ:
        return found
    weaker, name = partial(replace, found, kind=Verdict.UNDECIDED), statement.theorem
    others = stating(statement)
    if not others:
        return weaker(summary=f"{name} holds; it is {statement.same}")
    for other in (statement, *others) if claimed is not None else ():
        if reason := hypotheses.disagreement(other, claimed or ()):
            return weaker(summary=f"{other.theorem} holds, {reason}")
    for other in others:
        if other != statement and evidence(other).kind is not Verdict.COQ:
            return weaker(
                summary=f"{name} holds, but {other.theorem}, which states the claim, is not confirmed"
            )
    return found


@unchanged()
def control(task: Task, statement: Statement) -> Evidence:
    """The same checker on a false statement. For a theorem that refutes: the theorem that replaces the claim."""
    if statement.refutes and statement.repair:
        repaired = replace(statement, theorem=statement.repair, refutes=False, constants=(), bound=None)
        if (found := evidence(repaired)).kind.confirms:
            return found
    try:
        return stronger(statement, recorded().answers)
    except Unusable as reason:  # no answers, so no control either
        return Evidence(Verdict.UNDECIDED, f"not run: {reason}", ran=False)


def stronger(statement: Statement, answers: Answers) -> Evidence:
    """Coq rejected the theorem as a proof of more than it says, and the comparisons must reject a smaller bound."""
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
    """The statement with a smaller constant or bound; None where it has neither, and Coq's rejection is the control."""
    if statement.constants:
        first = statement.constants[0]
        smaller = replace(first, expression=f"Rational(9,10)*({first.expression})")
        return replace(statement, constants=(smaller, *statement.constants[1:]))
    if statement.bound is not None:
        return replace(statement, bound=f"Rational(9,10)*({statement.bound})")
    return None


def evidence(statement: Statement, folder: Path = PROOFS, known: CoqRecord | None = None) -> Evidence:
    """What Coq says about one statement: as recorded, or as it has just answered (`known`)."""
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
        foreign = sorted(set(axioms) - allowed_axioms(folder))
        if foreign:
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


def compare_source(statement: Statement, folder: Path) -> None:
    """The theorem and its constants stand in the sources as claimed. Needs no Coq."""
    if source_statement(statement, folder) is None:
        raise Differs(f"there is no such theorem in {statement.file}")
    for constant in statement.constants:
        source = (folder / (constant.definition.partition(".")[0] + ".v")).read_text(encoding="utf-8")
        definition = coq_syntax.source_definition(source, constant.name)
        if definition is None:
            raise Differs(f"{constant.definition} is not defined as a real number or function")
        compare_constant(constant, definition, source_definitions(folder))


def compare_coq(statement: Statement, answers: Answers, folder: Path) -> None:
    """The statement as Coq prints it: the definitions behind it, its constants' values, its bound."""
    printed = answers.statements.get(statement.theorem)
    if printed is None:
        raise Differs("is not a theorem that Coq was asked about")
    if name := definitions.changed(printed, folder):
        raise Differs(f"{name} is not as in {definitions.RECORD}; read the change, then record it")
    stated = hypotheses.of_coq(printed, folder) if statement.hypotheses is not None else frozenset()
    if different := sorted(stated ^ frozenset(statement.hypotheses or ())):
        side = "not listed" if different[0] in stated else "listed only"
        raise Differs(f"the hypothesis {different[0]!r} is {side} in statements.toml")
    printed_definitions = answers.definitions.items()
    known = {name.partition(".")[2]: coq_syntax.definition(text) for name, text in printed_definitions}
    for constant in statement.constants:
        compare_constant(constant, known[constant.name], known)
    if statement.bound is not None:
        right = right_hand_side(printed)
        if not equal(coq_syntax.expression(right, known), sympy_expression(statement.bound)):
            raise Differs(f"Coq bounds by {' '.join(right.split())}, claimed {statement.bound}")


def compare_constant(
    constant: Constant, definition: coq_syntax.Definition, known: Mapping[str, coq_syntax.Definition]
) -> None:
    formal = coq_syntax.expression(definition.body, known)
    if not equal(formal, sympy_expression(constant.expression)):
        raise Differs(f"{constant.name} is {formal} in the formal statement, claimed {constant.expression}")
    if constant.symbolic is not None and not equal(formal, symbolic(constant.symbolic)):
        raise Differs(f"{constant.name} is {formal} in the formal statement, not {constant.symbolic}")


@remembered
def source_definitions(folder: Path) -> dict[str, coq_syntax.Definition]:
    """Return the definitions that statements.toml names, as the sources have them."""
    found = {}
    for constant in {c for s in statements(folder) for c in s.constants}:
        source = (folder / (constant.definition.partition(".")[0] + ".v")).read_text(encoding="utf-8")
        if (definition := coq_syntax.source_definition(source, constant.name)) is not None:
            found[constant.name] = definition
    return found


def right_hand_side(statement: str) -> str:
    """Return what follows the last <= or = outside parentheses."""
    text, depth, start = " ".join(statement.split()), 0, 0
    for match in re.finditer(r"[()]| (?:<=|=) ", text):
        if match.group() in "()":
            depth += 1 if match.group() == "(" else -1
        elif depth == 0:
            start = match.end()
    return text[start:]


@cache
def sympy_expression(text: str) -> Any:
    """A closed form in sympy's syntax; every name is a positive symbol or, if applied, an uninterpreted function."""
    import sympy

    functions = ("sqrt", "exp", "log", "Rational", "Max", "Min")
    standard = {name: getattr(sympy, name) for name in functions}
    names: dict[str, Any] = {}
    for name, applied in re.findall(r"([A-Za-z_]\w*)(\s*\()?", text):
        if name not in standard:
            names[name] = sympy.Function(name) if applied else sympy.Symbol(name, positive=True)
    return sympy.sympify(text, locals=standard | names)


@cache
def symbolic(text: str) -> Any:
    """Return the project's own expression: `module:call`, called with symbols named c, q, g, ... and one = 1."""
    import sympy

    module, _, call = text.partition(":")
    symbols = sympy.symbols("c q g s t K M T F n d norm2 delta u h beta tau2 sigma2 zeta2", positive=True)
    names = {"one": sympy.Integer(1), "sqrt": sympy.sqrt} | {symbol.name: symbol for symbol in symbols}
    space = vars(importlib.import_module(module)) | names
    return sympy.sympify(eval(call, {"__builtins__": {}}, space))


@cache
def equal(first: Any, second: Any) -> bool:
    """Equal at rational points of all sizes, to 30 of 40 digits; uninterpreted applications count as symbols.

    A branch of a maximum or minimum that is never the chosen one would not be compared: then the answer is no.
    """
    import mpmath
    import sympy

    sides = [sympy.sympify(first), sympy.sympify(second)]
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
