"""End a campaign of checks on Ctrl-C or SIGTERM with one message, which contains the command that resumes it.

Finished checks are already on disk, each written in one step, so nothing has to be undone. The signal handler ends the
process itself: an exception could be raised anywhere, for example inside an import.
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


def command_of(words: list[str]) -> str:
    return next(iter(words[2:] if words[:1] == ["--paper"] else words), "")


def watch() -> None:
    for number in WORDS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, leave)


def leave(number: int, frame: FrameType | None = None) -> NoReturn:
    """On a signal, print how to continue, kill the child processes, and exit with status 128 + the signal's number."""
    for other in WORDS:
        signal.signal(other, signal.SIG_IGN)
    with contextlib.suppress(Exception):
        cursor = SHOW_CURSOR if os.isatty(2) else b""
        text = f"\nverify: {WORDS[signal.Signals(number)]}; {how_to_continue(sys.argv[1:])}\n"
        os.write(2, cursor + text.encode(errors="replace"))  # not by sys.stderr, which may be in use
        _kill_children()
    os._exit(128 + number)


def _kill_children() -> None:
    multiprocessing, psutil = sys.modules.get("multiprocessing"), sys.modules.get("psutil")
    for process in multiprocessing.active_children() if multiprocessing else ():
        process.kill()
    # a cluster starts workers in another thread; one that is not listed yet would print a traceback
    for process in psutil.Process().children() if psutil else ():
        if "spawn_main" in " ".join(process.cmdline()):
            process.kill()


def how_to_continue(words: list[str]) -> str:
    """Return the message that is printed when a campaign of checks is interrupted: what is saved, and the command that
    continues it. words: the command-line arguments of the campaign."""

    def is_option(word: str, option: str) -> bool:
        name = word.partition("=")[0]
        return len(name) > 2 and option.startswith(name)

    if command_of(words) != "all" and not any(is_option(word, "--out") for word in words):
        return "nothing is saved without --out"
    kept = [word for word in words if not is_option(word, "--resume")]
    return "what is done is saved; continue with: python -m verify " + shlex.join([*kept, "--resume"])
