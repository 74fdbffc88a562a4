"""What is new in a campaign on this paper, a line of mathematics each, and what to know of it.

Every number is computed from the bounds that `bound` evaluates, and shown only if the campaign proved its statement.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from bounds import lem_epoch_regret_bound
from bounds.best.constant import best
from bounds.theorems import col_finite
from verify.verdict import Verdict

PROOFS = (Verdict.KERNEL, Verdict.PROVED)
AGENTS, ARMS, FUNCTIONS = 10, 2, 10  # of the example horizon


@dataclass(frozen=True)
class Result:
    """label and variant: what it is of. formula: LaTeX. words: what it means, in a sentence."""

    label: str
    variant: str
    verdict: str
    title: str
    formula: str
    words: str


def main_results(document: dict[str, Any]) -> list[Result]:
    """What is new in one line of mathematics each; only what this campaign proved."""
    return [
        result
        for result in (
            _constants(document),
            _horizons(document),
            _printed_form(
                document,
                "col:finite",
                "The regret for a finite class, with its constant",
                "The paper gives the order. Here every constant is explicit, the first epoch is kept, and the"
                " logarithm of the number of samples is gone.",
            ),
            _printed_form(
                document,
                "col:linear",
                "The regret for linear rewards",
                "The same for ridge regression in d dimensions, with delta the relative error that the solver may"
                " leave (0 for an exact one).",
            ),
        )
        if result is not None
    ]


def _proved(document: dict[str, Any], label: str, *variants: str) -> dict[str, Any] | None:
    """The last of the variants, if all of them are proved in this campaign."""
    claim = next((c for c in document["claims"] if c["label"] == label), None)
    found = {v["variant"]: v for v in claim["variants"]} if claim else {}
    proved = [found.get(name) for name in variants]
    if any(v is None or v.get("vacuous") or Verdict(v["verdict"]) not in PROOFS for v in proved):
        return None
    return proved[-1]


def _constants(document: dict[str, Any]) -> Result | None:
    label = "thm:global_regret"
    variant = _proved(document, label, "repaired", "sharpened", "best")
    if variant is None:
        return None
    # agents in step (c = 1) and the supremum over the number of arms (q = 1)
    paper = int(lem_epoch_regret_bound.paper(1))
    sharpened = _up(float(lem_epoch_regret_bound.sharpened_over_g(1, 1)))
    smallest = _up(best(None).over_g)
    return Result(
        label,
        "best",
        variant["verdict"],
        "The constant of the theorem",
        rf"{paper}\,c^2 \longrightarrow {sharpened:.2f} \longrightarrow {smallest:.2f}",
        f"An epoch costs at most so many times the sum of square roots in the theorem: {paper} by the paper's proof,"
        f" {sharpened:.2f} by a short one, {smallest:.2f} by the best here (agents in step, c = 1, any number of arms;"
        " each at a learning rate of its own).",
    )


def _horizons(document: dict[str, Any]) -> Result | None:
    label = "col:finite"
    variant = _proved(document, label, "repaired", "sharpened", "best")
    if variant is None:
        return None
    first = {
        name: col_finite.epoch_sum(name, AGENTS, ARMS, FUNCTIONS).first_informative_horizon()
        for name in ("printed", "repaired", "sharpened", "best")
    }
    if None in first.values():
        return None
    shown = [rf"\text{{{value:,}}}" for value in first.values()]
    return Result(
        label,
        "best",
        variant["verdict"],
        "The horizon from which the bound says anything",
        r"T \ge " + r" \longrightarrow ".join(shown),
        f"Up to that many steps the bound is not below what is known without learning. {AGENTS} agents, {ARMS} arms,"
        f" {FUNCTIONS} functions: as the paper's proof gives it, repaired, sharpened, and the best here.",
    )


def _printed_form(document: dict[str, Any], label: str, title: str, words: str) -> Result | None:
    variant = _proved(document, label, "best")
    return Result(label, "best", variant["verdict"], title, variant["formula"], words) if variant else None


def _up(value: float) -> float:
    """Two decimals, never below: a bound must not be rounded down."""
    return math.ceil(round(value * 100, 9)) / 100


MODEL = (
    "What kernel models: finite sets of contexts of any size, reward laws with finite support, and an FL routine whose"
    " own randomness has finite support. The sizes appear in no constant; the paper allows general ones."
)
RATES = (
    "Constants at different learning rates: 11 is for the paper's (g = 1), 4.40 (sharpened) and 3.81 (best) are each"
    " for a smaller one of its own, which explores more. At the paper's rate the sharpened proof gives 14/3"
    " in place of 11. So a smaller bound does not say that the run with it has the smaller regret."
)
NOTES = (MODEL, RATES)
