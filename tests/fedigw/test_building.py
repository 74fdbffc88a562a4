"""From a file to a federation: clocks, generated worlds, interleaved epochs and links."""

import json
import tomllib
from fractions import Fraction

import numpy as np
import pytest
from instance_tables import FINITE, LINEAR, TABLES
from refused import answered

from bounds.errors import InputError
from fedigw.applicable import applicable
from fedigw.clocks.listed import Listed
from fedigw.clocks.periodic import Periodic
from fedigw.encoders.masks import Masks
from fedigw.instance_file import to_toml
from fedigw.replications import simulate
from finite_class.environments import near_ties, random_table
from linear.environments import sphere
from linear.personalised.environments import opposite_arms
from verify.cli import main
from verify.instances import parse


def with_clocks(table, *clocks):
    agents = [
        agent | ({} if clock is None else {"clock": clock})
        for agent, clock in zip(table["agents"], clocks, strict=True)
    ]
    return table | {"agents": agents}


# clocks


@pytest.mark.parametrize("kind", TABLES)
def test_clocks_give_the_lengths_of_the_plan(kind):
    """Global epochs end at 2, 4, 8, 16. Times 1, 3, 5, ...: one step in each of the first two, then 2, then 4."""
    federation = parse(with_clocks(TABLES[kind], None, {"period": 2, "offset": 1}))
    assert federation.plan.full == ((2, 1), (2, 1), (4, 2), (8, 4))
    assert federation.plan.played == federation.plan.full
    assert federation.timing.clocks == (Periodic(), Periodic(2, 1))
    assert simulate(federation, 2, 0).full == federation.plan.full
    # E^l_m is counted from the clock's own times
    times = range(1, 17, 2)
    for row, start, end in zip(federation.plan.full, (0, 2, 4, 8), (2, 4, 8, 16), strict=True):
        assert row[1] == sum(start < t <= end for t in times)


def test_listed_times():
    times = [2, 3, 4, 8, 9, 10, 11, 16]
    federation = parse(with_clocks(FINITE, {"times": times}, {"name": "listed", "times": [1, 3, 5, 9, 20]}))
    assert federation.plan.full == ((1, 1), (2, 1), (1, 1), (4, 1))
    assert Listed(tuple(times)).count(8) == 4


READERS = {"record": lambda d: json.loads(json.dumps(d)), "file": lambda d: tomllib.loads(to_toml(d))}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
@pytest.mark.parametrize("kind", TABLES)
def test_clocks_survive_their_file(kind, read):
    federation = parse(
        with_clocks(TABLES[kind] | {"horizon": 13}, {"times": [1, 3, 6, 9, 20]}, {"period": 2})
    )
    assert federation.plan.played[-1] == (1, 3)
    assert federation.plan.full[-1] == (1, 4)
    again = parse(read(federation.describe()))
    assert again == federation
    assert again.timing == federation.timing
    assert again != parse(with_clocks(TABLES[kind] | {"horizon": 13}, {"times": [1, 3, 6, 9, 20]}, None))


def test_clocks_of_every_step_are_the_synchronous_plan_and_keep_its_bound():
    with_them, without = parse(with_clocks(FINITE, {"period": 1}, {"period": 1})), parse(FINITE)
    assert with_them.plan == without.plan
    assert applicable(with_them) == applicable(without)
    assert applicable(with_them).values


@pytest.mark.parametrize(
    ("clock", "says"),
    [
        ({"period": 0}, ".period = 0: must be a positive integer"),
        ({"period": 1.5}, ".period = 1.5: must be an integer"),
        ({"offset": 17}, " = periodic, offset = 17: never ticks before the horizon 16"),
        ({"perod": 2}, " = perod: fits no clock; keys of clocks: burst, first, join, "),
        ({"name": "periodical"}, " = periodical.*did you mean 'periodic'"),
        ({"times": [3, 3]}, r".times = 3: must increase: more than 3 \(ticks twice at once\)"),
        ({"times": [3, 2]}, r".times = 2: must increase: more than 3 \(goes back\)"),
        ({"poisson": 0, "seed": 3}, ".poisson = 0.0: must be a positive number"),
        ({"poisson": 0.7, "seed": -3}, ".seed = -3: must be a non-negative integer"),
        ({"burst": 0}, ".burst = 0: must be a positive integer"),
        ({"burst": 2, "pause": -1}, ".pause = -1: must be a non-negative integer"),
        ({"join": 0}, ".join = 0: must be a positive integer"),
        ({"join": 17}, " = late, join = 17: never ticks before the horizon 16"),
        ({"times": [0, 3]}, ".times"),
        (7, " = 7: must be a name or a table"),
    ],
)
def test_a_bad_clock_is_named(clock, says):
    with pytest.raises(InputError, match=r"agents\[1\].clock" + says):
        parse(with_clocks(FINITE, None, clock))


def test_clocks_and_epochs_exclude_each_other():
    table = with_clocks(FINITE, {"period": 1}, {"period": 1})
    for agent in table["agents"]:
        agent["epochs"] = [2, 2]
    with pytest.raises(InputError, match=r"agents\[0\].clock: give clocks or epochs, not both"):
        parse(table)


# generated worlds

MADE = {
    "finite_class": ("random_table", random_table, {"functions": 3}),
    "linear": ("sphere", sphere, {"dimension": 3}),
    "linear_personalised": ("opposite_arms", opposite_arms, {"own": 2}),
}


@pytest.mark.parametrize("kind", MADE)
def test_a_file_may_name_a_generated_world(kind):
    name, module, arguments = MADE[kind]
    ((key, value),) = arguments.items()
    made = f'environment = {{name = "{name}", seed = 3, agents = 2, {key} = {value}}}'
    found = parse(tomllib.loads(f'kind = "{kind}"\nhorizon = 32\n{made}\n'))
    assert found == module.make(np.random.default_rng(3), agents=2, horizon=32, **arguments)
    assert found != module.make(np.random.default_rng(4), agents=2, horizon=32, **arguments)
    assert found.kind == kind
    assert parse(tomllib.loads(to_toml(found.describe()))) == found
    assert simulate(found, 2, 0).regret.shape == (2, 5)
    assert set(applicable(found).values) == {"sharpened"}


@pytest.mark.parametrize("kind", MADE)
def test_the_other_keys_of_a_file_apply_to_a_generated_world(kind):
    name = MADE[kind][0]
    table = {"kind": kind, "horizon": 32, "environment": {"name": name, "agents": 2}}
    changed = parse(
        table | {"schedule": [4, 32], "learning_rate": 3, "link": {"participants": 1, "encoder": "masks"}}
    )
    assert changed.plan.full == ((4, 4), (28, 28))
    assert [float(rate) for rate in changed.learning_rates()] == [1, 3]
    assert changed.link.participants == 1
    assert changed.link.encoder == Masks()
    assert parse(table | {"environment": name}).arms == parse({"kind": kind, "environment": name}).arms


def test_fractions_and_floats_are_read_as_the_generator_has_them():
    table = {"kind": "finite_class", "horizon": 8, "environment": {"name": "near_ties", "gap": "1/7"}}
    assert parse(table) == near_ties.make(np.random.default_rng(0), gap=Fraction(1, 7), horizon=8)


@pytest.mark.parametrize(
    ("environment", "says"),
    [
        ({"name": "spher"}, "environment = spher.*did you mean 'sphere'"),
        ({"seed": 3}, "environment.name: missing"),
        ({"name": 3}, "environment.name = 3"),
        ({"name": "sphere", "seed": -1}, "environment.seed = -1: must be a non-negative integer"),
        ({"name": "sphere", "seed": 0.5}, "environment.seed = 1/2: must be a non-negative integer"),
        ({"name": "sphere", "dimensions": 3}, "environment.dimensions: .*did you mean 'dimension'"),
        (
            {"name": "sphere", "dimension": 2.5},
            "environment.dimension = 2.5: must be an integer of at least 1",
        ),
        ({"name": "sphere", "rng": 1}, "environment.rng"),
        ({"name": "sphere", "engine": 3}, "environment.engine = 3: must be a string"),
        (3, "environment = 3: must be a name or a table"),
    ],
)
def test_a_bad_environment_is_named(environment, says):
    with pytest.raises(InputError, match=says):
        parse({"kind": "linear", "horizon": 8, "environment": environment})


def test_a_generated_world_has_only_clocks_of_its_agents_in_the_file():
    for key, value in (("agents", [{}]), ("parameter", [1]), ("features", [])):
        with pytest.raises(InputError, match=f"{key}( = 1 tables)?: "):
            parse({"kind": "linear", "horizon": 8, "environment": "sphere", key: value})


# interleaved epochs


@pytest.mark.parametrize("kind", TABLES)
def test_interleaved_epochs_run_and_print_their_own_bound(kind, tmp_path, capsys):
    federation = parse(TABLES[kind] | {"schedule": "interleaved"})
    assert federation.plan.lag == 2
    assert federation.plan.full == parse(TABLES[kind]).plan.full
    assert parse(tomllib.loads(to_toml(federation.describe()))) == federation
    path = tmp_path / "interleaved.toml"
    path.write_text(to_toml(TABLES[kind] | {"schedule": "interleaved"}))
    document = answered(capsys, "simulate", str(path), "--replications", "5")
    assert document["bounds"]["regret"]["claims"][0] == "app:interleaved"
    assert document["no_bound"] == []
    if kind != "linear_personalised":
        assert main(["exact", str(path)]) == 0


def test_interleaved_epochs_are_for_agents_without_clocks():
    with pytest.raises(InputError, match="schedule = interleaved: is for agents without clocks"):
        parse(with_clocks(FINITE, {"period": 1}, None) | {"schedule": "interleaved"})


# links and protocols in a file


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"link": 3}, "link = 3: must be a table"),
        ({"link": {"encodr": "masks"}}, "link.encodr: .*did you mean 'encoder'"),
        ({"link": {"encoder": "mask"}}, "link.encoder = mask.*did you mean 'masks'"),
        ({"link": {"encoder": {"name": "quantise", "bits_each": "wide"}}}, "link.encoder.bits_each = wide"),
        ({"link": {"encoder": {"name": "masks", "scale": 3}}}, "link.encoder.scale: unknown key"),
        ({"link": {"aggregator": "men"}}, "link.aggregator = men.*did you mean 'mean'"),
        ({"link": {"participants": 0}}, "link.participants = 0"),
        ({"link": {"participants": 3}}, "link.participants = 3: must be between 1 and the 2 agents"),
        ({"protocol": "agdd"}, "protocol = agdd.*did you mean 'agd'"),
        ({"protocol": {"early_stopping": True}}, "protocol.name: missing"),
        (
            {"protocol": {"name": "agd", "early_stopping": 1}},
            "protocol.early_stopping = 1: must be true or false",
        ),
        ({"protocol": {"name": "agd", "tolerance": 0}}, "must be a number of at least 1e-12"),
        ({"protocol": {"name": "agd", "rounds": 3}}, "protocol.rounds"),
        ({"protocol": {"name": "direct", "tolerance": 1}}, "protocol.tolerance"),
        ({"protocol": {"name": "agd", "tolerence": 1}}, "did you mean 'tolerance'"),
        ({"protocol": {"name": "agd", "tolerance": "much"}}, "protocol.tolerance = much: must be a"),
        ({"protocol": {"name": "exact_minimiser"}}, "protocol = exact_minimiser: unknown"),
        ({"policy": "igww"}, "policy = igww.*did you mean 'igw'"),
        ({"policy": {"name": "igw", "gamma": 3}}, "policy.gamma: unknown key"),
        ({"policy": 3}, "policy = 3: must be a name or a table"),
        ({"schedule": "interleave"}, "schedule = interleave: unknown; did you mean 'interleaved'"),
        ({"learning_rate": "quick"}, "learning_rate = quick: unknown"),
        ({"learning_rate": -1}, "learning_rate = -1: must be a number between 0 and 1e100"),
    ],
)
def test_a_bad_part_is_named(changes, says):
    with pytest.raises(InputError, match=says) as caught:
        parse(LINEAR | changes).learning_rates()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
@pytest.mark.parametrize(
    "changes",
    [
        {"protocol": "agd"},
        {"protocol": {"name": "agd", "early_stopping": True}},
        {"protocol": {"name": "cg", "tolerance": 1e-3}},
        {"link": {"participants": 1}},
        {"link": {"encoder": {"name": "quantise", "bits_each": 3}}},
        {"schedule": {"doubling_capped": 4}, "learning_rate": 7, "policy": "igw"},
    ],
)
def test_every_part_survives_its_file(changes, read):
    federation = parse(LINEAR | changes)
    again = parse(read(federation.describe()))
    assert again == federation
    assert (again.protocol, again.link) == (federation.protocol, federation.link)
    assert again.learning_rates() == federation.learning_rates()
