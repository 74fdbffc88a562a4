"""Every command in every bad situation ends with one line that names the cause and status 2, never with a traceback.

The commands and their arguments are those that the program has: a new command is tried in all situations, by its
EXAMPLE unless COMMANDS has a faster one. Locked files are locked for root too: the commands run without the
capabilities that pass over permissions. They run in a checkout that cannot be written, without a home and without git.
"""

import argparse
import contextlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from campaign_process import EXTENSIONS, PACKAGES, UNFINISHED
from forked import LIBRARIES, Forks

from fedigw.record import read_checked, write_checked
from verify import verbs
from verify.cli import Parser

ROOT = Path(__file__).resolve().parents[3]
PROGRESS = re.compile(r"\d+/\d+, ETA |written: |.* record \d")
MORE = """
import verify.report.page, verify.report.plots
from verify import verbs
from verify.catalogue import catalogue
catalogue()
for verb in verbs.names():
    verbs.load(verb)
"""
COMMANDS = {
    "badge": "badge col:finite",
    "calibrate": "calibrate --campaigns 1 --repetitions 1",
    "cite": "cite col:finite",
    "bound": "bound col:finite --set M=10 K=5 T=1000 F=10",
    "check": "check good.py",
    "completion": "completion bash",
    "data": "data list",
    "fit": "fit examples/dataset.toml",
    "list": "list --json",
    "new": "new protocol mine",
    "plan": "plan --agents 3 --arms 2 --horizon 16 --class-size 2",
    "plot": "plot",
    "prove": "prove 'x*x >= 0'",
    "run": "run lem:V_upper --out campaign",
    "search": "search lem:finite_error --budget 2",
    "show": "show E6",
    "simulate": "simulate good.toml --set horizon=8 --replications 2",
    "sweep": "sweep good.toml --vary horizon=4,8 --replications 2",
}
NOT_PRINTED = {"all", "calibrate", "plot", "report"}  # slow, or they need a finished campaign
NEED_A_FOLDER = {"all", "new", "plot", "report", "run"}  # of their own, in the working folder
READ_PYTHON = (
    "show {}",
    "run {}",
    "fit examples/dataset.toml --protocol {}",
    "simulate good.toml --protocol {}",
    "simulate good.toml --policy {}:P",
    "simulate good.toml --system {}",
    "sweep good.toml --vary horizon=4,8 --protocol {}",
    "sweep good.toml --vary horizon=4,8 --policy {}",
)
WRITE = (  # a file or folder in a folder
    "run lem:VE --out {}",
    "simulate good.toml --set horizon=8 --replications 2 --out {}/record.json",
    "simulate good.toml --set horizon=8 --replications 2 --plot {}/picture.svg",
    "sweep good.toml --vary horizon=4,8 --replications 2 --out {}",
    "plan --agents 3 --arms 2 --horizon 16 --class-size 2 --write {}/plan.toml",
)
SUFFIXES = ("", ".toml", ".py", ".html", ".svg")
BAD = ("locked", "closed/x", "read_only/x", "loop", "pipe", "file/x")  # neither read nor written
UNREADABLE = ("folder", "missing")
UNWRITABLE = ("closed", "read_only/x", "file/x", "dangling", "loop.py", "pipe.py")


def ordinary() -> None:
    """Give up, for this process and what it starts, reading and writing whatever the permissions say (Linux, root)."""
    import ctypes

    for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with files that cannot be read and folders that cannot be written."""
    place = tmp_path_factory.mktemp("situations")
    (place / "examples").symlink_to(ROOT / "examples")
    (place / "good.toml").write_bytes((ROOT / "examples" / "linear.toml").read_bytes())
    template = (ROOT / "verify" / "templates" / "claim.txt").read_text()
    (place / "good.py").write_text(template.replace("@name@", "good"))
    (place / "file").touch()
    (place / "dangling").symlink_to(place / "nowhere")
    for folder in ("closed", "read_only", *(f"folder{suffix}" for suffix in SUFFIXES)):
        (place / folder).mkdir()
    for name in ("good.toml", "good.py", "examples"):
        (place / "read_only" / name).symlink_to(place / name)
    for suffix in SUFFIXES:
        (place / f"locked{suffix}").touch(mode=0o000)
        (place / "closed" / f"x{suffix}").touch()
        (place / f"loop{suffix}").symlink_to(place / f"loop{suffix}")
        os.mkfifo(place / f"pipe{suffix}")
    with locked(place / "closed", 0o000), locked(place / "read_only", 0o555):
        yield place


@contextlib.contextmanager
def locked(folder: Path, mode: int) -> Iterator[None]:
    folder.chmod(mode)
    try:
        yield
    finally:
        folder.chmod(0o755)  # so that it can be removed


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A copy of the program whose folders cannot be written, and which is in no git repository."""
    home = tmp_path_factory.mktemp("checkout")
    for package in (*PACKAGES, EXTENSIONS, "proofs"):
        shutil.copytree(ROOT / package, home / package, ignore=UNFINISHED)
    with contextlib.ExitStack() as until_removed:
        for folder in (home, *(path for path in home.rglob("*") if path.is_dir())):
            until_removed.enter_context(locked(folder, 0o555))
        yield home


Ask = Callable[..., list[tuple[str, int, str]]]


@pytest.fixture(scope="module")
def said(place, checkout):
    """Return a function that runs commands and returns each with its status and what it printed on standard error."""
    nowhere = str(place / "file" / "below")
    missing = {"HOME": nowhere, "TMPDIR": nowhere, "PATH": nowhere}
    with Forks(home=checkout, libraries=LIBRARIES + MORE, prepare=ordinary) as run:

        def ask(
            commands: list[str], output: str = os.devnull, folder: str = "."
        ) -> list[tuple[str, int, str]]:
            done = [
                run(*shlex.split(command), output=output, folder=place / folder, **missing)
                for command in commands
            ]
            return [
                (command, one.returncode, one.stderr) for command, one in zip(commands, done, strict=True)
            ]

        yield ask


def parser_of(name: str) -> argparse.ArgumentParser:
    parser = Parser()
    verbs.load(name).add_arguments(parser)
    return parser


def commands() -> dict[str, str]:
    """Return a command line for every command: of COMMANDS, or else its example."""
    start = "python -m verify "
    return {name: COMMANDS.get(name) or verbs.example(name).removeprefix(start) for name in verbs.names()}


def with_value(name: str, action: argparse.Action) -> str:
    """Return the command line of a command with {} in the place of an argument's value."""
    for line in (commands()[name], verbs.example(name).removeprefix("python -m verify ")):
        if action.option_strings:
            return f"{line} {action.option_strings[0]} {{}}"
        words = shlex.split(line)
        value = getattr(parser_of(name).parse_args(words[1:]), action.dest)
        value = value[0] if isinstance(value, list) and value else value
        if value:
            words[words.index(str(value), 1)] = "{}"
            return shlex.join(words).replace("'{}'", "{}")
    return f"{name} {{}}"


def arguments(paths: bool) -> list[tuple[str, str, bool]]:
    """Return, for every argument of every command that takes a path, or else another value, the command line with {}
    for the value, the suffix of its files, and whether a file is read."""
    found = []
    for name in verbs.names():
        for action in parser_of(name)._actions:
            if action.nargs != 0 and (action.type is Path) == paths:
                shown = re.search(r"\.[a-z]+$", action.metavar or "")
                suffix = ".svg" if action.dest == "plot" else shown[0] if shown else ""
                reads = not action.option_strings or action.dest in ("instance", "xml")
                found.append((with_value(name, action), suffix, reads))
    return found


def wrong(answers: list[tuple[str, int, str]], names: str) -> list[tuple[str, int, str]]:
    """Return the answers that are not status 2 and one line with `names` that names no class of Python."""

    def right(status: int, text: str) -> bool:
        lines = [line for line in text.splitlines() if not PROGRESS.match(line)]
        plain = (
            len(lines) == 1 and lines[0].startswith("verify: ") and not re.search(r"[a-z]Error\b", lines[0])
        )
        return status == 2 and plain and names in lines[0]

    return [answer for answer in answers if not right(*answer[1:])]


@pytest.mark.fedigw
@pytest.mark.parametrize("bad", [*BAD, *UNREADABLE])
def test_a_path_that_cannot_be_read_or_written(said, bad):
    """In the place of an argument that takes a path, or of a user's file: each meets every second of these."""
    kind = [*BAD, *UNREADABLE].index(bad)
    lines = [
        line.format(bad + suffix)
        for line, suffix, reads in arguments(paths=True)
        if reads or bad not in UNREADABLE
    ]
    lines = [line for place, line in enumerate(lines) if (place + kind) % 2 == 0]
    assert len(lines) > 2
    lines += [line.format(f"{bad}.py") for line in READ_PYTHON[kind % 2 :: 2]]
    assert wrong(said(lines), bad) == []


@pytest.mark.fedigw
def test_a_locked_file_as_any_other_value(said):
    lines = [line.format("locked.py") for line, *_ in arguments(paths=False)]
    assert len(lines) > 50
    assert wrong(said(lines), "locked.py") == []


@pytest.mark.fedigw
@pytest.mark.parametrize("folder", UNWRITABLE)
def test_a_folder_that_cannot_be_written(said, folder):
    assert wrong(said([command.format(folder) for command in WRITE]), folder) == []


@pytest.mark.fedigw
def test_a_full_output(said):
    printing = [line for name, line in commands().items() if name not in NOT_PRINTED]
    assert wrong(said(["--help", "--version", *printing], "/dev/full"), "standard output: No space") == []


@pytest.mark.fedigw
def test_nothing_can_be_written(said):
    """Neither the checkout, nor the working folder, nor a home: what needs no folder works, the rest says so."""
    printing = {name: line for name, line in commands().items() if name != "calibrate"}
    answers = said(list(printing.values()), folder="read_only")
    need = [answer for answer, name in zip(answers, printing, strict=True) if name in NEED_A_FOLDER]
    assert wrong(need, "") == []
    fine = [answer for answer in answers if answer not in need]
    noise = [(command, text) for command, _, text in fine if not all(map(PROGRESS.match, text.splitlines()))]
    assert ([answer for answer in fine if answer[1] != 0], noise) == ([], [])


@pytest.mark.fedigw
@pytest.mark.parametrize("command", [WRITE[0], WRITE[2]])
def test_a_full_error_output_stops_nothing(command, place, tmp_path):
    """Progress is lost, what was asked is not; nor does it matter which window system matplotlib is told to use."""
    words = f"{shlex.quote(sys.executable)} -m verify {command.format(tmp_path)} 2> /dev/full"
    known = os.environ | {"PYTHONPATH": str(ROOT), "MPLBACKEND": "unknown"}
    assert subprocess.run(["sh", "-c", words], cwd=place, env=known, capture_output=True).returncode == 0
    assert (tmp_path / "report.html").exists() or (tmp_path / "picture.svg").exists()


def edited(folder: Path, **changes: object) -> None:
    """Change the properties of a campaign in its marker, its records and its results."""
    write_checked(folder / "campaign.json", read_checked(folder / "campaign.json") | changes)
    for path in (folder / "records").glob("*.json"):
        body = read_checked(path)
        write_checked(path, body | {"parameters": body["parameters"] | changes})
    path = folder / "results.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def newer(folder: Path) -> None:
    for path in (*folder.glob("*.json"), *folder.glob("records/*.json")):
        path.write_text(re.sub(r'"schema": ?\d+', '"schema":99', path.read_text()))


def linked(folder: Path) -> None:
    for name in ("plots", "records"):
        shutil.rmtree(folder / name, ignore_errors=True)
        (folder / name).symlink_to(folder.parent)


def emptied(folder: Path) -> None:
    for name in ("campaign.json", "results.json"):
        (folder / name).write_text("{}")


def foreign(folder: Path) -> None:
    for name in ("campaign.json", "results.json"):
        (folder / name).rename(folder / f"notes_{name}")


def a_file(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.touch()


FOLDERS: dict[
    str, tuple[Callable[[Path], None], str]
] = {  # what is done to a campaign's folder, and what is said
    "other_paper": (lambda folder: edited(folder, paper="sums"), "sums"),
    "from_the_future": (newer, "newer version"),
    "linked": (linked, "is a link"),
    "emptied": (emptied, "a damaged "),
    "foreign": (foreign, "foreign"),
    "a_file": (a_file, "a_file"),
}


@pytest.fixture(scope="module")
def finished(place, said):
    assert said(["run lem:V_upper --out finished"])[0][1] == 0
    return place / "finished"


@pytest.mark.fedigw
@pytest.mark.parametrize("kind", FOLDERS)
def test_a_folder_that_is_no_campaign_of_this_program(said, finished, kind):
    """For every command that reads a campaign's folder."""
    shutil.copytree(finished, folder := finished.parent / kind)
    change, said_of_it = FOLDERS[kind]
    change(folder)
    lines = []
    for name, line in commands().items():
        options = {option: a for a in parser_of(name)._actions for option in a.option_strings}
        if "--resume" in options:
            lines.append(f"{line} --resume --out {kind}")
        elif "--out" in options and options["--out"].default is not None:
            lines.append(f"{line} --out {kind}")
    assert len(lines) > 3
    assert wrong(said(lines), said_of_it) == []


def test_a_closed_output(said):
    assert wrong(said(["", *verbs.names()], ""), "standard output: is closed") == []


def test_a_paper_that_cannot_be_read(said):
    refusal = "verify: --paper = closed/x: cannot be read: Permission denied\n"
    assert said(["all --paper ./closed/x"]) == [("all --paper ./closed/x", 2, refusal)]


def test_a_working_folder_that_cannot_be_read(tmp_path):
    def lock() -> None:
        os.chmod(".", 0)
        ordinary()

    words, known = [sys.executable, "-m", "verify", "list"], os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(words, cwd=tmp_path, env=known, preexec_fn=lock, capture_output=True, text=True)
    tmp_path.chmod(0o700)
    assert (done.returncode, done.stderr) == (0, "")


def test_python_without_assertions_is_refused():
    """Some checks assert what they rely on: without it a seeded fault passes."""
    library = ["-O", "-c", "from verify import run; run('lem:VE')"]
    for *options, kind, program in (["-O", "-m", "verify"], ["-OO", "-m", "verify"], library):
        command = [sys.executable, *options, "-B", kind, program]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
        assert done.returncode != 0
        assert "python -O removes assertions" in done.stderr
        assert "leave it out" in done.stderr.splitlines()[-1]
        assert kind == "-c" or (done.returncode, done.stderr.count("\n")) == (2, 1)
