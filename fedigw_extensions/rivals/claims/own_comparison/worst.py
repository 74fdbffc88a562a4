"""Find, for every system and horizon, the gap between two arms at which it loses most, and measure how this loss
grows.

A theorem about all environments cannot be tested in one fixed environment, where regret grows more slowly than sqrt T,
T the number of steps. Gaps that fall like 1/sqrt T are no test either, as even the regret of uniform play then grows
like sqrt T. So at every horizon gaps from 1 downwards are tried (two arms with means 1/2 +- gap/2). The worst gap is
found with separate replications, and regret is then measured there with new ones. In this way uniform play would lose
of order T, and epsilon-greedy T^{2/3}.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from fedigw_extensions.rivals.claims.own_comparison import runs
from linear.environments import small_gap
from linear.personalised.environments import small_gap as personal
from linear.personalised.environments.small_gap import LARGEST
from verify.claim import Evidence, Task, Verdict

COARSE = tuple(2.0**-j for j in range(9))  # gaps that are tried; around the worst one also halves of a step
PILOT = 4  # replications a gap is tried with
WIDEST = 0.25  # of an interval that says something
LINUCB = (2**8, 2**10, 2**12)
SLOWER = (2**10, 2**12, 2**14)  # at 2^8 steps even the largest gap is not detected
BLOCKS = (2**8, 2**10, 2**12, 2**14, 2**16)  # cheap, and they grow in steps: phases end or do not
SHORT, FEW = (2**6, 2**8, 2**10), ("fedigw, direct", "mean_averaging", "disbe_lucb")  # of the quick profile
# its interval is at most 0.2 wide with a quarter of the runs, whichever gap the pilot chose
NARROW = "disbe_lucb"
ARMS = 2
OF_AN_AGENT = "async_linucb_am"
STOCHASTIC = ("fedigw, direct", "disbe_lucb")  # the rows of tab:linear with stochastic contexts


def world(place: str, horizon: int, gap: float) -> Any:
    rng = np.random.default_rng(0)  # nothing is drawn
    if place == "partly shared":
        return personal.make(rng, gap, runs.AGENTS, horizon)
    return small_gap.make(rng, gap, ARMS, 1 if place == "fixed" else 2, runs.AGENTS, horizon)


def gaps(place: str, near: float | None = None) -> list[float]:
    """Return the gaps between the arms' means to try: powers of 1/2 from large to small or, with `near`, only the two
    gaps that differ from it by a factor sqrt2. place: the simulated environment, which limits the gap."""
    largest = LARGEST if place == "partly shared" else 1.0
    tried = COARSE if near is None else (near * 2**0.5, near * 2**-0.5)
    return [gap for gap in tried if gap <= largest]


def replications(name: str, fine: bool) -> int:
    if name.startswith(runs.FEDIGW):
        return 20 if fine else 10
    if runs.alone(name):
        return 120 if fine or name != NARROW else 30
    return 160 if fine else 64


def horizons(name: str) -> tuple[int, ...]:
    if name.startswith(runs.FEDIGW):
        return runs.EPOCHS
    if runs.alone(name):
        return BLOCKS
    return SLOWER if name == OF_AN_AGENT else LINUCB


def promised(place: str) -> list[str]:
    """Return the systems that can play in the simulated environment `place` and whose paper proves there a regret of
    order sqrt T, up to logarithms."""
    # its two contexts show the same two arms in another order, nothing new to a system that learns from any contexts
    found = [name for name in runs.fitting(place) if name != runs.FEDIGW + "agd"]
    if place == "stochastic":
        return [name for name in found if name in STOCHASTIC]
    return [n for n in found if n.startswith(runs.FEDIGW) or "sqrt" in runs.systems()[n].regret_order]


def at_gap(
    place: str, name: str, horizon: int, gap: float, replications: int, seed: np.random.SeedSequence
) -> dict[str, Any]:
    row = runs.row_of(place, name, world(place, horizon, gap), horizon, replications, seed)
    uniform = runs.AGENTS * horizon * gap * (ARMS - 1) / ARMS
    return row | {"gap": gap, "share": row["mean"] / uniform}


def hardest(place: str, name: str, horizon: int, seed: np.random.SeedSequence, fine: bool) -> float:
    """Return the gap between two arms at which the system loses most, found with a few replications for each gap. A gap
    is skipped if even the largest possible regret there is below the largest regret found so far. fine: whether to try
    also gaps near the worst one."""
    found, most = 1.0, 0.0

    def attempt(gap: float) -> None:
        nonlocal found, most
        if runs.AGENTS * horizon * gap > most:
            loss = float(at_gap(place, name, horizon, gap, PILOT, seed)["mean"])
            found, most = (gap, loss) if loss > most else (found, most)

    for gap in gaps(place):
        attempt(gap)
    for gap in gaps(place, found) if fine else ():
        attempt(gap)
    return found


def measure(
    place: str,
    name: str,
    at: Sequence[int],
    seed: np.random.SeedSequence,
    fine: bool = True,
    gap: float | None = None,
) -> list[dict[str, Any]]:
    choosing, measuring = (np.random.SeedSequence([*runs.words(seed), use]) for use in (1, 2))
    rows = []
    for horizon in at:
        tried = hardest(place, name, horizon, choosing, fine) if gap is None else gap
        rows.append(at_gap(place, name, horizon, tried, replications(name, fine), measuring))
    return rows


def growth(task: Task, names: Sequence[str] = (), gap: float | None = None) -> Evidence:
    """Check that regret at the gap at which a system loses most grows like sqrt T, up to one logarithm. names: the
    systems, by default all whose papers prove it. gap: use this gap at every horizon instead, as negative control."""
    chosen = [
        (place, name)
        for place in (runs.WORLDS if task.full or names else ["fixed"])
        for name in (names or promised(place))
        if name in runs.fitting(place) and (task.full or names or name in FEW)
    ]
    rows, exponents = [], []
    for place, name in chosen:
        span = horizons(name)
        if not (task.full or name.startswith(runs.FEDIGW)):
            span = tuple(T // 2 for T in span) if names else SHORT
        mine = measure(place, name, span, task.seed, task.full, gap)
        rows += mine
        exponents.append(fitted(place, name, mine, task.level / len(chosen)))
    return judged(exponents, {"rows": rows, "exponents": exponents, "M": runs.AGENTS, "K": ARMS})


def fitted(place: str, name: str, rows: Sequence[dict[str, Any]], level: float) -> dict[str, Any]:
    factor = runs.log_factor([row["T"] for row in rows])
    permitted = {"least": 0.5 - factor, "limit": 0.5 + factor}
    return runs.fitted(place, name, rows, level) | {"gaps": [row["gap"] for row in rows]} | permitted


def judged(exponents: list[dict[str, Any]], figures: dict[str, Any]) -> Evidence:
    wrong = [fit for fit in exponents if fit["low"] > fit["limit"] or fit["high"] < fit["least"]]
    unsure = [fit for fit in exponents if fit["high"] - fit["low"] > WIDEST]
    shown = max(wrong or unsure or exponents, key=lambda fit: abs(float(fit["slope"]) - 0.5))
    text = runs.said(shown, f"{shown['least']:.2f} to {shown['limit']:.2f}")
    if wrong:
        return Evidence(Verdict.REFUTED, f"worst-case growth of {text}", figures)
    return Evidence(
        Verdict.UNDECIDED if unsure else Verdict.MEASURED,
        f"{len(exponents)} growth exponents of regret in T at the hardest gap of each horizon: every interval"
        f" (asymptotic, at most {WIDEST} wide) has 1/2 in it, up to one logarithm; furthest from it {text}",
        figures,
    )
