"""A campaign survives kill -9, the death of its workers and Ctrl-C; its bytes do not depend on how it was run."""

import os
import pty
import signal
import subprocess
import time

import campaign_process as tiny
import psutil
import pytest
from refused import refused


def workers_of(process: "subprocess.Popen[str]") -> list[psutil.Process]:
    """The processes that carry out units: leaves below the fork server."""
    try:
        found = psutil.Process(process.pid).children(recursive=True)
        return [p for p in found if not p.children() and p.ppid() != process.pid]
    except psutil.NoSuchProcess:  # one came or went while we looked
        return []


def wait_for_workers(process: "subprocess.Popen[str]", count: int) -> list[psutil.Process]:
    look = lambda: found if len(found := workers_of(process)) >= count else []  # noqa: E731
    return list(tiny.wait_for(look, f"{count} workers"))


def test_the_death_of_a_worker_costs_nothing(home, undisturbed, tmp_path):
    process = tiny.start(home, tmp_path / "campaign")
    found = wait_for_workers(process, 2)
    tiny.said_first(process)  # both are at work
    found[0].kill()
    errors = tiny.ended(process, "a campaign without one of its workers")
    assert process.returncode == 0, errors
    assert tiny.results(tmp_path / "campaign") == undisturbed


def test_termination_and_an_interrupt_end_at_once_and_resume(home, undisturbed, tmp_path):
    folder = tmp_path / "campaign"
    more = f"what is done is saved; continue with: python -m verify all --out {folder} --resume"
    process = tiny.start(home, folder)
    found = wait_for_workers(process, 2)
    assert tiny.said_first(process).startswith(f"1/{tiny.UNITS}, ETA")
    process.terminate()
    errors = tiny.ended(process, "a terminated campaign")
    assert process.returncode == 143
    assert f"verify: terminated; {more}" in errors
    _, alive = psutil.wait_procs(found, timeout=tiny.PATIENCE)
    assert not alive
    done = len(list((folder / "records").glob("*.json")))
    process = tiny.start(home, folder, "--resume")
    assert tiny.said_first(process).startswith(f"{done + 1}/{tiny.UNITS}")  # not redone
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the whole group
    errors = tiny.ended(process, "an interrupted campaign")
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert more in errors
    # it does not wait for the rest
    assert done < len(list((folder / "records").glob("*.json"))) < tiny.UNITS
    assert f"{tiny.UNITS}/{tiny.UNITS}" in tiny.finish(home, folder, "--resume").stderr
    assert tiny.results(folder) == undisturbed


@pytest.mark.parametrize("tenths", [0, 9])
def test_an_interrupt_while_starting_says_how_to_continue(home, tmp_path, tenths):
    """Whatever is going on: imports, the catalogue, the first worker."""
    process = tiny.start(home, tmp_path / "campaign")
    tiny.wait_until_it_watches(process)
    time.sleep(tenths / 10)
    os.killpg(process.pid, signal.SIGINT)
    errors = tiny.ended(process, "a campaign that is interrupted while it starts")
    assert process.returncode == 130
    assert "Traceback" not in errors
    command_to_resume = f"python -m verify all --out {tmp_path / 'campaign'} --resume"
    wanted = f"verify: interrupted; what is done is saved; continue with: {command_to_resume}"
    assert errors.splitlines()[-1] == wanted


@pytest.mark.parametrize(
    ("words", "rest"),
    [
        (["run", "lem:VE"], None),
        (["run", "lem:VE", "--out=a b", "--resume"], "run lem:VE '--out=a b' --resume"),
        (["run", "lem:VE", "--ou", "x", "--res"], "run lem:VE --ou x --resume"),
        (["all"], "all --resume"),
    ],
)
def test_the_command_that_continues(words, rest):
    from verify.interruption import how_to_continue

    shown = how_to_continue(words)
    wanted = "nothing is saved without --out"
    if rest is not None:
        wanted = f"what is done is saved; continue with: python -m verify {rest}"
    assert shown == wanted


def test_a_second_campaign_in_the_same_folder_is_refused_and_a_killed_one_leaves_no_worker(
    home, undisturbed, tmp_path, capsys
):
    folder = tmp_path / "campaign"
    first = tiny.start(home, folder)
    found = wait_for_workers(first, 1)
    tiny.said_first(first)
    first.send_signal(signal.SIGSTOP)  # it must not end before the others have looked
    for more in ((), ("--resume",)):
        said = refused(capsys, ["all", "--out", str(folder), *more], ": another campaign is running there\n")
        assert said.startswith("verify: --out = ")  # a long path is shortened in the message
    first.kill()
    done = tiny.finish(home, folder, "--resume")  # at once: the lock has gone with its holder
    assert done.returncode == 0, done.stderr
    assert f"1/{tiny.UNITS}," not in done.stderr
    assert tiny.results(folder) == undisturbed
    first.communicate()
    _, alive = psutil.wait_procs(found, timeout=tiny.PATIENCE)
    assert not alive


def test_a_terminal_gets_a_live_display(home, undisturbed, tmp_path):
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        tiny.command(tmp_path / "campaign"),
        cwd=home,
        env=tiny.environment() | {"TERM": "xterm-256color", "COLUMNS": "100"},
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # the other side has closed
            break
        if not part:
            break
        shown += part
    os.close(ours)
    table, _ = process.communicate()
    assert process.returncode == 0
    assert b"\x1b[" in shown
    assert b"/8" in shown
    assert b"ETA" not in shown
    assert (
        max(len(line) for line in table.splitlines() if str(tmp_path) not in line) <= 100
    )  # a path may be long
    assert tiny.results(tmp_path / "campaign") == undisturbed
