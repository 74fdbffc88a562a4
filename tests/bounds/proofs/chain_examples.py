"""What the chains that prove something false are built from."""

import pytest
import sympy as sp

from bounds.proofs import (
    At,
    BadChain,
    Chain,
    Hypothesis,
    Induction,
    Smt,
    Step,
    Summation,
    Total,
    check_chain,
    reals,
)
from bounds.proofs.engine.chain import link, validate
from bounds.proofs.engine.links import check_links

x, y, n, S, W, mean = reals("x y n S W mean")


def chain(hypotheses: tuple[Hypothesis, ...], *steps: Step, name: str = "false", **more: object) -> Chain:
    return Chain(name, "", f"{name}.py", hypotheses, steps, (steps[-1].name,), **more)  # type: ignore[arg-type]


def passes(*chains: Chain) -> bool:
    """Does the last chain hold, with everything it imports?"""
    try:
        link(chains)
        return all(check_chain(c).holds and not check_links(c, chains) for c in chains)
    except BadChain:
        return False


def defined(name: str, statement: object) -> Hypothesis:
    return Hypothesis(name, "", statement, kind="definition")


ARMS = {"indexed": {"arm": (x, y)}, "totals": {"arm": (Total(S, x), Total(n, sp.Integer(1)))}}
NOT_NEGATIVE = chain(
    (defined("given", sp.Ge(x, 0)),),
    Step("end", sp.Ge(S, 0), ("given",), "", Summation("arm", sp.Ge(x, 0))),
    name="source",
    **ARMS,
)


def lemma(
    statement: object, source: str = "source/end", name: str = "lemma", **renamed: object
) -> Hypothesis:
    """A lemma of another chain, its symbols renamed by their names."""
    new = {reals(k)[0]: sp.sympify(v) for k, v in renamed.items()}
    return Hypothesis(name, "", statement, kind="lemma", source=source, renamed=new)


def whole(chains: tuple[Chain, ...]) -> None:
    """Read every chain, and the links between them."""
    for one in chains:
        validate(one)
    link(chains)


def refused(message: str, *chains: Chain) -> None:
    """Every chain alone answers as expected and every hypothesis of a link is met: the meaning is what is wrong."""
    for one in chains:
        report = check_chain(one)
        assert report.holds, {k: v.detail for k, v in report.results.items()}
        assert not check_links(one, chains)
    with pytest.raises(BadChain, match=message):
        link(chains)


r, later_r, k, later_k, R, later_R = reals("r r' k k' R R'")
ONE_MORE = Hypothesis("one more", "", sp.Eq(later_r, r + 1), kind="definition")
COUNTED = Hypothesis("counted", "", sp.Eq(later_k, k + 1), kind="definition")


def from_five() -> Chain:
    """r begins at 5 and grows."""
    return chain(
        (ONE_MORE, Hypothesis("before", "", sp.Ge(r, 5), kind="induction")),
        Step("first", sp.true, (), "", Smt()),
        Step("carry", sp.Ge(later_r, 5), ("one more", "before"), "", Smt()),
        Step(
            "end",
            sp.Ge(later_r, 5),
            ("first", "carry"),
            "",
            Induction("before", "first", "carry", {r: later_r}, {r: 5}),
        ),
        name="source",
    )


u = reals("u")[0]


def counting(name: str, assumes: tuple[str, ...], claim: sp.Basic) -> tuple[Step, ...]:
    """t' = t + u from t = 0, and a claim about t carried on by what is assumed."""
    return (
        Step(f"{name}: first", sp.true, (), "", Smt()),
        Step(f"{name}: carry", claim.subs({r: later_r}), ("grows", name, *assumes), "", Smt()),
        Step(
            f"{name}: every",
            claim.subs({r: later_r}),
            (f"{name}: first", f"{name}: carry"),
            "",
            Induction(name, f"{name}: first", f"{name}: carry", {r: later_r}, {r: 0}),
        ),
    )


GROWS = defined("grows", sp.Eq(later_r, r + u))


def given(name: str, statement: object = sp.true, kind: str = "definition", **more: object) -> Hypothesis:
    return Hypothesis(name, "", statement, kind=kind, **more)  # type: ignore[arg-type]


def real(*symbols: sp.Symbol) -> Hypothesis:
    return given("real", declares=symbols)


def smt(name: str, statement: object, *assumes: str | At) -> Step:
    return Step(name, statement, assumes, "", Smt())
