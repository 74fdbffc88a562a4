"""own:comparison. The other systems of the paper's tables send no more, and lose no more, than their papers prove.

All are measured in the same simulated environments with M = 10 agents and K = 5 arms in d = 5 dimensions, and their
messages are counted in the same way. Three things are checked:

    communication   every system sends at most what its formula says, in every run
    growth          regret grows at most like sqrt T, up to one logarithm, where its paper proves O~(sqrt T)
    worst_case      the largest regret over gaps grows like sqrt T, up to one logarithm either way, for the same systems

The papers print orders only; the formulas with constants are derived at the top of each file of systems/. The
environments are fixed and not the worst ones, so an exponent may lie well below 1/2 and only the upper bound is
checked. The exponent is fitted at horizons T at which a system tells arms apart: T = 2^8 to 2^12 for LinUCB (2^9 to
2^13 for FN-UCB), 2^10 to 2^14 for elimination (2^12 to 2^16 for DisBE-LUCB), and 2^16 to 2^24 for FedIGW, which plays
almost uniformly before.

The papers' theorems are about the worst environment for each horizon. worst_case searches for it: there are two arms
with means 1/2 +- gap/2, and at every horizon the gap is chosen at which a system loses most (M = 10, K = d = 2).
"""

from itertools import product
from typing import Any

from fedigw_extensions.rivals.claims.own_comparison import runs, worst
from verify.claim import Claim, Variant, Verdict
from verify.pictures import LETTER, Figures, in_words, logarithmic

SETTING = ("linear rewards in [0,1], norm(phi) <= 1, norm(omega*) <= 1", "M agents that act in step")


claim = Claim(
    title="The systems of the paper's tables, like for like",
    section="Linear class",
    tags=("communication", "linear", "regret"),
    depends=("tab:linear",),
    variants={
        "communication": Variant(
            r"\text{numbers} \le \text{the formula of the system}(M, K, d, T)", SETTING, Verdict.FLOAT
        ),
        "growth": Variant(r"\mathrm{Reg}(T) = \tilde O(\sqrt{T})", SETTING, Verdict.MEASURED),
        "worst_case": Variant(
            r"\max_{\Delta} \mathrm{Reg}_\Delta(T) = \tilde\Theta(\sqrt{T})",
            (*SETTING, "two arms with means 1/2 +- gap/2, gaps from 1 to 2^-8"),
            Verdict.MEASURED,
        ),
    },
)


OWN = {
    "fedigw, direct": ("#1864ab", "FedIGW, guaranteed rate"),
    "fedigw, direct, adaptive rates": ("#0b7285", "FedIGW, adaptive rate"),
    "fedigw, direct, adaptive rates, all data": ("#1a7f37", "FedIGW, adaptive rate, all data"),
    "fedigw, agd": ("#b42318", "FedIGW by AGD"),
}


@claim.plot("Regret against communication: the paper's systems on one world", "numbers")
def plane(axes: Any, figures: Figures) -> None:
    """Draw each system by its regret and the numbers it sent, at the same horizon. Down and to the left is better.
    FedIGW is in colour, with learning rates gamma fixed before the run and with adaptive ones."""
    shown = next(iter(figures.values()))
    horizon = max(row["T"] for row in shown["rows"] if row["world"] == "fixed")
    rows = [row for row in shown["rows"] if row["world"] == "fixed" and row["T"] == horizon]
    lost = {row["system"]: row["mean"] / (shown["M"] * horizon) for row in rows}
    rows.sort(key=lambda row: float(row["mean"]))
    look = [OWN.get(row["system"], ("0.3", in_words(row["system"]))) for row in rows]
    for row, (colour, _) in zip(rows, look, strict=True):
        axes.plot([row["numbers"]], [lost[row["system"]]], "o", color=colour, markersize=7)
    logarithmic(axes, "numbers sent, up and down", f"regret / (M T), T = {horizon}")
    axes.margins(x=0.12, y=0.15)
    _names(axes, [(row["numbers"], lost[row["system"]], *one) for row, one in zip(rows, look, strict=True)])
    rivals = [mean for system, mean in lost.items() if system not in OWN]
    (guaranteed, _, best, _) = (sum(mean < lost[name] for mean in rivals) for name in OWN)
    said = f"Of {len(rivals)} rivals {guaranteed} lose less than FedIGW at its guaranteed rate"
    axes.set_title(f"{said}, {best} less than at the adaptive rate on all data")


def _names(axes: Any, dots: list[tuple[float, float, str, str]]) -> None:
    """Write the names of dots (x, y, colour, name) next to them, at the side where least is in the way."""
    at = [axes.transData.transform(dot[:2]) * 72 / axes.figure.dpi for dot in dots]
    taken = [(x - 4, y - 4, x + 4, y + 4) for x, y in at]
    middle = sum(x for x, _ in at) / len(at)
    for (x, y), (*dot, colour, name) in zip(at, dots, strict=True):
        width, inwards = LETTER * 9 * len(name), x > middle
        places = []
        for left, up in product((inwards, not inwards), (5, -13)):
            start = x - 6 - width if left else x + 6
            box = (start, y + up, start + width, y + up + 9)
            hidden = sum(box[0] < c and a < box[2] and box[1] < d and b < box[3] for a, b, c, d in taken)
            places.append((hidden, left, up, box))
        _, left, up, box = min(places, key=lambda place: place[0])
        taken.append(box)
        where = {"xytext": (-6 if left else 6, up), "ha": "right" if left else "left"}
        axes.annotate(name, dot, textcoords="offset points", fontsize=9, color=colour, **where)


claim.check("communication", control=dict(share=0.9, names=("disbe_lucb",)))(runs.numbers)
claim.check("growth", control=dict(stated=0.1, names=("fedigw, direct",)), statistical=True)(runs.growth)
claim.check("worst_case", control=dict(names=("fedres_sgd",), gap=0.5), name="worst", statistical=True)(
    worst.growth
)
