"""col:convex_raw: e = (2/mu_f)(2R + eps_opt + lam norm(w*)^2) satisfies H3 and H5 of thm:global_regret."""

import sympy as sp

from bounds.proofs.chains.lem_error_decompose import CHAINS as DECOMPOSITION
from bounds.proofs.chains.lem_error_decompose import gen, lam, mu, norm, opt, right, risk
from bounds.proofs.engine.model import Chain, Decision, Hypothesis, Step, reals
from bounds.proofs.engine.rules import Smt

complexity, complexity_later, opt_later, lam_later, rate, rate_later, K = reals(
    "R R_later eps_opt_later lam_later gamma gamma_later K"
)

DECOMPOSED = Hypothesis(
    "lem:error_decompose",
    "excess risk <= (2/mu_f)(eps_opt + eps_gen + lam norm(w*)^2)",
    sp.Le(risk, right),
    kind="lemma",
    source="lem:error_decompose/repaired",
)
SYMMETRISED = Hypothesis(
    "lem:rademacher",
    "eps_gen <= 2R: symmetrisation, the output lies in a class of finite complexity",
    sp.Le(gen, 2 * complexity),
    kind="cited",
)
LATER = Hypothesis(
    "later errors",
    "R, eps_opt and lam do not increase from call to call, and stay positive in sum; K >= 1",
    sp.And(
        sp.Le(complexity_later, complexity),
        sp.Le(opt_later, opt),
        sp.Le(lam_later, lam),
        2 * complexity_later + opt_later + lam_later * norm > 0,
        K >= 1,
    ),
)
e = 2 / mu * (2 * complexity + opt + lam * norm)
e_later = 2 / mu * (2 * complexity_later + opt_later + lam_later * norm)
RATES = Hypothesis(
    "H4",
    "gamma^2 e = K in both epochs, gamma > 0",
    sp.And(sp.Eq(rate**2 * e, K), sp.Eq(rate_later**2 * e_later, K), rate > 0, rate_later > 0),
)

CHAINS = (
    Chain(
        name="col:convex_raw",
        title="H3 and H5 with e = (2/mu_f)(2R + eps_opt + lam norm(w*)^2)",
        file=__file__,
        hypotheses=(*DECOMPOSITION[0].hypotheses, DECOMPOSED, SYMMETRISED, LATER, RATES),
        indexed=DECOMPOSITION[0].indexed,
        totals=DECOMPOSITION[0].totals,
        steps=(
            Step(
                "excess risk",
                sp.Le(risk, e),
                ("lem:error_decompose", "lem:rademacher", "strong convexity", "errors"),
                "2/mu_f is positive: H3 holds with this e",
                Smt(),
            ),
            Step(
                "half the complexity",
                sp.Le(risk, 2 / mu * (complexity + opt + lam * norm)),
                ("lem:error_decompose", "lem:rademacher", "strong convexity", "errors"),
                "the factor 2 of symmetrisation is needed",
                Smt(),
                expect=Decision.REFUTED,
            ),
            Step(
                "e does not increase",
                sp.Le(e_later, e),
                ("later errors", "strong convexity", "errors"),
                "each of its terms does not",
                Smt(),
            ),
            Step(
                "rates do not decrease",
                sp.Le(rate, rate_later),
                ("e does not increase", "H4", "later errors", "strong convexity", "errors"),
                "gamma^2 = K/e: H5",
                Smt(),
            ),
        ),
        concludes=("excess risk", "rates do not decrease"),
    ),
)
