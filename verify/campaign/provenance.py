"""Identify the program that made a result: its version and a digest of its source, equal on every machine."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path

from fedigw import shipped

VERSION = "0.1.0"
PACKAGES = ("bounds", "fedigw", "finite_class", "linear", "verify", "fedigw_extensions")
SUFFIXES = (".py", ".toml", ".json")  # source, recorded instances, stored certificates
# what a campaign finds must not change the digest of the program that finds it
NOT_SOURCE = {"tests", "shipped_files", "recorded_verdicts.json"}
PROOFS = "proofs"  # what Coq was given, and what it answered
PROOF_SUFFIXES = (".v", ".toml", ".json", ".txt", ".allowed", ".sh")
# The order of sets decides which witness a solver finds. Workers share one: that of Dask's own worker processes.
HASH_SEED = "6640"
# What decides a number besides our own source.
LIBRARIES = ("numpy", "scipy", "sympy", "cvxpy-base", "z3-solver")


@cache
def code_digest() -> str:
    """Return the first 16 hexadecimal digits of the SHA-256 of all files that decide a result, with their names."""
    home = Path(__file__).resolve().parents[2]
    digest = hashlib.sha256()
    for path in _files(home):
        content = path.read_bytes()
        # a name that is the same in a checkout and in an installation
        name = path.relative_to(home).as_posix().rpartition("shipped_files/")[2]
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:16]


def _files(home: Path) -> Iterator[Path]:
    for package in PACKAGES:
        for path in sorted((home / package).rglob("*")):
            if path.suffix in SUFFIXES and not NOT_SOURCE & set(path.parts):
                yield path
    # not what a compilation leaves next to the sources
    yield from (path for path in sorted(shipped.folder(PROOFS).glob("*")) if path.suffix in PROOF_SUFFIXES)


def order_of_sets() -> int:
    """Return a number that is equal in two processes if they iterate over sets of strings in the same order."""
    return hash("fedigw")


@cache
def wanted_order_of_sets() -> int:
    """Return order_of_sets() of a process that was started with PYTHONHASHSEED = HASH_SEED."""
    command = [sys.executable, "-c", "print(hash('fedigw'))"]
    environment = os.environ | {"PYTHONHASHSEED": HASH_SEED}
    return int(subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout)


@cache
def libraries() -> dict[str, str]:
    """Return the versions of the numerical libraries; they are all required."""
    return {name: version(name) for name in LIBRARIES}
