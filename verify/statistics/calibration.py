"""Measure how often the statistical checks of a campaign err, by simulating campaigns on claims whose truth is known.

False alarms: in every claim the mean equals its bound, the hardest true case. A campaign gives a false alarm if it
refutes one of its claims, or finds a mean strictly below its bound. Power: the same claims with a bound 10 % below the
mean; each must be refuted.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from verify.statistics.confidence import binomial_lower, binomial_upper
from verify.statistics.level import FAMILY_LEVEL
from verify.statistics.measurement import mean_against
from verify.statistics.sequential import decide
from verify.verdict import Verdict

CONFIDENCE = 0.99  # of the binomial bound on the rate of false alarms, and of all those on the power together
SHORT, LONG = 1024, 2**17  # budgets: for many campaigns; for a gap of 10 %
FIXED = 2**16  # the most that a fixed sample takes
BEYOND = 0.9
POWER = 0.99
Rng = np.random.Generator
Draw = Callable[[Rng, int], np.ndarray]

# Name -> (mean, draws in [0,1]). Symmetric, skewed, nearly constant, rare.
LAWS: dict[str, tuple[float, Draw]] = {
    "fair coin": (0.5, lambda rng, n: rng.integers(0, 2, n).astype(float)),
    "coin 0.1": (0.1, lambda rng, n: (rng.random(n) < 0.1).astype(float)),
    "uniform": (0.5, lambda rng, n: rng.random(n)),
    "beta(2,5)": (2 / 7, lambda rng, n: rng.beta(2, 5, n)),
    "arcsine": (0.5, lambda rng, n: rng.beta(0.5, 0.5, n)),
    "nearly constant": (0.3, lambda rng, n: 0.3 + 0.01 * (2 * rng.integers(0, 2, n) - 1)),
    "rare large": (0.109, lambda rng, n: np.where(rng.random(n) < 0.01, 1.0, 0.1)),
    "triangular": (1 / 3, lambda rng, n: rng.triangular(0, 0, 1, n)),
}
PROBABILITIES = (0.5, 0.2, 0.05)


@dataclass(frozen=True)
class SyntheticClaim:
    """A claim about a known mean. judge(rng, scale, level, budget) draws at most `budget` values and returns the
    verdict on "the mean is at most scale times the known one". most: the largest budget that it uses."""

    name: str
    judge: Callable[[Rng, float, float, int], Verdict]
    most: int = LONG


def synthetic_claims() -> list[SyntheticClaim]:
    """Return claims of the kinds that a campaign tests: means with sequential sampling, means of a fixed sample, and
    tail probabilities. Growth exponents are left out because their intervals have no guaranteed level."""
    sequential, fixed = [], []
    for name, law in LAWS.items():
        sequential.append(SyntheticClaim(f"{name}, sequential", partial(_sequential, *law)))
        fixed.append(SyntheticClaim(f"{name}, fixed sample", partial(_fixed, *law), FIXED))
    tails = [SyntheticClaim(f"tail {p}", partial(_tail, p)) for p in PROBABILITIES]
    return [*sequential, *fixed, *tails]


def _sequential(mean: float, law: Draw, rng: Rng, scale: float, level: float, budget: int) -> Verdict:
    return decide(lambda n: law(rng, n), scale * mean, level, budget).verdict


def _fixed(mean: float, law: Draw, rng: Rng, scale: float, level: float, budget: int) -> Verdict:
    return mean_against(law(rng, min(budget, FIXED)), scale * mean, level)


def _tail(probability: float, rng: Rng, scale: float, level: float, budget: int) -> Verdict:
    count, limit = int(rng.binomial(budget, probability)), scale * probability
    high, low = binomial_upper(count, budget, level / 2), binomial_lower(count, budget, level / 2)
    return Verdict.MEASURED if high < limit else Verdict.UNDECIDED.unless(low > limit)


def false_alarms(campaigns: int, seed: int, tick: Callable[[int, int], None]) -> dict[str, Any]:
    """Simulate campaigns of true claims at the error level FAMILY_LEVEL. A campaign that decides about a claim,
    although each mean equals its bound, gives a false alarm. Return the share of false alarms and an upper confidence
    bound on their probability. tick(done, total) is called after each campaign."""
    claims = synthetic_claims()
    wrong, alarms = dict.fromkeys((c.name for c in claims), 0), 0
    for index, stream in enumerate(np.random.SeedSequence(seed).spawn(campaigns)):
        rng = np.random.default_rng(stream)
        decided = [c for c in claims if c.judge(rng, 1.0, FAMILY_LEVEL / len(claims), SHORT).decided]
        for claim in decided:
            wrong[claim.name] += 1
        alarms += bool(decided)
        tick(index + 1, campaigns)
    upper = binomial_upper(alarms, campaigns, 1 - CONFIDENCE)
    return {
        "campaigns": campaigns,
        "claims": len(claims),
        "level": FAMILY_LEVEL,
        "alarms": alarms,
        "rate": alarms / campaigns,
        "upper": upper,
        "confidence": CONFIDENCE,
        "by_claim": {name: count for name, count in wrong.items() if count},
        "shown": upper <= FAMILY_LEVEL,
    }


def power(repetitions: int, seed: int, tick: Callable[[int, int], None]) -> dict[str, Any]:
    """Return how often each false claim, with a bound 10 % below the truth, is refuted, and a lower confidence bound on
    this probability. All these bounds hold together with probability CONFIDENCE. tick(done, total) is called after each
    claim."""
    claims = synthetic_claims()
    rows: list[dict[str, Any]] = []
    streams = np.random.SeedSequence(seed, spawn_key=(1,)).spawn(len(claims))
    for index, (claim, stream) in enumerate(zip(claims, streams, strict=True)):
        rng = np.random.default_rng(stream)
        level = FAMILY_LEVEL / len(claims)
        refuted = sum(claim.judge(rng, BEYOND, level, LONG) is Verdict.REFUTED for _ in range(repetitions))
        lower = binomial_lower(refuted, repetitions, (1 - CONFIDENCE) / len(claims))
        row = {"claim": claim.name, "refuted": refuted, "of": repetitions, "lower": lower}
        rows.append(row | {"budget": min(LONG, claim.most)})
        tick(index + 1, len(claims))
    least = min(rows, key=lambda row: row["lower"])
    return {
        "beyond": 1 - BEYOND,
        "budget": LONG,
        "wanted": POWER,
        "rows": rows,
        "least": least["lower"],
        "confidence": CONFIDENCE,
        "shown": least["lower"] > POWER,
    }
