"""The command line: parse, run the command's file, turn bad input into one line and exit status 2."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import sys
from typing import NoReturn

from bounds.errors import InputError, nearest
from fedigw import outside
from fedigw.discovery import CatalogueError
from verify import guard
from verify.campaign.provenance import VERSION

COMMANDS = {
    "all": "check every claim, write the report",
    "list": "every statement of the paper with its verdict, or why it is not covered",
    "show": "statement, hypotheses, variants, proof steps, errata of a claim",
    "run": "check some claims",
    "bound": "evaluate a bound",
    "exact": "exact law of a tiny finite-class run",
    "simulate": "replications of a run, beside the bounds that apply to it",
    "fit": "one FL call on given data: gap by round, traffic, guarantee",
    "sweep": "the same instance over values of some keys, policies, protocols: a table and a plot",
    "plan": "guarantees, expectation and costs of a federation that is only thought of",
    "check": "is a file of your own the protocol, policy, environment or claim that it must be?",
    "new": "write a template of your own claim, protocol, policy or environment",
    "data": "add, fetch or list the real data sets of the experiments",
    "plot": "draw the plots again from saved records",
    "report": "make the report again from saved results",
    "search": "look for worse instances than those kept",
    "calibrate": "false-alarm rate and power of the statistics, by simulation",
}


class Parser(argparse.ArgumentParser):
    """argparse, but an error is an InputError: one line, no usage text."""

    def error(self, message: str) -> NoReturn:
        raise InputError("command line", " ".join(sys.argv[1:])[:60], message + f" (see {self.prog} --help)")


def main(arguments: list[str]) -> int:
    """The command's exit status; in a limited process its end is marked, since a user's file may leave by itself."""
    status = _main(arguments)
    guard.mark_the_end(status)
    return status


def _main(arguments: list[str]) -> int:
    """0: every expectation met; 1: some not; 2: bad input; 130: interrupted (143: by SIGTERM)."""
    if os.environ.get(guard.MARK):  # this is the limited process of guard.again
        guard.limit_this_process()
        guard.die_with_parent(os.environ.get(guard.PARENT, ""))
        guard.keep_the_answer()
    try:
        status = _dispatch(arguments)
        sys.stdout.flush()
        return status
    except outside.Unguarded as unguarded:
        sys.stdout.flush()
        return guard.again(arguments, unguarded.path)
    except InputError as error:
        sys.stderr.write(f"verify: {error}\n")
        return 2
    except CatalogueError as error:
        broken = isinstance(error.__cause__, Exception) and not outside.named_in(str(error))  # a file of ours
        theirs = outside.suspect(error) if broken else None
        sys.stderr.write(f"verify: {theirs or error}\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("\nverify: interrupted\n")
        return 130
    except BrokenPipeError:
        # the reader (head, less) has gone: not an error of ours
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except MemoryError as error:
        theirs = outside.blame(error)
        sys.stderr.write(f"verify: {theirs or arguments[0] + ': ran out of memory; make it smaller'}\n")
        return 2
    except BaseException as error:  # a user's file may raise what is no Exception; --help ends by SystemExit
        theirs = outside.blame(error)
        if theirs is None and isinstance(error, Exception):
            theirs = outside.suspect(error)
        if theirs is None:
            raise
        sys.stderr.write(f"verify: {theirs}\n")
        return 2


def _dispatch(arguments: list[str]) -> int:
    if arguments and not arguments[0].startswith("-") and arguments[0] not in COMMANDS:
        raise InputError("command", arguments[0], "unknown; " + nearest(arguments[0], COMMANDS))
    parser = Parser(prog="python -m verify", description="Check the theory of FedIGW.")
    parser.add_argument("--version", action="version", version=f"fedigw-verify {VERSION}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    chosen = arguments[:1] if arguments and arguments[0] in COMMANDS else list(COMMANDS)  # all: for --help
    for name in chosen:
        sub = commands.add_parser(name, help=COMMANDS[name], description=COMMANDS[name])
        if arguments and arguments[0] == name:
            module = importlib.import_module(f"verify.commands.{name}_")
            if hasattr(module, "EXAMPLE"):
                sub.epilog = f"example: {module.EXAMPLE}"
            module.add_arguments(sub)
            sub.set_defaults(execute=module.execute)
    if not arguments:  # help, and no success: a script whose command came out empty has checked nothing
        sys.stdout.write(parser.format_help())
    options = parser.parse_args(arguments)
    return int(options.execute(options))
