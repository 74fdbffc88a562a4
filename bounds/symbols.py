"""Provide the paper's symbols (M, K, T, ...) as sympy symbols, shared by every symbolic bound.

On the command line, `--set M=10 K=5 T=1e6 F=100` assigns numbers to the symbols of the same name.
"""

from functools import cache
from typing import Any

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
    import sympy

    return sympy.Symbol(name, positive=True)


def latex(expression: Any) -> str:
    import sympy

    return str(sympy.latex(expression, symbol_names={symbol(k): v for k, v in LATEX.items()}))
