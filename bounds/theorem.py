"""Define a theorem: a value with its hypotheses, its numbers and the federations it applies to.

A theorem stands in bounds/theorems/<stem>.py as THEOREM and is found by its label. `evaluate` gives its numbers at
parameters, `missing` says in words which hypotheses a federation lacks, and `applied` is its bound for a federation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bounds import quantities, variants
from bounds.arithmetic import Value
from bounds.epoch_sum import EpochSum
from bounds.errors import InputError, nearest
from bounds.quantities import Counted
from bounds.report import BoundReport
from bounds.schedules import EpochPlan
from bounds.symbols import symbol
from bounds.variant_row import Variant, doubling_sum, root

Statement = tuple[str, str]  # (label, variant)
Risk = Callable[[str, int], float]  # of (variant, n): a mean excess risk after n samples
ONE_ARM = "remark: one arm has regret 0 for any estimator: no bound says more"


@dataclass(frozen=True)
class Setting:
    """The properties of a federation that a regret theorem may require.

    theorem: the one that the policy declares, or its label; "" if no theorem is about the policy. honest: the agents
    whose regret is counted. rates: gamma^l of every epoch, None if they are chosen from the data. rule: the variant
    whose rule gives the rates (H4), None if they are listed. risk(variant, n): the mean excess risk that the protocol
    guarantees (H3). claim: its statement (risk_claim if the risk has another). bounds: the variants that apply under
    each rule. share: that of uniform play after epoch 1, if the policy fixes it. temperature: that of softmax,
    likewise. unit_scores: whether learned functions have values in [0,1]. unmet: why the guarantee does not hold here,
    in words. on_all_data: the statements by which it also holds for the data of all epochs so far.
    """

    plan: EpochPlan
    arms: tuple[int, ...]
    honest: tuple[int, ...]
    policy: str
    theorem: Theorem | str
    protocol: str
    rates: tuple[float, ...] | None
    rule: str | None
    risk: Risk
    claim: str
    bounds: Mapping[str, tuple[str, ...]]
    unmet: tuple[str, ...] = ()
    share: float | None = None
    temperature: float | None = None
    unit_scores: bool = False
    risk_claim: str = ""
    rests_on: tuple[Statement, ...] = ()
    on_all_data: tuple[Statement, ...] = ()

    @property
    def counted(self) -> tuple[EpochPlan, tuple[int, ...]]:
        """Return the plan and the arms of the agents whose regret is counted."""
        return self.plan.of(self.honest), tuple(self.arms[m] for m in self.honest)

    def risks(self, variant: str) -> list[float]:
        """Return the excess risk e_l of the model learned in each epoch."""
        return [self.risk(variant, self.plan.taught(epoch)) for epoch in range(self.plan.epochs)]


@dataclass(frozen=True)
class Applied:
    """The result of a theorem for a federation. values: variant -> bound on the expected regret, empty if hypotheses
    are `missing`. claim: the statement behind the excess risk. theorem: the one that turns it into a regret bound.
    trivial: variant -> the bound known without learning; a bound not below it is vacuous. rests_on: further statements
    behind the values. remarks: notes on the values. risks: variant -> the statement of its excess risk, if it is not
    the variant of that name of `claim`. terms: variant -> the bound for each epoch; they add up to its value."""

    values: dict[str, float]
    claim: str | None
    missing: tuple[str, ...] = ()
    trivial: Mapping[str, float] = field(default_factory=dict)
    rests_on: tuple[Statement, ...] = ()
    theorem: str = "thm:global_regret"
    remarks: tuple[str, ...] = ()
    risks: Mapping[str, Statement] = field(default_factory=dict)
    terms: Mapping[str, Sequence[float]] = field(default_factory=dict)

    def vacuous(self, variant: str) -> bool:
        return self.values[variant] >= self.trivial[variant]


@dataclass(frozen=True)
class Case:
    """A request to a theorem. asked: the protocol that was named, if any. protocol: that, or the theorem's default.
    parameters: numbers, or symbols for a closed form."""

    variant: str
    asked: str | None
    protocol: str | None
    parameters: Mapping[str, Any]

    def __getitem__(self, name: str) -> Value:
        return self.parameters[name]

    def each(self, names: Iterable[str]) -> tuple[Value, ...]:
        return tuple(self.parameters[name] for name in names)

    @property
    def row(self) -> Variant:
        return variants.row(self.variant)

    @property
    def order_only(self) -> bool:
        """Return whether the paper hides the constant of this bound, which is then taken as 1."""
        return self.row.order_only


@dataclass(frozen=True)
class Theorem:
    """The base class of all theorems.

    counted: the quantities of bounds/quantities that it bounds besides the regret, None for all. protocols: the
    default first. required, optional: parameters; none for a theorem that is about federations only. shapes:
    parameters that the closed form contains as numbers. replaces: the label of the theorem that this one replaces for
    the federations that it `concerns`. policies: those it is about; another policy that names it gets no bound. rules:
    the learning rates that it prescribes (H4), by name. forms: its variants, if they are not the rows of
    bounds.variants.
    """

    label: str = ""
    hypotheses: tuple[str, ...] = ()
    counted: tuple[str, ...] | None = ()
    protocols: tuple[str, ...] = ()
    required: tuple[str, ...] = ("M", "K", "T")
    optional: Mapping[str, float] = field(default_factory=dict)
    shapes: tuple[str, ...] = ()
    replaces: str = ""
    policies: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()

    @property
    def variants(self) -> tuple[str, ...]:
        return self.forms or tuple(variants.VARIANTS)

    @property
    def quantities(self) -> tuple[str, ...]:
        """Return the quantities that it bounds at given parameters."""
        if not self.required:
            return ()
        return ("regret", *(quantities.names() if self.counted is None else self.counted))

    # Its numbers at parameters.

    def evaluate(
        self, variant: str, quantity: str, protocol: str | None, parameters: Mapping[str, Any]
    ) -> BoundReport:
        """Return the bound on `quantity`, with its closed form and what it needs."""
        case = self.case(variant, protocol, parameters)
        self.check(case, quantity)
        formula = self.formula(case, quantity)
        if quantity == "regret":
            bound, horizon, order_only = self.regret(case), int(case["T"]), self.regret_order_only(case)
            remarks = (ONE_ARM,) if bound.one_arm else ()
            return BoundReport(
                value=bound.value(horizon),
                formula=formula,
                trivial=bound.trivial(horizon),
                first_informative_horizon=bound.first_informative_horizon(),
                hypotheses=(*self.needs(case, quantity), *remarks),
                order_only=order_only,
                rests_on=self.rests_on(case),
                lower=None if order_only else bound.lower(horizon),
            )
        of = quantities.find(quantity).of
        return BoundReport(
            value=float(of(self.counts(case))),
            formula=formula,
            trivial=float(of(self.every_step(case))),
            first_informative_horizon=None,
            hypotheses=self.needs(case, quantity),
            order_only=self.counts_order_only(case, quantity),
        )

    def case(self, variant: str, protocol: str | None, parameters: Mapping[str, Any]) -> Case:
        """Return the request with the named protocol, or else the default one."""
        return Case(variant, protocol, protocol or next(iter(self.protocols), None), parameters)

    def used(self, case: Case, quantity: str) -> Mapping[str, Any]:
        """Return the parameters that the number uses. A protocol may replace a default by its own."""
        return case.parameters

    def formula(self, case: Case, quantity: str) -> partial[Any]:
        """Return a call, with plain arguments only, that makes the closed form."""
        from bounds import theorems

        shapes = tuple(float(case[name]) for name in self.shapes)
        return partial(theorems.expression, self.label, case.variant, quantity, case.asked, *shapes)

    def expression(self, variant: str, quantity: str, protocol: str | None, *shapes: float) -> Value:
        """Return the closed form as sympy, in the symbols of bounds.symbols; shapes: numbers for `self.shapes`."""
        import sympy

        free = {name: symbol(name) for name in (*self.required, *self.optional)}
        exact = {name: sympy.Rational(str(value)) for name, value in zip(self.shapes, shapes, strict=True)}
        case = self.case(variant, protocol, free | exact)
        if quantity == "regret":
            return self.closed_regret(case)
        return sympy.factor_terms(quantities.find(quantity).of(self.closed_counts(case)))

    def check(self, case: Case, quantity: str) -> None:
        """Raise InputError for parameters that the theorem is not about."""

    def regret(self, case: Case) -> EpochSum:
        """Return the regret bound as a sum over epochs."""
        raise NotImplementedError

    def closed_regret(self, case: Case) -> Value:
        raise NotImplementedError

    def counts(self, case: Case) -> Counted:
        """Return what is communicated by T."""
        raise NotImplementedError

    def closed_counts(self, case: Case) -> Counted:
        raise NotImplementedError

    def every_step(self, case: Case) -> Counted:
        """Return what is communicated by T if agents communicate after every step, without any theorem."""
        raise NotImplementedError

    def needs(self, case: Case, quantity: str) -> tuple[str, ...]:
        """Return the hypotheses of a number, in words."""
        return self.regret_needs(case) if quantity == "regret" else self.counted_needs(case)

    def regret_needs(self, case: Case) -> tuple[str, ...]:
        return self.hypotheses

    def counted_needs(self, case: Case) -> tuple[str, ...]:
        """Return the hypotheses of what is communicated."""
        return self.hypotheses

    def rests_on(self, case: Case) -> tuple[Statement, ...]:
        """Return further statements that the regret rests on."""
        return ()

    def regret_order_only(self, case: Case) -> bool:
        return False

    def counts_order_only(self, case: Case, quantity: str) -> bool:
        return case.order_only

    # Federations.

    def rates(self, rule: str, plan: EpochPlan, arms: Sequence[int], risk: Risk) -> list[float]:
        """Return the learning rate of every epoch by one of its `rules`. InputError if the rule does not fit."""
        raise NotImplementedError

    def concerns(self, setting: Setting) -> bool:
        """Return whether it replaces the theorem `replaces` for this federation."""
        return False

    def missing(self, setting: Setting) -> tuple[str, ...]:
        """Return which hypotheses the federation lacks, in words."""
        return (f"{self.label} is not stated for a federation",)

    def applied(self, setting: Setting) -> Applied:
        """Return the bound on a federation that lacks no hypothesis."""
        raise NotImplementedError


class DoublingTheorem(Theorem):
    """A regret bound under tau^l = 2^l for agents in step, from an excess risk e(n): C sqrt(K e_{l-1}) M E^l per
    epoch. The closed form is 2 M first_step + C (2 + sqrt2) sqrt(K M T n e(n)) with n e(n) at its largest, T >= 3."""

    def factor(self, case: Case) -> Value:
        """Return C, a number or an expression."""
        return case.row.in_corollary(case["K"], self.halves(case))

    def halves(self, case: Case) -> bool:
        """Return whether e(n) halves when n doubles."""
        return True

    def risk(self, case: Case, n: int) -> float:
        """Return e(n), before the variant clips it."""
        raise NotImplementedError

    def coefficient(self, case: Case) -> Value:
        """Return A with e(n) <= A/n, as sympy."""
        raise NotImplementedError

    def variant_row(self, case: Case) -> Variant:
        """Return the row of bounds.variants as this theorem reads it."""
        return case.row

    def regret(self, case: Case) -> EpochSum:
        agents, arms, row = int(case["M"]), int(case["K"]), self.variant_row(case)
        g2 = row.multiplier_squared(arms, self.halves(case))
        return row.epoch_sum(agents, arms, float(self.factor(case)), partial(self.risk, case), g2)

    def closed_regret(self, case: Case) -> Value:
        return case.row.closed_form(self.factor(case), doubling_sum() * root(self.coefficient(case)))


TYPICAL = {"M": 100, "K": 10, "T": "1e6", "F": 1000}


def check_parameters(family: Theorem, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters with defaults filled in. InputError names unknown or missing ones."""
    known = (*family.required, *family.optional)
    for name in parameters:
        if name not in known:
            raise InputError("--set", name, "unknown parameter; " + nearest(name, known))
    missing = [name for name in family.required if name not in parameters]
    if missing:
        example = " ".join(f"{name}={TYPICAL.get(name, 10)}" for name in missing)
        more = "; the excess risk is e(n) = A/n, another one is given by --risk" if "A" in missing else ""
        raise InputError("--set", None, f"give {', '.join(missing)}, e.g. --set {example}{more}")
    return {**family.optional, **parameters}
