"""A bound is no surer than what it rests on: the word beside it is that of its weakest part, for that federation."""

import json
from pathlib import Path

import pytest

from verify.cli import main
from verify.verdict import shown

EXAMPLE = (
    Path(__file__).resolve().parents[3] / "examples" / "linear.toml"
)  # two hospitals, different patients


def one_law(folder: Path) -> Path:
    made = folder / "same.toml"
    made.write_text(
        EXAMPLE.read_text(encoding="utf-8").replace('"1/4", "3/4"', '"1/2", "1/2"'), encoding="utf-8"
    )
    return made


def verdict_of(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    return shown(found if "verdict" in found else found["bounds"]["regret"])


@pytest.mark.parametrize(
    ("protocol", "same", "different"),
    [
        ("direct", "proved (Coq)", "proved (Coq)"),
        ("agd", "proved (Coq)", "proved (Coq)"),
        ("cg", "proved (z3)", "proved (z3)"),
        ("chebyshev", "undecided", "undecided"),  # its rate is a theorem of the literature, and of no claim
        ("agd_convex", "measured (level 3.8e-05)", "measured (level 3.8e-05)"),
    ],
)
def test_the_verdict_is_that_of_the_weakest_part(
    protocol: str, same: str, different: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--protocol", protocol, "--set", "horizon=16")
    runs = ("--replications", "2")
    assert verdict_of(capsys, "simulate", str(one_law(tmp_path)), *words, *runs) == same
    assert verdict_of(capsys, "simulate", str(EXAMPLE), *words, *runs) == different
    formula = ("bound", "col:linear", "--protocol", protocol, "--set", "M=2", "K=3", "T=16", "d=3")
    assert verdict_of(capsys, *formula) == same
    assert verdict_of(capsys, *formula, "heterogeneous=1") == different


def test_local_methods_in_personalised_worlds_point_to_their_own_corollary(
    capsys: pytest.CaptureFixture[str],
) -> None:
    personal = str(EXAMPLE.with_name("linear_personalised.toml"))
    words = ["--protocol", "lsgd_pfl", "--set", "horizon=16", "rounds=3", "--replications", "2"]
    assert main(["simulate", personal, *words]) == 0
    assert "see `bound col:convex_per`" in capsys.readouterr().out
