"""Check Theorem G (bounds/local_steps.py), about the convergence of FedAvg, LSGD-PFL and SCAFFOLD, in four ways.

one_round   the inequality for one round, in rationals, as a mean over all sequences of samples: least squares, two
            agents
runs        one and several rounds, as means over all sequences of samples: squared and logistic losses, last and
            average point
moments     many rounds on ridge problems, by their second moments: the average point
gradients   several rounds with full local gradients: squared and logistic losses
"""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from bounds import local_steps
from verify.claim import Claim, Evidence, Task, Verdict
from verify.experiments import local_moments
from verify.experiments.local_paths import Losses, Setting
from verify.experiments.local_ratios import Ratio, compared, cut, worst
from verify.formal.scalar_steps import ScalarStep, check_steps, written

PERSONAL = ("lsgd_pfl", "lsgd_pfl_sgd")


def _rational(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    drawn = rng.integers(-4, 5, shape)
    return np.array([Fraction(int(v), 4) for v in drawn.ravel()], dtype=object).reshape(shape)


def one_round(rng: np.random.Generator, name: str, picked: int = 0) -> Ratio | None:
    """Return both sides of the convergence theorem's inequality for one round (Theorem G), on a random least-squares
    problem in rationals, at the largest step that the method `name` allows. picked: how many of three agents take part;
    0 means two agents that both take part."""
    method, agents = local_steps.METHODS[name], 3 if picked else 2
    d = int(rng.integers(1, 3))
    shared = int(rng.integers(1, d + 1)) if name in PERSONAL else d
    share = Fraction(int(rng.choice([16, 32, 48, 63])), 64)
    weights = [Fraction(1, agents)] * agents if picked else [share, 1 - share]
    # the worst case has samples of little curvature and large gradients
    flat = Fraction(1, 16) ** rng.integers(0, 2, (agents, 2)).astype(object)
    features, rewards = _rational(rng, (agents, 2, d)) * flat[..., None], _rational(rng, (agents, 2)) / flat
    if not (features**2).sum():
        return None
    ridge = Fraction(1, int(rng.choice([4, 20, 100])))
    losses = Losses(features, rewards, np.array(weights), ridge, shared)
    steps, server = int(rng.integers(1, 3)), Fraction(int(rng.integers(1, 3)))
    step = Fraction(*method.limit) / losses.beta
    setting = Setting(losses, method, step, steps, server, 2 if method.variates[0] else 0, picked=picked)
    point = losses.best + int(rng.integers(0, 2)) * losses.average(_rational(rng, losses.best.shape))
    controls = losses.mean_gradients(losses.best) + int(rng.integers(0, 2)) * _rational(rng, point.shape)
    left, right = setting.one_round(point, controls)
    where = f"d = {d} ({shared} shared), K = {steps}, server step {server}"
    return Ratio(left, right, where) if right else None


def _drawn_losses(rng: np.random.Generator, agents: int, samples: int, personal: bool) -> Losses:
    d = int(rng.integers(1, 4))
    shared = int(rng.integers(0, d + 1)) if personal else d
    features = rng.standard_normal((agents, samples, d)) * rng.choice([0.3, 1.0, 3.0], (agents, 1, 1))
    features /= np.sqrt((features**2).sum(axis=-1).max())
    logistic = bool(rng.integers(0, 2))
    rewards = rng.integers(0, 2, (agents, samples)) if logistic else rng.standard_normal((agents, samples))
    weights = rng.dirichlet(np.full(agents, 3.0))
    return Losses(features, rewards.astype(float), weights, 10 ** rng.uniform(-2.5, 0), shared, logistic)


def whole_run(rng: np.random.Generator, name: str, variates: int = 0) -> Ratio | None:
    """Compare the error after some rounds of the method `name` on a random problem with two bounds of the convergence
    theorem (Theorem G), for the last and for the average point, and both sides of its inequality for one round. Return
    the largest ratio. variates: 1 for SCAFFOLD with option I, which has only the bound for the last point."""
    full = not name.endswith("_sgd")
    method = local_steps.SCAFFOLD_FIRST if variates == 1 else local_steps.METHODS[name]
    agents, samples = (int(rng.integers(2, 5)), int(rng.integers(1, 5))) if full else (2, 2)
    losses = _drawn_losses(rng, agents, samples, name in PERSONAL)
    steps = int(rng.choice([1, 2, 5, 10] if full else [1, 2]))
    rounds = int(rng.choice([1, 3, 30] if full else [1, 2, 3]))
    server, share = float(rng.choice([1.0, 1.0, 1.5, 4.0])), float(rng.choice([1.0, 1.0, 0.3]))
    step = share * method.most / losses.beta
    kind = (variates or 2) if method.variates[0] else 0
    setting = Setting(losses, method, step, steps, server, kind, full)
    away = losses.average(rng.standard_normal(losses.best.shape)) * float(rng.choice([0.0, 0.1, 1.0, 10.0]))
    start, last, gap = setting.run(losses.best + away, rounds)
    terms, mu = setting.terms, losses.mu
    factor = local_steps.rate(method, step, mu, losses.beta)
    kind_of_loss = "logistic" if losses.logistic else "squared"
    where = f"{kind_of_loss}, K = {steps}, server step {server:g}, u = {step * losses.beta:.3g}, R = {rounds}"
    found = [
        Ratio(last, local_steps.distance_bound(rounds, factor, step, mu, start, *terms), f"{where}, last")
    ]
    if variates != 1:
        bound = local_steps.gap_bound(rounds, step, mu, start, *terms)
        found.append(Ratio(gap, bound, f"{where}, average"))
        found.append(Ratio(*setting.one_round(losses.best + away, 0 * away), f"{where}, one round"))
    return worst(ratio for ratio in found if ratio.bound > 1e-13)


def long_run(rng: np.random.Generator, name: str) -> Ratio | None:
    """Compare the objective minus its minimum, averaged over many rounds of the method `name` on a random ridge
    problem, with the bound of the convergence theorem (Theorem G) at the average point. The averaged values are exact
    expectations, and the weights are those of the theorem."""
    method, scaffold = local_steps.METHODS[name], name == "scaffold_sgd"
    data = local_moments.random_samples(rng, name in PERSONAL, small=scaffold)
    steps, server = int(rng.choice([1, 2, 3, 8, 20])), float(rng.choice([1.0, 1.0, 1.5, 4.0]))
    step, rounds = float(rng.choice([1.0, 1.0, 0.3])) * method.most / data.beta, int(rng.choice([5, 30, 200]))
    problem, (common, own) = data.mean, data.variances
    zero = np.zeros_like(problem.minimisers)
    controls = rng.choice([0.0, 1.0]) * rng.standard_normal(zero.shape) if scaffold else None
    moments = local_moments.run(data, steps, step / (steps * server), server, controls)
    noise = float(data.weights.max()) * common + own
    terms = (
        method.c1(steps, server, step * data.beta, noise, common + own),
        method.c2(steps, server, data.beta, problem.heterogeneity),
    )
    start = problem.distance(zero)
    if controls is not None:
        error = data.weights @ ((controls - problem.gradients(problem.best)) ** 2).sum(axis=1)
        start += method.weight(step, server, data.beta) * float(error)
    bound = local_steps.gap_bound(rounds, step, problem.mu, start, *terms)
    where = f"K = {steps}, server step {server:g}, u = {step * data.beta:.3g}, R = {rounds}"
    return Ratio(moments.weighted_gap(rounds, 1 - problem.mu * step / 2), bound, where)


def as_exact(found: Evidence) -> Evidence:
    if found.kind is not Verdict.FLOAT:
        return found
    return replace(found, kind=Verdict.EXACT, summary=found.summary.replace("floating point", "rationals"))


def _compared(task: Task, what: str, **given: Any) -> Evidence:
    found = compared(task, what=what, **given)
    return as_exact(found) if what == "one round" else found


def enter(
    claim: Claim,
    name: str,
    hardest: dict[str, tuple[int, float]],
    step: str,
    exponent: Fraction = Fraction(37, 10) * Fraction(3, 16),
) -> None:
    """Add the checks of the convergence theorem (Theorem G) for the protocol `name` to a claim, and the check `choice`
    to its variant `step`. hardest: for each check, the seed of the hardest known problem and its ratio of error to
    bound; the negative control multiplies the bound by less than this ratio. exponent: the argument of `choice`."""
    noisy = f"{name}_sgd"
    checks = {
        "one_round": ("repaired", partial(one_round, name=noisy), "one round", (12, 400)),
        "runs": ("repaired", partial(whole_run, name=noisy), "whole runs, all paths", (12, 400)),
        "moments": ("repaired", partial(long_run, name=noisy), "long runs, second moments", (16, 600)),
        "gradients": ("gradients", partial(whole_run, name=name), "runs with full gradients", (16, 600)),
        "option-I": ("gradients", partial(whole_run, name=name, variates=1), "option I", (12, 400)),
    }
    for key, (seed, largest) in hardest.items():
        variant, one, what, counts = checks[key]
        given = dict(one=one, what=what, hardest=(seed,), counts=counts)
        about = f"Compare {what} with the bound of Theorem G on random problems; control: a smaller bound"
        claim.check(variant, control=dict(shrink=cut(largest)), given=given, name=key, about=about)(_compared)
    claim.check(step, control=dict(share=Fraction(9, 10)), given=dict(exponent=exponent))(choice)


STEP = """
    the step of (a) and (b): root = sqrt(first^2 + 4 second A), h = 2A/(first + root) has first h + second h^2 <= A
        A > 0, first >= 0, second >= 0, first + second > 0, root >= 0, root**2 == first**2 + 4*second*A,
        h > 0, h*(first + root) <= 2*A => first*h + second*h**2 <= A
    the paper's form, h = min(umax/beta, 2 Lb/(mu R)): y/(2(1-y)) <= y for 0 < y <= 1/2
        0 < y, 2*y <= 1 => y <= 2*y*(1 - y)
    its noise and drift, n = mu R
        h > 0, L > 0, n > 0, c1 >= 0, c2 >= 0, h*n <= 2*L => (c1*h + c2*h**2)*n**2 <= 2*c1*L*n + 4*c2*L**2
"""
LAST = """
    rounds by (a): ln(2 Psi_0/tol)/(mu h) give (1 - mu h)^R Psi_0 + error/mu <= tol
        tol > 0, mu > 0, start > 0, power >= 0, growth > 0, power*growth <= 1, growth*tol >= 2*start,
        2*error <= mu*tol, mu*d <= mu*power*start + error => d <= share*tol
"""
AVERAGE = """
    rounds by (b): (2/(mu h)) ln(1 + mu Psi_0/eps) give (mu/2) Psi_0 y/(1-y) + error <= eps, y = q^R
        eps > 0, mu > 0, start > 0, 0 < y, y < 1, y*(eps + mu*start) <= eps, 2*error <= eps,
        2*(gap - error)*(1 - y) <= mu*start*y => gap <= share*eps
"""


def shared(text: str, share: Fraction = Fraction(1)) -> tuple[ScalarStep, ...]:
    """Return the scalar inequalities written in `text`, with their bounds multiplied by `share`."""
    return written(text.replace("share*", f"{share.numerator}/{share.denominator}*"))


def halves(exponent: Fraction) -> bool:
    total, term = Fraction(0), Fraction(1)
    for k in range(1, 20):
        total, term = total + term, term * exponent / k
    return total >= 2


def choice(task: Task, exponent: Fraction, share: Fraction = Fraction(1)) -> Evidence:
    """Decide by z3, for all reals, the inequalities which show that the chosen step and number of rounds of a local
    method reach a tolerance. Negative control, which must fail: nine tenths of each tolerance.

    exponent: u mu R/(2 beta) for the smallest number of rounds R and the largest u that the statement allows; it must
    be at least ln 2. u is the step of a round times the largest curvature beta, and mu the smallest curvature.
    """
    if not halves(exponent):
        return Evidence(Verdict.REFUTED, f"e^-({exponent}) > 1/2", {"exponent": str(exponent)})
    return check_steps(written(STEP) + shared(LAST, share) + shared(AVERAGE, share))
