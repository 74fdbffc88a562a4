"""own:asynchronous. thm:global_regret is about agents with clocks of their own, and there it is measured.

    bound       Reg(T) is below every bound of thm:global_regret that applies, with c of the realised lengths, and below
                own:relaxed_rates where the learning rates fall
    half        agents that act at every second global time run, to T, exactly what agents that always act run to T/2

Agents differ in clocks (periods and offsets, Poisson arrivals, bursts, late joiners, stragglers that leave, listed
times), in arms (K_m from 2 to 10) and in context laws; the horizon T <= 10^6 is global and cuts each agent inside an
epoch. A measurement of a theorem: it may fail, and says by which factor it does not.
"""

from __future__ import annotations

from typing import Any

from verify.claim import Claim, Variant
from verify.papers.fedigw.claims.own_asynchronous import runs
from verify.pictures import Figures, colours, logarithmic
from verify.verdict import Verdict

claim = Claim(
    label="own:asynchronous",
    title="Regret of asynchronous federations",
    section="General theorem",
    tags=("general", "regret", "clocks"),
    depends=("thm:global_regret", "own:relaxed_rates"),
    variants={
        "bound": Variant(
            r"\mathrm{Reg}(T) \le \text{every bound of the theorem that applies}",
            ("H1-H4 of thm:global_regret; H5, or rates that fall by less than a factor 4c a step",),
            Verdict.MEASURED,
        ),
        "half": Variant(
            r"\text{period } 2 \text{ up to } T = \text{period } 1 \text{ up to } T/2",
            ("epoch ends are even global times",),
            Verdict.EXACT,
            tight=True,
        ),
    },
)

claim.check("bound", control=runs.false_regret, statistical=True)(runs.regret)
claim.check("half", control=dict(period=1))(runs.half)


@claim.plot("Bound over measured regret, by clocks and c", "regret")
def factors(axes: Any, figures: Figures) -> None:
    """Every dot is a federation whose agents differ in clocks, arms and laws. All lie above 1: no bound is exceeded.
    Hollow dots needed the relaxed form, because their learning rates fall."""
    rows = [row for row in figures["regret"]["series"] if not row["vacuous"]]
    mixes = [row["name"].split(", ")[1] for row in rows]
    colour = colours({}, mixes)
    for row, mix in zip(rows, mixes, strict=True):
        face = "none" if row["relaxed"] else colour[mix]
        axes.scatter([row["c"]], [row["factor"]], s=22, facecolors=face, edgecolors=colour[mix])
    for mix, shade in colour.items():
        axes.scatter([], [], s=22, color=shade, label=mix)
    axes.axhline(1.0, color="0.4", linewidth=0.8)
    logarithmic(axes, "c of the realised lengths", "bound / measured regret")
    axes.legend(title="hollow: learning rates fall", fontsize="small")
