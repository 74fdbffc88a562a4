"""The command-line contract: exit statuses, JSON documents, start-up."""

import json
import os
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import pytest
from refused import answered, refused

from verify import guard
from verify.cli import main

ROOT = Path(__file__).resolve().parents[3]
TINY = """
kind = "finite_class"
horizon = 8
schedule = "doubling"
truth = 0
functions = [[["1/2", "0"], ["1/3", "2/3"]], [["1/2", "1"], ["1/4", "1/2"]], [["3/4", "1/5"], ["1", "0"]]]
ties = "first"
learning_rate = [2, "5/2"]
[[agents]]
contexts = ["1/2", "1/2"]
[[agents]]
contexts = ["1/3", "2/3"]
arms = [0, 1]
"""

MANY = """
kind = "finite_class"
horizon = 7
schedule = "doubling"
truth = 0
functions = [[["1", "0"]], [["1", "1"]]]
ties = "adversarial"
rewards = "deterministic"
learning_rate = ["1000000007/1000003", "1000000009/999983"]
"""


@pytest.fixture
def tiny(tmp_path):
    path = tmp_path / "tiny.toml"
    path.write_text(TINY)
    return str(path)


def test_exact_json_follows_the_contract(tiny, capsys):
    document = answered(capsys, "exact", tiny)
    assert [e["epoch"] for e in document["epochs"]] == [1, 2, 3]
    assert [e["lengths"] for e in document["epochs"]] == [[2, 2], [2, 2], [4, 4]]
    assert document["epochs"][0]["law"] == {"initial": {"fraction": "1", "value": 1.0}}
    for epoch in document["epochs"]:
        assert sum(Fraction(p["fraction"]) for p in epoch["law"].values()) == 1
        for key in ("learning_rate", "regret", "a", "b", "excess_risk"):
            number = epoch[key]
            assert float(Fraction(number["fraction"])) == number["value"]
            assert str(Fraction(number["fraction"])) == number["fraction"]
    assert document["epochs"][2]["learning_rate"]["fraction"] == "5/2"
    total = sum(Fraction(e["regret"]["fraction"]) for e in document["epochs"])
    assert Fraction(document["total_regret"]["fraction"]) == total


def test_exact_prints_fractions_of_any_length(tmp_path, capsys):
    """400 agents: denominators of more digits than Python turns into text unasked."""
    path = tmp_path / "many.toml"
    path.write_text(MANY + "[[agents]]\ncontexts = [1]\n" * 400)
    limit = sys.get_int_max_str_digits()
    total = answered(capsys, "exact", str(path))["total_regret"]
    assert sys.get_int_max_str_digits() == limit  # input stays protected
    numerator, denominator = total["fraction"].split("/")
    assert len(total["fraction"]) > 4300
    # the leading digits are enough for the float
    size = len(numerator) - len(denominator)
    assert float(numerator[:30]) / float(denominator[:30]) * 10.0**size == pytest.approx(
        total["value"], rel=1e-12
    )


def test_a_reader_that_leaves_early_is_no_error():
    command = f"{sys.executable} -m verify list | head -c 1"
    done = subprocess.run(
        ["bash", "-c", "set -o pipefail; " + command], capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr


def test_a_pipe_that_does_not_wait_for_its_reader_gets_the_whole_answer():
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    words = [sys.executable, "-m", "verify", "list", "--all", "--json"]
    with subprocess.Popen(words, stdout=writing, stderr=subprocess.PIPE, text=True) as process:
        os.close(writing)
        with open(reading) as stream:
            assert len(stream.read(1)) == 1
            time.sleep(1)  # it is full by now, or the test shows nothing
            assert len(json.loads("[" + stream.read())) > 1
        assert (process.stderr.read(), process.wait()) == ("", 0)


@pytest.mark.parametrize(("name", "text"), [("random", ""), ("numpy", "raise TypeError")])
def test_a_file_in_the_place_of_a_module_is_named(name, text, tmp_path):
    (tmp_path / f"{name}.py").write_text(text)
    words = [sys.executable, "-m", "verify", "exact", str(ROOT / "examples" / "erratum_E6.toml")]
    known = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(words, cwd=tmp_path, env=known, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith(
        f"verify: module {name} = {tmp_path / name}.py: stands in the way of another"
    )
    assert done.stderr.count("\n") == 1


def test_an_old_python_is_told_which_one_is_needed():
    program = "import sys; sys.version_info = (3, 10, 0); import verify"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("verify: needs Python 3.11 or newer: ")


@pytest.mark.parametrize("value", ["", "5 1"])
def test_the_variable_of_our_own_children_is_not_for_others(value):
    words, known = [sys.executable, "-m", "verify", "list"], os.environ | {guard.CHILD: value}
    done = subprocess.run(words, cwd=ROOT, env=known, capture_output=True, text=True)
    said = f"verify: VERIFY_CHILD = {value}: is for processes of this program; unset it\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


@pytest.mark.parametrize(
    "words",
    [
        "col:finite --variant sharpened --set M=1e300 K=5 T=1e300 F=5",
        "col:linear --variant sharpened --quantity numbers --protocol agd --set M=1e300 K=5 T=1e300 d=5",
        "col:linear --variant sharpened --quantity numbers --protocol agd --set M=9 K=5 T=9 d=5 delta=1e-300",
        "col:linear_per --variant repaired --set M=1e200 K=5 T=1e200 da=5 db=1e250",
        "col:convex_per --variant best --quantity numbers --set M=9 K=2 T=1e100 da=1e300 db=9 delta=1e5",
    ],
)
def test_parameters_beyond_floats_are_one_line(words, capsys):
    refused(capsys, ["bound", *words.split()])


def test_a_missing_dependency_is_one_line_with_the_command_that_installs_it():
    # -S: no installed packages
    call = [sys.executable, "-S", "-m", "verify", "simulate", "examples/linear.toml"]
    done = subprocess.run(call, cwd=Path(__file__).parents[3], capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert (
        done.stderr == "verify: numpy is not installed; run `make verify`, then .venv/bin/python -m verify\n"
    )


@pytest.mark.fedigw
def test_a_shell_completes_commands_options_and_statements(capsys):
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    for words, found in (("pl", "plan plot"), ("plan --ar", "--arms"), ("show E1", "E11")):
        ask = f"COMP_WORDS=(verify {words}); COMP_CWORD={len(words.split())}; _fedigw_verify"
        shown = f'{script}{ask}; echo "${{COMPREPLY[@]}}"'
        assert found in subprocess.check_output(["bash", "-c", shown], text=True)
