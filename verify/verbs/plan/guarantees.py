"""Compute the regret guarantees of a planned federation and what they cost in messages: by variant of the bound, by
protocol, with privacy and with lying agents."""

import math
from collections.abc import Iterable
from functools import partial
from typing import Any

from bounds import theorems
from bounds.arithmetic import first_integer
from bounds.errors import InputError
from verify.claim import ROWS
from verify.recorded import FIELDS, UNCHECKED, Recorded, of_applied, of_statement
from verify.verbs.plan.question import Question

BYTES = 8  # of a number
LINEAR = ("direct", "cg", "agd", "agd_convex", "chebyshev")
CONVEX = ("fedavg", "scaffold")  # by schedules computed from their proved rates
NOT_BEST = ("agd_convex",)  # runs have no `best` for it, only `bound`: its excess risk does not halve
AGGREGATORS = ("trimmed_mean", "median")
MOST_LISTED = 1000  # lying agents that a file names
QUANTITIES = ("regret", "calls", "rounds", "numbers")
ABOUT = {
    "exact_minimiser": "every agent sends the loss of every function",
    "direct": "every agent sends its Gram matrix once a call: exact",
    "cg": "conjugate gradients: exact in d rounds",
    "agd": "accelerated gradients to a tolerance of 0.1",
    "agd_convex": "accelerated gradients, sqrt(n) rounds",
    "chebyshev": "Chebyshev's iteration to a tolerance of 0.1",
    **dict.fromkeys(CONVEX, "by the schedule of its proved rate, tolerance 0.5; in practice fewer rounds do"),
}
NOISE = {
    "central": "Gram matrices; the server, which is trusted, adds noise to their sum",
    "agent": "Gram matrices; every agent adds noise to its own",
    "local": "Gram matrices; noise is added for every sample",
}


def guarantees(question: Question) -> list[dict[str, Any]]:
    """Return a row for each variant of the regret bound: its value, verdict, value per agent and step, and the horizon
    from which it is informative; [] for one arm, whose regret is 0."""
    rows: list[dict[str, Any]] = []
    for variant in ROWS if question.arms > 1 else ():
        try:
            found = question.bound(variant)
        except InputError as error:
            rows.append({"variant": variant, "value": None, "verdict": None, "by": None, "why": str(error)})
            continue
        rows.append(
            {key: found[key] for key in ("variant", "value", "trivial", "vacuous", "hypotheses")}
            | {
                **Recorded.of(found).row,
                "per_step": found["value"] / (question.agents * question.horizon),
                "informative_from": found["first_informative_horizon"],
                "order_only": found.get("order_only", False),
            }
        )
    return rows


def smallest(rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the row of the smallest proved bound below the one that holds without learning; None if there is none."""
    proved = [row for row in rows if row["verdict"] == "proved"]
    good = [row for row in proved if not (row.get("vacuous", True) or row.get("order_only"))]
    return min(good, key=lambda row: float(row["value"]), default=None)


def break_even(question: Question) -> int | None:
    """Return the smallest number of agents for which federating pays: the regret guarantee of an agent, plus the price
    of its messages, is below the guarantee of an agent alone. Return None if more than a million agents are needed."""
    exact, price = "direct" if question.linear else "exact_minimiser", question.price or 0.0

    def guaranteed(agents: int) -> float:
        values = []
        for variant in ("sharpened", "best"):
            try:
                values.append(float(question.bound(variant, agents=agents)["value"]))
            except InputError:
                continue
        return min(values)

    def pays(agents: int) -> bool:
        sent = float(question.bound("sharpened", "numbers", exact, agents)["value"]) / agents
        return guaranteed(agents) / agents + price * sent < alone

    alone = guaranteed(1)
    return first_integer(pays, 2, 1_000_000)


def protocols(question: Question) -> list[dict[str, Any]]:
    """Return a row for each protocol: its regret guarantee, what it sends, and which requested properties it lacks.
    Private and robust protocols are included only if requested."""
    if question.linear:
        from bounds.theorems import col_convex

        rows = [_protocol(question, question.claim, name) for name in LINEAR]
        rows += [_protocol(question, col_convex.THEOREM.label, name) for name in CONVEX]
        rows += [_private(question, row) for row in private(question)]
        rows += [_robust(question, row) for row in robust(question) if row["aggregator"] in AGGREGATORS]
    else:
        rows = [_protocol(question, question.claim, "exact_minimiser")]
    for row in rows:
        if question.asynchronous and "rounds" in row:
            row |= _asynchronous(question, row)
        row["lacks"] = lacks(question, row)
        row["allowed"] = not row["lacks"]
        row["why"] = "; ".join(row["lacks"])
    return rows


def lacks(question: Question, row: dict[str, Any]) -> list[str]:
    """Return in words why the protocol of a row does not meet the request; [] if it does."""
    if "rounds" not in row:
        return [row["why"]]
    found = []
    if question.epsilon is not None and not row["private"]:
        found.append("not private")
    if question.malicious and not row["robust"]:
        found.append(f"no guarantee against {question.malicious} lying agents")
    if row.get("regret") is None:
        found.append(f"no guarantee for asynchronous agents ({row['why']})")
    for quantity, limit in (("rounds", question.rounds_limit), ("bytes", question.bytes_limit)):
        if limit is not None and row[quantity] > limit:
            found.append(f"{row[quantity]:.6g} {quantity} are more than the {limit} allowed")
    return found


def _protocol(question: Question, claim: str, name: str) -> dict[str, Any]:
    rule = "best" if question.arms > 1 and name not in NOT_BEST else "sharpened"  # the smallest that there is
    try:
        found = {q: question.bound(rule, q, name, claim=claim) for q in QUANTITIES}
    except InputError as error:
        return {"protocol": name, "why": str(error)}
    return {q: found[q]["value"] for q in QUANTITIES} | {
        "protocol": name,
        "about": ABOUT[name],
        "claim": claim,
        "learning_rate": rule,
        "file": None if name in CONVEX else {"protocol": name},
        "pools": True,
        "private": False,
        "robust": False,
        "bytes": BYTES * found["numbers"]["value"],
        "vacuous": found["regret"]["vacuous"],
        **Recorded.of(found["regret"]).row,
        "counts_verdict": Recorded.of(found["numbers"]).row,
    }


def _private(question: Question, row: dict[str, Any]) -> dict[str, Any]:
    asked = {"epsilon": question.epsilon, "delta": question.delta}
    protocol = {"name": "noisy_statistics", **asked, "where": row["where"]}
    return _with_counts(question, protocol, row) | {
        "protocol": f"noisy_statistics ({row['where']})",
        "about": NOISE[row["where"]],
        "file": {"protocol": protocol, "privacy": asked},
        "pools": row["where"] != "agent",
        "private": True,
        "robust": False,
    }


def _robust(question: Question, row: dict[str, Any]) -> dict[str, Any]:
    if row["value"] is None:
        return {"protocol": f"robust_predictions ({row['aggregator']})", "why": row["why"]}
    liars, rule = question.malicious, row["aggregator"]
    protocol = {"name": "robust_predictions", "tolerates": liars}
    aggregator = {"name": rule, "cut": liars} if rule == "trimmed_mean" else {"name": rule}
    file = None
    if liars <= MOST_LISTED:
        attack = {"name": "sign_flip", "agents": list(range(liars)), "scale": 20}
        file = {"protocol": protocol, "link": {"aggregator": aggregator}, "attack": attack}
    return _with_counts(question, protocol, row, {"aggregator": aggregator}) | {
        "protocol": f"robust_predictions ({rule})",
        "about": "every agent sends its own estimate; predictions are aggregated one by one",
        "file": file,
        "pools": False,
        "private": False,
        "robust": True,
    }


def _with_counts(
    question: Question, protocol: dict[str, Any], row: dict[str, Any], link: dict[str, Any] | None = None
) -> dict[str, Any]:
    from fedigw.building import link_of
    from fedigw.interfaces import Setting
    from fedigw.parts import protocols as known
    from linear.federations import KIND
    from linear.model import Ridge

    made = known(KIND.protocols)[protocol["name"]](**{k: v for k, v in protocol.items() if k != "name"})
    model, through = Ridge(int(question.dimension or 1), clip=True), link_of(link or {}, question.agents)
    promised = made.guarantee(Setting(model, question.agents, link=through))
    calls = float(question.bound("sharpened", "calls")["value"])
    call = promised.cost(1)
    return {
        "claim": row["claim"],
        "learning_rate": "sharpened",
        "regret": row["value"],
        "calls": calls,
        "rounds": calls * call.rounds,
        "numbers": calls * call.numbers,
        "bytes": BYTES * calls * call.numbers,
        "vacuous": row["vacuous"],
        **{key: row[key] for key in FIELDS if key in row},
        "counts_verdict": dict(UNCHECKED.row),
    }


def _asynchronous(question: Question, row: dict[str, Any]) -> dict[str, Any]:
    from fedigw.applicable import applicable, declared_cost
    from verify.verbs.plan import files

    rated = row | {"learning_rate": "sharpened"}
    try:
        made = files.federation(question, rated)
    except InputError as error:
        return {"regret": None, "why": str(error)}
    found, sent = applicable(made), declared_cost(made)
    if sent is None or "sharpened" not in found.values:
        return {"regret": None, "why": "; ".join(found.missing) or "no bound applies"}
    numbers = float(sum(call.numbers for call in sent))
    return {
        "learning_rate": "sharpened",
        "regret": found.values["sharpened"],
        "rounds": float(sum(call.rounds for call in sent)),
        "numbers": numbers,
        "bytes": BYTES * numbers,
        "vacuous": found.vacuous("sharpened"),
        **of_applied(found, "sharpened").row,
    }


def cheapest(question: Question, rows: Iterable[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the row of the cheapest protocol that meets the request; those with a confirmed guarantee below the
    trivial bound come first. The cost is the regret guarantee plus the price of the numbers sent or, without a price,
    how many are sent."""
    return min((row for row in rows if row["allowed"]), key=partial(_cost, question), default=None)


def nearest(question: Question, rows: Iterable[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the row of the protocol that lacks the fewest requested properties; of several, one that is private or
    robust if this is requested, and of these the cheapest."""

    def unsafe(row: dict[str, Any]) -> bool:
        return bool((question.epsilon and not row["private"]) or (question.malicious and not row["robust"]))

    counted = [row for row in rows if "rounds" in row]
    return min(counted, key=lambda row: (len(row["lacks"]), unsafe(row), *_cost(question, row)), default=None)


def _cost(question: Question, row: dict[str, Any]) -> tuple[float, ...]:
    regret = math.inf if row["regret"] is None else float(row["regret"])
    price = row["numbers"] if question.price is None else regret + question.price * row["numbers"]
    return float(row["vacuous"]), float(row["verdict"] in ("undecided", "refuted")), float(price), regret


def private(question: Question) -> list[dict[str, Any]]:
    """Return a row with the regret bound for each place where noise can be added for privacy: by the server, by each
    agent or for each sample. Return [] if no privacy is requested."""
    if question.epsilon is None:
        return []
    if not question.linear:
        return [{"where": "-", "value": None, "why": "no private protocol is proved for a finite class"}]
    from bounds import app_gaussian_mechanism as mechanism
    from bounds import app_noisy_statistics as theorem
    from bounds import variants

    dimension, agents = int(question.dimension or 1), question.agents
    mu = mechanism.largest_mu(question.epsilon, question.delta)
    row, rows = variants.row("sharpened"), []
    for where in theorem.PLACES:

        def risk(n: int, where: str = where) -> float:
            sigma = theorem.deviation(mu, theorem.copies(where, agents, n))
            return theorem.excess_risk(dimension, n, sigma, theorem.usual_tau(sigma, dimension))

        bound = row.epoch_sum(agents, question.arms, float(row.in_corollary(question.arms)), risk)
        value, trivial = bound.value(question.horizon), bound.trivial(question.horizon)
        found = {"where": where, "value": value, "trivial": trivial, "vacuous": value >= trivial}
        found |= {"informative_from": bound.first_informative_horizon(), "claim": theorem.REGRET[0]}
        rows.append(found | dict(of_statement(*theorem.REGRET).row))
    return rows


def robust(question: Question) -> list[dict[str, Any]]:
    """Return a row for each robust aggregation rule, with the bound on the honest agents' regret; [] if nobody lies."""
    liars = question.malicious
    if not liars:
        return []
    if not question.linear:
        return [{"aggregator": "-", "value": None, "why": "no robust protocol is proved for a finite class"}]
    claim = next(label for label, theorem in theorems.theorems().items() if "f" in theorem.required)
    rows: list[dict[str, Any]] = []
    for median, name in enumerate(AGGREGATORS):
        try:
            found = question.bound("sharpened", claim=claim, f=liars, median=median)
        except InputError as error:
            rows.append({"aggregator": name, "value": None, "why": str(error)})
            continue
        keys = ("claim", "value", "trivial", "vacuous")
        rows.append({"aggregator": name, **{key: found[key] for key in keys}, **Recorded.of(found).row})
    return rows
