"""Compute the exact probability law of tiny runs of FedIGW with linear rewards: estimates are a Markov chain.

There are finitely many contexts. Given the estimate, the data of an epoch are counts of (feature, reward) pairs
(linear/counts.py), and the next estimate is their ridge estimate. So the expected regret and the excess risks are sums
over all possible samples: in rationals if there are few, else in floats.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from bounds.errors import InputError
from bounds.schedules import Segment
from fedigw.federation import Federation
from fedigw.interfaces import Acting
from fedigw.law import EpochLaw, ExactLaw, Number, TooLarge, in_rationals_or_floats, walk
from linear import counts
from linear.contexts.finite import FiniteContexts
from linear.model import Ridge
from linear.world import LinearWorld

MOST_RATIONAL = 1_000
MOST_PRODUCTS = 20_000_000  # of rationals, about a minute; beyond it the law is computed in floats
MOST_FLOAT = 300_000


def exact_law(federation: Federation, rational: bool = True, last_risk: bool = True) -> ExactLaw:
    """Return the exact probability law of a run of FedIGW, in rationals if there are few possible samples, else in
    floats. Raise InputError if there are too many. last_risk=False leaves out the estimate learned from the last epoch,
    which no later epoch uses and which is most of the work."""
    if not federation.world.finite:
        raise InputError("contexts", "sphere", "the exact law is for finite contexts; use simulate")
    size = f"longest epoch {max(sum(row) for row in federation.plan.full)} steps"
    return in_rationals_or_floats(
        federation, lambda exact: _law(federation, exact, last_risk), rational, size
    )


def _law(federation: Federation, exact: bool, last_risk: bool) -> ExactLaw:
    kind, most = (object, MOST_RATIONAL) if exact else (float, MOST_FLOAT)
    world = LinearWorld.of(federation)
    groups = [(_exact(c) if exact else c, members) for c, members in world.groups()]
    parameter = _fractions(world.parameter) if exact else world.parameter
    rates: list[Any] = [Fraction(r) if exact else r for r in federation.learning_rates()]
    spent = 0

    def move(epoch: int, segment: Segment, law: Any) -> tuple[EpochLaw, Any]:
        nonlocal spent
        estimates, masses = law
        act = Acting(federation.model, estimates, federation.policy_in(segment), rates[epoch])
        kernels = [act(contexts.features) for contexts, _ in groups]
        regret: Number = 0
        for (contexts, members), kernel in zip(groups, kernels, strict=True):
            steps = sum(segment.played[m] for m in members)
            regret = regret + steps * (masses * contexts.regret_rate(kernel, parameter)).sum()
        lengths = [sum(segment.full[m] for m in members) for _, members in groups]
        found, risk = [], None
        last = epoch + 1 == federation.plan.epochs
        if epoch == 0 and last and segment.learns:
            risk = mean_excess_risk(federation, exact)  # far fewer outcomes: rewards do not matter one by one
        elif segment.learns and (last_risk or not last):
            try:
                risk = 0
                for state, mass in enumerate(masses):
                    mine = [kernel[state] for kernel in kernels]
                    learned, chances, second = _learn(federation, groups, mine, lengths, exact, most - spent)
                    spent += len(chances)
                    if len(chances) * (len(masses) - state) > most:
                        raise TooLarge  # the other estimates have as many outcomes: say so before they are met
                    error = learned - parameter
                    risk += mass * (chances * ((error @ second) * error).sum(axis=1)).sum() / sum(lengths)
                    found.append((learned, mass * chances))
            except TooLarge:
                if not last:
                    raise
                risk = None  # what the last epoch teaches is never used: its regret is still exact
        if not exact:
            regret, risk = float(regret), None if risk is None else float(risk)
        epoch_law = EpochLaw(segment.played, float(rates[epoch]), len(masses), regret, risk)
        if not found or last:
            return epoch_law, law
        joined = tuple(np.concatenate(parts) for parts in zip(*found, strict=True))
        return epoch_law, _merged(*joined)

    start = (0 * parameter[None], np.array([Fraction(1) if exact else 1.0], dtype=kind))
    return walk(federation, start, move, exact)


def mean_excess_risk(federation: Federation, rational: bool = True) -> Number:
    """Return the exact mean excess risk after epoch 1, a sum over all possible samples. Raise TooLarge if there are too
    many."""
    # the reward noise has mean zero and enters linearly, so it is averaged in closed form: given how often each
    # feature occurs (N), with A = sum N phi phi' + Lam I and Sigma = E phi phi', the risk is tr(Sigma A^{-1} (sum N
    # Var(r) phi phi') A^{-1}) + Lam^2 w*'A^{-1} Sigma A^{-1} w*
    kind = object if rational else float
    world, model = LinearWorld.of(federation), Ridge.of(federation)
    parameter = _fractions(world.parameter) if rational else world.parameter
    d, lengths = model.dimension, federation.plan.full[0]
    grams, noises = np.zeros((1, d, d), dtype=kind), np.zeros((1, d, d), dtype=kind)
    chances, second = np.ones(1, dtype=kind), np.zeros((d, d), dtype=kind)
    for shared, members in world.groups():
        contexts, steps = _exact(shared) if rational else shared, sum(lengths[m] for m in members)
        weights = np.repeat(contexts.law / contexts.arms, contexts.arms)
        second = second + steps * (contexts.cells.T * weights) @ contexts.cells
        # the mean reward is a function of the feature, so cells of equal features are one
        given = counts.cells(
            contexts.cells, weights, contexts.means(parameter).ravel(), rewards="deterministic"
        )
        if len(chances) * given.outcomes(steps) > (MOST_RATIONAL if rational else MOST_FLOAT):
            raise TooLarge
        met, mass = counts.law(given, steps)
        squares = np.einsum("si,sj->sij", given.features, given.features).reshape(len(given.chances), -1)
        spread = np.array([counts.variance(mean, world.rewards) for mean in given.rewards], dtype=kind)
        grams = (grams[:, None] + (met @ squares).reshape(1, -1, d, d)).reshape(-1, d, d)
        more = (met @ (squares * spread[:, None])).reshape(1, -1, d, d)
        noises = (noises[:, None] + more).reshape(-1, d, d)
        chances = (chances[:, None] * mass[None]).ravel()
    inverse = _inverse(grams, model.regularisation, rational)
    shrunk = (inverse @ parameter) * (Fraction(model.regularisation) if rational else model.regularisation)
    # tr(XY) = sum X_ij Y_ji with X = Sigma A^{-1}, and Y' = A^{-1} (sum N Var(r) phi phi')
    variance = ((second @ inverse) * (inverse @ noises)).sum(axis=(1, 2))
    bias = ((shrunk @ second) * shrunk).sum(axis=1)
    total = (chances * (variance + bias)).sum() / sum(lengths)
    return total if rational else float(total)


def _inverse(grams: np.ndarray, shrinkage: float, exact: bool) -> np.ndarray:
    d = grams.shape[1]
    if not exact:
        return np.asarray(np.linalg.inv(grams + shrinkage * np.eye(d)))
    found = np.empty(grams.shape, dtype=object)
    for index, gram in enumerate(grams):
        for column in range(d):
            unit = np.array([int(i == column) for i in range(d)], dtype=object)
            found[index, :, column] = _solve(gram, unit, Fraction(shrinkage))
    return found


def _merged(estimates: np.ndarray, masses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    law: dict[tuple[Number, ...], Number] = {}
    for row, mass in zip(estimates.tolist(), masses.tolist(), strict=True):
        key = tuple(row)
        law[key] = law[key] + mass if key in law else mass
    return np.array(list(law), dtype=estimates.dtype), np.array(list(law.values()), dtype=masses.dtype)


def _learn(
    federation: Federation,
    groups: list[tuple[FiniteContexts, list[int]]],
    kernels: list[np.ndarray],
    lengths: list[int],
    exact: bool,
    most: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return every possible ridge estimate (O, d) of an epoch, its probability (O,), and the expected Gram matrix (d,
    d) of the epoch's samples. groups: pairs of contexts and the agents that share them. kernels: arm probabilities.
    lengths: numbers of samples. most: limit on O."""
    kind = object if exact else float
    world, model = LinearWorld.of(federation), Ridge.of(federation)
    d = model.dimension
    parameter = _fractions(world.parameter) if exact else world.parameter
    grams, moments = np.zeros((1, d, d), dtype=kind), np.zeros((1, d), dtype=kind)
    chances = np.ones(1, dtype=kind)
    second = np.zeros((d, d), dtype=kind)
    for (contexts, _), kernel, steps in zip(groups, kernels, lengths, strict=True):
        weights = (kernel * contexts.law[:, None]).ravel()
        if exact and len(weights) * d * d > MOST_PRODUCTS:
            raise TooLarge
        second = second + steps * (contexts.cells.T * weights) @ contexts.cells
        given = counts.cells(contexts.cells, weights, contexts.means(parameter).ravel(), world.rewards)
        if len(chances) * given.outcomes(steps) > most:
            raise TooLarge
        if exact and given.outcomes(steps) * len(given.chances) * d * d > MOST_PRODUCTS:
            raise TooLarge
        met, mass = counts.law(given, steps)
        squares = np.einsum("si,sj->sij", given.features, given.features).reshape(len(given.chances), -1)
        more = (met @ squares).reshape(-1, d, d)
        right = met @ (given.features * given.rewards[:, None])
        grams = (grams[:, None] + more[None]).reshape(-1, d, d)
        moments = (moments[:, None] + right[None]).reshape(-1, d)
        chances = (chances[:, None] * mass[None]).ravel()
    if exact:
        shrinkage = Fraction(model.regularisation)
        learned = np.array(
            [_solve(gram, moment, shrinkage) for gram, moment in zip(grams, moments, strict=True)],
            dtype=object,
        )
    else:
        system = grams + model.regularisation * np.eye(d)
        learned = np.linalg.solve(system, moments[..., None])[..., 0]
    return learned, chances, second


def _solve(gram: np.ndarray, moment: np.ndarray, shrinkage: Fraction) -> list[Fraction]:
    d = len(moment)
    rows = [
        [Fraction(gram[i, j]) + (shrinkage if i == j else 0) for j in range(d)] + [Fraction(moment[i])]
        for i in range(d)
    ]
    for i in range(d):
        for k in range(i + 1, d):
            factor = rows[k][i] / rows[i][i]
            rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i], strict=True)]
    solution = [Fraction(0)] * d
    for i in reversed(range(d)):
        known = sum((rows[i][j] * solution[j] for j in range(i + 1, d)), Fraction(0))
        solution[i] = (rows[i][d] - known) / rows[i][i]
    return solution


def _fractions(values: np.ndarray) -> np.ndarray:
    return np.asarray(np.vectorize(lambda value: Fraction(float(value)), otypes=[object])(values))


def _exact(contexts: FiniteContexts) -> FiniteContexts:
    law = _fractions(contexts.law)
    return FiniteContexts(_fractions(contexts.features), law / law.sum())
