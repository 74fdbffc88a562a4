"""The chains of variant best: each part hands the next what it assumes, every side condition is needed."""

import dataclasses
import re
from fractions import Fraction as F

import pytest
import sympy as sp

from bounds.best import decay, mean, run
from bounds.best.numbers import numbers
from bounds.best.parameters import ANY_SCHEDULE, DOUBLING, derive, side_conditions
from bounds.best.symbols import N1, X, condition, definitions_hold, inherited, x
from bounds.proofs import (
    BadChain,
    Chain,
    Induction,
    Outcome,
    Step,
    Total,
    check_chain,
    discover_chains,
    link,
    reals,
    without,
)
from bounds.proofs.chains import best_average as average
from bounds.proofs.engine.chain import check_step
from bounds.proofs.engine.combination import Combination
from bounds.proofs.engine.links import check_links, inner_sums

ALL = discover_chains()
CHAINS = {chain.name: chain for chain in ALL if chain.name.startswith("best: ")}


def step(chain: Chain, name: str) -> Step:
    return next(s for s in chain.steps if s.name == name)


def linked(chain: Chain) -> set[str]:
    return {h.source.partition("/")[0] for h in chain.hypotheses if h.kind == "lemma"}


def test_the_parts_are_linked_from_the_run_to_the_corollary() -> None:
    for chain in CHAINS.values():  # nothing is put together by hand, nothing is left to a lemma's own letters
        assert not any(h.kind == "composition" for h in chain.hypotheses), chain.name
        assert not inner_sums(chain, {c.name: c for c in ALL}), chain.name
    used = {name: linked(chain) for name, chain in CHAINS.items()}
    assert used["best: epoch regret"] == {"best: pathwise claim", "best: average"}
    assert used["best: epoch regret, two arms"] == {"best: two arms", "best: average"}
    assert used["best: theorem"] == {"best: epoch regret", "first epoch"}
    assert used["best: any schedule"] == {"best: theorem"}
    assert used["best: doubling"] == {"best: epoch regret"}
    assert used["best: corollary"] == {
        "best: doubling",
        "doubling sum",
        "first epoch",
        "best: mean excess risk",
    }
    for chain in CHAINS.values():
        assert not check_links(chain, ALL), chain.name


def changed(chain: Chain, name: str, statement: object) -> Chain:
    """The same chain with another hypothesis under this name."""
    kept = tuple(
        dataclasses.replace(h, statement=statement) if h.name == name else h for h in chain.hypotheses
    )
    return dataclasses.replace(chain, hypotheses=kept)


@pytest.mark.parametrize(
    ("user", "name", "statement"),
    [
        ("best: epoch regret", "kernel", sp.true),  # another way to play
        ("best: epoch regret", "E1 eta >= rbar s", sp.true),
        ("best: epoch regret", "end", sp.true),  # the first epoch not uniform
        ("best: epoch regret", "H5", sp.true),
        ("best: epoch regret", "H3", sp.true),
        ("best: epoch regret", "maximum", sp.true),
        ("best: epoch regret, two arms", "arms", sp.true),  # any number of arms
        ("best: doubling", "H4", sp.true),
    ],
)
def test_a_link_is_refused_where_its_assumption_is_not_made(user: str, name: str, statement: object) -> None:
    chain = changed(CHAINS[user], name, statement)
    assert check_links(chain, ALL)


def with_total(chain: Chain, index: str, value: sp.Symbol, term: object) -> Chain:
    """The same chain with another term under this name."""
    table = tuple(Total(value, term) if t.value == value else t for t in chain.totals[index])
    assert table != chain.totals[index]
    return dataclasses.replace(chain, totals={**chain.totals, index: table})


def beginning(chain: Chain, symbol: sp.Symbol, first: object) -> Chain:
    """The same chain, its induction beginning elsewhere."""
    every = step(chain, "every epoch")
    assert isinstance(every.rule, Induction)
    rule = dataclasses.replace(every.rule, first={**every.rule.first, symbol: first})
    steps = tuple(dataclasses.replace(s, rule=rule) if s is every else s for s in chain.steps)
    return dataclasses.replace(chain, steps=steps)


AT_L = mean.LEVELS["l"]
CHANGES = {
    "half the risk is averaged": with_total(
        CHAINS["best: average"], "draw", average.weighted, average.E * average.h / 2
    ),
    "other arms are counted": with_total(CHAINS["best: average"], "draw", average.S, 2 * average.E * run.K),
    "the average is over agents": dataclasses.replace(
        CHAINS["best: average"],
        totals={
            "arm": CHAINS["best: average"].totals["arm"],
            "agent": CHAINS["best: average"].totals["draw"],
        },
    ),
    "eps of a draw is half of it": with_total(
        CHAINS["best: epoch regret"], "arm", AT_L.eps, AT_L.d**2 / AT_L.V / 2
    ),
    "h is that of another epoch": with_total(
        CHAINS["best: epoch regret"], "arm", AT_L.h, AT_L.miss**2 / run.V1
    ),
    "the risks so far are half of them": with_total(
        CHAINS["best: epoch regret"], "draw", mean.so_farx, decay.risksx / 2
    ),
    "their sum begins below zero": beginning(CHAINS["best: epoch regret"], mean.so_far, sp.Integer(-1)),
    "the risks begin above zero": beginning(CHAINS["best: pathwise claim"], decay.risks, sp.Integer(1)),
    "the weights begin elsewhere": beginning(CHAINS["best: epoch regret"], decay.N, sp.Integer(0)),
    "with two arms too": beginning(CHAINS["best: two arms"], decay.risks, sp.Integer(1)),
}


@pytest.mark.parametrize("change", list(CHANGES))
def test_a_sum_that_is_not_the_same_in_two_parts_is_refused(change: str) -> None:
    chain = CHANGES[change]
    chains = tuple(chain if c.name == chain.name else c for c in ALL)
    with pytest.raises(BadChain, match=re.escape(".py: ")):
        link(chains)


def test_rates_that_depend_on_the_data_are_noticed() -> None:
    assert breaks(CHAINS["best: epoch regret"], "known rates")


def test_parameters_that_violate_a_side_condition_are_refused() -> None:
    wrong = numbers(dataclasses.replace(ANY_SCHEDULE, absorbed=F(1, 5)))
    with pytest.raises(ValueError, match="is false at these values"):
        inherited(CHAINS["best: epoch regret"].hypotheses, wrong)
    user = CHAINS["best: theorem"]
    hypotheses = tuple(
        dataclasses.replace(h, renamed=wrong) if h.source == "best: epoch regret/of an epoch" else h
        for h in user.hypotheses
    )
    unmet = check_links(dataclasses.replace(user, hypotheses=hypotheses), ALL)
    assert any("E1 eta >= rbar s" in name for name in unmet)


@pytest.mark.parametrize("name", ["any schedule", "doubling"])
def test_symbolic_definitions_agree_with_the_numbers(name: str) -> None:
    p = {"any schedule": ANY_SCHEDULE, "doubling": DOUBLING}[name]
    assert definitions_hold(p, derive(p))
    wrong = dataclasses.replace(derive(p), zeta=derive(p).zeta + F(1, 10**9))
    assert not definitions_hold(p, wrong)


NEEDED = [name for name in side_conditions(ANY_SCHEDULE) if name.startswith("E")]


def breaks(chain: Chain, name: str) -> bool:
    """Whether some step that assumes the condition fails without it."""
    fewer = without(chain, name)
    users = [s for s in fewer.steps if name in step(chain, s.name).assumes]
    return any(check_step(s, fewer).outcome is not Outcome.PROVED for s in users)


@pytest.mark.parametrize("name", NEEDED)
def test_deleting_a_side_condition_breaks_a_step(name: str) -> None:
    assert condition(name).name == name
    assert breaks(CHAINS["best: pathwise claim"], name)


@pytest.mark.parametrize(
    "name", ["kernel", "regret", "(I)", "(I) at L-1", "(I) at l", "H5", "end", "H1", "om_1", "w"]
)
def test_deleting_what_a_run_is_breaks_a_step(name: str) -> None:
    assert breaks(CHAINS["best: pathwise claim"], name)


def test_chains_are_complete() -> None:
    assert len(CHAINS) == 15
    assert sum(len(c.steps) for c in CHAINS.values()) > 500


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
