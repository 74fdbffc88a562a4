"""Many replications at once, at any horizon: exact in distribution, cost O(epochs |X| K) a replication.

All agents share f*, and agents with the same arms share the kernel in use; so samples are pooled before they are
split over arms and rewarded. Regret given the function in use is a closed form: no action noise.
"""

from __future__ import annotations

import numpy as np

from fedigw.ledger import COUNTERS
from fedigw.record import RunRecord
from finite_class.environment import Rewards, rewards
from finite_class.instance import FiniteClassInstance
from finite_class.losses import choose_minimiser, loss_table
from finite_class.tables import Tables, tables

PROTOCOL = "exact_minimiser"
CHUNK_CELLS = 4_000_000  # replications x cells held at once


def replicate(
    instance: FiniteClassInstance, replications: int, seed: int | np.random.SeedSequence
) -> RunRecord:
    """`replications` independent runs of FedIGW with the exact minimiser."""
    sequence = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    rng = np.random.default_rng(sequence)
    cells = instance.contexts * len(instance.functions[0][0])
    chunk = max(1, CHUNK_CELLS // (cells + len(instance.functions)))
    states, regret = [], []
    for start in range(0, replications, chunk):
        size = min(chunk, replications - start)
        some_states, some_regret = _replicate(instance, size, rng)
        states.append(some_states)
        regret.append(some_regret)
    all_states, initial = np.concatenate(states), len(instance.functions)
    entropy = sequence.entropy
    return RunRecord(
        instance=instance.describe(),
        protocol=PROTOCOL,
        seed=entropy if isinstance(entropy, int) else 0,
        full=instance.plan.full,
        played=instance.plan.played,
        learning_rates=tuple(float(rate) for rate in instance.learning_rates()),
        regret=np.concatenate(regret),
        traffic=_traffic(instance),
        models=tuple(tuple("initial" if s == initial else int(s) for s in row) for row in all_states),
    )


def _replicate(
    instance: FiniteClassInstance, replications: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """States in use (R, L) and regret (R, L)."""
    arrays, table = tables(instance, exact=False), loss_table(instance)
    reward = rewards(instance, table)
    state = np.full(replications, arrays.initial)
    states = np.empty((replications, instance.plan.epochs), dtype=np.int64)
    regret = np.empty((replications, instance.plan.epochs))
    rates = [float(rate) for rate in instance.learning_rates()]
    for epoch, (full, played) in enumerate(zip(instance.plan.full, instance.plan.played, strict=True)):
        kernels = {own: arrays.kernel(own, rates[epoch]) for own in set(arrays.arms)}
        per_state = sum(
            steps * arrays.regret_rate(agent, kernels[arrays.arms[agent]])
            for agent, steps in enumerate(played)
        )
        states[:, epoch] = state
        regret[:, epoch] = np.asarray(per_state)[state]
        if instance.plan.learns(epoch):
            counts, sums = _pooled_data(arrays, reward, kernels, state, full, rng)
            state = choose_minimiser(table.minimal(counts, sums), instance.truth, instance.ties, rng)
    return states, regret


def _pooled_data(
    arrays: Tables,
    reward: Rewards,
    kernels: dict[tuple[int, ...], np.ndarray],
    state: np.ndarray,
    full: tuple[int, ...],
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """Counts (R, C) and reward numerator sums (R, C) of an epoch, pooled over the agents."""
    replications, contexts = len(state), arrays.truth.shape[0]
    counts: np.ndarray = np.zeros((replications, arrays.truth.size), dtype=np.int64)
    for own in sorted(kernels):
        steps_by_law: dict[tuple[float, ...], int] = {}
        for agent, steps in enumerate(full):
            if arrays.arms[agent] == own:
                law = tuple(arrays.laws[agent])
                steps_by_law[law] = steps_by_law.get(law, 0) + steps
        visits = sum(rng.multinomial(steps, law, size=replications) for law, steps in steps_by_law.items())
        chosen = rng.multinomial(visits, kernels[own][state][:, :, list(own)])  # (R, X, |own|)
        cells = (np.arange(contexts)[:, None] * arrays.truth.shape[1] + np.array(own)).ravel()
        counts[:, cells] += chosen.reshape(replications, -1)
    return counts, reward.draw_sums(counts, rng)


def _traffic(instance: FiniteClassInstance) -> np.ndarray:
    """(1, L, 6): what finite_class/protocols/exact_minimiser.py sends, the same in every replication."""
    agents, functions = len(instance.agents), len(instance.functions)
    call = {
        "calls": 1,
        "rounds": 1,
        "messages_up": agents,
        "messages_down": agents,
        "numbers_up": agents * functions,
        "numbers_down": agents,
    }
    learns = [instance.plan.learns(epoch) for epoch in range(instance.plan.epochs)]
    return np.array(
        [[[call[name] * int(learned) for name in COUNTERS] for learned in learns]], dtype=np.int64
    )
