"""Rival systems on worlds whose agents share part of their parameter."""

import numpy as np
import pytest

from bounds.errors import InputError
from fedigw.competing import compete
from fedigw.federation import Federation
from fedigw_extensions.rivals.systems.async_linucb_am import AsyncLinUCBAM
from fedigw_extensions.rivals.systems.fedlinucb import FedLinUCB
from linear.personalised.world import PersonalisedWorld
from verify.instances import parse

FEATURES = [[["1", "0"], ["0", "1"]], [["3/5", "4/5"], ["1/2", "0"]]]
OWN = [[["1/2", "0", "1/2"], ["0", "1", "0"]]]


def made(*agents: dict[str, object]) -> Federation:
    table = {"kind": "linear_personalised", "horizon": 64, "shared_parameter": ["1/2", "1/4"]}
    return parse(table | {"agents": list(agents)})


def test_without_personal_coordinates_a_rival_plays_as_on_the_linear_world():
    linear = {"kind": "linear", "horizon": 64, "parameter": ["1/2", "1/4"], "features": FEATURES}
    plain = compete(FedLinUCB(), parse(linear | {"agents": [{}, {}]}), 3, 5)
    shared = compete(FedLinUCB(), made({"features": FEATURES}, {"features": FEATURES}), 3, 5)
    np.testing.assert_array_equal(plain.record.regret, shared.record.regret)
    np.testing.assert_array_equal(plain.record.traffic, shared.record.traffic)


def test_partly_shared_parameters_become_one_of_all_coordinates():
    federation = made({"features": FEATURES}, {"features": OWN, "parameter": ["1/2"]})
    world = PersonalisedWorld.of(federation)
    lifted = world.with_one_parameter()
    np.testing.assert_array_equal(lifted.parameter, [0.5, 0.25, 0.5])
    for m, contexts in enumerate(world.agents):
        np.testing.assert_allclose(lifted.agents[m].means(lifted.parameter), contexts.means(world.truth(m)))
    for system, width in ((FedLinUCB(), 3), (AsyncLinUCBAM(), 3)):
        found = compete(system, federation, 2, 0)
        assert found.sizes.dimension == width
        assert 0 <= found.record.total_regret.min() <= found.record.total_regret.max() <= 128
    assert compete(AsyncLinUCBAM(), federation, 1, 0).sizes.shared == 2


def test_coordinates_of_all_agents_that_are_too_long_together_are_refused():
    long = {"features": OWN, "parameter": ["4/5"]}
    with pytest.raises(
        InputError, match=r"parameter = norm 1\.26\d*: must be at most 1 for an algorithm that learns"
    ):
        compete(FedLinUCB(), made(long, long), 1, 0)
    compete(AsyncLinUCBAM(), made(long, long), 1, 0)  # learns both parts separately
