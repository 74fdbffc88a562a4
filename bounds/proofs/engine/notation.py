"""How the symbols of the proofs are written: in the paper's letters, for a reader who knows the paper."""

from __future__ import annotations

from typing import Any

import sympy as sp

_REG, _HAT = r"\mathrm{Reg}", r"\widehat{\mathrm{Reg}}"
_GREEK = {
    name: rf"\{name}"
    for name in (
        "alpha", "beta", "delta", "zeta", "eta", "theta", "kappa", "mu", "nu", "xi", "pi", "rho", "sigma", "tau", "phi",
        "psi", "omega", "gamma", "Delta", "Pi", "Lambda",
    )
} | {"eps": r"\varepsilon", "lam": r"\lambda"}  # fmt: skip
WRITTEN = {
    "gamma": r"\gamma^l",
    "gamma_previous": r"\gamma^{l-1}",
    "gamma_first": r"\gamma^1",
    "g": "g",
    "e": r"e_{l-1}",
    "S": "S^l",
    "S_previous": "S^{l-1}",
    "S_first": "S^1",
    "W": "W^l",
    "W_previous": "W^{l-1}",
    "W_first": "W^1",
    "I_first": r"\sum_m E^1_m/K_m",
    "ratio_max": r"\bar c",
    "ratio_min": r"\underline c",
    "E": "E^l_m",
    "E_previous": "E^{l-1}_m",
    "K": "K_m",
    "Kbar": r"\bar K^l",
    "Kbar_previous": r"\bar K^{l-1}",
    "err": r"\mathcal E_m^{l-1}",
    "Reg": rf"{_REG}_m(\pi)",
    "Reghat": rf"{_HAT}_m^l(\pi)",
    "Reghat_previous": rf"{_HAT}_m^{{l-1}}(\pi)",
    "V": r"V_m(p^{l-1},\pi)",
    "bias": r"(\hat R-R)_m(\pi)",
    "Reghat_star": rf"{_HAT}_m^l(\pi^*)",
    "Reghat_previous_star": rf"{_HAT}_m^{{l-1}}(\pi^*)",
    "V_star": r"V_m(p^{l-1},\pi^*)",
    "bias_star": r"(\hat R-R)_m(\pi^*)",
    "Reg_hat": rf"{_REG}_m(\hat\pi^l)",
    "Reghat_previous_hat": rf"{_HAT}_m^{{l-1}}(\hat\pi^l)",
    "V_hat": r"V_m(p^{l-1},\hat\pi^l)",
    "bias_hat": r"(\hat R-R)_m(\hat\pi^l)",
    "S_Reg": rf"S^l[{_REG}](\pi)",
    "S_Reghat": rf"S^l[{_HAT}^l](\pi)",
    "S_Reghatp": rf"S^l[{_HAT}^{{l-1}}](\pi)",
    "S_err": r"S^l[\mathcal E^{l-1}]",
    "S_V": r"S^l[V](\pi)",
    "S_Reghat_star": rf"S^l[{_HAT}^l](\pi^*)",
    "S_Reghatp_star": rf"S^l[{_HAT}^{{l-1}}](\pi^*)",
    "S_V_star": r"S^l[V](\pi^*)",
    "S_Reg_hat": rf"S^l[{_REG}](\hat\pi^l)",
    "S_Reghatp_hat": rf"S^l[{_HAT}^{{l-1}}](\hat\pi^l)",
    "S_V_hat": r"S^l[V](\hat\pi^l)",
    "P_Reg": rf"S^{{l-1}}[{_REG}](\pi)",
    "P_Reghat": rf"S^{{l-1}}[{_HAT}^{{l-1}}](\pi)",
    "P_Reghat_star": rf"S^{{l-1}}[{_HAT}^{{l-1}}](\pi^*)",
    "P_Reg_hat": rf"S^{{l-1}}[{_REG}](\hat\pi^l)",
    "P_Reghat_hat": rf"S^{{l-1}}[{_HAT}^{{l-1}}](\hat\pi^l)",
    "Err": r"\mathrm{Err}^{l-1}",
    "EErr": r"\mathbb E\,\mathrm{Err}^{l-1}",
    "a": "a^l",
    "b": "b^l",
    "b_previous": "b^{l-1}",
    "Ea": r"\mathbb E\,a^l",
    "Eb": r"\mathbb E\,b^l",
    "Eb_previous": r"\mathbb E\,b^{l-1}",
    "Eb_first": r"\mathbb E\,b^1",
    "Reghat_Q": rf"{_HAT}_m^l(Q)",
    "S_Reg_Q": rf"S^l[{_REG}](Q^l)",
    "S_Reghat_Q": rf"S^l[{_HAT}^l](Q^l)",
    "ES_Reg_Q": rf"\mathbb E\,S^l[{_REG}](Q^l)",
    "Reg_T": rf"{_REG}(T)",
    "eps": r"\varepsilon_f",
    "lam": r"\lambda",
    "p_hat": r"p(\hat a\mid x)",
    "p": "p(a\\mid x)",
    "A1": "A_1",
    "A2": "A_2",
    "Lam": r"\Lambda",
    "Lam_epoch": r"\Lambda_l",
    "Cg": r"\tfrac{C}{g}",
}


def _name(name: str) -> str:
    """Words upright, an underscore as a subscript, single letters as they are."""
    head, _, tail = name.partition("_")
    shown = head if len(head) == 1 else _GREEK.get(head) or rf"\mathrm{{{head}}}"
    below = _GREEK.get(tail) or (tail if len(tail) == 1 else rf"\text{{{tail.replace('_', ' ')}}}")
    return rf"{shown}_{{{below}}}" if tail else shown


def latex(statement: Any) -> str:
    """A statement in LaTeX, in the letters above."""
    statement = sp.sympify(statement)
    names = {s: WRITTEN.get(str(s)) or _name(str(s)) for s in statement.free_symbols}
    if isinstance(statement, sp.And):
        return r",\quad ".join(latex(part) for part in sorted(statement.args, key=sp.default_sort_key))
    return str(sp.latex(statement, symbol_names=names))
