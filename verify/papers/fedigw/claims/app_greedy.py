"""app:greedy. Greedy play has linear regret, unless the contexts vary so much that every greedy policy explores.

After a uniform epoch 1, M agents always play the arm with the largest estimate; epoch l ends at step 2^l. Three parts:

    unseen     Two functions (1/2, 1) and (1/2, 0) of two arms, of which the first is true and the second wins ties.
               The regret is E Reg(T) = M/2 + (1/2) 4^-M M (T - 2).
    stuck      Ridge regression with features e1 and e2 and mean rewards 1/2 and 3/5. Greedy plays the worse arm e1
               for ever with probability 0.7055, 0.3590, 0.0784 for M = 1, 10, 100; its regret is about this
               probability times M T/10.
    diverse    If the features phi of the chosen arms have E phi phi' >= l0 I with l0 > 0 under every greedy policy,
               then a step loses at most 2 sqrt(e_{l-1}/l0) in epoch l >= 3, and 2 sqrt(K e_1/l0) in epoch 2, whose
               data come from uniform play. e_l is the excess risk of the model learned from epoch l, K the number
               of arms. Estimates are unclipped and norm(phi) <= 1.

Proof of `diverse`: let D = v - w*, where v estimates the parameter w*, pi* is the best policy and pihat the greedy one.
The regret is at most E phi(pi*)'(-D) + E phi(pihat)'D <= 2 norm(D), because the estimate prefers pihat to pi*. And e =
D' Sigma D >= l0 norm(D)^2, where Sigma = E phi phi' is at least (l0/K) I under uniform play.
"""

import itertools
from fractions import Fraction
from typing import Any

import numpy as np

from bounds import app_greedy
from bounds.schedules import doubling_plan
from fedigw.policies.greedy import Greedy, greedy_arm
from finite_class.federations import alike
from finite_class.law import exact_law
from linear.contexts.finite import FiniteContexts
from linear.federations import linear_federation
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.experiments.ratios import at_most_one

PRINTED = {1: 0.7055, 10: 0.3590, 100: 0.0784}

claim = Claim(
    title="Greedy instead of inverse gap weighting",
    section="Other exploration rules",
    tags=("policies", "regret"),
    variants={
        "unseen": Variant(
            r"\mathbb{E}\,\mathrm{Reg}(T) = M/2 + \tfrac12 4^{-M} M (T-2)",
            ("f* = (1/2, 1), rival (1/2, 0), ties to the rival",),
            Verdict.EXACT,
            tight=True,
        ),
        "stuck": Variant(
            r"P(\text{stuck}) = 0.7055,\ 0.3590,\ 0.0784 \text{ for } M = 1, 10, 100",
            ("ridge with lambda = 1/n, arms e1, e2, means 1/2, 3/5, Bernoulli rewards, ties to e1",),
            Verdict.EXACT,
            tight=True,
        ),
        "diverse": Variant(
            r"\text{a step loses} \le 2\sqrt{e_{l-1}/\ell_0},\ l \ge 3;\quad 2\sqrt{K e_1/\ell_0},\ l = 2",
            ("E phi phi' >= l0 I under every greedy policy", "norm(phi) <= 1, estimates unclipped"),
            Verdict.FLOAT,
        ),
    },
)


@claim.check("unseen", control=dict(base=5))
def unseen(task: Task, base: int = 4) -> Evidence:
    """Compare the exact expected regret of greedy play with the formula M/2 + (1/2) 4^-M M (T - 2), in rationals, for
    nine pairs (M, T) of agents and steps. Negative control, which must fail: 5^-M in place of 4^-M."""
    rows = []
    for agents, horizon in itertools.product((1, 2, 3), (4, 8, 64)):
        half = Fraction(1, 2)
        functions, plan = (((half, Fraction(1)),), ((half, Fraction(0)),)), doubling_plan(horizon, agents)
        federation = alike(functions, plan, ties="adversarial", policy=Greedy())
        found = exact_law(federation)
        stated = app_greedy.unseen_regret(agents, horizon)
        stated += Fraction(agents * (horizon - 2), 2) * (Fraction(1, base**agents) - Fraction(1, 4**agents))
        rows.append({"M": agents, "T": horizon, "regret": str(found.total_regret), "stated": str(stated)})
        if found.total_regret != stated or found.arithmetic != "rational":
            said = f"M = {agents}, T = {horizon}: {found.total_regret}, not {stated}"
            return Evidence(Verdict.REFUTED, said, {"rows": rows})
    return Evidence(Verdict.EXACT, f"E Reg(T) equal in {len(rows)} federations, in rationals", {"rows": rows})


@claim.check("stuck", control=dict(second=Fraction(13, 20)))
def stuck(task: Task, second: Fraction = app_greedy.SECOND) -> Evidence:
    """Compare the probability that greedy play chooses the worse of two arms for ever, counted in rationals, with two
    other values: the one from the program's exact law (for 1 and 2 agents), and the stated numbers. Negative control,
    which must fail: another mean reward of the better arm."""
    from linear.law import exact_law

    contexts, parameter = FiniteContexts(np.eye(2)[None], np.ones(1)), np.array([0.5, 0.6])
    largest = 0.0
    for agents, horizon in ((1, 16), (2, 4)):
        plan, known = doubling_plan(horizon, agents), dict[str, Any](policy=Greedy(), learning_rate=1.0)
        federation = linear_federation((contexts,) * agents, parameter, plan, **known)
        law = exact_law(federation, rational=False, last_risk=False)
        for index, epoch in enumerate(law.epochs[1:], 2):
            played = agents * 2 ** (index - 1)
            found = float(epoch.regret) / (played * 0.1)
            largest = max(largest, abs(found - float(app_greedy.stuck(agents, index, second))))
    chances = {agents: float(app_greedy.stuck(agents, 7, second)) for agents in PRINTED}
    off = max(abs(chances[agents] - said) for agents, said in PRINTED.items())
    figures = {"P(stuck)": {str(m): p for m, p in chances.items()}, "largest_difference": largest}
    said = ", ".join(f"{p:.4f} (M = {m})" for m, p in chances.items())
    if largest > 1e-9 or off > 5e-5:
        return Evidence(Verdict.REFUTED, f"{said}; from the program's law by {largest:.2g}", figures)
    summary = f"P(stuck) = {said}, by counting; the program's exact law agrees to {largest:.1g}"
    return Evidence(Verdict.EXACT, summary, figures)


@claim.check("diverse", control=dict(factor=0.98))
def diverse(task: Task, factor: float = 1.0) -> Evidence:
    """Check that the regret of a greedy step is at most 2 sqrt(e/l0), where e is the true excess risk and l0 the least
    eigenvalue of E phi phi' over greedy policies. Estimates and features phi are random; features 1 and -1 reach 0.99
    of the bound. After uniform play the bound has K e in place of e, for K arms. Negative control, which must fail:
    0.98 times the bound."""
    rng = task.rng()
    found = [_step(np.array([[[1.0], [-1.0]]]), np.ones(1), np.full(1, -0.01), np.ones(1), factor)]
    for number in range(4000 if task.full else 150):
        size, arms, d = int(rng.integers(2, 5)), 2, 2
        angles = np.arange(size)[:, None] * np.pi / size + rng.uniform(-0.3, 0.3, (size, arms))
        features = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
        truth = rng.normal(size=d)
        truth /= np.linalg.norm(truth)
        estimate = truth + rng.normal(size=d) * 10.0 ** rng.uniform(-1, 0.3)
        earlier = truth + rng.normal(size=d) if number % 2 else None
        found.append(_step(features, truth, estimate, earlier, factor))
    return at_most_one(found, "a greedy step loses", cases="worlds")


def _step(
    features: np.ndarray, truth: np.ndarray, estimate: np.ndarray, earlier: np.ndarray | None, factor: float
) -> tuple[float, str]:
    size, arms, _ = features.shape
    contexts = FiniteContexts(features, np.full(size, 1 / size))
    least = min(
        float(np.linalg.eigvalsh(np.einsum("xd,xe->de", chosen, chosen) / size)[0])
        for policy in itertools.product(range(arms), repeat=size)
        for chosen in [features[np.arange(size), list(policy)]]
    )
    before: Any = np.full((size, arms), 1 / arms) if earlier is None else greedy_arm(features @ earlier)
    risk = float(contexts.excess_risk(before, contexts.means(estimate - truth)))
    played: Any = greedy_arm(features @ estimate)
    lost, epoch = float(contexts.regret_rate(played, truth)), 2 if earlier is None else 3
    return lost / (factor * app_greedy.diverse_step(risk, least, arms, epoch)), f"epoch {epoch}"
