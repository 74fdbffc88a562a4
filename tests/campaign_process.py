"""Campaigns as processes of their own, for the tests that kill, interrupt and resume them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent
CLAIMS = ("lem:finite_error",)


def command(folder: Path, *more: str, claims: tuple[str, ...] = CLAIMS) -> list[str]:
    return [sys.executable, "-m", "verify", "run", *claims, "--out", str(folder), *more]


def start(folder: Path, *more: str, home: Path = HOME) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command(folder, *more),
        cwd=home,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def finish(folder: Path, *more: str, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(folder, *more), cwd=HOME, capture_output=True, text=True, timeout=timeout)


def results(folder: Path) -> bytes:
    return (folder / "results.json").read_bytes()
