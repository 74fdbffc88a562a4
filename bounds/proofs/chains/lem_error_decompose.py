"""lem:error_decompose: excess risk <= (2/mu_f)(eps_opt + eps_gen + lam norm(w*)^2), for any output of any protocol.

At one context and arm y = fhat, u = f*; the loss at a reward is l(y) or l(u), its slope at u is `slope`.
"""

import sympy as sp

from bounds.proofs.engine.model import Chain, Decision, Hypothesis, Step, Total, reals
from bounds.proofs.engine.rules import Smt, Summation

y, u, loss, loss_truth, slope, mu, squared = reals("y u l_y l_u slope mu_f squared_error")
mean_loss, mean_truth, mean_slope = reals("E_l_y E_l_u E_slope")  # over the reward, at one context and arm
risk, learned, best = reals("risk E_L_learned L_truth")  # over data, agents, contexts and arms
least, fitted, empirical_truth, lam, norm = reals("least_objective Lhat_learned Lhat_truth lam norm_truth")
mean_least, mean_fitted, mean_empirical, mean_norm, opt, gen = reals(
    "E_least E_Lhat_learned E_Lhat_truth E_norm_learned eps_opt eps_gen"
)

CONVEX = Hypothesis(
    "strong convexity",
    "the loss is mu_f-strongly convex in its first argument, mu_f > 0",
    sp.And(sp.Ge(loss - loss_truth, slope * (y - u) + mu / 2 * (y - u) ** 2), mu > 0),
)
OPTIMAL = Hypothesis(
    "optimality",
    "f* minimises the conditional mean of the loss, so its slope there has mean 0",
    sp.Eq(mean_slope, 0),
)
MEANS = Hypothesis(
    "means",
    "over rewards, then over data, agents, contexts and arms; risk is the mean of the squared error (fhat - f*)^2",
    sp.Eq(squared, (y - u) ** 2),
    declares=(mean_loss, mean_truth, risk, learned, best),
    kind="definition",
)
MINIMUM = Hypothesis(
    "minimum",
    "f* is in the class: on every dataset the least objective is at most that of f*",
    sp.Le(least, empirical_truth + lam * norm),
)
UNBIASED = Hypothesis(
    "unbiased",
    "for a fixed function the empirical loss has the population loss as its mean",
    sp.Eq(mean_empirical, best),
)
ERRORS = Hypothesis(
    "errors",
    "eps_opt = E[Lhat(fhat) + lam norm(fhat)^2] - E least, eps_gen = E[L(fhat) - Lhat(fhat)]; lam, norms >= 0",
    sp.And(
        sp.Eq(opt, mean_fitted + lam * mean_norm - mean_least),
        sp.Eq(gen, learned - mean_fitted),
        lam >= 0,
        norm >= 0,
        mean_norm >= 0,
    ),
    declares=(fitted,),
    kind="definition",
)
right = 2 / mu * (opt + gen + lam * norm)

CHAINS = (
    Chain(
        name="lem:error_decompose",
        title="excess risk <= (2/mu_f)(eps_opt + eps_gen + lam norm(w*)^2)",
        file=__file__,
        hypotheses=(CONVEX, OPTIMAL, MEANS, MINIMUM, UNBIASED, ERRORS),
        indexed={
            "reward": (loss, loss_truth, slope),
            "context and arm": (y, u, mean_loss, mean_truth, squared),
            "data": (least, empirical_truth),
        },
        totals={
            "reward": (
                Total(1, sp.Integer(1)),
                Total(mean_loss, loss),
                Total(mean_truth, loss_truth),
                Total(mean_slope, slope),
            ),
            "context and arm": (
                Total(learned, mean_loss),
                Total(best, mean_truth),
                Total(risk, squared),
            ),
            "data": (
                Total(1, sp.Integer(1)),
                Total(mean_least, least),
                Total(mean_empirical, empirical_truth),
            ),
        },
        steps=(
            Step(
                "mean over the reward",
                sp.Ge(mean_loss - mean_truth, mean_slope * (y - u) + mu / 2 * (y - u) ** 2),
                ("strong convexity", "means"),
                "strong convexity, averaged",
                Summation("reward", sp.Ge(loss - loss_truth, slope * (y - u) + mu / 2 * (y - u) ** 2)),
            ),
            Step(
                "one context and arm",
                sp.Ge(mean_loss - mean_truth, mu / 2 * squared),
                ("mean over the reward", "optimality", "means"),
                "the slope has mean 0",
                Smt(),
            ),
            Step(
                "E11: without the condition",
                sp.Ge(mean_loss - mean_truth, mu / 2 * squared),
                ("mean over the reward", "means"),
                "false if f* does not minimise the conditional mean",
                Smt(),
                expect=Decision.REFUTED,
                erratum="E11",
            ),
            Step(
                "population",
                sp.Ge(learned - best, mu / 2 * risk),
                ("one context and arm", "strong convexity", "means"),
                "averaged over data, agents, contexts and arms",
                Summation("context and arm", sp.Ge(mean_loss - mean_truth, mu / 2 * squared)),
            ),
            Step(
                "least objective",
                sp.Le(mean_least, mean_empirical + lam * norm),
                ("minimum",),
                "averaged over the data",
                Summation("data", sp.Le(least, empirical_truth + lam * norm)),
            ),
            Step(
                "repaired",
                sp.Le(risk, right),
                ("population", "least objective", "unbiased", "errors", "strong convexity"),
                "L(fhat) - L(f*) <= eps_gen + eps_opt + lam norm(w*)^2",
                Smt(),
            ),
            Step(
                "E11: reversed, as the appendix prints it",
                sp.Ge(risk, right),
                ("population", "least objective", "unbiased", "errors", "strong convexity"),
                "the inequality goes the other way",
                Smt(),
                expect=Decision.REFUTED,
                erratum="E11",
            ),
        ),
        concludes=("repaired",),
    ),
)
