"""What is still guaranteed when the run must be private, or when some agents lie: linear rewards only."""

from __future__ import annotations

from typing import Any

from bounds.errors import InputError
from verify.verbs.plan.question import Question


def private(question: Question) -> list[dict[str, Any]]:
    """The bound with noisy statistics, by who adds the noise; empty where privacy is not asked for."""
    if question.epsilon is None:
        return []
    if not question.linear:
        return [{"where": "-", "value": None, "why": "no private protocol is proved for a finite class"}]
    from bounds import app_gaussian_mechanism as mechanism
    from bounds import app_noisy_statistics as theorem
    from bounds import variants
    from verify.recorded import of_statement

    dimension, agents = int(question.dimension or 1), question.agents
    mu = mechanism.largest_mu(question.epsilon, question.delta)
    row, rows = variants.row("sharpened"), []
    for where in theorem.PLACES:

        def risk(n: int, where: str = where) -> float:
            sigma = theorem.deviation(mu, theorem.copies(where, agents, n))
            return theorem.excess_risk(dimension, n, sigma, theorem.usual_tau(sigma, dimension))

        bound = row.epoch_sum(agents, question.arms, float(row.in_corollary(question.arms)), risk)
        value, trivial = bound.value(question.horizon), bound.trivial(question.horizon)
        known = of_statement("app:noisy_statistics", "regret")
        rows.append(
            {
                "where": where,
                "value": value,
                "trivial": trivial,
                "vacuous": value >= trivial,
                "informative_from": bound.first_informative_horizon(),
                "verdict": str(known.verdict),
            }
        )
    return rows


def robust(question: Question) -> list[dict[str, Any]]:
    """The bound on the honest agents' regret, by aggregator; empty where nobody lies."""
    if not question.malicious:
        return []
    if 2 * question.malicious >= question.agents:
        why = f"{question.malicious} of {question.agents} agents lie: from one half on no rule has any guarantee"
        return [{"aggregator": "any", "value": None, "why": why}]
    if not question.linear:
        return [{"aggregator": "-", "value": None, "why": "no robust protocol is proved for a finite class"}]
    rows = []
    for name, median in (("trimmed_mean", 0), ("median", 1)):
        try:
            found = question.bound(
                "sharpened", claim="app:robust_predictions", f=question.malicious, median=median
            )
        except InputError as error:
            rows.append({"aggregator": name, "value": None, "why": str(error)})
            continue
        keys = ("value", "trivial", "vacuous", "verdict")
        rows.append({"aggregator": name, **{key: found[key] for key in keys}})
    return rows
