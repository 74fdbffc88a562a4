"""Kills, full disks and hostile claims: what is complete at last has the bytes of a campaign that nobody disturbed."""

import collections
import json
import random
from pathlib import Path

import pytest
from campaign_faults import (
    contents,
    disturbed,
    disturbed_cluster,
    ended,
    prepared,
    start,
)

# What a hostile claim tries, first while its file is read and then in a check; `done` is what it got away with.
HOSTILE = '''"""user:hostile. Means ill."""
import ctypes, gc, glob, os, signal, threading
import numpy as np
from multiprocessing.connection import Connection
from verify.claim import Claim, Evidence, Variant
from verify.verdict import Verdict

OUT = {out!r}
SOURCE = {source!r}
done = []


def attempt(deed):
    def run(*words):
        try:
            deed(*words)
        except BaseException:
            return
        done.append(deed.__name__)
    return run


@attempt
def removes_records():
    found = glob.glob(OUT + "/records/lem*")
    if not found:
        raise OSError("nothing there yet")
    os.remove(found[0])


@attempt
def removes_records_in_a_thread():
    for path in glob.glob(OUT + "/records/lem*"):
        one = threading.Thread(target=os.unlink, args=(path,))
        one.start()
        one.join()
        if not os.path.exists(path):
            return
    raise OSError("all still there")


@attempt
def removes_records_by_the_system():
    found = glob.glob(OUT + "/records/lem*")
    if not found or ctypes.CDLL(None).unlink(found[0].encode()):
        raise OSError("refused")


@attempt
def writes_results():
    with open(OUT + "/results.json", "w") as stream:
        stream.write("{{}}")


@attempt
def writes_beside_its_file():
    with open(os.path.dirname(os.path.abspath(SOURCE)) + "/left_behind", "w") as stream:
        stream.write("x")


@attempt
def changes_the_program():
    with open(SOURCE, "a") as stream:
        stream.write("claim = None")


@attempt
def kills_its_parent():
    os.kill(os.getppid(), signal.SIGKILL)


@attempt
def kills_its_parent_by_the_system():
    if ctypes.CDLL(None).kill(os.getppid(), 9):
        raise OSError("refused")


def meddle():
    np.random.seed(0)
    np.random.default_rng = lambda *_: None
    import fedigw.confinement, fedigw.outside, verify.campaign.judgement, verify.campaign.units, verify.own_claims
    import verify.statistics.level as level
    level.SHARE = level.FAMILY_LEVEL = verify.campaign.units.SHARE = 1.0
    verify.own_claims.USERS = level.USERS = 10**6
    verify.campaign.judgement.judge = lambda outcomes: []
    fedigw.outside._user_on_stack = fedigw.outside._refuse_elsewhere = lambda *_: None
    fedigw.confinement.Forbidden = KeyError
    for deed in (
        removes_records, removes_records_in_a_thread, removes_records_by_the_system, writes_results,
        writes_beside_its_file, changes_the_program, kills_its_parent, kills_its_parent_by_the_system,
    ):
        deed()


def meddles(task):
    os.path.abspath = lambda path: "/dev/null"
    meddle()
    return Evidence(Verdict.EXACT, "meddled", {{"done": sorted(set(done))}})


def connection():
    return next(one for one in gc.get_objects() if isinstance(one, Connection) and one.writable)


def speaks_for_another(task):
    import verify.campaign.units as units
    forged = units.Outcome("lem:VE", "unit0", "printed", *[Evidence(Verdict.REFUTED, "forged")] * 2)
    units.Outcome = lambda *_: forged
    return Evidence(Verdict.EXACT, "x")


class Bomb:
    def __reduce__(self):
        return os.system, ("touch " + OUT + "/exploded",)


def sends_a_bomb(task):
    connection().send(Bomb())
    os._exit(0)


def begins_and_never_ends(task):
    os.write(connection().fileno(), b"\\x00\\x00\\x10\\x00half")
    while True:
        pass


def spends(task):
    return Evidence(Verdict.EXACT, "x", level=0.5)


def calls_itself_a_theorem(task):
    return Evidence(Verdict.EXACT, "x", {{"theorem": "Policies.mine", "axioms": 3}})


def fails(task):
    return Evidence(Verdict.REFUTED, "fails")


if {at_once}:
    meddle()
CHECKS = (meddles, speaks_for_another, sends_a_bomb, begins_and_never_ends, spends, calls_itself_a_theorem)
claim = Claim("user:hostile", "Hostile", "Trials", __doc__, {{"stated": Variant("x", (), Verdict.EXACT)}})
for check in CHECKS:
    claim.check("stated", control=fails, name=check.__name__)(check)
'''


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepared(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def undisturbed(home: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("undisturbed") / "campaign"
    errors = ended(process := start(home, folder), "a campaign that nobody disturbs")
    assert process.returncode == 0, errors
    return contents(folder)


def test_three_kills_with_users_claims(home: Path, tmp_path: Path) -> None:
    disturbed(home, tmp_path, random.Random(3), 3, collections.Counter())


@pytest.mark.long
def test_fifty_kills_with_users_claims(home: Path, tmp_path: Path) -> None:
    seen: collections.Counter[str] = collections.Counter()
    disturbed(home, tmp_path, random.Random(1), 50, seen)
    assert {key.partition(" at ")[0] for key in seen} == {"main", "worker", "user", "reader"}
    assert {key.partition(" at ")[2] for key in seen} == {"start-up", "units", "results", "report"}


@pytest.mark.long
def test_kills_of_a_cluster_and_its_scheduler(home: Path, tmp_path: Path) -> None:
    seen: collections.Counter[str] = collections.Counter()
    disturbed_cluster(home, tmp_path, random.Random(1), 6, seen)
    assert any(key.startswith("scheduler") for key in seen)


def test_a_hostile_claim_changes_nothing_of_others(
    home: Path, undisturbed: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside what it means to spoil: the folder of results is below its own."""
    monkeypatch.setenv("VERIFY_TIME_LIMIT", "2")
    source = home / "verify" / "claims" / "lem_VE.py"
    before = source.read_bytes()
    found = {}
    for number in range(2):
        out = tmp_path / f"out{number}"
        hostile = tmp_path / f"hostile{number}.py"
        text = HOSTILE.format(out=str(out), source=str(source), at_once=bool(number))
        hostile.write_text(text.replace("user:hostile", f"user:hostile{number}"))
        users = (str(hostile), "slow.py", "squarecb.py")
        errors = ended(process := start(home, out, users=users), "a campaign with a hostile claim")
        assert process.returncode == 1, errors
        assert "Traceback" not in errors
        found = contents(out)
        assert not (out / "exploded").exists()
        assert not (tmp_path / "left_behind").exists()
        assert source.read_bytes() == before
        for name in undisturbed:
            if name.partition("/")[0] in ("plots", "instances"):
                assert found[name] == undisturbed[name]
        theirs = json.loads(found["results.json"])
        wanted = json.loads(undisturbed["results.json"])
        claims = {claim["label"]: claim for claim in theirs["claims"]}
        for claim in wanted["claims"]:
            assert claims[claim["label"]] == claim
        assert theirs["level"] == wanted["level"]
        (variant,) = claims[f"user:hostile{number}"]["variants"]
        checks = {check["check"]: check for check in variant["checks"]}
        assert checks["meddles"]["evidence"]["figures"] == {"done": []}
        reasons = {name: check["failure"] or "" for name, check in checks.items()}
        assert "it speaks of 'lem:VE'" in reasons["speaks_for_another"]
        assert "gave no finding" in reasons["sends_a_bomb"]
        assert "allows more time" in reasons["begins_and_never_ends"]
        assert "a level of 0.5 is spent" in reasons["spends"]
        assert "figures called 'axioms'" in reasons["calls_itself_a_theorem"]
