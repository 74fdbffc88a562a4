"""Evaluate the paper's table of linear bandit systems (tab:linear): every row as a formula without constants, and
FedIGW's rows also with explicit constants."""

from dataclasses import dataclass
from typing import Any

from bounds import linear_communication
from bounds.arithmetic import Value, log, sqrt
from bounds.symbols import symbol
from bounds.theorems import col_linear


@dataclass(frozen=True)
class Row:
    """A row of the paper's table of linear bandit systems. arms, context: the setting. regret, numbers: the paper's
    orders of the regret and of the numbers sent. protocol: for the rows of FedIGW, the protocol of this package that
    computes them."""

    reference: str
    arms: str
    context: str
    regret: Value
    numbers: Value
    protocol: str | None = None


def rows() -> tuple[Row, ...]:
    """Return the six rows of the paper's table of linear bandit systems as printed, without logarithms (its orders are
    O~)."""
    M, K, T, d = (symbol(name) for name in "MKTd")
    wide, narrow, own = d * sqrt(M * T), sqrt(d * M * T), sqrt(d * K * M * T)
    return (
        Row("Wang et al. 2019", "infinite", "fixed", wide, (d * M + d * log(log(d))) * log(T)),
        Row("He et al. 2022", "infinite", "adversarial", wide, d**3 * M**2 * log(M * T)),
        Row("Huang et al. 2021", "finite", "fixed", narrow, (d**2 + d * K) * M * log(T)),
        Row("Amani et al. 2022", "finite", "stochastic", narrow, d * M * log(log(M * T))),
        Row("FedIGW, direct", "finite", "stochastic", own, M * d**2 * log(T), "direct"),
        Row("FedIGW, AGD", "finite", "stochastic", own, d * log(d) * sqrt(M**3 * T), "agd"),
    )


def evaluated(agents: int, arms: int, dimension: int, horizon: int, tolerance: float) -> list[dict[str, Any]]:
    """Return every row of the paper's table of linear bandit systems at given parameters. Orders have constant 1.
    FedIGW's rows also have the sharpened regret bound and the exact count of numbers sent. `tolerance`: error of
    FedIGW's solver relative to the statistical error."""
    values = {"M": agents, "K": arms, "T": horizon, "d": dimension}
    at = {symbol(name): value for name, value in values.items()}
    table = []
    for row in rows():
        entry: dict[str, Any] = {
            "reference": row.reference,
            "arms": row.arms,
            "context": row.context,
            "regret": str(row.regret),
            "numbers": str(row.numbers),
            "regret_order": float(row.regret.subs(at)),
            "numbers_order": float(row.numbers.subs(at)),
        }
        if row.protocol is not None:
            delta = linear_communication.solver_tolerance(row.protocol, tolerance)
            bound = col_linear.epoch_sum("sharpened", agents, arms, dimension, delta)
            entry["regret_bound"] = bound.value(horizon)
            entry["numbers_exact"] = linear_communication.total_numbers(
                row.protocol, agents, dimension, horizon, tolerance
            )
        table.append(entry)
    return table
