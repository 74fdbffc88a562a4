"""app:gossip_statistics. Gossip of statistics comes exponentially close to the estimate that a server would compute
(Theorem G1).

Problem: M agents have n/M samples each, and no server. V_j and b_j are the sums of phi phi' and r phi over the samples
(phi, r) of agent j, with norm(phi) <= 1 and r in [0,1]. w_S is the ridge estimate from all data, with regulariser 1/n.

Method: W is a symmetric, doubly stochastic mixing matrix without negative entries, and rho its second largest absolute
eigenvalue. After tau rounds agent m has the mixtures Vh_m = M sum_j (W^tau)_mj V_j and bh_m = M sum_j (W^tau)_mj b_j,
and the estimate wh_m = (Vh_m + I)^{-1} bh_m. Then

    norm(wh_m - w_S) <= sqrt(M-1) rho^tau n (1 + norm(w_S)) <= sqrt(M-1) rho^tau n (1 + sqrt(n)/2)

In FedIGW: the agents end with different models and choose arms by different rules from the next epoch on. So the
constant for different laws applies: the excess risk is at most (sqrt(C'/n) + v)^2, C' = d/4 + 9/4, v^2 = mean_m
norm(wh_m - w_S)^2 (own:ridge_excess_risk).

Proof. With J = 11'/M, (W^tau - J) e_m = (W^tau - J)(e_m - 1/M) has norm at most rho^tau sqrt(1 - 1/M). By
Cauchy-Schwarz norm(Vh_m - V) <= (n/M) sum_j abs(M (W^tau)_mj - 1) <= n sqrt(M-1) rho^tau, and the same holds for bh_m.
Vh_m >= 0 because W >= 0, so norm((Vh_m + I)^{-1}) <= 1 in wh_m - w_S = (Vh_m + I)^{-1}((bh_m - b) - (Vh_m - V) w_S).
Finally norm(w_S)^2/n <= 1/4.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from bounds.own_ridge_excess_risk import mean as proved_risk
from fedigw.channel import Channel
from fedigw_extensions.gossip.linear_protocols import gossip_statistics as formulas
from fedigw_extensions.gossip.linear_protocols.gossip_statistics import GossipStatistics
from fedigw_extensions.gossip.rounds import Mixing, gap_and_regret, mixing
from linear.ridge import RidgeData, RidgeProblem
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.experiments.local_ratios import Ratio, judging
from verify.experiments.ratios import at_most_one
from verify.experiments.small_runs import enter_promises
from verify.formal.scalar_steps import enter_steps
from verify.pictures import Figures, colours

claim = Claim(
    title="Gossip of statistics: no server, and models as good as the server's",
    section="Federated learning",
    tags=("optimisation", "fl", "gossip"),
    depends=("own:ridge_excess_risk",),
    variants={
        "every_agent": Variant(
            r"\|\hat w_m-w_S\| \le \sqrt{M-1}\,\rho^\tau n(1+\|w_S\|)",
            (
                "W symmetric, doubly stochastic, not negative, its graph connected",
                "equally many samples of every agent",
                "norm(phi) <= 1, rewards in [0,1], lambda = 1/n",
            ),
            Verdict.FLOAT,
        ),
        "scalar_core": Variant(
            r"\tfrac nM S \le n\sqrt{M-1}\,\rho^\tau,\quad e \le u(1+\|w_S\|)",
            ("the steps of the proof as scalars, for all reals",),
            Verdict.Z3,
        ),
    },
)


@claim.check("every_agent", control=dict(cut=0.36))
@judging("the agent farthest from the minimiser")
def errors(task: Task, cut: float = 1.0) -> Iterator[Ratio]:
    """Divide the largest distance between an agent's estimate after gossip and the estimate from all data by its
    bound, for random graphs, weights and data. The control, which must fail, claims `cut` times the bound."""
    # the bound is loose, because the proof bounds (Vh_m + I)^-1 by 1 and adds the errors of V and b; the largest
    # ratio known is 0.37, for two agents who hardly mix and whose data disagree
    rng = task.rng()
    for number in range(4000 if task.full else 60):
        agents, d, each = int(rng.integers(2, 9)), int(rng.integers(1, 4)), int(rng.integers(1, 9))
        weights, rounds = mixing(rng, agents), int(rng.integers(1, 12))
        features = rng.standard_normal((agents, each, d))
        features /= np.linalg.norm(features, axis=2, keepdims=True) * rng.choice([1.0, 2.0, 8.0])
        rewards = rng.integers(0, 2, size=(agents, each)).astype(float)
        if number == 0:
            agents, d, each, rounds = 2, 1, 1, 1
            weights = Mixing(np.array([[0.999, 0.001], [0.001, 0.999]]), 0.998, 0.998)
            features, rewards = np.array([[[1.0]], [[-0.6]]]), np.ones((2, 1))
        elif number % 2 == 0:  # one agent has all there is to learn
            features[1:] = 0.0
            rewards[0] = 1.0
            features[0] = features[0, 0]
        grams = np.einsum("mnd,mne->mde", features, features)
        moments = np.einsum("mnd,mn->md", features, rewards)
        power = agents * np.linalg.matrix_power(weights.matrix, rounds)
        best = np.linalg.solve(grams.sum(axis=0) + np.eye(d), moments.sum(axis=0))
        system = np.einsum("mj,jde->mde", power, grams) + np.eye(d)
        found = np.linalg.solve(system, (power @ moments)[..., None])[..., 0]
        bound = formulas.error(weights.rho, rounds, agents, agents * each, float(np.linalg.norm(best)))
        where = f"M = {agents}, d = {d}, n = {agents * each}, tau = {rounds}, rho = {weights.rho:.3g}"
        if bound > 1e-9:  # below it differences are rounding
            yield Ratio(float(np.linalg.norm(found - best, axis=1).max()), cut * bound, where)


@claim.check("every_agent", control=dict(cut=Fraction(9, 25)), name="enumeration")
def enumerated(task: Task, cut: Fraction = Fraction(1)) -> Evidence:
    """Check the bound on the agents' errors after gossip in dimension 1, in exact rational numbers, for three agents
    on a path and for pairs of agents. The control, which must fail, claims `cut` times the bound."""
    one, none, third = Fraction(1), Fraction(0), Fraction(1, 3)
    path = [[2 * third, third, none], [third, third, third], [none, third, 2 * third]]
    pairs = [([[1 - a, a], [a, 1 - a]], 1 - 2 * a) for a in (Fraction(1, 1000), third)]
    rng, ratios = task.rng(), []
    for matrix, rho in [(path, 2 * third), *pairs]:
        agents = len(matrix)
        for number in range(200 if task.full else 8):
            each, rounds = int(rng.integers(1, 4)), int(rng.integers(1, 5))
            features = rng.integers(-4, 5, size=(agents, each)).astype(object) / Fraction(4)
            rewards = rng.integers(0, 3, size=(agents, each)).astype(object) / Fraction(2)
            if number == 0:  # data that disagree
                each, rounds = 1, 1
                features = np.array([[one], [Fraction(-3, 5)], [none]][:agents])
                rewards = np.array([[one]] * agents)
            V, b = (features**2).sum(axis=1), (features * rewards).sum(axis=1)
            best = b.sum() / (V.sum() + 1)
            for _ in range(rounds):
                V, b = np.array(matrix) @ V, np.array(matrix) @ b
            bound = cut * rho**rounds * agents * each * (1 + abs(best))
            errors = agents * b / (agents * V + 1) - best
            # compared squared: sqrt(M-1) is not rational
            ratios += [
                (error**2 / ((agents - 1) * bound**2), f"tau = {rounds}, rho = {rho}") for error in errors
            ]
    return at_most_one(ratios, "squared errors in rationals", Verdict.EXACT, "agents of tiny problems")


@claim.check("every_agent", control=dict(share=0.7))
def server(task: Task, share: float = 1.0) -> Evidence:
    """Check on a ring of ten agents that after the proved number of gossip rounds all sums of data and all estimates
    are within 1e-9 of those that a server would compute. The control, which must fail, takes `share` of the rounds."""
    rng, n, d = task.rng(), 200, 4
    data = []
    for _ in range(10):
        features = rng.standard_normal((n // 10, d))
        features /= np.linalg.norm(features, axis=1, keepdims=True)
        data.append(RidgeData(n // 10, features.T @ features, features.T @ rng.random(n // 10)))
    given = RidgeProblem(data, 1, 1.0, float(proved_risk(float(d), n, True)), 0.1)
    network = GossipStatistics(graph="ring").network(10)
    rounds = network.rounds_for(formulas.disagreement_allowed(1e-9, 10, float(n)))
    used = max(1, int(share * rounds))
    channel = Channel(10, 1)
    found = GossipStatistics(graph="ring", rounds=used).fit(given, channel, None, rng).parameters
    grams = 10 * np.tensordot(network.power(used), np.stack([x.gram for x in data]), axes=1)
    apart = float(np.abs(grams - sum(x.gram for x in data)).max())
    away = float(np.abs(np.stack(found) - given.minimiser()).max())
    figures = {"rounds": used, "spectral_gap": network.gap, "statistics": apart, "estimates": away}
    return Evidence(
        Verdict.FLOAT.unless(max(apart, away) > 1e-9),
        f"ring of 10, spectral gap {network.gap:.4f}: after {used} rounds statistics are within {apart:.2g} and"
        f" estimates within {away:.2g} of the server's, {channel.traffic.numbers} numbers over 10 edges",
        figures,
    )


enter_promises(
    claim, "every_agent", GossipStatistics(), GossipStatistics(rounds=1), "one round", personal=False
)


# q = sqrt(M-1), t = rho^tau, R: norm of a row of W^tau - J, S: M times the sum of its absolute values, r and s: of
# Vh_m - V and bh_m - b, e = norm(wh_m - w_S), w = norm(w_S); the control: sqrt(M-2)
STEPS = """
    a row: (n/M) S <= n sqrt(M-1) rho^tau, with S^2 <= M (M R)^2 and M R^2 <= (M-1) rho^(2 tau)
        M >= 2, n > 0, S >= 0, R >= 0, t >= 0, q >= 0, q**2 == M - less, t**2*(M - 1) >= M*R**2,
        S**2 <= M**3*R**2, M*r <= n*S => r <= n*q*t
    an estimate: norm(wh_m - w_S) <= norm(bh_m - b) + norm(Vh_m - V) norm(w_S)
        e <= s + r*w, w >= 0, r <= u, s <= u => e <= u*(1 + w)
    lambda norm(w_S)^2 <= 1/4: v/(v+1)^2 <= 1/4 on every eigenvalue
        v >= 0 => 4*v <= (v + 1)**2
"""
enter_steps(claim, "The steps by z3; control: M-2", dict(less=2), text=STEPS, less=1)


@claim.plot(
    "Regret against the spectral gap",
    "graphs",
    name="gap",
    caption="Gossip of statistics is about as good as a server on every graph, after few rounds. Decentralised"
    " gradient descent pays for a badly connected graph: further left is worse connected.",
)
def draw_regret_against_gap(axes: Any, figures: Figures) -> None:
    found = figures["graphs"]
    for (name, points), colour in zip(
        found["series"].items(), colours({}, found["series"]).values(), strict=True
    ):
        rows = sorted(points, key=lambda p: float(p["gap"]))
        axes.plot([p["gap"] for p in rows], [p["regret"] for p in rows], "o-", color=colour, label=name)
    graphs = sorted(next(iter(found["series"].values())), key=lambda p: float(p["gap"]))
    low, high = axes.get_ylim()
    axes.set_ylim(low - 0.25 * (high - low), high)  # room for the names of the graphs below the data
    for number, p in enumerate(graphs):
        side = "right" if number % 2 else "left"  # neighbours on different sides
        place = axes.get_xaxis_transform()
        axes.text(
            p["gap"], 0.03, f" {p['graph']} ", rotation=90, fontsize=8, ha=side, va="bottom", transform=place
        )
        axes.axvline(p["gap"], color="#999", linewidth=0.5, alpha=0.6)
    axes.axhline(found["direct"], color="black", linestyle="--", label="with a server (direct)")
    off: dict[str, float] = {}  # of all numbers of rounds of a method
    for name, points in found["series"].items():
        method = name.partition(",")[0]
        off[method] = max(off.get(method, 0.0), *(abs(p["regret"] / found["direct"] - 1) for p in points))
    near, far = min(off, key=off.__getitem__), max(off, key=off.__getitem__)
    said = f"On {len(graphs)} graphs {near} are within {off[near]:.0%} of a server"
    axes.set_title(f"{said}, {far} within {off[far]:.0%}")
    axes.set_xscale("log")
    axes.set_xlabel("spectral gap of the graph, Metropolis weights")
    axes.set_ylabel(f"mean regret, T = {found['horizon']}, {found['agents']} agents")


claim.check("every_agent", control=dict(false=True), name="graphs")(gap_and_regret)
