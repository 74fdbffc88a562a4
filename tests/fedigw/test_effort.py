"""What a command may cost is estimated from its first turns, on a clock that the tests turn by hand."""

import pytest

from bounds.errors import InputError
from fedigw import effort
from fedigw.clocks.poisson import Poisson


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    monkeypatch.setattr(effort.time, "process_time", lambda: now[0])
    monkeypatch.delenv(effort.LIMIT, raising=False)
    return now


def loop(
    clock: list[float], turns: int, seconds: float, first: float = 0.0, done: list[int] | None = None
) -> None:
    for turn in effort.measured(range(turns), turns, "--replications", turns):
        clock[0] += first if turn == 0 and first else seconds
        if done is not None:
            done.append(turn)


def test_a_loop_that_would_take_hours_ends_after_its_first_turns(clock: list[float]) -> None:
    done: list[int] = []
    with effort.limited(), pytest.raises(InputError, match=r"about 27\.8 hours of CPU, over 10 minutes"):
        loop(clock, 10**6, 0.1, done=done)
    assert len(done) < 10


def test_the_refusal_names_a_limit_that_does(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    with effort.limited(), pytest.raises(InputError) as refused:
        loop(clock, 10**4, 0.1)
    allowed = str(refused.value).partition(f"{effort.LIMIT}=")[2].split()[0]
    monkeypatch.setenv(effort.LIMIT, allowed)
    with effort.limited():
        loop(clock, 10**4, 0.1)


def test_what_is_loaded_once_is_not_counted_for_every_turn(clock: list[float]) -> None:
    with effort.limited():
        loop(clock, 1000, 0.01, first=3.0)


def test_a_first_turn_of_minutes_is_enough(clock: list[float]) -> None:
    done: list[int] = []
    with effort.limited(), pytest.raises(InputError, match="100 minutes"):
        loop(clock, 100, 60.0, done=done)
    assert done == [0]


def test_inner_loops_count_for_the_outer_ones(clock: list[float]) -> None:
    def nested() -> None:
        for _ in effort.measured(range(1000), 1000, "--replications", 1000):
            for _ in effort.rounds(100):
                clock[0] += 0.1

    with effort.limited(), pytest.raises(InputError, match="rounds"):
        nested()


def test_a_loop_that_is_left_early_leaves_no_trace(clock: list[float]) -> None:
    with effort.limited():
        for _ in range(3):
            for _ in effort.rounds(10**5):
                clock[0] += 0.01
                break
        effort.refuse("x", 1, 100.0)


def test_nothing_is_limited_where_nobody_asked(clock: list[float]) -> None:
    loop(clock, 10**4, 10.0)


def test_a_limit_that_is_no_number_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(effort.LIMIT, "soon")
    with pytest.raises(InputError, match="number of seconds"), effort.limited():
        pass


def test_the_slope_of_trials_is_what_counts(clock: list[float]) -> None:
    """Four seconds once, then a second and a hundredth for every one: the four must not be multiplied."""
    loaded: list[int] = []

    def trial(many: int) -> None:
        clock[0] += (0.0 if loaded else 4.0) + 0.01 + 0.001 * many
        loaded.append(many)

    assert effort.extrapolated(trial, 10**6) == pytest.approx(1000, rel=0.05)


@pytest.mark.parametrize("rate", [7e-201, 1e-19, 1e-18, 1e-12])
def test_a_clock_that_hardly_ever_ticks_says_so(rate: float) -> None:
    """The waiting times are no integers: their sums went round, and the search for the last one never ended."""
    assert Poisson(rate, seed=3).count(24) == 0
    assert Poisson(rate, seed=3).count(2**40) <= 2**40
