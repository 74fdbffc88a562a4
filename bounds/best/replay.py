"""The written proof of variant `best`, carried out on one run in exact arithmetic.

Every quantity the proof constructs (comparator weights, the enlarged om, the backward chain, the coefficient
of each arm's regret) is built for the given run, and every inequality is returned with its slack. A negative
slack names the step of the proof that is wrong, which the final inequality alone would not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from bounds.best.parameters import Parameters, derive
from bounds.best.pathwise import Kernel, Trajectory, kernels, multipliers, scaled_regret, scaled_risks, slack

ZERO = Fraction(0)


@dataclass
class Slacks:
    """Step name -> smallest slack met."""

    slacks: dict[str, Fraction] = field(default_factory=dict)

    def note(self, step: str, value: Fraction) -> None:
        self.slacks[step] = min(value, self.slacks.get(step, value))

    @property
    def broken(self) -> tuple[str, ...]:
        return tuple(step for step, value in self.slacks.items() if value < 0)


@dataclass(frozen=True)
class _Last:
    """The last epoch: case, om on V^{L-1}, T0, share p_a(A_a - 1) kept per arm, weight mu_ moved to b."""

    case: str
    om: list[Fraction]
    T0: Fraction
    kept: list[Fraction]
    moved: Fraction


def replay(run: Trajectory, parameters: Parameters) -> Slacks:
    """Build the proof of the pathwise claim for this run; three epochs at least."""
    if len(run.rates) < 2:
        raise ValueError("the chain starts with epoch 3; epoch 2 is checked by the claim itself")
    if run.rates[-2] > parameters.ratio * run.rates[-1]:
        raise ValueError("the last two learning rates are too close for this parameter set")
    d, K, epochs = derive(parameters), len(run.truth), len(run.rates) + 1
    used, slacks = kernels(run), Slacks()
    star = max(range(K), key=lambda a: (run.truth[a], -a))
    regrets = [run.truth[star] - f for f in run.truth]
    last = _last_epoch(run, parameters, used, star, regrets, slacks)
    weights, risks, K_part = multipliers(parameters, epochs), scaled_risks(run), last.T0
    coefficients = [-run.rates[-1] * k for k in last.kept]
    coefficients[used[-2].greedy] += last.moved * run.rates[-1]
    om, n_l = last.om, d.n
    for epoch in range(epochs - 1, 1, -1):
        now, multiplier, rate = used[epoch - 1], weights[epoch - 2], run.rates[epoch - 2]
        K_part += K * sum(om)
        if epoch <= epochs - 2:
            slacks.note("chain (i) |om| <= n_l", n_l - sum(om))
            slacks.note("chain (ii) sum om^2", (parameters.spread - 1) * n_l**2 - sum(o * o for o in om))
            slacks.note("chain (iii) max om <= 2 n_l/3", Fraction(2, 3) * n_l - max(om))
            n_l *= parameters.decay
        off = [ZERO if a == now.greedy else o for a, o in enumerate(om)]
        W = sum(off)
        below = [(W**2 if a == now.greedy else w * w) / (4 * multiplier) for a, w in enumerate(off)]
        carried = sum(w * R for w, R in zip(off, regrets, strict=True)) - W * regrets[now.greedy]
        left = sum(o / p for o, p in zip(om, now.probabilities, strict=True))
        right = K * sum(om) + rate * carried + multiplier * risks[epoch - 2]
        right += sum(o / p for o, p in zip(below, used[epoch - 2].probabilities, strict=True))
        slacks.note("chain step", right - left)
        for a in range(K):
            coefficients[a] += rate * (off[a] - (W if a == now.greedy else ZERO))
        om = below
    K_part += K * sum(om)  # V^1 = K
    if epochs >= 4:
        slacks.note("chain (i) |om| <= n_l", n_l - sum(om))
    slacks.note("K-part", max(Fraction(K - 1), K - 2 + K * d.a) - K_part)
    for a in range(K):
        if a != star:
            slacks.note("coefficient of every regret <= 0", -coefficients[a])
    slacks.note("claim", slack(run, parameters))
    return slacks


def _last_epoch(
    run: Trajectory,
    p: Parameters,
    used: tuple[Kernel, ...],
    star: int,
    regrets: list[Fraction],
    slacks: Slacks,
) -> _Last:
    d, K, rate = derive(p), len(run.truth), run.rates[-1]
    prob, ah, b = used[-1].probabilities, used[-1].greedy, used[-2].greedy
    t = run.rates[-2] / rate / p.ratio
    case = "D" if ah == star else "B" if ah == b else "C" if b == star else "A"
    kept = [ZERO if a in (ah, star) else t * p.absorbed * q * q for a, q in enumerate(prob)]
    if case in "AC":
        kept[ah] = t * p.absorbed
    moved = t * p.transferred if case == "A" else ZERO
    comparators = [ZERO if a == star else q + k for a, (q, k) in enumerate(zip(prob, kept, strict=True))]
    total = sum(comparators)
    slacks.note("moved weight is available", total - moved)
    c = list(comparators)
    c[star] = -(total - moved)
    c[b] -= moved
    T0 = sum((q * v for q, v in zip(comparators, used[-1].gaps, strict=True)), ZERO)
    om = [x * x / (4 * p.last) for x in c]
    right = T0 + rate * (moved * regrets[b] - sum(k * R for k, R in zip(kept, regrets, strict=True)))
    right += (
        sum(o / q for o, q in zip(om, used[-2].probabilities, strict=True)) + p.last * scaled_risks(run)[-1]
    )
    slacks.note("last epoch (F)", right - scaled_regret(run))
    delta = 1 - prob[ah]
    if case == "A":
        bulk = sum(o for a, o in enumerate(om) if a not in (ah, star, b))
        wider = max(om[star], d.X_prime)
        slacks.note("A: the enlarged om covers c^2", d.nt - wider - bulk - om[ah])
        om[star], om[ah] = wider, d.nt - wider - bulk
    off = [o for a, o in enumerate(om) if a != b]
    room = {"A": K - 2 + K * d.N1, "B": K - 2 + K * d.N1, "C": K - 2 + 2 * K * d.X, "D": Fraction(K - 1)}[
        case
    ]
    room -= (K - p.absorbed - K * d.x) * delta if case == "D" else ZERO
    slacks.note(f"{case}: T0 + K|om|", room - T0 - K * sum(om))
    slacks.note(f"{case}: off the previous greedy arm", (d.X if case == "C" else d.nt) - sum(off))
    slacks.note(f"{case}: entries <= X", d.X - max(off))
    slacks.note(f"{case}: squares", (d.X**2 if case == "C" else d.S2) - sum(o * o for o in off))
    return _Last(case, om, T0, kept, moved)
