"""own:adaptive. If learning rates are computed from the data, every single run has a bound on its own regret.

F is a finite class of functions that contains the true one, f*; p(a|x) is the probability of arm a of K in context x,
fhat the model in use, and g a constant:

    version_space   the version space VS consists of the functions whose cumulative loss is within ln((|F|-1)/delta)/2
                    of the least one; with probability at least 1 - delta it contains f* at all times
    observed        gamma(x) = g sqrt(K/U(x)), U(x) = max over f in VS of sum_a p(a|x) (fhat - f)^2(x,a), and
                    gamma(x) never decreases; with probability at least 1 - delta the regret of the run is at most
                    min( sum over its steps of min(1, C(g) K/gamma(x)),  max over f in VS of its regret under f ),
                    where C(g) is the constant of thm:global_regret
    linear          the same for linear rewards, with a confidence ellipsoid for each epoch in place of the version
                    space (bounds/own_adaptive_linear.py); this bound holds for any learning rates

The derivation, in bounds/own_adaptive.py, uses Hoeffding's lemma at exponent 2, Ville's inequality, and the theorem in
Coq for one epoch given the data. Rates are chosen for each context, so their choice does not need the distribution of
contexts. The bound is a mean over contexts if their distribution is known, else a maximum. With the setting data =
"cumulative", estimates use the data of all epochs so far, and an ellipsoid those of several epochs. One common error of
the estimate then bounds the regret of all steps (proofs/JointBound.v). This bound covers finitely many contexts,
contexts drawn one by one, and partly shared parameters. The paper's rates are fixed in advance.
"""

from typing import Any

from verify.claim import Claim, Variant, Verdict
from verify.papers.fedigw.claims.own_adaptive import exact, linear, runs
from verify.pictures import Figures, rows_of

HYPOTHESES = (
    "rewards in [0,1] with mean f*(x,a) given the past, f* in F, F finite with values in [0,1]",
    "inverse gap weighting; the exact losses of all agents are summed",
    "the law of contexts is known",
    "remark: without it the bound takes the largest context in place of the mean; Coq does not state that",
)
NARROW = 0.9  # the share of the threshold, or of the bound, that the controls take


claim = Claim(
    title="Learning rates from the data, and a bound on each run",
    section="Finite class",
    tags=("regret", "finite", "high-probability"),
    depends=("lem:epoch_regret_bound",),
    variants={
        "version_space": Variant(
            r"P\bigl(\exists n: L_n(f^*) - \min_f L_n(f) \ge \tfrac12\ln\tfrac{|\mathcal F|-1}{\delta}\bigr)"
            r" \le \delta",
            HYPOTHESES[:1],
            Verdict.FLOAT,
        ),
        "observed": Variant(
            r"P\Bigl(\mathrm{Reg} \le \min\bigl(\textstyle\sum_t \min(1, C(g)K/\gamma(x_t)),"
            r" \max_{f\in VS}\mathrm{Reg}_f\bigr)\Bigr) \ge 1-\delta",
            HYPOTHESES,
            Verdict.COQ,
        ),
        "linear": Variant(
            r"P\Bigl(\mathrm{Reg} \le \sum_t \min_l \max_a [(\phi_a-\bar\phi)^\top w_l"
            r" + b_l\|\phi_a-\bar\phi\|_{A_l^{-1}}]\Bigr) \ge 1-\delta",
            (
                "rewards in [0,1] with mean phi'omega*, norm(phi) <= 1, norm(omega*) <= 1, independent within an epoch",
                "ridge regression on each epoch's data by the direct method, lambda = 1/n; or on all data so far",
                "remark: rests on cited tails (Hsu, Kakade, Zhang 2012; on all data Laurent, Massart 2000)",
            ),
            Verdict.MEASURED,
        ),
    },
)


COLOUR = {"guarantee": "#0b7285", "practical": "#e8590c", "adaptive": "#862e9c"}
LABEL = {
    "guarantee": "smallest guarantee",
    "practical": "g = 8",
    "adaptive": "adaptive (delta = 0.001)",
}


@claim.plot("Three learning rates: regret (points) and bound (ticks)", "rates")
def rates(axes: Any, figures: Figures) -> None:
    """The picture has one line for each kind of simulated environment, with a dot for each number of arms (2 or 5) and
    agents (1 or 10) and a tick for its bound. Every dot lies to the left of its tick. The learning rate with the
    smallest bound is not the one with the smallest regret; the adaptive rate has the smallest regret in most
    environments."""
    rows = list(figures["rates"]["rows"])
    families = sorted({row["instance"].split(",")[0] for row in rows}, key=lambda name: _typical(rows, name))
    for place, (rate, colour) in enumerate(COLOUR.items()):
        for row in rows:
            y = families.index(row["instance"].split(",")[0]) + 0.26 * (place - 1)
            regret, bound = (row[rate][key] / row["trivial"] for key in ("regret", "bound"))
            axes.plot([regret], [y], "o", color=colour, markersize=5, alpha=0.8)
            axes.plot([bound], [y], "|", color=colour, markersize=8)
        axes.scatter([], [], color=colour, label=LABEL[rate])
    axes.axvline(1.0, color="black", linewidth=1)
    for edge in range(1, len(families)):
        axes.axhline(edge - 0.5, color="0.9", linewidth=0.8)
    axes.set_xscale("log")
    rows_of(axes, families)
    axes.figure.set_size_inches(9.6, 1.3 + 0.5 * len(families))
    dots = f"dots: regret, ticks: bound, over M T; T = {rows[0]['T']}, M = 1 and 10, K = 2 and 5"
    axes.set_xlabel(f"{dots}; black: known without learning")
    first = sum(row["adaptive"]["regret"] <= min(row[name]["regret"] for name in COLOUR) for row in rows)
    axes.set_title(f"The adaptive rate loses least in {first} of {len(rows)} worlds")


def _typical(rows: list[dict[str, Any]], family: str) -> float:
    mine = [
        row["adaptive"]["regret"] / row["trivial"] for row in rows if row["instance"].startswith(family + ",")
    ]
    return sum(mine) / len(mine)


claim.check("version_space", control=dict(share=NARROW), name="leaving")(runs.version_space)
claim.check("observed", control=dict(shrink=NARROW, shrunk=2), name="runs", statistical=True)(runs.failures)
claim.check("observed", control=dict(delta=1e-4), name="histories")(exact.failing)
claim.check("observed", control=dict(wrong=True), name="law", statistical=True)(exact.against_simulation)
claim.check("observed", control=dict(shrink=NARROW), name="rates")(runs.three_rates)
claim.check("linear", control=dict(shrink=NARROW, shrunk=2), name="linear", statistical=True)(linear.failures)
