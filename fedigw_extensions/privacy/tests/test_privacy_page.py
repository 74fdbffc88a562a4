"""docs/privacy.md: every number on it is what its command prints."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from refused import answered

from fedigw.applicable import applicable
from linear.protocols.direct import Direct
from verify.instances import load

PAGE = Path("docs/privacy.md").read_text(encoding="utf-8")
EXAMPLE = Path("examples/private.toml")


def test_the_example_prints_what_the_page_says(capsys):
    assert "simulate examples/private.toml --replications 20" in PAGE
    document = answered(capsys, "simulate", str(EXAMPLE), "--replications", "20")
    bound = document["bounds"]["regret"]
    assert f"a bound of {bound['value']:.6g} on the regret" in PAGE
    assert f"{bound['factor']:.2f} times the mean measured" in PAGE
    assert "epsilon 1, delta 1e-05 for the whole run" in PAGE
    assert document["privacy"]["epsilon"] == pytest.approx(1)


def test_the_table_of_bounds():
    rows = dict(
        re.findall(r"^\| `--(?:set where=|protocol )(\w+)`.*\| ([\d.e+]+) \|$", PAGE, flags=re.MULTILINE)
    )
    assert set(rows) == {"direct", "central", "agent", "local"}
    made = load(EXAMPLE)
    for where in ("central", "agent", "local"):
        value = applicable(load(EXAMPLE, settings={"where": where})).values["sharpened"]
        assert rows[where] == f"{value:.6g}"
    plain = applicable(replace(made, protocol=Direct(), privacy=None))
    assert rows["direct"] == f"{plain.values['sharpened']:.6g}"


def test_costs_of_masks():
    from fedigw.encoders.masks import KEY, Masks

    assert Masks().setup_bits(5) == (256 * 5, 256 * 5 * 4)
    assert KEY == 256
    assert "A number costs 128 bits, and a call 256 M bits up and 256 M(M-1) down for keys." in PAGE


def test_how_loose_noisy_gradients_are():
    import numpy as np

    from fedigw_extensions.privacy.claims.app_noisy_gradients import risk
    from verify.claim import Task

    found = risk(Task("quick", np.random.SeedSequence(0), 0.01 / 264))
    assert min(row["factor"] for row in found.figures["rows"]) > 40
    assert "over 40 times the measured excess risk" in PAGE.replace("\n", " ")
