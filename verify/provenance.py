"""Which program made a result: its version and a digest of its own source, the same on every machine."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

VERSION = "0.1.0"
PACKAGES = ("bounds", "fedigw", "finite_class", "linear", "verify")
# What decides a number besides our own source.
LIBRARIES = ("numpy", "scipy", "sympy", "cvxpy", "z3-solver")


@cache
def code_digest() -> str:
    """First 16 hexadecimal digits of the SHA-256 of every source file and kept instance, names included."""
    home = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for package in PACKAGES:
        for path in sorted((home / package).rglob("*")):
            if path.suffix in (".py", ".toml"):
                content = path.read_bytes()
                digest.update(f"{path.relative_to(home).as_posix()} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:16]


@cache
def libraries() -> dict[str, str]:
    """Versions of the libraries that take part in the numbers."""
    found = {}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "absent"
    return found
