"""Reconstruct an agent's Gram matrix from the messages of accelerated gradient descent, with and without masks
(remark E17).

The server uses all messages by which one model is learned. Two kinds of wrong masks serve as negative controls: masks
that are the same in every round, and a mask that its partner does not subtract.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedigw.channel import Link
from fedigw.encoders.masks import Masks, add, fixed
from linear.eavesdropping import ListeningChannel, recover, recover_by_differences
from linear.model import Ridge
from linear.protocols.agd import AcceleratedGradient
from linear.ridge import RidgeData, RidgeProblem
from verify.claim import Evidence, Task, Verdict

DIMENSION, AGENTS, SAMPLES = 5, 4, 50
KNOWN = 1e-3  # relative error below which the server knows; above 1 the guess 0 would have been better
HIDDEN = 1.0  # distance of a message from its gradient, whose norm is at most 2


@dataclass(frozen=True)
class LeakingMasks(Masks):
    """Two kinds of wrong masks, for negative controls. constant: the masks are the same in every round. Not constant:
    agent 0 adds another random number that no agent subtracts, so the masks do not cancel in the sum."""

    constant: bool = True
    name: ClassVar[str] = "leaking_masks"

    def encode(self, messages: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        if self.constant:
            return super().encode(messages, np.random.default_rng(7))
        found = super().encode(messages, rng)
        found[0] = add(found[0], fixed(10 * rng.standard_normal(messages.shape[1:])))
        return found


def _datasets(rng: np.random.Generator) -> list[Any]:
    found = []
    for _ in range(AGENTS):
        phi = rng.standard_normal((SAMPLES, DIMENSION))
        phi /= np.maximum(np.linalg.norm(phi, axis=1, keepdims=True), 1)
        found.append(RidgeData(SAMPLES, phi.T @ phi, phi.T @ rng.random(SAMPLES)))
    return found


def heard(datasets: list[Any], encoder: Any, rng: np.random.Generator) -> tuple[np.ndarray, Any]:
    """Run accelerated gradient descent. Return its estimate and the channel, which stores all messages. encoder: what
    agents apply to their messages, such as masks; None for plain messages."""
    channel = ListeningChannel(len(datasets), 1, Link() if encoder is None else Link(encoder=encoder), rng)
    problem = Ridge(DIMENSION).problem(datasets, 1)
    return AcceleratedGradient(0.1).fit(problem, channel, None, rng).parameters, channel


def attacks(channel: Any, datasets: list[Any]) -> list[dict[str, Any]]:
    """Return a row for each of four ways (`attack`) to reconstruct data from the messages: the relative errors of every
    agent's Gram matrix (V) and moments (b)."""
    # an attack solves for the affine map from AGD's points to an agent's messages, or for the linear map between
    # differences of consecutive points and of messages, in which constant masks cancel; each with d+1 and with all
    # rounds
    scale = 2 / sum(data.count for data in datasets)
    rows = []
    for name, attack, rounds in (
        (f"{DIMENSION + 1} rounds", recover, DIMENSION + 1),
        ("all rounds", recover, len(channel.answers)),
        (f"differences, {DIMENSION + 1} rounds", recover_by_differences, DIMENSION + 1),
        ("differences, all rounds", recover_by_differences, len(channel.answers)),
    ):
        found = [attack(channel, m, rounds) for m in range(len(datasets))]
        pairs = list(zip(found, datasets, strict=True))
        grams = [_apart(gram, scale * data.gram) for (gram, _), data in pairs]
        moments = [_apart(moment, scale * data.moment) for (_, moment), data in pairs]
        rows.append({"attack": name, "V": grams, "b": moments})
    return rows


def _apart(found: np.ndarray, truth: np.ndarray) -> float:
    return float(np.linalg.norm(found - truth) / np.linalg.norm(truth))


def masking(channel: Any, datasets: list[Any]) -> float:
    plain = RidgeProblem(datasets, 1)
    return min(
        float(np.linalg.norm((answer - plain.gradients(point)).astype(float), axis=1).min())
        for point, answer in zip(channel.points, channel.answers, strict=True)
    )


def reconstruction(task: Task, masked: bool = False, encoder: Any = None) -> Evidence:
    """Reconstruct each agent's Gram matrix and moments from the messages by which accelerated gradient descent learns
    one model. A relative error below 0.001 refutes that these data are hidden. Positive control, which must hold:
    pairwise masks hide them."""
    rng = task.rng()
    datasets = _datasets(rng)
    _, channel = heard(datasets, encoder or (Masks() if masked else None), rng)
    rows, least = attacks(channel, datasets), masking(channel, datasets)
    errors = {name: [e for row in rows for e in row[name]] for name in ("V", "b")}
    span = np.stack(channel.points[: DIMENSION + 1])
    independent = int(np.linalg.matrix_rank(span[1:] - span[0])) == DIMENSION
    figures: dict[str, Any] = {"rounds": len(channel.answers), "d": DIMENSION, "attacks": rows}
    figures |= {"masked": masked, "least_mask": least, "affinely_independent": independent}
    known = [name for name, values in errors.items() if min(values) < KNOWN]
    if known:
        # the first attack, with the fewest rounds, that is good enough
        worst_of = {row["attack"]: max(error for name in known for error in row[name]) for row in rows}
        attack = next((a for a, w in worst_of.items() if w < KNOWN), min(worst_of, key=worst_of.__getitem__))
        said = f"from {attack} at d = {DIMENSION} the server knows every {'_m and '.join(known)}_m"
        said += f" to {worst_of[attack]:.1e}"
        return Evidence(Verdict.REFUTED, said, figures, replay="python -m verify run erratum:E17")
    smallest = min(min(values) for values in errors.values())
    if smallest > 1 and least > HIDDEN:
        said = f"with pairwise masks the best of {len(rows)} attacks on {len(channel.answers)} rounds errs by"
        said += f" {smallest:.1e} times the truth or more, on V_m and on b_m alike (floating point, this attacker)"
        return Evidence(Verdict.FLOAT, said, figures)
    said = f"least relative error {smallest:.2g}, least mask {least:.2g}"
    return Evidence(Verdict.UNDECIDED, said, figures)


def one_line(task: Task, generic: bool = False) -> Evidence:
    """Refute that gradients at any points determine an agent's Gram matrix: if all points lie on one line, two
    different matrices give the same messages. Positive control, which must hold: if the points span the space
    (`generic`), the messages differ."""
    # M = d = 5, V_m = 10 I + 10 e_m e_m', b_m = (1, ..., 1): the sum of all V_m is 60 I, so every point is a
    # multiple of b = (1, ..., 1), and V_1 + v v' with v = e_1 - e_2, v'b = 0, gives the same gradients as V_1;
    # generic: five different eigenvalues
    rng, size = task.rng(), AGENTS + 1
    one = np.ones(DIMENSION)
    scale = np.linspace(0.5, 1.5, DIMENSION) if generic else one
    plain = [
        RidgeData(70, 10 * np.diag(scale) + 10 * np.diag(np.eye(DIMENSION)[m % DIMENSION]), one)
        for m in range(size)
    ]
    turned = np.eye(DIMENSION)[0] - np.eye(DIMENSION)[1]
    other = [RidgeData(70, plain[0].gram + np.outer(turned, turned), one), *plain[1:]]
    calls = [heard(datasets, None, rng)[1] for datasets in (plain, other)]
    answers = [np.stack([answer[0] for answer in call.answers]) for call in calls]
    points = np.stack(calls[0].points)
    rank = int(np.linalg.matrix_rank(points - points[0], tol=1e-9))
    apart = float(np.abs(answers[0] - answers[1]).max())
    figures = {"rounds": len(points), "rank": rank, "d": DIMENSION, "messages_apart": apart}
    said = f"{len(points)} rounds at d = {DIMENSION}, points in {rank} dimension{'s' if rank > 1 else ''}"
    if apart < 1e-12:
        summary = f"{said}: V_1 and V_1 + v v' send the same messages (apart by {apart:.1e})"
        return Evidence(Verdict.REFUTED, summary, figures, replay="python -m verify run erratum:E17")
    return Evidence(Verdict.FLOAT, f"{said}: the messages differ by {apart:.1e}", figures)


def masks_cancel(task: Task, encoder: Any = None) -> Evidence:
    """Check that pairwise masks leave the estimate, the rounds and the numbers of accelerated gradient descent
    unchanged, and that every message is far from its gradient. Negative control, which must fail: a mask that its
    partner does not subtract."""
    rng = task.rng()
    datasets = _datasets(rng)
    one, plain = heard(datasets, None, rng)
    other, masked = heard(datasets, encoder or Masks(), rng)
    difference, least = float(np.linalg.norm(one - other)), masking(masked, datasets)
    counted = [(t.rounds, t.messages_up, t.messages_down, t.numbers) for t in (plain.traffic, masked.traffic)]
    equal = counted[0] == counted[1]
    said = f"estimates differ by {difference:.1e}; rounds and numbers {'equal' if equal else 'differ'};"
    said += f" every message at least {least:.2g} away from its gradient"
    kind = Verdict.FLOAT.unless(not (difference < 1e-9 and equal and least > HIDDEN))
    return Evidence(kind, said, {"difference": difference, "least_mask": least})
