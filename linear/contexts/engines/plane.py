"""Play steps with contexts on the sphere from few random numbers: draw only the coordinates that matter."""

# Features are (1, u)/sqrt2 with u uniform on the unit sphere of R^s. The scores and mean rewards of all arms depend
# only on the projection of u on the plane of estimate and true parameter. This projection has a uniform angle and,
# independently, the squared length 1 - U^{2/(s-2)} with U uniform on (0, 1). Only the chosen arm's feature enters the
# Gram matrix, so only its other coordinates are drawn: a uniform direction, independent of the rest, with squared
# length U^{2/(s-2)}. The direction is that of standard normals, which are made in pairs from an angle and an
# exponential (Box and Muller).
#
# The first axis of the plane is that of the estimate, so scores are a multiple of one coordinate. Arrays have the arms
# on the first axis, (K, n), in float32 and in reused memory. Uniforms lie on a grid of 2^-23, far finer than any noise
# here.

import hashlib
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
# with at most FEW arms and at least LONG steps, arm by arm is faster than along the first axis
FEW, LONG = 64, 256
WHOLE = 120_000  # numbers of whole features at once
WORDS = 8192  # 64 random bits each, drawn at once: small enough for memory that is used again
KEPT = 8 * CHUNK  # the largest size of an array that is stored for reuse
LEAST = np.float32(1e-20)  # of an exponential, so that no length is 0; any other is at least 1e-7
STEEPEST = 1e30  # a rate beyond which chances are lost in the grid of uniforms, far from infinity


class Memory(threading.local):
    """Arrays that are reused from chunk to chunk and epoch to epoch, separately in each thread, because in short epochs
    allocating memory costs more than the arithmetic. Arrays of more than KEPT numbers are not stored."""

    def __init__(self) -> None:
        self.kept: dict[str, np.ndarray] = {}

    def take(self, name: str, shape: tuple[int, ...], kind: Any) -> np.ndarray:
        """Return an uninitialised array with dtype `kind`. The next array of the same name uses the same memory."""
        size = math.prod(shape)
        held = self.kept.get(name)
        if held is None or len(held) < size:
            held = np.empty(max(size, KEPT), dtype=kind)
            if size <= KEPT:
                self.kept[name] = held
        return held[:size].reshape(shape)


MEMORY = Memory()


def plane_basis(estimate: np.ndarray, parameter: np.ndarray) -> np.ndarray:
    """Return a matrix (s, s), s = d-1, whose columns are an orthonormal basis of R^s. Its first two columns (one if s =
    1) span the plane of `estimate` and `parameter` (d,) without their first coordinates, the intercepts. In this basis
    the estimate's first coordinate is not negative."""
    # two reflections, as in a QR factorisation
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
    """The drawn parts of the arms' features (1, u)/sqrt2 in a chunk of n steps. Receivers may overwrite the arrays.

    z         (plane, K, n): coordinates of u in the plane of estimate and true parameter (plane = 2, or 1 if d = 2)
    tail      (K, n): squared length of u outside the plane; undefined if features have at most 3 coordinates
    chances   (K, n): arm probabilities
    greedy    (n,): flat index in (K, n) of the arm with the largest score
    spare     four scratch arrays (K, n)
    """

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
    # what gaps in the first coordinate of the plane are multiplied by
    rate = np.float32(min(job.learning_rate * float(basis[:, 0] @ job.estimate[1:]) * ROOT, STEEPEST))
    size = max(1, min(CHUNK // K, 10 * CHUNK // d, job.steps))
    estimate = job.act.parameters
    watched = estimate if isinstance(estimate, Watched) else None
    charge = watched.on_plane(basis) if watched is not None and watched.on_plane else None
    turn = np.zeros((d, d))
    turn[0, 0] = ROOT
    turn[1:, 1:] = ROOT * basis
    aside = beside(rng)
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
        if watched is not None and watched.watch is not None and charge is None:
            for low in range(0, int(min(n, watched.shown - start)), WHOLE // (K * d) + 1):
                part = slice(low, min(n, low + WHOLE // (K * d) + 1))
                found = whole(z[..., part], tail[:, part], arm[part], picked[:, part], turn, aside)
                watched.watch(found, found @ job.estimate)
        if charge is not None:
            best = greedy * np.intp(n) + first
            charge(Drawn(z, tail, chances(z[0], best, rate, mean), best, (spare, *block[5:])), rng)
    return tally.total(turn, ROOT)


def beside(rng: np.random.Generator) -> np.random.Generator:
    """Return a second random generator, seeded by the state of `rng`. This state does not change."""
    state = repr(rng.bit_generator.state).encode()
    return np.random.default_rng(int.from_bytes(hashlib.sha256(state).digest()))


def whole(
    z: np.ndarray,
    tail: np.ndarray,
    arm: np.ndarray,
    picked: np.ndarray,
    turn: np.ndarray,
    aside: np.random.Generator,
) -> np.ndarray:
    """Complete features of which only a part was drawn, and return them for n steps, shape (n, K, d).

    z              (plane, K, n): coordinates in the plane of estimate and true parameter
    tail           (K, n): squared length outside the plane
    arm, picked    (n,), (d, n): the chosen arms and their features, which are known
    aside          generator that draws the missing directions of the other arms
    turn           (d, d): maps to the world's coordinates
    """
    (plane, arms, n), d = z.shape, len(turn)
    found = np.empty((n, arms, d))
    found[..., 0] = 1.0
    found[..., 1 : 1 + plane] = z.transpose(2, 1, 0)
    if d > 1 + plane:
        rest = normals(aside, (d - 1 - plane) * arms, n).reshape(-1, arms, n)
        rest *= np.sqrt(tail / np.einsum("ikn,ikn->kn", rest, rest))
        found[..., 1 + plane :] = rest.transpose(2, 1, 0)
        found[np.arange(n), arm, 1 + plane :] = picked[1 + plane :].T
    return (found.reshape(-1, d) @ turn.T).reshape(found.shape)


def uniforms(rng: np.random.Generator, out: np.ndarray) -> np.ndarray:
    """Fill the contiguous array `out` with float32 numbers uniform in [1, 2), of 23 random bits each."""
    bits, words = out.reshape(-1).view(np.uint32), rng.bit_generator
    for start in range(0, len(bits), 2 * WORDS):
        part = bits[start : start + 2 * WORDS]
        drawn = words.random_raw(-(-len(part) // 2)).view(np.uint32)
        np.right_shift(drawn[: len(part)], 9, out=part)
    bits |= 0x3F800000
    return out


def draw_projections(rng: np.random.Generator, z: np.ndarray, drawn: np.ndarray, rest: int) -> None:
    """Draw, for random unit vectors, the projection on a plane and the length outside it. z: (plane, K, n), is filled
    with the coordinates in the plane. drawn[0]: (K, n), is filled with the squared length of the other `rest`
    coordinates, unless `rest` is 0. drawn[1]: (K, n), scratch."""
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
    """Replace the numbers u in [1, 2) of the array `drawn`, in place, by (2 - u)^exponent."""
    np.subtract(2, drawn, out=drawn)
    np.log(drawn, out=drawn)
    drawn *= np.float32(exponent)
    np.exp(drawn, out=drawn)


def normals(rng: np.random.Generator, count: int, steps: int) -> np.ndarray:
    """Draw standard normals divided by sqrt2, shape (count, steps). The next call overwrites their memory."""
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
    """Draw arms by inverse gap weighting from scores (K, n). Return three arrays (n,): the drawn arm, the arm with the
    largest score and the expected regret. mean: (K, n), true mean rewards. rate: learning rate, for gaps in units of
    the scores. spare: (K, n), scratch. first: (n,), the numbers 0, 1, ..., n-1."""
    # each arm gets the weight 1/(K + gamma gap), 1/K for the greedy one; they sum to at most 1, and the greedy arm
    # also gets what is left
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
    """Write the inverse gap weights 1/(K + rate x gap) of all arms into `out`, shape (K, n). An arm's gap is `top`
    minus its score, where `top` (n,) has the largest score of each step."""
    np.subtract(top, score, out=out)
    out *= rate
    out += len(score)
    return np.reciprocal(out, out=out)


def chances(score: np.ndarray, greedy: np.ndarray, rate: np.float32, out: np.ndarray) -> np.ndarray:
    """Write the arm probabilities of inverse gap weighting into `out`, shape (K, n). rate: learning rate, for gaps in
    units of the scores. greedy: (n,), flat index in (K, n) of the largest score of each step."""
    weights(score, score.take(greedy), rate, out)
    out.reshape(-1)[greedy] += 1 - out.sum(axis=0)
    return out


def by_rows(values: np.ndarray) -> bool:
    """Return whether a Python loop over the K rows of an array (K, n) is faster than numpy's reduction."""
    return len(values) <= FEW and values.shape[1] >= LONG


def largest(score: np.ndarray, spare: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the largest value of each column of an array (K, n), and the first row that has it, both (n,). spare:
    scratch array of the same shape."""
    if not by_rows(score):
        return score.max(axis=0), score.argmax(axis=0)
    np.copyto(spare, score)
    reached = running(np.maximum, spare)
    top = reached[-1].copy()
    return top, counted(reached < top)


def running(operation: np.ufunc, values: np.ndarray) -> np.ndarray:
    """Replace row k of an array (K, n), in place, by `operation` over rows 0 to k (np.add: running sums)."""
    if not by_rows(values):
        return np.asarray(operation.accumulate(values, axis=0, out=values))
    for before, row in pairwise(values):
        operation(before, row, out=row)
    return values


def counted(true: np.ndarray) -> np.ndarray:
    kind = np.uint8 if len(true) <= FEW else np.intp
    return np.asarray(np.add.reduce(true.view(np.uint8), axis=0, dtype=kind))
