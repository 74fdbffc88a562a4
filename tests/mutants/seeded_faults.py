"""The seeded faults: each is a small exact replacement of text in one file, listed in the TOML files of this folder.

A fault says in words what it is. Its old text must occur exactly once in its file, so the list follows the code or is
refused. `nearest_tests.toml` says which tests could notice a fault in which file.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parents[1]
NEAREST = "nearest_tests.toml"


class FaultError(ValueError):
    """Raised for a fault that cannot be seeded: its text is not found exactly once, or it changes nothing."""


@dataclass(frozen=True)
class Fault:
    """A seeded fault. listed: the TOML file it is listed in. seven: whether it is one of the seven that once survived
    together."""

    listed: str
    file: str
    what: str
    old: str
    new: str
    seven: bool = False

    @property
    def name(self) -> str:
        return f"{self.file}: {self.what}"

    def applied(self, text: str) -> str:
        """Return the file's text with the fault in it."""
        found = text.count(self.old)
        if found != 1:
            raise FaultError(f"{self.name}: the old text occurs {found} times, must be once")
        if self.old == self.new:
            raise FaultError(f"{self.name}: the new text is the old one")
        return text.replace(self.old, self.new)


@dataclass(frozen=True)
class Tests:
    """The tests that could notice a fault. nearest: those to run first. wider: those to run if the nearest notice
    nothing."""

    nearest: tuple[str, ...]
    wider: tuple[str, ...]


def load(folder: Path = HERE) -> list[Fault]:
    """Return every fault of every TOML file in `folder`, in the order of file names."""
    faults = []
    for path in sorted(folder.glob("*.toml")):
        if path.name != NEAREST:
            for entry in tomllib.loads(path.read_text(encoding="utf-8"))["fault"]:
                faults.append(Fault(path.stem, **entry))
    return faults


def who_could_notice(file: str, folder: Path = HERE) -> Tests:
    """Return the tests of the longest entry of nearest_tests.toml with which the file's path begins."""
    table = tomllib.loads((folder / NEAREST).read_text(encoding="utf-8"))
    fitting = [prefix for prefix in table["nearest"] if file.startswith(prefix)]
    package = next((prefix for prefix in table["wider"] if file.startswith(prefix)), None)
    if package is None:
        raise FaultError(f"{file}: {NEAREST} names no tests for it")
    nearest = table["nearest"][max(fitting, key=len)] if fitting else []
    return Tests(tuple(nearest), tuple(table["wider"][package]))
