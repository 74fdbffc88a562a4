"""Every number that `bound` prints, computed a second time by plain loops over epochs that share no code with bounds/.

The formulas are written from the statements of the claims: the excess risk e(n) of each, C/g of each variant,
and the rounds and numbers of each protocol. A theorem, variant, quantity or protocol without a second computation fails
`test_every_number_again`.
"""

import math
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

from bounds import own_adaptive, theorems
from bounds.errors import InputError
from bounds.theorems import app_epsilon_greedy, app_softmax, own_covering
from verify.verbs.bound.document import evaluated

Given = dict[str, Any]
KAPPA = 1 - math.exp(-1 / 2)


def epochs(horizon: int) -> Iterator[tuple[int, int]]:
    """(length of the epoch, steps played before T) of 2, 2, 4, 8, ..."""
    length, start = 2, 0
    while start < horizon:
        yield length, min(length, horizon - start)
        start += length
        length = start


def calls(horizon: int) -> list[int]:
    """Lengths of the epochs that end by T: after each of them there is a call."""
    return [length for length, played in epochs(horizon) if played == length]


def best_pair(doubling: bool) -> tuple[float, float]:
    """a and b of the constant max(1-1/K, 1-2/K+a) + b g^2, from the seven numbers of the proof (docs/proof_best.md)."""
    last, previous, eta, mu = (
        (1.69, 58 / 125, 97 / 625, 47 / 250) if doubling else (1.92, 0.44, 0.214, 0.2485)
    )
    th, kap = 0.3, 1.53
    x, y = (1 + eta) ** 2 / (4 * last), (1 - (mu - eta)) ** 2 / (4 * last)
    n = ((x + y) ** 2 + x**2 + y**2) / (4 * previous)
    return x + y + mu**2 / (4 * last) + n / (1 - th), last + previous + kap * n / (4 * th * (1 - th))


def over_g(variant: str, arms: int, c: float, doubling: bool, theorem: bool) -> tuple[float, float]:
    """(C/g, g^2) of a variant; c: between agents. theorem: of thm:global_regret, printed with c^{5/2}."""
    q = 1 - 1 / arms
    if variant == "printed":
        return 11 * (2 * c) ** (2.5 if theorem else 2), 1
    if variant == "repaired":
        return 11 * c**2, 1
    if variant == "sharpened":
        return 14 / 9 * math.sqrt(2 * c * (3 * c * q + 1)), (3 * c * q + 1) / (8 * c**3)
    if arms == 2:
        return 3 / math.sqrt(2), 2 / 9
    a, b = best_pair(doubling)
    top = max(q, 1 - 2 / arms + a)
    return 2 * math.sqrt(top * b), top / b


def regret(
    given: Given,
    variant: str,
    e: Callable[[float], float],
    doubling: bool = True,
    theorem: bool = False,
    lag: int = 1,
) -> tuple[float, float]:
    """(value, trivial): uniform epochs + sum over epochs of (C/g) sqrt(K e(n)) M E, n = M times the epoch before; with
    lag 2, of interleaved epochs, the epoch before the last."""
    M, K, T = given["M"], given["K"], given["T"]
    capped = variant in ("sharpened", "best")
    factor, _ = over_g(variant, K, given.get("c", 1), doubling, theorem)
    value = trivial = 0.0
    lengths: list[int] = []
    for length, played in epochs(T):
        if len(lengths) < lag:
            first = M * played * ((1 - 1 / K) if capped else 1)
            value, trivial = value + first, trivial + first
        else:
            risk = e(M * lengths[-lag])
            term = factor * math.sqrt(K * (min(1.0, risk) if capped else risk)) * M * played
            value += min(term, M * played) if capped else term
            trivial += M * played
        lengths.append(length)
    return value, trivial


def ridge(given: Given, variant: str, n: float, factor: float = 1) -> float:
    if given.get("heterogeneous"):
        return factor * (given["d"] / 4 + 9 / 4) / n
    return factor * (given["d"] / 4 + 1) / (n if variant == "best" else n + 1)


def agd_convex(d: int, n: int, heterogeneous: bool) -> float:
    """(sqrt(e_S) + sqrt(d gap))^2, k = ceil(sqrt n)."""
    k = math.isqrt(n - 1) + 1
    gap = 4 * (1 + 1 / n) * (1 + d / 16) / (k + 1) ** 2
    exact = (d / 4 + 9 / 4) / n if heterogeneous else (d / 4 + 1) / (n + 1)
    return (math.sqrt(exact) + math.sqrt(d * gap)) ** 2


def solver(given: Given, protocol: str | None) -> float:
    if protocol in ("agd", "chebyshev"):
        return given["delta"] or 0.1
    return given["delta"] if protocol is None else 0.0


def linear_rounds(protocol: str, n: int, d: int, eps: float) -> int:
    found = {
        "agd": lambda: math.ceil(math.sqrt(n + 1) * math.log(1.25 * n / eps)),
        "chebyshev": lambda: math.ceil(math.sqrt(n + 1) / 4 * math.log(4 * n / eps)),
        "agd_convex": lambda: math.isqrt(n - 1) + 1,
        "cg": lambda: min(d, n),
    }
    return max(0, found[protocol]()) if protocol in found else 1


def linear_sent(protocol: str, M: int, d: int, rounds: int, times: int) -> int:
    if protocol == "direct":
        return M * (d * (d + 1) // 2 + 2 * d) * times
    if protocol == "direct_printed":
        return 2 * M * (d * d + d) * times
    if protocol == "cg":
        return 2 * M * d * (rounds + times)
    return M * d * (2 * rounds + times)


def counted(quantity: str, times: float, rounds: float, numbers: float) -> float:
    return {"calls": times, "rounds": rounds, "numbers": numbers, "bits": 64 * numbers}[quantity]


def finite(given: Given, variant: str, quantity: str, protocol: str | None) -> Any:
    M, T, F = given["M"], given["T"], given["F"]
    if quantity != "regret":
        times = math.log(T) if variant == "printed" else len(calls(T))
        return counted(quantity, times, times, M * (F + 1) * times)
    kappa = {"sharpened": KAPPA, "best": 0.46368}.get(variant)
    return regret(
        given, variant, lambda n: math.log(F) / (kappa * n) if kappa else (25 * math.log(F * n) + 1) / n
    )


def linear(given: Given, variant: str, quantity: str, protocol: str | None) -> Any:
    M, T, d, other = (given[name] for name in ("M", "T", "d", "heterogeneous"))
    if quantity == "regret":
        if variant == "printed":
            return regret(given, variant, lambda n: d / n)
        if protocol == "agd_convex":
            return regret(given, variant, lambda n: agd_convex(d, int(n), bool(other)), doubling=False)
        factor = (1 + solver(given, protocol)) ** 2
        return regret(given, variant, lambda n: ridge(given, variant, n, factor))
    name = protocol or "direct"
    if variant == "printed":
        log = math.log(T)
        numbers = d * math.log(d) * math.sqrt(M**3 * T) if name == "agd" else M * d * d * log
        return counted(quantity, log, math.sqrt(M * T) if name == "agd" else log, numbers)
    delta = solver(given, name) or 1
    samples = [M * length for length in calls(T)]
    rounds = sum(linear_rounds(name, n, d, delta**2 * ridge(given, "repaired", n)) for n in samples)
    return counted(quantity, len(samples), rounds, linear_sent(name, M, d, rounds, len(samples)))


def linear_per(given: Given, variant: str, quantity: str, protocol: str | None) -> Any:
    M, T, da, db = (given[name] for name in ("M", "T", "da", "db"))
    lifted = da + M * db
    if quantity == "regret":
        if variant == "printed":
            return regret(given, variant, lambda n: lifted / n)
        factor = (1 + solver(given, protocol)) ** 2
        return regret(given, variant, lambda n: factor * (lifted / 4 + 9 * M / 4) / n)
    if variant == "printed":
        return counted(quantity, math.log(T), math.sqrt(M * T), da * math.log(da) * math.sqrt(M**3 * T))
    name = protocol or "agd"
    delta = solver(given, name) or 1
    samples = [M * length for length in calls(T)]
    rounds = sum(linear_rounds(name, n, da, delta**2 * (lifted / 4 + 9 * M / 4) / n) for n in samples)
    return counted(quantity, len(samples), rounds, linear_sent(name, M, da, rounds, len(samples)))


def local_rounds(protocol: str, n: int, eps: float, path: int, world: dict[str, float]) -> int:
    """Rounds for E gap <= eps, of local methods on path 1 for E norm(w - w_S)^2 <= n eps; h: the step of a round, the
    largest whose error c1 h + c2 h^2 takes half of that, by bisection."""
    beta, noise, spread, distance, share, K, g = (
        world[name] for name in ("beta", "noise", "spread", "distance", "share", "K", "g")
    )
    if protocol == "agd":
        return math.ceil(math.sqrt(n + 1) * math.log(1.25 / eps))
    if protocol == "gd" or (protocol == "fedavg" and K == 1):
        if path == 1:
            return math.ceil((n + 1) / 2 * math.log(1 / eps))
        protocol, K, g = "fedavg", 1, 1
    # the largest h beta, what multiplies u sigma^2/g^2 in K c1 and beta zeta^2/g^2 in c2, the weight of the variates
    top, own, drift, weight = {
        "fedavg_sgd": (3 / 8, 1.5 * (1 - 1 / K), 1 - 1 / K, 0.0),
        "lsgd_pfl_sgd": (3 / 8, 1.5 * (1 - 1 / K), 1 - 1 / K, 0.0),
        "scaffold_sgd": (0.29, 4.5, 0.0, 1.5),
        "fedavg": (0.618, 0.0, 2 / 3 * (1 - 1 / K), 0.0),
        "lsgd_pfl": (0.618, 0.0, 2 / 3 * (1 - 1 / K), 0.0),
        "scaffold": (0.5, 0.0, 0.0, 1.0),
    }[protocol]
    sigma2 = noise if protocol.endswith("_sgd") else 0.0

    def error(h: float) -> float:
        return h * (2 * share + own * h * beta / g**2) * sigma2 / K + h * h * drift * beta * spread / n / g**2

    allowed, low, high = eps if path == 1 else eps / 2, 0.0, top / beta
    if error(high) > allowed:
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (low, middle) if error(middle) > allowed else (middle, high)
    start = distance + weight * (top / 2) ** 3 * 2 / g**2 * spread
    parts = 1 if error(1.0) == 0 else 2
    if path == 2:
        return math.ceil(n / high * math.log(1 + parts * start / (n * eps)))
    if protocol == "scaffold":
        start = max(start, n / 4 + 1 / (8 * g**2))
    return math.ceil(n / (2 * high) * math.log(parts * start / (n * eps)))


def world_of(given: Given, n: int, Lam: int, d: int, share: float) -> dict[str, float]:
    """Return what local_rounds needs to know of n samples in dimension d with regulariser Lam/n."""
    return {
        "beta": 2 * (1 + Lam / n),
        "noise": 1 + 4 * Lam / n,
        "spread": (math.sqrt(given["M"]) + math.sqrt(d + 4 * Lam)) ** 2,
        "distance": (1 + math.sqrt(d / 4 + Lam)) ** 2,
        "share": share,
        "K": given["local_steps"],
        "g": given["server_step"],
    }


def printed_local(given: Given, quantity: str, width: int, drift: bool) -> float:
    M, T, K = given["M"], given["T"], given["local_steps"]
    samples = [M * length for length in calls(T)]
    rounds = sum(n + n**1.5 / (K * M) + (n**1.25 if drift else 0) for n in samples)
    return counted(quantity, len(samples), rounds, 2 * M * width * rounds)


def convex(given: Given, variant: str, quantity: str, protocol: str | None) -> Any:
    M, T, d, delta, path = (given[name] for name in ("M", "T", "d", "delta", "path"))
    name, C = protocol or "fedavg", d / 4 + 1
    if quantity == "regret":
        if variant == "printed":
            return regret(given, variant, lambda n: n**-0.5)
        return regret(given, variant, lambda n: ridge(given, variant, n, (1 + delta) ** 2))
    if variant == "printed":
        return printed_local(given, quantity, d, name.startswith("fedavg"))
    samples, rounds = [M * length for length in calls(T)], 0
    for n in samples:
        eps = delta**2 * C / ((n if path == 1 else d) * (n + 1))
        rounds += max(1, local_rounds(name, n, eps, path, world_of(given, n, 1, d, 1 / M)))
    more = len(samples) if name == "agd" or path == 2 else 0
    return counted(quantity, len(samples), rounds, M * d * (2 * rounds + more))


def convex_per(given: Given, variant: str, quantity: str, protocol: str | None) -> Any:
    M, T, da, db, delta = (given[name] for name in ("M", "T", "da", "db", "delta"))
    lifted, name = da + M * db, protocol or "lsgd_pfl"
    if quantity == "regret":
        if variant == "printed":
            return regret(given, variant, lambda n: n**-0.5)
        return regret(given, variant, lambda n: (1 + delta) ** 2 * (lifted / 4 + 9 * M / 4) / n)
    if variant == "printed":
        return printed_local(given, quantity, da, True)
    samples, rounds = [M * length for length in calls(T)], 0
    for n in samples:
        eps = delta**2 * (lifted + 9 * M) / 4 / n**2
        rounds += max(1, local_rounds(name, n, eps, 1, world_of(given, n, M, lifted, 1)))
    return counted(quantity, len(samples), rounds, M * da * 2 * rounds)


def convex_raw(given: Given, variant: str, quantity: str, protocol: str | None) -> Any:
    if quantity == "calls":
        return len(calls(given["T"]))
    mu, B, delta, Lam = (given[name] for name in ("mu_f", "B", "delta", "Lam"))

    def e(n: float) -> float:
        R = 2 * B * (B + 1) / math.sqrt(n)
        return (
            R * (1 + delta) / mu if variant == "printed" else 2 / mu * (2 * R * (1 + delta) + Lam * B * B / n)
        )

    return regret(given, variant, e, doubling=False)


def covering(given: Given, variant: str, quantity: str, protocol: str | None) -> Any:
    if quantity == "calls":
        return len(calls(given["T"]))
    d = given["d"]
    return regret(
        given,
        variant,
        lambda n: (math.sqrt((d * math.log(1 + 2 * n) + 2) / (KAPPA * n)) + 1 / n) ** 2,
        doubling=False,
    )


def high_probability(given: Given, variant: str, quantity: str, protocol: str | None) -> Any:
    used = max(1, len(list(epochs(given["T"]))) - 1)
    inside = math.log((given["F"] - 1) * used / given["delta"]) / 0.46368
    return regret(given, variant, lambda n: inside / n, doubling=False)


def epsilon_greedy(given: Given, variant: str, quantity: str, protocol: str | None) -> Any:
    M, K, T, A = (given[name] for name in "MKTA")
    value, trivial, before = 0.0, 0.0, None
    for length, played in epochs(T):
        if before is None:
            value = trivial = M * played * (1 - 1 / K)
        else:
            value += M * played * min(1, 3 * (K * min(1, A / (M * before)) / 2) ** (1 / 3))
            trivial += M * played
        before = length
    return value, trivial


def robust(given: Given, variant: str, quantity: str, protocol: str | None) -> Any:
    M, f, d = given["M"], given["f"], given["d"]
    kappa = (-(-M // 2) - 1) / (M // 2 + 1 - f) if given["median"] else f / (M - 2 * f)
    C = (math.sqrt(d / (4 * (M - f)) + 1) + math.sqrt(kappa * (d / 4 + 1))) ** 2
    return regret(given | {"M": M - f}, variant, lambda n: C / (n / (M - f) + 1), theorem=True)


def logistic(given: Given, variant: str, quantity: str, protocol: str | None) -> Any:
    """C at the best regularisation, by ternary search above the threshold."""
    d, B, several = given["d"], given["B"], given["heterogeneous"]
    c, twice = math.exp(B) / (1 + math.exp(B)) ** 2, 2 if several else 1

    def constant(lam: float) -> float:
        return (twice * d / (4 * c) + lam * B * B / 2) / 2 / (1 - twice / 2 / (c + lam))

    low, high = twice / 2 - c + 1e-9, 1e3
    for _ in range(200):
        one, other = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, other) if constant(one) < constant(other) else (one, high)
    C = (1 + given["delta"]) ** 2 * constant(low)
    return regret(given, variant, lambda n: C / (n if several or variant == "best" else n + 1))


AGAIN: dict[str, Callable[[Given, str, str, str | None], Any]] = {
    "thm:global_regret": lambda given, variant, quantity, protocol: regret(
        given, variant, lambda n: given["A"] / n, theorem=True
    ),
    "col:finite": finite,
    "col:linear": linear,
    "col:linear_per": linear_per,
    "col:convex": convex,
    "col:convex_per": convex_per,
    "col:convex_raw": convex_raw,
    "own:covering": covering,
    "own:certificate": lambda given, variant, quantity, protocol: regret(
        given, variant, lambda n: ridge(given, variant, n, (1 + given["delta"]) ** 2)
    ),
    "own:high_probability": high_probability,
    "own:logistic_excess_risk": logistic,
    "app:interleaved": lambda given, variant, quantity, protocol: regret(
        given, variant, lambda n: given["A"] / n, doubling=False, lag=2
    ),
    "app:epsilon_greedy": epsilon_greedy,
    "app:robust_predictions": robust,
}
GRID = [
    {"M": 10, "K": 5, "T": 100_003, "A": 7, "F": 30, "d": 5, "da": 3, "db": 2, "f": 2},
    {"M": 1, "K": 2, "T": 777, "A": 0.5, "F": 2, "d": 2, "da": 2, "db": 1, "f": 0},
    {"M": 33, "K": 3, "T": 2**16, "A": 400, "F": 10**6, "d": 40, "da": 7, "db": 3, "f": 16},
    {"M": 4, "K": 12, "T": 3, "A": 1, "F": 5, "d": 3, "da": 2, "db": 2, "f": 1},
]
MORE: dict[str, list[Given]] = {
    "thm:global_regret": [{"c": 1.75}],
    "col:linear": [{"delta": 0.3}, {"heterogeneous": 1}, {"delta": 0.3, "heterogeneous": 1}],
    "col:linear_per": [{"delta": 0.3}],
    "col:convex": [{"path": 1, "delta": 0.2}, {"local_steps": 1}, {"server_step": 2.0, "heterogeneous": 1}],
    "col:convex_per": [{"delta": 0.2, "local_steps": 3, "server_step": 1.5}],
    "col:convex_raw": [{"mu_f": 1.0, "B": 2.0, "delta": 0.5, "Lam": 3.0}],
    "own:certificate": [{"delta": 0.2, "heterogeneous": 1}],
    "own:high_probability": [{"delta": 0.001}],
    "own:logistic_excess_risk": [{"B": 3.0, "delta": 0.2}, {"B": 0.5, "heterogeneous": 1}],
    "app:robust_predictions": [{"median": 1}],
}


USUAL = {
    "thm:global_regret": {"c": 1},
    "col:linear": {"delta": 0, "heterogeneous": 0},
    "col:linear_per": {"delta": 0},
    "col:convex": {"delta": 0.5, "local_steps": 10, "server_step": 1, "path": 2, "heterogeneous": 0},
    "col:convex_per": {"delta": 0.5, "local_steps": 10, "server_step": 1},
    "col:convex_raw": {"mu_f": 2, "B": 1, "delta": 0, "Lam": 0},
    "own:certificate": {"delta": 0.5, "heterogeneous": 0},
    "own:high_probability": {"delta": 0.05},
    "own:logistic_excess_risk": {"B": 1, "delta": 0, "heterogeneous": 0},
    "app:robust_predictions": {"median": 0},
}


def cases(label: str) -> Iterator[tuple[Given, str, str, str | None]]:
    theorem = theorems.theorems()[label]
    for values, more in [
        *((values, {}) for values in GRID),
        *((GRID[0], more) for more in MORE.get(label, [])),
    ]:
        given = {name: values[name] for name in theorem.required} | more
        for question in product(theorem.variants, theorem.quantities, (None, *theorem.protocols)):
            yield given, *question


def test_no_theorem_is_left_out():
    assert set(AGAIN) == {label for label, theorem in theorems.theorems().items() if theorem.quantities}


@pytest.mark.parametrize("label", AGAIN)
def test_every_number_again(label):
    compared = set()
    for given, variant, quantity, protocol in cases(label):
        try:
            document = evaluated(label, variant, dict(given), quantity, protocol, formula=False)
        except InputError:
            continue
        expected = AGAIN[label](USUAL.get(label, {}) | given, variant, quantity, protocol)
        found = document["value"] if quantity != "regret" else (document["value"], document["trivial"])
        assert found == pytest.approx(expected, rel=1e-9), (given, variant, quantity, protocol)
        compared.add((variant, quantity, protocol))
    theorem = theorems.theorems()[label]
    assert {(v, q) for v, q, _ in compared} == set(product(theorem.variants, theorem.quantities))


@pytest.mark.parametrize("label", AGAIN)
def test_where_a_bound_becomes_informative_again(label):
    theorem = theorems.theorems()[label]
    given: Given = {name: GRID[0][name] for name in theorem.required}
    for variant in theorem.variants:
        document = evaluated(label, variant, dict(given), formula=False)
        first, known = document["first_informative_horizon"], document["parameters"]
        if first is not None and label != "own:high_probability":  # whose risk depends on the horizon
            value, trivial = AGAIN[label](known | {"T": first}, variant, "regret", None)
            assert value < trivial
            value, trivial = AGAIN[label](known | {"T": first - 1}, variant, "regret", None)
            assert first == 3 or value >= trivial * (1 - 1e-12)


@pytest.mark.parametrize("risk", ["7/n", "1/sqrt(n)", "(ln(n)+1)/n", "d*ln(n)/n"])
@pytest.mark.parametrize("variant", ["printed", "repaired", "sharpened", "best"])
def test_a_risk_that_is_given_again(variant, risk):
    e = {
        "7/n": lambda n: 7 / n,
        "1/sqrt(n)": lambda n: n**-0.5,
        "(ln(n)+1)/n": lambda n: (math.log(n) + 1) / n,
        "d*ln(n)/n": lambda n: 5 * math.log(n) / n,
    }[risk]
    for arms in (2, 5):
        given = {"M": 10, "K": arms, "T": 100_003}
        more = {"d": 5} if "d" in risk else {}
        document = evaluated("thm:global_regret", variant, given | more, risk=risk, formula=False)
        expected = regret(given, variant, e, doubling=risk == "7/n", theorem=True)
        assert (document["value"], document["trivial"]) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("arms", [2, 3, 10])
def test_what_a_step_loses_at_data_driven_rates_again(arms):
    """own:adaptive: min(1, C(g) K/gamma), C(g) = arms part + b g^2 for any schedule, 1 - 1/K at rate 0."""
    a, b = best_pair(doubling=False)
    top, risk = (0.5, 2.25) if arms == 2 else (max(1 - 1 / arms, 1 - 2 / arms + a), b)
    assert own_adaptive.multiplier_squared(arms) == pytest.approx(top / risk, rel=1e-12)
    for g2 in (top / risk, 0.2, 1.0):
        rates = np.array([0.0, 1.0, 50.0, 1e6])
        expected = [1 - 1 / arms, *(min(1, (top + risk * g2) * arms / rate) for rate in rates[1:])]
        assert own_adaptive.charge(arms, rates, g2) == pytest.approx(expected, rel=1e-12)
    assert own_adaptive.threshold(11, 0.05) == pytest.approx(math.log(10 / 0.05) / 2, rel=1e-12)


def test_steps_of_softmax_and_covering_risks_again():
    for z, arms, risk in ((0.1, 5, 1e-4), (0.5, 2, 1e-3)):
        expected = z * math.log(arms) + math.sqrt(2 * arms * risk * math.exp(1 / z))
        assert app_softmax.step(z, arms, risk) == pytest.approx(expected, rel=1e-12)
    for n, log_covering, eps in ((50, 3.0, 0.02), (1000, 0.0, 0.1)):
        expected = (math.sqrt((log_covering + 2 * n * eps) / (KAPPA * n)) + eps) ** 2
        assert own_covering.mean(float(n), log_covering, eps) == pytest.approx(expected, rel=1e-12)


def test_epsilon_greedy_out_of_step_again():
    """eps_l + sqrt(2 c K e_{l-1}/eps_{l-1}) a step, c the largest ratio of growths between agents in an epoch."""
    from bounds.schedules import EpochPlan

    lengths, arms, shares, risks = ((2, 2), (2, 6), (8, 12)), (3, 2), [1.0, 0.5, 0.25], [1e-2, 1e-3, 1e-4]
    ratios = [
        [now / old for now, old in zip(*pair, strict=True)]
        for pair in zip(lengths[1:], lengths, strict=False)
    ]
    c = max(max(each) / min(each) for each in ratios)
    assert c == 3
    terms = [2 * (1 - 1 / 3) + 2 * (1 - 1 / 2)]
    for epoch in (1, 2):
        lost = shares[epoch] + math.sqrt(2 * c * 3 * risks[epoch - 1] / shares[epoch - 1])
        terms.append(min(1, lost) * sum(lengths[epoch]))
    found = app_epsilon_greedy.epoch_terms(EpochPlan(lengths, lengths), arms, shares, risks)
    assert found == pytest.approx(terms, rel=1e-12)
