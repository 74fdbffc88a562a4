"""own:comparison. The systems of tab:summary and tab:linear, measured on the same worlds with the same ledger (M = 10,
K = 5, d = 5):

    communication   every system sends at most what its formula says, in every run
    growth          regret grows at most like sqrt T, up to one logarithm, where its paper proves O~(sqrt T)
    worst_case      the largest regret over gaps grows like sqrt T, up to one logarithm either way, for the same systems

The formulas are derived, with constants, in the head of each file of systems/; the papers print orders. Worlds
are fixed and not the worst ones, so exponents may lie well below 1/2: an upper bound is what is held. A system's
exponent is fitted where it tells arms apart: T = 2^8 to 2^12 for LinUCB (2^9 to 2^13 for FN-UCB), 2^10 to 2^14 for
elimination (2^12 to 2^16 for DisBE-LUCB), 2^16 to 2^24 for FedIGW, which at shorter horizons still plays almost
uniformly.

What the papers prove is about the worst world of each horizon. worst_case looks for it: two arms whose means are 1/2 +-
gap/2, and at every horizon the gap from 1 down at which a system loses most (M = 10, K = d = 2).
"""

from fedigw_extensions.rivals.claims.own_comparison import pictures, runs, worst
from verify.claim import Claim, Variant, Verdict

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

claim.check("communication", control=dict(share=0.9, names=("disbe_lucb",)))(runs.numbers)
claim.check("growth", control=dict(stated=0.1, names=("fedigw, direct",)), statistical=True)(runs.growth)
claim.check("worst_case", control=dict(names=("fedres_sgd",), gap=0.5), name="worst", statistical=True)(
    worst.growth
)
claim.plot("Regret against communication: the paper's systems on one world", "numbers")(pictures.plane)
