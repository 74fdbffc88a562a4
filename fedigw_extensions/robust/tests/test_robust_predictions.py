"""Robust aggregation of predictions: what it learns, which bound it has, and where it has none."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refused import answered

from bounds.errors import InputError
from bounds.symbols import symbol
from fedigw.aggregators.mean import Mean
from fedigw.applicable import applicable
from fedigw.building import build
from fedigw.channel import Channel, Link
from fedigw.federation import Federation
from fedigw.replications import by_messages
from fedigw.running import Messages
from fedigw_extensions.compression.encoders.quantise import Quantise
from fedigw_extensions.robust.aggregators.median import Median
from fedigw_extensions.robust.aggregators.trimmed_mean import TrimmedMean
from fedigw_extensions.robust.attacks.sign_flip import SignFlip
from fedigw_extensions.robust.attacks.witness import Witness
from fedigw_extensions.robust.linear_protocols.robust_predictions import RobustPredictions
from fedigw_extensions.robust.theorems import app_robust_predictions
from linear.ensemble import Ensemble
from linear.environments import different_laws, finite_contexts, sphere
from linear.federations import changed
from linear.ridge import exact_minimiser
from verify.catalogue import find
from verify.cli import main
from verify.instances import kind_of, load
from verify.recorded import of_variant
from verify.verdict import Verdict

RNG = np.random.default_rng
EXAMPLE = Path("examples/lying_agents.toml")


def made(rule: Any = None, liars: tuple[int, ...] = (0, 3), tolerates: int = 2, **changes: Any) -> Federation:
    world = finite_contexts.make(RNG(1), dimension=2, arms=2, agents=10, horizon=256)
    attack = SignFlip(liars, 20.0) if liars else None
    link = Link(aggregator=rule or Median(), attack=attack)
    return changed(world, **({"protocol": RobustPredictions(tolerates), "link": link} | changes))


def test_a_prediction_is_the_median_of_the_agents_own():
    federation = made(liars=())
    path = Messages(federation, RNG(0))
    data = path.play(path.initial(), 1.0, federation.plan.segments[4]).data
    learned, sent, _ = path.learn(data, 5)
    assert isinstance(learned, Ensemble)
    own = np.stack([exact_minimiser([d]) for d in data])
    np.testing.assert_allclose(learned.estimates, own, atol=1e-12)
    features = federation.world.agents[0].features
    np.testing.assert_allclose(
        federation.model.scores(learned, features), np.median(features @ own.T, axis=-1), atol=1e-12
    )
    assert (sent.numbers_up, sent.numbers_down, sent.rounds) == (10 * 2, 10 * 10 * 2, 1)


def test_answers_are_kept_for_the_features_asked_for_last_only():
    estimates = RNG(0).standard_normal((5, 2))
    ensemble, one, two = Ensemble(estimates, Mean()), RNG(1).random((3, 2, 2)), RNG(2).random((3, 2, 2))
    for features in (one, two, one):
        np.testing.assert_allclose(ensemble.scores(features), features @ estimates.mean(axis=0))


def test_the_bound_is_theorem_3_3():
    """Two paths: the federation's own plan, and the epoch sum of `bound`."""
    federation = load(EXAMPLE)
    found = applicable(federation)
    assert found.missing == ()
    assert found.claim == "app:robust_predictions"
    family = app_robust_predictions.RobustRegret()
    values = {"M": 10, "K": 2, "T": 65536, "d": 2, "f": 2, "median": 0}
    report = family.evaluate("sharpened", "regret", None, values)
    assert found.values["sharpened"] == pytest.approx(report.value, rel=1e-12)
    assert found.trivial["sharpened"] == pytest.approx(report.trivial)
    by_hand = (np.sqrt(2 / 32 + 1) + np.sqrt((1 / 3) * 1.5)) ** 2
    assert app_robust_predictions.coefficient(2.0, 10, 2, 1 / 3) == pytest.approx(by_hand)
    closed = 8 * (2 * 0.5 + 14 / 9 * np.sqrt(5) * (2 + np.sqrt(2)) * np.sqrt(2 * by_hand * 65536))
    at = {symbol(name): value for name, value in values.items()}
    assert float(report.closed_form.subs(at)) == pytest.approx(closed)
    assert report.value <= closed
    assert not report.vacuous
    median = family.evaluate("sharpened", "regret", None, values | {"median": 1})
    assert median.value == pytest.approx(
        applicable(replace(federation, link=_median(federation))).values["sharpened"]
    )
    assert report.value < median.value
    with pytest.raises(InputError, match="f = 5: must be below one half of the 10 agents"):
        family.evaluate("sharpened", "regret", None, values | {"f": 5})


def _median(federation: Federation) -> Link:
    return replace(federation.link, aggregator=Median())


FULL = tuple((row[0] + 1, *row[1:]) for row in made().plan.full)


@pytest.mark.parametrize(
    ("federation", "reason"),
    [
        (made().with_plan(replace(made().plan, full=FULL, played=FULL)), "numbers of samples differ"),
        (made(liars=(0, 1, 2)), "3 of 10 agents lie, more than the 2 that are tolerated"),
        (made(TrimmedMean(2), (0, 1, 2)), "3 of 10 agents lie, more than the 2 that are tolerated"),
        (made(Mean(), (4,), 0), "1 of 10 agents lie, more than the 0 that are tolerated"),
        (made(liars=(0, 1, 2, 3, 4)), "5 of 10 agents lie: from one half on no rule has any guarantee"),
        (made(regularisation=2.0), "regularisation 2"),
        (
            changed(
                different_laws.make(RNG(0), agents=5, horizon=64),
                protocol=RobustPredictions(1),
                link=Link(aggregator=Median(), attack=SignFlip((0,))),
            ),
            "the agents' laws differ",
        ),
        (
            made(link=Link(Quantise(8), Median(), attack=SignFlip((0, 3)))),
            "no theorem for the encoder quantise",
        ),
        (made(link=Link(aggregator=Median(), participants=9)), "no theorem for client sampling"),
    ],
)
def test_where_a_hypothesis_fails_no_bound_is_printed(federation, reason):
    found = applicable(federation)
    assert found.values == {}
    assert any(reason in line for line in found.missing), found.missing


def test_fewer_liars_than_tolerated_keep_the_bound_for_more_honest_agents():
    two, one, none = (made(TrimmedMean(2), liars) for liars in ((0, 3), (0,), ()))
    bounds = [applicable(f).values["sharpened"] for f in (two, one, none)]
    assert bounds[1] == pytest.approx(bounds[0] * 9 / 8)
    assert bounds[2] == pytest.approx(bounds[0] * 10 / 8)
    assert one.learning_rates() == two.learning_rates()


def test_continuous_contexts_run_too():
    world = sphere.make(RNG(0), dimension=3, arms=3, agents=5, horizon=64)
    link = Link(aggregator=Median(), attack=Witness((1,)))
    federation = changed(world, protocol=RobustPredictions(1), link=link)
    assert applicable(federation).values
    assert np.isfinite(by_messages(federation, 2, 0).total_regret).all()


def test_an_instance_file_comes_back():
    federation = load(EXAMPLE)
    assert build(federation.describe(), kind_of("linear")) == federation


def simulated(capsys: pytest.CaptureFixture[str], *settings: str) -> tuple[dict[str, Any], str]:
    words = ["simulate", str(EXAMPLE), "--replications", "3"] + (["--set", *settings] if settings else [])
    document = answered(capsys, *words)
    assert main(words) == 0
    return document, capsys.readouterr().out


def test_two_of_ten_lying_by_simulate(capsys):
    """Must show: trimmed mean and median stay below their bound, the mean's regret is linear."""
    regrets = {}
    for rule in ("trimmed_mean", "median"):
        settings = () if rule == "trimmed_mean" else ("link.aggregator=median",)
        document, text = simulated(capsys, *settings)
        bound = document["bounds"]["regret"]
        assert document["liars"] == [0, 3]
        assert "regret of the 8 honest agents: 2 of 10 lie (0, 3)" in text
        assert bound["claims"] == ["thm:global_regret", "app:robust_predictions"]
        assert Verdict.of(bound) is of_variant(find("app:robust_predictions"), "sharpened").verdict
        assert not bound["vacuous"]
        assert not bound["violated"]
        regrets[rule] = document["regret"]["mean"]
        assert regrets[rule] < bound["value"] / 3
    document, text = simulated(capsys, "link.aggregator=mean", "protocol.tolerates=0")
    assert "no bound: 2 of 10 agents lie, more than the 0 that are tolerated" in text
    assert document["bounds"]["regret"] is None
    assert document["regret"]["mean"] > 0.9 * 0.8 * document["trivial"], "the worst arm nearly always"
    assert document["regret"]["mean"] > 20 * regrets["trimmed_mean"]


def test_only_what_went_through_the_channel_is_used():
    """A liar's true estimate is nowhere in what is learned."""
    federation = made()
    path = Messages(federation, RNG(0))
    data = path.play(path.initial(), 1.0, federation.plan.segments[4]).data
    problem = federation.model.problem(data, 5)
    learned = federation.protocol.fit(
        problem, Channel(10, 5, federation.link, RNG(0)), None, RNG(0)
    ).parameters
    np.testing.assert_allclose(learned.estimates[0], -20 * exact_minimiser([data[0]]))
    np.testing.assert_allclose(learned.estimates[1], exact_minimiser([data[1]]))
