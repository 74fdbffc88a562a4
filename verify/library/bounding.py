"""bound: a claim's bound at given parameters, or at every value of one that is given as an array."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bounds.errors import InputError
from bounds.report import parse_parameter
from verify.library.arguments import in_arguments
from verify.library.showing import html_grid, html_table, text_grid


@dataclass(frozen=True)
class Bound:
    """One bound evaluated. vacuous: not below `trivial`, what is known without learning. verdict: what stands behind
    it, as the recorded campaign found it."""

    claim: str
    variant: str
    quantity: str
    parameters: Mapping[str, Any]
    value: float
    trivial: float
    vacuous: bool
    first_informative_horizon: int | None
    hypotheses: tuple[str, ...]
    verdict: str
    closed_form: str
    latex: str
    document: Mapping[str, Any]

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        from verify.answers.bound import text

        return text(dict(self.document)).rstrip()

    def _repr_html_(self) -> str:
        rows = [
            ("claim", f"{self.claim} ({self.variant}), {self.quantity}"),
            ("value", self.value),
            ("known without learning", self.trivial),
            ("says something", not self.vacuous),
            ("verdict", self.verdict),
            ("informative from T", self.first_informative_horizon),
        ]
        return html_table(rows)

    def _repr_latex_(self) -> str:
        return f"${self.latex}$"


@dataclass(frozen=True, eq=False)
class Bounds:
    """One bound along an axis. axis: (N,) values of the parameter `over`; value, trivial: (N,); vacuous: (N,) bool."""

    over: str
    axis: np.ndarray
    value: np.ndarray
    trivial: np.ndarray
    vacuous: np.ndarray
    each: tuple[Bound, ...]

    def __len__(self) -> int:
        return len(self.each)

    def __getitem__(self, index: int) -> Bound:
        return self.each[index]

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {self.over: b.parameters[self.over], "bound": b.value, "trivial": b.trivial, "vacuous": b.vacuous}
            for b in self.each
        ]

    def __str__(self) -> str:
        return text_grid((self.over, "bound", "trivial", "vacuous"), self._rows()).rstrip()

    def _repr_html_(self) -> str:
        return html_grid((self.over, "bound", "trivial", "vacuous"), self._rows())

    def plot(self, path: str | None = None) -> Any:
        """The bound and what is known without learning, on logarithmic axes; saved if a path is given."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(6, 4), layout="constrained")
        axes = figure.subplots()
        first = self.each[0]
        axes.loglog(self.axis, self.trivial, "--", color="0.6", label="known without learning")
        axes.loglog(self.axis, self.value, label=f"{first.claim}, {first.variant} ({first.verdict})")
        axes.set_xlabel(self.over)
        axes.set_ylabel(first.quantity)
        axes.legend()
        if path is not None:
            figure.savefig(path)
        return figure


@in_arguments
def bound(
    claim: str,
    variant: str = "repaired",
    *,
    quantity: str = "regret",
    protocol: str | None = None,
    risk: str | None = None,
    optimisation: str | None = None,
    instance: str | Path | Mapping[str, Any] | None = None,
    **parameters: Any,
) -> Any:
    """The bound of a claim: bound("col:finite", "best", M=10, K=5, T=10**6, F=100). One parameter may be an array.

    claim: a label or a number in print ("Corollary 4.2"). risk, optimisation: your own formulas, as texts.
    instance: a file, or what one would hold: thm:global_regret for its lengths, arms and risks.
    """
    if instance is not None:
        from verify.answers import instance_bound

        source = instance if isinstance(instance, Mapping) else Path(instance)
        return _told(instance_bound.evaluated(claim, source, variant, parameters, risk))
    for name, text in (("claim", claim), ("variant", variant), ("quantity", quantity)):
        if not isinstance(text, str):
            raise InputError(name, repr(text), "must be a string")
    for name, formula in (("risk", risk), ("optimisation", optimisation)):
        if formula is not None and not isinstance(formula, str):
            raise InputError(name, repr(formula), "must be a formula as a string, e.g. 'd/n'")
    arrays = {name: np.asarray(v) for name, v in parameters.items() if np.ndim(v) > 0}
    if not arrays:
        return _one(claim, variant, quantity, protocol, risk, optimisation, parameters)
    if len(arrays) > 1:
        raise InputError(", ".join(arrays), "arrays", "only one parameter may be an array")
    over, axis = next(iter(arrays.items()))
    if axis.ndim != 1 or axis.size == 0:
        raise InputError(over, f"an array of shape {axis.shape}", "must have one dimension and a value")
    each = tuple(
        _one(claim, variant, quantity, protocol, risk, optimisation, parameters | {over: v})
        for v in axis.tolist()
    )
    columns = {name: np.array([getattr(b, name) for b in each]) for name in ("value", "trivial", "vacuous")}
    return Bounds(over, np.array([b.parameters[over] for b in each]), each=each, **columns)


def _one(
    claim: str,
    variant: str,
    quantity: str,
    protocol: str | None,
    risk: str | None,
    optimisation: str | None,
    parameters: Mapping[str, Any],
) -> Bound:
    from verify.answers.bound import evaluated

    given = {name: _number(name, value) for name, value in parameters.items()}
    return _told(evaluated(claim, variant, given, quantity, protocol, risk, optimisation))


def _told(document: Mapping[str, Any]) -> Bound:
    names = ("claim", "variant", "quantity", "parameters", "value", "trivial", "vacuous")
    return Bound(
        **{name: document[name] for name in names},
        first_informative_horizon=document["first_informative_horizon"],
        hypotheses=tuple(document["hypotheses"]),
        verdict=document["verdict"],
        closed_form=document["closed_form"],
        latex=document["latex"],
        document=document,
    )


def _number(name: str, value: Any) -> int | float:
    """As the command line reads it; a float that stands for a count is rounded down (np.logspace gives such)."""
    from bounds.report import COUNTS

    if isinstance(value, (bool, np.bool_)):
        return parse_parameter(name, str(int(value)))
    if name in COUNTS and isinstance(value, float) and np.isfinite(value) and value >= 1:
        near = round(value)
        value = near if abs(value - near) <= 1e-9 * value else int(value)
    return parse_parameter(name, repr(value) if isinstance(value, float) else str(value))
