"""What AGD's messages reveal: the server's reconstruction of an agent's Gram matrix, with and without masks (E17)."""

from __future__ import annotations

import numpy as np

from verify.claim import Evidence, Task
from verify.verdict import Verdict

DIMENSION, AGENTS, SAMPLES = 5, 4, 50


def reconstruction(task: Task, masked: bool = False) -> Evidence:
    """The statement "no compressed data is communicated": false if the server recovers V_m and b_m from d+1 rounds.

    An honest server runs AGD for d+1 rounds and solves for the affine map behind each agent's gradients.
    """
    from linear.protocols.agd import descend
    from linear.protocols.agd_masked import MaskedAgents
    from linear.ridge import Agents, RidgeData
    from linear.secure_aggregation import ListeningChannel, recover

    rng = task.rng()
    datasets = []
    for _ in range(AGENTS):
        phi = rng.standard_normal((SAMPLES, DIMENSION))
        phi /= np.maximum(np.linalg.norm(phi, axis=1, keepdims=True), 1)
        datasets.append(RidgeData(SAMPLES, phi.T @ phi, phi.T @ rng.random(SAMPLES)))
    channel = ListeningChannel(AGENTS, 1)
    agents = MaskedAgents(datasets, 1, 1.0, rng) if masked else Agents(datasets, 1)
    descend(agents, channel, DIMENSION + 1)
    scale = 2 / (AGENTS * SAMPLES)
    errors = []
    for m, data in enumerate(datasets):
        gram, moment = recover(channel, m)
        truth = np.column_stack([data.gram, data.moment]) * scale
        errors.append(float(np.linalg.norm(np.column_stack([gram, moment]) - truth) / np.linalg.norm(truth)))
    figures = {"rounds": DIMENSION + 1, "d": DIMENSION, "relative_errors": errors, "masked": masked}
    if max(errors) < 1e-3:
        return Evidence(
            Verdict.REFUTED,
            f"after {DIMENSION + 1} rounds at d = {DIMENSION} the server knows every V_m and b_m to {max(errors):.1e}",
            figures,
            replay="python -m verify run erratum:E17",
        )
    if min(errors) > 1:
        return Evidence(
            Verdict.SUPPORTED,
            f"with pairwise masks the same reconstruction errs by {min(errors):.1e} times the truth or more",
            figures,
        )
    return Evidence(Verdict.INCONCLUSIVE, f"relative errors {errors}", figures)


def masks_cancel(task: Task, cancelling: bool = True) -> Evidence:
    """Secure aggregation changes neither the estimate nor the ledger: AGD with masks against AGD."""
    from fedigw.ledger import Channel
    from linear.protocols.agd import AcceleratedGradient
    from linear.protocols.agd_masked import MaskedAcceleratedGradient
    from linear.ridge import RidgeData

    rng = task.rng()
    datasets = []
    for _ in range(AGENTS):
        phi = rng.standard_normal((SAMPLES, DIMENSION)) / np.sqrt(DIMENSION) / 3
        datasets.append(RidgeData(SAMPLES, phi.T @ phi, phi.T @ rng.random(SAMPLES)))
    plain, masked = Channel(AGENTS, 1), Channel(AGENTS, 1)
    one = AcceleratedGradient(0.1).fit(datasets, plain, rng)
    if not cancelling:
        datasets = datasets[
            :-1
        ]  # an agent drops out: its partners' masks no longer cancel, here its data are missing
        masked = Channel(AGENTS - 1, 1)
    other = MaskedAcceleratedGradient(0.1).fit(datasets, masked, rng)
    difference = float(np.linalg.norm(one - other))
    same = difference < 1e-9 and plain.traffic == masked.traffic
    return Evidence(
        Verdict.SUPPORTED if same else Verdict.REFUTED,
        f"estimates differ by {difference:.1e}; ledgers {'equal' if plain.traffic == masked.traffic else 'differ'}",
        {"difference": difference},
    )
