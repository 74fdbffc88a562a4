"""The symbols of the paper, shared by every symbolic bound.

`--set M=10 K=5 T=1e6 F=100` on the command line assigns to the symbols of the same name.
"""

from __future__ import annotations

from functools import cache
from typing import Any

MEANING = {
    "M": "number of agents",
    "K": "number of arms",
    "T": "horizon: steps of each agent",
    "F": "size of the function class",
    "d": "dimension of the features",
    "da": "shared dimensions of personalised agents",
    "db": "personal dimensions of each agent",
    "A": "excess risk coefficient: e(n) = min(1, A/n)",
    "c": "asynchrony ratio, 1 when synchronous",
    "n": "number of samples",
    "delta": "failure probability, or tolerance of the solver",
    "local_steps": "local steps between two rounds (the paper's kappa)",
    "server_step": "server step size (the paper's eta_g)",
    "road": "from gap to excess risk by the distance (1) or directly (2)",
    "mu_f": "strong convexity of the loss in the prediction",
    "B": "bound on norm(w)",
    "f": "number of lying agents that are tolerated",
    "median": "1 for the coordinate median, 0 for the trimmed mean",
    "heterogeneous": "1 if the agents' laws differ, else 0",
}

LATEX = {
    "F": r"\left|\mathcal{F}\right|",
    "delta": r"\delta",
    "da": r"d^\alpha",
    "db": r"d^\beta",
    "mu_f": r"\mu_f",
    "local_steps": r"\kappa",
    "server_step": r"\eta_g",
}


@cache
def symbol(name: str) -> Any:
    """The positive symbol called `name`."""
    import sympy

    return sympy.Symbol(name, positive=True)


def latex(expression: Any) -> str:
    """LaTeX of a symbolic bound, in the paper's notation."""
    import sympy

    return str(sympy.latex(expression, symbol_names={symbol(k): v for k, v in LATEX.items()}))
