"""Kills, full disks and mistaken claims: what is complete at last has the bytes of a campaign that nobody disturbed."""

import collections
import json
import random

import campaign_faults
import pytest
from campaign_faults import WHO, contents, cycle, disturbed, disturbed_cluster, prepared, start
from campaign_process import ended

# Mistakes of a claim, first while its file is read and then in a check.
MISTAKEN = '''"""user:mistaken. Changes what it should not, and answers wrongly."""
import os, sys, threading
import numpy as np
from verify.claim import Claim, Evidence, Variant, Verdict

def meddle():
    np.random.seed(0)
    np.random.default_rng = lambda *_: None
    import verify.campaign.judgement, verify.campaign.units, verify.own_claims
    import verify.statistics.level as level
    level.SHARE = level.FAMILY_LEVEL = verify.campaign.units.SHARE = verify.own_claims.SHARE = 1.0
    verify.own_claims.USERS = level.USERS = 10**6
    verify.campaign.judgement.judge = lambda outcomes: []
    threading.Thread(target=lambda: 1 / 0).start()


def meddles(task):
    meddle()
    print("noise")
    sys.stdout = None
    return Evidence(Verdict.EXACT, "meddled")


def speaks_for_another(task):
    import verify.campaign.units as units
    forged = units.Outcome("lem:VE", "unit0", "printed", *[Evidence(Verdict.REFUTED, "forged")] * 2)
    units.Outcome = lambda *_: forged
    return Evidence(Verdict.EXACT, "x")


def leaves(task):
    sys.stdout.write("half")
    os._exit(0)


def forks(task):
    if os.fork() == 0 and os.fork() == 0:
        __import__("time").sleep(3600)  # and keeps the pipe of the answer open
    return Evidence(Verdict.EXACT, "forked")


def changes_len(task):
    __import__("builtins").len = None
    return Evidence(Verdict.EXACT, "changed")


def never_ends(task):
    while True:
        pass


def eats(task):
    return Evidence(Verdict.EXACT, "x" * 10**11)


def spends(task):
    meddle()
    return Evidence(Verdict.EXACT, "x", level=0.5)


def calls_itself_a_theorem(task):
    return Evidence(Verdict.EXACT, "x", {{"theorem": "Policies.mine", "axioms": 3}})


def fails(task):
    return Evidence(Verdict.REFUTED, "fails", {{"witness": "here"}})


if {at_once}:
    meddle()
CHECKS = (meddles, speaks_for_another, leaves, forks, changes_len, never_ends, eats, spends, calls_itself_a_theorem)
claim = Claim("user:mistaken", "Mistaken", "Trials", __doc__, {{"stated": Variant("x", (), Verdict.EXACT)}})
for check in CHECKS:
    claim.check("stated", control=fails, name=check.__name__)(check)
'''


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return prepared(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def undisturbed(home, tmp_path_factory):
    return campaign_faults.undisturbed(home, tmp_path_factory.mktemp("undisturbed") / "campaign")


def test_a_kill_with_users_claims(home, undisturbed, tmp_path):
    """The server that workers are forked from is killed: no claim is blamed for it, and the campaign goes on."""
    process = start(home, tmp_path / "campaign")
    assert cycle(process, tmp_path / "campaign", random.Random(3), "server", "units") is not None
    words = ended(process, "a campaign whose fork server was killed")
    assert process.returncode == 0, words
    assert contents(tmp_path / "campaign") == undisturbed


@pytest.mark.long
def test_fifty_kills_with_users_claims(home, undisturbed, tmp_path):
    seen: collections.Counter[str] = collections.Counter()
    disturbed(home, tmp_path, undisturbed, random.Random(1), 50, seen)
    assert {key.partition(" at ")[0] for key in seen} == {*WHO}
    assert {key.partition(" at ")[2] for key in seen} == {"start-up", "units", "results", "report"}


@pytest.mark.long
def test_kills_of_a_cluster_and_its_scheduler(home, tmp_path):
    seen: collections.Counter[str] = collections.Counter()
    disturbed_cluster(home, tmp_path, random.Random(1), 6, seen)
    assert any(key.startswith("scheduler") for key in seen)


def test_mistaken_claims_change_nothing_of_others(home, undisturbed, tmp_path):
    for number in range(2):
        text = MISTAKEN.format(at_once=bool(number))
        text = text.replace("user:mistaken", f"user:mistaken{number}")
        (tmp_path / f"mistaken{number}.py").write_text(text)
    users = (*(str(tmp_path / f"mistaken{number}.py") for number in range(2)), "slow.py", "template.py")
    process = start(home, tmp_path / "out", users=users, seconds=1)
    errors = ended(process, "a campaign with mistaken claims")
    assert process.returncode == 1, errors
    assert "Traceback" not in errors
    found = contents(tmp_path / "out")
    for name in undisturbed:
        if name.partition("/")[0] in ("plots", "instances"):
            assert found[name] == undisturbed[name]
    theirs = json.loads(found["results.json"])
    wanted = json.loads(undisturbed["results.json"])
    claims = {claim["label"]: claim for claim in theirs["claims"]}
    for claim in wanted["claims"]:
        assert claims[claim["label"]] == claim
    assert theirs["level"] == wanted["level"]
    for number in range(2):
        (variant,) = claims[f"user:mistaken{number}"]["variants"]
        reasons = {check["check"]: check["failure"] or "" for check in variant["checks"]}
        assert not reasons["meddles"]
        assert not reasons["forks"]
        assert "it is about 'lem:VE'" in reasons["speaks_for_another"]
        assert "ended its process with status 0 before it answered" in reasons["leaves"]
        assert "ended its process with status 1 before it answered" in reasons["changes_len"]
        assert "used more than 1 s of CPU" in reasons["never_ends"]
        assert "MemoryError" in reasons["eats"]
        assert "a level of 0.5 is spent" in reasons["spends"]
        assert "figures called 'axioms'" in reasons["calls_itself_a_theorem"]
