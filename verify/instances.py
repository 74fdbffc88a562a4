"""Instance files of every kind. Each kind has a package with an `interface` module:
parse, simulate, applicable_bounds, largest_regret."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from bounds.errors import InputError, choose
from fedigw import instance_file
from fedigw.record import RunRecord

KINDS = {"finite_class": "finite_class", "linear": "linear", "linear_personalised": "linear.personalised"}


def interface(kind: str) -> Any:
    return importlib.import_module(f"{KINDS[kind]}.interface")


def load(path: Path) -> Any:
    """The instance in `path`, of whatever kind it says it is."""
    table = instance_file.read_toml(path)
    kind = instance_file.required(table, "kind")
    if not isinstance(kind, str):
        raise InputError("kind", kind, "must be one of " + ", ".join(KINDS))
    return interface(choose("kind", kind, KINDS)).parse(table)


def simulate(instance: Any, protocol: str | None, replications: int, seed: int) -> RunRecord:
    """Replications of `instance` with an FL routine of its kind."""
    record: RunRecord = interface(instance.kind).simulate(instance, protocol, replications, seed)
    return record
