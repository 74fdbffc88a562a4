"""col:convex, col:convex_raw, col:convex_per: rounds, numbers, regret, and what the report says beside them."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds import linear_communication
from bounds.col_convex_rounds import PROTOCOLS, Call, risk_factor, schedule, target_gap
from bounds.errors import InputError
from bounds.theorem import Case
from bounds.theorems import col_convex, col_convex_per, col_convex_raw, col_linear
from verify.cli import main

WORKED = {
    "agd": ("1446", "1950"),
    "gd": ("71980", "97513"),
    "scaffold": ("364580", "490284"),
    "fedavg": ("1.1e+07", "1.8e+08"),
    "scaffold_sgd": ("8.1e+07", "2e+10"),
    "fedavg_sgd": ("1.5e+08", "3.8e+10"),
}


@pytest.mark.parametrize("protocol", WORKED)
def test_rounds_of_the_worked_example(protocol: str) -> None:
    for road, shown in zip((2, 1), WORKED[protocol], strict=True):
        server = 1.0 if protocol == "fedavg" else math.sqrt(10)
        rounds = schedule(protocol, Call(10240, 10, 5, 0.5, 1024, server, road)).rounds
        assert (f"{rounds}" if "e" not in shown else f"{rounds:.2g}") == shown


def test_agd_by_the_distance_is_the_schedule_of_col_linear() -> None:
    for n, d, delta in ((20, 1, 0.1), (640, 5, 0.5), (10**6, 40, 0.1)):
        theirs = linear_communication.rounds_of_call("agd", n, d, delta)
        assert schedule("agd", Call(n, 10, d, delta, road=1)).rounds == theirs


calls = st.builds(
    Call,
    st.integers(1, 10**9),
    st.integers(1, 100),
    st.integers(1, 100),
    st.floats(0.01, 2),
    st.integers(1, 1000),
    st.floats(1, 10),
    st.sampled_from([1, 2]),
)


@given(calls, st.sampled_from(list(PROTOCOLS)))
def test_a_schedule_has_an_admissible_step_and_at_least_one_round(call: Call, protocol: str) -> None:
    plan = schedule(protocol, call)
    assert plan.rounds >= 1
    assert 0 < plan.step <= 1 / call.beta
    limits = {"scaffold": 2, "fedavg_sgd": 25, "scaffold_sgd": 26}
    assert plan.step <= 1 / (limits.get(protocol, 1) * call.beta) * (1 + 1e-12)


@given(calls, st.sampled_from(list(PROTOCOLS)), st.floats(1.1, 10))
def test_a_smaller_tolerance_takes_no_fewer_rounds(call: Call, protocol: str, times: float) -> None:
    from dataclasses import replace

    assert (
        schedule(protocol, replace(call, tolerance=call.tolerance / times)).rounds
        >= schedule(protocol, call).rounds
    )


@given(calls)
def test_local_steps_never_have_a_better_guarantee_than_gradient_descent(call: Call) -> None:
    """The point of the corollary's honest reading: in the worst case plain gradient descent is at least as good."""
    plain = schedule("gd", call).rounds
    assert all(
        schedule(p, call).rounds >= plain for p in ("scaffold", "fedavg", "scaffold_sgd", "fedavg_sgd")
    )


def test_fedavg_with_one_full_local_step_is_gradient_descent() -> None:
    call = Call(640, 10, 5, 0.5, local_steps=1, server_step=3.0)
    assert schedule("fedavg", call) == schedule("gd", call)


def test_numbers_of_a_call() -> None:
    sent = {name: row.counted(10, 5, 7) for name, row in PROTOCOLS.items()}
    assert (sent["fedavg"].numbers_up, sent["fedavg"].numbers_down) == (350, 350)
    assert sent["scaffold"] == sent["fedavg"], "the server's control variate need not be sent"
    assert (sent["fedavg_sgd"].numbers_up, sent["fedavg_sgd"].numbers_down) == (350, 400)
    assert sent["agd"] == linear_communication.PROTOCOLS["agd"].counted(10, 5, 7)


def test_the_gap_of_each_road() -> None:
    n, d, delta = 999, 4, 0.5
    assert target_gap(n, d, delta, 1) == pytest.approx(0.25 * 2 / (999 * 1000))
    s = 6.52 * math.log(4 / (0.5 * 2 / 1000))
    assert target_gap(n, d, delta, 2) == pytest.approx(0.25 * 2 / (s * 1000))
    assert (risk_factor(0.5, 1), risk_factor(0.5, 2)) == (2.25, 2.75)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"road": 3}, "road = 3"),
        ({"tolerance": 0.0}, "must be positive"),
        ({"server_step": 0.5}, "at least 1"),
    ],
)
def test_settings_without_a_guarantee_are_refused(changes: dict[str, float], message: str) -> None:
    settings = {"n": 100, "agents": 10, "dimension": 5, "tolerance": 0.5} | changes
    with pytest.raises(InputError, match=message):
        Call(**settings)  # type: ignore[arg-type]


def bound(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    assert main(["bound", *words, "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize("protocol", list(PROTOCOLS))
def test_the_command_of_the_issue(protocol: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--protocol", protocol, "--set", "M=10", "K=5", "T=1e6", "d=5", "delta=0.5")
    found = {q: bound(capsys, "col:convex", "--quantity", q, *words) for q in ("regret", "rounds", "numbers")}
    made = [Call(10 * e, 10, 5, 0.5, 10, 1.0, 2) for e in (2, *(2**k for k in range(1, 19)))]
    rounds = [schedule(protocol, call).rounds for call in made]
    sent = sum(PROTOCOLS[protocol].counted(10, 5, k).numbers for k in rounds)
    assert (found["rounds"]["value"], found["numbers"]["value"]) == (float(sum(rounds)), float(sent))
    # e is 2.75 C/(n+1): between those of exact solvers with tolerances that bracket sqrt(2.75) - 1
    low, high = (col_linear.epoch_sum("repaired", 10, 5, 5, x).value(10**6) for x in (0.658, 0.659))
    assert low < found["regret"]["value"] < high  # type: ignore[operator]
    assert any("more rounds" in str(h) for h in found["rounds"]["hypotheses"])  # type: ignore[attr-defined]


def test_no_remark_where_the_guarantee_is_cheap(capsys: pytest.CaptureFixture[str]) -> None:
    assert col_convex.remark("agd", 10, 1000, 4, 60, 10**6) == ()
    soft = col_convex.remark("agd", 10, 5, 2**20, 100, 10**9)
    assert "numbers, the direct method sends" in soft[0]


def test_the_paper_bounds_only_its_two_protocols(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--variant", "printed", "--protocol", "agd", "--set", "M=10", "K=5", "T=100", "d=5"]
    assert main(["bound", "col:convex", "--quantity", "rounds", *words]) == 2
    assert "the paper bounds only fedavg and scaffold" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("col:convex --set M=10 K=5 T=9 d=5 server_step=0.5", "server_step = 0.5: must be at least 1"),
        ("col:convex --set M=10 K=5 T=9 d=5 road=3", "road = 3"),
        ("col:convex --set M=10 K=5 T=9 d=5 local_steps=0", "local_steps = 0: must be a positive integer"),
        ("col:convex --set M=10 K=5 T=9 d=5 local_steps=2.5", "must be a positive integer"),
        ("col:convex_per --set M=10 K=5 T=9 da=5 db=1 delta=0", "delta = 0: must be a positive number"),
        ("col:convex_per --protocol fedavg --set M=10 K=5 T=9 da=5 db=1", "--protocol = fedavg: unknown"),
    ],
)
def test_bad_settings_are_one_line(words: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bound", *words.split()]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert message in error


def test_the_restated_corollary_is_the_same_claim(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--set", "M=10", "K=5", "T=1e6")
    assert bound(capsys, "col:convex_raw_full", *words) == bound(capsys, "col:convex_raw", *words)


def test_the_slow_rate_in_numbers() -> None:
    """2M(1-1/K) + 1.745 c_I sqrt(8K) (MT)^{3/4} at B = 1, mu_f = 2."""
    family = col_convex_raw.RawRegret()
    values = {"M": 10, "K": 5, "T": 2**30, **family.optional}
    assert float(col_convex_raw.ball_risk("repaired", 10000.0, 2.0, 1.0, 0.0, 0.0)) == pytest.approx(8 / 100)
    value = family.evaluate("repaired", "regret", None, values).value
    stated = 20 + 1.745 * 11 * math.sqrt(8 * 5) * (10 * 2**30) ** 0.75
    assert 0.999 * stated < value <= stated


def test_the_regulariser_and_the_solver_are_charged() -> None:
    plain, solver, penalty = (
        float(col_convex_raw.ball_risk("repaired", 100.0, 2.0, 2.0, *more))
        for more in ((0.0, 0.0), (0.5, 0.0), (0.0, 3.0))
    )
    assert solver == pytest.approx(1.5 * plain)
    assert penalty == pytest.approx(plain + 3 * 4 / 100)


def test_personal_noise_does_not_average_out() -> None:
    """More agents at the same n: FedAvg's noise falls, that of LSGD-PFL does not."""
    few, many = (schedule("fedavg_sgd", Call(2**20, M, 5, 0.5, 8, 10.0)).step for M in (4, 64))
    assert many > 3 * few
    gaps = [0.25 * col_convex_per.constant(M, 64) / (2**20) ** 2 for M in (4, 64)]
    steps = [col_convex_per.schedule("lsgd_pfl_sgd", 2**20, M, 64, 0.5, 8, 10.0).step for M in (4, 64)]
    assert steps[1] / gaps[1] <= steps[0] / gaps[0]


def test_only_the_shared_block_travels() -> None:
    for own in (0, 3):
        given = {"M": 7, "da": 2, "db": own, "T": 1000, "delta": 0.5, "local_steps": 5, "server_step": 1.0}
        case = Case("repaired", None, "lsgd_pfl_sgd", given)
        found = col_convex_per.THEOREM.counts(case)
        assert found.numbers == 7 * 2 * (2 * found.rounds + 9)


@pytest.mark.parametrize("protocol", col_convex_per.PROTOCOLS)
@pytest.mark.parametrize("quantity", ["regret", "rounds", "numbers"])
def test_the_personalised_guarantee_is_set_beside_the_direct_method(
    quantity: str, protocol: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--protocol", protocol, "--set", "M=10", "K=5", "T=1e6", "da=5", "db=2")
    needs = bound(capsys, "col:convex_per", "--quantity", quantity, *words)["hypotheses"]
    (remark,) = [str(line) for line in needs if str(line).startswith("remark:")]  # type: ignore[attr-defined]
    assert "more rounds" in remark
    assert f"{linear_communication.total_numbers('direct', 10, 5, 10**6, 1.0)}" in remark
    assert "eliminate their personal blocks" in remark


def test_the_printed_personalised_bound_has_no_remark(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--variant", "printed", "--set", "M=10", "K=5", "T=1e6", "da=5", "db=2")
    assert "remark" not in str(bound(capsys, "col:convex_per", "--quantity", "rounds", *words)["hypotheses"])
