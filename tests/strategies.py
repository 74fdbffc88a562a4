"""Random exact instances for the lemmas: contexts, arms, agents, functions, arm probabilities, ties, learning rates.

Everything is a Fraction. Functions may leave [0,1] where the lemma allows it (`wide`). A coarse grid makes ties
likely. Learning rates go from 1e-6 to 1e12.
"""

from fractions import Fraction

from hypothesis import strategies as st

from bounds.schedules import EpochPlan
from fedigw.federation import Federation
from finite_class.federations import finite_federation
from finite_class.lemmas.sides import Row, Table
from finite_class.lemmas.two_epochs import AgentCells, TwoEpochs
from finite_class.world import Agent

unit_values = st.one_of(
    st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1)]),
    st.integers(0, 12).map(lambda k: Fraction(k, 12)),
    st.integers(0, 1000).map(lambda k: Fraction(k, 1000)),
)
wide_values = st.one_of(unit_values, st.integers(-40, 40).map(lambda k: Fraction(k, 4)))
rates = st.one_of(
    st.sampled_from([Fraction(1, 10**6), Fraction(1), Fraction(10**12)]),
    st.integers(-6, 12).map(lambda e: Fraction(10) ** e),
    st.integers(1, 400).map(lambda k: Fraction(k, 4)),
)


@st.composite
def laws(draw: st.DrawFn, size: int) -> Row:
    """Draw `size` probabilities, of which some may be zero."""
    weights = draw(st.lists(st.integers(0, 9), min_size=size, max_size=size))
    total = sum(weights)
    if not total:
        return (Fraction(1), *([Fraction(0)] * (size - 1)))
    return tuple(Fraction(w, total) for w in weights)


@st.composite
def kernels(draw: st.DrawFn, contexts: int, arms: int) -> tuple[Row, ...]:
    """Draw arm probabilities for every context, all positive: lem:VE does not ask for inverse gap weighting."""
    rows = []
    for _ in range(contexts):
        weights = draw(st.lists(st.integers(1, 30), min_size=arms, max_size=arms))
        rows.append(tuple(Fraction(w, sum(weights)) for w in weights))
    return tuple(rows)


@st.composite
def tables(
    draw: st.DrawFn, contexts: int, arms: int, values: st.SearchStrategy[Fraction] = wide_values
) -> Table:
    """Draw values for every context and arm."""
    row = st.lists(values, min_size=arms, max_size=arms).map(tuple)
    return tuple(draw(st.lists(row, min_size=contexts, max_size=contexts)))


@st.composite
def one_agent(
    draw: st.DrawFn, values: st.SearchStrategy[Fraction] = wide_values
) -> tuple[Row, Table, Fraction, tuple[int, ...]]:
    """Draw (contexts, estimate, learning rate, policy) of one agent."""
    contexts, arms = draw(st.integers(1, 3)), draw(st.integers(2, 5))
    policy = tuple(draw(st.lists(st.integers(0, arms - 1), min_size=contexts, max_size=contexts)))
    return draw(laws(contexts)), draw(tables(contexts, arms, values)), draw(rates), policy


@st.composite
def deviations(draw: st.DrawFn) -> tuple[Row, tuple[Row, ...], Table, tuple[int, ...], tuple[int, ...]]:
    """Draw (contexts, arm probabilities, deviations, policy, another policy)."""
    contexts, arms = draw(st.integers(1, 3)), draw(st.integers(2, 4))
    pick = st.lists(st.integers(0, arms - 1), min_size=contexts, max_size=contexts).map(tuple)
    return (
        draw(laws(contexts)),
        draw(kernels(contexts, arms)),
        draw(tables(contexts, arms)),
        draw(pick),
        draw(pick),
    )


@st.composite
def tiny_two_epochs(draw: st.DrawFn) -> TwoEpochs:
    """Draw two epochs of one agent with one context and two arms, values on a coarse grid, and a learning rate that
    falls."""
    coarse = st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1)])
    truth, now = draw(tables(1, 2, coarse)), draw(tables(1, 2, coarse))
    before = truth if draw(st.booleans()) else draw(tables(1, 2, coarse))
    falls = draw(st.sampled_from([(10, 1), (10**6, 1), (10**6, 10)]))
    return TwoEpochs((AgentCells((Fraction(1),), truth, before, now),), *map(Fraction, falls))


@st.composite
def two_epochs(draw: st.DrawFn) -> TwoEpochs:
    """Draw two epochs with any true function in [0,1] and any two estimates; learning rates do not decrease
    (hypothesis H5)."""
    agents = []
    for _ in range(draw(st.integers(1, 3))):
        contexts, arms = draw(st.integers(1, 2)), draw(st.integers(1, 4))
        before, grow = draw(st.integers(1, 6)), draw(st.integers(1, 4))
        agents.append(
            AgentCells(
                draw(laws(contexts)),
                draw(tables(contexts, arms, unit_values)),
                draw(tables(contexts, arms)),
                draw(tables(contexts, arms)),
                before,
                before * grow,
            )
        )
    first, second = sorted((draw(rates), draw(rates)))
    return TwoEpochs(tuple(agents), first, second)


@st.composite
def reward_cells(
    draw: st.DrawFn, values: st.SearchStrategy[Fraction] = unit_values
) -> tuple[Row, Row, Row, tuple[tuple[Fraction, Fraction, Fraction], ...]]:
    """Draw (weights, f, f*, rewards) over a few cells: f* is the true function, rewards in [0,1] have two values and
    mean f*."""
    size = draw(st.integers(1, 3))
    rewards, truths = [], []
    for _ in range(size):
        low, high = sorted((draw(unit_values), draw(unit_values)))
        chance = draw(unit_values)
        rewards.append((low, high, chance))
        truths.append(chance * high + (1 - chance) * low)
    f = tuple(draw(st.lists(values, min_size=size, max_size=size)))
    return draw(laws(size)), f, tuple(truths), tuple(rewards)


@st.composite
def tiny_runs(draw: st.DrawFn, rules: tuple[str, ...] = ("printed", "sharpened")) -> Federation:
    """Draw a run of three short epochs. It has one or two agents with their own arms, contexts and lengths, a class
    of two or three functions, any ties, and learning rates by a rule of the theorem."""
    contexts, size = draw(st.integers(1, 2)), draw(st.integers(2, 3))
    arms = draw(st.integers(2, 3)) if contexts == 1 else 2
    halves = st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1)])
    functions = tuple(draw(tables(contexts, arms, halves)) for _ in range(size))
    agents, rows = [], []
    for _ in range(draw(st.integers(1, 2))):
        agents.append(Agent(draw(laws(contexts)), tuple(range(draw(st.integers(2, arms))))))
        first, grow = draw(st.integers(1, 2)), draw(st.integers(1, 2))
        rows.append((first, first * grow, first * grow))
    lengths = tuple(zip(*rows, strict=True))
    return finite_federation(
        functions=functions,
        truth=0,
        agents=tuple(agents),
        plan=EpochPlan(lengths, lengths),
        ties=draw(st.sampled_from(["first", "adversarial", "uniform"])),
        learning_rate=draw(st.sampled_from(rules)),
        rewards=draw(st.sampled_from(["deterministic", "bernoulli"])),
    )
