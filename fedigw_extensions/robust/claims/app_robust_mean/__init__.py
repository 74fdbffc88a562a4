"""app:robust_mean. How far lying agents can move an aggregate (Theorem 3.1).

f of M agents lie after seeing all messages; z is the mean of the N = M - f honest messages x_i, v = mean norm(x_i -
z)^2 their variance, and A the aggregate of all M messages. For f < M/2, in any dimension d,

    norm(A - z)^2 <= kappa v

    trimmed mean, cut = f   kappa = f/(M-2f)                         attained; no rule has less
    coordinate median       kappa = (ceil(M/2)-1)/(floor(M/2)+1-f)   attained for every M (even M: the midpoint)
    geometric median        kappa = floor(M/2)/(ceil(M/2)-f)         attained for odd M; even M, d >= 2: a supremum
    weighted medians        kappa = 1/(1-2 phi)                      phi < 1/2 the weight of the lying agents

Proof. Subset lemma: if N numbers have sum 0 and sum of squares N v, and R is a set of k of them, then (sum_R x)^2 <=
k(N-k) v (Cauchy-Schwarz inside and outside R). Let z = 0.

Trimmed mean: (M-2f) A <= -sum_R x for the f smallest honest values R. Median: k A <= sum_R x for the k =
floor(M/2)+1-f largest honest values R. Geometric median: take subgradients s_i of sum 0 and c_i = <e, s_i> along e,
the direction of A; let t = norm(A) and r_i be the distance of x_i from A. Over the honest agents sum c_i <= f and
sum r_i c_i = N t, so (N t)^2 <= N(t^2+v) sum_{c_i>0} c_i^2 <= N(t^2+v) floor(M/2).

Every rule: let f messages be 1 and the rest 0. If the honest ones are all at 0, then v = 0 and A must be 0. But the
f at 1 and M-2f others may be the honest ones, and then A = 0 is f/(M-2f) variances away.

Krum and centred clipping are included for comparison; no constant is proved for them.
"""

from fedigw_extensions.robust.claims.app_robust_mean import attacked, exact
from verify.claim import Claim, Variant, Verdict
from verify.formal.scalar_steps import enter_steps

HYPOTHESES = ("f < M/2 agents lie; what they send may depend on everything", "all agents of equal weight")
FORMULAS = {
    "trimmed_mean": (r"\|A-z\|^2 \le \frac{f}{M-2f}\,v", ("cut = f",)),
    "median": (
        r"\|A-z\|^2 \le \frac{\lceil M/2\rceil-1}{\lfloor M/2\rfloor+1-f}\,v",
        ("coordinate by coordinate",),
    ),
    "geometric_median": (
        r"\|A-z\|^2 \le \frac{\lfloor M/2\rfloor}{\lceil M/2\rceil-f}\,v",
        ("a minimiser of the sum of distances",),
    ),
}


TRIMMED = """
    trimmed mean: (M-2f) t <= s and s^2 <= f(M-2f) v give (M-2f) t^2 <= f v; r = M-2f = N-f
        t >= 0, f > 0, r > 0, v >= 0, r*t <= s, s**2 <= f*r*v => r*t**2 <= share*f*v
"""
STEPS = (
    TRIMMED
    + """
    subset lemma: s^2 <= k q and s^2 <= (N-k) p with q + p = N v give s^2 <= k(N-k) v
        0 < k < N, v >= 0, s**2 <= k*q, s**2 <= (N - k)*p, q + p == N*v => s**2 <= k*(N - k)*v
    median: k t <= s and s^2 <= k(N-k) v give k t^2 <= (N-k) v; c = N-k
        t >= 0, k > 0, c >= 0, v >= 0, k*t <= s, s**2 <= k*c*v => k*t**2 <= c*v
    median of an even number: k values >= y, one >= z, y >= z, median at most (y+z)/2: sum >= (k+1) median
        k >= 1, y >= z, 2*m <= y + z, total >= k*y + z => total >= (k + 1)*m
    geometric median: N^2 t^2 <= N(t^2+v) b with b < N gives (N-b) t^2 <= b v
        0 <= b < N, v >= 0, N**2*t**2 <= N*(t**2 + v)*b => (N - b)*t**2 <= b*v
    geometric median: a = sum of positive c_i <= k, a - b <= f, b <= N-k: a <= M-k
        a <= k, a - b <= f, b <= N - k => a <= N + f - k
    geometric median: a <= k and a <= M-k with k, M whole: a <= floor(M/2)
        Or(2*h == M, 2*h + 1 == M), Or(k <= h, k >= h + 1), h >= 0, a <= k, a <= M - k => a <= h
    weighted median: P t <= s, s^2 <= P(1-P) v, P(1-phi) >= 1/2 - phi give (1-2 phi) t^2 <= v
        t >= 0, v >= 0, phi >= 0, 2*phi < 1, P <= 1, 2*P*(1 - phi) >= 1 - 2*phi, P*t <= s, s**2 <= P*(1 - P)*v
        => (1 - 2*phi)*t**2 <= v
    weighted geometric median: a <= w, a - b <= phi, b <= 1-phi-w give a <= 1/2
        a <= w, a - b <= phi, b <= 1 - phi - w => 2*a <= 1
    weighted geometric median: (1-phi) t^2 <= (t^2+v)/2 gives (1-2 phi) t^2 <= v
        phi >= 0, 2*phi < 1, v >= 0, 2*(1 - phi)*t**2 <= t**2 + v => (1 - 2*phi)*t**2 <= v
    every rule: a^2 <= 0 and ((M-f) a - f)^2 <= kappa f(M-2f) give kappa (M-2f) >= f
        f > 0, 2*f < M, a**2 <= 0, ((M - f)*a - f)**2 <= kappa*f*(M - 2*f) => kappa*(M - 2*f) >= f
"""
)


claim = Claim(
    title="How far lying agents move an aggregate",
    section="Robustness",
    tags=("robust", "fl"),
    variants={
        **{
            rule: Variant(formula, (*HYPOTHESES, *more), Verdict.EXACT, tight=True)
            for rule, (formula, more) in FORMULAS.items()
        },
        "weighted": Variant(
            r"\|A-z\|^2 \le \frac{1}{1-2\varphi}\,v",
            ("lying agents of total weight phi < 1/2", "weighted median or weighted geometric median"),
            Verdict.FLOAT,
            tight=True,
        ),
        "every_rule": Variant(
            r"\kappa \ge \frac{f}{M-2f}\ \text{for every rule}", ("0 < f < M/2",), Verdict.EXACT, tight=True
        ),
        "scalar_core": Variant(
            r"(\textstyle\sum_Rx)^2 \le k(N-k)v,\quad Nt^2 \le (t^2+v)\lfloor M/2\rfloor",
            ("the scalar inequalities of the proof; Cauchy-Schwarz and the order of values are read",),
            Verdict.Z3,
        ),
    },
)

for name in FORMULAS:
    claim.check(name, control=dict(share=exact.CONTROL), given=dict(rule=name), name=f"witness-{name}")(
        exact.witnesses
    )
    claim.check(name, control=dict(share=0.99), given=dict(rule=name), name=f"attacks-{name}")(
        attacked.largest
    )
claim.check("weighted", control=dict(share=0.99), name="attacks-weighted")(attacked.weighted)
claim.check("every_rule", control=dict(share=exact.CONTROL_ABOVE))(exact.every_rule)
about = "Scalar inequalities by z3; control: a false one"
enter_steps(claim, about, dict(text=TRIMMED, share=0.99), text=STEPS, share=1)
