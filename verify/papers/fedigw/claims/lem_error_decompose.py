"""lem:error_decompose. From optimisation and generalisation error to excess risk:

    Ec <= (2/mu_f)(eps_opt + eps_gen + lam norm(w*)^2),
    eps_opt = E[Lhat_lam(wh) - min Lhat_lam],  eps_gen = E[L(wh) - Lhat(wh)],  Lhat_lam = Lhat + lam norm(w)^2,

for any output wh of any protocol, if the loss is mu_f-strongly convex in the prediction, f* is in the class and f*
minimises the conditional mean of the loss. The appendix prints >= (E11), the main text omits the last condition (E23).
With lam = 0 this is the main text's inequality; ridge regression needs the last term. Equality where f* minimises the
empirical loss on every dataset, lam = 0 and the loss is quadratic.
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from finite_class.lemmas import witnesses
from finite_class.lemmas.lem_error_decompose import Problem, decomposition, squared
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.experiments import random_worlds
from verify.experiments.learning_problems import describe, problem
from verify.papers.fedigw import errata

claim = Claim(
    title="Excess risk by optimisation and generalisation",
    section="FL protocols",
    tags=("excess-risk", "plug-in"),
    errata=("erratum:E11", "erratum:E23"),
    variants={
        "printed": Variant(
            r"\mathcal E \ge 2(\varepsilon_{\mathrm{opt}}+\varepsilon_{\mathrm{gen}})/\mu_f"
            r"\ \text{(appendix)},\quad \le \text{ without the condition (main text)}",
            ("the loss is mu_f-strongly convex in the prediction",),
            Verdict.REFUTED,
        ),
        "repaired": Variant(
            r"\mathcal E \le \tfrac{2}{\mu_f}\bigl(\varepsilon_{\mathrm{opt}}+\varepsilon_{\mathrm{gen}}"
            r"+\lambda\|\omega^*\|^2\bigr)",
            (
                "the loss is mu_f-strongly convex in the prediction",
                "f* is in the class and minimises the conditional mean of the loss",
                "eps_opt is that of the objective that is minimised, regulariser included",
            ),
            Verdict.Z3,
            tight=True,
        ),
    },
)

for make in (witnesses.reversed_decomposition, witnesses.missing_optimality):
    errata.enter(claim, "printed", make, "lem:error_decompose")


@claim.check("repaired", control=dict(shrink=Fraction(99, 100)))
def exact(task: Task, shrink: Fraction = Fraction(1)) -> Evidence:
    """Every dataset of random tiny problems; any rule and the exact minimiser."""
    what = "excess risk against (2/mu_f)(eps_opt + eps_gen + lam norm(w*)^2)"
    return random_worlds.exact(task, lambda rng: case(problem(rng), shrink), (150, 600), what)


def case(drawn: Problem, shrink: Fraction = Fraction(1), regulariser: bool = True) -> random_worlds.Case:
    return decomposition(drawn, shrink, regulariser), describe(drawn)


def ridge_penalty(small: Fraction = Fraction(1, 100)) -> Problem:
    """f* = 1 with norm 1 against 0 with norm 0, lam = 1: the minimiser is 0, and only the last term knows why."""
    one, zero = Fraction(1), Fraction(0)
    return Problem(((one,),), (1,), ((one,), (zero,)), (one + small, zero), (zero,), one, squared)


@claim.check("printed", control=dict(kept=True))
def regulariser(task: Task, kept: bool = False) -> Evidence:
    """The printed inequality for a regularised objective: without lam norm(w*)^2 it is false."""
    return random_worlds.verdict(
        [case(ridge_penalty(), regulariser=kept)], "excess risk of a regularised minimiser"
    )


@claim.check("repaired", control=dict(shrink=Fraction(99, 100)), name="main-text")
def unregularised(task: Task, shrink: Fraction = Fraction(1)) -> Evidence:
    """The main text's inequality, lam = 0, under the appendix's condition."""

    def one(rng: np.random.Generator) -> random_worlds.Case:
        return case(replace(problem(rng), lam=Fraction(0)), shrink)

    return random_worlds.exact(
        task, one, (100, 400), "excess risk against (2/mu_f)(eps_opt + eps_gen), lam = 0"
    )
