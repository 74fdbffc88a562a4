"""Implement the command line: parse arguments, run the command, and report bad input and system errors in one line."""

import argparse
import io
import os
import re
import select
import shlex
import subprocess
import sys
from collections.abc import Collection
from typing import Any, NoReturn, TextIO

from bounds.errors import InputError, nearest
from bounds.names import SYMBOLS, WORDS
from fedigw import outside, progress
from fedigw.discovery import CatalogueError
from verify import guard, verbs
from verify.campaign.provenance import VERSION
from verify.interruption import CAMPAIGNS, how_to_continue

STDOUT = "standard output"
GENERAL = ("-h", "--help", "--version")  # options of no command


class _Output(io.FileIO):
    """Standard output or standard error. A failed write to standard output raises an OSError that names it; a failed
    write to standard error is ignored."""

    def write(self, data: Any, /) -> int:
        try:
            while (written := super().write(data)) is None:  # a pipe that does not wait for its reader
                select.select([], [self], [])
            return written
        except OSError as error:
            if self.fileno() == 2:
                return len(data)
            error.filename = STDOUT
            raise


def console(arguments: list[str]) -> int:
    """Run a command and return its exit status, also if standard output or standard error cannot be written."""
    os.environ["MPLBACKEND"] = "agg"  # pictures are files; a name that matplotlib does not know would stop it
    # what is written to a full standard error is lost, as to a closed one: a campaign goes on
    sys.stderr = open(os.devnull, "w") if sys.stderr is None else _named(sys.stderr)  # noqa: SIM115  to the end
    if sys.stdout is None:
        _say(f"{STDOUT}: is closed; redirect it to a file, or to {os.devnull}")
        return 2
    sys.stdout = _named(sys.stdout)
    return main(arguments)


def _named(stream: TextIO) -> TextIO:
    buffer = io.BufferedWriter(_Output(stream.fileno(), "w", closefd=False))
    lines = stream.fileno() == 2 or bool(getattr(stream, "line_buffering", False))
    return io.TextIOWrapper(buffer, stream.encoding, stream.errors, line_buffering=lines)


def _say(line: object, before: str = "") -> None:
    sys.stderr.write(f"{before}verify: {line}\n")


VARIABLE, DEFAULT = (
    "VERIFY_PAPER",
    "fedigw",
)  # as in verify.paper, which is not imported before the paper is chosen
FULL = re.compile(
    r"([a-z][a-z0-9_]*):[a-z]+:[A-Za-z0-9_-]+(?:/[\w. -]+)?(?:@[0-9a-f]+)?"
)  # paper:label/variant@id


class Parser(argparse.ArgumentParser):
    """An argument parser that raises InputError, which is printed as one line, instead of printing a usage text."""

    def error(self, message: str) -> NoReturn:
        end = (
            f"; {self.epilog}" if self.epilog and "are required" in message else f" (see {self.prog} --help)"
        )
        if found := re.fullmatch(r"argument (?:-\w/)?(--[\w-]+)\S*: expected one argument", message):
            end = f"; give its value: {found[1]} VALUE, or {found[1]}=VALUE if it begins with -"
        raise InputError(self.prog.split()[-1], None, message + end)


def main(arguments: list[str]) -> int:
    """Run a command and return its exit status. In a child process, which was started because a user's file may exit,
    also send the status to the parent."""
    if guard.CHILD in os.environ:
        guard.become_child()
    status = _main(arguments)
    guard.finish(status)
    return status


def _main(arguments: list[str]) -> int:
    """Run a command and return 0 if all expectations are met, 1 if not, 2 for bad input, 130 if interrupted, 143 if
    terminated."""
    given = arguments
    try:
        arguments, chosen = _paper(given)
        if chosen is not None and os.environ.get(VARIABLE, DEFAULT) != chosen:
            if (
                "verify.paper" in sys.modules
            ):  # a process has one paper: another one gets a process of its own
                command = [sys.executable, "-m", "verify", *given]
                return subprocess.run(command, env=os.environ | {VARIABLE: chosen}).returncode
            os.environ[VARIABLE] = chosen
        try:
            return _dispatch(arguments)
        except outside.Unguarded as unguarded:
            return guard.again(arguments, unguarded.path)
        finally:
            sys.stdout.flush()
    except InputError as error:
        _say(error)
        return 2
    except CatalogueError as error:
        broken = isinstance(error.__cause__, Exception) and not outside.named_in(str(error))  # a file of ours
        theirs = outside.suspect(error) if broken else None
        _say(theirs or error)
        return 2
    except KeyboardInterrupt:
        _say("interrupted", before="\n")
        return 130
    except OSError as error:
        if error.filename == STDOUT:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # Python writes the rest when it ends
            if isinstance(error, BrokenPipeError):  # the reader (head, less) has gone: not an error of ours
                return 0
        where = arguments[0] if error.filename is None else os.fsdecode(error.filename)
        saved = f"; {how_to_continue(given)}" if set(arguments[:1]) & set(CAMPAIGNS) else ""
        _say(outside.blame(error) or InputError(where, None, f"{error.strerror or error}{saved}"))
        return 2
    except MemoryError as error:
        theirs = outside.blame(error)
        _say(theirs or f"{arguments[0]}: ran out of memory; make it smaller")
        return 2
    except BaseException as error:  # a user's file may raise what is no Exception; --help ends by SystemExit
        theirs = outside.blame(error)
        if theirs is None and isinstance(error, Exception):
            theirs = outside.suspect(error)
        if theirs is None:
            raise
        _say(theirs)
        return 2


def _paper(arguments: list[str]) -> tuple[list[str], str | None]:
    """Remove --paper from the arguments. Return the other arguments and the paper's name, which may also stand in front
    of a label (PAPER:LABEL); None if no paper is named."""
    rest, chosen = [], None
    words = iter(arguments)
    for word in words:
        option, equals, value = word.partition("=")
        if option == "--paper":
            value = value if equals else next(words, "")
            if not value or chosen not in (None, value):
                raise InputError(
                    "--paper", value or None, "give one name or path; `python -m verify papers` has the names"
                )
            chosen = value
        else:
            rest.append(word)
    if chosen is None:
        labels = (FULL.fullmatch(word) for word in rest)
        named = list(dict.fromkeys(label[1] for label in labels if label))
        if len(named) > 1:
            raise InputError(
                "claim", " ".join(rest[1:]), f"of several papers, {' and '.join(named)}: one at a time"
            )
        return rest, named[0] if named else None
    return rest, chosen


def _dispatch(arguments: list[str]) -> int:
    first, known = arguments[0] if arguments else "", verbs.names()
    if first and not first.startswith("-") and first not in known:
        said = "`python -m verify --help` prints the commands" if first == "help" else nearest(first, known)
        raise InputError("command", first, f"unknown; {said}")
    if first.startswith("-") and first not in GENERAL:
        close = _nearest(first, GENERAL)
        said = close if "did you mean" in close else "`python -m verify --help` prints the commands"
        raise InputError("command", None, f"none is named before {first}; {said}")
    parser = Parser(prog="python -m verify", description="Check the theory of a paper.")
    parser.add_argument("--paper", metavar="NAME", help="the paper: a name or the path of its folder")
    parser.add_argument("--version", action="version", version=f"fedigw-verify {VERSION}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in [first] if first in known else known:  # all of them: for --help
        verb = verbs.load(name)
        sub = commands.add_parser(name, help=verbs.about(verb), description=verbs.about(verb))
        sub.epilog = f"example: {verbs.example(name)}"
        verb.add_arguments(sub)
        sub.set_defaults(execute=verb.execute)
    if not arguments:  # print the help and fail: an empty command has checked nothing
        sys.stdout.write(parser.format_help())
    options, unknown = parser.parse_known_args(arguments)
    if unknown:
        sub.error(f"unrecognized arguments: {' '.join(unknown)}{_instead(unknown, sub, arguments)}")
    if first in CAMPAIGNS:
        return int(options.execute(options))
    with progress.shown():
        status = int(options.execute(options))
        return 130 if progress.stopped() else status


def _instead(unknown: list[str], sub: argparse.ArgumentParser, arguments: list[str]) -> str:
    """Return what to type instead of the arguments `unknown`, which the command of the parser `sub` does not have."""
    known = [option for action in sub._actions for option in action.option_strings]
    first, equals, value = unknown[0].partition("=")
    if not first.startswith("-"):
        if equals:
            takes = [action.option_strings for action in sub._actions if action.nargs == "+"]
            option = next((names[0] for names in takes if names), None)  # that takes such words
            return "" if option is None else f"; put {option} before them: {option} {shlex.join(unknown)}"
        if not sub._get_positional_actions():
            return f"; {arguments[0]} takes options only"
        before = arguments[arguments.index(first) - 1]
        if " " in before + first or ("." in before and "." in first):
            return "; one at a time"
        if "--variant" in known and first in ("printed", "repaired", "sharpened", "best"):
            return f"; write --variant {first}"
        option = arguments[arguments.index(first) - 2]
        if option in ("--protocol", "--policy") and "--vary" in known:
            return f"; write {option} {before},{first}"
        claims = "CLAIM" in [action.metavar for action in sub._get_positional_actions()]
        return "; one at a time" + (f', in quotes if it has blanks: "{before} {first}"' if claims else "")
    if first in ("--private", "--privacy") and "--epsilon" in known:
        typed = value or next((word for word in unknown[1:2] if not word.startswith("-")), "1")
        return f"; write --epsilon {typed}"
    if first == "--set" and "--vary" in known:
        return f"; write --vary {unknown[-1]}"
    if first == "--plot" and "--out" in known:
        return "; --out DIR makes a folder with the picture"
    if first in ("--out", "--output", "-o") and not {"--out", "--page"} & set(known):
        return "; the answer goes to standard output: write > FILE at the end"
    key = first.lstrip("-").replace("-", "_")
    value = value or next((word for word in unknown[1:2] if not word.startswith("-")), "")
    if value and "--set" in known and key in _keys():
        return f"; write --set {key}={value}"
    close = _nearest(first, known)
    others = [name for name in verbs.names() if first in _options(name)]
    if others and "did you mean" not in close:
        return f"; {first} is an option of {', '.join(others)}"
    return f"; {close}"


def _nearest(option: str, known: Collection[str]) -> str:
    """Return the end of an error message: the known option nearest to `option`, or all known options."""
    if option[1:2] != "-":
        return "known: " + ", ".join(known)
    bare = nearest(option[2:], [name[2:] for name in known if name.startswith("--")])
    return re.sub(r"(?<=mean ')|(?<=or ')|(?<=known: )|(?<=, )(?=\w)", "--", bare)


def _keys() -> Collection[str]:
    """Return the names that --set takes: keys of instance files, fields of protocols, and synonyms."""
    from dataclasses import fields

    from fedigw.parts import protocols
    from verify.instances import TOP, kind_of

    parts = protocols(kind_of("linear").protocols).values()
    return {*TOP, *SYMBOLS, *WORDS, *(field.name for part in parts for field in fields(part))}


def _options(name: str) -> Collection[str]:
    parser = Parser()
    verbs.load(name).add_arguments(parser)
    return parser._option_string_actions.keys()
