"""Define the base class of theorems. A theorem is an object that knows its hypotheses, computes its bound, and says
to which federations it applies.

Each is the object THEOREM of a file bounds/theorems/<stem>.py and is found by its label. `evaluate` computes the bound
at given parameters. `missing` says in words which hypotheses a federation lacks, and `applied` is the bound for a
federation.
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
    """The properties of a federation on which a regret theorem may depend.

    plan, arms     epoch lengths; number of arms of each agent
    honest         the agents whose regret is counted
    theorem        the theorem that the policy declares, or its label; "" if no theorem is about the policy
    rates          the policy's learning rate in every epoch, None if they are chosen from the data
    rule           the variant whose rule gives the learning rates (hypothesis H4), None if they are listed
    risk           risk(variant, n) is the mean excess risk that the protocol guarantees after n samples (hypothesis H3)
    claim          label of the statement that proves this guarantee; `risk_claim` if another statement proves the risk
    bounds         maps a rule for learning rates to the variants of the regret bound that hold under it
    unmet          why the guarantee does not hold here, in words
    share          the probability of uniform play after epoch 1, if the policy fixes it
    temperature    of the softmax policy, else None
    unit_scores    whether learned functions have values in [0,1]
    rests_on       further statements behind the guarantee
    on_all_data    the statements by which the guarantee also holds for the data of all epochs so far
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
        return self.plan.of(self.honest), tuple(self.arms[m] for m in self.honest)

    def risks(self, variant: str) -> list[float]:
        """Return the excess risk of the model learned in each epoch, as the protocol guarantees it in a variant of
        the theory ("printed", "sharpened", ...)."""
        return [self.risk(variant, self.plan.taught(epoch)) for epoch in range(self.plan.epochs)]


@dataclass(frozen=True)
class Applied:
    """The conclusions of a regret theorem for one federation. Variants are printed, repaired, sharpened, ....

    values     variant -> bound on the expected regret; empty if hypotheses are `missing`
    trivial    variant -> the bound known without learning; a value that is not below it says nothing
    terms      variant -> the bound for each epoch, which add up to the value
    theorem    label of the theorem
    claim      label of the statement that proves the excess risk behind the values
    risks      variant -> (label, variant) of that statement, where it is not `claim` in the same variant
    rests_on   further statements behind the values
    remarks    notes on the values
    """

    values: dict[str, float]
    claim: str | None
    missing: tuple[str, ...] = ()
    trivial: Mapping[str, float] = field(default_factory=dict)
    rests_on: tuple[Statement, ...] = ()
    theorem: str = ""
    remarks: tuple[str, ...] = ()
    risks: Mapping[str, Statement] = field(default_factory=dict)
    terms: Mapping[str, Sequence[float]] = field(default_factory=dict)

    def vacuous(self, variant: str) -> bool:
        return self.values[variant] >= self.trivial[variant]


@dataclass(frozen=True)
class Case:
    """A request to a theorem: one variant of its bound, at given parameters. asked: the protocol that the user named,
    if any. protocol: the same, or the theorem's default. parameters: numbers, or symbols for a closed form."""

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
        """Return whether the paper hides the constant of this bound in O(.). The constant is then taken as 1."""
        return self.row.order_only


@dataclass(frozen=True)
class Theorem:
    """The base class of all theorems.

    counted     the quantities of communication that it bounds besides the regret, None for all
    protocols   the protocols that it covers, the default first
    policies    the policies that it is about; any other gets no bound, even if it names this theorem
    required, optional   names of its parameters; none if it is evaluated for federations only
    shapes      parameters that appear in the closed form as numbers, not symbols
    replaces    label of the theorem in whose place it applies to some federations (method `concerns`)
    rules       names of the learning-rate rules that it prescribes (hypothesis H4)
    forms       its variants, if they are not those of bounds/variants.py
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
        if not self.required:
            return ()
        return ("regret", *(quantities.names() if self.counted is None else self.counted))

    # Its numbers at parameters.

    def evaluate(
        self, variant: str, quantity: str, protocol: str | None, parameters: Mapping[str, Any]
    ) -> BoundReport:
        """Return the bound on `quantity`, such as "regret" or "rounds", with its closed form and hypotheses."""
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
        return Case(variant, protocol, protocol or next(iter(self.protocols), None), parameters)

    def used(self, case: Case, quantity: str) -> Mapping[str, Any]:
        """Return the parameters with which the bound on `quantity` is computed. A derived class may replace a default
        by the protocol's own value."""
        return case.parameters

    def formula(self, case: Case, quantity: str) -> partial[Any]:
        """Return a function without arguments that computes the closed form of the bound. Only calling it imports
        sympy."""
        from bounds import theorems

        shapes = tuple(float(case[name]) for name in self.shapes)
        return partial(theorems.expression, self.label, case.variant, quantity, case.asked, *shapes)

    def expression(self, variant: str, quantity: str, protocol: str | None, *shapes: float) -> Value:
        """Return the closed form of the bound as a sympy expression in the symbols of bounds/symbols.py. `shapes`:
        the values of those parameters that stay numbers in it (the theorem's attribute `shapes`)."""
        import sympy

        free = {name: symbol(name) for name in (*self.required, *self.optional)}
        exact = {name: sympy.Rational(str(value)) for name, value in zip(self.shapes, shapes, strict=True)}
        case = self.case(variant, protocol, free | exact)
        if quantity == "regret":
            return self.closed_regret(case)
        return sympy.factor_terms(quantities.find(quantity).of(self.closed_counts(case)))

    def check(self, case: Case, quantity: str) -> None:
        """Raise InputError for parameters to which the theorem does not apply. A derived class defines this; here
        nothing is refused."""

    def regret(self, case: Case) -> EpochSum:
        """Return the regret bound at the request's parameters, as a sum over epochs."""
        raise NotImplementedError

    def closed_regret(self, case: Case) -> Value:
        raise NotImplementedError

    def counts(self, case: Case) -> Counted:
        """Return the most calls, rounds and numbers that the protocol takes up to the horizon."""
        raise NotImplementedError

    def closed_counts(self, case: Case) -> Counted:
        raise NotImplementedError

    def every_step(self, case: Case) -> Counted:
        """Return the counts up to the horizon if agents communicate after every step: the trivial bound."""
        raise NotImplementedError

    def needs(self, case: Case, quantity: str) -> tuple[str, ...]:
        """Return the hypotheses of the bound on `quantity`, as sentences."""
        return self.regret_needs(case) if quantity == "regret" else self.counted_needs(case)

    def regret_needs(self, case: Case) -> tuple[str, ...]:
        return self.hypotheses

    def counted_needs(self, case: Case) -> tuple[str, ...]:
        """Return the hypotheses of the bounds on communication, as sentences."""
        return self.hypotheses

    def rests_on(self, case: Case) -> tuple[Statement, ...]:
        """Return further statements, as (claim, variant), on which the regret bound depends."""
        return ()

    def regret_order_only(self, case: Case) -> bool:
        return False

    def counts_order_only(self, case: Case, quantity: str) -> bool:
        return case.order_only

    # Federations.

    def rates(self, rule: str, plan: EpochPlan, arms: Sequence[int], risk: Risk) -> list[float]:
        """Return the policy's learning rate in every epoch, by one of the theorem's `rules`. `plan`: the epoch lengths.
        `risk(variant, n)`: the excess risk after n samples. Raise InputError if the rule does not fit the plan."""
        raise NotImplementedError

    def concerns(self, setting: Setting) -> bool:
        """Return whether this theorem applies to the federation in place of the theorem named in `replaces`."""
        return False

    def missing(self, setting: Setting) -> tuple[str, ...]:
        """Return, as sentences, the hypotheses that the federation lacks."""
        return (f"{self.label} is not stated for a federation",)

    def applied(self, setting: Setting) -> Applied:
        """Return the bound for a federation that lacks no hypothesis."""
        raise NotImplementedError


class DoublingTheorem(Theorem):
    """The base class of a regret bound from an excess risk e(n), for agents with the same epochs, which end at steps
    2, 4, 8, ....

    For M agents with K arms, the regret of epoch l of E^l steps is at most C sqrt(K e) M E^l, where C = `factor` and
    e is the excess risk of the model in use. Up to step T >= 3 this adds up to the closed form 2 M f + C (2 + sqrt2)
    sqrt(K M T n e(n)), with n e(n) at its largest and f the bound on a step of epoch 1.
    """

    def factor(self, case: Case) -> Value:
        """Return the constant C in the bound C sqrt(K e) M E on the regret of an epoch of E steps, for M agents with
        K arms and excess risk e. It is a number or an expression."""
        return case.row.in_corollary(case["K"], self.halves(case))

    def halves(self, case: Case) -> bool:
        """Return whether the excess risk halves when the number of samples doubles, for which variant `best` has a
        smaller constant."""
        return True

    def risk(self, case: Case, n: int) -> float:
        """Return the excess risk after `n` samples, before it is clipped at 1 (which some variants do)."""
        raise NotImplementedError

    def coefficient(self, case: Case) -> Value:
        """Return a number A, as a sympy expression, with excess risk at most A/n after n samples."""
        raise NotImplementedError

    def variant_row(self, case: Case) -> Variant:
        """Return the bound's variant, an entry of the table in bounds/variants.py, as changed by this theorem."""
        return case.row

    def regret(self, case: Case) -> EpochSum:
        agents, arms, row = int(case["M"]), int(case["K"]), self.variant_row(case)
        g2 = row.multiplier_squared(arms, self.halves(case))
        return row.epoch_sum(agents, arms, float(self.factor(case)), partial(self.risk, case), g2)

    def closed_regret(self, case: Case) -> Value:
        return case.row.closed_form(self.factor(case), doubling_sum() * root(self.coefficient(case)))


def _elsewhere(name: str) -> str:
    """Return the end of an error message that names up to three corollaries with a parameter of this name."""
    from bounds.theorems import theorems

    labels = [t.label for t in theorems().values() if t.label.startswith("col:") and name in t.required]
    return f"; {name} is a parameter of {', '.join(labels[:3])}" if labels else ""


TYPICAL = {"M": 100, "K": 10, "T": "1e6", "F": 1000}


def check_parameters(family: Theorem, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the theorem's parameters with defaults filled in. Raise InputError that names unknown or missing ones."""
    known = (*family.required, *family.optional)
    for name in parameters:
        if name not in known:
            raise InputError("--set", name, f"unknown parameter; {nearest(name, known)}{_elsewhere(name)}")
    missing = [name for name in family.required if name not in parameters]
    if missing:
        example = " ".join(f"{name}={TYPICAL.get(name, 10)}" for name in missing)
        more = "; the excess risk is e(n) = A/n, another one is given by --risk" if "A" in missing else ""
        raise InputError("--set", None, f"give {', '.join(missing)}, e.g. --set {example}{more}")
    return {**family.optional, **parameters}
