"""exact: compute the expected regret of a tiny instance exactly, from the probabilities of all models it may learn."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bounds.errors import InputError
from verify import options, showing
from verify.instances import Instance, kind_of, parse, place, read_with

if TYPE_CHECKING:
    from fedigw.law import ExactLaw

__all__ = ["ExactRun", "exact"]
EXAMPLE = "python -m verify exact INSTANCE.toml"


@dataclass(frozen=True)
class ExactRun:
    """The exact expected regret of a tiny instance. total_regret: as a float. fraction: as a fraction, None if it was
    computed in floats. epochs: a row for each epoch, as in the JSON document."""

    total_regret: float
    fraction: str | None
    epochs: tuple[Mapping[str, Any], ...]
    document: Mapping[str, Any]

    def __str__(self) -> str:
        return text(self.document).rstrip()

    def _repr_html_(self) -> str:
        rows = [{**epoch, "regret": epoch["regret"]["value"]} for epoch in self.epochs]
        return showing.html_grid(("epoch", "lengths", "regret"), rows)

    def plot(self, path: str | None = None) -> Any:
        """Draw the expected regret of every epoch, and the bound that holds without learning. Save the picture if a
        path is given."""
        from verify.pictures import MEASURED, WITHOUT, complete, finish, picture

        figure, (axes,) = picture()
        epochs, lost = zip(*((row["epoch"], row["regret"]["value"]) for row in self.epochs), strict=True)
        played = [sum(row["lengths"]) for row in self.epochs]
        axes.plot(epochs, played, label="known without learning", **WITHOUT)
        axes.plot(epochs, lost, color="C0", label="expected regret, exactly", **MEASURED)
        scale = "log" if min(lost) > 0 else "linear"
        axes.set(yscale=scale, xticks=epochs, xlabel="epoch", ylabel="regret of the epoch")
        most = epochs[lost.index(max(lost))]
        finish(axes, f"The run loses {self.total_regret:.4g} in expectation, most of it in epoch {most}")
        return complete(figure, path)


def exact(instance: Instance) -> ExactRun:
    """Compute the expected regret of every epoch of a tiny instance, in fractions if few outcomes are possible, else in
    floats."""
    document = document_of(read_with(place(instance)))
    total = document["total_regret"]
    return ExactRun(total["value"], total["fraction"], tuple(document["epochs"]), document)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("instance", metavar="INSTANCE.toml", type=Path)
    parser.add_argument("--json", action="store_true", help="machine-readable")


def execute(given: argparse.Namespace) -> int:
    options.show(document_of(read_with(given.instance)), text, given.json)
    return 0


def document_of(table: Mapping[str, Any]) -> dict[str, Any]:
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)  # the limit protects against long input; here the output is long
    try:
        federation = parse(table)
        exact_law = kind_of(federation.kind).exact_law
        if exact_law is None:
            raise InputError("kind", federation.kind, "the exact law is for finite_class and linear")
        return _json(exact_law(federation), getattr(federation.model, "size", None))
    finally:
        sys.set_int_max_str_digits(limit)


def _json(law: ExactLaw, initial: int | None) -> dict[str, Any]:
    def number(value: Any) -> dict[str, Any]:
        fraction = str(Fraction(value)) if law.arithmetic == "rational" else None
        return {"fraction": fraction, "value": float(value)}

    epochs = []
    for index, epoch in enumerate(law.epochs, start=1):
        row: dict[str, Any] = {"epoch": index, "lengths": list(epoch.lengths)}
        if epoch.law is None:
            row |= {"learning_rate": epoch.learning_rate, "estimates": epoch.models}
        else:
            named = {"initial" if s == initial else str(s): number(p) for s, p in epoch.law.items()}
            row |= {"learning_rate": number(epoch.learning_rate), "law": named}
        row["regret"] = number(epoch.regret)
        if epoch.excess_risk is not None:
            row["excess_risk"] = number(epoch.excess_risk)
        if epoch.a is not None:
            row |= {"a": number(epoch.a), "b": number(epoch.b)}
        epochs.append(row)
    return {"arithmetic": law.arithmetic, "epochs": epochs, "total_regret": number(law.total_regret)}


def text(document: Mapping[str, Any]) -> str:
    lines = [f"arithmetic: {document['arithmetic']}"]
    for row in document["epochs"]:
        risk = f"  excess risk {row['excess_risk']['value']:.6g}" if "excess_risk" in row else ""
        epoch, regret = (
            f"epoch {row['epoch']}  lengths {row['lengths']}",
            f"{row['regret']['value']:.6g}{risk}",
        )
        if "law" not in row:
            known = f"learning rate {row['learning_rate']:.6g}  estimates {row['estimates']}"
            lines.append(f"{epoch}  {known}  regret {regret}")
            continue
        rate, a, b = (f"{row[name]['value']:.6g}" for name in ("learning_rate", "a", "b"))
        lines.append(f"{epoch}  learning rate {rate}  regret {regret}  a {a}  b {b}")
        law = ", ".join(f"{k}: {v['value']:.6g}" for k, v in row["law"].items())
        lines.append(f"  law of the function in use: {law}")
    total = document["total_regret"]
    short = total["fraction"] is not None and len(total["fraction"]) <= 60
    exact = f" = {total['fraction']}" if short else ""
    lines.append(f"total regret {total['value']:.10g}{exact}")
    return "\n".join(lines) + "\n"
