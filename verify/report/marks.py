"""Single marks of mathematics as MathML: symbols, numbers, accents, operators. Everything is escaped here."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "eps": "ε", "epsilon": "ε", "zeta": "ζ", "eta": "η",
    "theta": "θ", "kappa": "κ", "lambda": "λ", "lam": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ",
    "sigma": "σ", "tau": "τ", "phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Sigma": "Σ", "Delta": "Δ",
    "Lambda": "Λ", "Omega": "Ω", "Phi": "Φ", "Pi": "Π", "Psi": "Ψ", "Upsilon": "Υ", "Gamma": "Γ", "Theta": "Θ",
    "grad": "∇",
}  # fmt: skip
UPRIGHT = {"ln", "log", "exp", "Reg", "Var", "Err", "Reghat", "KL", "tr", "Cov"}
PRODUCT = re.compile(r"[KMTdnFECBcqg]{2,5}|ct")  # sqrt(KMT): letters of the paper side by side


def mi(name: str, upright: bool = False) -> str:
    variant = ' mathvariant="normal"' if upright and len(name) == 1 else ""
    return f"<mi{variant}>{html.escape(name)}</mi>"


def mo(sign: str, **attributes: str) -> str:
    more = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return f"<mo{more}>{html.escape(sign)}</mo>"


def row(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"


def symbol(name: str) -> str:
    if name == "Reghat":
        return accent(mi("Reg"), "ˆ")
    if name in GREEK:
        return mi(GREEK[name])
    if len(name) == 1:
        return mi(name)
    if PRODUCT.fullmatch(name) and name not in UPRIGHT:
        return "".join(map(mi, name))
    return f"<mi>{html.escape(name)}</mi>"


def number(text: str) -> str:
    mantissa, _, exponent = text.partition("e")
    if not exponent:
        return f"<mn>{text}</mn>"
    power = f"<msup><mn>10</mn><mn>{str(int(exponent)).replace('-', '−')}</mn></msup>"
    return power if mantissa == "1" else f"<mrow><mn>{mantissa}</mn>{mo('·')}{power}</mrow>"


def accent(base: str, sign: str) -> str:
    if sign == "¯":
        return f"<mover>{base}{mo(sign, stretchy='true')}</mover>"
    return f'<mover accent="true"><mrow>{base}</mrow>{mo(sign, stretchy="false")}</mover>'
