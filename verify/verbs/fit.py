"""fit: run one call of an FL protocol on given data and print loss after each round, messages sent and guarantee."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bounds.errors import InputError
from verify import options, showing
from verify.instances import Instance, dotted, place, read_with
from verify.recorded import record, weakest
from verify.verdict import shown

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Fit", "fit"]
EXAMPLE = "python -m verify fit examples/dataset.toml --protocol fedavg --set rounds=200 step_size=0.02"
PYTHON = """
found = fit("examples/dataset.toml", protocol="fedavg", rounds=200, step_size=0.02)
assert found.gap[-1] < found.gap[0]"""


@dataclass(frozen=True, eq=False)
class Fit:
    """The result of one call of an FL protocol. gap (rounds+1,): the loss minus its minimum, before the first round and
    after each. estimate, minimiser: (d,). traffic: how many rounds, messages, numbers and bits were sent."""

    protocol: str
    gap: np.ndarray
    estimate: np.ndarray
    minimiser: np.ndarray
    traffic: Mapping[str, int]
    document: Mapping[str, Any]

    def __str__(self) -> str:
        return text(self.document).rstrip()

    def _repr_html_(self) -> str:
        return showing.html_table([("protocol", self.protocol), ("gap", self.gap[-1]), *self.traffic.items()])

    def plot(self, path: str | None = None) -> Any:
        """Draw the loss minus its minimum after every round and, if a theorem gives one, a bound on it. Save the
        picture if a path is given."""
        from verify import pictures as p

        figure, (axes,) = p.picture()
        colour = p.colours(p.PROTOCOL_COLOUR, [self.protocol])[self.protocol]
        rate = self.document["guarantee"].get("rate", {})
        title = f"{self.protocol} takes the gap from {self.gap[0]:.2g} to {self.gap[-1]:.2g}"
        if rate.get("claim"):
            axes.plot(rate["gap"], color=colour, label=f"bound, {rate['claim']}: {shown(rate)}", **p.BOUND)
            title = p.stays_below("The measured gap", zip(self.gap, rate["gap"], strict=True), "its bound")
        axes.plot(self.gap, color=colour, label="measured gap", **p.MEASURED | {"markersize": 2})
        axes.set_yscale("log", nonpositive="mask")
        axes.set(xlabel="rounds of communication", ylabel="F(x) - F(x*)")
        p.finish(axes, title)
        return p.complete(figure, path)


def fit(data: Instance, *, protocol: str | None = None, seed: int = 0, **settings: Any) -> Fit:
    """Run one call of an FL protocol on given data: a file with kind = "dataset", or a mapping with its keys. settings:
    fields of the protocol, or keys of the file."""
    import numpy as np

    document = of_table(read_with(place(data), protocol, None, dotted(settings), "direct"), seed)
    gap, estimate, minimiser = (np.asarray(document[name]) for name in ("gap", "estimate", "minimiser"))
    return Fit(document["protocol"], gap, estimate, minimiser, document["traffic"], document)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", metavar="DATA.toml", type=Path)
    parser.add_argument("--protocol", help="FL protocol, e.g. direct, agd, fedavg, scaffold, fedprox")
    about = "a field of the protocol (rounds=100 local_steps=5 step_size=0.1), or a key of the file"
    options.add_settings(parser, about)
    parser.add_argument("--seed", default="0", help="a non-negative integer")
    parser.add_argument("--json", action="store_true", help="machine-readable")


def execute(given: argparse.Namespace) -> int:
    table = read_with(given.data, given.protocol, None, options.settings(given.settings), "direct")
    document = of_table(table, options.integer("--seed", given.seed, 0))
    options.show(document, text, given.json)
    return 1 if document["guarantee"]["violated"] else 0


def of_table(table: Mapping[str, Any], seed: int) -> dict[str, Any]:
    from linear.dataset import parse

    kind = table.get("kind", "dataset")
    if kind != "dataset":
        raise InputError("kind", kind, 'must be "dataset"; instances are for simulate and exact')
    return fitted(parse(table), seed)


def fitted(dataset: Any, seed: int) -> dict[str, Any]:
    """Run the data set's FL protocol once and return what `fit --json` prints: loss minus minimum after each round,
    estimate, exact minimiser, messages sent, and whether the protocol's guarantee was met."""
    import numpy as np

    from fedigw.channel import Channel, MessageError
    from fedigw.federation import keys_of
    from fedigw.running import DataError, SolverError
    from fedigw.watching import Watching

    protocol, rng = dataset.protocol, np.random.default_rng(seed)
    if protocol.predicts:
        raise InputError("protocol", protocol.name, "learns predictions, not one estimate; use simulate")
    try:
        problem = dataset.problem()
        channel = Channel(len(dataset.agents), 1, dataset.link, rng)
        watching = Watching(channel, problem.gap, dataset.model.initial())
        estimate = np.asarray(protocol.fit(dataset.problem(reported=True), channel, None, rng).parameters)
        gaps = watching.by_round(estimate)
        watching.refuse_divergence()
        best = problem.minimiser()
    except (SolverError, DataError, MessageError) as error:
        raise InputError("fit", protocol.name, f"cannot go on: {error}") from None
    private = dataset.private()
    return {
        "protocol": protocol.name,
        "parameters": {k: v for k, v in keys_of(protocol).items() if k != "name"},
        "rounds": channel.traffic.rounds,
        "gap": gaps,
        "final_gap": problem.gap(estimate),
        "distance": problem.distance(estimate),
        "minimiser": best.tolist(),
        "estimate": estimate.tolist(),
        "traffic": asdict(channel.traffic),
        "notes": list(protocol.notes(dataset.setting)),
        "guarantee": _guarantee(dataset, problem, estimate, channel.traffic, gaps),
        "privacy": None if private is None else private.json(),
    }


def _guarantee(dataset: Any, problem: Any, estimate: Any, sent: Any, gaps: Any) -> dict[str, Any]:
    """Return what the protocol guarantees on these data, whether it was met, and which hypotheses are missing, such as
    features of norm at most 1 and messages that arrive unchanged."""
    import math

    from fedigw.running import ROUNDING

    promised = dataset.protocol.guarantee(dataset.setting)
    if promised is None:
        return {"claim": None, "missing": ["the protocol promises nothing"], "violated": False}
    n = problem.samples
    missing = [*promised.missing, *dataset.link.missing]
    if not problem.within_ball:
        missing.append("some norm(phi) > 1: the theory is for features in the unit ball")
    allowed = math.inf if promised.distance is None else promised.distance(n)
    delivered = problem.distance(estimate)
    slack = ROUNDING * promised.risk("sharpened", n)
    violated = math.isfinite(allowed) and not missing and delivered > allowed + slack
    cost = promised.cost(n)
    if not dataset.link.missing:
        violated = violated or sent.numbers > cost.numbers or sent.rounds > cost.rounds
    rate = _rate(dataset, problem, gaps)
    return {
        "rate": rate,
        "claim": promised.claim,
        **weakest(promised.rests_on).row,
        "distance": allowed if math.isfinite(allowed) else None,
        "delivered": delivered,
        "excess_risk": promised.risk("sharpened", n) if not missing else None,
        "rounds": cost.rounds,
        "numbers": cost.numbers,
        "missing": missing,
        "violated": bool(violated or rate["violated"]),
    }


def _rate(dataset: Any, problem: Any, gaps: list[float]) -> dict[str, Any]:
    """Return a theorem's bounds on the loss minus its minimum after every round, and whether one of the measured values
    `gaps` is above its bound. The entry `claim` is None if no theorem covers the protocol and these data."""
    from fedigw.local_steps import LocalMethod

    nothing: dict[str, Any] = {"claim": None, "missing": [], "violated": False}
    if not isinstance(dataset.protocol, LocalMethod):
        return nothing
    if dataset.link.missing:
        return nothing | {"missing": list(dataset.link.missing)}
    method = dataset.protocol.scheduled(problem.samples, len(dataset.agents), problem.dimension)
    found = method.rate(problem.constants())
    if found.gap is None:
        return nothing | {"missing": list(found.missing)}
    bounds = [found.gap(r) for r in range(len(gaps))]
    # gaps are differences of losses of order one: below 1e-14 they are rounding
    broken = any(gap > bound * (1 + 1e-9) + 1e-14 for gap, bound in zip(gaps, bounds, strict=True))
    own = [(str(found.claim), name) for name in record()["verdicts"][str(found.claim)] if name != "printed"]
    return {"claim": found.claim, **weakest(own).row, "gap": bounds, "missing": [], "violated": broken}


def _estimates(estimate: list[Any]) -> list[str]:
    rows = estimate if isinstance(estimate[0], list) else [estimate]
    names = ["estimate"] if len(rows) == 1 else [f"agent {m}" for m in range(len(rows))]
    shown = zip(names, rows[:8], strict=False)
    return [f"  {name:12} {', '.join(f'{v:.6g}' for v in row[:8])}" for name, row in shown]


def text(document: Mapping[str, Any]) -> str:
    gap, guarantee, traffic = document["gap"], document["guarantee"], document["traffic"]
    lines = [
        f"{document['protocol']}, {document['rounds']} rounds",
        f"  gap          {gap[0]:.6g} before the first round, {document['final_gap']:.6g} at the end",
        f"  distance     {document['distance']:.6g} (squared, from the minimiser)",
        *_estimates(document["estimate"]),
        f"  minimiser    {', '.join(f'{v:.6g}' for v in document['minimiser'][:8])}",
        f"  numbers      {traffic['numbers_up']} up, {traffic['numbers_down']} down",
        f"  bits         {traffic['bits_up']} up, {traffic['bits_down']} down",
        *(f"  {note}" for note in document["notes"]),
    ]
    rate, promised = guarantee.get("rate", {}), guarantee.get("distance")
    if rate.get("claim"):
        behind = f"({rate['claim']}, {shown(rate)})"
        lines.append(f"  rate         gap at most {rate['gap'][-1]:.6g} after the last round {behind}")
    if guarantee["violated"]:
        most = f"{promised} and {guarantee['numbers']} numbers"
        lines.append(f"  VIOLATED: promised a squared distance of at most {most}")
    elif promised is not None and not guarantee["missing"]:
        behind = f"({guarantee['claim']}, {shown(guarantee)})"
        lines.append(f"  guarantee    squared distance at most {promised:.6g} {behind}")
    lines += [f"  no guarantee: {reason}" for reason in guarantee["missing"]]
    if document["privacy"] is not None:
        from fedigw.privacy.ledger import words

        lines.append(f"  privacy      {words(document['privacy'])}")
    return "\n".join(lines) + "\n"
