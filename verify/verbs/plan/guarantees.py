"""What is guaranteed and what it costs: by variant, by protocol, for a private run and with lying agents."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bounds import theorems
from bounds.errors import InputError
from verify.recorded import Recorded, of_statement
from verify.verbs.plan.question import Question

VARIANTS = ("printed", "repaired", "sharpened", "best")
BYTES = 8  # of a number
LINEAR = ("direct", "cg", "agd", "agd_convex", "chebyshev")
CONVEX = ("fedavg", "scaffold")  # by their proved schedules
QUANTITIES = ("regret", "calls", "rounds", "numbers")
ABOUT = {
    "exact_minimiser": "every agent sends the loss of every function",
    "direct": "every agent sends its Gram matrix once a call: exact",
    "cg": "conjugate gradients: exact in d rounds",
    "agd": "accelerated gradients to a tolerance of 0.1",
    "agd_convex": "accelerated gradients, sqrt(n) rounds",
    "chebyshev": "Chebyshev's iteration to a tolerance of 0.1",
    **dict.fromkeys(CONVEX, "by the proved schedule, tolerance 0.5; in practice far fewer rounds do"),
}


def guarantees(question: Question) -> list[dict[str, Any]]:
    """Return one row a variant, exactly as `bound` has it; none for one arm, whose regret is 0."""
    rows: list[dict[str, Any]] = []
    for variant in VARIANTS if question.arms > 1 else ():
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
    """Return the smallest bound that a proof stands behind and that says something; None where there is none."""
    good = [
        r for r in rows if r["verdict"] == "proved" and not r.get("vacuous", True) and not r.get("order_only")
    ]
    return min(good, key=lambda row: float(row["value"]), default=None)


def break_even(question: Question) -> int | None:
    """Return the number of agents from which each is better off than alone: guarantee per agent and price of its
    messages below the guarantee of one agent that talks to nobody. None: not up to a million agents."""
    exact, price = "direct" if question.linear else "exact_minimiser", question.price or 0.0

    def guaranteed(agents: int) -> float:
        """The smallest proved bound, whether it says something or not."""
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

    alone, high = guaranteed(1), 2
    while not pays(high):
        high *= 2
        if high > 1_000_000:
            return None
    low = high // 2  # does not pay, or is 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if pays(middle) else (middle, high)
    return high


def protocols(question: Question) -> list[dict[str, Any]]:
    """Return one row a protocol; where it cannot be evaluated, why."""
    if not question.linear:
        return [_protocol(question, question.claim, "exact_minimiser")]
    from bounds.theorems import col_convex

    rows = [_protocol(question, question.claim, name) for name in LINEAR]
    return rows + [_protocol(question, col_convex.THEOREM.label, name) for name in CONVEX]


def _protocol(question: Question, claim: str, name: str) -> dict[str, Any]:
    variant = "best" if question.arms > 1 else "sharpened"  # the smallest that there is
    try:
        found = {q: question.bound(variant, q, name, claim=claim) for q in QUANTITIES}
    except InputError as error:
        return {"protocol": name, "allowed": False, "why": str(error)}
    row: dict[str, Any] = {q: found[q]["value"] for q in QUANTITIES}
    limit = question.rounds_limit
    allowed = limit is None or row["rounds"] <= limit
    return row | {
        "protocol": name,
        "about": ABOUT[name],
        "claim": claim,
        "bytes": BYTES * row["numbers"],
        "vacuous": found["regret"]["vacuous"],
        **Recorded.of(found["regret"]).row,
        "counts_verdict": Recorded.of(found["numbers"]).row,
        "allowed": allowed,
        "why": "" if allowed else f"{row['rounds']:.6g} rounds are more than the {limit} allowed",
    }


def cheapest(question: Question, rows: Iterable[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the allowed protocol with the smallest guarantee plus price of its numbers; without a price, fewest
    numbers."""
    price = question.price

    def cost(row: dict[str, Any]) -> float:
        return float(row["numbers"] if price is None else row["regret"] + price * row["numbers"])

    return min((row for row in rows if row["allowed"]), key=cost, default=None)


def private(question: Question) -> list[dict[str, Any]]:
    """Return the bound with noisy statistics, by who adds the noise; nothing where privacy is not asked for."""
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
    """Return the bound on the honest agents' regret, by aggregator; nothing where nobody lies."""
    liars = question.malicious
    if not liars:
        return []
    if 2 * liars >= question.agents:
        why = f"{liars} of {question.agents} agents lie: from one half on no rule has any guarantee"
        return [{"aggregator": "any", "value": None, "why": why}]
    if not question.linear:
        return [{"aggregator": "-", "value": None, "why": "no robust protocol is proved for a finite class"}]
    claim = next(label for label, theorem in theorems.theorems().items() if "f" in theorem.required)
    rows: list[dict[str, Any]] = []
    for name, median in (("trimmed_mean", 0), ("median", 1)):
        try:
            found = question.bound("sharpened", claim=claim, f=liars, median=median)
        except InputError as error:
            rows.append({"aggregator": name, "value": None, "why": str(error)})
            continue
        keys = ("claim", "value", "trivial", "vacuous")
        rows.append({"aggregator": name, **{key: found[key] for key in keys}, **Recorded.of(found).row})
    return rows
