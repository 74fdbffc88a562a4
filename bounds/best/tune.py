"""Parameters of the proof for other situations (asynchrony c, another ratio): optimised in floats, kept as rationals.

The optimiser only proposes. What is returned is rational and every side condition is checked exactly, so a poor
proposal costs tightness, never truth.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from bounds.best.constant import asynchronous
from bounds.best.parameters import (
    ANY_SCHEDULE,
    DOUBLING,
    Parameters,
    closes,
    derive,
    side_conditions,
    violated,
)

MARGIN = 1e-7  # how far inside the side conditions the proposal stays, so that rounding cannot leave them
DECIMALS = 10**9


def tune(c: Fraction = Fraction(1), ratio: Fraction = Fraction(1)) -> Parameters:
    """Rational parameters that close, with the risk of epoch l counted c^{L-l+1} times; K is large."""
    import numpy as np
    from scipy.optimize import minimize

    largest = float(ratio)

    def parameters(z: Any) -> Parameters:
        last, previous, decay, spread, absorbed, transferred = (float(v) for v in z)
        return Parameters(last, previous, decay, spread, absorbed, transferred, largest)

    def objective(z: Any, growth: float) -> float:
        p = parameters(z)
        d = derive(p)
        first = p.spread * d.n / (4 * p.decay)
        risk = p.last * growth + p.previous * growth**2 + first * growth**3 / (1 - p.decay * growth)
        return float(2 * np.sqrt((1 + d.a) * risk))

    def room(z: Any) -> Any:
        slacks = side_conditions(parameters(z))
        return np.array([v - (0 if name == "rbar<=1" else MARGIN) for name, v in slacks.items()])

    known = DOUBLING if ratio < 1 else ANY_SCHEDULE
    names = ("last", "previous", "decay", "spread", "absorbed", "transferred")
    z = np.array([float(vars(known)[name]) for name in names])
    # The optimum moves slowly with c: follow it from c = 1 in small factors.
    for growth in np.geomspace(1, float(c), 1 + round(8 * np.log2(float(c)))):
        z[2] = min(z[2], 0.95 / growth)
        found = minimize(
            objective,
            z,
            args=(growth,),
            method="SLSQP",
            bounds=[(0.3, 40.0), (0.02, 5.0), (0.002, 0.99 / growth), (1.1, 3.0), (0.001, 0.9), (0.001, 0.5)],
            constraints=[{"type": "ineq", "fun": room}],
            options={"maxiter": 300, "ftol": 1e-10},
        )
        z = found.x
    last, previous, decay, spread, absorbed, transferred = (_rounded(v) for v in z)
    rounded = Parameters(last, previous, decay, spread, absorbed, transferred, ratio)
    if not closes(rounded):
        raise RuntimeError(f"the tuned parameters violate {', '.join(violated(rounded))}")
    return rounded


def _rounded(value: float) -> Fraction:
    return Fraction(round(float(value) * DECIMALS), DECIMALS)


def tuned_over_g(c: Fraction = Fraction(1), ratio: Fraction = Fraction(1)) -> float:
    """C/g for K large at the tuned parameters."""
    return asynchronous(tune(c, ratio), None, c).over_g
