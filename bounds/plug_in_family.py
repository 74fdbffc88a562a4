"""Evaluate regret bounds from formulas that a user types: `python -m verify bound thm:global_regret --risk "d/n" --set
M=10 K=5 T=1e6 d=5`.

For thm:global_regret --risk is the excess risk after n samples. col:convex_raw takes two formulas, as in its statement:
--risk is then the generalisation error, and --optimisation the error that is left after R rounds on n samples.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bounds import plug_in, plug_in_pair, quantities
from bounds.arithmetic import Value
from bounds.epoch_sum import EpochSum
from bounds.errors import InputError
from bounds.plug_in_text import Expression, read
from bounds.quantities import Counted
from bounds.schedules import closed_calls, samples_of_calls
from bounds.symbols import symbol
from bounds.theorem import Case
from bounds.theorems.thm_global_regret import HYPOTHESES

OF_THE_SCHEDULE = ("regret", "calls")  # what no optimisation error changes
RESERVED = ("n", "R")  # the schedule and the balance set these


def family(label: str, risk: str, optimisation: str | None) -> RiskRegret | PairRegret:
    """Return the theorem that the command `bound LABEL --risk RISK --optimisation OPTIMISATION` evaluates."""
    found = read(risk)
    if "R" in found.symbols:
        raise InputError("--risk", risk, "may not depend on R; give the optimisation error by --optimisation")
    if label == "col:convex_raw":
        other = None if optimisation is None else read(optimisation, "--optimisation")
        names = tuple(name for name in _required(found, *([other] if other else [])) if name != "mu_f")
        counted = () if other is None else ("rounds", "numbers", "bits") if "d" in names else ("rounds",)
        return PairRegret(
            counted=("calls", *counted), required=names, generalisation=found, optimisation=other
        )
    if label != "thm:global_regret":
        raise InputError("--risk", risk, "is taken by thm:global_regret and col:convex_raw only")
    if optimisation is not None:
        raise InputError("--optimisation", optimisation, "is taken by col:convex_raw only")
    return RiskRegret(required=_required(found), risk=found)


@dataclass(frozen=True)
class RiskRegret(plug_in.ScheduleTheorem):
    """The regret theorem thm:global_regret with an excess risk given by a formula."""

    risk: Expression = field(kw_only=True)
    counted: tuple[str, ...] | None = ("calls",)
    optional: Mapping[str, float] = field(default_factory=lambda: {"c": 1.0})

    def check(self, case: Case, quantity: str) -> None:
        plug_in.check(self.risk, case.parameters)

    def regret(self, case: Case) -> EpochSum:
        known = _numbers(self.risk, case)
        inverse = plug_in.is_inverse(self.risk, case.parameters)

        def risk(n: int) -> float:
            return float(self.risk.value(known | {"n": float(n)}))

        return plug_in.epoch_sum(
            case.variant, int(case["M"]), int(case["K"]), risk, inverse, float(case["c"])
        )

    def formula(self, case: Case, quantity: str) -> partial[Any]:
        if quantity == "calls":
            return partial(closed_calls)
        return partial(risk_form, case.variant, self.risk.text, float(case["c"]), 1.0)

    def regret_needs(self, case: Case) -> tuple[str, ...]:
        row, c = case.row, float(case["c"])
        of_growths = f"c = {c * row.c.under_doubling:g} ({row.c.reading})"
        if row.c.under_doubling > 1:
            of_growths += f": {row.c.under_doubling} times the given one, which is between agents"
        return (*_needs(case, self.risk), of_growths)


@dataclass(frozen=True)
class PairRegret(plug_in.ScheduleTheorem):
    """The regret bound of col:convex_raw, with generalisation and optimisation error given by formulas. Without an
    optimisation error, the empirical loss is assumed to be minimised exactly."""

    generalisation: Expression = field(kw_only=True)
    optimisation: Expression | None = field(kw_only=True)
    optional: Mapping[str, float] = field(default_factory=lambda: {"mu_f": 2.0})

    def check(self, case: Case, quantity: str) -> None:
        plug_in.check(self.generalisation, case.parameters)

    def regret(self, case: Case) -> EpochSum:
        factor = self._factor(case)
        if self.optimisation is not None:
            self._rounds(case)  # refuses an optimisation error that is none
        known = _numbers(self.generalisation, case)
        inverse = plug_in.is_inverse(self.generalisation, case.parameters)

        def risk(n: int) -> float:
            return factor * float(self.generalisation.value(known | {"n": float(n)}))

        M, K = int(case["M"]), int(case["K"])
        return plug_in.epoch_sum(case.variant, M, K, risk, inverse, corollary=True)

    def _factor(self, case: Case) -> float:
        return (2.0 if self.optimisation is None else 4.0) / float(case["mu_f"])

    def counts(self, case: Case) -> Counted:
        if self.optimisation is None:
            return super().counts(case)
        rounds = self._rounds(case)
        one = int(case["M"]) * int(case["d"]) * sum(rounds) if "d" in self.required else 0
        return Counted(len(rounds), sum(rounds), one, one)

    def every_step(self, case: Case) -> Counted:
        M, T, d = int(case["M"]), int(case["T"]), int(case["d"]) if "d" in self.required else 0
        return Counted(T, T, M * T * (d + 1), M * T * d)

    def _rounds(self, case: Case) -> list[int]:
        assert self.optimisation is not None
        return [
            plug_in_pair.balanced_rounds(self.generalisation, self.optimisation, n, case.parameters)
            for n in samples_of_calls(int(case["M"]), int(case["T"]))
        ]

    def formula(self, case: Case, quantity: str) -> partial[Any]:
        if quantity == "regret":
            return partial(risk_form, case.variant, self.generalisation.text, 1.0, self._factor(case), True)
        if quantity == "calls":
            return partial(closed_calls)
        assert self.optimisation is not None
        return partial(pair_form, quantity, self.generalisation.text, self.optimisation.text)

    def regret_needs(self, case: Case) -> tuple[str, ...]:
        stop = (
            "an exact minimiser of the empirical loss in every call: e = (2/mu_f) g(n)"
            if self.optimisation is None
            else "every call runs the least R with o(R, n) <= g(n): e = (4/mu_f) g(n)"
        )
        return (*_needs(case, self.generalisation), stop)

    def needs(self, case: Case, quantity: str) -> tuple[str, ...]:
        if quantity in OF_THE_SCHEDULE:
            return super().needs(case, quantity)
        return (
            "every call runs the least R with o(R, n) <= g(n), n = M E^l",
            "for the closed form, terms of o(R, n)/g(n) that are monotone in n",
        )


def risk_form(variant: str, text: str, c: float, factor: float, corollary: bool = False) -> Value:
    import sympy

    e = read(text).symbolic() * sympy.Rational(str(factor))
    return plug_in.closed_form(variant, e, sympy.Rational(str(c)), corollary)


def order(text: str) -> str:
    """Return, as text, the order in T of the regret that follows from the excess risk `text`, or "" if it is not a
    product of powers of T and log T."""
    found = plug_in.order(read(text).symbolic())
    return "" if found is None else str(found)


def pair_form(quantity: str, generalisation: str, optimisation: str) -> Value:
    import sympy

    M, T, d, n = (symbol(name) for name in ("M", "T", "d", "n"))
    found = plug_in_pair.closed_rounds(read(generalisation).symbolic(), read(optimisation).symbolic())
    rounds = symbol("R") if found is None else sympy.Max(found.subs(n, 2 * M), found.subs(n, M * T))
    total = closed_calls() * rounds
    return quantities.find(quantity).of(Counted(closed_calls(), total, M * d * total, M * d * total))


def _required(*formulas: Expression) -> tuple[str, ...]:
    names = frozenset[str]().union(*(formula.symbols for formula in formulas))
    return ("M", "K", "T", *sorted(names - {"M", "K", *RESERVED}))


def _numbers(formula: Expression, case: Case) -> dict[str, float]:
    return {name: float(case[name]) for name in formula.symbols if name not in RESERVED}


def _needs(case: Case, formula: Expression) -> tuple[str, ...]:
    row, inverse = case.row, plug_in.is_inverse(formula, case.parameters)
    more: tuple[str, ...] = ()
    if row.in_step and not inverse:
        more = ("the constant of variant best for any nonincreasing e (a smaller one is proved for e = A/n)",)
    e = f"min(1, {formula.text})" if row.clipped else formula.text
    return (
        *HYPOTHESES[:3],
        f"after the n = M E^l samples of epoch l H3 holds with {e}",
        f"checked: not negative, and not increasing (H5), at n = M 2^j, j = 1..{plug_in.EPOCHS}",
        row.rate_words(formula.text, int(case["K"]), inverse),
        *more,
    )
