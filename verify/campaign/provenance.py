"""Identify what computed a result: the program (version and digest of its source), the libraries and the processor."""

import hashlib
import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

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
# What decides a number besides our own source, Python, BLAS and the processor.
BLAS = ("internal_api", "version", "architecture")
LIBRARIES = ("numpy", "scipy", "sympy", "cvxpy-base", "z3-solver")


@cache
def code_digest() -> str:
    """Return a digest of all source files that can change a result: 16 hexadecimal digits of SHA-256."""
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
            if path.suffix in SUFFIXES and not NOT_SOURCE & set(path.relative_to(home).parts):
                yield path
    # not what a compilation leaves next to the sources
    yield from (path for path in sorted(shipped.folder(PROOFS).glob("*")) if path.suffix in PROOF_SUFFIXES)


def order_of_sets() -> int:
    """Return a number that two processes share only if they iterate over sets of strings in the same order."""
    return hash("fedigw")


@cache
def wanted_order_of_sets() -> int:
    """Return what order_of_sets() returns in a process whose hash seed is HASH_SEED, the seed that all campaigns
    use."""
    command = [sys.executable, "-c", "print(hash('fedigw'))"]
    environment = os.environ | {"PYTHONHASHSEED": HASH_SEED}
    return int(subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout)


@cache
def made_with() -> dict[str, str]:
    """Return what can change the last bits of a number other than the source code: versions of Python and libraries,
    BLAS, processor."""
    import numpy
    import scipy.linalg  # noqa: F401  loads its own BLAS
    from threadpoolctl import threadpool_info

    known = numpy.show_config(mode="dicts")
    loaded = [found for found in threadpool_info() if found["user_api"] == "blas"]
    names = {" ".join(str(found.get(key)) for key in BLAS) for found in loaded}
    features = known["SIMD Extensions"]
    return {
        "python": platform.python_version(),
        **{name: version(name) for name in LIBRARIES},
        "blas": ", ".join(sorted(names)) or str(known["Build Dependencies"]["blas"]["name"]),
        "processor": " ".join([platform.machine(), *features["baseline"], *features.get("found", ())]),
    }


def differing(known: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    """Return a text "name (X there, Y here)" for every property whose value differs: X in `known`, from another
    campaign or process, and Y in `wanted`, from this one."""

    def flat(row: Mapping[str, Any]) -> dict[str, Any]:
        inner = row.get("made_with")
        rest = {name: value for name, value in row.items() if value is not inner}
        return inner | rest if isinstance(inner, dict) else dict(row)

    old, new = flat(known), flat(wanted)
    names = [name for name in new | old if old.get(name) != new.get(name)]
    return [f"{name} ({old.get(name)} there, {new.get(name)} here)" for name in names]
