"""fig:exp_single. Figure 3: FedIGW with ten agents and FedAvg outperforms the single agents FALCON and AGR.

falcon: FALCON is the same design without communication. agr: adaptive greedy with a logistic regression per arm. Each
is a set of paired differences over seeds, as in fig:exp_main. look_alike: the same program on generated data.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from verify.claim import Check, Claim, Plot, Variant
from verify.experiments.figures.curves import draw_differences
from verify.experiments.figures.sentences import by_record, on_look_alike
from verify.pictures import Figures
from verify.verdict import Verdict

SETTING = ("the settings and seeds of the record", "Student's intervals of paired differences")


LONGER = 1023  # an agent alone learns later


def draw_all(axes: Any, figures: Figures) -> None:
    draw_differences(axes, [row for found in figures.values() for row in found["rows"]])


CAPTION = "Paired differences with their intervals: to the right of 0 the sentence holds."

CLAIM = Claim(
    label="fig:exp_single",
    title="FedIGW and single agents",
    section="Experiments",
    statement=__doc__ or "",
    tags=("experiments",),
    variants={
        "falcon": Variant(r"\text{mean reward: FedIGW above FALCON}", SETTING, Verdict.INCONCLUSIVE),
        "agr": Variant(r"\text{mean reward: FedIGW above AGR}", SETTING, Verdict.INCONCLUSIVE),
        "look_alike": Variant(
            r"\text{last reward: every method above 1.5 times uniform play}",
            ("generated data of the shape of Bibtex, two seeds: nothing about real data",),
            Verdict.COMPUTED,
        ),
    },
    checks=(
        *(
            Check(
                name,
                name,
                partial(by_record, name=name),
                partial(by_record, name=name, shift=-1.0),
                "paired differences over the record's seeds; control: -1 on every reward of FedIGW",
            )
            for name in ("falcon", "agr")
        ),
        Check(
            "look-alike",
            "look_alike",
            partial(on_look_alike, methods=("falcon", "agr"), horizon=LONGER),
            partial(on_look_alike, methods=("falcon",), step_size=1e-9, horizon=LONGER),
            "both methods on generated data; control: a step size with which nothing is learned",
        ),
    ),
    plots=(
        Plot(
            "differences",
            "Figure 3, sentence by sentence",
            ("falcon", "agr"),
            draw_all,
            caption="Paired differences with their intervals: to the right of 0 the sentence holds.",
        ),
    ),
)
