"""The scalar inequalities behind app:robust_mean, for all reals."""

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
