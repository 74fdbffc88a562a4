"""The numbers of docs/compression.md and docs/gossip.md are those that the program gives."""

from pathlib import Path
from typing import Any

import pytest

from fedigw.applicable import applicable, declared_cost
from verify.campaign.units import Settings, run_unit
from verify.instances import load

ROOT = Path(__file__).resolve().parents[3]


def words(name: str) -> str:
    return " ".join((ROOT / "docs" / name).read_text(encoding="utf-8").split())


def figures(label: str, name: str) -> dict[str, Any]:
    outcome = run_unit(Settings(), label, name)
    assert outcome.failure is None
    assert outcome.control_ok
    return dict(outcome.evidence.figures) | {"control": outcome.control.figures}


def test_the_example_of_compression():
    federation, text = load(ROOT / "examples/compressed.toml"), words("compression.md")
    cost = declared_cost(federation)
    assert cost is not None
    assert f"{sum(t.rounds for t in cost)} rounds in {sum(t.calls for t in cost)} calls" in text
    assert f"{sum(t.bits_up for t in cost)} bits up" in text
    assert federation.protocol.notes(federation.setting) == (
        "a message of 8 numbers takes 64 bits, 8 a number",
    )


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("app:diana", "after {rounds} rounds at {bits_a_number:g} bits a number"),
        ("app:ef21", "after {rounds} rounds at {bits_a_number:g} bits a number"),
    ],
)
def test_what_is_reached(label, said):
    found = figures(label, "reach")
    assert found["distance"] < 1e-8
    assert found["bits_up"] == found["formula"]
    assert said.format(**found) in words("compression.md")
    if label == "app:diana":  # "stays 0.01 to 0.04 away"
        assert 0.01 < found["control"]["distance"] < 0.04


def test_the_example_of_gossip():
    federation, text = load(ROOT / "examples/gossip.toml"), words("gossip.md")
    cost = declared_cost(federation)
    assert cost is not None
    assert f"{sum(t.rounds for t in cost)} rounds in {sum(t.calls for t in cost)} calls" in text
    assert f"{sum(t.numbers for t in cost)} numbers over the edges" in text
    assert f"{applicable(federation).values['sharpened']:.6g}, not vacuous" in text
    assert "spectral gap 0.127322" in federation.protocol.notes(federation.setting)[0]
    assert "spectral gap 0.127322" in text


def test_the_ring_of_ten():
    found = figures("app:gossip_statistics", "server")
    assert max(found["statistics"], found["estimates"]) < 1e-9
    assert f"after the {found['rounds']} rounds of the theorem" in words("gossip.md")
