"""Draw docs/constants.svg: how the constant in front of the regret bound depends on the factor g of the learning rate.
python -m verify.pages.constants docs/constants.svg"""

import sys
from pathlib import Path

import numpy as np

from bounds.best.barrier import evaluate, saved_barriers
from bounds.best.constant import best
from bounds.lem_epoch_regret_bound import paper, sharpened
from verify.pictures import BOUND_COLOUR, complete, finish, picture

FACTORS = np.linspace(0.35, 1.6, 120)


def curves() -> dict[str, tuple[float, float]]:
    """Return name -> (a, b) for each curve a/g + b g, the constant of the regret bound as a function of g. The curves
    hold for any number of arms, unless the name says otherwise, and for agents that act at the same steps."""
    still = float(sharpened(1, 1, 0))
    found = {"sharpened": (still, float(sharpened(1, 1, 1)) - still)}
    rows = {"best": best(None), "best, doubling epochs": best(None, doubling=True), "best, two arms": best(2)}
    return found | {name: (float(row.arms), float(row.risk)) for name, row in rows.items()}


def draw(path: Path) -> None:
    """Draw the constant of the regret bound against g. There is a curve with its minimum for each variant, a point for
    the paper's constant, and one for a lower bound on the constant, which an instance proves."""
    import matplotlib

    with matplotlib.rc_context({"svg.hashsalt": "fedigw", "svg.fonttype": "path", "font.size": 10}):
        figure, (axes,) = picture()
        axes.plot([1], [float(paper(1))], "o", color=BOUND_COLOUR["printed"], label="printed, at g = 1")
        styles = {"best, doubling epochs": "--", "best, two arms": ":"}
        for name, (a, b) in curves().items():
            colour = BOUND_COLOUR[name.partition(",")[0]]
            axes.plot(FACTORS, a / FACTORS + b * FACTORS, styles.get(name, "-"), color=colour, label=name)
            least = (a / b) ** 0.5
            axes.plot([least], [2 * (a * b) ** 0.5], "o", color=colour, markersize=4)
        barrier = saved_barriers()["any schedule"]
        needed = float(evaluate(barrier, 10**6).over_g)
        axes.plot([float(barrier.multiplier)], [needed], "kv", label=f"an instance needs {needed:.2f} here")
        axes.set(xlabel="factor g of the learning rate, γ = g √(K/e)", ylabel="constant C/g", ylim=(0, 12))
        title = "The constant of the regret: 11 in the paper, at most 3.81 at the best learning rate"
        finish(axes, title)
        complete(figure).savefig(path, format="svg", metadata={"Date": None})


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
