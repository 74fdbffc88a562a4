"""Ctrl-C and SIGTERM at any moment of a campaign: one message with the command to resume, and the end.

What is done is on disk already, each file moved into place in one step, so there is nothing to unwind. An exception
could surface anywhere, inside an import or a library's callback; leaving from the handler itself cannot.
"""

import contextlib
import os
import shlex
import signal
import sys
from types import FrameType
from typing import NoReturn

CAMPAIGNS = ("all", "run")
WORDS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}
SHOW_CURSOR = b"\x1b[?25h"  # a live display hides it


def watch() -> None:
    """Make a campaign's process end by `leave`. A signal that is ignored stays ignored."""
    for number in WORDS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, leave)


def leave(number: int, frame: FrameType | None = None) -> NoReturn:
    """Say how to continue, end our processes, end. Status 130 or 143, as of one that the signal itself ended."""
    for other in WORDS:
        signal.signal(other, signal.SIG_IGN)
    with contextlib.suppress(Exception):
        cursor = SHOW_CURSOR if os.isatty(2) else b""
        text = f"\nverify: {WORDS[signal.Signals(number)]}; {how_to_continue(sys.argv[1:])}\n"
        os.write(2, cursor + text.encode(errors="replace"))  # the stream itself may be in the midst of a line
        _kill_children()
    os._exit(128 + number)


def _kill_children() -> None:
    """Kill child processes; with modules that are there: who interrupts an import must not begin another."""
    multiprocessing, psutil = sys.modules.get("multiprocessing"), sys.modules.get("psutil")
    for process in multiprocessing.active_children() if multiprocessing else ():
        process.kill()
    # a cluster begins its workers in another thread: one may not be counted yet, and would mourn its parent aloud
    for process in psutil.Process().children() if psutil else ():
        if "spawn_main" in " ".join(process.cmdline()):
            process.kill()


def how_to_continue(words: list[str]) -> str:
    """Return what is saved of the campaign with these arguments, and the command that continues it."""

    def is_option(word: str, option: str) -> bool:
        """argparse takes the beginning of an option for the whole."""
        name = word.partition("=")[0]
        return len(name) > 2 and option.startswith(name)

    if words[:1] != ["all"] and not any(is_option(word, "--out") for word in words):
        return "nothing is saved without --out"
    kept = [word for word in words if not is_option(word, "--resume")]
    return "what is done is saved; continue with: python -m verify " + shlex.join([*kept, "--resume"])
