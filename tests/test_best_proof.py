"""The chains of variant best: each part hands the next what it assumes, every side condition is needed."""

import dataclasses
from fractions import Fraction as F

import pytest
import sympy as sp

from bounds.best.parameters import ANY_SCHEDULE, DOUBLING, derive, side_conditions
from bounds.best.symbols import N1, X, condition, definitions_hold, nt, x, xbar, y
from bounds.proofs import Chain, Outcome, Step, check_chain, discover_chains, reals, without
from bounds.proofs.combination import Combination
from bounds.proofs.smt import decide

CHAINS = {chain.name: chain for chain in discover_chains() if chain.name.startswith("best: ")}
T0, K, om, om_b, number, whole, delta, rest, W = reals("T0 K om om_b # whole del del' W")
rho, later, sofar1, two, top, squares, room, sum_lam = reals(
    "rho later sofar' sum(w^2) max squares rest sum(Lam)"
)
total, kept, moved, R_b, OV, eps, eps_L = reals("sum(Lam) kept mu_ R_b OV eps eps_L")
b_, lam, lam1 = reals("b lam lam'")

# (user, hypothesis, source, step, renamed in the step, what else is known)
LINKS = [
    ("case A", "T0", "last epoch", "T0", {number: K - 2}, ()),
    ("case B", "T0", "last epoch", "T0", {number: K - 2}, ()),
    ("case C", "T0", "last epoch", "T0", {number: K - 2}, ()),
    ("K-part of D", "T0", "last epoch", "T0", {number: K - 1, rest: delta}, ()),
    ("K-part of A and B", "T0 + K|om|", "case A", "T0 + K|om|", {om_b: om - nt}, (K >= 2,)),
    ("K-part of A and B", "T0 + K|om|", "case B", "T0 + K|om|", {}, (K >= 2,)),
    ("K-part of C", "T0 + K|om|", "case C", "T0 + K|om|", {}, (K >= 2,)),
    ("K-part of D", "at L-1", "case D", "|om| <= x del", {om: whole}, (whole >= 0,)),
    ("chain invariants", "w^2 at L-1", "sum of squares", "sum of squares", {squares: two - top**2}, (two >= 0,)),
    ("the three segments", "segment y", "one segment of an arm's chain", "segment", {rho: y, sofar1: later}, ()),
    ("the three segments", "segment xbar", "one segment of an arm's chain", "segment", {rho: xbar, sofar1: later}, ()),
    ("the three segments", "segment 1", "one segment of an arm's chain", "segment", {rho: 1, sofar1: later}, ()),
    ("epoch regret", "multipliers", "K-part of A and B", "sum of multipliers", {total: total - lam - lam1}, ()),
    ("pathwise claim", "(F)", "last epoch", "(F)", {kept: moved * R_b - kept, eps: eps_L}, ()),
]  # fmt: skip


def step(chain: Chain, name: str) -> Step:
    return next(s for s in chain.steps if s.name == name)


@pytest.mark.parametrize(("user", "hypothesis", "source", "name", "renamed", "known"), LINKS)
def test_a_part_assumes_what_another_concluded(
    user: str,
    hypothesis: str,
    source: str,
    name: str,
    renamed: dict[sp.Symbol, object],
    known: tuple[object, ...],
) -> None:
    given = step(CHAINS[f"best: {source}"], name)
    assert name in CHAINS[f"best: {source}"].concludes or name == "sum of multipliers"
    wanted = next(h for h in CHAINS[f"best: {user}"].hypotheses if h.name == hypothesis)
    statement = given.statement.subs(renamed, simultaneous=True)
    assert decide(wanted.statement, (statement, *known)).outcome is Outcome.PROVED


def test_a_link_that_does_not_hold_is_noticed() -> None:
    given = step(CHAINS["best: case C"], "T0 + K|om|").statement  # 2KX in place of K N1
    wanted = next(h for h in CHAINS["best: K-part of A and B"].hypotheses if h.name == "T0 + K|om|")
    assert decide(wanted.statement, (given, K >= 2)).outcome is Outcome.REFUTED


@pytest.mark.parametrize("name", ["any schedule", "doubling"])
def test_symbolic_definitions_agree_with_the_numbers(name: str) -> None:
    p = {"any schedule": ANY_SCHEDULE, "doubling": DOUBLING}[name]
    assert definitions_hold(p, derive(p))
    wrong = dataclasses.replace(derive(p), zeta=derive(p).zeta + F(1, 10**9))
    assert not definitions_hold(p, wrong)


NEEDED = [name for name in side_conditions(ANY_SCHEDULE) if name.startswith("E")]


def first_user(name: str) -> list[Chain]:
    return [c for c in CHAINS.values() if any(name in s.assumes for s in c.steps)]


@pytest.mark.parametrize("name", NEEDED)
def test_deleting_a_side_condition_breaks_a_step(name: str) -> None:
    assert condition(name).name == name
    if name.startswith("E11"):  # implied in the sum of squares; used where om* may be X'
        assert not check_chain(without(CHAINS["best: case A"], name), stop_at_failure=True).holds
        return
    assert any(not check_chain(without(c, name), stop_at_failure=True).holds for c in first_user(name))


def test_chains_are_complete() -> None:
    assert len(CHAINS) == 28
    assert sum(len(c.steps) for c in CHAINS.values()) > 200


def combined(multiplier: object, remainder: object = 0) -> Outcome:
    u, v = reals("u v")
    from bounds.proofs import Hypothesis

    facts = Hypothesis("u", "u is at least 1", sp.Ge(u, 1))
    other = Hypothesis("v", "v is at most u", sp.Le(v, u))
    rule = Combination((("u", multiplier), ("v", 1)), remainder)
    chain = Chain(
        "t", "t", "t", (facts, other), (Step("s", sp.Le(v, 2 * u - 1), ("u", "v"), "", rule),), ("s",)
    )
    return check_chain(chain).results["s"].outcome


def test_combination_accepts_the_right_multipliers_only() -> None:
    u = reals("u")[0]
    assert combined(1) is Outcome.PROVED
    assert combined(2) is Outcome.INCONCLUSIVE  # the identity fails
    assert combined(-1, 2 * (u - 1)) is Outcome.INCONCLUSIVE  # identity holds, a multiplier is negative
    assert combined(0, u - 1) is Outcome.PROVED  # the remainder is shown non-negative from the facts
    assert combined(3, -2 * (u - 1)) is Outcome.INCONCLUSIVE  # a negative remainder


def test_unused_names_stay_symbols() -> None:
    assert {N1, X, x} <= {s for c in CHAINS.values() for st in c.steps for s in st.statement.free_symbols}
