"""tab:summary. The paper's list of federated contextual bandits: the setting, the FL and the bandit component of each.

rows        every line of the table is an algorithm that learns in its setting: rewards by table, linear, generalised
linear (the logistic link), of a kernel (Gaussian), by a network, or with partly shared parameters

The table states no bound. Each algorithm is run in a simulated environment of its own setting. It is checked that the
algorithm sends at most what its formula allows, that the event holds on which its paper's proof rests, and that after T
= 2048 steps it loses at most three quarters of what uniform play loses. Kernel UCB sees the kernel through features
with the same inner products. li2023learning, its asynchronous form, has no program here.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from fedigw.applicable import declared_cost
from fedigw.competing import compete
from fedigw.federation import Federation
from fedigw.parts import systems
from fedigw.policies.softmax import Softmax
from fedigw.protocols.fedavg import FedAvg
from fedigw.protocols.lsgd_pfl import LocalPersonal
from fedigw.replications import by_messages
from finite_class.environments import random_table
from linear.environments import finite_contexts, rbf
from linear.personalised.environments import opposite_arms
from verify.claim import Claim, Evidence, Task, Variant, Verdict

AGENTS, ARMS, HORIZON = 4, 3, 2048
# row, setting, the program that plays it
ROWS: tuple[tuple[str, str, Any], ...] = (
    ("mean averaging, AE", "tabular", "mean_averaging"),
    ("linear regression, AE", "fixed", "delb"),
    ("linear regression, AE", "fixed", "fed_pe"),
    ("ridge regression, UCB", "linear", "async_linucb"),
    ("ridge regression, UCB", "linear", "fedlinucb"),
    ("distributed AGD, UCB", "generalised linear", "fedglb_ucb"),
    ("Nystrom approximation, UCB", "kernel", "nystrom_kernel_ucb"),
    ("NTK approximation, UCB", "linear", "fn_ucb"),
    ("FedIGW, FedAvg", "linear", FedAvg(20, 5, 0.1)),
    ("FedIGW, FedAvg", "generalised linear", FedAvg(20, 5, 0.5)),
    ("FedIGW, FedAvg", "kernel", FedAvg(20, 5, 0.1)),
    ("alternating minimisation, UCB", "partly shared", "async_linucb_am"),
    ("FedRes.SGD, epsilon-greedy", "partly shared", "fedres_sgd"),
    ("FedIGW, LSGD-PFL", "partly shared", LocalPersonal(20, 5, 0.1)),
)

claim = Claim(
    title="The algorithms of the paper's summary run in their settings",
    section="Linear class",
    tags=("communication", "regret"),
    depends=("own:comparison",),
    variants={
        "rows": Variant(
            r"\text{each row runs with its own components in its setting}",
            ("the worlds that were run: 4 agents, 3 arms, T = 2048",),
            Verdict.FLOAT,
        )
    },
)


def world(setting: str, horizon: int) -> Federation:
    """Return the federation on which all systems of one setting of tab:summary are run. setting: tabular, fixed,
    linear, generalised linear, kernel or partly shared."""
    rng = np.random.default_rng(1)
    if setting == "tabular":
        return random_table.make(rng, 5, 1, ARMS, AGENTS, horizon)
    if setting == "kernel":
        return rbf.make(rng, contexts=2, arms=ARMS, agents=AGENTS, horizon=horizon)
    if setting == "partly shared":
        return opposite_arms.make(rng, 2, 1, 2, ARMS, AGENTS, horizon)
    loss: Any = {"name": "logistic", "radius": 3} if setting == "generalised linear" else "squared"
    return finite_contexts.make(rng, 2, 1 if setting == "fixed" else 2, ARMS, AGENTS, horizon, loss=loss)


def played(
    setting: str, how: Any, horizon: int, count: int, seed: np.random.SeedSequence
) -> tuple[Any, float, bool]:
    """Run a system of tab:summary `count` times. how: its name, or FedIGW's protocol. Return the record of the runs,
    the most numbers that it may send, and whether the event held on which its proof rests."""
    federation = world(setting, horizon)
    if isinstance(how, str):
        system = systems()[how]()
        found = compete(system, federation, count, seed)
        return found.record, system.numbers_at_most(found.sizes), bool(found.kept.all())
    federation = replace(federation, protocol=how)
    declared = sum(cost.numbers for cost in declared_cost(federation) or ())
    return by_messages(federation, count, seed), declared, True


@claim.check("rows", control=dict(horizon=2))
def runs(task: Task, horizon: int = HORIZON) -> Evidence:
    """Run every system of tab:summary in its setting. Compare its regret with that of uniform play, and the numbers it
    sends with its formula. Control, which must fail: T = 2, when nothing has been learned."""
    rows: list[dict[str, Any]] = []
    count = 4 if task.full else 1
    for row, setting, how in ROWS:
        uniform = replace(world(setting, horizon), policy=Softmax(temperature=1e9))
        lost = by_messages(uniform, count, task.seed.spawn(1)[0]).total_regret.mean()
        record, most, kept = played(setting, how, horizon, count, task.seed.spawn(1)[0])
        sent = record.total_traffic("numbers_up") + record.total_traffic("numbers_down")
        name = how if isinstance(how, str) else f"fedigw, {how.name}"
        share = float(record.total_regret.mean() / lost)
        rows.append({"row": row, "setting": setting, "system": name, "of_uniform": share, "kept": kept})
        rows[-1] |= {"numbers": int(sent.max()), "at_most": float(most)}
        if not kept or sent.max() > most or share > 3 / 4:
            said = f"{row} ({setting}, {name}) loses {share:.2g} of uniform play's regret,"
            said += f" with {int(sent.max())} of {most:.4g} numbers"
            return Evidence(Verdict.REFUTED, said, {"rows": rows})
    worst = max(rows, key=lambda one: one["of_uniform"])
    said = f"all {len(rows)} programs run in their settings; regret at most {worst['of_uniform']:.2g} of uniform play's"
    return Evidence(Verdict.FLOAT, f"{said} ({worst['system']}, {worst['setting']})", {"rows": rows})
