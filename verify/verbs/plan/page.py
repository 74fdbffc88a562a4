"""Draw a plan as a picture, and write it as a web page with sliders, which needs no server.

The page's formulas repeat those of bounds/ in JavaScript; a browser test compares the two.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bounds.errors import InputError
from verify.claim import ROWS
from verify.verbs.plan.question import Question
from verify.verbs.plan.text import rounded
from verify.verdict import shown

TEMPLATE = Path(__file__).resolve().parent / "page.html"
MOST_ARMS = 200


def constants() -> dict[str, Any]:
    """Return the data that the page's JavaScript cannot compute: constants of the regret bounds, and recorded
    verdicts."""
    from bounds.best import regret
    from bounds.finite_excess_risk import kappa
    from bounds.theorems import col_finite, col_linear
    from verify.recorded import of_statement

    labels = {"finite": col_finite.THEOREM.label, "linear": col_linear.THEOREM.label}
    verdicts = {kind: {v: of_statement(one, v).shown for v in ROWS} for kind, one in labels.items()}
    best = [float(regret.doubling_over_g(arms, 1)) for arms in range(2, MOST_ARMS + 1)]
    return {"best": best, "bestKappa": float(regret.KAPPA), "kappa": float(kappa()), "verdicts": verdicts}


def render(document: Mapping[str, Any]) -> str:
    """Return the web page of a plan: its answer, its protocols, and sliders that are set to the planned federation."""
    columns = ("protocol", "rounds", "numbers", "bytes", "regret", "expected", "vacuous", "allowed")
    rows = [
        {name: row.get(name) for name in columns} | {"said": shown(row) if row["allowed"] else row["why"]}
        for row in sorted(document["protocols"], key=lambda row: not row["allowed"])
    ]
    asked = {"answer": document["answer"], "cheapest": document["cheapest"], "rows": rows}
    filled = {"constants": constants(), "question": document["question"], "asked": asked}
    data = json.dumps(filled, sort_keys=True)
    # a text inside a script must not end it
    return TEMPLATE.read_text(encoding="utf-8").replace("/*DATA*/null", data.replace("</", "<\\/"))


def draw(question: Question, document: Mapping[str, Any], path: str | None) -> Any:
    """Draw each variant of the regret bound against the horizon. Mark the expected regret and the lower bound at the
    planned horizon."""
    from verify.pictures import BOUND, BOUND_COLOUR, WITHOUT, colours, complete, finish, logarithmic, picture

    figure, (axes,) = picture()
    colour_of = colours(BOUND_COLOUR, [row["variant"] for row in document["guaranteed"]])
    here, last = question.horizon, max(64, 100 * question.horizon)
    horizons = sorted({int(3 * (last / 3) ** (i / 40)) for i in range(41)})
    axes.plot(horizons, [question.agents * t for t in horizons], label="known without learning", **WITHOUT)
    for row in document["guaranteed"]:
        if row["value"] is None or row["order_only"]:
            continue
        try:
            values = [question.bound(row["variant"], T=t)["value"] for t in horizons]
        except InputError:
            continue
        name = f"bound, {row['variant']}: {shown(row)}"
        axes.plot(horizons, values, color=colour_of[row["variant"]], label=name, **BOUND)
    found = document["expected"]
    if found.get("interval"):
        low, high = found["interval"]
        error = [[found["mean"] - low], [high - found["mean"]]]
        axes.errorbar([here], [found["mean"]], yerr=error, fmt="ko", label="expected, by simulation")
    if (least := document["lower_bound"]) is not None:
        axes.plot([here], [least], "k_", markersize=14, label="at least, with gap 1")
    logarithmic(axes, "horizon T, steps of every agent", "regret of all agents together")
    best = document["smallest"]
    said = f"at most {best['value']:,.0f} is guaranteed" if best else "nothing is guaranteed"
    said += f", about {rounded(found['mean'])} expected" if found.get("interval") else ""
    finish(axes, f"Regret at T = {here:,}: {said}")
    return complete(figure, path)
