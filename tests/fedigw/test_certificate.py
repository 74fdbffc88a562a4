"""stop = "certificate": what is certified is delivered, exchanges are counted, a false gradient is found out."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bounds.errors import InputError
from fedigw.certificate import Certificate
from fedigw.protocols.fedavg import FedAvg
from fedigw.replications import by_messages
from verify import simulate
from verify.instances import load

ROOT = Path(__file__).parents[2]
LINEAR, PERSONAL = ROOT / "examples/linear.toml", ROOT / "examples/linear_personalised.toml"


@pytest.mark.parametrize(
    ("file", "protocol", "keys"),
    [
        (LINEAR, "fedavg", {}),
        (LINEAR, "fedavg", {"participants": 1, "rounds": 2000, "step_size": 0.005}),
        (LINEAR, "scaffold", {"stop": {"name": "certificate", "every": 7}}),
        (LINEAR, "fedprox", {"proximal": 10, "rounds": 1000}),
        (LINEAR, "direct", {"link": {"encoder": "masks"}}),
        (PERSONAL, "agd", {}),
        (PERSONAL, "cg", {}),
        (PERSONAL, "lsgd_pfl", {"local_steps": 1, "rounds": 2000}),
    ],
)
def test_any_protocol_that_stops_at_a_certificate_has_the_bound(file, protocol, keys):
    found = simulate(
        file, protocol=protocol, replications=3, **({"horizon": 40, "stop": "certificate"} | keys)
    )
    assert not found.violated
    assert found.document["certificate"]["without"] == 0
    assert found.verdict == "proved"
    assert "all end with a certificate: those of these replications did" in str(found)
    assert len(found.record.promises) == found.document["certificate"]["calls"]


def test_partly_shared_parameters_need_fewer_rounds_than_theory_asks_for():
    found = simulate(PERSONAL, protocol="agd", replications=2, horizon=64, stop="certificate")
    certificate = found.document["certificate"]
    assert 2 < certificate["rounds"] < certificate["asked"]


def test_every_exchange_is_counted_and_a_call_without_a_certificate_has_no_bound():
    protocol, stop = FedAvg(rounds=3), Certificate(tolerance=1e-9, every=2)
    federation = replace(load(LINEAR, settings={"horizon": 8}), protocol=protocol, stop=stop)
    record = by_messages(federation, 1, 0, audit=True)
    M, d = 2, 3
    # three rounds of FedAvg; mu_m of every agent; exchanges after round 2 and at the end
    sent = [1, 3 + 2, 3 * M + M + 2 * M, 3 * M + 2 * M, 3 * M * d + M + 2 * M * d, 3 * M * d + 2 * M * d]
    assert record.traffic[0, 0, :6].tolist() == sent
    assert record.uncertified == (1, 2, 3)
    assert not record.promises
    found = simulate(
        LINEAR, protocol="fedavg", horizon=8, replications=2, rounds=3, stop=federation.describe()["stop"]
    )
    assert found.bound is None
    assert "ended without a certificate, the first in epoch 1" in found.missing[0]


def test_a_users_file_is_certified_and_a_false_gradient_is_violated(tmp_path):
    text = (
        (ROOT / "verify/templates/protocol.txt")
        .read_text()
        .replace("@Name@", "Mine")
        .replace("@name@", "mine")
    )
    lie = "\n    def gradient(self, problem, channel, parameters):\n        return np.zeros(1)\n"
    keys: Any = {"replications": 2, "horizon": 64, "rounds": 200, "stop": "certificate"}
    for name, body, violated in (("mine.py", text, False), ("lying.py", text + lie, True)):
        (tmp_path / name).write_text(body)
        found = simulate(LINEAR, protocol=str(tmp_path / name), **keys)
        assert found.violated == violated
        assert found.verdict == (
            "undecided" if violated else "proved"
        )  # declared by the file, or certified by us
        assert found.document["bounds"]["rounds"] is None  # nobody declares what it sends


@pytest.mark.parametrize(
    ("file", "keys", "says"),
    [
        ("neural.toml", {}, "needs a strongly convex loss"),
        ("linear.toml", {"link": {"participants": 1}}, "not of the link"),
        ("linear.toml", {"learning_rate": "adaptive"}, "leave out stop, or give another learning_rate"),
        ("linear.toml", {"protocol": "scaffold", "kept": True}, "give kept = false"),
        ("private.toml", {}, "no privacy ledger"),
        ("linear.toml", {"stop": {"name": "certificate", "tolerance": 0}}, "must be a positive number"),
        ("linear.toml", {"stop": "gradient"}, "certificate"),
        ("gossip.toml", {"horizon": 64}, "one estimate for all agents"),
    ],
)
def test_where_a_gradient_certifies_nothing_it_is_refused_in_one_line(file, keys, says):
    with pytest.raises(InputError, match=says) as error:
        simulate(ROOT / "examples" / file, replications=1, **({"stop": "certificate"} | keys))
    assert "\n" not in str(error.value)
