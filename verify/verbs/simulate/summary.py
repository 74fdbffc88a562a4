"""Compare simulations of a federation with the bounds on regret, calls, rounds and numbers sent that apply to it."""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from bounds import own_adaptive, own_lower_bound
from bounds.theorem import Applied
from fedigw.applicable import applicable, declared_cost, known_without_learning, lower_bound, regret_range
from fedigw.federation import Federation
from fedigw.interfaces import FLProtocol
from fedigw.ledger import COUNTERS
from fedigw.privacy import ledger
from fedigw.record import RunRecord
from fedigw.running import pools
from verify.recorded import Recorded, of_applied, of_number, of_statement, undecided

LEVEL = 0.01
EQUAL = 1e-9  # relative rounding: the bound may equal the regret, summed in another order
COUNTED = {"calls": ("calls",), "rounds": ("rounds",), "numbers": ("numbers_up", "numbers_down")}


def summarise(federation: Federation, record: RunRecord) -> dict[str, Any]:
    """Return what `simulate --json` prints: means with intervals, messages, every bound that applies with its verdict,
    and whether one is violated."""
    found, without = applicable(federation), len(record.uncertified)
    if without:
        said = f"{without} calls ended without a certificate, the first in epoch {min(record.uncertified)}"
        said += ": give more rounds, smaller steps (FedProx: a larger proximal) or a larger stop.tolerance"
        found = Applied({}, None, (said,))
    elif federation.stop is not None:
        said = "stated for a protocol whose calls all end with a certificate: those of these replications did"
        found = replace(found, remarks=(*found.remarks, said))
    broken = [promise for promise in record.promises if not promise.kept]
    # why the range is wide: estimates are not clipped, except by protocols whose estimates lie in a box
    rule = "" if federation.protocol.in_unit_box else federation.world.range_rule
    document = measured(record, regret_range(federation), rule)
    private = ledger.of_federation(federation)
    mean, least = document["regret"]["mean"], document["regret"]["guaranteed"][0]
    for index, row in enumerate(document["epochs"]):
        row["learning_rate"] = record.learning_rates[index]
        row |= _excess_risk(federation, record, index)
    risks = [row for row in document["epochs"] if row.get("risk_violated")]
    violated = [
        {"epoch": p.epoch, "promised": p.promised, "delivered": _finite(p.delivered)} for p in broken[:5]
    ]
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


def _finite(value: float) -> float | str:
    return value if math.isfinite(value) else "infinite"  # JSON has no infinity


def measured(record: RunRecord, possible: tuple[float, float], rule: str = "") -> dict[str, Any]:
    """Return what several simulations (`record`) measured: the regret with intervals, in all, by epoch and by agent,
    and mean numbers of messages. possible: the smallest and largest possible regret of one simulation. rule: the reason
    for these two numbers, in words."""
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
    value, statement = lower_bound(federation), own_lower_bound.STATEMENT
    return None if value is None else {"claim": statement[0], "value": value, **of_number(*statement).row}


def _observed(record: RunRecord, kind: str, trivial: float) -> dict[str, Any] | None:
    """Return the regret bounds that simulations with adaptive learning rates compute from their data, and how often the
    regret exceeds them. kind: of the federation. Some keys of the result:

    * vacuous: whether the mean of these bounds is not below `trivial`, the bound that holds without learning;
      vacuous_runs: for how many simulations the bound is not below `trivial`
    * violated: whether so many failures would have probability below LEVEL if each had the probability delta that the
      bound allows
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
    """Return whether, according to the document of `simulate`, a protocol broke its guarantee, or an excess risk, the
    regret or the numbers sent are above their bound."""
    bounds = [*document["bounds"].values(), document["observed"]]
    broken = bool(document["violated"]) or any(row.get("risk_violated") for row in document["epochs"])
    return broken or any(bound is not None and bound["violated"] for bound in bounds)


def guaranteed_interval(total: np.ndarray, possible: tuple[float, float]) -> tuple[float, float]:
    """Return a confidence interval for the expected regret. It is valid for any distribution of the regret on the
    interval `possible`, and is wide, because the simulations may have missed a rare large regret."""
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
    """Return mean, standard error, Student's interval at confidence 1 - LEVEL, and the method's name. The interval is
    exact for normal values only, and is cut to the possible values. total: the regret of each simulation. For a single
    simulation, error and interval are None."""
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
    """Return the smallest regret bound that is not refuted, and the bounds of all variants (`found`); None if no
    theorem applies.

    mean: the measured mean regret. least: the lower end of its guaranteed interval. broken: whether the protocol broke
    the guarantee on which the bounds rest. declared: a verdict in place of the recorded ones (see `declared_by`). The
    entry `violated` of the result says whether `broken`, or `least` is above the bound.
    """
    rows: list[dict[str, Any]] = [
        {
            "variant": variant,
            "value": value,
            "trivial": found.trivial[variant],
            "vacuous": found.vacuous(variant),
            "factor": value / mean if mean > 0 else None,
            **(declared or of_applied(found, variant)).fields,
            "claims": list(dict.fromkeys([found.theorem, str(found.claim), *dict(found.rests_on)])),
            "violated": broken or least > value,
        }
        for variant, value in found.values.items()
    ]
    if not rows:
        return None
    standing = [row for row in rows if row["verdict"] != "refuted"] or rows
    return min(standing, key=lambda row: float(row["value"])) | {"variants": rows}


def _of_any_law(federation: Federation, found: Applied) -> list[str]:
    behind = ", ".join(f"{label}, part {part}" for label, part in federation.world.rests_on)
    said = f"contexts are infinitely many, and Coq's theorems are about finitely many: the bound rests on {behind}"
    return [said] if behind and found.values else []


def _cost_bounds(federation: Federation, record: RunRecord) -> dict[str, Any]:
    """Return for calls, rounds and numbers sent the largest declared count (`value`), next to the measured one. Entry
    `counted`: "messages" if messages were simulated and counted, else "declared"."""
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
    """Return the mean excess risk after an epoch and its guarantee; {} if nothing was learned or it cannot be computed
    exactly.

    Entry `risk_violated`: whether the mean is significantly above the guarantee, at level LEVEL for all epochs
    together.
    """
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
    """Return whether the mean excess risk after an epoch is significantly above `allowed`, at level LEVEL for all
    epochs together. Values are cut at 1, which only decreases the mean."""
    from verify.statistics.sequential import Gambler

    gambler = Gambler(1 - allowed)  # who bets that 1 minus the risk has a mean below this
    gambler.see(1 - np.minimum(1.0, record.excess_risk[:, epoch]))  # type: ignore[index]  # known where this is asked
    return gambler.log_wealth >= math.log(len(record.full) / LEVEL)


def declared_by(federation: Federation) -> Recorded | None:
    """Return the verdict "undecided" if a bound relies on what a user's file declares, or on hypotheses about the
    environment that nothing checks; else None."""
    protocol = federation.protocol
    # a certificate is ours, unless the file reports gradients of its own
    ours = federation.stop is not None and type(protocol).gradient is FLProtocol.gradient
    path = ("" if ours else protocol.from_file) or federation.policy.from_file
    if path:
        return undecided(f"declared by {path}; no claim of ours is about it")
    if (
        "checked" not in vars(type(federation.world)) or not federation.world.checked
    ):  # an inherited value does not count
        world = type(federation.world).__name__
        return undecided(f"nothing checks that {world} meets the hypotheses")
    return None
