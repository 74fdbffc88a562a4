"""Every bound of every claim at the edges of its parameters: a number with its formula, or one line and exit 2."""

import json
import math
import sys
from functools import cache

import pytest
import sympy

from bounds.theorems import theorems
from verify.cli import main

EDGES = {"M": ("1", "1e6"), "K": ("1", "2", "1000"), "T": ("1", "2", "3", "1e12"), "F": ("1", "2", "1e9")}
OTHERS = {"A": ("0.1",), "d": ("1", "20"), "da": ("2",), "db": ("3",), "f": ("1", "4")}


def cases() -> list[tuple[str, str, str, str]]:
    return [
        (label, variant, quantity, protocol)
        for label, theorem in theorems().items()
        for variant in theorem.variants
        for quantity in theorem.quantities
        for protocol in (*theorem.protocols, "")
    ]


@pytest.mark.parametrize(("label", "variant", "quantity", "protocol"), cases())
def test_a_bound_at_its_edges(
    label: str, variant: str, quantity: str, protocol: str, capsys: pytest.CaptureFixture[str]
) -> None:
    family = theorems()[label]
    values = {name: (EDGES | OTHERS)[name] for name in family.required}
    widest = max(len(v) for v in values.values())
    for i in range(widest):
        # a diagonal through the edges, and its mirror: every edge is met, not every combination
        for flip in (1, -1):
            words = [f"{n}={v[::flip][i % len(v)]}" for n, v in values.items()]
            command = [
                "bound",
                label,
                "--variant",
                variant,
                "--quantity",
                quantity,
                "--json",
                "--set",
                *words,
            ]
            status = main(command + (["--protocol", protocol] if protocol else []))
            captured = capsys.readouterr()
            if status == 2:
                assert captured.err.count("\n") == 1
                continue
            document = json.loads(captured.out)
            assert math.isfinite(document["value"])
            assert document["value"] >= 0
            assert document["vacuous"] == (document["value"] >= document["trivial"])
            names = symbols_of(document["closed_form"])
            assert names <= set(document["parameters"]), "the closed form speaks of the parameters alone"


@cache
def symbols_of(closed_form: str) -> set[str]:
    """The names in it; most edges have the same closed form."""
    return {str(symbol) for symbol in sympy.sympify(closed_form).free_symbols}


def test_the_edges_were_not_all_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Negative control: refusing everything would pass above."""
    for label, variant, quantity, protocol in cases():
        plain = {
            "M": "10",
            "K": "5",
            "T": "1000",
            "F": "50",
            "A": "2",
            "d": "5",
            "da": "2",
            "db": "3",
            "f": "2",
        }
        words = [f"{n}={plain[n]}" for n in theorems()[label].required]
        command = ["bound", label, "--variant", variant, "--quantity", quantity, "--set", *words]
        status = main(command + (["--protocol", protocol] if protocol else []))
        if status != 0:
            assert variant == "printed" or quantity == "regret", (label, variant, quantity, protocol)
    assert sys.stdout is not None
    capsys.readouterr()
