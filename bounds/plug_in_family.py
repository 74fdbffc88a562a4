"""A user's own formulas as the bounds of a claim: `bound thm:global_regret --risk "d/n" --set M=10 K=5 T=1e6 d=5`.

thm:global_regret takes an excess risk e(n) alone, because the theorem asks for nothing else. col:convex_raw takes the
pair of its statement: --risk is then the generalisation error g(n), --optimisation the error o(R, n) after R rounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from bounds import linear_communication, plug_in, plug_in_pair, variants
from bounds.epoch_sum import EpochSum
from bounds.errors import InputError
from bounds.plug_in_text import Expression, read
from bounds.report import BoundReport
from bounds.symbols import symbol
from bounds.theorems.thm_global_regret import HYPOTHESES

RESERVED = ("n", "R")  # the schedule and the balance set these


def family(label: str, risk: str, optimisation: str | None) -> RiskRegret | PairRegret:
    """What `bound LABEL --risk ...` evaluates."""
    found = read(risk)
    if "R" in found.symbols:
        raise InputError("--risk", risk, "may not depend on R; give the optimisation error by --optimisation")
    if label == "col:convex_raw":
        return PairRegret(found, None if optimisation is None else read(optimisation, "--optimisation"))
    if label != "thm:global_regret":
        raise InputError("--risk", risk, "is taken by thm:global_regret and col:convex_raw only")
    if optimisation is not None:
        raise InputError("--optimisation", optimisation, "is taken by col:convex_raw only")
    return RiskRegret(found)


@dataclass(frozen=True)
class RiskRegret:
    """thm:global_regret with the excess risk that a formula gives."""

    risk: Expression
    quantities: tuple[str, ...] = ("regret", "calls")
    protocols: tuple[str, ...] = ()

    @property
    def variants(self) -> tuple[str, ...]:
        return tuple(variants.VARIANTS)

    @property
    def required(self) -> tuple[str, ...]:
        return _required(self.risk)

    @property
    def optional(self) -> Mapping[str, float]:
        return {"c": 1.0}

    def evaluate(
        self, variant: str, quantity: str, protocol: str | None, parameters: Mapping[str, Any]
    ) -> BoundReport:
        plug_in.check(self.risk, parameters)
        if quantity == "calls":
            return calls_report(int(parameters["T"]))
        c = float(parameters["c"])
        inverse = plug_in.is_inverse(self.risk, parameters)
        known = _numbers(self.risk, parameters)
        bound = plug_in.epoch_sum(
            variant,
            int(parameters["M"]),
            int(parameters["K"]),
            lambda n: float(self.risk.value(known | {"n": float(n)})),
            inverse,
            c,
        )
        formula = partial(risk_form, variant, self.risk.text, c, 1.0)
        return regret_report(
            bound,
            int(parameters["T"]),
            formula,
            _hypotheses(variant, self.risk, inverse, int(parameters["K"])),
        )


@dataclass(frozen=True)
class PairRegret:
    """col:convex_raw with generalisation and optimisation error given by formulas; without the second, exact."""

    generalisation: Expression
    optimisation: Expression | None
    protocols: tuple[str, ...] = ()

    @property
    def quantities(self) -> tuple[str, ...]:
        rounds = ("rounds", "numbers") if "d" in self.required else ("rounds",)
        return ("regret", "calls", *(rounds if self.optimisation is not None else ()))

    @property
    def variants(self) -> tuple[str, ...]:
        return tuple(variants.VARIANTS)

    @property
    def required(self) -> tuple[str, ...]:
        formulas = [self.generalisation] + ([self.optimisation] if self.optimisation else [])
        return tuple(name for name in _required(*formulas) if name != "mu_f")

    @property
    def optional(self) -> Mapping[str, float]:
        return {"mu_f": 2.0}

    def evaluate(
        self, variant: str, quantity: str, protocol: str | None, parameters: Mapping[str, Any]
    ) -> BoundReport:
        plug_in.check(self.generalisation, parameters)
        if quantity == "calls":
            return calls_report(int(parameters["T"]))
        if quantity == "regret":
            return self._regret(variant, parameters)
        return self._communication(quantity, parameters)

    def _regret(self, variant: str, parameters: Mapping[str, Any]) -> BoundReport:
        M, K, T = (int(parameters[name]) for name in "MKT")
        factor = (2.0 if self.optimisation is None else 4.0) / float(parameters["mu_f"])
        if self.optimisation is not None:
            self._rounds(parameters)  # refuses an optimisation error that is none
        known = _numbers(self.generalisation, parameters)
        inverse = plug_in.is_inverse(self.generalisation, parameters)

        def risk(n: int) -> float:
            return factor * float(self.generalisation.value(known | {"n": float(n)}))

        bound = plug_in.epoch_sum(variant, M, K, risk, inverse, corollary=True)
        formula = partial(risk_form, variant, self.generalisation.text, 1.0, factor, True)
        stop = (
            "an exact minimiser of the empirical loss in every call: e = (2/mu_f) g(n)"
            if self.optimisation is None
            else "every call runs the least R with o(R, n) <= g(n): e = (4/mu_f) g(n)"
        )
        needs = _hypotheses(variant, self.generalisation, inverse, K)
        return regret_report(bound, T, formula, (*needs, stop))

    def _rounds(self, parameters: Mapping[str, Any]) -> list[int]:
        assert self.optimisation is not None
        samples = linear_communication.samples_of_calls(int(parameters["M"]), int(parameters["T"]))
        return [
            plug_in_pair.balanced_rounds(self.generalisation, self.optimisation, n, parameters)
            for n in samples
        ]

    def _communication(self, quantity: str, parameters: Mapping[str, Any]) -> BoundReport:
        assert self.optimisation is not None
        M, T = int(parameters["M"]), int(parameters["T"])
        each = 2 * M * int(parameters["d"]) if quantity == "numbers" else 1
        trivial = M * T * (2 * int(parameters["d"]) + 1) if quantity == "numbers" else T
        return BoundReport(
            value=float(each * sum(self._rounds(parameters))),
            formula=partial(pair_form, quantity, self.generalisation.text, self.optimisation.text),
            trivial=float(trivial),
            first_informative_horizon=None,
            hypotheses=(
                "every call runs the least R with o(R, n) <= g(n), n = M E^l",
                "for the closed form, terms of o(R, n)/g(n) that are monotone in n",
            ),
        )


def risk_form(variant: str, text: str, c: float, factor: float, corollary: bool = False) -> Any:
    """The closed form of the regret with e = factor times the formula."""
    import sympy

    e = read(text).symbolic() * sympy.Rational(str(factor))
    return plug_in.closed_form(variant, e, sympy.Rational(str(c)), corollary)


def order(text: str) -> str:
    """The order of the regret in T, as text; empty where it is no power of T and log T."""
    found = plug_in.order(read(text).symbolic())
    return "" if found is None else str(found)


def pair_form(quantity: str, generalisation: str, optimisation: str) -> Any:
    """floor(log2 T) times the rounds of the first or the largest call, whichever are more (every term of R is monotone
    in n), in closed form; where there is none, the symbol R."""
    import sympy

    M, T, d, n = (symbol(name) for name in ("M", "T", "d", "n"))
    found = plug_in_pair.closed_rounds(read(generalisation).symbolic(), read(optimisation).symbolic())
    rounds = symbol("R") if found is None else sympy.Max(found.subs(n, 2 * M), found.subs(n, M * T))
    total = sympy.floor(sympy.log(T, 2)) * rounds
    return 2 * M * d * total if quantity == "numbers" else total


def regret_report(
    bound: EpochSum,
    horizon: int,
    formula: partial[Any],
    hypotheses: tuple[str, ...],
    order_only: bool = False,
) -> BoundReport:
    return BoundReport(
        value=bound.value(horizon),
        formula=formula,
        trivial=bound.trivial(horizon),
        first_informative_horizon=bound.first_informative_horizon(),
        hypotheses=hypotheses,
        order_only=order_only,
        lower=None if order_only else bound.lower(horizon),
    )


def calls_report(
    horizon: int, hypotheses: tuple[str, ...] = ("epoch lengths 2, 2, 4, 8, ...",)
) -> BoundReport:
    """floor(log2 T) calls, exactly."""
    return BoundReport(
        value=float(linear_communication.calls(horizon)),
        formula=partial(calls_form),
        trivial=float(horizon),
        first_informative_horizon=None,
        hypotheses=hypotheses,
    )


def calls_form() -> Any:
    import sympy

    return sympy.floor(sympy.log(symbol("T"), 2))


def _required(*formulas: Expression) -> tuple[str, ...]:
    names = frozenset[str]().union(*(formula.symbols for formula in formulas))
    return ("M", "K", "T", *sorted(names - {"M", "K", *RESERVED}))


def _numbers(formula: Expression, parameters: Mapping[str, Any]) -> dict[str, float]:
    return {name: float(parameters[name]) for name in formula.symbols if name not in RESERVED}


def _hypotheses(variant: str, formula: Expression, inverse: bool, arms: int) -> tuple[str, ...]:
    row = variants.row(variant)
    rule, multiplier = row.learning_rate, row.learning_rate.multiplier
    more: tuple[str, ...] = ()
    if row.in_step and not inverse:
        from bounds.best.constant import best

        multiplier = f"{float(best(arms).best_multiplier_squared):.6f}"
        more = ("the constant of variant best for any nonincreasing e (a smaller one is proved for e = A/n)",)
    e = f"min(1, {formula.text})" if row.clipped else formula.text
    return (
        *HYPOTHESES[:3],
        f"after the n = M E^l samples of epoch l H3 holds with {e}",
        f"checked: not negative, and not increasing (H5), at n = M 2^j, j = 1..{plug_in.EPOCHS}",
        f"H4 gamma^l = {rule.formula}" + (f", g^2 = {multiplier}" if multiplier else ""),
        *more,
    )
