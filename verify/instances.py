"""Read instance files, which describe simulated federations. Each kind of instance is a package with a module
`federations` that defines KIND."""

import copy
import dataclasses
import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bounds.errors import InputError, choose, nearest
from bounds.extensions import EXTENSIONS, topics
from bounds.names import SYMBOLS
from fedigw import instance_file, outside
from fedigw.building import build
from fedigw.federation import Federation
from fedigw.kind import Kind
from fedigw.parts import policies, protocols, systems

Instance = str | Path | Mapping[str, Any]  # a file, or a mapping with the keys of one
_OWN = [topic for topic, folder in topics().items() if (folder / "federations.py").is_file()]
KINDS = {
    "finite_class": "finite_class",
    "linear": "linear",
    "linear_personalised": "linear.personalised",
    **{topic: f"{EXTENSIONS}.{topic}" for topic in _OWN},
}


def kind_of(name: str) -> Kind:
    kind: Kind = importlib.import_module(f"{KINDS[name]}.federations").KIND
    return kind


def parse(table: Mapping[str, Any]) -> Federation:
    """Return the federation that the keys of an instance file describe."""
    kind = instance_file.required(table, "kind", more="; one of " + ", ".join(KINDS))
    if not isinstance(kind, str):
        raise InputError("kind", kind, "must be one of " + ", ".join(KINDS))
    _refuse_data(kind)
    return build(table, kind_of(choose("kind", kind, KINDS)))


def _refuse_data(kind: object) -> None:
    if kind == "dataset":
        raise InputError("kind", kind, "is for `fit`; a federation is one of " + ", ".join(KINDS))


def load(path: Path | Mapping[str, Any], **changes: Any) -> Federation:
    """Return the federation of an instance file, or of a mapping with its keys. changes: protocol, policy, system or
    settings that replace those in the file."""
    return parse(read_with(path, **changes))


def place(instance: Instance) -> Path | Mapping[str, Any]:
    """Return a path or mapping that a Python user passed as an instance, or raise InputError if it is neither. From now
    on users' files may define parts of a federation."""
    outside.allow()
    if not isinstance(instance, (str, Path, Mapping)):
        raise InputError("instance", repr(instance), "must be a path, or a mapping with the keys of a file")
    return Path(instance) if isinstance(instance, (str, Path)) else instance


def dotted(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return keyword arguments as keys of an instance file: link__participants becomes link.participants."""
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
    """Return the keys of an instance file, with protocol, policy, settings or system replaced as the caller asks.

    * settings: new values by key of the file (a.b is key b of table a) or by field of the protocol
    * usual_protocol: the protocol whose fields `settings` has if the file is a data set that names none
    * system: another bandit algorithm to run instead of FedIGW; it has options of its own, and neither protocol nor
      policy
    """
    table = instance_file.read_toml(path) if isinstance(path, Path) else copy.deepcopy(dict(path))
    if usual_protocol is None:
        _refuse_data(table.get("kind"))
    if protocol is not None and protocol in systems():
        raise InputError("--protocol", protocol, f"is a system, not a protocol: --system {protocol}")
    if protocol is not None:
        given = table.get("protocol")
        same = isinstance(given, dict) and given.get("name") == protocol
        table["protocol"] = given if same else {"name": protocol}
    if policy is not None:
        table["policy"] = {"name": policy}
    rival = _rival(table, system)
    for option, value in (("--protocol", protocol), ("--policy", policy)):
        if rival is not None and value is not None:
            raise InputError(option, value, f"is FedIGW's: system {rival} has neither policy nor protocol")
    places: dict[str, str] = {}  # of a setting, and the word that named it
    # a table before its fields, whatever their order
    for key, value in sorted(
        (settings or {}).items(), key=lambda item: (item[0] not in TOP, item[0].count("."))
    ):
        where = _in_file(table, key, value)
        if where in ("protocol", "policy") and {"protocol": protocol, "policy": policy}[where] is not None:
            raise InputError("--set", f"{key}={value}", f"{where} is set by --{where} too; give one of them")
        if where in places:
            raise InputError("--set", f"{key}={value}", f"{where} is set twice, by {places[where]} and {key}")
        places[where] = key
        _assign(table, where, value, usual_protocol, rival)
    for where in places:
        part, _, field = where.partition(".")
        if part == "protocol" and field not in ("", "name"):
            _refuse_unknown(table, field, usual_protocol)
    return table


def _rival(table: dict[str, Any], system: str | None) -> str | None:
    if system is not None and system not in systems() and system in protocols(kind_of("linear").protocols):
        raise InputError("--system", system, f"is a protocol of FedIGW: --protocol {system}")
    given = table.get("system")
    name = given.get("name") if isinstance(given, dict) else given
    if system is not None and name != system:
        table["system"] = {"name": system}
    name = name if system is None else system
    return name if isinstance(name, str) else None


def _assign(table: dict[str, Any], key: str, new: Any, usual_protocol: str | None, rival: str | None) -> None:
    path = key.split(".")
    # delta belongs to adaptive learning rates; otherwise it is a field of a private protocol
    of_rates = key != "delta" or "delta" in table or table.get("learning_rate") == "adaptive"
    # a user's file is not read here: a key that is not of the file goes to it
    part = systems().get(rival) if rival is not None and len(path) == 1 else None
    fields = [] if part is None else [field.name for field in dataclasses.fields(part)]
    if key in fields and (key == "delta" or key not in (*top_keys(table), *table)):
        path = ["system", key]
    elif len(path) == 1 and rival is not None and key not in (*top_keys(table), *table):
        if rival in systems():
            near = nearest(key, [*top_keys(table), *table, *fields])
            raise InputError(f"system.{key}", None, f"unknown key, of {rival} and of the file; {near}")
        path = ["system", key]
    elif len(path) == 1 and not (key in (*top_keys(table), *table) and (of_rates or rival is not None)):
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
    if path[0] == "protocol" and len(path) > 1:
        kind = _known_kind(table)
        usual = usual_protocol if kind is None else kind.usual_protocol
        table["protocol"] |= {"name": usual} if usual and "name" not in table["protocol"] else {}
    inner[path[-1]] = new


def _in_file(table: Mapping[str, Any], key: str, new: Any) -> str:
    """Return the key of the instance file for a symbol or word: "horizon" for T, "environment.agents" for M. Raise
    InputError if the file lists the agents, arms or functions one by one, so that their number is no key."""
    word = SYMBOLS.get(key, key)
    number_of_listed = isinstance(table.get(key), list) and not isinstance(new, list)
    if word not in ("agents", "arms", "dimension", "class_size") or (key in table and not number_of_listed):
        return word
    if isinstance(table.get("environment"), dict):
        return "environment." + ("functions" if word == "class_size" else word)
    said = f"{word} cannot be set in a file that lists its world: change the file, or take one with an environment"
    raise InputError("--set", key, f"{said}, e.g. --set environment.agents=20 of examples/rivals.toml")


def _known_kind(table: Mapping[str, Any]) -> Kind | None:
    kind = table.get("kind")
    return kind_of(kind) if isinstance(kind, str) and kind in KINDS else None


def _refuse_unknown(table: Mapping[str, Any], key: str, usual_protocol: str | None) -> None:
    """Raise InputError, with the nearest key, if `key` is neither in the instance file nor a field of its protocol."""
    kind = _known_kind(table)
    given = table.get("protocol", kind.usual_protocol if kind else usual_protocol)
    name = given.get("name") if isinstance(given, dict) else given
    known = protocols(kind.protocols if kind else kind_of("linear").protocols)
    if not isinstance(name, str) or name not in known:
        return  # an unknown protocol is reported later; a user's file is not read here
    fields = {one: [field.name for field in dataclasses.fields(part)] for one, part in known.items()}
    if key not in fields[name]:
        near = nearest(key, [*top_keys(table), *table, *fields[name]])
        others = [one for one in known if key in fields[one]]
        policy = table.get("policy")
        chosen = policies().get(str(policy.get("name") if isinstance(policy, dict) else policy))
        if key in ("seed", "replications"):
            near = f"it is an option: --{key}"
        elif chosen is not None and key in (field.name for field in dataclasses.fields(chosen)):
            near = f"policy {chosen.name} has it: policy.{key}"
        elif others and kind is not None:
            near = f"{name} has no {key}; these protocols have: {', '.join(others[:8])}"
            near += ", and so has learning_rate = adaptive" if key == "delta" else ""
        raise InputError(f"protocol.{key}", None, f"unknown key, of {name} and of the file; {near}")


def top_keys(table: Mapping[str, Any]) -> Sequence[str]:
    """Return the keys that an instance file may have outside its tables or, if the file is a data set, the keys of data
    sets."""
    if table.get("kind") != "dataset":
        return TOP
    from linear.dataset import KEYS

    return KEYS


TOP = (
    *("horizon", "schedule", "data", "learning_rate", "delta", "policy", "protocol", "system"),
    *("link", "attack", "privacy", "stop", "rewards", "loss", "regularisation", "ties", "accuracy"),
)
