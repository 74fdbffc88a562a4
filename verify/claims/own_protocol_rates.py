"""own:protocol_rates. The protocols of this project, message by message, stay below the rates that are proved for them.

printed     F(w_r) - F* <= rate(r) after every round r: FedAvg and LSGD-PFL (app:local_gradients), SCAFFOLD of both
            options (app:scaffold_gradients), FedProx (app:fedprox), on problems of different agents

The theorems are claims of their own, checked on an independent simulator; this one holds the programs to them.
"""

from __future__ import annotations

from functools import partial

from verify.claim import Check, Claim, Plot, Variant
from verify.claims.own_any_protocol import measured, pictures
from verify.verdict import Verdict

CLAIM = Claim(
    label="own:protocol_rates",
    title="Gaps below their rates",
    section="FL protocols",
    statement=__doc__ or "",
    tags=("fl",),
    depends=("app:local_gradients", "app:scaffold_gradients", "app:fedprox"),
    variants={
        "printed": Variant(
            r"F(w_r)-F^* \le \text{rate}(r)",
            ("full local gradients or exact solves, all agents, the conditions of each theorem",),
            Verdict.COMPUTED,
        )
    },
    checks=(
        Check(
            "gap",
            "printed",
            measured.gaps,
            partial(measured.gaps, shrunk=True),
            "the gap after every round beside the proved rate",
        ),
    ),
    plots=(
        Plot(
            "gap",
            "Gap against rounds, with the rates of the theorems",
            ("gap",),
            pictures.gap_against_rounds,
            "Every solid curve stays below the dashed one of its colour: the program does what its theorem"
            " promises, and the distance between them is what the theorem gives away. FedOpt has no proved rate"
            " here.",
        ),
    ),
)
