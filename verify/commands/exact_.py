"""exact: the exact law of a tiny finite-class run."""

from __future__ import annotations

import argparse
import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

from bounds.errors import InputError
from verify.instances import load


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("instance", metavar="INSTANCE.toml", type=Path)
    parser.add_argument("--json", action="store_true", help="machine-readable")


def execute(options: argparse.Namespace) -> int:
    from finite_class.instance import FiniteClassInstance
    from finite_class.law import exact_law

    instance = load(options.instance)
    if not isinstance(instance, FiniteClassInstance):
        raise InputError("kind", instance.kind, "the exact law is for finite_class instances")
    law = exact_law(instance, suprema=True)
    sys.set_int_max_str_digits(0)  # of input the limit is a protection; long fractions of ours are the answer
    document = to_json(law, len(instance.functions))
    sys.stdout.write(json.dumps(document, indent=1) + "\n" if options.json else _text(document))
    return 0


def to_json(law: Any, initial: int) -> dict[str, Any]:
    """The document of the command-line contract."""
    exact = law.arithmetic == "rational"

    def number(value: Any) -> dict[str, Any]:
        return {"fraction": str(Fraction(value)) if exact else None, "value": float(value)}

    epochs = []
    for index, epoch in enumerate(law.epochs, start=1):
        row: dict[str, Any] = {
            "epoch": index,
            "lengths": list(epoch.lengths),
            "learning_rate": number(epoch.learning_rate),
            "law": {"initial" if s == initial else str(s): number(p) for s, p in epoch.law.items()},
            "regret": number(epoch.regret),
        }
        if epoch.excess_risk is not None:
            row["excess_risk"] = number(epoch.excess_risk)
        row |= {"a": number(epoch.a), "b": number(epoch.b)}
        epochs.append(row)
    return {"arithmetic": law.arithmetic, "epochs": epochs, "total_regret": number(law.total_regret)}


def _text(document: dict[str, Any]) -> str:
    lines = [f"arithmetic: {document['arithmetic']}"]
    for row in document["epochs"]:
        law = ", ".join(f"{k}: {v['value']:.6g}" for k, v in row["law"].items())
        risk = f"  excess risk {row['excess_risk']['value']:.6g}" if "excess_risk" in row else ""
        lines.append(
            f"epoch {row['epoch']}  lengths {row['lengths']}  learning rate {row['learning_rate']['value']:.6g}"
            f"  regret {row['regret']['value']:.6g}{risk}  a {row['a']['value']:.6g}  b {row['b']['value']:.6g}"
        )
        lines.append(f"  law of the function in use: {law}")
    total = document["total_regret"]
    exact = (
        f" = {total['fraction']}" if total["fraction"] is not None and len(total["fraction"]) <= 60 else ""
    )
    lines.append(f"total regret {total['value']:.10g}{exact}")
    return "\n".join(lines) + "\n"
