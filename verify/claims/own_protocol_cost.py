"""own:protocol_cost. What a call of a protocol sends is what the protocol declares.

printed     rounds, messages and numbers of a call, up and down, equal the declared cost; a protocol that stops when the
            gradient tells it to sends at most that; so does a whole run of FedIGW, summed over its calls
"""

from __future__ import annotations

from functools import partial

from verify.claim import Check, Claim, Plot, Variant
from verify.claims.own_any_protocol import measured, runs
from verify.verdict import Verdict

CLAIM = Claim(
    label="own:protocol_cost",
    title="Ledgers are the declared costs",
    section="FL protocols",
    statement=__doc__ or "",
    tags=("fl", "communication"),
    variants={
        "printed": Variant(
            r"\text{ledger of a call equals the declared cost}",
            ("the calls that were made",),
            Verdict.EXACT,
        )
    },
    checks=(
        Check(
            "ledger",
            "printed",
            measured.ledgers,
            partial(measured.ledgers, forgotten=1),
            "every protocol of every kind, on a grid of agents, dimensions, rounds and participants",
        ),
        Check(
            "runs",
            "printed",
            runs.totals,
            partial(runs.totals, forgotten=1),
            "whole runs of every protocol of every kind, over T, M and d",
        ),
    ),
    plots=(
        Plot(
            "linear",
            "Numbers sent: declared (lines), ledgers of runs (rings), linear",
            ("runs",),
            runs.linear,
            "Every ring, a count in the ledger of a run, lies on the line of what its protocol declares. The"
            " direct method sends least, accelerated gradient descent most; rings inside one another are protocols"
            " that send equally many.",
        ),
        Plot(
            "finite",
            "Numbers sent: declared (lines), ledgers of runs (rings), finite class",
            ("runs",),
            runs.finite,
            "Rings, counts in the ledgers of runs, lie on the line of what the exact minimiser declares: it sends"
            " a loss for every function, so the numbers grow with the class.",
        ),
        Plot(
            "personalised",
            "Numbers sent: declared (lines), ledgers (rings), personalised",
            ("runs",),
            runs.personal,
            "As before with a shared and a personal block: only the shared block travels. Every ring lies on its"
            " line.",
        ),
    ),
)
