"""bound: evaluate a bound."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bounds.errors import InputError
from bounds.report import COUNTS, parse_parameter
from verify import options, showing
from verify.verbs.bound.document import QUANTITIES, evaluated, text

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Bound", "Bounds", "bound"]
EXAMPLE = "python -m verify bound col:finite --variant best --set M=100 K=10 T=1e6 F=1000"
PYTHON = """
found = bound("col:finite", "best", M=100, K=10, T=10**6, F=1000)
assert found.verdict == "kernel" and not found.vacuous"""


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
        return showing.html_table(rows)

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
        return showing.text_grid((self.over, "bound", "trivial", "vacuous"), self._rows()).rstrip()

    def _repr_html_(self) -> str:
        return showing.html_grid((self.over, "bound", "trivial", "vacuous"), self._rows())

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
        from verify.verbs.bound import instance as of_file

        source = instance if isinstance(instance, Mapping) else Path(instance)
        return _of_document(of_file.evaluated(claim, source, variant, parameters, risk))
    for name, given in (("claim", claim), ("variant", variant), ("quantity", quantity)):
        if not isinstance(given, str):
            raise InputError(name, repr(given), "must be a string")
    for name, formula in (("risk", risk), ("optimisation", optimisation)):
        if formula is not None and not isinstance(formula, str):
            raise InputError(name, repr(formula), "must be a formula as a string, e.g. 'd/n'")
    import numpy as np

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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("claim", metavar="CLAIM", help="e.g. col:finite")
    parser.add_argument(
        "--variant", default="repaired", help="printed, repaired (if not given), sharpened, ..."
    )
    parser.add_argument(
        "--set", nargs="+", default=[], metavar="NAME=VALUE", dest="assignments", action="extend"
    )
    parser.add_argument("--quantity", default="regret", help=", ".join(QUANTITIES))
    parser.add_argument("--protocol", help="where it matters, e.g. direct, agd, cg")
    parser.add_argument("--risk", metavar="FORMULA", help="your own excess risk e(n), e.g. 'd/n'")
    parser.add_argument("--optimisation", metavar="FORMULA", help="col:convex_raw: error after R rounds")
    parser.add_argument(
        "--instance",
        metavar="FILE.toml",
        type=Path,
        help="thm:global_regret: schedule, lengths, arms and risks of a file",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="machine-readable")
    form.add_argument("--latex", action="store_true", help="the closed form alone, for a paper")


def execute(given: argparse.Namespace) -> int:
    parameters = _assignments(given.assignments)
    if given.instance is not None:
        from verify.verbs.bound import instance as of_file

        document = of_file.evaluated(given.claim, given.instance, given.variant, parameters, given.risk)
    else:
        document = evaluated(
            given.claim,
            given.variant,
            parameters,
            given.quantity,
            given.protocol,
            given.risk,
            given.optimisation,
        )
    if given.latex:
        sys.stdout.write(document["latex"] + "\n")
    else:
        options.show(document, text, given.json)
    return 0


def _assignments(words: list[str]) -> dict[str, Any]:
    parameters: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise InputError("--set", word, "must be NAME=VALUE")
        if name in parameters:
            raise InputError("--set", word, f"{name} is given twice")
        parameters[name] = parse_parameter(name, value)
    return parameters


def _one(
    claim: str,
    variant: str,
    quantity: str,
    protocol: str | None,
    risk: str | None,
    optimisation: str | None,
    parameters: Mapping[str, Any],
) -> Bound:
    given = {name: _number(name, value) for name, value in parameters.items()}
    return _of_document(evaluated(claim, variant, given, quantity, protocol, risk, optimisation))


def _of_document(document: Mapping[str, Any]) -> Bound:
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
    value = value.item() if hasattr(value, "item") else value  # numpy's numbers
    if isinstance(value, bool):
        return parse_parameter(name, str(int(value)))
    if name in COUNTS and isinstance(value, float) and 1 <= value < math.inf:
        near = round(value)
        value = near if abs(value - near) <= 1e-9 * value else int(value)
    return parse_parameter(name, repr(value) if isinstance(value, float) else str(value))
