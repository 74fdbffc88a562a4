"""Whole runs of FedIGW in personalised worlds: the numbers in their ledgers against the sums of the schedules."""

from __future__ import annotations

from typing import Any

import numpy as np

from bounds.theorems import col_linear_per
from verify.claim import Evidence, Task
from verify.verdict import Verdict

AGENTS, SHARED, OWN = 10, 3, 2
HORIZONS = (2**3, 2**6, 2**9)
TOLERANCE = 0.1


def numbers(task: Task, protocol: str, missed: int = 0) -> Evidence:
    """AGD: equal to the sum; CG: at most. missed, for the control: rounds that the sum leaves out, a call."""
    from dataclasses import replace

    from fedigw.running import run
    from linear.personalised.environments.opposite_arms import make
    from linear.personalised.protocols.agd import SharedAcceleratedGradient
    from linear.personalised.protocols.cg import SchurConjugateGradient

    routine: Any = SharedAcceleratedGradient(TOLERANCE) if protocol == "agd" else SchurConjugateGradient()
    rows: list[dict[str, Any]] = []
    equal = protocol == "agd"
    for horizon in HORIZONS:
        federation = replace(
            make(np.random.default_rng(0), SHARED, OWN, 4, 2, AGENTS, horizon), protocol=routine
        )
        traffic = run(federation, task.rng()).traffic
        sent, calls = sum(t.numbers for t in traffic), sum(t.calls for t in traffic)
        stated = col_linear_per.total(protocol, AGENTS, SHARED, OWN, horizon, TOLERANCE).numbers
        stated -= missed * calls * 2 * AGENTS * SHARED
        rows.append({"protocol": protocol, "T": horizon, "numbers": int(sent), "stated": int(stated)})
    broken = [r for r in rows if r["numbers"] > r["stated"] or (equal and r["numbers"] != r["stated"])]
    shown = ", ".join(f"{r['numbers']} of {r['stated']} (T = {r['T']})" for r in broken or rows)
    return Evidence(
        Verdict.REFUTED if broken else Verdict.COMPUTED,
        f"numbers in the ledgers of runs with M = {AGENTS}, d^a = {SHARED}, d^b = {OWN}: {shown}",
        {"rows": rows},
    )
