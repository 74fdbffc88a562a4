"""own:finite_error_sharp. The mean excess risk ln|F|/(kappa n) of lem:finite_error, kappa = 0.46368, is sharp:

    sup over classes, laws and n of  E excess . n/ln|F|  >=  1/kappa* = 2.15657,   kappa* = 0.463699

so no constant below 2.15657 is true, and 1/0.46368 = 2.15666 is: `best` is the best to 4e-5. Approached as |F| grows,
slowly: 1.16, 1.54, 1.83, 2.00, 2.09, 2.13, 2.15 at ln N = 7, 14, 30, 70, 200, 600, 2000, N = |F| - 1.

Seen: `reached` in rationals at two sizes, 1.16 and 1.53; the limit itself is `computed`, its argument is read.
The class and the limit argument stand above the code of bounds/own_finite_error_sharp.py and in docs/sharp_class.md.
A claim of our own.
"""

import math
from fractions import Fraction
from typing import Any

import numpy as np

from bounds import own_finite_error_sharp
from bounds.best.regret import KAPPA
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.pictures import Figures

EXACT = {1096: Fraction(116, 100), 1202604: Fraction(153, 100)}  # N = e^7, e^14 -> what the ratio is at least
LOGARITHMS = (7, 14, 30, 70, 200, 600, 2000)
ONE_PERCENT = Fraction(101, 100)

claim = Claim(
    title="The excess risk of a finite class is sharp",
    section="Finite class",
    tags=("excess-risk", "finite", "lower-bound"),
    depends=("lem:finite_error",),
    variants={
        "sharp": Variant(
            r"\sup \mathbb E[\mathrm{excess}]\, n/\ln|\mathcal F| \ge 1/\kappa^* = 2.15657",
            (
                "rewards in [0,1] with mean f* in F, values in [0,1]",
                "exact minimiser; ties to f*",
                "agents with different context laws, sparse contexts, |F| large",
            ),
            Verdict.FLOAT,
            tight=True,
        ),
        "reached": Variant(
            r"\mathbb E[\mathrm{excess}]\, n/\ln|\mathcal F| \ge 1.16,\ 1.53 \text{ at } |\mathcal F| = 1097,\ 1202605",
            ("the sparse class at these sizes, exact minimiser; ties to f*",),
            Verdict.EXACT,
        ),
    },
)


@claim.check("reached", control=dict(factor=ONE_PERCENT))
def exact(task: Task, factor: Fraction = Fraction(1)) -> Evidence:
    """Classes of 1,097 and 1,202,605 functions in rationals: E excess . n/ln|F| is at least factor times 1.16 and 1.53
    and below 1/kappa; ln is rounded against us."""
    rows: list[dict[str, Any]] = []
    for size, least in EXACT.items():
        found, mean = own_finite_error_sharp.best_ratio(math.log(size), float(own_finite_error_sharp.VALUE))
        steps = round(mean / float(own_finite_error_sharp.OWN))
        value = own_finite_error_sharp.exact_ratio(size, steps)
        logarithm = Fraction(math.nextafter(math.log(size + 1), math.inf))
        ratio = value / logarithm
        rows.append(
            {
                "N": size,
                "E": steps,
                "ratio": float(ratio),
                "poisson": found,
                "of_the_bound": float(ratio * KAPPA),
                "holds": bool(factor * least <= ratio <= 1 / KAPPA),
            }
        )
    shown = ", ".join(
        f"{row['ratio']:.4f} at N = {row['N']} ({row['of_the_bound']:.0%} of 1/kappa)" for row in rows
    )
    kind = Verdict.EXACT if all(row["holds"] for row in rows) else Verdict.REFUTED
    return Evidence(kind, f"E excess . n/ln|F|, at least: {shown}", {"rows": rows})


@claim.check("sharp", control=dict(factor=float(ONE_PERCENT)))
def limit(task: Task, factor: float = 1.0) -> Evidence:
    """Check E excess . n/ln|F| <= 1/(factor kappa) for the sharp class, in the Poisson limit."""
    star, value, exponent = own_finite_error_sharp.kappa_star()
    logarithms = (*LOGARITHMS, 10_000) if task.full else LOGARITHMS
    ratios = [own_finite_error_sharp.best_ratio(float(x), value)[0] for x in logarithms]
    bound = 1 / (factor * float(KAPPA))
    figures = dict(
        ln_N=list(logarithms), ratio=ratios, kappa_star=star, u=value, c=exponent, bound=1 / float(KAPPA)
    )
    shown = ", ".join(f"{r:.3f}" for r in ratios)
    if max(ratios) > bound:
        return Evidence(Verdict.REFUTED, f"ratio {max(ratios):.5f} > {bound:.5f}", figures)
    return Evidence(
        Verdict.FLOAT,
        f"ratios {shown} at ln N = {', '.join(map(str, logarithms))}; limit 1/kappa* = {1 / star:.5f}, kappa* ="
        f" {star:.6f} at u = {value:.4f}; 1/kappa = {1 / float(KAPPA):.5f}",
        figures,
    )


@claim.plot("Towards the best constant", "exact", "limit")
def curve(axes: Any, figures: Figures) -> None:
    """As the class grows the ratio rises to the red line, the constant of the bound, and passes the dashed one, a
    constant one hundredth smaller: no smaller constant holds for every class."""
    shown = figures["limit"]
    axes.plot(
        shown["ln_N"], shown["ratio"], "o-", color="#1864ab", label="E excess . n / ln|F| of the sparse class"
    )
    axes.axhline(
        1 / shown["kappa_star"], color="#b42318", label=f"limit 1/kappa* = {1 / shown['kappa_star']:.4f}"
    )
    one_off = shown["bound"] / float(ONE_PERCENT)
    axes.axhline(
        one_off, color="#888", linestyle="--", linewidth=1, label=f"1 % less, {one_off:.4f}: refuted"
    )
    reached = max(shown["ratio"]) * shown["kappa_star"]
    axes.set_title(f"A sparse class needs {reached:.1%} of the constant: no smaller one always holds")
    exact_rows = figures.get("exact", {}).get("rows", [])
    where = [float(np.log(row["N"])) for row in exact_rows]
    axes.plot(
        where, [row["ratio"] for row in exact_rows], "s", color="black", markersize=5, label="in rationals"
    )
    axes.set_xscale("log")
    axes.set_xlabel("ln N, N = |F| - 1")
    axes.set_ylabel("ratio")
