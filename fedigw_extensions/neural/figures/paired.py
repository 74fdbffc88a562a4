"""Compare two methods on the same seeds: the difference of their mean rewards, its interval, and the verdict on a
sentence.

Runs with the same seed see the same contexts and start from the same weights. The interval is Student's for the mean of
the paired differences; its level is that of the whole family divided by the number of comparisons (Bonferroni). It is
exact for normal differences and approximate otherwise. The sign-flip test is exact if differences are symmetric about
0.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from fedigw_extensions.neural.figures.record import runs_of
from verify.verdict import Verdict

LEVEL = 0.05  # probability, at most, that any of the intervals of the family misses its mean


@dataclass(frozen=True)
class Comparison:
    """The question whether the mean reward of `one` is above `factor` times that of `other`."""

    dataset: str
    reading: str
    one: str
    other: str
    factor: float = 1.0


@dataclass(frozen=True)
class Sentence:
    """A sentence of the paper that can be true or false, and the comparisons that decide it here."""

    name: str
    text: str
    comparisons: tuple[Comparison, ...]


def _everywhere(
    ones: Sequence[str], others: Sequence[str], readings: Sequence[str], factor: float = 1.0
) -> tuple[Comparison, ...]:
    places = itertools.product(("bibtex", "delicious"), readings, ones, others)
    return tuple(Comparison(*place, factor) for place in places)


BOTH, FEDAVG = ("per_call", "per_run"), ("fedigw_fedavg",)
TWICE = 1.5  # "about twice" is taken to mean: at least one and a half times
SENTENCES = {
    sentence.name: sentence
    for sentence in (
        Sentence(
            "fl_choices",
            "the more developed SCAFFOLD and FedProx collect more rewards than the basic FedAvg",
            _everywhere(("fedigw_scaffold", "fedigw_fedprox"), FEDAVG, BOTH),
        ),
        Sentence(
            "fn_ucb",
            "FedIGW, even with FedAvg, outperforms FN-UCB with about twice the rewards",
            _everywhere(FEDAVG, ("fn_ucb",), ("per_call",), TWICE),
        ),
        Sentence(
            "igw",
            "with the same FedAvg, FedIGW is much stronger than greedy and softmax",
            _everywhere(FEDAVG, ("greedy", "softmax"), BOTH),
        ),
        Sentence(
            "falcon",
            "FedIGW with ten agents outperforms FALCON, a single agent of the same design",
            _everywhere(FEDAVG, ("falcon",), BOTH),
        ),
        Sentence(
            "agr",
            "FedIGW with ten agents outperforms the single agent AGR",
            _everywhere(FEDAVG, ("agr",), ("per_call",)),
        ),
    )
}
FAMILY = sum(len(sentence.comparisons) for sentence in SENTENCES.values())


@dataclass(frozen=True)
class Difference:
    """The mean of one - factor * other over the seeds that both have, with a confidence interval that allows for the
    number of comparisons.

    sign_flip: the two-sided p-value of the sign-flip test. verdict: above 0, below 0, or not decided.
    """

    comparison: Comparison
    seeds: int
    mean: float
    low: float
    high: float
    sign_flip: float
    verdict: Verdict

    def json(self) -> dict[str, Any]:
        ends = {"mean": self.mean, "low": self.low, "high": self.high}
        return {
            **asdict(self.comparison),
            "seeds": self.seeds,
            **{key: round(value, 6) if math.isfinite(value) else None for key, value in ends.items()},
            "sign_flip": round(self.sign_flip, 6),
            **self.verdict.fields,
        }


def compare(record: Mapping[str, Any], asked: Comparison, exchanged: Sequence[str] = ()) -> Difference:
    """Return the paired difference of the comparison `asked`. exchanged: two methods whose labels are exchanged first,
    as the negative controls do."""
    labels = dict(zip(exchanged, reversed(exchanged), strict=True))
    one, other = (
        {run["seed"]: float(run["average"]) for run in runs_of(record, asked.dataset, asked.reading, method)}
        for method in (labels.get(name, name) for name in (asked.one, asked.other))
    )
    seeds = sorted(set(one) & set(other))
    values = np.array([one[seed] - asked.factor * other[seed] for seed in seeds])
    mean, low, high = student(values, LEVEL / FAMILY)
    undecided = Verdict.REFUTED if high < 0 else Verdict.UNDECIDED
    verdict = Verdict.MEASURED if low > 0 else undecided
    return Difference(asked, len(seeds), mean, low, high, sign_flip(values), verdict)


def student(values: np.ndarray, level: float) -> tuple[float, float, float]:
    """Return the mean and its two-sided Student interval, which is infinite with fewer than two values."""
    from scipy.special import stdtrit

    if len(values) < 2:
        return (float(values.mean()) if len(values) else math.nan), -math.inf, math.inf
    error = float(values.std(ddof=1)) / math.sqrt(len(values))
    reach = float(stdtrit(len(values) - 1, 1 - level / 2)) * error
    return float(values.mean()), float(values.mean()) - reach, float(values.mean()) + reach


def sign_flip(values: np.ndarray) -> float:
    """Return the two-sided p-value of the sign-flip test: the share of the 2^n ways to choose the signs of the values
    for which their mean is at least as far from 0."""
    if not len(values):
        return 1.0
    signs = np.array(list(itertools.product((1, -1), repeat=len(values))))
    return float(np.mean(np.abs(signs @ values) >= abs(values.sum()) - 1e-12))


def judge(
    record: Mapping[str, Any], name: str, exchanged: Sequence[str] = ()
) -> tuple[Verdict, list[Difference]]:
    """Judge a sentence: refuted if one of its differences has the opposite sign, measured if all have its sign, else
    undecided."""
    found = [compare(record, asked, exchanged) for asked in SENTENCES[name].comparisons]
    verdicts = {difference.verdict for difference in found}
    if Verdict.REFUTED in verdicts:
        return Verdict.REFUTED, found
    return (Verdict.MEASURED if verdicts == {Verdict.MEASURED} else Verdict.UNDECIDED), found
