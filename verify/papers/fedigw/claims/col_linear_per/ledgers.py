"""Check what the protocols for partly shared parameters send, in one call and in whole simulations, and how near they
come to the minimiser."""

from dataclasses import replace
from typing import Any

import numpy as np

from bounds.linear_communication import numbers_of_call, printed_numbers
from bounds.symbols import symbol
from bounds.theorems import col_linear_per
from fedigw.channel import Channel
from fedigw.interfaces import Acting, Steps
from fedigw.running import run
from linear.personalised.environments.opposite_arms import make
from linear.personalised.lifted import exact_minimiser
from linear.personalised.protocols.agd import SharedAcceleratedGradient
from linear.personalised.protocols.cg import SchurConjugateGradient
from verify import pictures
from verify.claim import Evidence, Task, Verdict

AGENTS, SHARED, OWN, TOLERANCE = 10, 3, 2, 0.1  # M, d^a, d^b of the runs and of the picture, delta of AGD
ROUTINES: dict[str, Any] = {"agd": SharedAcceleratedGradient(TOLERANCE), "cg": SchurConjugateGradient()}
# (M, d^b, length of the epoch) of the calls
CALLS = ((2, 1, 8), (4, 3, 32), (3, 0, 16), (5, 2, 2), (10, 1, 128), (20, 2, 16), (2, 8, 512))


def ledger(task: Task, protocol: str, error: int = 0) -> Evidence:
    """Compare the rounds and numbers in seven calls of the protocol with their formula, and the estimates with the
    minimiser. Negative control, which must fail: a formula with `error` rounds fewer in a call."""
    routine, rng, rows = ROUTINES[protocol], task.rng(), []
    for agents, own, length in CALLS:
        instance = make(rng, 2, own, 4, 3, agents, 2)
        datasets = []
        for m, zero in enumerate(instance.model.initial()):
            act = Acting(instance.model, zero, instance.policy, 1.0)
            datasets.append(instance.world.play(m, act, Steps(length, length), rng).data)
        channel, n = Channel(agents, 1), agents * length
        found = routine.fit(instance.model.problem(datasets, 1), channel, None, rng).parameters
        best = exact_minimiser(datasets, 2)
        # squared distance of the lifted vectors: the shared block once, every personal block once
        apart = float(np.sum((found[0][:2] - best[0][:2]) ** 2))
        apart += sum(float(np.sum((f[2:] - b[2:]) ** 2)) for f, b in zip(found, best, strict=True))
        risk = col_linear_per.excess_risk(2 + agents * own, agents, n)
        stated = col_linear_per.rounds_of_call(protocol, n, agents, 2, own, 0.1) - error
        rounds, numbers = channel.traffic.rounds, channel.traffic.numbers
        formula = sum(numbers_of_call(protocol, agents, 2, rounds))
        counted = rounds == stated if protocol == "agd" else rounds <= stated
        rows.append({"M": agents, "own": own, "n": n, "rounds": rounds, "stated": stated, "numbers": numbers})
        if not counted or numbers != formula or apart > routine.tolerance**2 * risk + 1e-20 * n**2:
            said = f"{rounds} rounds, {stated} stated; {numbers} numbers; distance {apart:.2g}"
            return Evidence(Verdict.REFUTED, f"M = {agents}, n = {n}: {said}", {"rows": rows})
    said = f"rounds {'equal' if protocol == 'agd' else 'at most'} the formula, 2 M d^a numbers each, estimates within"
    return Evidence(
        Verdict.FLOAT, f"{said} target of the lifted minimiser in {len(rows)} calls", {"rows": rows}
    )


def numbers(task: Task, protocol: str, missed: int = 0) -> Evidence:
    """Compare the numbers sent in simulations of FedIGW with their formula at three horizons. With accelerated gradient
    descent both must be equal, with conjugate gradients the numbers must be at most the formula. Negative control,
    which must fail: a formula that leaves out `missed` rounds of every call."""
    rows: list[dict[str, Any]] = []
    equal = protocol == "agd"
    for horizon in (2**3, 2**6, 2**9):
        made = make(np.random.default_rng(0), SHARED, OWN, 4, 2, AGENTS, horizon)
        traffic = run(replace(made, protocol=ROUTINES[protocol]), task.rng()).traffic
        sent, calls = sum(t.numbers for t in traffic), sum(t.calls for t in traffic)
        stated = col_linear_per.total(protocol, AGENTS, SHARED, OWN, horizon, TOLERANCE).numbers
        stated -= missed * calls * 2 * AGENTS * SHARED
        rows.append({"protocol": protocol, "T": horizon, "numbers": int(sent), "stated": int(stated)})
    broken = [r for r in rows if r["numbers"] > r["stated"] or (equal and r["numbers"] != r["stated"])]
    shown = ", ".join(f"{r['numbers']} of {r['stated']} (T = {r['T']})" for r in broken or rows)
    said = f"numbers in the ledgers of runs with M = {AGENTS}, d^a = {SHARED}, d^b = {OWN}: {shown}"
    return Evidence(Verdict.FLOAT.unless(bool(broken)), said, {"rows": rows})


def personalised_numbers(axes: Any, figures: pictures.Figures) -> None:
    """The picture shows that the numbers counted in simulations (dots) lie on the computed lines. The dashed line, the
    corrected bound, is above the line of accelerated gradient descent; the dotted line, the order that the paper
    prints, is below it."""
    import sympy

    grid = pictures.HORIZONS
    colour_of = pictures.colours(pictures.PROTOCOL_COLOUR, col_linear_per.PROTOCOLS)
    for name in col_linear_per.PROTOCOLS:
        values = [col_linear_per.total(name, AGENTS, SHARED, OWN, t, 0.1).numbers for t in grid]
        axes.plot(grid, values, color=colour_of[name], label=name)
        rows = figures.get(f"runs-{name}", {}).get("rows", ())
        where, sent = [row["T"] for row in rows], [row["numbers"] for row in rows]
        axes.plot(where, sent, "o", color=colour_of[name], markersize=5)
    axes.plot([], [], "o", color="black", markersize=5, label="counted in runs")
    names = [symbol(n) for n in ("M", "T", "da", "db")]
    numbers_by = col_linear_per.THEOREM.expression("repaired", "numbers", "agd", 0.1)
    closed = sympy.lambdify(names, numbers_by, "math")
    label, colour = "corrected closed bound, agd", pictures.PROTOCOL_COLOUR["agd"]
    axes.plot(grid, [closed(AGENTS, t, SHARED, OWN) for t in grid], "--", color=colour, label=label)
    printed = [printed_numbers("agd", AGENTS, SHARED, t) for t in grid]
    axes.plot(grid, printed, ":", color=colour, label="printed order, agd (no constant)")
    pictures.logarithmic(axes, "horizon T", "numbers up and down")


def personalised_regret(axes: Any, figures: pictures.Figures) -> None:
    """The picture has one line for each simulated environment and learning rate. The measured regret (a dot with its
    interval) lies to the left of its bound (a tick of the same colour)."""
    rows = [
        (check.removeprefix("regret-"), row) for check, found in figures.items() for row in found["series"]
    ]
    for place, (variant, row) in enumerate(rows):
        pictures.measured_and_bound(axes, place, row, pictures.BOUND_COLOUR[variant])
    pictures.rows_of(axes, [f"{variant}: {row['where'].replace('dtilde', 'd')}" for variant, row in rows])
    pairs = [(row["mean"], row["bound"]) for _, row in rows]
    axes.set_title(pictures.stays_below("Measured regret of personalised models", pairs, "its bound"))
