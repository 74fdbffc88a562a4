"""Compute the mean of a Gaussian restricted to the unit box, in at most three dimensions, by quadrature."""

# The density is proportional to exp(-theta (w'Gw - 2b'w)) on [0,1]^d, where G may be singular. Coordinates are
# integrated out one after another. The last is integrated over the range in which its exponent, a parabola, falls by
# DROP. The others are integrated by adaptive Gauss-Kronrod panels, up to the point where the marginal density has
# fallen by e^DROP. At most a share e^-DROP of the mass lies beyond, because every marginal of a log-concave density is
# log-concave.

import math
from functools import cache
from itertools import product

import numpy as np

MOST_DIMENSIONS = 3
DROP = 45.0  # e^-45 is below the rounding of doubles
LAST_NODES = 28  # on either side of the mode: exact to rounding for a parabola that falls by DROP
PANELS = 6  # to begin with
TOLERANCE = 1e-9  # Kronrod against Gauss; what Kronrod itself misses is far less
MOST_HALVINGS = 60
TOGETHER = {1: 4096, 2: 64, 3: 1}  # problems at once, so that what is held fits a cache

# Gauss-Kronrod, 7 and 15 nodes: abscissae >= 0, Kronrod's weights, Gauss's weights (0 where it has no node)
_NODES = (
    (0.991455371120812639206854697526329, 0.022935322010529224963732008058970, 0.0),
    (0.949107912342758524526189684047851, 0.063092092629978553290700663189204, 0.129484966168869693270611432679082),
    (0.864864423359769072789712788640926, 0.104790010322250183839876322541518, 0.0),
    (0.741531185599394439863864773280788, 0.140653259715525918745189590510238, 0.279705391489276667901467771423780),
    (0.586087235467691130294144691258490, 0.169004726639267902826583426598550, 0.0),
    (0.405845151377397166906606412076961, 0.190350578064785409913256402421014, 0.381830050505118944950369775488975),
    (0.207784955007898467600689403773245, 0.204432940075298892414161999234649, 0.0),
    (0.0, 0.209482141084727828012999174891714, 0.417959183673469387755102040816327),
)  # fmt: skip


def box_mean(gram: np.ndarray, moment: np.ndarray, exponent: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean (R, d) of the density proportional to exp(-exponent (w'Gw - 2b'w)) on [0,1]^d, and the logarithm
    of that function's integral (R,). gram: positive semidefinite matrices G (R, d, d). moment: vectors b (R, d)."""
    rows, d = moment.shape
    if d > MOST_DIMENSIONS:
        raise ValueError(f"{d} coordinates: quadrature is for at most {MOST_DIMENSIONS}")
    logarithm, mean = np.empty(rows), np.empty((rows, d))
    for start in range(0, rows, TOGETHER[d]):
        part = slice(start, start + TOGETHER[d])
        scaled, right = exponent * np.asarray(gram[part], float), exponent * np.asarray(moment[part], float)
        logarithm[part], mean[part] = _integrated(scaled, right, np.zeros_like(right), np.ones_like(right))
    return np.clip(mean, 0.0, 1.0), logarithm


def _integrated(
    gram: np.ndarray, moment: np.ndarray, low: np.ndarray, high: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    centre = _mode(gram, moment, low, high)
    slope = moment - np.einsum("nij,nj->ni", gram, centre)
    height = np.einsum("ni,ni->n", centre, moment + slope)  # -c'Gc + 2b'c
    inner = _last if moment.shape[1] == 1 else _outer
    logarithm, mean = inner(gram, slope, low - centre, high - centre)
    return logarithm + height, mean + centre


def _mode(gram: np.ndarray, moment: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Return the maximiser of the density exp(-w'Gw + 2b'w) in the box low <= w <= high, shape (N, d), where G is
    `gram` and b is `moment`. All combinations of coordinates at the lower end, at the upper end or in between are
    tried."""
    rows, d = moment.shape
    best, found = np.full(rows, -np.inf), low.copy()
    for states in product((0, 1, 2), repeat=d):
        free = [i for i in range(d) if states[i] == 2]
        point = np.where(np.array(states) == 1, high, low)
        if free:
            held = point.copy()
            held[:, free] = 0.0
            right = (moment - np.einsum("nij,nj->ni", gram, held))[:, free]
            point[:, free] = _solved(gram[:, free][:, :, free], right)
            point = np.clip(point, low, high)
        value = np.einsum("ni,ni->n", point, 2 * moment - np.einsum("nij,nj->ni", gram, point))
        better = value > best
        best[better], found[better] = value[better], point[better]
    return found


def _solved(system: np.ndarray, right: np.ndarray) -> np.ndarray:
    k = right.shape[1]
    slight = 1e-15 * np.einsum("nii->n", system) + 1e-300
    if k == 1:
        return np.asarray(right / (system[:, 0] + slight[:, None]))
    return np.asarray(np.linalg.solve(system + slight[:, None, None] * np.eye(k), right[..., None])[..., 0])


def _last(
    gram: np.ndarray, slope: np.ndarray, low: np.ndarray, high: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Integrate exp(-c v^2 + 2 t v) over low <= v <= high, where c is `gram` (N, 1, 1), t is `slope` (N, 1) and the
    maximum is at v = 0. Return the logarithm of the integral (N,) and the mean of v (N, 1). Method: Gauss-Legendre
    quadrature on each side of 0, up to the point where the exponent has fallen by DROP."""
    curve, tilt = gram[:, 0, 0], slope[:, 0]
    mass, first = np.zeros(len(tilt)), np.zeros(len(tilt))
    nodes, weights = _legendre(LAST_NODES)
    powers, moments = np.stack([nodes**2, nodes]), np.stack([weights, weights * nodes], axis=1)
    for sign, end in ((1.0, high[:, 0]), (-1.0, -low[:, 0])):
        falling = np.maximum(-sign * tilt, 0.0)  # curve v^2 + 2 falling v = DROP
        with np.errstate(divide="ignore"):
            reach = np.minimum(end, DROP / (falling + np.sqrt(falling**2 + curve * DROP)))
        # -curve v^2 + 2 sign tilt v at v = reach nodes; neither term is positive where the mode is an end
        density = np.stack([-curve * reach**2, 2 * sign * tilt * reach], axis=1) @ powers
        found = np.exp(density, out=density) @ moments
        mass += found[:, 0] * reach
        first += sign * found[:, 1] * reach**2
    safe = np.where(mass > 0, mass, 1.0)  # a window of no length: all at the mode
    with np.errstate(divide="ignore"):
        return np.log(mass), (first / safe)[:, None]


@cache
def _legendre(count: int) -> tuple[np.ndarray, np.ndarray]:
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return (nodes + 1) / 2, weights / 2


def _outer(
    gram: np.ndarray, slope: np.ndarray, low: np.ndarray, high: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Integrate exp(-w'Gw + 2s'w) over a box in two or three dimensions, where G is `gram` (N, d, d), s is `slope` (N,
    d) and the maximum is at w = 0. Return the logarithm of the integral (N,) and the mean of w (N, d). The first
    coordinate is integrated by adaptive Gauss-Kronrod panels, the others at each node of these."""
    rows, d = slope.shape
    start, end = _window(gram, slope, low, high)
    edges = start[:, None] + (end - start)[:, None] * np.linspace(0, 1, PANELS + 1)
    owner = np.repeat(np.arange(rows), PANELS)
    left, right = edges[:, :-1].ravel(), edges[:, 1:].ravel()
    nodes, kronrod, gauss = _kronrod()
    scale, done = np.full(rows, -np.inf), np.zeros((rows, 1 + d))
    for halving in range(MOST_HALVINGS):
        half = (right - left) / 2
        at = (left + right)[:, None] / 2 + half[:, None] * nodes  # (P, 15)
        who, t = np.repeat(owner, len(nodes)), at.ravel()
        inner = slope[who, 1:] - t[:, None] * gram[who, 1:, 0]
        logarithm, rest = _integrated(gram[who, 1:, 1:], inner, low[who, 1:], high[who, 1:])
        logarithm += (2 * slope[who, 0] - gram[who, 0, 0] * t) * t
        highest = scale.copy()
        np.maximum.at(highest, who, logarithm)
        with np.errstate(invalid="ignore"):
            done *= np.where(np.isfinite(scale), np.exp(scale - highest), 0.0)[:, None]
        scale = highest
        density = np.exp(logarithm - scale[who]).reshape(at.shape)
        moments = np.concatenate([np.ones((len(t), 1)), t[:, None], rest], axis=1).reshape(*at.shape, 1 + d)
        fine = half[:, None] * np.einsum("pk,k,pkm->pm", density, kronrod, moments)
        off = np.abs(fine - half[:, None] * np.einsum("pk,k,pkm->pm", density, gauss, moments))
        so_far = done.copy()
        np.add.at(so_far, owner, fine)
        mass = so_far[owner, 0]
        spread = np.concatenate([np.ones((rows, 1)), high - low], axis=1)[owner]
        good = (off <= TOLERANCE * mass[:, None] * spread).all(axis=1) | (halving == MOST_HALVINGS - 1)
        np.add.at(done, owner[good], fine[good])
        if good.all():
            break
        bad, middle = ~good, (left + right) / 2
        owner = np.concatenate([owner[bad], owner[bad]])
        left, right = np.concatenate([left[bad], middle[bad]]), np.concatenate([middle[bad], right[bad]])
    return np.log(done[:, 0]) + scale, done[:, 1:] / done[:, :1]


def _window(
    gram: np.ndarray, slope: np.ndarray, low: np.ndarray, high: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return both ends (N,) of the interval of the first coordinate that holds almost all mass of the density exp(-w'Gw
    + 2s'w) on the box low <= w <= high, where G is `gram`, s is `slope` and the maximum is at w = 0."""
    # the extent of the ellipsoid on which the exponent is at most DROP + 1 + d ln F below its maximum, F its fall
    # over the whole box: a fraction F^-d of the box has an exponent within 1 of the maximum, so at most a fraction
    # e^-DROP of the mass is outside; where the ellipsoid is unbounded, the whole box
    d = slope.shape[1]
    reach = np.maximum(-low, high)
    across = np.einsum("nij,ni,nj->n", np.abs(gram), reach, reach) + 2 * (np.abs(slope) * reach).sum(axis=1)
    allowed = DROP + 1 + d * np.log(np.maximum(across, 1.0))
    values, vectors = np.linalg.eigh(gram)
    bounded = values[:, 0] > 1e-12 * np.maximum(values[:, -1], 1e-300)
    inverse = np.where(bounded[:, None], 1 / np.where(bounded[:, None], values, 1.0), 0.0)
    turned = np.einsum("nij,ni->nj", vectors, slope)
    peak = (turned**2 * inverse).sum(axis=1)
    centre = np.einsum("nj,nj,nj->n", vectors[:, 0], turned, inverse)
    extent = np.sqrt((allowed + peak) * (vectors[:, 0] ** 2 * inverse).sum(axis=1))
    start = np.where(bounded, np.maximum(low[:, 0], centre - extent), low[:, 0])
    end = np.where(bounded, np.minimum(high[:, 0], centre + extent), high[:, 0])
    return np.minimum(start, 0.0), np.maximum(end, 0.0)


@cache
def _kronrod() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    table = np.array([(-x, k, g) for x, k, g in _NODES] + list(reversed(_NODES[:-1])))
    return table[:, 0], table[:, 1], table[:, 2]


def interval_mean(curve: float, moment: float, exponent: float) -> float:
    """Return the mean of the density proportional to exp(-exponent (curve w^2 - 2 moment w)) on [0,1]. It checks the
    quadrature of `box_mean` in one dimension by another method, the scaled error function."""
    # the density on [0,1] is a normal law of mean b/G and variance 1/(2 theta G), cut to the interval; where it is
    # so flat that differences of error functions lose digits, scipy's quadrature is used
    from scipy.integrate import quad
    from scipy.special import erfcx

    rate = exponent * curve
    if rate < 1e-2:
        slope = 2 * exponent * moment  # exp(slope w - rate w^2)
        top = max(0.0, slope - rate)

        def integral(k: int) -> float:
            density = lambda w: w**k * math.exp((slope - rate * w) * w - top)  # noqa: E731
            return float(quad(density, 0, 1, epsabs=0, epsrel=1e-12)[0])

        return integral(1) / integral(0)
    root, peak = math.sqrt(rate), moment / curve
    a, b = -root * peak, root * (1 - peak)  # the ends, in units of 1/root from the peak
    if a <= 0 <= b:
        mass = math.sqrt(math.pi) / 2 * (math.erf(b) - math.erf(a))
        return peak + (math.exp(-(a**2)) - math.exp(-(b**2))) / (2 * mass * root)
    near, far = (a, b) if a > 0 else (-b, -a)  # the peak is outside: measure from the nearer end
    decay = math.exp(-root * (near + far))  # exp(near^2 - far^2)
    mass = math.sqrt(math.pi) / 2 * float(erfcx(near) - erfcx(far) * decay)
    shift = (1 - decay) / (2 * mass * root)
    return peak + (shift if a > 0 else -shift)
