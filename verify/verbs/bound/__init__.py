"""bound: evaluate the bound that a claim gives on regret or communication, at given parameters."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bounds import quantities
from bounds.errors import InputError
from bounds.names import WORDS
from bounds.report import parse_parameter
from bounds.theorem import TYPICAL
from verify import options, showing
from verify.verbs.bound import objects
from verify.verbs.bound.document import evaluated, text, trivially
from verify.verbs.bound.objects import Formula, Lemma, Variants, crossing, optimal, sides, theorem_of
from verify.verdict import shown

if TYPE_CHECKING:
    import numpy as np

    from verify.instances import Instance

__all__ = ["Bound", "Bounds", "Formula", "Lemma", "Variants", "bound", "crossing", "optimal", "sides"]
EXAMPLE = "python -m verify bound CLAIM --variant best --set T=1e6"
ALSO = {  # examples of the other functions
    "crossing": """
assert crossing("agd", "direct", M=10, T=1000)["d"] == 910""",
    "optimal": """
assert round(optimal("g", K=10)["g"], 2) == 0.74""",
}


@dataclass(frozen=True)
class Bound(objects.Operations):
    """A claim's bound on regret or communication at given parameters. trivial: the bound that holds without learning.
    vacuous: whether `value` is not below `trivial`. verdict, by: the recorded verdict on the claim, and its method.
    document: what `bound --json` prints."""

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
    by: str | None
    closed_form: str
    latex: str
    document: Mapping[str, Any]

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        return text(dict(self.document)).rstrip()

    def _repr_html_(self) -> str:
        rows = {"claim": f"{self.claim} ({self.variant}), {self.quantity}", "value": self.value}
        rows |= {trivially(self.quantity): self.trivial, "says something": not self.vacuous}
        rows |= {"verdict": shown(self.document), "informative from T": self.first_informative_horizon}
        return showing.html_table([*rows.items(), ("formula", self._repr_latex_())])

    def _repr_latex_(self) -> str:
        return f"${objects.pasted(self)}$"


@dataclass(frozen=True, eq=False)
class Bounds:
    """A claim's bound at N values of the parameter named `over`. Arrays have shape (N,). axis: the parameter's values;
    value: the bounds; trivial: the bounds that hold without learning; vacuous: where `value` is not below `trivial`;
    each: the bound at each value."""

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

    def _grid(self) -> tuple[tuple[str, ...], list[dict[str, Any]]]:
        columns = (self.over, "bound", "trivial", "vacuous")
        values = [(b.parameters[self.over], b.value, b.trivial, b.vacuous) for b in self.each]
        return columns, [dict(zip(columns, row, strict=True)) for row in values]

    def __str__(self) -> str:
        return showing.text_grid(*self._grid()).rstrip()

    def _repr_html_(self) -> str:
        return showing.html_grid(*self._grid())

    def plot(self, path: str | None = None) -> Any:
        """Draw the bound, and the one that holds without learning, on logarithmic axes. Save the picture if a path is
        given."""
        return objects.draw([self], path)


def bound(
    claim: str,
    variant: str = "repaired",
    *,
    quantity: str = "regret",
    protocol: str | None = None,
    risk: str | None = None,
    optimisation: str | None = None,
    instance: Instance | None = None,
    **parameters: Any,
) -> Any:
    """Evaluate the bound of a claim, e.g. bound(label, "best", M=10, K=5, T=10**6, F=100).

    One parameter may be an array; T="T" makes it a symbol. claim: a label or a number in print. variant: a form of the
    statement, or "all" for a table. quantity: "regret", or what `protocol` sends, e.g. "numbers". risk, optimisation:
    your own formulas, as texts, for the excess risk and the optimisation error. instance: an instance file, or a
    mapping with its keys; the general regret theorem is then evaluated for its epoch lengths, arms and excess risks.
    """
    for name, given in (("claim", claim), ("variant", variant), ("quantity", quantity)):
        if not isinstance(given, str):
            raise InputError(name, repr(given), "must be a string")
    for name, formula in (("risk", risk), ("optimisation", optimisation)):
        if formula is not None and not isinstance(formula, str):
            raise InputError(name, repr(formula), "must be a formula as a string, e.g. 'd/n'")
    import numpy as np

    from verify.instances import place

    source = None if instance is None else place(instance)
    if any(isinstance(value, str) and value == key for key, value in parameters.items()):
        return objects.with_symbols(claim, variant, quantity, protocol, parameters)
    asked: dict[str, Any] = {"claim": claim, "quantity": quantity, "protocol": protocol}
    asked |= {"risk": risk, "optimisation": optimisation, "instance": source}
    if variant == "all":
        return all_variants(parameters, **asked)
    asked["variant"] = variant
    arrays = {name: np.asarray(v) for name, v in parameters.items() if np.ndim(v) > 0}
    if not arrays:
        return of_parameters(parameters, **asked)
    if len(arrays) > 1:
        raise InputError(", ".join(arrays), "arrays", "only one parameter may be an array")
    over, axis = next(iter(arrays.items()))
    if axis.ndim != 1 or axis.size == 0:
        raise InputError(over, f"an array of shape {axis.shape}", "must have one dimension and a value")
    each = tuple(of_parameters(parameters | {over: v}, **asked) for v in axis.tolist())
    columns = {name: np.array([getattr(b, name) for b in each]) for name in ("value", "trivial", "vacuous")}
    return Bounds(over, np.array([b.parameters[over] for b in each]), each=each, **columns)


def of_parameters(
    given: Mapping[str, Any],
    claim: str,
    variant: str,
    risk: str | None,
    instance: Path | Mapping[str, Any] | None,
    **more: Any,
) -> Bound:
    """Evaluate a claim's bound at one point. given: the parameters by name; counts given as floats are rounded down.
    The other arguments are those of `bound`."""
    parameters: dict[str, Any] = {}
    for word, value in given.items():
        name = WORDS.get(word.replace("-", "_"), word)
        if name in parameters:
            raise InputError("--set", f"{word}={value}", f"is {name}, which is given twice")
        parameters[name] = parse_parameter(name, value)
    if instance is None:
        document = evaluated(claim, variant, parameters, risk=risk, **more)
    else:
        from verify.verbs.bound import instance as of_file

        document = of_file.evaluated(claim, instance, variant, parameters, risk)
    shown = {f.name: document[f.name] for f in fields(Bound) if f.name not in ("hypotheses", "document")}
    return Bound(**shown, hypotheses=tuple(document["hypotheses"]), document=document)


def all_variants(given: Mapping[str, Any], **asked: Any) -> Variants:
    rows, refused = [], None
    for variant in theorem_of(asked["claim"], asked["risk"], asked["optimisation"]).variants:
        try:
            rows.append(of_parameters(given, variant=variant, **asked))
        except InputError as error:
            refused = refused or error
    if refused is not None and not rows:
        raise refused
    return Variants(tuple(rows))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("claim", metavar="CLAIM", help="a label, or a number in print")
    parser.add_argument("--variant", default="repaired", help="printed, repaired (default), ..., all")
    options.add_settings(parser, "parameters of the bound: M=10 K=5 T=1e6")
    parser.add_argument("--quantity", default="regret", help=", ".join(("regret", *quantities.names())))
    parser.add_argument("--protocol", help="where it matters, e.g. direct, agd, cg")
    parser.add_argument("--risk", metavar="FORMULA", help="your own excess risk e(n), e.g. 'd/n'")
    parser.add_argument(
        "--optimisation", metavar="FORMULA", help="your own optimisation error after R rounds"
    )
    about = "for the theorem about federations: schedule, lengths, arms and risks of a file"
    parser.add_argument("--instance", metavar="FILE.toml", type=Path, help=about)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="machine-readable")
    form.add_argument("--latex", action="store_true", help="only the closed form, for a paper")


def execute(given: argparse.Namespace) -> int:
    parameters: dict[str, str] = {}
    for word in options.separated(given.settings):
        name, equals, value = map(str.strip, word.partition("="))
        if not equals or not name:
            raise InputError("--set", word, "must be NAME=VALUE, e.g. --set M=100 K=10")
        if ";" in value:
            raise InputError(
                "--set", word, f"separate by blanks: --set {' '.join(word.replace(';', ' ').split())}"
            )
        if name in parameters:
            raise InputError("--set", word, f"{name} is given twice")
        parameters[name] = value
    names = ("claim", "variant", "quantity", "protocol", "risk", "optimisation", "instance")
    asked = {name: getattr(given, name) for name in names}
    if any(name == value for name, value in parameters.items()):
        found = objects.with_symbols(given.claim, given.variant, given.quantity, given.protocol, parameters)
        shown_fields = ("claim", "variant", "quantity", "expression", "exact", "latex")
        written = found.latex if given.latex else str(found)
        document = {name: str(getattr(found, name)) for name in shown_fields}
        options.show(document, lambda _: written + "\n", given.json)
        return 0
    if given.latex and given.instance is None:  # the formula has symbols in the place of these numbers
        known = {WORDS.get(name, name) for name in parameters}
        required = theorem_of(given.claim, given.risk, given.optimisation).required
        parameters |= {name: str(TYPICAL.get(name, 10)) for name in required if name not in known}
    if given.variant == "all":
        del asked["variant"]
        table = all_variants(parameters, **asked)
        lines = [f"{objects.pasted(r)} % {r.variant}" for r in table.rows] if given.latex else [str(table)]
        options.show(table.document, lambda _: "\n".join(lines) + "\n", given.json)
        return 0
    one = of_parameters(parameters, **asked)
    if given.latex:
        sys.stdout.write(f"{objects.pasted(one)}\n% exactly: {one.latex}\n")
    else:
        options.show(one.document, text, given.json)
    return 0
