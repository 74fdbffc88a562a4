"""col:linear. Regret and communication of FedIGW with federated ridge regression, for linear rewards in d dimensions.

M agents have K arms each. Features and the true parameter omega* have norm at most 1, and the weight on the squared
norm is 1/n for n samples. Epoch l has E^l steps and ends at step 2^l:

    Reg(T) = O~(sqrt(MKdT));  numbers sent: O(Md^2 log T) by the direct method, O(d log(d) sqrt(M^3 T)) by
                              accelerated gradient descent (AGD)

With constants, the first three variants bound the regret. Sums are over epochs l >= 2, the last one cut at T; e_{l-1}
is the excess risk e of the model learned from the n = M E^{l-1} samples of epoch l-1, and delta the tolerance of the
solver. A call of the FL protocol learns one model:

    repaired    2M + 11 sum_l (1+delta) sqrt(K e_{l-1}) M E^l,  e = C/(n+1), C = d/4 + 1; if agents have different
                laws of contexts, e = (d/4 + 9/4)/n
    sharpened   2M(1-1/K) + sum_l M E^l min(1, (14/9) sqrt(2(3q+1)) (1+delta) sqrt(K e_{l-1})),  q = 1-1/K
    best        the same with the factor 2 sqrt((1-2/K+0.47255) 2.32170) <= 3.6981 (2.1213 at K=2), e = C/n
    agd_convex  AGD for convex functions: per call ceil(sqrt n) rounds and Md(2 ceil(sqrt n)+1) numbers; in total at
                most 8.02 d sqrt(M^3 T)
    agd         per call k = ceil(sqrt(n+1) ln(1.25 n/(delta^2 e))) rounds and Md(2k+1) numbers; in total at most
                Md{2(1+sqrt2) sqrt(MT) ln(1 + 1.25 MT(MT+1)/(delta^2 C)) + 3 log2 T} = O(d sqrt(M^3 T) log(MT))
    direct      M(d(d+1)/2 + 2d) numbers and one round a call; floor(log2 T) calls
    cg          conjugate gradients: at most min(d, n) rounds and 2Md(min(d, n)+1) numbers a call
    epoch       every term of the sharpened sum bounds the regret of its epoch
    continuous  the same bounds for any law D of contexts; the theorems in Coq are about finitely many contexts

Why `continuous` follows: draw a pool of P contexts from each agent's law D, then play N = MT steps whose contexts are
drawn from the pool with replacement. Given the pool there are finitely many contexts, so the bound holds. With
probability at least 1 - N^2/(2P) no context is drawn twice, and then they are independent draws from D. Since the
regret lies in [0, N], the mean regrets on D and on pools differ by at most N^3/P, for every P. The variant is
measured on the sphere.

What is wrong as printed: AGD's count is false at d = 1, where log(d) is 0. So is the sum that leads to it: log(d/n)
is negative for n > d (erratum E14). For d >= 2 the printed count holds by AGD for convex functions, whose proved excess
risk exceeds e by a factor of order d, but whose measured regret at the same learning rates is that of the direct
method. The excess risk e does not follow from the results that the paper cites. The regret order omits the first
epoch, as in col:finite (erratum E9).
"""

from functools import partial

from bounds import variants
from bounds.theorems import col_linear
from linear.protocols.agd import AcceleratedGradient
from verify.claim import Claim, Variant, Verdict, counts
from verify.papers.fedigw.claims.col_linear import (
    continuous,
    growth,
    pictures,
    protocols,
    runs,
    schedule,
    searched,
)
from verify.papers.fedigw.claims.lem_epoch_regret_bound import best

HYPOTHESES = col_linear.HYPOTHESES
SAME_LAW = "C = (1+delta)^2 (d/4 + 1), the same law for all agents"
CLOSED_FROM = "T >= 3 in the closed form; before that a run is one epoch of uniform play"
RATES = {
    "repaired": "H4 gamma^l = sqrt(K/e_{l-1}), e = C/(n+1)",
    "sharpened": "H4 gamma^l = g sqrt(K/e_{l-1}), e = C/(n+1), g^2 = (3q+1)/8, q = 1-1/K",
    "best": f"H4 gamma^l = g sqrt(K/e_{{l-1}}), e = C/n, g^2 = {variants.BEST_RATE.multiplier}",
}


claim = Claim(
    title="Regret and communication for linear rewards",
    section="Linear class",
    tags=("regret", "communication", "linear"),
    depends=("thm:global_regret", "own:ridge_excess_risk", "own:agd_rate", "own:agd_convex"),
    errata=("erratum:E9", "erratum:E14", "erratum:E16", "erratum:E17"),
    variants={
        "printed": Variant(
            r"\mathrm{Reg}(T) = \tilde O(\sqrt{MKdT}),\ O(d\log(d)\sqrt{M^3T})\ \text{numbers by AGD}",
            HYPOTHESES,
            Verdict.REFUTED,
            covers=(("printed", "regret"), ("printed", "numbers", "agd")),
        ),
        "repaired": Variant(
            r"\mathrm{Reg}(T) \le 2M + 11(2+\sqrt2)(1+\delta)\sqrt{MKT(d/4+1)}",
            (*HYPOTHESES, SAME_LAW, RATES["repaired"], CLOSED_FROM),
            Verdict.COQ,
        ),
        "sharpened": Variant(
            r"\mathrm{Reg}(T) \le 2M(1-1/K) + \tfrac{14}{9}\sqrt{2(3q+1)}(2+\sqrt2)(1+\delta)\sqrt{MKT(d/4+1)}",
            (*HYPOTHESES, SAME_LAW, RATES["sharpened"], CLOSED_FROM),
            Verdict.COQ,
        ),
        "best": Variant(
            r"\mathrm{Reg}(T) \le 2M(1-1/K) + 3.6981(2+\sqrt2)(1+\delta)\sqrt{MKT(d/4+1)}",
            (*HYPOTHESES, SAME_LAW, RATES["best"], CLOSED_FROM),
            Verdict.COQ,
        ),
        "agd": Variant(
            r"\textstyle\sum_l Md(2k_l+1),\ k_l = \lceil\sqrt{n_l+1}\ln(1.25n_l/\varepsilon_l)\rceil",
            HYPOTHESES[1:],
            Verdict.EXACT,
            tight=True,
            covers=counts("agd"),
        ),
        "agd_closed": Variant(
            r"\textstyle\sum_l Md(2k_l+1) \le Md\bigl(2(1+\sqrt2)\sqrt{MT}\,"
            r"\ln(1+\tfrac{5MT(MT+1)}{4\delta^2C}) + 3\lfloor\log_2T\rfloor\bigr)",
            HYPOTHESES[1:],
            Verdict.COQ,
        ),
        "agd_convex": Variant(
            r"\textstyle\sum_l Md(2\lceil\sqrt{n_l}\rceil+1) \le 8.02\,d\sqrt{M^3T}",
            HYPOTHESES[1:],
            Verdict.Z3,
            covers=counts("agd_convex"),
        ),
        "direct": Variant(
            r"M(d(d+1)/2+2d)\lfloor\log_2T\rfloor",
            HYPOTHESES[1:],
            Verdict.COQ,
            tight=True,
            # one round a call: the rounds are the calls
            covers=(*counts("direct"), *((name, "calls") for name in RATES)),
        ),
        "cg": Variant(
            r"\textstyle\sum_l 2Md(\min(d,n_l)+1)", HYPOTHESES[1:], Verdict.EXACT, covers=counts("cg")
        ),
        "continuous": Variant(
            r"\text{the same bounds, contexts of any law}",
            (
                *HYPOTHESES,
                "infinitely many contexts; by averaging over finite pools, which is not machine-checked",
            ),
            Verdict.MEASURED,
        ),
        "epoch": Variant(
            r"\mathrm{Reg}^l \le ME^l\min\bigl(1,\ \tfrac{14}{9}\sqrt{2(3q+1)}\sqrt{K(d/4+1)/(n_{l-1}+1)}\bigr)",
            HYPOTHESES,
            Verdict.FLOAT,
        ),
    },
)

claim.check("printed", control=dict(dimension=2))(growth.one_dimension)
claim.check("printed", control=dict(kept=True))(growth.first_epoch)
for name in ("repaired", "sharpened"):
    false = partial(runs.regret_against_false_bound, variant=name)
    claim.check(name, control=false, name=f"regret-{name}", statistical=True)(runs.regret_against_bound)
best.enter_side_conditions(claim)
claim.check(
    "sharpened",
    control=partial(runs.regret_against_false_bound, protocol=AcceleratedGradient()),
    name="regret-agd",
    statistical=True,
)(runs.descended_regret)
claim.check("sharpened", control=runs.regret_against_false_bound, statistical=True)(runs.large_horizon)
claim.check("continuous", control=dict(shrink=0.12), name="continuous", statistical=True)(
    continuous.streamed_regret
)
for name, stated in (("T", 0.45), ("M", 0.45), ("d", 0.25), ("K", 0.45)):
    given = dict(variable=name)
    claim.check(
        "sharpened", control=dict(stated=stated), given=given, name=f"growth-{name}", statistical=True
    )(runs.growth)
for name, variant, error in (
    ("direct", "direct", 1),
    ("agd", "agd", 1),
    ("agd_early", "agd", 5),
    ("agd_convex", "agd_convex", 1),
    ("cg", "cg", 1),
):
    given = dict(protocol=name)
    claim.check(variant, control=dict(error=error), given=given, name=f"ledger-{name}")(
        protocols.ledger_numbers
    )
claim.check("cg", control=dict(reorthogonalise=False), name="cg-designs")(protocols.cg_rounds)
claim.check("agd_closed", control=dict(shrink=0.9), name="closed")(growth.closed_form)
claim.check("agd_convex", control=dict(share=1), name="schedule")(schedule.convex_order)
claim.check("agd_convex", control=dict(effort=0.3), name="regret-agd-convex")(runs.as_the_direct_method)
claim.search(searched.REGRET)

LEDGERS = ("ledger-direct", "ledger-agd", "ledger-agd_convex", "ledger-cg")
claim.plot(
    "Measured regret grows no faster than its bound in T, M, d and K",
    *(f"growth-{variable}" for variable in "TMdK"),
)(pictures.growth)
for name, verb, draw in (
    ("numbers", "send", pictures.numbers_against_horizon),
    ("rounds", "take", pictures.rounds_against_horizon),
):
    title = f"Runs {verb} the {name} computed beforehand; M = 10, d = 5"
    claim.plot(title, *LEDGERS, name=name)(draw)
claim.plot(
    "The direct method sends least at long horizons, raw data at short ones; M = 10",
    *LEDGERS,
    name="cheapest",
)(pictures.cheapest_protocol)
