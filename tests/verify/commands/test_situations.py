"""Every command in every bad situation ends with one line that names the cause and status 2, never with a traceback.

Locked files are locked for root too: the commands run without the capabilities that pass over permissions.
"""

import contextlib
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from forked import LIBRARIES, Forks

from verify import verbs

ROOT = Path(__file__).resolve().parents[3]
PROGRESS = re.compile(r"\d+/\d+, ETA |written: ")
MORE = """
import verify.report.page, verify.report.plots
from verify import verbs
from verify.catalogue import catalogue
catalogue()
for verb in verbs.names():
    verbs.load(verb)
"""
READ_TOML = (
    "exact {}",
    "simulate {}",
    "fit {}",
    "sweep {} --vary horizon=8,16",
    "bound col:finite --instance {}",
    "data add bibtex {}",
)
READ_PYTHON = (
    "check {}",
    "run {}",
    "show {}",
    "simulate good.toml --protocol {}",
    "simulate good.toml --policy {}:P",
)
WRITE = (
    "all --out {}",
    "run lem:VE --out {}",
    "run lem:VE --out {} --resume",
    "report --out {}",
    "plot --out {}",
    "sweep good.toml --vary horizon=4,8 --replications 2 --out {}",
    "simulate good.toml --set horizon=8 --replications 2 --out {}/record.json",
    "simulate good.toml --set horizon=8 --replications 2 --plot {}/picture.svg",
    "plan --agents 3 --arms 2 --horizon 16 --class-size 2 --write {}/plan.toml",
    "prove 'x*x >= 0' --smt2 {}",
)
PRINT = {
    "badge": "badge col:finite",
    "cite": "cite col:finite",
    "bound": "bound col:finite --set M=10 K=5 T=1000 F=10",
    "check": "check good.py",
    "completion": "completion bash",
    "data": "data list",
    "exact": "exact examples/erratum_E6.toml",
    "fit": "fit examples/dataset.toml",
    "list": "list --json",
    "new": "new protocol mine",
    "papers": "papers",
    "plan": "plan --agents 3 --arms 2 --horizon 16 --class-size 2",
    "prove": "prove 'x*x >= 0'",
    "run": "run lem:V_upper --out campaign",
    "show": "show E6",
    "simulate": "simulate good.toml --set horizon=8 --replications 2",
    "sweep": "sweep good.toml --vary horizon=4,8 --replications 2",
}
NOT_PRINTED = {"all", "calibrate", "plot", "report", "search"}  # slow, or they need a finished campaign
LOCKED = ("locked", "closed/x", "folder", "missing", "loop", "pipe")
UNWRITABLE = ("closed", "closed/x", "read_only/x", "file/x", "dangling", "loop.py", "pipe.py")


def ordinary() -> None:
    """Give up, for this process and what it starts, reading and writing whatever the permissions say (Linux, root)."""
    import ctypes

    for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with files that cannot be read and folders that cannot be written."""
    place = tmp_path_factory.mktemp("situations")
    (place / "good.toml").write_bytes((ROOT / "examples" / "linear.toml").read_bytes())
    template = (ROOT / "verify" / "templates" / "claim.txt").read_text()
    (place / "good.py").write_text(template.replace("@name@", "good"))
    (place / "file").touch()
    (place / "dangling").symlink_to(place / "nowhere")
    for folder in ("closed", "read_only", "folder.toml", "folder.py"):
        (place / folder).mkdir()
    for suffix in ("toml", "py"):
        (place / f"locked.{suffix}").touch(mode=0o000)
        (place / "closed" / f"x.{suffix}").touch()
        (place / f"loop.{suffix}").symlink_to(place / f"loop.{suffix}")
        os.mkfifo(place / f"pipe.{suffix}")
    (place / "closed").chmod(0o000)
    (place / "read_only").chmod(0o555)
    yield place
    for folder in ("closed", "read_only"):
        (place / folder).chmod(0o755)  # so that it can be removed


Ask = Callable[..., list[tuple[str, int, str]]]


@pytest.fixture(scope="module")
def said(place: Path) -> Iterator[Ask]:
    """Return a function that runs commands and returns each with its status and what it printed on standard error."""
    with Forks(libraries=LIBRARIES + MORE, prepare=ordinary) as run:

        def ask(commands: list[str], output: str = os.devnull) -> list[tuple[str, int, str]]:
            with contextlib.chdir(place):
                home = str(place / "file" / "home")
                done = [run(*shlex.split(command), output=output, HOME=home) for command in commands]
            return [
                (command, one.returncode, one.stderr) for command, one in zip(commands, done, strict=True)
            ]

        yield ask


def wrong(answers: list[tuple[str, int, str]], names: str) -> list[tuple[str, int, str]]:
    """Return the answers that are not status 2 and one line with `names`."""

    def right(status: int, text: str) -> bool:
        lines = [line for line in text.splitlines() if not PROGRESS.match(line)]
        return status == 2 and len(lines) == 1 and lines[0].startswith("verify: ") and names in lines[0]

    return [answer for answer in answers if not right(*answer[1:])]


@pytest.mark.parametrize("file", LOCKED)
def test_a_file_that_cannot_be_read(said: Ask, file: str) -> None:
    commands = [command.format(f"{file}.toml") for command in READ_TOML]
    commands += [command.format(f"{file}.py") for command in READ_PYTHON]
    assert wrong(said(commands), file) == []


@pytest.mark.fedigw
@pytest.mark.parametrize("folder", UNWRITABLE)
def test_a_folder_that_cannot_be_written(said: Ask, folder: str) -> None:
    assert wrong(said([command.format(folder) for command in WRITE]), folder) == []


@pytest.mark.fedigw
def test_a_full_output(said: Ask) -> None:
    assert {*PRINT, *NOT_PRINTED} == {*verbs.names()}
    answers = said(["--help", "--version", *PRINT.values()], "/dev/full")
    assert wrong(answers, "standard output: No space") == []


@pytest.mark.fedigw
@pytest.mark.parametrize("command", [WRITE[1], WRITE[7]])
def test_a_full_error_output_stops_nothing(command: str, place: Path, tmp_path: Path) -> None:
    """Progress is lost, what was asked is not; nor does it matter which window system matplotlib is told to use."""
    words = f"{shlex.quote(sys.executable)} -m verify {command.format(tmp_path)} 2> /dev/full"
    known = os.environ | {"PYTHONPATH": str(ROOT), "MPLBACKEND": "unknown"}
    assert subprocess.run(["sh", "-c", words], cwd=place, env=known, capture_output=True).returncode == 0
    assert (tmp_path / "report.html").exists() or (tmp_path / "picture.svg").exists()


def test_a_closed_output(said: Ask) -> None:
    assert wrong(said(["", *verbs.names()], ""), "standard output: is closed") == []


def test_a_working_folder_that_cannot_be_read(tmp_path: Path) -> None:
    def lock() -> None:
        os.chmod(".", 0)
        ordinary()

    words, known = [sys.executable, "-m", "verify", "list"], os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(words, cwd=tmp_path, env=known, preexec_fn=lock, capture_output=True, text=True)
    tmp_path.chmod(0o700)
    assert (done.returncode, done.stderr) == (0, "")


def test_python_without_assertions_is_refused() -> None:
    """Some checks assert what they rely on: without it a seeded fault passes."""
    for program in (["-m", "verify", "list"], ["-c", "from verify import run; run('lem:VE')"]):
        command = [sys.executable, "-O", "-B", *program]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
        assert done.returncode != 0
        assert "python -O removes assertions" in done.stderr
        assert "leave it out" in done.stderr.splitlines()[-1]
        assert program[0] == "-c" or (done.returncode, done.stderr.count("\n")) == (2, 1)
