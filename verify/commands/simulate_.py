"""simulate: replications of a run at any horizon, beside the bounds that apply to it."""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from typing import Any

from bounds.errors import InputError
from fedigw.federation import Federation
from fedigw.ledger import COUNTERS
from fedigw.record import RunRecord
from verify.commands.run_ import _integer
from verify.instances import load

LEVEL = 0.01
MOST_REPLICATIONS = 10_000_000  # a record holds every one of them


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("instance", metavar="INSTANCE.toml", type=Path)
    parser.add_argument("--protocol", help="FL protocol, e.g. exact_minimiser, direct, agd, cg")
    parser.add_argument("--policy", help="e.g. igw")
    parser.add_argument(
        "--set",
        nargs="+",
        default=[],
        metavar="KEY=VALUE",
        dest="settings",
        action="extend",
        help="a key of the file, dots inside tables (link.participants=5), or a field of the protocol",
    )
    parser.add_argument("--replications", default="100", help="independent runs")
    parser.add_argument("--seed", default="0", help="a non-negative integer")
    parser.add_argument("--out", type=Path, help="also save the record of all replications to this new file")
    parser.add_argument("--json", action="store_true", help="machine-readable")


def execute(options: argparse.Namespace) -> int:
    from fedigw.record import save
    from fedigw.replications import simulate

    replications = _integer("--replications", options.replications, 1)
    if replications > MOST_REPLICATIONS:
        raise InputError("--replications", options.replications, f"must be at most {MOST_REPLICATIONS}")
    if options.out is not None and options.out.exists():
        raise InputError("--out", str(options.out), "exists already; records are never overwritten")
    federation = load(options.instance, options.protocol, options.policy, options.settings)
    record = simulate(federation, replications, _integer("--seed", options.seed, 0), audit=True)
    if options.out is not None:
        try:
            save(record, options.out)
        except OSError as error:
            raise InputError("--out", str(options.out), f"cannot be written: {error.strerror}") from None
    document = summarise(federation, record)
    sys.stdout.write(json.dumps(document, indent=1) + "\n" if options.json else _text(document))
    return 1 if document["violated"] else 0


def summarise(federation: Federation, record: RunRecord) -> dict[str, Any]:
    """Means with confidence intervals, traffic, every bound that applies, and whether the protocol kept its word."""
    from fedigw.applicable import applicable, largest_regret
    from verify.statistics.confidence import mean_interval
    from verify.statistics.measurement import within_unit

    scale = largest_regret(federation)
    total = record.total_regret
    low, high = (
        (0.0, 0.0)
        if scale == 0
        else tuple(scale * end for end in mean_interval(within_unit(total, scale), LEVEL))
    )
    trivial = float(sum(sum(row) for row in record.played))
    found = applicable(federation)
    broken = [promise for promise in record.promises if not promise.kept]
    return {
        "policy": federation.policy.name,
        "protocol": record.protocol,
        "replications": record.replications,
        "seed": record.seed,
        "epochs": [
            {
                "epoch": index + 1,
                "lengths": list(record.played[index]),
                "learning_rate": record.learning_rates[index],
                "regret": float(record.regret[:, index].mean()),
            }
            for index in range(len(record.played))
        ],
        "total_regret": {"mean": float(total.mean()), "low": low, "high": high, "confidence": 1 - LEVEL},
        "traffic": {name: float(record.total_traffic(name).mean()) for name in COUNTERS},
        "trivial": trivial,
        "bounds": [
            {
                "variant": name,
                "value": value,
                "vacuous": value >= trivial,
                "factor": value / float(total.mean()) if total.mean() > 0 else None,
                "violated": bool(broken),
            }
            for name, value in found.values.items()
        ],
        "no_bound": list(found.missing),
        "violated": [
            {"epoch": p.epoch, "promised": p.promised, "delivered": _finite(p.delivered)} for p in broken[:5]
        ],
    }


def _finite(value: float) -> float | str:
    """JSON has no infinity."""
    return value if math.isfinite(value) else "infinite"


def _text(document: dict[str, Any]) -> str:
    total = document["total_regret"]
    lines = [
        f"{document['replications']} replications, {document['protocol']}, seed {document['seed']}",
        f"regret {total['mean']:.6g}   {total['confidence']:.0%} confidence [{total['low']:.6g}, {total['high']:.6g}]",
    ]
    for broken in document["violated"]:
        lines.append(
            f"  VIOLATED: {document['protocol']} promised a squared distance from the minimiser of at most"
            f" {broken['promised']:.3g} in epoch {broken['epoch']} and delivered {broken['delivered']}"
        )
    if document["violated"]:
        lines.append("  no bound holds for a protocol that does not keep its word")
    lines += [f"  no bound: {reason}" for reason in document["no_bound"]]
    for bound in [] if document["violated"] else document["bounds"]:
        if bound["vacuous"]:
            lines.append(
                f"  bound {bound['variant']:10} {bound['value']:.6g}  vacuous: trivial is {document['trivial']:.6g}"
            )
        else:
            factor = f"{bound['factor']:.2f} times the mean" if bound["factor"] else "the regret is 0"
            lines.append(f"  bound {bound['variant']:10} {bound['value']:.6g}  {factor}")
    lines += [f"  {name:14} {value:.6g}" for name, value in document["traffic"].items()]
    return "\n".join(lines) + "\n"
