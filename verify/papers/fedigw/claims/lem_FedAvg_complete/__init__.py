"""lem:FedAvg_complete. How far FedAvg is above the minimum of the loss after R rounds of K local steps.

Local steps have size eta, the server's step is eta_g. F = (1/M) sum_m f_m is the mean of the losses of M agents, with
largest curvature beta, smallest curvature mu and minimiser x*; gap is F above its minimum and d = norm(x - x*)^2, d_0
at the start:

    printed    O~(sigma_b^2/(mu R K M) + beta G_b^2/(mu R)^2 + mu d_0 exp(-mu R/(16 beta))), R >= 8 beta/mu, if
               (1/M) sum_m norm(grad f_m)^2 <= G_b^2 at every point and sigma_b^2 bounds the noise of gradients. No
               strongly convex problem on R^d satisfies that, so the lemma says nothing (erratum E15). The factor
               1/M also needs a server step of order sqrt M, and the output is a weighted average.
    repaired   Theorem G (bounds/local_steps.py): sample losses are convex with curvature at most beta. At x*,
               sigma^2 is the variance of a sample's gradient, tau^2 the variance after averaging over agents, zeta^2
               the agents' mean squared norm of gradients. With h = K eta eta_g, u = h beta and q = 1 - mu h/2:

        E d_R <= (1 - mu h)^R d_0 + (c1 h + c2 h^2)/mu                             the last point
        E gap <= (mu/2) d_0 q^R/(1-q^R) + c1 h + c2 h^2                            the average with weights q^-(r+1)
        c1 = (2 tau^2 + (3/2)(1-1/K) u sigma^2/eta_g^2)/K,   c2 = (1-1/K) beta zeta^2/eta_g^2

    gradients  full local gradients: u + u^2 <= 1, c1 = 0, c2 = (2/3)(1-1/K) beta zeta^2/eta_g^2
    choice_of_step  h and R that reach a given tolerance. In the paper's form: R >= 3.7 beta/mu rounds with
               h = min(3/(8 beta), 2 Lb/(mu R)), Lb = ln max(2, mu^2 d_0 R/(2 c1)), c1 at u = 3/8, have
               E gap <= mu d_0 e^{-3 mu R/(16 beta)} + (2 c1/(mu R))(1 + Lb) + 4 c2 Lb^2/(mu R)^2

Proof. Convexity and smoothness of each sample leave a term norm(g(y) - g(x*))^2/(2 beta), g the gradient, which bounds
the drift of the local points and the noise (proofs/LocalSteps.v); proofs/LocalConvergence.v averages over the agents.

How much the constants lose in one round: the worst of all convex smooth losses of two agents, found by semidefinite
programs (tests/bounds/test_pep.py), attains 0.28 to 0.62 of c1 h^2 + c2 h^3 if both agents have weight 1/2, 0.79 if one
has nearly all the weight. For SCAFFOLD it attains 0.47 to 0.56, and 0.74.
"""

from verify.claim import Claim, Variant, Verdict
from verify.papers.fedigw.claims.lem_FedAvg_complete.checks import enter
from verify.papers.fedigw.claims.lem_FedAvg_complete.hypotheses import contradictory, enter_unmet

# Seeds of the hardest of 700 random configurations each, of one_round and moments of 8000 or more, and the share of the
# bound that is reached there.
HARDEST = dict(
    one_round=(10007, 0.63558), runs=(693, 0.98851), moments=(11056, 0.40443), gradients=(169, 0.99509)
)

LOSSES = (
    "every sample's loss is convex and beta-smooth on R^d",
    "F(x) - F* >= (mu/2) norm(x - x*)^2 for shared x, 0 < mu <= beta, x* the minimiser over shared x",
)
NOISY = (*LOSSES, "all agents in every round, each draws with replacement and independently of the others")
FULL = (*LOSSES, "all agents in every round, full local gradients")

claim = Claim(
    title="Convergence of FedAvg",
    section="Federated learning",
    tags=("optimisation", "fl"),
    errata=("erratum:E15",),
    reference="Karimireddy et al., SCAFFOLD, 2020, theorem V",
    variants={
        "printed": Variant(
            r"\mathbb E\,\Delta \le \tilde O\bigl(\tfrac{\sigma_b^2}{\mu RKM}+\tfrac{\beta G_b^2}{(\mu R)^2}"
            r"+\mu d_0e^{-\mu R/(16\beta)}\bigr)",
            (
                "f_m mu-strongly convex and beta-smooth on R^d, unbiased gradients, R >= 8 beta/mu",
                "(1/M) sum norm(grad f_m)^2 <= G_b^2 for any omega: contradicts strong convexity",
                "variance of the stochastic gradients at most sigma_b^2 for any omega",
            ),
            Verdict.Z3,
            vacuous="on R^d",
        ),
        "repaired": Variant(
            r"\mathbb E\,d_R \le (1-\mu h)^Rd_0+\tfrac{c_1h+c_2h^2}{\mu},\quad"
            r" \mathbb E\,\Delta \le \tfrac\mu2d_0\tfrac{q^R}{1-q^R}+c_1h+c_2h^2",
            (*NOISY, "u = K eta eta_g beta with 2u + (3/2)u^2 <= 1, eta_g >= 1"),
            Verdict.COQ,
        ),
        "gradients": Variant(
            r"\mathbb E\,d_R \le (1-\mu h)^Rd_0+\tfrac{c_2h^2}{\mu},\quad"
            r" \mathbb E\,\Delta \le \tfrac\mu2d_0\tfrac{q^R}{1-q^R}+c_2h^2",
            (*FULL, "u = K eta eta_g beta with u + u^2 <= 1, eta_g >= 1"),
            Verdict.COQ,
        ),
        "choice_of_step": Variant(
            r"c_1h+c_2h^2 \le \tfrac{\mu\,\mathrm{tol}}2,\ R = \lceil\tfrac{\ln(2d_0/\mathrm{tol})}{\mu h}\rceil"
            r" \Rightarrow \mathbb E\,d_R \le \mathrm{tol}",
            ("the bounds of `repaired` for a fixed step",),
            Verdict.Z3,
        ),
    },
)

claim.check("printed", control=dict(beyond=False), name="contradiction")(contradictory)
enter_unmet(claim, "dissimilarity")
enter_unmet(claim, "variance")
enter(claim, "fedavg", HARDEST, "choice_of_step")
