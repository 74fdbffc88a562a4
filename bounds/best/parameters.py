"""List the free numbers in the sharpest proof of the bound on an epoch's regret, and the conditions under which that
proof is complete.

The proof (docs/proof_best.md) has seven free numbers, from which all others are derived. `side_conditions` returns
quantities that must not be negative; with rational parameters it checks the proof exactly. One of the seven bounds the
policy's learning rate in an epoch divided by that in the next one: it is 1 if learning rates are only assumed not to
decrease (hypothesis H5), and 169/239, just above 1/sqrt 2, for doubling epochs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from bounds.arithmetic import Value


@dataclass(frozen=True)
class Parameters:
    """The seven free numbers of the sharpest proof of the bound on an epoch's regret, with their symbols in
    docs/proof_best.md in brackets. The proof bounds an arm's regret by the arm's estimation errors in all earlier
    epochs.

    last, previous   multipliers of the excess risk in the last epoch and in the one before (lam, lam')
    decay            factor between the weights of consecutive earlier epochs (th)
    spread           how unequal those weights may be (kap)
    absorbed         fraction of an arm's own regret that is used to bound its earlier errors (eta)
    transferred      weight moved from the best arm to the arm that was greedy in the epoch before (mu)
    ratio            upper bound on (learning rate of an epoch)/(learning rate of the next one) (rbar)
    """

    last: Value
    previous: Value
    decay: Value
    spread: Value
    absorbed: Value
    transferred: Value
    ratio: Value = Fraction(1)


def derive(p: Parameters) -> SimpleNamespace:
    """Return the numbers that the sharpest proof of the bound on an epoch's regret derives from its seven free
    numbers, named as in docs/proof_best.md. They are floats, Fractions or sympy expressions, like the parameters."""
    one = p.last / p.last
    A = 1 + p.absorbed
    xi = p.transferred - p.absorbed
    X = A**2 / (4 * p.last)
    X_prime = (1 - xi) ** 2 / (4 * p.last)
    Y = p.transferred**2 / (4 * p.last)
    nt = X + X_prime
    S2 = X**2 + X_prime**2
    n = (nt**2 + S2) / (4 * p.previous)
    xbar = nt**2 / (nt**2 + S2)
    y = X**2 / (nt**2 + S2)
    return SimpleNamespace(
        A=A,
        xi=xi,
        X=X,
        X_prime=X_prime,
        nt=nt,
        S2=S2,
        n=n,
        zeta=(nt / (4 * p.previous)) / (1 - p.decay * xbar / p.spread),
        s=X + (X**2 / (4 * p.previous)) / (1 - p.decay * y / p.spread),
        n_C=2 * X**2 / (4 * p.previous),
        x=(1 + p.absorbed / (2 * one)) ** 2 / (4 * p.last),
        a=nt + Y + n / (1 - p.decay),
        b=p.last + p.previous + p.spread * n / (4 * p.decay * (1 - p.decay)),
    )


def side_conditions(p: Parameters) -> Mapping[str, Any]:
    """Return by how much each condition of the sharpest proof of the bound on an epoch's regret is met, by name. The
    proof is complete if no value is negative. A value whose name ends in + must be positive. Values are exact if the
    parameters are Fractions, and expressions if they are symbols."""
    d = derive(p)
    eta, mu, th, kap = p.absorbed, p.transferred, p.decay, p.spread
    bulk = (1 + eta / 3) ** 2 / 3
    chain_D = 2 * d.x**2 / (4 * p.previous)
    return {
        "lam+": p.last,
        "lam'+": p.previous,
        "th+": th,
        "1-th+": 1 - th,
        "kap+": kap,
        "eta": eta,
        "rbar+": p.ratio,
        "rbar<=1": 1 - p.ratio,
        "E1 eta >= rbar s": eta - p.ratio * d.s,
        "E2 mu <= rbar (1-zeta) nt": p.ratio * (1 - d.zeta) * d.nt - mu,
        "E2 zeta < 1+": 1 - d.zeta,
        "E2 chains converge+": kap - th,
        "E3 0 <= xi": d.xi,
        "E3 xi <= eta": eta - d.xi,
        "E4 A^2 + (1-xi)^2 + mu^2 >= 2": d.A**2 + (1 - d.xi) ** 2 + mu**2 - 2,
        "E5 del pays the bulk": 1 - 2 * d.A * eta / 3 - eta**2 / 9 - bulk,
        "E6 del pays the arm b": 1 - eta - d.x,
        "E7 K-part of case D": 1 - eta / 2 - d.x - chain_D / (1 - th),
        "E7 case B off b": 4 * p.last * d.nt - (1 + 2 * eta / 3 + eta**2 / 9 + bulk),
        "E8 kap >= 3/2": 2 * kap - 3,
        "E8 squares at L-2": (kap - 1) * (d.nt**2 + d.S2) ** 2 - (d.nt**4 + d.X**2 * d.S2),
        "E8 squares below": (kap - 1) * kap**2 - (1 + 4 * (kap - 1) / 9),
        "E9 K-part of case C": (d.a - 2 * d.X) * (d.n - th * d.n_C) - d.n * d.n_C,
        "E10 2 th <= kap": kap - 2 * th,
        "E11 X' <= X": d.X - d.X_prime,
        "E12 mu <= 1/2": 1 - 2 * mu,
    }


def violated(p: Parameters) -> tuple[str, ...]:
    """Return the names of the conditions that fail in the sharpest proof of the bound on an epoch's regret. The
    answer is exact if the parameters are Fractions."""
    return tuple(k for k, v in side_conditions(p).items() if (v <= 0 if k.endswith("+") else v < 0))


# H5 only: gamma^{L-1} <= gamma^L.
ANY_SCHEDULE = Parameters(
    last=Fraction(48, 25),
    previous=Fraction(11, 25),
    decay=Fraction(3, 10),
    spread=Fraction(153, 100),
    absorbed=Fraction(107, 500),
    transferred=Fraction(497, 2000),
)

# H5 only, optimised for many arms and rounded: C/g 3.8079 instead of 3.8098.
TUNED = Parameters(
    last=Fraction(9531, 5000),
    previous=Fraction(581, 1250),
    decay=Fraction(1437, 5000),
    spread=Fraction(7643, 5000),
    absorbed=Fraction(1073, 5000),
    transferred=Fraction(1269, 5000),
)

# gamma^{L-1} <= gamma^L / sqrt 2: epochs that double, when the previous excess risk is not clipped.
# 169/239 is a convergent from above: 2 * 169^2 = 239^2 + 1, so 1/sqrt 2 < 169/239 and no surd is needed.
DOUBLING = Parameters(
    last=Fraction(169, 100),
    previous=Fraction(58, 125),
    decay=Fraction(3, 10),
    spread=Fraction(153, 100),
    absorbed=Fraction(97, 625),
    transferred=Fraction(47, 250),
    ratio=Fraction(169, 239),
)
