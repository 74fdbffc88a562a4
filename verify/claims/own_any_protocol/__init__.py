"""own:any_protocol. FedIGW with any FL protocol that comes near the minimiser keeps the regret of the exact minimiser.

printed     the regret of FedIGW with the protocol is below the bound of the exact minimiser

What the paper says in words. A measurement and no theorem: a fixed number of rounds has no proved excess risk. With a
tolerance, SCAFFOLD and FedAvg have one (col:convex), and the bound that `simulate` prints is then their own.
"""

from __future__ import annotations

from verify.claim import Check, Claim, Plot, Variant
from verify.claims.own_any_protocol import measured, pictures
from verify.verdict import Verdict

CLAIM = Claim(
    label="own:any_protocol",
    title="Any FL protocol plugs in",
    section="FL protocols",
    statement=__doc__ or "",
    tags=("fl", "regret"),
    depends=("thm:global_regret",),
    variants={
        "printed": Variant(
            r"\mathrm{Reg}(T) \le \text{bound of the exact minimiser}",
            ("ridge regression with lambda = 1/n, the world and the horizons that were measured",),
            Verdict.SUPPORTED,
        )
    },
    checks=(
        Check(
            "regret",
            "printed",
            measured.regret,
            measured.false_regret,
            "regret of FedIGW with each protocol, message by message",
            statistical=True,
        ),
    ),
    plots=(
        Plot(
            "regret",
            "Regret against numbers sent",
            ("regret",),
            pictures.regret_against_numbers,
            "One curve per protocol, one point per horizon: further left is cheaper, further down is better. The"
            " direct method is the cheapest for the same regret; the local methods send about ten times as much.",
        ),
    ),
)
