"""Decide the inequalities between real numbers on which a proof rests, for all reals, with z3. An inequality is proved
if its negation has no model.

Statements must have no denominators, because z3 may give x/0 any value. After a timeout the verdict is undecided.
"""

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from textwrap import dedent
from typing import Any

from verify.claim import Claim, Evidence, Task, Verdict

# z3's own units of work: the answer does not depend on how busy the machine is. The clock is only the last stop.
UNITS, TIMEOUT_MILLISECONDS = 40_000_000, 240_000


@dataclass(frozen=True)
class ScalarStep:
    """An inequality used in a proof, for all real values of its variables. claim(*variables) returns the assumptions
    and the inequality."""

    name: str
    variables: str
    claim: Callable[..., tuple[Sequence[Any], Any]]


def written(text: str, **known: Any) -> tuple[ScalarStep, ...]:
    """Parse steps of a proof from a text: a line with the name of a step, then indented lines "assumptions =>
    statement".

        the square of a number between 0 and 1
            0 <= x <= 1, x <= y => x**2 <= y

    Assumptions are separated by commas. known: numbers and functions that the text may name besides And and Or.
    """
    blocks: list[list[str]] = []
    for line in filter(str.strip, dedent(text).splitlines()):
        blocks.append([line]) if not line[0].isspace() else blocks[-1].append(line)
    given = tuple(known.items())
    return tuple(_read(name, " ".join(map(str.strip, lines)), given) for name, *lines in blocks)


@cache
def _read(name: str, formula: str, given: tuple[tuple[str, Any], ...]) -> ScalarStep:
    known = dict(given)
    assumptions, arrow, statement = formula.partition("=>")
    if not arrow:
        raise ValueError(f"{name}: no => in {formula!r}")
    tree = _Plain().visit(ast.parse(f"[{assumptions}], {statement.strip()}", mode="eval"))
    code = compile(ast.fix_missing_locations(tree), name, "eval")
    variables = [word for word in code.co_names if word not in (*known, "And", "Or")]

    def claim(*values: Any) -> tuple[Sequence[Any], Any]:
        import z3

        names = {"And": z3.And, "Or": z3.Or, **known, **dict(zip(variables, values, strict=True))}
        found: tuple[Sequence[Any], Any] = eval(code, {"__builtins__": {}}, names)
        return found

    return ScalarStep(name, " ".join(variables), claim)


class _Plain(ast.NodeTransformer):
    """Rewrite a <= b <= c as And(a <= b, b <= c), and x**3 as x*x*x, which z3 decides faster."""

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) == 1:
            return node
        sides = [node.left, *node.comparators]
        parts = [ast.Compare(sides[i], [op], [sides[i + 1]]) for i, op in enumerate(node.ops)]
        return ast.Call(ast.Name("And", ast.Load()), list[ast.expr](parts), [])

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.BinOp(left=base, op=ast.Pow(), right=ast.Constant(value=int(power))):
                return reduce(lambda product, _: ast.BinOp(product, ast.Mult(), base), range(power - 1), base)
        return node


@cache  # several claims rest on the same steps, and a control repeats those that stay true
def decide(step: ScalarStep) -> tuple[Verdict, str]:
    """Return the verdict on a step (proved, refuted or undecided) and the reason or counterexample."""
    import z3

    solver, variables = _assumed(step)
    if solver.check() != z3.sat:
        return Verdict.UNDECIDED, "the assumptions are not shown to be consistent"
    solver.add(z3.Not(step.claim(*variables)[1]))
    answer = solver.check()
    if answer == z3.unsat:
        return Verdict.Z3, ""
    if answer == z3.sat:
        model = solver.model()
        values = (f"{v} = {model.eval(v, model_completion=True)}" for v in variables)
        return Verdict.REFUTED, f"[{', '.join(values)}]"
    return Verdict.UNDECIDED, f"z3: {solver.reason_unknown()}"


def question(step: ScalarStep) -> str:
    """Return the assumptions of a step and its negated inequality as SMT-LIB text. The answer unsat proves the step,
    sat refutes it."""
    import z3

    solver, variables = _assumed(step)
    solver.add(z3.Not(step.claim(*variables)[1]))
    return f"(set-logic QF_NRA)\n{solver.to_smt2()}"


def _assumed(step: ScalarStep) -> tuple[Any, Any]:
    import z3

    # a context of its own: what was asked before must not decide which counterexample is found
    context = z3.Context()
    variables = z3.Reals(step.variables, context)
    solver = z3.Solver(ctx=context)
    solver.set("rlimit", UNITS)
    solver.set("timeout", TIMEOUT_MILLISECONDS)
    solver.add(*step.claim(*variables)[0])
    return solver, variables


def check_steps(steps: Sequence[ScalarStep]) -> Evidence:
    """Decide the steps in order, up to the first refuted one. Return the weakest verdict and the step to which it
    belongs."""
    answers: dict[str, tuple[Verdict, str]] = {}
    for step in steps:
        answers[step.name] = decide(step)
        if answers[step.name][0] is Verdict.REFUTED:
            break
    figures = {"steps": {name: str(kind) for name, (kind, _) in answers.items()}}
    for wanted in (Verdict.REFUTED, Verdict.UNDECIDED):
        for name, (kind, detail) in answers.items():
            if kind is wanted:
                return Evidence(wanted, f"{name}: {detail}", figures)
    count = f"{len(steps)} scalar step{'' if len(steps) == 1 else 's'}"
    return Evidence(Verdict.Z3, f"{count} for all reals: {'; '.join(answers)}", figures)


def solved(task: Task, text: str, **known: Any) -> Evidence:
    return check_steps(written(text, **known))


def enter_steps(
    claim: Claim, about: str, control: Mapping[str, Any], variant: str = "scalar_core", **given: Any
) -> None:
    """Add a check to a claim: that the inequalities in the text given["text"] hold for all reals. about: what is
    checked, in words. given: `text`, and values of names in it. control: other values, with which an inequality is
    false, for the negative control."""
    claim.check(variant, name="steps", about=about, given=given, control=control)(solved)


def refute_steps(steps: Sequence[ScalarStep]) -> Evidence:
    """Return the verdict refuted, with counterexamples, if each inequality is false. Otherwise return undecided, with
    the first one that was not refuted."""
    shown = {}
    for step in steps:
        kind, shown[step.name] = decide(step)
        if kind is not Verdict.REFUTED:
            return Evidence(Verdict.UNDECIDED, f"{step.name}: not refuted, {kind}")
    text = "; ".join(f"{name}: {detail}" for name, detail in shown.items())
    return Evidence(Verdict.REFUTED, f"counterexample to {text}", {"counterexamples": shown})
