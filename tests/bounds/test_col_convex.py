"""col:convex, col:convex_raw, col:convex_per: rounds, numbers, regret, and what the report says beside them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refused import answered, refused

from bounds import linear_communication
from bounds.col_convex_rounds import PROTOCOLS, call_on, schedule
from bounds.theorems import col_convex, col_convex_per

sizes = (st.integers(1, 10**9), st.integers(1, 100), st.integers(1, 100), st.floats(0.01, 2))
settings = st.tuples(*sizes, st.integers(1, 1000), st.floats(1, 10), st.sampled_from([1, 2]))
calls = settings.map(lambda given: call_on(*given))


@given(calls, st.sampled_from(list(PROTOCOLS)))
def test_a_schedule_has_an_admissible_step_and_at_least_one_round(call, protocol):
    plan = schedule(protocol, call)
    assert plan.rounds >= 1
    assert 0 < plan.step <= 1 / call.beta
    limits = {"scaffold": 2, "fedavg_sgd": 8 / 3, "scaffold_sgd": 100 / 29}
    assert plan.step <= 1 / (limits.get(protocol, 1) * call.beta) * (1 + 1e-12)


@given(settings, st.sampled_from(list(PROTOCOLS)), st.floats(1.1, 10))
def test_a_smaller_tolerance_takes_no_fewer_rounds(given, protocol, times):
    smaller = (*given[:3], given[3] / times, *given[4:])
    assert schedule(protocol, call_on(*smaller)).rounds >= schedule(protocol, call_on(*given)).rounds


@given(calls)
def test_local_steps_never_have_a_better_guarantee_than_gradient_descent(call):
    """The point of the corollary's honest reading: in the worst case plain gradient descent is at least as good."""
    plain = schedule("gd", call).rounds
    assert all(
        schedule(p, call).rounds >= plain for p in ("scaffold", "fedavg", "scaffold_sgd", "fedavg_sgd")
    )


def test_fedavg_with_one_full_local_step_is_gradient_descent():
    call = call_on(640, 10, 5, 0.5, local_steps=1, server_step=3.0)
    assert schedule("fedavg", call) == schedule("gd", call)


def bound(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    return answered(capsys, "bound", *words)


def test_no_remark_where_the_guarantee_is_cheap():
    assert col_convex.remark("agd", 10, 1000, 4, 60, 10**6) == ()
    soft = col_convex.remark("agd", 10, 5, 2**20, 100, 10**9)
    assert "numbers, the direct method sends" in soft[0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("col:convex --set M=10 K=5 T=9 d=5 server_step=0.5", "server_step = 0.5: must be at least 1"),
        ("col:convex --set M=10 K=5 T=9 d=5 path=3", "path = 3"),
        (
            "col:convex --quantity rounds --variant printed --protocol agd --set M=10 K=5 T=100 d=5",
            "the paper bounds only fedavg and scaffold",
        ),
        ("col:convex --set M=10 K=5 T=9 d=5 local_steps=0", "local_steps = 0: must be a positive integer"),
        ("col:convex --set M=10 K=5 T=9 d=5 local_steps=2.5", "must be a positive integer"),
        ("col:convex_per --set M=10 K=5 T=9 da=5 db=1 delta=0", "delta = 0: must be a positive number"),
        ("col:convex_per --protocol fedavg --set M=10 K=5 T=9 da=5 db=1", "--protocol = fedavg: unknown"),
    ],
)
def test_bad_settings_are_one_line(words, message, capsys):
    refused(capsys, ["bound", *words.split()], message)


@pytest.mark.fedigw
def test_the_restated_corollary_is_the_same_claim(capsys):
    words = ("--set", "M=10", "K=5", "T=1e6")
    assert bound(capsys, "col:convex_raw_full", *words) == bound(capsys, "col:convex_raw", *words)


def test_personal_noise_does_not_average_out():
    """More agents at the same n: FedAvg's noise falls, that of LSGD-PFL does not."""
    few, many = (schedule("fedavg_sgd", call_on(2**20, M, 5, 0.5, 8, 10.0)).step for M in (4, 64))
    assert many > 3 * few
    gaps = [0.25 * col_convex_per.constant(M, 64) / (2**20) ** 2 for M in (4, 64)]
    steps = [col_convex_per.schedule("lsgd_pfl_sgd", 2**20, M, 64, 0.5, 8, 10.0).step for M in (4, 64)]
    assert steps[1] / gaps[1] <= steps[0] / gaps[0]


@pytest.mark.parametrize("protocol", col_convex_per.PROTOCOLS)
@pytest.mark.parametrize("quantity", ["regret", "rounds", "numbers"])
def test_the_personalised_guarantee_is_set_beside_the_direct_method(quantity, protocol, capsys):
    words = ("--protocol", protocol, "--set", "M=10", "K=5", "T=1e6", "da=5", "db=2")
    needs = bound(capsys, "col:convex_per", "--quantity", quantity, *words)["hypotheses"]
    (remark,) = [str(line) for line in needs if str(line).startswith("remark:")]
    assert "more rounds" in remark
    assert quantity != "regret" or "e = 2.25 C~/n" in str(needs)
    assert f"{linear_communication.total_numbers('direct', 10, 5, 10**6, 1.0)}" in remark
    assert "eliminate their personal blocks" in remark


def test_the_printed_personalised_bound_has_no_remark(capsys):
    words = ("--variant", "printed", "--set", "M=10", "K=5", "T=1e6", "da=5", "db=2")
    assert "remark" not in str(bound(capsys, "col:convex_per", "--quantity", "rounds", *words)["hypotheses"])
