"""What --set and the other options of the command line change in a federation that a file describes."""

import numpy as np
import pytest
from instance_tables import FINITE, LINEAR
from refused import answered, refused

from fedigw.encoders.masks import Masks
from fedigw.instance_file import to_toml
from fedigw_extensions.compression.encoders.quantise import Quantise
from linear.environments import sphere
from linear.protocols.agd import AcceleratedGradient
from verify.instances import load, parse


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "linear.toml"
    file.write_text(to_toml(LINEAR))
    return file


def test_set_reaches_fields_of_the_protocol_and_keys_inside_tables(path):
    assert load(path) == parse(LINEAR)
    early = load(path, protocol="agd", settings={"early_stopping": True, "tolerance": 0.01})
    assert early.protocol == AcceleratedGradient(0.01, True)
    assert load(
        path, settings={"protocol.name": "agd", "protocol.early_stopping": True}
    ).protocol.early_stopping
    later = {"protocol.early_stopping": True, "protocol": "agd"}
    assert load(path, settings=later).protocol.early_stopping
    changes = {"link.participants": 1, "link.encoder": "quantise", "link.encoder.bits_each": 3}
    linked = load(path, settings=changes)
    assert linked.link.participants == 1
    assert linked.link.encoder == Quantise(3)
    assert load(path, settings={"link.encoder.name": "masks"}).link.encoder == Masks()
    assert load(path, settings={"horizon": 64}).plan.epochs == 6
    assert load(path, settings={"schedule": [4, 16]}).plan.full == ((4, 4), (12, 12))
    assert load(path, settings={"learning_rate": "printed"}).rates.describe() == "printed"
    assert load(path, settings={"learning_rate": [1, 2, 3]}).learning_rates()[1:] == (1, 2, 3)
    assert load(path, settings={"accuracy": 0.5}).model.tolerance == 0.5
    assert load(path, settings={"rewards": "two_point"}).world.rewards == "two_point"


def test_set_reaches_a_generated_world(tmp_path):
    file = tmp_path / "made.toml"
    file.write_text('kind = "linear"\nhorizon = 16\nenvironment = {name = "sphere", agents = 2}\n')
    assert load(file, settings={"environment.seed": 5}) == sphere.make(
        np.random.default_rng(5), agents=2, horizon=16
    )
    assert load(file, settings={"environment.seed": 5}) != load(file)


def test_set_of_the_usual_protocol_of_a_kind(tmp_path):
    file = tmp_path / "finite.toml"
    file.write_text(to_toml(FINITE))
    assert load(file, settings={"ties": "uniform"}).protocol.ties == "uniform"
    assert load(file, settings={"protocol.ties": "uniform"}).protocol.ties == "uniform"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("early_stopping", "--set = early_stopping: must be KEY=VALUE"),
        ("=3", "--set = =3: must be KEY=VALUE"),
        ("early_stopping=true", "protocol.early_stopping"),  # the direct method has no such field
        ("tolerance=1", "protocol.tolerance"),
        ("horizon.days=3", "horizon is not a table"),
    ],
)
def test_a_bad_setting_is_one_line_and_exit_2(words, says, path, capsys):
    refused(capsys, ["simulate", str(path), "--replications", "1", "--set", words], says)


def test_what_is_set_is_what_runs(path, capsys):
    def document(*words):
        return answered(capsys, "simulate", str(path), "--replications", "4", *words)

    full, early = document("--protocol", "agd"), document("--protocol", "agd", "--set", "early_stopping=true")
    assert early["protocol"] == full["protocol"] == "agd"
    assert early["traffic"]["rounds"] < full["traffic"]["rounds"]
    assert early["traffic"]["bits_up"] == 64 * early["traffic"]["numbers_up"]
    bound, same = early["bounds"]["regret"], full["bounds"]["regret"]
    assert bound["value"] == same["value"]  # it promises the same
    sampled = document("--set", "link.participants=1")
    assert sampled["bounds"]["regret"] is None
    assert sampled["no_bound"] == ["no theorem for client sampling"]
    assert 2 * sampled["traffic"]["numbers_up"] == document()["traffic"]["numbers_up"]
