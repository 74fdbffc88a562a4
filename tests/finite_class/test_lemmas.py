"""Property-based tests of the lemmas in exact rationals; the false variants are falsified by the same strategies.

`make test` runs SHORT cases of each; the long profile runs LONG of each.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
import strategies
from hypothesis import HealthCheck, Phase, find, given, settings, target
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from bounds.theorems import thm_global_regret
from finite_class.law import exact_law
from finite_class.lemmas import one_agent, two_epochs
from finite_class.lemmas.sides import Sides, arm_probabilities

SHORT, LONG, LONG_WORLDS = 20, 20_000, 5_000  # cases of a lemma
QUICK = settings(max_examples=SHORT)
THOROUGH = settings(suppress_health_check=list(HealthCheck))
Instance = Any


@dataclass(frozen=True)
class Lemma:
    """sides: both sides at an instance. false: the same with something wrong, which must fail somewhere."""

    name: str
    instances: st.SearchStrategy[Instance]
    sides: Callable[[Instance], Sides]
    false: Callable[[Instance], Sides]
    false_instances: st.SearchStrategy[Instance] | None = None
    cases: int = LONG


def scaled(sides: Callable[[Instance], Sides], factor: Fraction) -> Callable[[Instance], Sides]:
    """The same inequality with a smaller right side."""
    return lambda instance: Sides(sides(instance).left, factor * sides(instance).right)


def zero(value: Fraction) -> Sides:
    return Sides(value, Fraction(0))


def probabilities_of(instance: Instance) -> list[Any]:
    _, estimate, rate, _ = instance
    return [arm_probabilities(row, rate) for row in estimate]


def variance(instance: Instance, constant: Fraction) -> Sides:
    mean, _, spread = one_agent.loss_moments(*instance)
    return Sides(spread, constant * mean)


def mean_identity(instance: Instance) -> Sides:
    mean, deviation, _ = one_agent.loss_moments(*instance)
    return zero(abs(mean - deviation))


def shifted_mean(instance: Instance) -> Sides:
    """Without realizability: the truth is not the mean of the reward."""
    weights, f, truths, rewards = instance
    shifted = tuple(t + Fraction(1, 10) for t in truths)
    mean, deviation, _ = one_agent.loss_moments(weights, f, shifted, rewards)
    return zero(abs(mean - deviation))


EIGHTH = Fraction(1, 8)
worlds = strategies.two_epochs()
admissible = st.tuples(worlds, st.integers(1, 49), st.integers(1, 49))
# H5 dropped: the false variant of everything that needs it
UNORDERED = st.tuples(strategies.tiny_two_epochs(), st.integers(1, 49), st.integers(1, 49))


def admissible_splits(instance: Instance) -> tuple[Any, Fraction, Fraction]:
    """(world, s, t): 2ct < 1 and c s A2 < 1 for every pair of percentages."""
    world, first, second = instance
    c = world.asynchrony
    t = Fraction(second, 100) / c
    s = Fraction(first, 100) * (1 - c * t) / c
    return world, s, t


def general_regret(instance: Instance) -> Sides:
    return two_epochs.sharpened_epoch_regret(*admissible_splits(instance))


def learning_rate(run: Instance, too_large: Fraction = Fraction(1), by_rule: bool = False) -> Sides:
    """E Err^{l-1} <= g^2 S^{l-1}/(gamma^l)^2 in the epoch where it is tightest; E Err from the exact law of the run.

    by_rule: gamma^l as the product computes it, with the proved excess risk; else gamma^2 = Kbar/e (g = 1), e the true
    excess risk, where the lemma is an equality. too_large: gamma^2 is only of that order (erratum E7).
    """
    law, plan, rates = exact_law(run), run.plan, run.learning_rates()
    found = [Sides(Fraction(0), Fraction(1))]
    for epoch in range(1, plan.epochs):
        lengths = plan.full[epoch - 1]
        W, S = sum(lengths), sum(E * K for E, K in zip(lengths, run.arms, strict=True))
        e = Fraction(law.epochs[epoch - 1].excess_risk or 0)
        if by_rule:
            rule = run.rates.rule
            g2 = Fraction(thm_global_regret.multiplier_squared(rule, plan, run.arms, run.risks(rule)))
            found.append(Sides(W * e, g2 * S / (too_large * rates[epoch] ** 2)))
        elif e:
            found.append(Sides(W * e, S / (too_large * Fraction(S, W) / e)))
    return max(found, key=lambda sides: sides.ratio)


LEMMAS = (
    Lemma(
        "lem:loss_decompose",
        strategies.one_agent(),
        lambda i: zero(one_agent.decomposition_error(i[0], probabilities_of(i), i[1])),
        lambda i: Sides(one_agent.q_loss_bound(*i[:3]).left, min(max(i[1][0]) - v for v in i[1][0])),
    ),
    *(
        Lemma(
            f"lem:q_loss_bound {variant}",
            strategies.one_agent(
                strategies.unit_values if variant == "unit range" else strategies.wide_values
            ),
            lambda i, variant=variant: one_agent.q_loss_bound(*i[:3], variant),
            lambda i, variant=variant: (
                one_agent.q_loss_bound(*i[:3], "unit range")
                if variant == "unit range"
                else scaled(lambda j: one_agent.q_loss_bound(*j[:3], variant), Fraction(49, 100))(i)
            ),
            strategies.one_agent(),
        )
        for variant in ("printed", "sharpened", "unit range")
    ),
    Lemma(
        "lem:V_upper",
        strategies.one_agent(),
        lambda i: one_agent.v_upper(*i),
        lambda i: Sides(one_agent.v_upper(*i).left, one_agent.v_upper(*i).right - EIGHTH),
    ),
    Lemma(
        "lem:VE",
        strategies.deviations(),
        lambda i: one_agent.ve(*i[:4]),
        scaled(lambda i: one_agent.ve(*i[:4]), Fraction(9, 10)),
    ),
    *(
        Lemma(name, worlds, sides, sides, strategies.tiny_two_epochs(), LONG_WORLDS)
        for name, sides in (
            ("lem:true_virtual_loss first half", two_epochs.first_half),
            ("lem:true_virtual_loss second half", two_epochs.second_half),
        )
    ),
    Lemma(
        "lem:true_virtual_loss sharpened",
        admissible,
        lambda i: two_epochs.sharpened_induction(i[0], admissible_splits(i)[2]),
        lambda i: two_epochs.sharpened_induction(i[0], admissible_splits(i)[2]),
        UNORDERED,
        LONG_WORLDS,
    ),
    Lemma(
        "lem:learning_rate",
        strategies.tiny_runs(),
        learning_rate,
        lambda i: learning_rate(i, too_large=Fraction(101, 100)),
        cases=LONG_WORLDS,
    ),
    Lemma(
        "lem:learning_rate by the rules",
        strategies.tiny_runs(),
        lambda i: learning_rate(i, by_rule=True),
        lambda i: learning_rate(i, too_large=Fraction(20), by_rule=True),
        cases=LONG_WORLDS,
    ),
    Lemma(
        "lem:epoch_regret_bound sharpened", admissible, general_regret, general_regret, UNORDERED, LONG_WORLDS
    ),
    Lemma(
        "lem:finite_var mean", strategies.reward_cells(strategies.wide_values), mean_identity, shifted_mean
    ),
    Lemma(
        "lem:finite_var printed",
        strategies.reward_cells(),
        lambda i: variance(i, Fraction(4)),
        lambda i: variance(i, Fraction(4)),
        strategies.reward_cells(strategies.wide_values),
    ),
    Lemma(
        "lem:finite_var sharpened",
        strategies.reward_cells(),
        lambda i: variance(i, Fraction(4, 3)),
        lambda i: variance(i, Fraction(9, 10)),
    ),
)


@pytest.mark.parametrize("lemma", LEMMAS, ids=lambda lemma: lemma.name)
def test_lemma_holds(lemma):
    @QUICK
    @given(lemma.instances)
    def holds(instance: Instance) -> None:
        assert lemma.sides(instance).holds

    holds()


@pytest.mark.parametrize("lemma", LEMMAS, ids=lambda lemma: lemma.name)
def test_false_variant_is_falsified(lemma):
    try:
        found = find(
            lemma.instances if lemma.false_instances is None else lemma.false_instances,
            lambda instance: not lemma.false(instance).holds,
            settings=settings(max_examples=4000, derandomize=True, database=None, phases=[Phase.generate]),
        )
    except NoSuchExample:
        pytest.fail("the strategies do not reach an instance that the false variant fails on")
    assert not lemma.false(found).holds


@pytest.mark.long
@pytest.mark.parametrize("lemma", LEMMAS, ids=lambda lemma: lemma.name)
def test_lemma_holds_in_many_cases(lemma):
    cases = []

    @settings(THOROUGH, max_examples=lemma.cases)
    @given(lemma.instances)
    def holds(instance: Instance) -> None:
        sides = lemma.sides(instance)
        assert sides.holds
        cases.append(sides.ratio)
        target(sides.ratio)

    holds()
    assert len(cases) >= lemma.cases
