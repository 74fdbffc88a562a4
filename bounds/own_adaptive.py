"""Choose the learning rates of inverse gap weighting from the data, over a finite class, and bound the regret of the
run that was played (own:adaptive).

Notation: |F| functions, K arms, f* the true function, L_n(f) the sum of squared losses of f on the first n samples. The
version space is the set of functions f with L_n(f) - min L_n < b, where b = ln((|F|-1)/delta)/2. With probability at
least 1 - delta the version space always contains f*.

In a context x let U(x) be the largest mean of (fhat - f)^2(x, .) under the play so far, over all f of the version
space; fhat is the new model. The learning rate is gamma(x) = g sqrt(K/U(x)), with a factor g. If the old rate is
larger, the old rate and the old model stay. With the same probability the regret of the run is at most

    pathwise     the sum over its steps of min(1, C(g) K/gamma(x)), and 1 - 1/K while play is uniform
    confidence   the largest regret that the run would have if some f of the last version space were the truth

C(g) is the constant of the bound on an epoch's regret (bounds/best/constant.py). Expectations over contexts are under
the agents' distributions; if these are unknown, the largest value over contexts is used.
"""

# Proof.
# 1. Version space: the functions that the data have not refuted. For a sample with E[r | past, x, a] = f*, put
#    l = (f - r)^2 - (f* - r)^2 = D^2 + 2D(f* - r), D = f - f*; L_n(f) is the sum of squared losses of f on n samples.
#    Hoeffding's lemma for 2 th D (r - f*), r in [0,1]:  E[exp(-th l) | past, x, a] <= exp(-th D^2 + th^2 D^2/2), which
#    is at most 1 exactly for th <= 2. So exp(2 (L_n(f*) - L_n(f))) is a nonnegative supermartingale that starts at 1,
#    however arms are chosen, and Ville's inequality bounds the probability that it ever reaches (|F|-1)/delta by
#    delta/(|F|-1). One union bound, over the wrong f only and not over epochs: with probability at least 1 - delta,
#        L_n(f*) - min_f L_n(f) < b = ln((|F|-1)/delta)/2      for all n at once.
#    (Coq's one-sample inequality E exp(-1.04 l) <= 1 - 0.46368 D^2 gives the same with 1.04 in place of 2. Its
#    exponent pays for the D^2 that a mean excess risk needs; to contain f* no D^2 is needed, so the set may be half as
#    wide. Small D at f* = 1/2 attains it, which is why a threshold 10 % smaller is seen to fail.)
# 2. Rates, context by context. PathwiseClaim.pathwise_claim (two arms: TwoArms.pathwise_two_arms) is about one context,
#    every sequence of estimates and every nondecreasing gamma. If  gamma_l(x)^2 sum_a p^{l-1}(a|x) (fhat^l - f*)^2(x,a)
#    <= g^2 K for every l, then  sum_a p^L(a|x) (max f* - f*(x,a)) <= C(g) K/gamma_L(x).
#    On the event of 1, U(x) = max over the version space of sum_a p(a|x) (fhat - f)^2 bounds the error, so
#        gamma(x) = g sqrt(K/U(x))   where that is above the rate in use; elsewhere the old model and rate stay in use
#    (which makes the old epoch longer). No context law, no epoch length, no c enters.
# 3. The two bounds are the sum of 2 over all steps, and the maximum over the set of 1.

import math

import numpy as np

from bounds.arithmetic import Value
from bounds.best.constant import EpochConstant, best
from bounds.errors import InputError

LABEL = "own:adaptive"
STATEMENTS = {
    "finite_class": "observed",
    "linear_personalised": "linear",
}  # kind of world -> its statement, by default called like the kind
EXPONENT = 2  # th of step 1
MOST = 1e12  # a rate above it explores less than once in 1e12 steps; finite, so that it can be sent


def check_delta(delta: Value) -> float:
    """Return `delta`, the probability with which the bound may fail, as a float. Raise InputError unless it is
    between 0 and 1."""
    try:
        value = float(delta)
    except (TypeError, ValueError):
        value = math.nan
    if isinstance(delta, bool) or not 0 < value < 1:
        raise InputError("delta", delta, "must be a number between 0 and 1, both excluded")
    return value


def threshold(functions: int, delta: float) -> float:
    """Return ln((functions-1)/delta)/2, or 0 for one function. With probability 1 - delta the cumulative squared loss
    of the true function is never more than this above the least one in a class of `functions` functions."""
    return math.log((functions - 1) / delta) / EXPONENT if functions > 1 else 0.0


def constant(arms: int) -> EpochConstant:
    """Return the constant C(g) of the bound C(g) K/gamma on the regret of a step with K = `arms` arms and learning
    rate gamma = g sqrt(K/squared error). It is valid for all learning rates that do not decrease."""
    return best(arms)


def multiplier_squared(arms: int) -> float:
    """Return the g^2 for which the regret bound is least, if the learning rate is g sqrt(K/U): K = `arms`, and U is
    the bound on the model's mean squared error computed from the data."""
    return float(constant(arms).best_multiplier_squared)


def rate(arms: int, error: np.ndarray, g2: float) -> np.ndarray:
    """Return the learning rate sqrt(g2 arms/error) of inverse gap weighting, at most 10^12, shape (...), for bounds
    `error` (...) on the model's mean squared error."""
    with np.errstate(divide="ignore"):
        return np.minimum(MOST, np.sqrt(g2 * arms / np.asarray(error, dtype=float)))


def charge(arms: int, rates: np.ndarray, g2: float) -> np.ndarray:
    """Return a bound on the regret of one step at each learning rate in `rates`: min(1, C K/rate) for K = `arms`, or
    1 - 1/K at rate 0, which means uniform play. C is the constant of the bound on an epoch's regret if rates are
    sqrt(g2 K/squared error)."""
    if arms == 1:
        return np.zeros_like(rates)
    c = float(constant(arms).arms) + float(constant(arms).risk) * g2
    with np.errstate(divide="ignore"):
        return np.where(rates > 0, np.minimum(1.0, c * arms / rates), 1 - 1 / arms)
