"""Put ten faults into the parser, one at a time: a harness that misses one of them would say nothing about others."""

import contextlib
import random
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

MOST_ROUNDS = 30
Fuzz = Callable[[random.Random, Any], None]


def _fraction(text: str) -> Fraction:
    if "e999999999" in text:
        raise MemoryError("a billion digits")  # what Fraction("1e999999999") comes to, without the wait
    return Fraction(text)


def _exact_number(value: Any, field: str, allowed: str = "") -> Fraction:
    return Fraction(value)


def _positive_integer(value: Any, field: str) -> int:
    return int(float(value))


def _array(value: Any, field: str, description: str) -> Any:
    return value


def _probabilities(value: Any, field: str, size: int) -> tuple[Fraction, ...]:
    """Read probabilities without checking their number and their sum."""
    from fedigw.instance_file import array, exact_number

    return tuple(exact_number(p, field) for p in array(value, field, ""))


def _refuse_unknown(table: Mapping[str, Any], known: Any, where: str = "") -> None:
    return None


def _required(table: Mapping[str, Any], key: str, where: str = "") -> Any:
    return table[key]


def _choice(table: Mapping[str, Any], key: str, known: Any, default: str) -> Any:
    return known[known.index(table.get(key, default))]


def _choose(field: str, value: str, known: Any) -> str:
    return value


def _read_toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


FAULTS: dict[tuple[str, str], Callable[..., Any]] = {
    ("bounds.errors", "fraction"): _fraction,
    ("bounds.errors", "choose"): _choose,
    ("fedigw.instance_file", "exact_number"): _exact_number,
    ("fedigw.instance_file", "positive_integer"): _positive_integer,
    ("fedigw.instance_file", "array"): _array,
    ("fedigw.instance_file", "probabilities"): _probabilities,
    ("fedigw.instance_file", "refuse_unknown"): _refuse_unknown,
    ("fedigw.instance_file", "required"): _required,
    ("fedigw.instance_file", "choice"): _choice,
    ("fedigw.instance_file", "read_toml"): _read_toml,
}


@contextlib.contextmanager
def put(module: str, name: str, faulty: Callable[..., Any]) -> Iterator[None]:
    """Put `faulty` in the place of a function, under every name by which any of our modules knows it."""
    import importlib

    right = getattr(importlib.import_module(module), name)
    ours = ("bounds", "fedigw", "finite_class", "linear", "verify")
    places = [m for key, m in list(sys.modules.items()) if key.partition(".")[0] in ours]
    holders = [m for m in places if getattr(m, name, None) is right]
    for holder in holders:
        setattr(holder, name, faulty)
    try:
        yield
    finally:
        for holder in holders:
            setattr(holder, name, right)


def search(fuzz: Fuzz, findings: Callable[[], Any]) -> dict[str, bool]:
    """Return, for each fault, whether the harness found it and reports nothing without it."""
    from verify.instances import KINDS, kind_of

    for name in KINDS:
        kind_of(name)  # so that every module that knows the function is there
    found = {}
    for number, (place, faulty) in enumerate(FAULTS.items()):
        seeds = range(1000 * number, 1000 * number + MOST_ROUNDS)
        found[place[1]] = any(_met(fuzz, findings, place, faulty, seed) for seed in seeds)
    return found


def _met(
    fuzz: Fuzz, findings: Callable[[], Any], place: tuple[str, str], faulty: Callable[..., Any], seed: int
) -> bool:
    """Whether the files of this seed meet the fault, and come through the parser as it is: else it was something else
    that was met, such as a world whose loading takes long."""
    seen, without = findings(), findings()
    with put(*place, faulty):
        fuzz(random.Random(seed), seen)
    if seen.faults:
        fuzz(random.Random(seed), without)
    return bool(seen.faults) and not without.faults
