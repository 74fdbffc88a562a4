"""erratum:E7. The learning rate must equal its formula; a rate that is only of its order can make the regret linear.

A remark: "Using a learning rate gamma^l = O(.)" means "=", as step (c) of the proof writes it. Read literally it
allows gamma = 0, with which FedIGW explores uniformly for ever: its regret is linear and exceeds the theorem's bound.
"""

from fractions import Fraction

from finite_class.lemmas.sides import Sides, arm_probabilities, exp_below, gaps, mixed
from finite_class.lemmas.witnesses import Witness
from verify.papers.fedigw.claims.thm_global_regret import linear_regret
from verify.papers.fedigw.errata import Severity, erratum

HORIZON = 2**28


def uniform_play() -> Witness:
    """Return a counterexample with learning rate 0, that is uniform play, whose regret exceeds the printed bound.
    There are one agent, two arms with mean rewards 1 and 0, two functions, and 2^28 steps. Both sides are squared to
    make them rational, and the printed bound is rounded up."""
    truth, one = (Fraction(1), Fraction(0)), (Fraction(1),)
    rate, known = (mixed(one, [arm_probabilities(truth, Fraction(g))], [gaps(truth)]) for g in (0, 1000))
    regret = rate * HORIZON
    # ln(|F| M T/2) = 28 ln 2 < 19.5, (2 + sqrt 2)^2 < 11.66: (44 (2 + sqrt 2))^2 K M T (25 ln(.) + 1)
    assert exp_below(Fraction(195, 10)) > HORIZON
    square = 44**2 * Fraction(1166, 100) * 2 * HORIZON * (25 * Fraction(195, 10) + 1)
    # with gamma as in H4 the bound is a theorem; what inverse gap weighting then plays is cheap once f* is known
    return Witness(
        "K = 2, M = 1, |F| = 2, f* = (1,0), T = 2^28, gamma = 0 in every epoch",
        "(Reg(T) - 2M)^2 <= (44 (2 + sqrt 2))^2 K M T (25 ln(|F|MT/2) + 1) for any gamma = O(.)",
        Sides((regret - 2) ** 2, square),
        "the same with gamma = sqrt(K/e)",
        Sides((known * HORIZON - 2) ** 2, square),
        "K = 2, M = 1, |F| = 2, f* = (1,0), T = 2^28, f* known and gamma = 1000",
        (
            "gamma = 0: each arm with probability 1/2 in every step, regret T/2 = 2^27 = 134217728",
            "44 (2 + sqrt 2) = 150.2; 2 (2^28) (25 (28) ln 2 + 1) = 5.369e8 (486.2) = 2.610e11, root 5.109e5",
            "bound: 150.2 (5.109e5) + 2 = 7.68e7 < 1.342e8",
        ),
    )


claim = erratum(
    __doc__,
    uniform_play,
    place="Section 4.1, thm:global_regret: 'Using a learning rate gamma^l = O(...)'",
    severity=Severity.REMARK,
    order_survives="yes, with it",
    repair="'=' for 'O(.)', as the proof uses it in step (c)",
    about=("thm:global_regret",),
)
claim.check(
    "repaired",
    control=dict(learning_rate=0),
    given=dict(learning_rate="printed"),
    name="exact-law",
    about="Compare the exact regret of a run with gamma = sqrt(K/e) with the printed bound; control: gamma = 0",
)(linear_regret)
