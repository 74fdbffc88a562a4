"""rmk:IGW. Inverse gap weighting explores every arm, and worse-looking arms less; greedy play, which also needs only
an estimate, can get stuck.

    explores   for any estimate in [0,1] every one of K arms has probability at least 1/(K + gamma) at learning rate
               gamma; under greedy play it can be 0
    beats      in the example `stuck` of app:greedy (ridge regression, means 1/2 and 3/5, M = 10 agents) inverse gap
               weighting has a smaller regret at T = 2^20 than greedy, whose expected regret is exactly 0.0359 M T

The remark's other reason, "its theoretical superiority", is the subject of thm:global_regret, app:greedy and
app:softmax.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from bounds import app_greedy
from bounds.schedules import doubling_plan
from fedigw.applicable import largest_regret
from fedigw.parts import policies
from fedigw.replications import pooled
from linear.contexts.finite import FiniteContexts
from linear.federations import linear_federation
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.pictures import Figures, logarithmic
from verify.statistics.measurement import compare

AGENTS = 10
HORIZONS = tuple(2**k for k in range(4, 25, 2))
DECIDES = 2**20

claim = Claim(
    title="Why inverse gap weighting",
    section="Other exploration rules",
    tags=("policies", "regret"),
    depends=("app:greedy", "app:softmax"),
    variants={
        "explores": Variant(
            r"p(a \mid x) \ge 1/(K + \gamma)", ("estimates in [0,1]", "gamma >= 0"), Verdict.EXACT, tight=True
        ),
        "beats": Variant(
            r"\mathbb{E}\,\mathrm{Reg}_{\mathrm{IGW}}(2^{20}) < \mathbb{E}\,\mathrm{Reg}_{\mathrm{greedy}}(2^{20})",
            ("the linear witness of app:greedy, M = 10",),
            Verdict.MEASURED,
        ),
    },
)


@claim.check("explores", control=dict(rule="greedy"))
def explores(task: Task, rule: str = "igw") -> Evidence:
    """Check that inverse gap weighting gives every one of K arms a probability of at least 1/(K + gamma), for random
    estimates in [0,1] and learning rates gamma, in rationals. Negative control, which must fail: the greedy policy."""
    rng, least, chosen = task.rng(), Fraction(10**9), policies()[rule]()
    for _ in range(300):
        arms, rate = int(rng.integers(2, 6)), Fraction(int(rng.integers(0, 200)), 4)
        scores = np.array([Fraction(int(v), 8) for v in rng.integers(0, 9, size=arms)], dtype=object)
        chances = chosen.probabilities(scores, rate)
        least = min(least, min(chances) * (arms + rate))
    said = f"{rule}: least probability {float(least):.4g} of 1/(K + gamma)"
    return Evidence(Verdict.EXACT.unless(bool(least < 1)), said, {"least": float(least)})


@claim.check("beats", control=dict(rule="greedy"), statistical=True)
def beats(task: Task, rule: str = "igw") -> Evidence:
    """Check that the measured regret of inverse gap weighting at T = 2^20, on two arms with means 1/2 and 3/5, is below
    the exact regret of greedy play. Negative control, which must fail: greedy play against a tenth of its exact
    regret."""
    replications = 400 if task.full else 200
    rows = []
    for horizon in HORIZONS:
        runs = replications if horizon == DECIDES else 20
        record = pooled(witness(horizon, rule), runs, task.seed.spawn(1)[0])
        mean, greedy = float(record.total_regret.mean()), float(app_greedy.regret(AGENTS, horizon))
        rows.append({"T": horizon, "regret": mean, "greedy": greedy})
        if horizon == DECIDES:
            total = record.total_regret
    stated = float(app_greedy.regret(AGENTS, DECIDES)) * (1.0 if rule == "igw" else 0.1)
    where, largest = f"{rule}, T = {DECIDES}", largest_regret(witness(DECIDES, rule))
    found = compare(where, total, largest, stated, float(AGENTS * DECIDES), task.level)
    text = f"{found.where}: regret {found.mean:.4g}, greedy's exact regret {rows[8]['greedy']:.4g}"
    return Evidence(found.verdict, text, {"rows": rows, "M": AGENTS} | found.json(), level=task.level)


def witness(horizon: int, rule: str) -> Any:
    contexts = FiniteContexts(np.eye(2)[None], np.ones(1))
    plan = doubling_plan(horizon, AGENTS)
    return linear_federation((contexts,) * AGENTS, np.array([0.5, 0.6]), plan, policy=policies()[rule]())


@claim.plot("Where greedy is stuck and inverse gap weighting is not", "beats", name="against_greedy")
def against_greedy(axes: Any, figures: Figures) -> None:
    """The picture shows that greedy play has a regret proportional to the number of steps, because it stays at the
    worse arm for ever in a share of the simulations. The regret of inverse gap weighting grows more slowly."""
    shown = next(iter(figures.values()))
    steps = np.array([row["T"] for row in shown["rows"]], dtype=float) * shown["M"]
    for key, colour, label in (
        ("regret", "#1864ab", "inverse gap weighting, measured"),
        ("greedy", "#b42318", "greedy, exact: stuck with probability 0.359"),
    ):
        values = np.array([row[key] for row in shown["rows"]]) / steps
        axes.plot(steps / shown["M"], values, "o-", color=colour, markersize=4, linewidth=1, label=label)
    last = shown["rows"][-1]
    factor = last["greedy"] / last["regret"]
    axes.set_title(f"Greedy is stuck in some runs and loses {factor:.0f} times more at the end")
    logarithmic(axes, "horizon T", "regret / (M T)")
