"""Draw the picture of simulate --plot: regret and numbers sent against the steps played, with the bounds that apply."""

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds import theorems
from bounds.errors import InputError
from bounds.report import BoundReport
from fedigw.applicable import applicable, declared_cost, lower_bounds
from fedigw.ledger import COUNTERS
from finite_class.model import FiniteClass
from linear.model import Ridge
from verify import pictures as p
from verify.pictures import limit, stays_below
from verify.recorded import of_number
from verify.verdict import shown

if TYPE_CHECKING:
    from verify.verbs.simulate import Simulation

SENT = ("numbers_up", "numbers_down")


def draw(found: "Simulation") -> Any:
    """Return the picture of a simulation: regret after every epoch with its bounds, and numbers sent with theirs."""
    figure, (above, below) = p.picture(2)
    steps = np.cumsum([sum(row) for row in found.record.played])
    _regret(above, found, steps)
    _numbers(below, found, steps)
    return figure


def named(what: str, row: Mapping[str, Any]) -> str:
    return f"{what}: {shown(row)}" + (", vacuous" if row.get("vacuous") else "")


def _regret(axes: Any, found: "Simulation", steps: np.ndarray) -> None:
    record, document = found.record, found.document
    regret = np.cumsum(record.regret, axis=1)  # (R, L)
    mean = regret.mean(axis=0)
    bounds = document["bounds"]["regret"]
    smallest = "" if bounds is None else bounds["variant"]
    rows = [] if bounds is None else bounds["variants"]
    terms = applicable(found.federation).terms if rows else {}
    colour_of = p.colours(p.BOUND_COLOUR, [row["variant"] for row in rows])
    own = colour_of.get(smallest) or p.colours(p.PROTOCOL_COLOUR, [record.protocol])[record.protocol]
    honest = np.cumsum([sum(row[m] for m in found.federation.honest) for row in record.played])
    trivial = honest.astype(float)
    lost = f"{mean[-1] / honest[-1]:.2g} is lost a step on average"
    title = f"{lost}; no bound applies"
    for row in rows:
        curve = np.cumsum(terms.get(row["variant"], ()))
        if len(curve) != len(steps):
            curve = np.append(np.full(len(steps) - 1, np.nan), row["value"])
        look = p.BOUND | {"marker": "" if np.isfinite(curve).sum() > 1 else "v"}
        name = named(f"bound, {row['variant']}", row)
        axes.plot(steps, curve, color=colour_of[row["variant"]], label=name, **look)
        if row["variant"] == smallest:
            if np.isfinite(curve[0]):  # a bound that counts less than a step for a uniform one of epoch 1
                trivial -= max(0.0, honest[0] - curve[0])
            undecided = row["verdict"] == "undecided"
            title = f"{lost}; the bound is undecided" if undecided else _said(mean, curve, trivial, row)
    axes.plot(steps, trivial, label="known without learning", **p.WITHOUT)
    if (observed := document["observed"]) is not None:
        name = named("bound that a run computes from its data", observed)
        axes.plot(steps[-1:], [observed["bound"]], "v", color=own, label=name)
        if not rows:
            title = stays_below(
                "Mean regret", [(mean[-1], observed["bound"])], "the bound that a run computes"
            )
    axes.plot(steps, mean, color=own, label=f"measured, mean of {record.replications} runs", **p.MEASURED)
    if record.replications > 1:
        axes.fill_between(steps, regret.min(axis=0), regret.max(axis=0), color=own, alpha=0.2, linewidth=0)
    if (lower := document["lower"]) is not None:
        values = lower_bounds(found.federation)
        axes.plot(steps, values, color=own, label=named("lower bound", lower), **p.LOWER)
    axes.set(xscale="log", yscale="log" if mean[0] > 0 else "linear", xlabel="steps of all agents together")
    axes.set_ylabel("regret (shaded: all runs)" if record.replications > 1 else "regret")
    p.finish(axes, title)


def _said(mean: np.ndarray, curve: np.ndarray, trivial: np.ndarray, row: Mapping[str, Any]) -> str:
    """Return a sentence about the mean regret and a bound (`curve`) after every epoch. Epochs in which the bound is
    vacuous do not count. trivial: the bound known without learning after every epoch; row: the bound at the end."""
    bound = f"the bound ({row['variant']}, {row['verdict']})"
    if row["vacuous"]:
        return f"{bound} is vacuous up to this horizon"
    telling = np.isfinite(curve) & (curve < (1 - 1e-9) * trivial)
    return stays_below("Measured regret", zip(mean[telling], curve[telling], strict=True), bound)


def _numbers(axes: Any, found: "Simulation", steps: np.ndarray) -> None:
    record, document = found.record, found.document
    sent = sum(record.traffic[:, :, COUNTERS.index(name)] for name in SENT)
    counted = np.cumsum(np.mean(sent, axis=0))
    protocol, row = document["protocol"], document["bounds"]["numbers"]
    colour = p.colours(p.PROTOCOL_COLOUR, [protocol])[protocol]
    words, label = p.in_words(protocol), f"sent, mean of {record.replications} runs"
    who = words if words[0].isupper() else f"the protocol {words}"
    title = f"No proved bound on what {who} sends"
    if row is not None:
        declared = None if document.get("system") else declared_cost(found.federation)
        each = [] if declared is None else [sum(getattr(call, name) for name in SENT) for call in declared]
        most = np.cumsum(each) if each else np.append(np.full(len(steps) - 1, np.nan), row["value"])
        if each:
            _printed(axes, found, steps, most, colour)
        look = p.BOUND | {"marker": "" if each else "v"}
        name = named("bound", row) if limit(row) == "bound" else "declared, not proved"
        axes.plot(steps, most, color=colour, label=name, **look)
        pairs = [(c, m) for c, m in zip(counted, most, strict=True) if np.isfinite(m)]
        if limit(row) == "bound":
            title = stays_below("What is sent", pairs, f"the bound ({row['verdict']})")
        elif not np.allclose(most, counted, rtol=1e-9):
            title = stays_below(f"What {who} sends", pairs, "what it declares, which is not proved")
        label = "sent, computed without messages" if row["counted"] == "declared" else label
    axes.plot(steps, counted, color=colour, label=label, **p.MEASURED | {"linestyle": ":"})
    axes.set(xscale="log", xlabel="steps of all agents together", ylabel="numbers, up and down")
    if counted[0] > 0:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_formatter(p.short)  # no factor such as 1e6 above the axis, where the title is
    p.finish(axes, title)


def _printed(axes: Any, found: "Simulation", steps: np.ndarray, most: np.ndarray, colour: str) -> None:
    """Draw the paper's order of the numbers sent, with the constant 1, and the cost of a message after every step. Do
    nothing if the theorem's bound at this horizon differs from the one in the picture (`most`)."""
    federation, protocol = found.federation, found.document["protocol"]
    model, agents, promised = federation.model, len(federation.arms), federation.guarantee()
    theorem = None if promised is None else theorems.find(promised.claim)
    sizes: dict[str, Any] = {"M": agents, "K": max(federation.arms)}
    if isinstance(model, Ridge):
        sizes |= {"d": model.dimension, "heterogeneous": model.heterogeneous}
    elif isinstance(model, FiniteClass):
        sizes |= {"F": model.size}
    if theorem is None or protocol not in theorem.protocols or not {*theorem.required} <= {*sizes, "T"}:
        return

    def at(variant: str) -> list[BoundReport]:
        given = [{**theorem.optional, **sizes, "T": int(total // agents)} for total in steps]
        return [theorem.evaluate(variant, "numbers", protocol, each) for each in given]

    known = at("repaired")
    if not np.allclose([report.value for report in known], most, rtol=1e-9):
        return
    axes.plot(steps, [report.trivial for report in known], label="sent after every step", **p.WITHOUT)
    with suppress(InputError):  # the paper has no order for some protocols
        order, row = at("printed"), of_number(theorem.label, "printed", "numbers", protocol).row
        look = {"color": colour, "label": named("printed order, without its constant", row), "linewidth": 0.8}
        axes.plot(steps, [report.value for report in order], **look)
