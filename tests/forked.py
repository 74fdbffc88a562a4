"""Run commands in forks of one process that has imported the libraries and our packages, so that their start is paid
for once.

Processes that a command itself starts (workers, readers of users' files) are real processes, as usual.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent
CONSOLE = "from verify.__main__ import console; console()"
# The paper is not imported: a process has one, and commands choose it.
LIBRARIES = """
import importlib, pkgutil
import jinja2, latex2mathml.converter, matplotlib.pyplot, rich.table, scipy.optimize, scipy.stats, sympy, z3
import verify.cli, verify.claim
for package in ("bounds", "fedigw", "finite_class", "linear"):
    for info in pkgutil.walk_packages(importlib.import_module(package).__path__, package + "."):
        importlib.import_module(info.name)
"""
SERVER = """
import atexit, gc, json, os, sys, traceback
gc.collect()
gc.freeze()
for line in sys.stdin:
    words, folder, environment, output, errors, program = json.loads(line)
    child = os.fork()
    if child:
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
    if output:
        os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
    else:
        os.close(1)
        sys.stdout = sys.__stdout__ = None
    sys.argv, status = ["verify", *words], 0
    try:
        exec(program, {"__name__": "__main__"})
    except SystemExit as left:
        status = left.code if isinstance(left.code, int) else 1
    except BaseException:
        traceback.print_exc()
        status = 1
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        if stream:
            stream.flush()
    os._exit(status)
"""


class Forks:
    """Run commands of the checkout in `home`. libraries: Python code that imports what every command needs. prepare:
    code that runs before the process starts."""

    def __init__(
        self, home: Path = HOME, libraries: str = LIBRARIES, prepare: Callable[[], None] | None = None
    ) -> None:
        self._home, self._place = home, tempfile.TemporaryDirectory()
        self._server = subprocess.Popen(
            [sys.executable, "-c", libraries + SERVER],
            cwd=home,
            # of its own: without a home every fork would remove the one that matplotlib makes
            env=self._known(MPLCONFIGDIR=self._place.name),
            preexec_fn=prepare,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def _known(self, **more: str) -> dict[str, str]:
        return dict(os.environ) | {"PYTHONPATH": str(self._home), "OMP_NUM_THREADS": "1"} | more

    def __call__(
        self,
        *words: str,
        output: str | None = None,
        program: str = CONSOLE,
        folder: Path | None = None,
        **environment: str,
    ) -> subprocess.CompletedProcess[str]:
        """Run a command in `folder`, or in the working folder. output: file for standard output, empty if it is
        closed."""
        out, err = Path(self._place.name, "out"), Path(self._place.name, "err")
        place = str(folder or os.getcwd())
        request = (words, place, self._known(**environment), str(out) if output is None else output)
        self._server.stdin.write(json.dumps([*request, str(err), program]) + "\n")
        self._server.stdin.flush()
        status = int(self._server.stdout.readline())
        printed = out.read_text() if output is None else ""
        return subprocess.CompletedProcess(words, status, printed, err.read_text(errors="replace"))

    def __enter__(self) -> "Forks":
        return self

    def __exit__(self, *_: object) -> None:
        self._server.communicate()
        self._place.cleanup()
