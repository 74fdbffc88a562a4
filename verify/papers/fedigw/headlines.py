"""Choose the main results about this paper from a campaign (a run of all checks), each as one line of mathematics,
with notes on how to read them.

Every number is computed from the bounds that the command `bound` evaluates. A result appears only if the campaign
proved its statement.
"""

import math
from typing import Any

from bounds import lem_epoch_regret_bound
from bounds.best.constant import best
from bounds.theorems import col_finite
from verify.claim import MainResult

AGENTS, ARMS, FUNCTIONS = 10, 2, 10  # of the example horizon
PROVED = ("repaired", "sharpened", "best")
FINITE = "The paper gives the order. Here every constant is explicit, the first epoch is included, and the logarithm of"
FINITE += " the number of samples is gone."
LINEAR = "The same for ridge regression in d dimensions, with delta the relative error that the solver may leave (0 for"
LINEAR += " an exact one)."


def main_results(document: dict[str, Any]) -> list[MainResult]:
    """Return the main results about the paper that a campaign proved. document: the content of the campaign's
    results.json."""
    # agents in step (c = 1) and the supremum over the number of arms (q = 1)
    paper = int(lem_epoch_regret_bound.paper(1))
    sharpened = _up(float(lem_epoch_regret_bound.sharpened_over_g(1, 1)))
    smallest = _up(best(None).over_g)
    horizons = [
        col_finite.epoch_sum(name, AGENTS, ARMS, FUNCTIONS).first_informative_horizon()
        for name in ("printed", *PROVED)
    ]
    arrow = r" \longrightarrow "
    candidates = (
        (
            "thm:global_regret",
            PROVED,
            "The constant of the theorem",
            rf"{paper}\,c^2{arrow}{sharpened:.2f}{arrow}{smallest:.2f}",
            f"An epoch costs at most so many times the sum of square roots in the theorem: {paper} by the paper's"
            f" proof, {sharpened:.2f} by a short one, {smallest:.2f} by the best here (agents in step, c = 1, any"
            " number of arms; each at a learning rate of its own).",
        ),
        (
            "col:finite",
            PROVED,
            "The horizon from which the bound says anything",
            r"T \ge " + arrow.join(rf"\text{{{value:,}}}" for value in horizons),
            f"Before that many steps the bound is not below what is known without learning. {AGENTS} agents, {ARMS}"
            f" arms, {FUNCTIONS} functions: as the paper's proof gives it, repaired, sharpened, and the best here.",
        ),
        ("col:finite", ("best",), "The regret for a finite class, with its constant", "", FINITE),
        ("col:linear", ("best",), "The regret for linear rewards", "", LINEAR),
    )
    return [
        MainResult(label, "best", found, title, formula or found["formula"], words)
        for label, needed, title, formula, words in candidates
        if (found := _proved(document, label, *needed))
    ]


def _proved(document: dict[str, Any], label: str, *variants: str) -> dict[str, Any] | None:
    claim = next((c for c in document["claims"] if c["label"] == label), None)
    found = {v["variant"]: v for v in claim["variants"]} if claim else {}
    proved = [found.get(name) for name in variants]
    if any(v is None or v.get("vacuous") or v["verdict"] != "proved" for v in proved):
        return None
    return proved[-1]


def _up(value: float) -> float:
    return math.ceil(round(value * 100, 9)) / 100


MODEL = (
    "What the Coq theorems model: finite sets of contexts of any size, reward laws with finite support, and an FL"
    " routine whose own randomness has finite support. The sizes appear in no constant; the paper allows general ones."
)
RATES = (
    "Constants at different learning rates: 11 is for the paper's (g = 1), 4.40 (sharpened) and 3.81 (best) are each"
    " for a smaller one of its own, which explores more. At the paper's rate the sharpened proof gives 14/3"
    " in place of 11. So a smaller bound does not say that the run with it has the smaller regret."
)
NOTES = (MODEL, RATES)
PICTURE = ("col:finite", "regret")  # on the first screen of the report: the claim, and which of its pictures
