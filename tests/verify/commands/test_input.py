"""Bad input: exit status 2 and one line that names the field, the value and what is allowed."""

import copy
import os
from pathlib import Path
from typing import Any

import pytest
from refused import refused

from bounds.errors import InputError
from fedigw import instance_file, outside
from fedigw_extensions.gossip.linear_protocols.gossip_statistics import GossipStatistics
from verify.cli import main
from verify.instances import parse

GOOD: dict[str, Any] = {
    "kind": "finite_class",
    "horizon": 8,
    "schedule": "doubling",
    "truth": 0,
    "functions": [[["1/2", "0"], [0.25, 1]], [["1/2", "1"], [0, 0.5]]],
    "ties": "first",
    "learning_rate": "sharpened",
    "agents": [{"contexts": ["1/3", "2/3"], "arms": [0, 1]}],
}


def changed(path: str, value: Any) -> dict[str, Any]:
    """GOOD with one entry replaced, e.g. agents/0/contexts."""
    table = copy.deepcopy(GOOD)
    *parents, last = [int(p) if p.isdigit() else p for p in path.split("/")]
    place: Any = table
    for parent in parents:
        place = place[parent]
    place[last] = value
    return table


def test_the_good_instance_is_good():
    assert parse(GOOD).arms == (2,)


@pytest.mark.parametrize(
    ("path", "value", "field", "allowed"),
    [
        ("agents/0/contexts", ["1/2", "1/3"], "agents[0].contexts", "sum to 1"),
        ("agents/0/contexts", ["-1/2", "3/2"], "agents[0].contexts[0]", "between 0 and 1"),
        ("agents/0/contexts", ["1"], "agents[0].contexts", "per context"),
        ("agents/0/contexts", "1", "agents[0].contexts", "list"),
        ("agents/0/arms", [0, 2], "agents[0].arms[1]", "0 to 1"),
        ("agents/0/arms", [-1], "agents[0].arms[0]", "0 to 1"),
        ("agents/0/arms", [0, 0], "agents[0].arms", "differ"),
        ("agents/0/arms", [], "agents[0].arms", "non-empty"),
        ("agents/0/epochs", [2, -1], "agents[0].epochs[1]", "positive integer"),
        ("agents/0/color", 1, "agents[0].color", "unknown key"),
        ("agents", [], "agents", "non-empty"),
        ("agents", [7], "agents[0]", "table"),
        ("functions/0/0/0", -0.1, "functions[0][0][0]", "[0,1]"),
        ("functions/1/1/1", "3/2", "functions[1][1][1]", "[0,1]"),
        ("functions/1/1/1", float("nan"), "functions[1][1][1]", "[0,1]"),
        ("functions/1/1/1", "1/0", "functions[1][1][1]", "[0,1]"),
        ("functions/1/1/1", True, "functions[1][1][1]", "[0,1]"),
        ("functions/1/1", [0], "functions[1][1]", "2 x 2"),
        ("functions/1", [["0", "1"]], "functions[1][0]", "2 x 2"),
        ("functions/0/0", [], "functions[0][0]", "non-empty"),
        ("functions", [], "functions", "non-empty"),
        ("truth", 2, "truth", "0 to 1"),
        ("truth", "x", "truth", "index"),
        ("horizon", 0, "horizon", "positive integer"),
        ("horizon", 1.5, "horizon", "positive integer"),
        ("horizon", float("nan"), "horizon", "positive integer"),
        ("schedule", "tripling", "schedule", "doubling"),
        ("schedule", [2, 2, 4], "schedule[1]", "increase"),
        ("schedule", [2, 4], "horizon", "at most 4"),
        ("schedule", {"doubling_capd": 4}, "schedule.doubling_capd", "doubling_capped"),
        ("ties", "last", "ties", "unknown"),
        ("ties", 3, "ties", "one of"),
        ("rewards", "gaussian", "rewards", "unknown"),
        ("learning_rate", "fastest", "learning_rate", "unknown"),
        ("learning_rate", [1, -2], "learning_rate[1]", "between 0 and 1e100"),
        ("learning_rate", ["1e400", 1], "learning_rate[0]", "between 0 and 1e100"),
        ("horizon", "1e999999999", "horizon", "positive integer"),
        ("horizon", "1e100", "horizon", "below 2^62"),
        ("functions/1/1/1", "9" * 2000, "functions[1][1][1]", "[0,1]"),
        ("horizn", 8, "horizn", "did you mean 'horizon'"),
        ("learning_rate", [3], "learning_rate", "1 numbers: must have at least 2"),
        ("functions", GOOD["functions"][:1], "learning_rate", "infinite"),
    ],
)
def test_a_bad_field_is_named(path, value, field, allowed):
    with pytest.raises(InputError) as caught:
        parse(changed(path, value)).learning_rates()
    message = str(caught.value)
    assert message.startswith((f"{field} = ", f"{field}: unknown key"))
    assert allowed in message
    assert "\n" not in message


@pytest.mark.parametrize("key", ["horizon", "truth", "functions", "agents"])
def test_a_missing_key_is_named(key):
    table = {k: v for k, v in GOOD.items() if k != key}
    with pytest.raises(InputError, match=f"^{key}: missing"):
        parse(table)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("bound col:finite --variant sharpened --set M=0 K=5 T=10 F=2", ["M = 0", "positive integer"]),
        ("bound col:finite --variant sharpened --set M=1 K=5 T=1.5 F=2", ["T = 1.5", "positive integer"]),
        ("bound col:finite --variant sharpened --set M=1 K=5 T=nan F=2", ["T = nan", "positive integer"]),
        ("bound col:finite --variant sharpened --set M=1 K=5 T=1e999 F=2", ["T = 1e999", "1e300"]),
        (
            "bound col:finite --variant sharpened --set M=1 K=5 T=1e99999999 F=2",
            ["T = 1e99999999", "positive"],
        ),
        ("bound col:finite --variant best --set M=1 K=1 T=10 F=2", ["K = 1", "at least 2"]),
        ("bound thm:global_regret --variant repaired --set M=1 K=2 T=9 A=1 c=0.5", ["c = 0.5", "at least 1"]),
        ("simulate x.toml --replications 99999999999", ["--replications", "at most"]),
        ("bound col:finite --variant sharpened --set M=1 M=2 K=5 T=10 F=2", ["M is given twice"]),
        ("bound col:finite --variant sharpened --set M", ["M", "NAME=VALUE"]),
        ("bound col:finite --variant sharpened --set M=1 K=5 T=10 F=2 Q=1", ["Q", "unknown parameter"]),
        pytest.param(
            "bound col:convex_raw --set M=1 K=5 T=10 d=2",
            ["d: unknown parameter", "; d is a parameter of col:convex, col:linear"],
            marks=pytest.mark.fedigw,
        ),
        ("bound col:finite --variant sharpend --set M=1", ["sharpend", "did you mean 'sharpened'"]),
        ("bound col:finite --variant sharpened --quantity cals", ["cals", "did you mean 'calls'"]),
        ("bound thm:global_regret --variant sharpened --quantity calls", ["calls", "bounds only: regret"]),
        ("bound col:finite --variant sharpened --protocol x --set M=1", ["x", "exact_minimiser"]),
        pytest.param(
            "bound lem:finite_error --variant sharpened", ["has no numeric bound"], marks=pytest.mark.fedigw
        ),
        pytest.param("list --tag finit", ["finit", "did you mean 'finite'"], marks=pytest.mark.fedigw),
        ("all --jobs 0", ["--jobs = 0", "at least 1"]),
        ("all --jobs two", ["--jobs = two", "integer"]),
        ("all --engine dusk", ["--engine = dusk", "did you mean 'dask'"]),
        ("all --seed -1", ["--seed"]),
        ("all --seed 1.5", ["--seed = 1.5", "integer"]),
        ("all --profile slow", ["--profile = slow"]),
        ("run col:finite --resume", ["--resume", "--out"]),
        ("runn", ["runn", "did you mean 'run'"]),
        ("bound", ["CLAIM"]),
        ("exact /no/such/file.toml", ["/no/such/file.toml", "no such file"]),
        ("plot --out /no/such/folder", ["/no/such/folder", "no records"]),
    ],
)
def test_a_bad_command_is_one_line_and_exit_2(command, words, capsys):
    refused(capsys, command.split(), *words)


def test_files_that_are_not_instances(tmp_path, capsys):
    cases = {
        "a.toml": b"horizon = ",
        "b.toml": b"\xff\xfe",
        "c.toml": b"kind = 3",
        "d.toml": b'kind = "finit_class"',
        "deep.toml": b"x = " + b"[" * 5000,
        "long.toml": b"x = " + b"9" * 5000,
    }
    for name, content in cases.items():
        (tmp_path / name).write_bytes(content)
        assert main(["exact", str(tmp_path / name)]) == 2
    assert main(["exact", str(tmp_path)]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 7
    assert "nested too deeply" in lines[4]
    assert "not valid TOML" in lines[5]
    assert "not valid TOML" in lines[0]
    assert "is not text in UTF-8" in lines[1]
    assert "did you mean 'finite_class'" in lines[3]


def test_the_largest_number_is_named_once():
    for rates in ({"name": "adaptive", "multiplier": 1e300}, [1e300]):
        with pytest.raises(InputError) as refused:
            parse(changed("learning_rate", rates))
        assert str(refused.value).count("1e100") == 1


def test_files_without_an_end_are_not_read(tmp_path, capsys, monkeypatch):
    """A device, a pipe that nobody writes to, a file above the limit; a user's Python and a network likewise."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe.toml")
    for path in ("/dev/zero", "pipe.toml"):
        for command in ("simulate", "exact", "fit"):
            assert main([command, path]) == 2
            assert capsys.readouterr().err == f"verify: instance = {path}: is not a regular file\n"
    with pytest.raises(InputError, match="is not a regular file"):
        GossipStatistics(file="/dev/zero").network(4)
    with Path("large.py").open("wb") as stream:
        stream.truncate(instance_file.MOST_MEGABYTES * 10**6 + 1)
    refused(capsys, ["simulate", "large.py"], "large.py: has more than 50 MB, the most that is read")
    monkeypatch.setattr(outside, "_allowed", True)
    with pytest.raises(InputError, match="has more than 50 MB"):
        outside.load(Path("large.py"))


def test_a_record_is_never_overwritten(tmp_path, capsys):
    (tmp_path / "r.json").write_text("precious")
    assert main(["simulate", "x.toml", "--out", str(tmp_path / "r.json")]) == 2
    assert (tmp_path / "r.json").read_text() == "precious"
    assert "nothing is overwritten" in capsys.readouterr().err
