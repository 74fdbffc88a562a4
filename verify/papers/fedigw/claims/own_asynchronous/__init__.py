"""own:asynchronous. The regret bounds of thm:global_regret hold for agents that act at different times.

    bound       the measured regret Reg(T) is below every bound of thm:global_regret that applies, and below
                own:relaxed_rates if the learning rates fall; c, the constant for unequal epochs, is computed from
                the actual epoch lengths
    half        agents that act at every second global time have, up to T, exactly the models and regret that agents
                which always act have up to T/2

Agents differ in their clocks (periods and offsets, Poisson arrivals, bursts, agents that join late or leave, listed
times), in their number of arms (2 to 10) and in the distribution of contexts. The horizon T <= 10^6 is global and
cuts the last epoch.
"""

from typing import Any

from verify.claim import Claim, Variant, Verdict
from verify.papers.fedigw.claims.own_asynchronous import runs
from verify.pictures import BOUND_COLOUR, Figures, measured_and_bound, rows_of, stays_below

claim = Claim(
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
    """The picture has one line for each federation whose agents differ in clocks, arms and distributions of contexts.
    The measured regret (a dot) lies to the left of its bound (a tick of the same colour). Orange lines have decreasing
    learning rates, and the bound for such rates."""
    rows = [row for row in figures["regret"]["series"] if not row["vacuous"]]
    for place, row in enumerate(rows):
        colour = "#e8590c" if row["relaxed"] else BOUND_COLOUR.get(row["variant"], "#1864ab")
        measured_and_bound(axes, place, row, colour)
    rows_of(
        axes,
        [", ".join([*row["name"].split(", ")[:2], f"{row['variant']}, c = {row['c']:.2g}"]) for row in rows],
    )
    axes.set_title(
        stays_below("With clocks of their own regret", [(r["mean"], r["bound"]) for r in rows], "the bound")
    )
