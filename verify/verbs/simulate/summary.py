"""Replications of a run, next to the bounds on its regret, calls, rounds and numbers that apply to it."""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from bounds import own_adaptive, own_lower_bound
from bounds.theorem import Applied
from fedigw.applicable import (
    applicable,
    declared_cost,
    known_without_learning,
    lower_bound,
    regret_range,
)
from fedigw.federation import Federation
from fedigw.interfaces import FLProtocol
from fedigw.ledger import COUNTERS
from fedigw.privacy import ledger
from fedigw.record import RunRecord
from fedigw.running import pools
from verify.recorded import Recorded, of_applied, of_number, of_statement, undecided

LEVEL = 0.01
EQUAL = 1e-9  # relative: where one function is left the bound is the regret itself, summed in another order
COUNTED = {"calls": ("calls",), "rounds": ("rounds",), "numbers": ("numbers_up", "numbers_down")}


def summarise(federation: Federation, record: RunRecord) -> dict[str, Any]:
    """Return means with their intervals, traffic, every bound that applies with its verdict, and whether one is
    violated."""
    found, without = applicable(federation), len(record.uncertified)
    if without:
        said = f"{without} calls ended without a certificate, the first in epoch {min(record.uncertified)}"
        found = Applied({}, None, (f"{said}: give more rounds, smaller steps or a larger stop.tolerance",))
    elif federation.stop is not None:
        said = "proved for a protocol whose calls all end with a certificate: those of these replications did"
        found = replace(found, remarks=(*found.remarks, said))
    broken = [promise for promise in record.promises if not promise.kept]
    # why the range is wide: estimates are not clipped, but for a protocol whose estimates lie in a box
    rule = "" if federation.protocol.in_unit_box else federation.world.range_rule
    document = measured(record, regret_range(federation), rule)
    private = ledger.of_federation(federation)
    mean, least = document["regret"]["mean"], document["regret"]["guaranteed"][0]
    for index, row in enumerate(document["epochs"]):
        row["learning_rate"] = record.learning_rates[index]
        row |= _excess_risk(federation, record, index)
    risks = [row for row in document["epochs"] if row.get("risk_violated")]
    violated: list[dict[str, Any]] = [
        {"epoch": p.epoch, "promised": p.promised, "delivered": p.delivered} for p in broken[:5]
    ]
    for row in violated:  # JSON has no infinity
        row["delivered"] = row["delivered"] if math.isfinite(row["delivered"]) else "infinite"
    return document | {
        "policy": federation.policy.name,
        "liars": list(federation.link.liars),
        "trivial": float(sum(row[m] for row in record.played for m in federation.honest)),
        "bounds": {
            "regret": _regret_bounds(found, mean, least, bool(broken or risks), declared_by(federation)),
            **_cost_bounds(federation, record),
        },
        "no_bound": list(found.missing),
        "remarks": [*found.remarks, *_of_any_law(federation, found)],
        "privacy": None if private is None else private.json(),
        "notes": list(federation.protocol.notes(federation.setting)),
        "certificate": _certificate(federation, record),
        "lower": _lower(federation),
        "observed": _observed(record, federation.kind, known_without_learning(federation)),
        "violated": violated,
    }


def measured(record: RunRecord, possible: tuple[float, float], rule: str = "") -> dict[str, Any]:
    """Return what replications show by themselves. possible: the least and the most that a run can lose; rule: why."""
    total = record.total_regret
    least, most = guaranteed_interval(total, possible)
    mean, error, interval, method = approximate_interval(total, possible)
    return {
        "protocol": record.protocol,
        "replications": record.replications,
        "seed": record.seed,
        "epochs": [
            {"epoch": i + 1, "lengths": list(row), "regret": float(record.regret[:, i].mean())}
            for i, row in enumerate(record.played)
        ],
        "regret": {
            "mean": mean,
            "standard_error": error,
            "interval": interval,
            "level": LEVEL,
            "method": method,
            "guaranteed": [least, most],
            "range_rule": rule,
            "smallest": float(total.min()),
            "largest": float(total.max()),
        },
        "total_regret": {"mean": mean, "low": least, "high": most, "confidence": 1 - LEVEL},
        "per_agent": list(record.per_agent),
        "traffic": {name: float(record.total_traffic(name).mean()) for name in COUNTERS},
    }


def _certificate(federation: Federation, record: RunRecord) -> dict[str, Any] | None:
    """Return how many calls ended without a certificate, the most rounds that one took, exchanges of the certificate
    included, and the rounds that theory asks for beforehand; None where no certificate is asked for."""
    if federation.stop is None:
        return None
    rounds = record.traffic[:, :, COUNTERS.index("rounds")]
    return {
        "tolerance": federation.stop.tolerance,
        "calls": sum(map(federation.plan.learns, range(federation.plan.epochs))) * record.replications,
        "without": len(record.uncertified),
        "rounds": int(rounds.max()),
        "asked": federation.stop.asked(federation),
    }


def _lower(federation: Federation) -> dict[str, Any] | None:
    """Return what no replication loses less than, where this federation has gap 1."""
    value, statement = lower_bound(federation), own_lower_bound.STATEMENT
    if value is None:
        return None
    return {"claim": statement[0], "value": value, **of_number(*statement).row}


def _observed(record: RunRecord, kind: str, trivial: float) -> dict[str, Any] | None:
    """With learning rates from the data: what each run knows of its own regret, and how often that was wrong.

    A run knows its bound and what is known without learning; where its data exclude every function, only the latter.
    violated: a share of failures that runs which fail with probability delta would show with probability below LEVEL.
    vacuous: the mean of what runs know is not below what is known without learning; vacuous_runs: of how many that is
    all.
    """
    known = record.observed
    if known is None:
        return None
    from verify.statistics.confidence import binomial_lower

    def each(bounds: np.ndarray) -> np.ndarray:
        return np.where(np.isfinite(known.bound), np.minimum(bounds, trivial), trivial)

    bound = each(known.bound)
    exceeded = int(np.sum(record.total_regret > (1 + EQUAL) * bound))
    share_low = binomial_lower(exceeded, record.replications, LEVEL)
    return {
        "claim": own_adaptive.LABEL,
        **of_statement(own_adaptive.LABEL, own_adaptive.STATEMENTS.get(kind, kind)).row,
        "delta": known.delta,
        "bound": float(bound.mean()),
        "largest": float(bound.max()),
        "trivial": trivial,
        "vacuous": bool(bound.mean() >= (1 - EQUAL) * trivial),
        "vacuous_runs": int(np.sum(bound >= (1 - EQUAL) * trivial)),
        "pathwise": float(each(known.pathwise).mean()),
        "any_law": float(each(known.any_law).mean()),
        "left": float(known.left.mean()) if np.isfinite(known.left).all() else None,
        "exceeded": exceeded,
        "share_at_least": share_low,
        "violated": share_low > known.delta,
        "realizability_fails": [{"replication": r, "samples": n} for r, n in known.empty[:5]],
        "realizability_fails_in": len(known.empty),
    }


def any_violation(document: dict[str, Any]) -> bool:
    """Return whether a protocol did not deliver what it promised, an excess risk is above its guarantee, a ledger above
    its declared cost, or a regret above its bound."""
    bounds = [*document["bounds"].values(), document["observed"]]
    risks = any(row.get("risk_violated") for row in document["epochs"])
    broken = bool(document["violated"]) or risks
    return broken or any(bound is not None and bound["violated"] for bound in bounds)


def guaranteed_interval(total: np.ndarray, possible: tuple[float, float]) -> tuple[float, float]:
    """Return an interval for the expected regret that holds at any number of replications: by betting on values
    between the least and the most that a run can lose. It must allow for a rare large loss that no replication shows.
    """
    from verify.statistics.confidence import mean_interval
    from verify.statistics.measurement import within_unit

    least, most = possible
    if most - least <= 1e-12 * most:  # what is played does not depend on what was learned
        return least, most
    low, high = mean_interval(within_unit(total - least, most - least), LEVEL)
    return least + (most - least) * low, least + (most - least) * high


def approximate_interval(
    total: np.ndarray, possible: tuple[float, float] = (-math.inf, math.inf)
) -> tuple[float, float | None, list[float] | None, str]:
    """Mean, standard error and Student's interval, which is exact for normal values only, cut at what is possible, and
    the method's name; None for one replication."""
    from scipy.special import stdtrit

    mean = float(total.mean())
    name = "approximate: Student's t"
    if total.size < 2:
        return mean, None, None, name
    error = float(total.std(ddof=1) / math.sqrt(total.size))
    reach = float(stdtrit(total.size - 1, 1 - LEVEL / 2)) * error
    least, most = min(possible[0], mean), max(possible[1], mean)  # beyond rounding the mean lies between them
    low, high = max(least, mean - reach), min(most, mean + reach)
    cut = low > mean - reach or high < mean + reach
    return mean, error, [low, high], name + (", cut at what a run can lose" if cut else "")


def _regret_bounds(
    found: Applied, mean: float, least: float, broken: bool, declared: Recorded | None = None
) -> dict[str, Any] | None:
    """Return the smallest bound that nothing refutes, with all variants next to it; None where no theorem applies.

    violated: the guaranteed interval of the mean lies above it, or the protocol broke the promise it rests on.
    """
    rows: list[dict[str, Any]] = []
    for variant, value in found.values.items():
        known = declared or of_applied(found, variant)
        rows.append(
            {
                "variant": variant,
                "value": value,
                "trivial": found.trivial[variant],
                "vacuous": found.vacuous(variant),
                "factor": value / mean if mean > 0 else None,
                **known.fields,
                "claims": list(dict.fromkeys([found.theorem, str(found.claim), *dict(found.rests_on)])),
                "violated": broken or least > value,
            }
        )
    if not rows:
        return None
    standing = [row for row in rows if row["verdict"] != "refuted"] or rows
    return min(standing, key=lambda row: float(row["value"])) | {"variants": rows}


def _of_any_law(federation: Federation, found: Applied) -> list[str]:
    """Say what a bound rests on where contexts are infinitely many."""
    behind = ", ".join(f"{label}, part {part}" for label, part in federation.world.rests_on)
    said = f"contexts are infinitely many, and Coq's theorems are about finitely many: the bound rests on {behind}"
    return [said] if behind and found.values else []


def _cost_bounds(federation: Federation, record: RunRecord) -> dict[str, Any]:
    """Return what the protocol declares that its calls send at most, against the ledger, call by call.

    counted: "messages" that went through the channel; in pooled runs none is passed, and the ledger is "declared".
    """
    declared = declared_cost(federation)
    if declared is None:
        return dict.fromkeys(COUNTED)
    promised = federation.guarantee()
    rows = {}
    for quantity, counters in COUNTED.items():
        allowed = np.array([sum(getattr(call, name) for name in counters) for call in declared])
        sent = sum(record.traffic[:, :, COUNTERS.index(name)] for name in counters)  # (R or 1, L)
        known = of_number(promised.claim if promised else "", "repaired", quantity, record.protocol)
        rows[quantity] = {
            "value": float(allowed.sum()),
            "measured": float(np.sum(sent, axis=1).max()),
            **known.fields,
            "counted": "declared" if pools(federation) else "messages",
            "violated": bool(np.any(sent > allowed)),
        }
    return rows


def _excess_risk(federation: Federation, record: RunRecord, epoch: int) -> dict[str, Any]:
    """Return the mean excess risk of what an epoch taught, next to what the guarantee says of it; empty where nothing
    was learned or the world cannot compute it. risk_violated: the guaranteed interval of the mean, at LEVEL for all
    epochs together, lies above the guarantee."""
    promised = federation.guarantee()
    if record.excess_risk is None or np.isnan(record.excess_risk[:, epoch]).any():
        return {}
    found = {"excess_risk": float(record.excess_risk[:, epoch].mean())}
    kept = promised is not None and not promised.missing and not record.uncertified
    if promised is not None and kept and not federation.link.unmet(promised.robust):
        allowed = promised.risk("sharpened", sum(record.full[epoch]))
        stated = not federation.plan.cumulative or bool(promised.on_all_data)
        found |= {"guaranteed_risk": allowed, "risk_violated": stated and _above(record, epoch, allowed)}
    return found


def _above(record: RunRecord, epoch: int, allowed: float) -> bool:
    """Return whether the mean excess risk of an epoch is above `allowed`, at LEVEL for all epochs together.

    Values are cut at 1: a mean only falls when values are cut. One that is far above is seen in a single replication.
    """
    from verify.statistics.sequential import Gambler

    gambler = Gambler(1 - allowed)  # who bets that 1 minus the risk has a mean below this
    gambler.see(1 - np.minimum(1.0, record.excess_risk[:, epoch]))  # type: ignore[index]  # known where this is asked
    return gambler.log_wealth >= math.log(len(record.full) / LEVEL)


def declared_by(federation: Federation) -> Recorded | None:
    """Return that a bound is undecided where a user's file declares what it rests on, or where nobody checks that the
    world meets the hypotheses; None where the parts are ours."""
    protocol = federation.protocol
    # a certificate is ours, unless the file reports gradients of its own
    ours = federation.stop is not None and type(protocol).gradient is FLProtocol.gradient
    path = ("" if ours else protocol.from_file) or federation.policy.from_file
    if path:
        return undecided(f"declared by {path}; no claim of ours is about it")
    if "checked" not in vars(type(federation.world)) or not federation.world.checked:  # not by inheriting it
        world = type(federation.world).__name__
        return undecided(f"nothing checks that {world} meets the hypotheses")
    return None
