"""What a command on a generated world will cost is said before the work begins."""

from __future__ import annotations

import math

import pytest

from bounds.errors import InputError
from fedigw import effort
from verify import cli
from verify.answers import foretelling
from verify.answers.foretelling import extrapolated, foretell, large_sizes
from verify.instances import parse


@pytest.mark.parametrize("exponent", [0.25, 1.0, 2.0])
def test_a_constant_and_a_power_are_extrapolated(exponent: float) -> None:
    points = [(float(n), 0.01 + 1e-5 * n**exponent) for n in (12, 96, 768, 6144)]
    right = 0.01 + 1e-5 * 1e6**exponent
    # the constant is taken from the smallest trial, which has a share of its own: within a fifth here
    assert extrapolated(points, 1e6, 1e-9) == pytest.approx(right, rel=0.2)


def test_what_was_lost_in_the_noise_grew_at_least_as_steeply_as_is_seen() -> None:
    seen = extrapolated([(10, 0.0), (100, 0.001), (1000, 1.0)], 1e4, 0.01)
    assert seen == pytest.approx(100)  # exponent 2 at least, where a straight line says 10


def test_one_trial_alone_says_no_more_than_itself() -> None:
    assert extrapolated([], 1e9, 0.01) == 0
    assert extrapolated([(10, 0.5)], 1e9, 0.01) == 0.5


def test_the_sizes_of_a_file_and_not_its_seed_or_a_users_own() -> None:
    world = {"name": "sphere", "agents": 2000, "arms": 3, "dimension": "1e3", "seed": 10**6}
    assert large_sizes({"environment": world}) == {"agents": 2000, "dimension": 1000}
    assert large_sizes({"environment": world | {"name": "own.py"}}) == {}
    assert large_sizes({"environment": "sphere"}) == large_sizes({}) == {}


def test_sizes_shrink_together_and_the_horizon_with_them() -> None:
    tables: list[dict[str, int]] = []

    def answer(table: object) -> None:
        assert isinstance(table, dict)
        tables.append(dict(table["environment"]) | {"horizon": table["horizon"]})

    file = {
        "kind": "linear",
        "horizon": 10**6,
        "environment": {"name": "sphere", "agents": 10**4, "arms": 100},
    }
    with effort.limited():
        foretell(file, answer)
    assert tables
    for table in tables:
        whole = math.log(table["agents"]) / math.log(10**4)
        assert table["agents"] < 10**4
        if min(table["agents"], table["arms"]) > foretelling.SMALL:
            assert math.log(table["horizon"]) / math.log(10**6) == pytest.approx(whole, abs=0.02)


def test_nothing_is_tried_where_nothing_is_limited() -> None:
    def answer(table: object) -> None:
        raise AssertionError(table)

    foretell({"environment": {"name": "sphere", "agents": 10**6}}, answer)


def test_a_trial_that_needs_too_much_is_the_answer() -> None:
    def greedy(table: object) -> None:
        raise MemoryError

    with effort.limited(), pytest.raises(InputError, match="needs more memory than is available already"):
        foretell({"environment": {"name": "sphere", "agents": 10**6}}, greedy)


@pytest.mark.parametrize(
    ("kind", "environment"),
    [
        ("finite_class", {"name": "random_table", "agents": 20_000}),
        # quadratic: XK functions of XK values
        ("finite_class", {"name": "near_ties", "arms": 300, "contexts": 2}),
        ("linear", {"name": "finite_contexts", "contexts": 20_000, "agents": 2}),
    ],
)
def test_memory_is_foretold_within_a_factor_of_two(
    kind: str, environment: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bytes, unlike seconds, are the same on a busy machine: the estimate beside the whole itself."""
    monkeypatch.setattr(foretelling, "FAR", 10**9)  # no trial is left out as harmless
    table = {"kind": kind, "horizon": 1000, "environment": environment}
    sizes = large_sizes(table) | {"horizon": 1000}
    with effort.limited():
        tries = foretelling._tries(table, sizes, parse, ("", 0))
    whole = foretelling._peak(lambda: parse(table))
    estimate = extrapolated(tries.peaks, math.prod(sizes.values()), foretelling.PAGE)
    assert whole > 10 * tries.peaks[0][1]  # so that a constant would not do
    assert whole / 2 < estimate < 2 * whole


WORLDS = (
    # agents, quadratic in the personalised room; a class of XK functions of XK values each; rationals; a long stream
    ('kind = "linear_personalised"\nhorizon = 24\nenvironment = {name = "small_gap", agents = 2000000}', "simulate"),
    ('kind = "finite_class"\nhorizon = 24\nenvironment = {name = "near_ties", arms = 30000}', "simulate"),
    ('kind = "linear"\nhorizon = 1000\nenvironment = {name = "small_gap", arms = 300}', "exact"),
    ('kind = "linear"\nhorizon = 100000000\nenvironment = {name = "sphere"}\nlearning_rate = "adaptive"', "simulate"),
    ('kind = "finite_class"\nhorizon = 24000\nenvironment = {name = "rare_context", agents = 5, functions = 5}\n'
     "schedule = {doubling_capped = 4}", "exact"),
    ('kind = "linear"\nhorizon = 24\nenvironment = {name = "finite_contexts", agents = 2000000}\n'
     'system = {name = "delb"}', "simulate"),
)  # fmt: skip


@pytest.mark.parametrize(("text", "command"), WORLDS)
def test_worlds_between_the_usual_and_the_absurd_are_refused_with_the_estimate(
    text: str,
    command: str,
    tmp_path: object,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from pathlib import Path

    monkeypatch.setenv("VERIFY_TIME_LIMIT", "8")
    file = Path(str(tmp_path)) / "world.toml"
    file.write_text(text + "\n", encoding="utf-8")
    more = ["--replications", "2"] if command == "simulate" else []
    assert cli.main([command, str(file), *more]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "would take about" in said or "GB of memory" in said or "already" in said, said
    assert "did not end" not in said
