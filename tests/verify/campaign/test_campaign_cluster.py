"""A real scheduler and real workers on loopback: same bytes as local, also when a worker dies; bad clusters told."""

import contextlib
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import campaign_process as tiny
import psutil
import pytest
from refused import refused


def worker(address: str, home: Path, hash_seed: str = "6640") -> "subprocess.Popen[bytes]":
    """Return one that the scheduler knows: a campaign waits a few seconds for it, and the machine may be busy."""
    port = int(address.rpartition(":")[2])
    process = tiny.worker_process(home, port, hash_seed)
    tiny.wait_for(lambda: tiny.joined(process, port), f"a worker to join {address}")
    return process


def answers(port: int) -> bool:
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0


def listening(process: psutil.Process) -> dict[int, set[str]]:
    """Process -> the addresses on which it or its descendants really wait for connections."""
    found = {}
    for one in [process, *process.children(recursive=True)]:
        with contextlib.suppress(
            psutil.NoSuchProcess
        ):  # it went while we looked, so it does not wait any more
            found[one.pid] = {c.laddr.ip for c in one.net_connections("inet") if c.status == "LISTEN"}
    return {number: addresses for number, addresses in found.items() if addresses}


@pytest.fixture(scope="module")
def scheduler(home):
    port = tiny.free_port()
    with tiny.ending(tiny.scheduler_process(home, port)):
        tiny.wait_for(lambda: answers(port), "a scheduler to listen")
        yield f"tcp://127.0.0.1:{port}"


def test_workers_that_come_go_hang_and_have_no_disk_give_the_local_bytes(
    home, scheduler, undisturbed, tmp_path
):
    """One worker is killed, one joins late, one can write no byte to its disk and stands still for a while."""
    killed, slow = workers = [worker(scheduler, home) for _ in range(2)]
    resource.prlimit(slow.pid, resource.RLIMIT_FSIZE, (0, 0))
    with tiny.ending(*workers):
        process = tiny.start(home, tmp_path / "cluster", "--engine", "dask", "--scheduler", scheduler)
        assert tiny.said_first(process).startswith("1/")
        slow.send_signal(signal.SIGSTOP)
        killed.kill()
        with tiny.ending(worker(scheduler, home)):
            slow.send_signal(signal.SIGCONT)
            errors = tiny.ended(process, "a campaign on a cluster that changes")
    assert process.returncode == 0, errors
    assert tiny.results(tmp_path / "cluster") == undisturbed


# Takes one result, lets the rest finish on the workers, and says so; after a line of input it takes them.
ENGINE = """
import sys, time
from verify.campaign.cluster import Cluster
from verify.campaign.units import Settings, units
with Cluster(sys.argv[1], 1) as cluster:
    finished = cluster(Settings(), units(["lem:VE"]))
    names = [next(finished).outcome.check]
    while any(cluster._client.processing().values()):
        time.sleep(0.05)
    print("finished", flush=True)
    sys.stdin.readline()
    names += [one.outcome.check for one in finished]
    print(*sorted(names), flush=True)
"""


def test_results_that_die_with_their_worker_are_computed_again(home, scheduler):
    """They are lost to Dask's client for a moment, which is not the loss of the scheduler."""
    words, pipe = [sys.executable, "-c", ENGINE, scheduler], subprocess.PIPE
    with tiny.ending(worker(scheduler, home), killed := worker(scheduler, home)):
        process = subprocess.Popen(
            words, cwd=home, env=tiny.environment(), stdin=pipe, stdout=pipe, stderr=pipe, text=True
        )
        assert process.stdout.readline() == "finished\n"
        killed.kill()
        killed.wait()
        said, errors = process.communicate("\n", timeout=tiny.PATIENCE)
    assert said.split() == [f"unit{i}" for i in range(tiny.UNITS)], errors


def test_a_local_cluster_listens_on_loopback_only_and_gives_the_local_bytes_also_after_an_interrupt(
    home, undisturbed, tmp_path
):
    process = tiny.start(home, tmp_path / "cluster", "--engine", "dask")
    assert tiny.said_first(process).startswith("1/")  # all are at work
    found = listening(psutil.Process(process.pid))
    os.killpg(process.pid, signal.SIGINT)
    assert len(found) == 3  # the scheduler's process and two workers
    assert set().union(*found.values()) == {"127.0.0.1"}
    errors = tiny.ended(process, "an interrupted campaign on a cluster")
    assert process.returncode == 130
    assert not (tmp_path / "cluster" / "results.json").exists()  # it does not wait for the rest
    assert "Traceback" not in errors
    done = tiny.finish(home, tmp_path / "cluster", "--engine", "dask", "--resume")
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert tiny.results(tmp_path / "cluster") == undisturbed


def test_the_documented_commands_listen_on_loopback_alone(home):
    text = (tiny.HOME / "docs" / "how_to" / "cluster.md").read_text()
    port = str(tiny.free_port())
    commands = [
        line.rstrip(" &").split()[3:] for line in text.splitlines() if line.startswith("python -m dask")
    ]
    assert [words[0] for words in commands] == ["scheduler", "worker"]
    running = [
        tiny.dask(home, *(word.replace("8786", port) for word in commands[0]), "--port", port),
        tiny.dask(home, *(word.replace("8786", port) for word in commands[1]), "--no-nanny"),
    ]
    with tiny.ending(*running):
        people = [psutil.Process(one.pid) for one in running]
        tiny.wait_for(lambda: all(listening(one) for one in people), "a scheduler and a worker to listen")
        tiny.wait_for(lambda: tiny.joined(running[1], int(port)), "the worker to be taken")  # its page is up
        found = [set().union(*listening(psutil.Process(one.pid)).values(), set()) for one in running]
    assert found == [{"127.0.0.1"}, {"127.0.0.1"}]


@pytest.mark.fedigw
@pytest.mark.parametrize(
    ("seed", "said"),
    [
        ("6640", "runs another version of this program: code ("),  # one claim in place of all
        ("random", "with PYTHONHASHSEED=6640"),
        ("", "has no worker"),
    ],
)
def test_a_scheduler_without_a_worker_that_runs_our_code_is_refused(
    seed, said, home, scheduler, tmp_path, capsys
):
    words = (
        "run",
        "lem:VE",
        "--out",
        str(tmp_path / "campaign"),
        "--engine",
        "dask",
        "--scheduler",
        scheduler,
    )
    with tiny.ending(*[worker(scheduler, home if seed == "6640" else tiny.HOME, seed)] if seed else []):
        refused(capsys, words, said)
    assert not (tmp_path / "campaign").exists()


@contextlib.contextmanager
def listener(says: bytes) -> Iterator[str]:
    """The address of something that greets every connection with `says` and keeps it open."""
    over = threading.Event()

    def answer() -> None:
        with contextlib.ExitStack() as held:
            while not over.is_set():
                with contextlib.suppress(OSError):  # nobody came, or went at once
                    held.enter_context(server.accept()[0]).sendall(says)

    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.1)
        thread = threading.Thread(target=answer)
        thread.start()
        try:
            yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        finally:
            over.set()
            thread.join()


@pytest.mark.fedigw
@pytest.mark.parametrize("says", [None, b"", bytes(range(256)) * 40])
def test_an_address_where_no_scheduler_answers(says, tmp_path, capsys):
    """Nobody listens, or somebody who stays silent or speaks otherwise: one line, nothing written."""
    nobody = contextlib.nullcontext("tcp://127.0.0.1:9")
    with nobody if says is None else listener(says) as address:
        words = ["--engine", "dask", "--scheduler", address, "--out", str(tmp_path / "campaign")]
        said = refused(capsys, ["run", "lem:VE", *words])
    assert said.startswith(f"verify: --scheduler = {address}: does not answer: ")
    assert not (tmp_path / "campaign").exists()


def test_what_never_answers_is_given_up():
    """The connection as a whole has ten seconds; nobody waits for what is left behind."""
    from verify.campaign import cluster

    never = threading.Event()
    with pytest.raises(TimeoutError, match="silent for 0 s"):
        cluster.within(0.01, never.wait)
    never.set()
    assert cluster.within(60, lambda: "an answer") == "an answer"
    assert cluster.PATIENCE < cluster.DEADLINE < 10


def test_a_worker_that_joins_late_must_run_our_code(monkeypatch):
    from verify.campaign import cluster
    from verify.campaign.outcome import failed
    from verify.campaign.units import Finished, Settings

    monkeypatch.setattr(cluster, "run_timed", lambda settings, unit: Finished(failed(*unit, "v", "r"), 0.0))
    unit = ("lem:VE", "a")
    assert cluster.run_remote(Settings(), unit, cluster.identity()).outcome.claim == "lem:VE"
    with pytest.raises(cluster.ForeignWorker, match="another version of this program"):
        cluster.run_remote(Settings(), unit, cluster.identity() | {"code": "other"})


@pytest.mark.fedigw
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ["--engine", "dask", "--scheduler", "nonsense"],
            "; write it as tcp://host:8786",
        ),
        (["--scheduler", "tcp://127.0.0.1:9"], "only with --engine dask"),
    ],
)
def test_what_is_no_scheduler_is_refused(words, says, capsys):
    refused(capsys, ["run", "lem:VE", *words], says)
