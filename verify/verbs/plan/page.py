"""The planner as a page: self-contained and offline, bounds and costs recomputed in the browser from these constants.

The page's formulas are the ones of bounds/ written a second time, in JavaScript; a browser test holds the two together.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

TEMPLATE = Path(__file__).resolve().parent / "page.html"
MOST_ARMS = 200


def constants() -> dict[str, Any]:
    """What the page cannot compute by itself: the constants of `best`, and the verdicts behind every number."""
    from bounds.best import regret
    from bounds.finite_excess_risk import kappa
    from verify.recorded import of_statement

    labels = {"finite": "col:finite", "linear": "col:linear"}
    return {
        "best": [float(regret.doubling_over_g(arms, 1)) for arms in range(2, MOST_ARMS + 1)],
        "bestKappa": float(regret.KAPPA),
        "kappa": float(kappa()),
        "verdicts": {
            kind: {
                v: str(of_statement(label, v).verdict) for v in ("printed", "repaired", "sharpened", "best")
            }
            for kind, label in labels.items()
        },
    }


def render(question: dict[str, Any]) -> str:
    """The page, opened at a question."""
    data = json.dumps({"constants": constants(), "question": question}, sort_keys=True)
    # a text inside a script must not end it
    return TEMPLATE.read_text(encoding="utf-8").replace("/*DATA*/null", data.replace("</", "<\\/"))
