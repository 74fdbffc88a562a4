"""Users' own files: loaded, limited, checked, and blamed with their line; nobody else's result changes."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from forked import CONSOLE
from refused import refused

from verify import own_claims
from verify.claim import Evidence, Verdict

ROOT = Path(__file__).resolve().parents[3]
WORLD = (
    'kind = "linear"\nhorizon = 32\nenvironment = {name = "sphere", agents = 2, arms = 3, dimension = 2}\n'
)
GOOD = '''"""user:sum. One and one is two."""
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.statistics.compared import at_most

claim = Claim(
    label="user:sum",
    title="Addition",
    section="Trials",
    variants={"stated": Variant("1+1=2", ("none",), Verdict.EXACT)},
)


@claim.check("stated", control=dict(total=1))
def adds(task: Task, total: int = 2) -> Evidence:
    return at_most([(1 + 1, total, "one and one")])
'''
RETURN = "    return at_most("
BAD = {
    "taken_label": (
        GOOD.replace("user:sum", "thm:global_regret"),
        "line 1: label 'thm:global_regret' must be user:NAME",
    ),
    "no_control": (GOOD.replace("dict(total=1)", "None"), "check 'adds' has no negative control"),
    "its_own_control": (GOOD.replace("total=1", "total=2"), "check 'adds': its control is the check itself"),
    "raises": (GOOD.replace(RETURN, "    1 / 0\n" + RETURN), "raises.py, line 15: ZeroDivisionError"),
    "loops": (
        GOOD.replace(RETURN, "    while True:\n        pass\n" + RETURN),
        "loops.py: used more than 1 s of CPU",
    ),
    "based": (GOOD.replace(RETURN, "    raise BaseException\n" + RETURN), "based.py, line 15: BaseException"),
    "leaves": (
        GOOD.replace(RETURN, '    __import__("os")._exit(3)\n' + RETURN),
        "leaves.py: ended its process with status 3 before it answered",
    ),
    "syntax": ("x = (\n", "syntax.py, line 1: SyntaxError"),
    "nothing": ('"""Nothing."""\n', "must define claim"),
    "not_told_apart": (GOOD.replace("1 + 1, total", "1 + 1, 2"), "negative control was not rejected"),
}


ASKS = "(set-logic QF_NRA)\n(declare-fun x () Real)\n(assert (> x 0))\n"
V = Verdict
ATTACHED = [  # what a check returns, and why it is not believed
    (Evidence(V.EXACT, "seen"), "with no numbers attached: seen"),
    (Evidence(V.MEASURED, "seen"), "with no numbers attached: seen"),
    (Evidence(V.REFUTED, "seen", {"witness": ""}), "with no witness attached: seen"),
    (Evidence(V.CERTIFICATE, "seen"), "with no SMT-LIB text attached: seen"),
    (Evidence(V.Z3, "", {"smt2": [ASKS]}), "text 1 of 1 attached, which has a model: it is false"),
    (Evidence(V.Z3, "", {"smt2": [ASKS.replace("> x 0", "> 0 1") + "(assert true)"]}), "contradict"),
    (Evidence(V.Z3, "", {"smt2": [ASKS.replace("Real", "Int")]}), "not of real arithmetic"),
    (Evidence(V.Z3, "", {"smt2": [ASKS.replace("0)", "x)")]}), ""),
]


Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def verify(tmp_path, monkeypatch, forks):
    """Return a command in the test's folder; a run of a user's file has a process of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "400")

    def here(*words: str, limit: int = 60) -> subprocess.CompletedProcess[str]:
        return forks(*words, program=f"from verify import guard; guard.SECONDS = {limit}; {CONSOLE}")

    return here


@pytest.mark.fedigw
def test_a_campaign_goes_on_past_bad_files(verify, tmp_path):
    """Bad files, a good one and one of ours in one campaign: each failure is its own file's."""
    (tmp_path / "good.py").write_text(GOOD)
    for name, (source, _) in BAD.items():
        # a label of its own each, so that files are told apart
        (tmp_path / f"{name}.py").write_text(source.replace("user:sum", f"user:{name}"))
    files = [f"{name}.py" for name in BAD]
    done = verify("run", "good.py", *files, "lem:q_distribution", "--out", "out", limit=1)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    for name, (_, words) in BAD.items():
        assert words in " ".join(done.stdout.split()), name
    results = json.loads((tmp_path / "out/results.json").read_text())
    verdicts = {claim["label"]: claim["variants"][0]["by"] for claim in results["claims"]}
    assert verdicts["user:sum"] == "exact"
    assert set(results["files"]) == {"good.py", *files}
    ours = [claim for claim in results["claims"] if claim["label"] == "lem:q_distribution"]
    alone = verify("run", "lem:q_distribution", "--out", "alone")
    assert alone.returncode == 0
    assert json.loads((tmp_path / "alone/results.json").read_text())["claims"] == ours
    changed = verify("run", "good.py", "--out", "out", "--resume")
    assert changed.returncode == 2
    assert "begun with other parameters: files" in changed.stderr


@pytest.mark.parametrize(("returned", "why"), ATTACHED)
def test_a_verdict_is_what_is_attached_to_it(returned, why):
    found = own_claims.received(returned, False)
    assert found.kind is (V.UNDECIDED if why else V.Z3)
    assert why in found.summary


def test_a_proof_is_asked_for_by_the_campaign(verify, tmp_path):
    """Z3 is believed in a file if the solver says so again, and not if nothing is attached."""
    for name, returned in (
        ("believed", 'Evidence(Verdict.Z3, "yes")'),
        ("decided", 'prove("x*x >= 0").evidence'),
    ):
        source = GOOD.replace("user:sum", f"user:{name}").replace("Verdict.EXACT)", "Verdict.Z3)")
        source = source.replace(RETURN, f"    return {returned} if total == 2 else at_most(")
        (tmp_path / f"{name}.py").write_text(source + "\nfrom verify import prove\n")
    assert verify("run", "believed.py", "decided.py", "--out", "out").returncode == 1
    claims = json.loads((tmp_path / "out/results.json").read_text())["claims"]
    found = {claim["label"]: claim["variants"][0] for claim in claims}
    believed = found["user:believed"]["checks"][0]["evidence"]
    assert "asserted by the author, with no SMT-LIB text attached: yes" in believed["summary"]
    assert [found[f"user:{name}"]["verdict"] for name in ("believed", "decided")] == ["undecided", "proved"]


@pytest.mark.parametrize(
    ("figures", "statistical", "earned"),
    [
        ({"cases": [[1, 2, "here"], ["1/3", "1/2", "there"]]}, False, Verdict.EXACT),
        ({"cases": [[0.1, 0.2, "here"]]}, False, Verdict.FLOAT),
        ({"cases": [[1, 2, "here"], [3, 2, "there"]]}, False, Verdict.REFUTED),
        ({"cases": [[float("nan"), 2, "here"]]}, False, Verdict.REFUTED),
        ({"cases": [[True, 2, "here"]]}, False, Verdict.UNDECIDED),
        ({"cases": 500}, False, Verdict.UNDECIDED),
        ({"sample": [0.1] * 100, "largest": 1.0, "bound": 0.5}, True, Verdict.MEASURED),
        ({"sample": [0.1] * 100, "largest": 1.0, "bound": 0.5}, False, Verdict.UNDECIDED),  # it has no level
        ({"sample": [0.9] * 100, "largest": 1.0, "bound": 0.5}, True, Verdict.REFUTED),
        ({"sample": [2.0] * 100, "largest": 1.0, "bound": 0.5}, True, Verdict.UNDECIDED),
    ],
)
def test_attached_numbers_are_compared_again(figures, statistical, earned):
    """Whatever the author says: here, measured."""
    found = own_claims.received(Evidence(Verdict.MEASURED, "seen", figures), statistical)
    assert found.kind is earned
    assert ("asserted" in found.figures) == (earned is Verdict.UNDECIDED)
    shown = own_claims.received(Evidence(Verdict.REFUTED, "false", {"witness": "x = 3"}), statistical)
    assert (shown.kind, shown.summary) == (Verdict.REFUTED, "false; witness: x = 3")


@pytest.mark.parametrize("sort", ["claim", "protocol", "policy", "environment"])
def test_templates_conform(verify, sort, tmp_path):
    made = verify("new", sort, f"my_{sort}")
    assert made.returncode == 0
    assert f"python -m verify check my_{sort}.py" in made.stdout
    checked = verify("check", f"my_{sort}.py")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "does not conform" not in checked.stdout
    assert ("conforms; reaches the minimiser" in checked.stdout) == (sort == "protocol")
    again = verify("new", sort, f"my_{sort}")
    assert again.returncode == 2
    assert "exists already; nothing was changed" in again.stderr


def test_a_protocol_of_ones_own_in_simulate_and_in_a_file(verify, tmp_path):
    verify("new", "protocol", "my_protocol")
    (tmp_path / "world.toml").write_text(WORLD)
    words = ("simulate", "world.toml", "--replications", "3", "--json", "--set", "learning_rate=9")
    given = verify(*words, "--protocol", "./my_protocol.py:MyProtocol", "--set", "rounds=4")
    assert given.returncode == 0, given.stderr
    document = json.loads(given.stdout)
    assert document["protocol"] == "my_protocol"
    assert document["traffic"]["rounds"] == 4 * document["traffic"]["calls"]
    assert document["no_bound"] == ["protocol my_protocol has no guarantee (H3)"]
    (tmp_path / "world.toml").write_text(WORLD + 'protocol = {name = "my_protocol.py", rounds = 4}\n')
    assert json.loads(verify(*words).stdout) == document


def test_a_protocol_that_stops_elsewhere(verify, tmp_path):
    """Without the regulariser's gradient it conforms and ends elsewhere; its first gap is measured unreported."""
    verify("new", "protocol", "my_protocol")
    path = tmp_path / "my_protocol.py"
    wrong = path.read_text().replace(", problem.shrinkage * point)", ")")
    path.write_text(wrong.replace("            channel.observe(point)", "            #"))
    checked = verify("check", "my_protocol.py:MyProtocol")
    assert "conforms; does NOT reach the minimiser: gap 0." in checked.stdout
    missing = verify("check", "my_protocol.py:Foo")
    assert missing.returncode == 2
    assert missing.stderr.endswith("has no class Foo; its classes: MyProtocol\n")
    data = str(ROOT / "examples" / "dataset.toml")
    fitted = verify("fit", data, "--protocol", "my_protocol.py", "--json")
    assert json.loads(fitted.stdout)["gap"][0] == pytest.approx(0.243971, abs=1e-6)


FIRST_LINE = {
    "protocol": "        shape = (problem.dimension,)",
    "policy": "        arms =",
}  # of what it does


def doing(verify: Command, sort: str, deed: str) -> int:
    """Write a template with a deed in its function, and a world; return the line of the deed."""
    verify("new", sort, f"my_{sort}")
    path, first = Path(f"my_{sort}.py"), FIRST_LINE[sort]
    path.write_text(path.read_text().replace(first, f"        {deed}\n{first}"))
    Path("world.toml").write_text(WORLD + "learning_rate = 9\n")
    return path.read_text().splitlines().index(f"        {deed}") + 1


@pytest.mark.parametrize(
    ("sort", "deed", "said"),
    [
        ("protocol", "1 / 0", ", line {line}: ZeroDivisionError: division by zero"),
        ("protocol", "np.ones((1 << 20, 1 << 20))", ", line {line}: MemoryError"),
        ("protocol", "return np.zeros(7)", ": gave something that cannot be worked with"),
        # inside a loop of ours this becomes a RuntimeError, whose own traceback does not pass the file
        ("policy", "raise StopIteration", ", line {line}: StopIteration"),
        ("policy", '__import__("fedigw.replications").replications._record = None', ": gave something that"),
    ],
)
def test_a_part_that_misbehaves_gets_one_line(verify, sort, deed, said):
    line = doing(verify, sort, deed)
    done = verify("simulate", "world.toml", "--replications", "1", f"--{sort}", f"my_{sort}.py")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1, done.stderr
    assert f"my_{sort}.py" + said.format(line=line) in done.stderr
    assert not done.stdout


def test_a_file_that_prints_does_not_spoil_the_answer(verify):
    """While it is read, while it works, and at the end of its process; in three ways at once, and from a fork."""
    deed = '(print("noise"), __import__("sys").stdout.write("noise"), __import__("os").write(1, b"noise"))'
    doing(verify, "policy", deed)
    with Path("my_policy.py").open("a") as stream:
        stream.write(
            f"\n__import__('os').fork()\n{deed}\n__import__('atexit').register(lambda: {deed} and 1 / 0)\n"
        )
    done = verify("simulate", "world.toml", "--policy", "my_policy.py", "--replications", "1", "--json")
    assert json.loads(done.stdout)["policy"] == "my_policy"
    assert done.returncode == 0
    assert "noise" in done.stderr
    assert '"policy"' not in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "missing.py"), "missing.py: there is no such file"),
        (("show", "missing.py"), "missing.py: there is no such file"),
        (("check", "missing.py"), "missing.py: there is no such file"),
        (("new", "claim", "Not a name"), "must be a Python name in small letters"),
        (("new", "theorem", "x"), "unknown; "),
        (("simulate", "world.toml", "--protocol", "missing.py:Name"), "missing.py: there is no such file"),
    ],
)
def test_bad_names(words, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "world.toml").write_text(WORLD)
    refused(capsys, list(words), said)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("import os; os._exit(0)", "early.py: ended its process with status 0 before it answered"),
        ("import sys; sys.exit(0)", "early.py, line 1: SystemExit"),
    ],
)
def test_a_file_that_ends_its_reader_is_named(verify, line, said, tmp_path):
    """With status 0 too: nothing was checked, and the command must not look as if it had been."""
    (tmp_path / "early.py").write_text(line + "\n" + GOOD)
    done = verify("run", "early.py", "--out", "out")
    assert done.returncode == 2
    assert said in done.stderr


def test_a_file_that_leaves_by_itself_is_no_success(verify):
    doing(verify, "protocol", '__import__("os")._exit(0)')
    for words in (("check", "my_protocol.py"), ("simulate", "world.toml", "--protocol", "my_protocol.py")):
        done = verify(*words)
        assert done.returncode == 2
        assert "my_protocol.py: ended its process with status 0 before it answered" in done.stderr


def test_only_a_recorded_theorem_is_proved_by_coq():
    with pytest.raises(own_claims.BadFile, match="the check says proved by Coq"):
        own_claims.received(Evidence(V.COQ, "x"), False)
