"""Enclose the exact worst case of accelerated gradient descent over all smooth strongly convex functions.

The worst case after k rounds is a semidefinite program over Gram matrices (performance estimation: Taylor, Hendrickx,
Glineur, Smooth strongly convex interpolation and exact worst-case performance of first-order methods, 2017). The primal
and dual solutions are rounded to rationals and checked exactly, which encloses the worst case in an interval:
multipliers of the interpolation inequalities prove the upper end, and values and gradients that satisfy all of these
inequalities define a function that attains the lower end.

Units: the largest curvature is 1, the smallest mu = 1/s^2, where s (`root`) is rational. Vectors are written in the
coordinates x_0/s, g_0, ..., g_k, where x_0 is the start and g_i the gradient at the i-th point. The minimiser is 0
and has the value 0.
"""

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from verify.claim import Evidence, Task, Verdict

Form = np.ndarray  # (k+2, k+2) of Fractions: a symmetric quadratic form
Pair = tuple[int, int]

# How far inside the constraints the program is asked to stay. The solver meets them to 1e-8 and rounding moves its
# answer by 1e-9, so a margin of 1e-6 survives both; what it costs is seen in the width of the enclosure, about 1e-5.
MARGIN = 1e-6
GRID = 10**9
SHOWN = 10**4  # published enclosures are rounded outwards to four decimals: the same digits on every machine


def interpolation(root: Fraction, rounds: int) -> tuple[dict[Pair, Form], Form]:
    """Return the quadratic forms Q_ij of the inequalities f_i >= f_j + Q_ij for all pairs i, j of points of accelerated
    gradient descent from x_0, and the form (mu/2) norm(x_0)^2. All inequalities hold if and only if the values f_i and
    the gradients are those of a function with curvature between mu = 1/root^2 and 1."""
    # the points are the k points where gradients are taken, x_k and the minimiser; Q_ij = g_j'(x_i - x_j) + norm(g_i
    # - g_j - mu(x_i - x_j))^2/(2(1-mu)) + (mu/2) norm(x_i - x_j)^2
    size, mu, momentum = rounds + 2, 1 / root**2, (root - 1) / (root + 1)
    unit = np.full((size, size), Fraction(0))
    np.fill_diagonal(unit, Fraction(1))
    now = point = root * unit[0]
    points = []
    for index in range(rounds):
        points.append(point)
        following = point - unit[1 + index]
        point, now = following + momentum * (following - now), following
    points += [now, 0 * unit[0]]
    gradients = [*unit[1:], 0 * unit[0]]
    forms = {}
    for i in range(size):
        for j in range(size):
            if i != j:
                move, turn = points[i] - points[j], gradients[i] - gradients[j]
                beyond = turn - mu * move
                product = np.outer(gradients[j], move)
                forms[i, j] = (
                    (product + product.T) / 2
                    + np.outer(beyond, beyond) / (2 * (1 - mu))
                    + mu / 2 * np.outer(move, move)
                )
    return forms, np.outer(unit[0], unit[0]) / 2


def positive_semidefinite(form: Form) -> bool:
    """Return whether a rational quadratic form is positive semidefinite, decided exactly by symmetric elimination."""
    left = np.array(form, dtype=object)
    for i in range(len(left)):
        pivot = left[i, i]
        if pivot < 0 or (pivot == 0 and any(left[i, i + 1 :] != 0)):
            return False
        if pivot:
            left[i + 1 :, i + 1 :] = (
                left[i + 1 :, i + 1 :] - np.outer(left[i + 1 :, i], left[i, i + 1 :]) / pivot
            )
    return True


def proves(root: Fraction, rounds: int, bound: Fraction, multipliers: Mapping[Pair, Fraction]) -> bool:
    """Decide exactly whether multipliers of the interpolation inequalities prove f_k <= bound (f_0 + (mu/2)
    norm(x_0)^2) for accelerated gradient descent. Here f_k is the value after k = `rounds` rounds, x_0 the start, the
    curvature lies between mu = 1/root^2 and 1, and the minimum is 0 at the point 0."""
    # the inequalities f_j + Q_ij - f_i <= 0 are multiplied by l_ij and added up; the bound follows if all values
    # except f_0 and f_k cancel and what remains is a positive semidefinite form
    forms, start = interpolation(root, rounds)
    values = [Fraction(0)] * (rounds + 2)
    values[0] += bound
    values[rounds] -= 1
    total = bound * start
    for (i, j), weight in multipliers.items():
        values[j] += weight
        values[i] -= weight
        total = total + weight * forms[i, j]
    cancelled = not any(values[:-1])  # the minimiser's value is 0
    return cancelled and min(multipliers.values()) >= 0 and positive_semidefinite(total)


def attains(root: Fraction, rounds: int, gram: Form, values: list[Fraction]) -> bool:
    """Decide whether some function has these values at the points of accelerated gradient descent. gram: the inner
    products of the start, divided by `root`, and the gradients. The value at the start plus (mu/2) times its squared
    norm, with mu = 1/root^2, must be at most 1."""
    forms, start = interpolation(root, rounds)
    known = [*values, Fraction(0)]
    return (
        values[0] + (start * gram).sum() <= 1
        and all(known[i] >= known[j] + (form * gram).sum() for (i, j), form in forms.items())
        and positive_semidefinite(gram)
    )


def upper(root: Fraction, rounds: int) -> Fraction | None:
    """Return a proved upper bound on the worst case of accelerated gradient descent after `rounds` rounds; None if
    rounding spoils the proof. The worst case is the largest (F(x_k) - F*)/(F(x_0) - F* + (mu/2) norm(x_0 - x*)^2) of
    functions F with minimum F* at x*, largest curvature 1 and smallest curvature mu = 1/root^2."""
    import cvxpy as cp

    forms, start = interpolation(root, rounds)
    pairs, size = list(forms), rounds + 2
    weights, bound = cp.Variable(len(pairs)), cp.Variable()
    stacked, ends = _arrays(forms, size)
    total = bound * start.astype(float) + cp.reshape(stacked.T @ weights, (size, size), order="C")
    first, last = np.eye(size)[0], np.eye(size)[rounds]
    cp.Problem(
        cp.Minimize(bound),
        [
            weights >= MARGIN,
            (total + total.T) / 2 >> MARGIN * np.eye(size),
            (ends.T @ weights + bound * first - last)[:-1] == 0,
        ],
    ).solve(solver=cp.CLARABEL)
    if bound.value is None or weights.value is None:
        return None
    stated = Fraction(math.ceil(float(bound.value) * SHOWN), SHOWN)
    found = {pair: _rational(weight) for pair, weight in zip(pairs, weights.value, strict=True)}
    # the minimiser's inequality l_*i enters the value of point i alone: it takes up what rounding left over
    for i in range(rounds + 1):
        left_over = sum((w if j == i else -w for (h, j), w in found.items() if i in (h, j)), Fraction(0))
        found[size - 1, i] -= left_over + (stated if i == 0 else 0) - (1 if i == rounds else 0)
    return stated if proves(root, rounds, stated, found) else None


def lower(root: Fraction, rounds: int) -> Fraction | None:
    """Return a lower bound on the worst case of accelerated gradient descent after `rounds` rounds, proved by a
    function that attains it; None if rounding spoils the proof. Worst case and `root`: see `upper`."""
    import cvxpy as cp

    forms, start = interpolation(root, rounds)
    size = rounds + 2
    gram, values = cp.Variable((size, size), symmetric=True), cp.Variable(rounds + 1)
    known = cp.hstack([values, np.zeros(1)])
    stacked, ends = _arrays(forms, size)
    entries = cp.reshape(gram, (size * size,), order="C")
    cp.Problem(
        cp.Maximize(values[rounds]),
        [
            gram >> MARGIN * np.eye(size),
            values[0] + start.astype(float).ravel() @ entries <= 1 - MARGIN,
            ends @ known + stacked @ entries <= -MARGIN,
        ],
    ).solve(solver=cp.CLARABEL)
    if values.value is None or gram.value is None:
        return None
    exact = np.vectorize(_rational, otypes=[object])((gram.value + gram.value.T) / 2)
    reached = [_rational(v) for v in values.value]
    if not attains(root, rounds, exact, reached):
        return None
    return Fraction(math.floor(reached[-1] * SHOWN), SHOWN)


def _arrays(forms: Mapping[Pair, Form], size: int) -> tuple[np.ndarray, np.ndarray]:
    stacked, ends = np.stack([form.astype(float).ravel() for form in forms.values()]), np.eye(size)
    return stacked, np.stack([ends[j] - ends[i] for i, j in forms])


def _rational(value: float) -> Fraction:
    return Fraction(round(float(value) * GRID), GRID)


def textbook(kappa: float, rounds: int) -> float:
    return (1 - 1 / math.sqrt(kappa)) ** rounds


def over_quadratics(kappa: float, rounds: int, points: int = 20_001) -> float:
    values = np.geomspace(1, kappa, points)
    root = math.sqrt(kappa)
    momentum = (root - 1) / (root + 1)
    contraction = 1 - values / kappa
    before = now = np.ones(points)
    for _ in range(rounds):
        before, now = now, contraction * ((1 + momentum) * now - momentum * before)
    return float((values * now**2 / (values + 1)).max())


def performance(task: Task, speed: int = 1) -> Evidence:
    """Compare the exact worst case of accelerated gradient descent after k rounds, over all smooth strongly convex
    functions of condition number kappa, with the textbook rate (1 - 1/sqrt kappa)^k, for several kappa and k. Negative
    control, which must fail: the exponent 2k."""
    cases = [(3, k) for k in (1, 2, 3)]
    if task.full:
        cases = [(s, k) for s in (2, 3, 10, 100) for k in (1, 2, 3, 5)] + [(10, 8)]
    if speed != 1:
        cases = cases[-1:]
    rows: list[dict[str, Any]] = []
    for root, rounds in cases:
        low, high = lower(Fraction(root), rounds), upper(Fraction(root), rounds)
        stated = (1 - Fraction(1, root)) ** (speed * rounds)
        quadratics, where = over_quadratics(float(root**2), rounds), f"kappa = {root**2}, k = {rounds}"
        if low is None or high is None:
            return Evidence(Verdict.UNDECIDED, f"{where}: rounding broke a certificate", {"rows": rows})
        row = {"kappa": root**2, "rounds": rounds, "quadratics": round(quadratics, 4)}
        row |= {"low": float(low), "high": float(high)}
        rows.append(row | {"textbook": textbook(float(root**2), speed * rounds)})
        if low > stated:
            said = f"{where}: a function loses {float(low)} > {float(stated):.4f}"
            return Evidence(Verdict.REFUTED, said, {"rows": rows})
        if high > stated or quadratics > high:  # quadratics are among the functions
            return Evidence(Verdict.UNDECIDED, f"{where}: in [{low}, {high}]", {"rows": rows})
    last = rows[-1]
    said = (
        f"exact worst case of {len(rows)} pairs (kappa, k) enclosed by rational certificates, all below the"
    )
    said += f" textbook: kappa = {last['kappa']}, k = {last['rounds']}: quadratics {last['quadratics']}, all functions"
    said += f" {last['low']} to {last['high']}, textbook {last['textbook']:.4f}"
    return Evidence(Verdict.CERTIFICATE, said, {"rows": rows})
