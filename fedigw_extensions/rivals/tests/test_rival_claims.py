"""The claims about other rules and other systems: figures that are stated somewhere are found here."""

from fractions import Fraction

import numpy as np
import pytest

from bounds import app_greedy
from bounds.theorems import app_softmax
from fedigw.policies.greedy import Greedy
from fedigw.policies.softmax import Softmax
from fedigw.replications import pooled
from fedigw_extensions.rivals.claims.own_comparison import runs, worst
from verify.papers.fedigw.claims import own_federation_gain, rmk_IGW
from verify.verdict import Verdict


@pytest.mark.parametrize(("agents", "stated"), [(1, 0.7055), (10, 0.3590), (100, 0.0784)])
def test_greedy_is_stuck_this_often(agents, stated):
    assert float(app_greedy.stuck(agents, 6)) == pytest.approx(stated, abs=5e-5)


def test_one_agent_by_hand():
    """Two steps of epoch 1: both on e1 (1/4), one on each (1/2), both on e2 (1/4); ties go to e1."""
    by_hand = Fraction(1, 4) + Fraction(1, 2) * (1 - Fraction(1, 2) * Fraction(3, 5))
    by_hand += Fraction(1, 4) * Fraction(2, 5) ** 2
    assert app_greedy.stuck(1, 2) == by_hand
    assert app_greedy.stuck(1, 3) == by_hand + (1 - by_hand) * Fraction(2, 5) ** 2


def test_greedys_exact_regret_is_what_runs_lose():
    federation = rmk_IGW.witness(256, "greedy")
    assert federation.policy == Greedy()
    total = pooled(federation, 4000, 0).total_regret
    stated = app_greedy.regret(rmk_IGW.AGENTS, 256)
    assert abs(total.mean() - stated) < 4.5 * total.std() / np.sqrt(len(total))


def test_the_floor_of_softmax_is_a_maximum():
    gaps = np.linspace(0.001, 0.2, 5000)
    worst_gap = app_softmax.worst_gap(0.02)
    losses = [gap * Softmax(0.02).probabilities(np.array([0, gap]), 0.0)[0] for gap in (*gaps, worst_gap)]
    assert max(losses) <= app_softmax.FLOOR * 0.02 + 1e-15
    assert losses[-1] == pytest.approx(app_softmax.FLOOR * 0.02)


def test_break_even_is_the_first_size_that_pays():
    rows = [
        {"M": 1, "regret": 10.0, "numbers": 0.0},
        {"M": 2, "regret": 8.0, "numbers": 5.0},
        {"M": 4, "regret": 4.0, "numbers": 5.0},
    ]
    assert own_federation_gain.smallest(rows, 0.1) == 2
    assert own_federation_gain.smallest(rows, 1.0) == 4
    assert own_federation_gain.smallest(rows, 2.0) is None


def test_every_system_plays_in_some_world_of_the_comparison():
    from fedigw.parts import systems

    found = {name for place in runs.WORLDS for name in runs.fitting(place)}
    assert found >= set(systems())


def made(exponent: float, noise: float = 0.01) -> dict[str, object]:
    """The fit of a system whose regret is exactly 3 T^exponent times 1 + noise."""
    spread = 1 + noise * np.linspace(-1, 1, 20)
    rows = [
        {"system": "made", "T": T, "gap": 1.0, "regret": list(3 * T**exponent * spread)} for T in worst.LINUCB
    ]
    return worst.fitted("fixed", "made", rows, 0.05)


@pytest.mark.parametrize(
    ("exponent", "noise", "verdict"),
    [
        (0.5, 0.01, Verdict.MEASURED),
        (0.58, 0.01, Verdict.MEASURED),  # one logarithm
        (1.0, 0.01, Verdict.REFUTED),  # uniform play
        (2 / 3, 0.01, Verdict.REFUTED),  # epsilon-greedy
        (0.1, 0.01, Verdict.REFUTED),  # not the worst worlds
        (0.5, 0.9, Verdict.UNDECIDED),  # anything would be in such an interval
    ],
)
def test_growth_at_the_hardest_gap_is_judged(exponent, noise, verdict):
    assert worst.judged([made(0.5), made(exponent, noise)], {}).kind is verdict


def test_the_hardest_gap_is_found_and_hopeless_ones_are_left_out(monkeypatch):
    """Uniform play up to 400/gap: the two meet at the hardest gap."""
    tried: list[float] = []

    def loss(place: str, name: str, horizon: int, gap: float, *rest: object) -> dict[str, float]:
        tried.append(gap)
        return {"mean": min(runs.AGENTS * horizon * gap / 2, 160 / gap)}

    monkeypatch.setattr(worst, "at_gap", loss)
    found = worst.hardest("fixed", "dislinucb", 1024, np.random.SeedSequence(0), fine=True)
    assert found == 2**-2.5  # where they meet: 0.1768 in place of 0.1767
    assert min(tried) * runs.AGENTS * 1024 > 640 / 2
    assert worst.hardest("partly shared", "dislinucb", 1, np.random.SeedSequence(0), fine=True) == 0.5


def test_every_promise_of_sqrt_t_is_held_somewhere():
    from fedigw.parts import systems

    held = {name for place in runs.WORLDS for name in worst.promised(place)}
    assert set(systems()) - held == {"fedres_sgd"}
    spans = [worst.horizons(name) for name in held]
    assert all(len(span) >= 3 and span[-1] >= 16 * span[0] for span in spans)
