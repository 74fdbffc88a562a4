"""The sphere's steps with only what they need drawn: exact in distribution, far fewer numbers.

Scores and means of all arms need only u's projection on the plane of estimate and parameter. For u uniform on the unit
sphere of R^s that projection has a uniform angle and, independent of it, a squared length 1 - U^{2/(s-2)}, U uniform:
Beta(1, (s-2)/2). Only the chosen arm's feature enters the Gram matrix, so only its remaining coordinates are drawn:
a uniform direction, independent of the rest, of squared length U^{2/(s-2)}. That direction is one of standard normals,
two at a time from an angle and an exponential (Box and Muller).

The first axis of the plane is the estimate's, so scores are a multiple of one coordinate. Arrays of arms lie arm by
arm, (K, n), float32, in memory that is taken once; uniforms lie on a grid of 2^-23, far below any noise here.
"""

import math
import threading
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from fedigw.rewards import draw
from linear.contexts.sphere import Lane, Played, Tally
from linear.model import Watched

CHUNK = 120_000  # arm draws at once: arrays of 480 kB; below, calls of numpy cost more than cache saves
ROOT = math.sqrt(0.5)
FEW, LONG = (
    64,
    256,
)  # at most so many arms, at least so many steps: then arm by arm is faster than along the first axis
WORDS = 8192  # 64 random bits each, drawn at once: small enough for memory that is used again
KEPT = 8 * CHUNK  # numbers of an array that is kept
LEAST = np.float32(1e-20)  # of an exponential, so that no length is 0; any other is at least 1e-7
STEEPEST = 1e30  # a rate beyond which chances are lost in the grid of uniforms, far from infinity


class Memory(threading.local):
    """Arrays that are used again from chunk to chunk and from epoch to epoch, each thread's own: memory that is given
    back and taken anew costs more than what short epochs do in it. Large ones are not kept."""

    def __init__(self) -> None:
        self.kept: dict[str, np.ndarray] = {}

    def take(self, name: str, shape: tuple[int, ...], kind: Any) -> np.ndarray:
        """Return an array with anything in it; the next one of its name is the same memory."""
        size = math.prod(shape)
        held = self.kept.get(name)
        if held is None or len(held) < size:
            held = np.empty(max(size, KEPT), dtype=kind)
            if size <= KEPT:
                self.kept[name] = held
        return held[:size].reshape(shape)


MEMORY = Memory()


def plane_basis(estimate: np.ndarray, parameter: np.ndarray) -> np.ndarray:
    """(s, s) orthonormal columns, s = d-1: the first min(2, s) span the slopes of estimate and parameter, and the first
    has no negative product with the estimate's. Two reflections, as a QR factorisation of the slopes makes them."""
    basis = np.eye(len(estimate) - 1)
    for place, slope in enumerate((estimate[1:], parameter[1:])[: len(basis)]):
        mirror = slope @ basis
        mirror[:place] = 0.0
        length = math.sqrt(mirror @ mirror)
        mirror[place] += math.copysign(length, mirror[place])
        square = float(mirror @ mirror)
        if square > 0:
            basis -= np.outer(basis @ mirror, mirror * (2 / square))
    if basis[:, 0] @ estimate[1:] < 0:
        basis[:, 0] *= -1
    return basis


@dataclass(frozen=True)
class Drawn:
    """What a chunk draws of all arms. z (plane, K, n): coordinates in the plane; tail (K, n): squared length of the
    rest, without meaning where there is none; chances (K, n): of the arms; greedy (n,): where in (K, n) the arm with
    the largest score is. spare: four (K, n) of scratch. Whoever gets it may write over all of it."""

    z: np.ndarray
    tail: np.ndarray
    chances: np.ndarray
    greedy: np.ndarray
    spare: tuple[np.ndarray, ...]


def lane(job: Lane, rng: np.random.Generator) -> Played:
    K, d = job.arms, job.dimension
    basis = plane_basis(job.estimate, job.parameter)
    plane = min(2, d - 1)
    rest = d - 1 - plane
    truth = basis[:, :plane].T @ job.parameter[1:]
    truth32 = truth.astype(np.float32)
    means = ROOT * np.concatenate([job.parameter[:1], truth])
    rate = steepness(job.learning_rate * float(basis[:, 0] @ job.estimate[1:]))
    size = max(1, min(CHUNK // K, 10 * CHUNK // d, job.steps))
    estimate = job.act.parameters
    charge = estimate.on_plane(basis) if isinstance(estimate, Watched) else None
    tally = Tally(job)
    for start in range(0, job.steps, size):
        n = min(size, job.steps - start)
        block = MEMORY.take("arms", (5 if charge is None else 8, K, n), np.float32)
        z, tail, (spare, mean) = block[:plane], block[2], block[3:5]
        draw_projections(rng, z, block[2:4], rest)
        np.multiply(z[0], truth32[0], out=mean)
        if plane == 2:
            mean += np.multiply(z[1], truth32[1], out=spare)
        first = np.arange(n)
        arm, greedy, lost = choose_arms(z[0], mean, rate, rng, spare, first)
        chosen = block[:3].reshape(3, -1).take(arm * np.intp(n) + first, axis=1)
        picked = MEMORY.take("chosen", (d, n), np.float64)  # times sqrt2
        picked[0] = 1.0
        picked[1 : 1 + plane] = chosen[:plane]
        if rest:
            away = normals(rng, rest, n)
            chosen[2] /= np.einsum("in,in->n", away, away)
            away *= np.sqrt(chosen[2])
            picked[1 + plane :] = away
        tally.add(start, picked, draw(means @ picked[: 1 + plane], job.rewards, rng), lost)
        if charge is not None:
            best = greedy * np.intp(n) + first
            charge(Drawn(z, tail, chances(z[0], best, rate, mean), best, (spare, *block[5:])), rng)
    turn = np.zeros((d, d))
    turn[0, 0] = ROOT
    turn[1:, 1:] = ROOT * basis
    return tally.total(turn, ROOT)


def steepness(rate: float) -> np.float32:
    """Return what gaps in the plane's first coordinate are multiplied by."""
    return np.float32(min(rate * ROOT, STEEPEST))


def uniforms(rng: np.random.Generator, out: np.ndarray) -> np.ndarray:
    """Fill contiguous `out` with uniforms in [1, 2): 23 random bits behind the exponent of 1; half a word each."""
    bits, words = out.reshape(-1).view(np.uint32), rng.bit_generator
    for start in range(0, len(bits), 2 * WORDS):
        part = bits[start : start + 2 * WORDS]
        drawn = words.random_raw(-(-len(part) // 2)).view(np.uint32)
        np.right_shift(drawn[: len(part)], 9, out=part)
    bits |= 0x3F800000
    return out


def draw_projections(rng: np.random.Generator, z: np.ndarray, drawn: np.ndarray, rest: int) -> None:
    """Fill z (plane, K, n): projections of uniform directions; drawn[0] (K, n): squared length of what they leave out,
    where there is a rest; drawn[1] (K, n) is scratch."""
    if len(z) == 1:
        z[0] = np.where(uniforms(rng, drawn[1]) < 1.5, np.float32(-1), np.float32(1))
        return
    tail, angle = drawn
    uniforms(rng, drawn if rest else angle)
    angle *= np.float32(2 * math.pi)
    np.cos(angle, out=z[0])
    np.sin(angle, out=z[1])
    if rest:
        powers(tail, 2 / rest)
        z *= np.sqrt(np.subtract(1, tail, out=angle), out=angle)


def powers(drawn: np.ndarray, exponent: float) -> None:
    """U^exponent of U = 2 - drawn in (0, 1], in place."""
    np.subtract(2, drawn, out=drawn)
    np.log(drawn, out=drawn)
    drawn *= np.float32(exponent)
    np.exp(drawn, out=drawn)


def normals(rng: np.random.Generator, count: int, steps: int) -> np.ndarray:
    """Return standard normals over sqrt2, in memory that the next call uses again, shape (count, n)."""
    pairs = (count + 1) // 2
    block = MEMORY.take("normals", (4, pairs, steps), np.float32)
    angle, radius = uniforms(rng, block[:2])
    angle *= np.float32(2 * math.pi)
    np.subtract(2, radius, out=radius)
    np.log(radius, out=radius)
    np.subtract(LEAST, radius, out=radius)
    np.sqrt(radius, out=radius)
    np.cos(angle, out=block[2])
    np.sin(angle, out=block[3])
    found = block[2:]
    found *= radius
    return found.reshape(2 * pairs, steps)[:count]


def choose_arms(
    score: np.ndarray,
    mean: np.ndarray,
    rate: np.float32,
    rng: np.random.Generator,
    spare: np.ndarray,
    first: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Inverse gap weighting with arms along the first axis (K, n): the arm drawn, the greedy one, and the expected
    regret, (n,).

    Weights 1/(K + gamma gap) of all arms, the greedy one's 1/K included, sum to at most 1: the rest is greedy's too.
    spare (K, n): scratch. first (n,): 0, 1, ..., n-1.
    """
    arms, steps = score.shape
    top, greedy = largest(score, spare)
    weight = weights(score, top, rate, spare)
    lost = mean.max(axis=0)
    lost -= np.einsum("kn,kn->n", weight, mean)
    reached = running(np.add, weight)
    lost -= (1 - reached[-1]) * mean.take(greedy * np.intp(steps) + first)
    uniform = uniforms(rng, np.empty(steps, dtype=np.float32)) - 1
    arm = counted(uniform >= reached)
    np.copyto(arm, greedy, where=arm == arms, casting="unsafe")  # both are numbers of arms
    return arm, greedy, lost


def weights(score: np.ndarray, top: np.ndarray, rate: np.float32, out: np.ndarray) -> np.ndarray:
    """Return 1/(K + gamma gap), shape (K, n)."""
    np.subtract(top, score, out=out)
    out *= rate
    out += len(score)
    return np.reciprocal(out, out=out)


def chances(score: np.ndarray, greedy: np.ndarray, rate: np.float32, out: np.ndarray) -> np.ndarray:
    """(K, n): the arms' probabilities; greedy (n,): where in (K, n) the arm with the largest score is."""
    weights(score, score.take(greedy), rate, out)
    out.reshape(-1)[greedy] += 1 - out.sum(axis=0)
    return out


def by_rows(values: np.ndarray) -> bool:
    """Return whether going through rows (K, n) one by one is faster than numpy's own way along the first axis."""
    return len(values) <= FEW and values.shape[1] >= LONG


def largest(score: np.ndarray, spare: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the largest of each column of (K, n), and the first row that has it, shape (n,)."""
    if not by_rows(score):
        return score.max(axis=0), score.argmax(axis=0)
    np.copyto(spare, score)
    reached = running(np.maximum, spare)
    top = reached[-1].copy()
    return top, counted(reached < top)


def running(operation: np.ufunc, values: np.ndarray) -> np.ndarray:
    """Return values (K, n) with every row combined with all before it, in place."""
    if not by_rows(values):
        return np.asarray(operation.accumulate(values, axis=0, out=values))
    for before, row in pairwise(values):
        operation(before, row, out=row)
    return values


def counted(true: np.ndarray) -> np.ndarray:
    """Return how many rows of (K, n) are true, shape (n,)."""
    kind = np.uint8 if len(true) <= FEW else np.intp
    return np.asarray(np.add.reduce(true.view(np.uint8), axis=0, dtype=kind))
