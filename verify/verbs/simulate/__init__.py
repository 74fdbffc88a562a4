"""simulate: simulate a federation several times and compare regret and messages with the bounds that apply."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bounds.errors import InputError
from fedigw.maxima import refuse_larger
from verify import options, showing
from verify.instances import Instance, dotted, parse, place, read_with
from verify.verdict import shown

if TYPE_CHECKING:
    import numpy as np

    from fedigw.federation import Federation
    from fedigw.record import RunRecord

__all__ = ["Simulation", "simulate"]
EXAMPLE = "python -m verify simulate examples/federation.toml --replications 200"
PYTHON = """
found = simulate("examples/linear.toml", replications=10, horizon=256)
assert found.mean > 0 and not found.violated"""
USUAL, BY_MESSAGES = 100, 10  # default numbers of replications


@dataclass(frozen=True, eq=False)
class Simulation:
    """The results of R independent simulations ("replications") of a federation.

    * regret (R,): the regret of each replication; mean: their mean
    * interval: a confidence interval for the expected regret, approximate (Student's t); guaranteed: one that is valid
      for any distribution of the regret
    * bound: the smallest bound on the expected regret that is not refuted, None if no theorem applies; missing: why
      none applies; vacuous, verdict, by: of this bound
    * traffic: mean numbers of rounds, messages, ...; violated: whether a bound or the protocol's guarantee is violated
    * document: what `simulate --json` prints
    """

    regret: np.ndarray
    mean: float
    standard_error: float | None
    interval: tuple[float, float] | None
    guaranteed: tuple[float, float]
    bound: float | None
    vacuous: bool | None
    verdict: str | None
    by: str | None
    missing: tuple[str, ...]
    traffic: Mapping[str, float]
    violated: bool
    document: Mapping[str, Any]
    federation: Federation
    record: RunRecord

    def __str__(self) -> str:
        from verify.verbs.simulate.text import text

        return text(self.document).rstrip()

    def _repr_html_(self) -> str:
        error = f" ± {self.standard_error:.3g}" if self.standard_error else ""
        bound = self.bound if self.bound is not None else "; ".join(self.missing)
        rows: dict[str, Any] = {"regret": f"{self.mean:.6g}{error}", "bound": bound}
        rows["verdict"] = None if self.verdict is None else shown(vars(self))
        return showing.html_table([*rows.items(), *self.traffic.items()])

    def plot(self, path: str | None = None) -> Any:
        """Draw regret and numbers sent after every epoch, with their bounds; save the picture if a path is given."""
        from verify.pictures import complete
        from verify.verbs.simulate.picture import draw

        return complete(draw(self), path)


def simulate(
    instance: Instance,
    *,
    protocol: str | None = None,
    policy: str | None = None,
    system: str | None = None,
    replications: int | None = None,
    seed: int = 0,
    **settings: Any,
) -> Simulation:
    """Simulate a federation several times and compute the bounds that apply.

    protocol, policy: names that replace those in the file. replications: how many times, by default 100, or 10 if
    messages are simulated. system: another algorithm to simulate instead of FedIGW. settings: keys of the instance
    file, or fields of the protocol or the system; a dot is written as two underscores (link__participants=5).
    """
    if replications is not None:
        if not isinstance(replications, int) or replications < 1:
            raise InputError("replications", replications, "must be a positive integer")
        refuse_larger("replications", replications)
    table = read_with(place(instance), protocol, policy, dotted(settings), system=system)
    return of_table(table, replications, seed)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("instance", metavar="INSTANCE.toml", type=Path)
    parser.add_argument("--protocol", help="FL protocol, e.g. exact_minimiser, direct, agd, cg")
    parser.add_argument("--policy", help="e.g. igw")
    parser.add_argument("--system", help="another system than FedIGW, e.g. fedlinucb, dislinucb, delb")
    about = "a key of the file, dots inside tables (link.participants=5), or a field of the protocol or the system"
    options.add_settings(parser, about)
    parser.add_argument("--replications", help="independent runs; by default 100, or 10 message by message")
    parser.add_argument("--seed", default="0", help="a non-negative integer")
    parser.add_argument("--out", type=Path, help="also save the record of all replications to this new file")
    about = "also draw regret, numbers sent and their bounds to this new file, .svg, .png or .pdf"
    parser.add_argument("--plot", type=Path, help=about)
    parser.add_argument("--json", action="store_true", help="machine-readable")


def execute(given: argparse.Namespace) -> int:
    replications = None
    if given.replications is not None:
        replications = options.integer("--replications", given.replications, 1)
        refuse_larger("replications", replications, "--replications")
    options.refuse_existing("--out", given.out)
    options.refuse_existing("--plot", given.plot, options.PICTURES)
    settings = options.settings(given.settings)
    table = read_with(given.instance, given.protocol, given.policy, settings, system=given.system)
    found = of_table(table, replications, options.integer("--seed", given.seed, 0))
    from fedigw.record import save
    from verify.verbs.simulate.text import text

    if given.out is not None:
        with options.writing("--out", given.out):
            save(found.record, given.out)
    if given.plot is not None:
        with options.writing("--plot", given.plot):
            found.plot(str(given.plot))
    options.show(found.document, text, given.json)
    return 1 if found.violated else 0


def of_table(table: Mapping[str, Any], replications: int | None, seed: int) -> Simulation:
    """Simulate the federation, or the other system, that the keys of an instance file (`table`) describe. Raise
    InputError, which names the key, for wrong input."""
    import copy

    import numpy as np

    from fedigw.replications import simulate as replicate
    from fedigw.running import pools
    from verify.verbs.simulate.rivals import competition_document, notes_of, system_of
    from verify.verbs.simulate.summary import any_violation, summarise

    own = copy.deepcopy(dict(table))
    system, notes = system_of(own), notes_of(own)
    federation = parse(own)
    if replications is None:
        replications = USUAL if system is not None or pools(federation) else BY_MESSAGES
    if system is not None:
        document, competition = competition_document(federation, system, replications, seed, notes)
        record = competition.record
    else:
        record = replicate(federation, replications, seed, audit=True)
        document = summarise(federation, record)
    regret, bound = document["regret"], document["bounds"]["regret"] or {}
    return Simulation(
        regret=np.asarray(record.total_regret),
        mean=regret["mean"],
        standard_error=regret["standard_error"],
        interval=None if regret["interval"] is None else tuple(regret["interval"]),
        guaranteed=tuple(regret["guaranteed"]),
        bound=bound.get("value"),
        **{key: bound.get(key) for key in ("vacuous", "verdict", "by")},
        missing=tuple(document["no_bound"]),
        traffic=document["traffic"],
        violated=any_violation(document),
        document=document,
        federation=federation,
        record=record,
    )
