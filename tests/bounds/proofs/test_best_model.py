"""The symbols of the pathwise proof filled in from actual runs: everything assumed holds there, every sum is its total.

From contradictory assumptions everything would follow; here every assumption and every step is evaluated, exactly.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction as F
from random import Random
from typing import Any

import pytest
import sympy as sp

from bounds.best import decay, mean, pair, run
from bounds.best.adversary import random_run
from bounds.best.numbers import numbers
from bounds.best.parameters import ANY_SCHEDULE, DOUBLING, Parameters
from bounds.best.pathwise import Run, kernels
from bounds.best.symbols import DERIVED, PARAMETERS
from bounds.proofs import Chain
from bounds.proofs.chains import best_average as average
from bounds.proofs.chains import best_pathwise, best_two_arms
from bounds.proofs.engine.chain import rests_on


@dataclass
class Model:
    """Values of the run's symbols and, per arm, of the arm's symbols."""

    run: dict[Any, Any] = field(default_factory=dict)
    arms: list[dict[Any, Any]] = field(default_factory=list)

    def set(self, symbol: Any, value: Any) -> Any:
        self.run[symbol] = value
        return value

    def each(self, symbol: Any, values: list[Any]) -> list[Any]:
        for arm, value in zip(self.arms, values, strict=True):
            arm[symbol] = value
        return values


def epoch(
    model: Model, e: Any, history: Run, number: int, om: list[F], w: list[F], C: list[F], multiplier: F
) -> None:
    """The symbols of one epoch of the backward chain."""
    used, K = kernels(history), len(history.truth)
    best = max(history.truth)
    R = [best - f for f in history.truth]
    now, before = used[number - 1], used[number - 2] if number > 1 else used[0]
    rate = history.rates[number - 2] if number > 1 else F(0)
    estimate = history.estimates[number - 2] if number > 1 else history.truth
    mark = (
        model.each(e.mark, [F(a == now.greedy) for a in range(K)])
        if e is decay.EPOCH
        else [arm[e.mark] for arm in model.arms]
    )
    model.each(e.p, list(now.probabilities))
    V = model.each(e.V, [1 / p for p in now.probabilities])
    v = model.each(e.v, list(now.gaps))
    d = model.each(e.d, [rate * (x - f) for x, f in zip(estimate, history.truth, strict=True)])
    model.set(e.P, sum(m * p for m, p in zip(mark, now.probabilities, strict=True)))
    model.set(e.B, v[0] + d[0] - rate * R[0])
    model.set(e.rate, rate)
    model.set(e.multiplier, multiplier)
    model.each(e.om, om), model.each(e.w, w), model.each(e.C, C)
    W = model.set(e.W, sum(w))
    c = model.each(e.c, [m * W - x for m, x in zip(mark, w, strict=True)])
    model.each(e.om_next, [x * x / (4 * multiplier) for x in c])
    model.each(e.C_next, [x + rate * (y - m * W) for x, y, m in zip(C, w, mark, strict=True)])
    model.each(e.V_next, [1 / p for p in before.probabilities])
    assert len(V) == K


def last(model: Model, history: Run, p: Parameters | None) -> None:
    """Epoch L; p is None for two arms."""
    d = {k: F(int(x.p), int(x.q)) for k, x in (pair.NUMBERS if p is None else numbers(p)).items()}
    value = {str(k): x for k, x in d.items()}
    lam, eta, rbar = value["lam"], value["eta"], value["rbar"]
    used, K, L = kernels(history), len(history.truth), len(history.rates) + 1
    model.run |= d
    model.arms = [{} for _ in range(K)]
    now, gL = used[-1], model.set(run.gL, history.rates[-1])
    G1 = model.set(run.G1, history.rates[-2] if L >= 3 else F(0))
    t = model.set(run.t, G1 / (rbar * gL))
    hat, star = now.greedy, max(range(K), key=lambda a: (history.truth[a], -a))
    prev = used[-2].greedy if L >= 3 else hat
    for symbol, number in ((run.K, K), (run.L, L), (run.hat, hat), (run.star, star), (run.prev, prev)):
        model.set(symbol, F(number))
    model.each(run.label, [F(a) for a in range(K)])
    i, s, j = (
        model.each(m, [F(a == x) for a in range(K)]) for m, x in ((run.i, hat), (run.s, star), (run.j, prev))
    )
    prob, v = model.each(run.p, list(now.probabilities)), model.each(run.v, list(now.gaps))
    R = model.each(run.R, [history.truth[star] - f for f in history.truth])
    dd = model.each(run.d, [gL * (x - f) for x, f in zip(history.estimates[-1], history.truth, strict=True)])
    model.set(run.B, v[0] + dd[0] - gL * R[0])
    V1 = model.each(run.V1, [1 / x for x in used[-2].probabilities])
    P = model.set(run.P, prob[hat])
    po = model.each(run.po, [F(0) if a in (hat, star) else prob[a] for a in range(K)])
    qo = model.each(run.qo, [x + t * eta * x * x for x in po])
    qk = model.each(run.qk, [F(0) if a == prev else qo[a] for a in range(K)])
    case = "D" if hat == star else "B" if hat == prev else "C" if prev == star else "A"
    qh = model.set(run.qh, F(0) if case == "D" else P if case == "B" else P + t * eta)
    q = model.each(run.q, [x * qh + y for x, y in zip(i, qo, strict=True)])
    moved = model.set(run.moved, t * value["mu"] if case == "A" and p else F(0))
    Abar = model.set(run.Abar, sum(q))
    c = model.each(run.c, [q[a] - (Abar - moved) * s[a] - moved * j[a] for a in range(K)])
    C1 = model.each(run.C1, [gL * (prob[a] - q[a] + moved * j[a]) for a in range(K)])
    om = [x * x / (4 * lam) for x in c]
    if p:
        bulk = sum(x * x for x in qk)
        model.set(run.om_star, max((Abar - moved) ** 2 / (4 * lam), value["X'"]))
        model.set(run.om_hat, value["nt"] - model.run[run.om_star] - bulk / (4 * lam))
        if case == "A":
            om[hat], om[star] = model.run[run.om_hat], model.run[run.om_star]
        x = {"A": None, "B": None, "C": value["X"], "D": value["x"] * (1 - P)}[case]
        sg0 = model.set(run.sg0, F(1) if x is None else 2 * x * x / (4 * value["lam'"] * value["n"]))
        model.set(run.beta, sg0 * value["n"] / (1 - value["th"] * sg0))
        model.set(run.arms, max(F(K - 1), K - 2 + K * value["a"]))
        model.set(
            run.arms3, max(F(K - 1), K - 2 + K * max(value["N1"] + value["n"], 2 * value["X"] + value["nC"]))
        )
        model.set(run.arms2, max(F(K - 1), K - 2 + K / (2 * lam)))
    else:
        model.set(run.arms, F(1))
        model.set(pair.p2, 1 - P)
        o1 = model.set(pair.o1, Abar**2 / (4 * lam))
        model.set(pair.o2, o1**2 / (4 * value["lam'"]))
    model.each(run.kp, [i[a] + po[a] ** 2 for a in range(K)])
    w = [F(0) if a == prev else om[a] for a in range(K)]
    epoch(model, decay.PREVIOUS, history, L - 1, om, w, C1, value["lam'"])
    model.set(run.G1, G1)
    assert [arm[run.V1] for arm in model.arms] == V1


def filled(
    history: Run, p: Parameters | None, chain: Chain, visit: Callable[[Model], None] = lambda model: None
) -> Model:
    """Epochs L, L-1 and, below, the one before the first: where the chain ends; visit every epoch on the way."""
    model = Model()
    last(model, history, p)
    L, value = len(history.rates) + 1, {str(k): x for k, x in model.run.items()}
    totals(model, chain)
    lam, lam1, th, kap, n = (value[k] for k in ("lam", "lam'", "th", "kap", "n"))
    eps = [model.run.get(run.epsL), model.run.get(decay.eps1)]
    risk = lam * eps[0] + (lam1 * eps[1] if L >= 3 else 0)
    om, C = ([arm[x] for arm in model.arms] for x in (decay.om2, decay.C2))
    N, sizes, risks, G = n, F(0), F(0), model.run[run.G1]
    sg, o = model.run.get(run.sg0), model.run.get(pair.o2)
    for number in range(L - 2, 1, -1):
        for symbol, x in (
            (decay.N, N),
            (decay.sizes, sizes),
            (decay.risks, risks),
            (decay.G, G),
            (decay.sg, sg),
            (pair.o, o),
        ):
            model.set(symbol, x)
        greedy, Lam = kernels(history)[number - 1].greedy, kap * N / (4 * th)
        epoch(
            model,
            decay.EPOCH,
            history,
            number,
            om,
            [F(0) if a == greedy else x for a, x in enumerate(om)],
            C,
            Lam,
        )
        totals(model, chain)
        sizes, risks = sizes + (o if p is None else sum(om)), risks + Lam * model.run[decay.EPOCH.eps]
        om, C = ([arm[x] for arm in model.arms] for x in (decay.omx, decay.Cx))
        G, sg, o = (
            model.run[decay.gamma],
            None if p is None else sg * sg,
            None if o is None else o * o / (4 * Lam),
        )
        N = th * N
        for symbol, x in (
            (decay.Nx, N),
            (decay.sizesx, sizes),
            (decay.risksx, risks),
            (decay.sgx, sg),
            (pair.ox, o),
        ):
            model.set(symbol, x)
        visit(model)
    model.set(decay.risk, risk + (risks if L >= 4 else 0))
    return model


def totals(model: Model, chain: Chain) -> None:
    """Every total whose terms are known; one that has a value already must agree."""
    for total in chain.totals[run.INDEX]:
        if not sp.sympify(total.term).free_symbols <= set(model.arms[0]):
            continue
        value = sum(exact(total.term, arm) for arm in model.arms)
        if isinstance(total.value, sp.Symbol):
            model.set(total.value, F(int(value.p), int(value.q)))
        else:
            assert exact(total.value, model.run) == value, total


def exact(expression: Any, values: dict[Any, Any]) -> Any:
    known = {k: sp.Rational(x.numerator, x.denominator) for k, x in values.items() if x is not None}
    return sp.sympify(expression).xreplace(known)


def statements(chain: Chain, model: Model) -> Iterator[tuple[str, Any]]:
    """(name, value) of every hypothesis and step that speaks of this run, at every arm."""
    rests = rests_on(chain)
    cases = {h.name: h for h in chain.hypotheses if h.kind == "case"}
    apply = {name for name, h in cases.items() if exact(h.statement, model.run) == sp.true}
    known = {k for k, x in model.run.items() if x is not None} | set(model.arms[0])
    for item in (*chain.hypotheses, *chain.steps):
        unknown = sp.sympify(item.statement).free_symbols - known
        # With two or three epochs no epoch l is left, and nothing is claimed about one.
        assert not unknown or model.run[run.L] < 4, (item.name, unknown)
        if unknown or not rests[item.name] & set(cases) <= apply:
            continue
        for arm in model.arms:
            yield item.name, exact(item.statement, {**model.run, **arm})


def check(chain: Chain, model: Model) -> int:
    count = 0
    for name, value in statements(chain, model):
        assert value == sp.true, (name, value)
        count += 1
    return count


def bounded(history: Run) -> Run:
    """The same with rewards in an interval of length 1."""
    scale = max(F(1), max(history.truth) - min(history.truth))
    return Run(tuple(f / scale for f in history.truth), history.estimates, history.rates)


def position(model: Model) -> str:
    hat, star, prev = (model.run[x] for x in (run.hat, run.star, run.prev))
    return "D" if hat == star else "B" if hat == prev else "C" if prev == star else "A"


@pytest.mark.parametrize(("seed", "case"), [(0, "D"), (3, "B"), (7, "C"), (9, "A"), (10, "A"), (8, "C")])
def test_every_assumption_and_step_holds_in_every_position(seed: int, case: str) -> None:
    chain = best_pathwise.CLAIM
    model = filled(bounded(random_run(Random(seed), 3, 5)), ANY_SCHEDULE, chain)
    assert position(model) == case
    assert check(chain, model) > 300


@pytest.mark.parametrize("seed", range(5))
def test_every_assumption_and_step_holds_for_any_number_of_epochs(seed: int) -> None:
    history = bounded(random_run(Random(seed), (2, 4)[seed % 2], 2 + seed, DOUBLING.ratio))
    chain = best_pathwise.CLAIM
    assert check(chain, filled(history, DOUBLING, chain)) > 300


@pytest.mark.parametrize("seed", range(5))
def test_every_assumption_and_step_holds_with_two_arms(seed: int) -> None:
    history = bounded(random_run(Random(seed), 2, 2 + seed))
    chain = best_two_arms.CLAIM
    assert check(chain, filled(history, None, chain)) > 100


@pytest.mark.parametrize(
    ("arms", "p", "chain"), [(3, ANY_SCHEDULE, best_pathwise.CLAIM), (2, None, best_two_arms.CLAIM)]
)
def test_what_is_assumed_of_every_epoch_holds_in_every_epoch(
    arms: int, p: Parameters | None, chain: Chain
) -> None:
    """The induction uses it in every epoch; what is marked `once` holds where the chain ends, and not before."""
    assumed = [h for h in chain.hypotheses if h.kind in ("hypothesis", "definition")]
    failed: list[str] = []
    epochs = 0

    def visit(model: Model) -> None:
        nonlocal epochs
        epochs += 1
        known = {k for k, x in model.run.items() if x is not None} | set(model.arms[0])
        for h in (h for h in assumed if h.statement.free_symbols <= known):
            values = [exact(h.statement, {**model.run, **arm}) for arm in model.arms]
            assert h.once or all(value == sp.true for value in values), h.name
            if sp.false in values:
                failed.append(h.name)

    filled(bounded(random_run(Random(4), arms, 7)), p, chain, visit)
    assert epochs == 4  # L-2, ..., 2 of seven
    assert {h.name for h in assumed if h.once} == {"end", "risk"}
    assert "end" in failed


def test_a_wrong_value_is_noticed() -> None:
    model = filled(bounded(random_run(Random(1), 3, 5)), ANY_SCHEDULE, best_pathwise.CLAIM)
    model.arms[0][decay.omx] += F(1, 10**6)
    with pytest.raises(AssertionError):
        check(best_pathwise.CLAIM, model)


def test_no_name_stands_for_two_things() -> None:
    """A mark and a parameter of one name would be one number."""
    parameters = {*vars(PARAMETERS).values(), *vars(DERIVED).values()}
    groups = {
        "parameters": parameters,
        "run": {x for x in vars(run).values() if isinstance(x, sp.Symbol)} - parameters,
        "chain": {*decay.NOW, *decay.NEXT, decay.mark, decay.W, decay.Lam, decay.risk} - {decay.gamma},
        "average": {mean.C, mean.C2, mean.C3, mean.W, mean.reg},
        "risk": {mean.g, mean.S, average.c},
    }
    names = [str(x) for group in groups.values() for x in group]
    assert len(names) == len(set(names))
