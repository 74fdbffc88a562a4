"""own:adaptive. FedIGW whose learning rates are computed from the data, with a bound on the regret of the very run.

    version space   f* stays within ln((|F|-1)/delta)/2 of the least cumulative loss at all times, w.p. >= 1 - delta
    rates           gamma(x) = g sqrt(K/U(x)), U(x) = max over it of sum_a p(a|x) (fhat - f)^2(x,a), never smaller
    observed        with probability at least 1 - delta the regret of this run is at most
                    min( sum over its steps of min(1, C(g) K/gamma(x)),  max over the last version space of its regret )

Derivation above the code of bounds/own_adaptive.py: Hoeffding's lemma at exponent 2, Ville's inequality, and the
pathwise theorem of Coq, which holds for every context, every estimate and every nondecreasing rate. Per context,
so no context law is needed to choose rates; without one the bound takes the largest context in place of the mean.

Linear rewards: ellipsoids of every epoch in place of the version space (bounds/own_adaptive_linear.py); the bound holds
whatever the rates are.

A claim of our own. The paper's rates are fixed in advance and its bound is an expectation.
"""

from verify.claim import Claim, Variant, Verdict
from verify.papers.fedigw.claims.own_adaptive import exact, linear, pictures, runs

HYPOTHESES = (
    "rewards in [0,1] with mean f*(x,a) given the past, f* in F, F finite with values in [0,1]",
    "inverse gap weighting; the exact losses of all agents are summed",
    "the law of contexts is known",
    "remark: without it the bound takes the largest context in place of the mean; Coq does not state that",
)
NARROW = 0.9  # of the threshold, or of the bound: too small, and seen to be


claim = Claim(
    title="Learning rates from the data, and a bound on this very run",
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
                "ridge regression on each epoch's data by the direct method, lambda = 1/n",
                "remark: rests on a cited tail of quadratic forms (Hsu, Kakade, Zhang 2012)",
            ),
            Verdict.MEASURED,
        ),
    },
)

claim.check("version_space", control=dict(share=NARROW), name="leaving")(runs.version_space)
claim.check("observed", control=dict(shrink=NARROW, shrunk=2), name="runs", statistical=True)(runs.failures)
claim.check("observed", control=dict(delta=1e-4), name="histories")(exact.failing)
claim.check("observed", control=dict(wrong=True), name="law", statistical=True)(exact.against_simulation)
claim.check("observed", control=dict(shrink=NARROW), name="rates")(runs.three_rates)
claim.check("linear", control=dict(shrink=NARROW, shrunk=2), name="linear", statistical=True)(linear.failures)
claim.plot("Three learning rates: regret (points) and bound (ticks)", "rates")(pictures.rates)
