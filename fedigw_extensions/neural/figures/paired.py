"""Compare two methods on the same seeds: the difference of their mean rewards, its interval, and the verdict on a
sentence of the paper.

Runs with the same seed start from the same weights and see the same contexts until their first FL call. The interval
is exact if the differences are symmetric about their centre; they need not be normal. Ten seeds suffice here.
"""

# By Hartigan's theorem the centre lies below the k-th smallest of the means of all 2^n - 1 non-empty subsets of n
# differences with probability k/2^n. With n seeds no level below 2/2^n can be reached, and then the interval is the
# whole line.

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fedigw_extensions.neural.figures.methods import METHODS
from fedigw_extensions.neural.figures.record import runs_of
from verify.verdict import Verdict

LEVEL = 0.05  # probability, at most, that any of the intervals of the family misses its centre
POWER = 0.8
MOST = 20  # seeds: the interval looks at all subsets of them


@dataclass(frozen=True)
class Comparison:
    """The question whether the mean reward of method `one` is above `factor` times that of method `other`.

    figure: which mean reward, `average` over all steps or `last` over the last tenth. tuned: whether both use
    parameters chosen on other seeds.
    """

    dataset: str
    reading: str
    one: str
    other: str
    factor: float = 1.0
    figure: str = "average"
    tuned: bool = False

    @property
    def name(self) -> str:
        """Return the name of the difference, such as "FedAvg - 1.5 x FN-UCB stand-in"."""
        factor = "" if self.factor == 1 else f"{self.factor:g} x "
        return f"{METHODS[self.one].short} - {factor}{METHODS[self.other].short}"


@dataclass(frozen=True)
class Sentence:
    """A sentence of the paper and the comparisons that test it. part: the part of the sentence that they test, if not
    all. untested: why they cannot decide it; empty if they can."""

    text: str
    comparisons: tuple[Comparison, ...]
    part: str = ""
    untested: str = ""


def _everywhere(
    ones: Sequence[str], others: Sequence[str], readings: Sequence[str], **more: Any
) -> tuple[Comparison, ...]:
    places = itertools.product(("bibtex", "delicious"), readings, ones, others)
    return tuple(Comparison(*place, **more) for place in places)


BOTH, FEDAVG = ("per_run", "per_call"), ("fedavg",)
SINGLE = (
    "FedIGW (with M = 10 participating agents and the basic FedAvg) can outperform the two single-agent baselines on "
    "both tasks"
)
TWICE = 1.5  # "about twice" is taken to mean: at least one and a half times
SENTENCES = {
    "fl_choices": Sentence(
        "using the more developed SCAFFOLD and FedProx provides improved performance (i.e., collects more rewards) "
        "compared with the basic FedAvg",
        _everywhere(("scaffold", "fedprox"), FEDAVG, BOTH),
    ),
    "fn_ucb": Sentence(
        "after convergence, FedIGW (even with the basic FedAvg) significantly outperforms FN-UCB with about twice the "
        "rewards collected by each agent on average",
        _everywhere(FEDAVG, ("fn_ucb",), ("per_run",), factor=TWICE, figure="last"),
        untested="what runs here is a stand-in for FN-UCB",
    ),
    "igw": Sentence(
        "under the FL protocol (i.e., FedAvg), FedIGW exhibits much stronger performance than greedy and softmax",
        _everywhere(FEDAVG, ("greedy", "softmax"), BOTH),
    ),
    "falcon": Sentence(
        SINGLE,
        _everywhere(FEDAVG, ("falcon",), BOTH),
        ", FALCON",
    ),
    "agr": Sentence(
        SINGLE,
        _everywhere(FEDAVG, ("agr",), ("per_call",)),
        ", AGR",
    ),
}
FAMILY = sum(len(sentence.comparisons) for sentence in SENTENCES.values())


@dataclass(frozen=True)
class Difference:
    """The differences of two methods' mean rewards, one for each seed that both have: the reward of `one` minus
    `factor` times that of `other`. level: the error level of the interval."""

    comparison: Comparison
    values: tuple[float, ...]
    level: float = LEVEL / FAMILY

    @property
    def mean(self) -> float:
        return math.fsum(self.values) / len(self.values) if self.values else math.nan

    @cached_property
    def interval(self) -> tuple[float, float]:
        return interval(self.values, self.level)

    @property
    def verdict(self) -> Verdict:
        """Return MEASURED if the interval is above 0, REFUTED if it is below 0, else UNDECIDED."""
        low, high = self.interval
        return Verdict.MEASURED if low > 0 else Verdict.REFUTED if high < 0 else Verdict.UNDECIDED

    @property
    def visible(self) -> float:
        """Return the smallest true difference that would be decided with probability POWER, if differences are normal
        with the measured deviation; nan if there are too few seeds for this error level.

        With the fewest seeds a decision needs all differences on one side of 0; with more, its power is about that of
        Student's test.
        """
        from scipy.special import ndtri, stdtrit

        n = len(self.values)
        rank = _rank(n, self.level)
        if rank < 1:
            return math.nan
        one_side = float(ndtri(POWER ** (1 / n)))
        student = float(stdtrit(n - 1, 1 - self.level / 2) + stdtrit(n - 1, POWER)) / math.sqrt(n)
        return (one_side if rank == 1 else student) * float(np.std(self.values, ddof=1))

    def json(self) -> dict[str, Any]:
        low, high = self.interval
        ends = {"mean": self.mean, "low": low, "high": high, "visible": self.visible}
        return {
            **asdict(self.comparison),
            "name": self.comparison.name,
            "seeds": len(self.values),
            **{key: round(value, 6) if math.isfinite(value) else None for key, value in ends.items()},
            **self.verdict.fields,
        }


def compare(record: Mapping[str, Any], asked: Comparison, level: float = LEVEL / FAMILY) -> Difference:
    """Return the paired differences that answer the comparison `asked`. record: the recorded runs."""
    one, other = (
        {
            run["seed"]: float(run[asked.figure])
            for run in runs_of(record, asked.dataset, asked.reading, method, asked.tuned)
        }
        for method in (asked.one, asked.other)
    )
    seeds = sorted(set(one) & set(other))[:MOST]
    return Difference(asked, tuple(one[seed] - asked.factor * other[seed] for seed in seeds), level)


def interval(values: Sequence[float], level: float) -> tuple[float, float]:
    """Return the exact interval for the centre of symmetry of the values. Its ends are the k-th smallest and largest
    mean of a non-empty subset of the n values, k = floor(2^n level/2); it is the whole line if k is 0."""
    rank = _rank(len(values), level)
    if rank < 1:
        return -math.inf, math.inf
    sums, counts = np.zeros(1), np.zeros(1)
    for value in values:
        sums, counts = np.concatenate([sums, sums + value]), np.concatenate([counts, counts + 1])
    means = sums[1:] / counts[1:]
    return float(np.partition(means, rank - 1)[rank - 1]), float(-np.partition(-means, rank - 1)[rank - 1])


def _rank(seeds: int, level: float) -> int:
    return math.floor(level / 2 * 2**seeds)


HOLDS, OPEN, UNTESTED = "holds here", "not decided", "not tested"


def judge(record: Mapping[str, Any], name: str, stand_in: bool = False) -> tuple[str, list[Difference]]:
    """Return the verdict of the recorded runs on a sentence of the paper, in words, and the differences it rests on.

    "holds here": every interval lies on the sentence's side. "contradicted in k of n settings": in k of them an
    interval lies on the other side. "not tested": no run of a method exists, or only one of a stand-in. stand_in:
    whether a stand-in counts as the method."""
    sentence = SENTENCES[name]
    found = [compare(record, asked) for asked in sentence.comparisons]
    if (sentence.untested and not stand_in) or not any(difference.values for difference in found):
        return UNTESTED, found
    settings: dict[tuple[str, str], set[Verdict]] = {}
    for difference in found:
        asked = difference.comparison
        settings.setdefault((asked.dataset, asked.reading), set()).add(difference.verdict)
    against = sum(Verdict.REFUTED in verdicts for verdicts in settings.values())
    if against:
        return f"contradicted in {against} of {len(settings)} settings", found
    return (HOLDS if set.union(*settings.values()) == {Verdict.MEASURED} else OPEN), found


def reshuffled(record: Mapping[str, Any], name: str, seed: int) -> dict[str, Any]:
    """Return the recorded runs with the labels of a sentence's methods permuted at random within each seed, data set
    and setting. If the methods were equally good, this would not change the law of the results."""
    rng = np.random.default_rng(seed)
    methods = sorted({end for asked in SENTENCES[name].comparisons for end in (asked.one, asked.other)})
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for run in record["runs"]:
        if run["method"] in methods and "value" not in run:
            groups.setdefault((run["dataset"], run["reading"], run["seed"]), []).append(run)
    runs = []
    for rows in groups.values():
        labels = rng.permutation([row["method"] for row in rows])
        runs += [row | {"method": str(label)} for row, label in zip(rows, labels, strict=True)]
    return {**record, "runs": runs}
