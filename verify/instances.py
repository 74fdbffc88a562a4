"""Instance files of every kind. Each kind is a package with a module `federations` that offers KIND."""

import copy
import dataclasses
import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bounds.errors import InputError, choose, nearest
from bounds.extensions import EXTENSIONS, topics
from bounds.names import SYMBOLS
from fedigw import instance_file, outside
from fedigw.building import build
from fedigw.federation import Federation
from fedigw.kind import Kind
from fedigw.parts import protocols, systems

Instance = str | Path | Mapping[str, Any]  # a file, or a mapping with the keys of one
KINDS = {
    "finite_class": "finite_class",
    "linear": "linear",
    "linear_personalised": "linear.personalised",
    **{
        topic: f"{EXTENSIONS}.{topic}"
        for topic, folder in topics().items()
        if (folder / "federations.py").is_file()
    },
}


def kind_of(name: str) -> Kind:
    kind: Kind = importlib.import_module(f"{KINDS[name]}.federations").KIND
    return kind


def parse(table: Mapping[str, Any]) -> Federation:
    """Return the federation that a parsed file describes, of whatever kind it says it is."""
    kind = instance_file.required(table, "kind")
    if not isinstance(kind, str):
        raise InputError("kind", kind, "must be one of " + ", ".join(KINDS))
    if kind == "dataset":
        raise InputError("kind", kind, "is for `fit`; a federation is one of " + ", ".join(KINDS))
    return build(table, kind_of(choose("kind", kind, KINDS)))


def load(path: Path | Mapping[str, Any], **changes: Any) -> Federation:
    """Return the federation in `path` (a file, or what one would hold), changed as `read_with` says."""
    return parse(read_with(path, **changes))


def place(instance: Instance) -> Path | Mapping[str, Any]:
    """Check what a Python user gives as an instance; from now on parts may come from users' files."""
    outside.allow()
    if not isinstance(instance, (str, Path, Mapping)):
        raise InputError("instance", repr(instance), "must be a path, or a mapping with the keys of a file")
    return Path(instance) if isinstance(instance, (str, Path)) else instance


def dotted(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return keyword arguments as keys of a file: link__participants is link.participants; values are those of TOML."""
    return {key.replace("__", "."): _plain(value) for key, value in settings.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    if hasattr(value, "tolist"):  # numpy's arrays and numbers
        return value.tolist()
    return value if isinstance(value, (bool, int, float, str)) else str(value)  # fractions, paths


def read_with(
    path: Path | Mapping[str, Any],
    protocol: str | None = None,
    policy: str | None = None,
    settings: Mapping[str, Any] | None = None,
    usual_protocol: str | None = None,
    system: str | None = None,
) -> dict[str, Any]:
    """Return the file as a table, with what the caller changes.

    settings: by key of the file (with dots inside tables) or field of the protocol. usual_protocol: whose fields
    `settings` may name. system: a rival in the place of FedIGW, with fields of its own and no protocol or policy.
    """
    table = instance_file.read_toml(path) if isinstance(path, Path) else copy.deepcopy(dict(path))
    if protocol is not None:
        given = table.get("protocol")
        same = isinstance(given, dict) and given.get("name") == protocol
        table["protocol"] = given if same else {"name": protocol}
    if policy is not None:
        table["policy"] = {"name": policy}
    rival = _rival(table, system)
    for option, value in (("--protocol", protocol), ("--policy", policy)):
        if rival is not None and value is not None:
            said = f"is FedIGW's: the system {rival} has neither policy nor protocol"
            raise InputError(option, value, said)
    for key, value in (settings or {}).items():
        _assign(table, key, value, usual_protocol, rival)
    return table


def _rival(table: dict[str, Any], system: str | None) -> str | None:
    """The name of the system that plays in the place of FedIGW; one of the command line is put into the table."""
    given = table.get("system")
    name = given.get("name") if isinstance(given, dict) else given
    if system is not None and name != system:
        table["system"] = {"name": system}
    name = name if system is None else system
    return name if isinstance(name, str) else None


def _assign(table: dict[str, Any], key: str, new: Any, usual_protocol: str | None, rival: str | None) -> None:
    key = _in_file(table, key)
    path = key.split(".")
    # delta is the run's only with rates from the data; else it is the privacy's, a field of the protocol
    of_rates = key != "delta" or "delta" in table or table.get("learning_rate") == "adaptive"
    # a user's file is not read here
    part = systems().get(rival) if rival is not None and len(path) == 1 else None
    fields = [] if part is None else [field.name for field in dataclasses.fields(part)]
    if key in fields and (key == "delta" or key not in (*TOP, *table)):
        path = ["system", key]
    elif len(path) == 1 and rival is not None and key not in (*TOP, *table):
        near = nearest(key, [*TOP, *table, *fields])
        raise InputError(f"system.{key}", None, f"unknown key, of {rival} and of the file; {near}")
    elif len(path) == 1 and not (key in (*TOP, *table) and (of_rates or rival is not None)):
        _refuse_unknown(table, key, usual_protocol)
        path = ["protocol", key]
    inner: Any = table
    for step in path[:-1]:
        value = inner.get(step, {})
        value = {"name": value} if isinstance(value, str) else value
        if not isinstance(value, dict):
            raise InputError("--set", f"{key}={new}", f"{step} is not a table")
        inner[step] = value
        inner = value
    if path[0] == "protocol" and len(path) > 1 and "name" not in table["protocol"]:
        kind = _known_kind(table)
        usual = usual_protocol if kind is None else kind.usual_protocol
        if usual is not None:
            table["protocol"]["name"] = usual
    inner[path[-1]] = new


def _in_file(table: Mapping[str, Any], key: str) -> str:
    """Return the key of the file that a symbol or a size means: T is horizon, M is environment.agents where the file
    has an environment; InputError where it lists what is to be counted."""
    word = SYMBOLS.get(key, key)
    if word not in ("agents", "arms", "dimension", "class_size") or key in table:
        return word
    if isinstance(table.get("environment"), dict):
        return "environment." + ("functions" if word == "class_size" else word)
    said = f"{word} cannot be set in a file that lists its world: change the file, or take one with an environment"
    raise InputError("--set", key, f"{said}, e.g. --set environment.agents=20 of examples/rivals.toml")


def _known_kind(table: Mapping[str, Any]) -> Kind | None:
    """None where the file says none, or nonsense, which is refused when it is read."""
    kind = table.get("kind")
    return kind_of(kind) if isinstance(kind, str) and kind in KINDS else None


def _refuse_unknown(table: Mapping[str, Any], key: str, usual_protocol: str | None) -> None:
    """A word that is neither a key of the file nor a field of the protocol, with the nearest of both."""
    kind = _known_kind(table)
    given = table.get("protocol", kind.usual_protocol if kind else usual_protocol)
    name = given.get("name") if isinstance(given, dict) else given
    known = protocols(kind.protocols if kind else kind_of("linear").protocols)
    if not isinstance(name, str) or name not in known:
        return  # what is wrong with the protocol is said when it is made; a user's file is not read here
    fields = [field.name for field in dataclasses.fields(known[name])]
    if key not in fields:
        near = nearest(key, [*TOP, *table, *fields])
        others = [
            other for other in known if key in (field.name for field in dataclasses.fields(known[other]))
        ]
        if others and kind is not None:
            near = f"{name} has no {key}; these protocols have: {', '.join(others[:8])}"
        raise InputError(f"protocol.{key}", None, f"unknown key, of {name} and of the file; {near}")


TOP = (
    *("horizon", "schedule", "data", "learning_rate", "delta", "policy", "protocol", "system"),
    *("link", "privacy", "stop", "rewards", "ties", "accuracy"),
)
