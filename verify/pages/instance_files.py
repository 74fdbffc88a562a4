"""Generate docs/reference/instance_files.md and instance.schema.json: every key of an instance file, found in the
code that reads it.

    python -m verify.pages.instance_files > docs/reference/instance_files.md
    python -m verify.pages.instance_files schema > docs/reference/instance.schema.json
"""

import importlib
import inspect
import json
import sys
import tomllib
import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

from fedigw import parts
from fedigw.building import COMMON, LINK, TIMES
from fedigw.discovery import modules
from linear.federations import losses
from verify.instances import KINDS, kind_of
from verify.report.grid import cell, grid

TEXTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def page() -> str:
    lines = [TEXTS["introduction"], "## Keys of every kind", "", *_keys("keys")]
    lines += ["In every `[[agents]]` table:", "", *_keys("agent_keys")]
    for name, package in KINDS.items():
        document = inspect.getdoc(importlib.import_module(f"{package}.federations")) or ""
        body = document.partition("\n")[2].strip()
        lines += [f'## kind = "{name}"', "", "```toml", body, "```", ""]
    plain = ("policies", "encoders", "aggregators", "attacks", "clocks", "reward_laws", "context_laws")
    sorts: dict[str, Mapping[str, type[Any]]] = {
        n.replace("_", " ").capitalize(): known for n in plain if (known := getattr(parts, n)())
    }
    sorts["Losses"] = losses()
    for name in KINDS:
        sorts[f"Protocols of {name}"] = parts.protocols(kind_of(name).protocols)
    sorts["Rival systems"] = parts.systems()
    for title, known in sorts.items():
        rows = [(f"`{name}`", _fields(part), _about(part)) for name, part in known.items()]
        lines += [f"## {title}", "", *grid(("name", "fields", ""), rows), ""]
    for name in KINDS:
        found = modules(kind_of(name).environments, ("make", "EXAMPLES"))
        rows = [(f"`{n}`", _arguments(m.make), _sentence(inspect.getdoc(m) or "")) for n, m in found.items()]
        lines += [f"## Environments of {name}", "", *grid(("name", "arguments", ""), rows), ""]
    return "\n".join(lines)


def _keys(table: str) -> list[str]:
    kinds, link = (", ".join(f"`{name}`" for name in names) for names in ([f'"{k}"' for k in KINDS], LINK))
    rows = [(f"`{key}`", form, about) for key, (form, about) in TEXTS[table].items()]
    lines = grid(("key", "", ""), rows)
    return [*(line.replace("@kinds", kinds).replace("@link", link) for line in lines), ""]


def schema() -> dict[str, Any]:
    """Return a JSON schema of instance files, with which an editor checks keys, names and fields. Values are checked
    only when a file is read."""
    kinds = {name: kind_of(name) for name in KINDS}
    own = sorted({key for kind in kinds.values() for key in kind.keys})
    agent = sorted({key for kind in kinds.values() for key in kind.agent_keys} | set(TIMES))
    protocols = {n: p for kind in kinds.values() for n, p in parts.protocols(kind.protocols).items()}
    named = {"policy": parts.policies(), "protocol": protocols}
    named |= {"attack": parts.attacks(), "loss": losses(), "system": parts.systems()}
    link = {"encoder": parts.encoders(), "aggregator": parts.aggregators()}
    table = {"type": "object", "additionalProperties": False}
    links = {key: _of_parts(link[key]) if key in link else {"type": "integer"} for key in LINK}
    agents = {"type": "array", "items": table | {"properties": {key: {} for key in agent}}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Instance file of python -m verify",
        "type": "object",
        "required": ["kind"],
        "additionalProperties": False,
        "properties": {
            **{key: {} for key in (*COMMON, "environment", *own)},
            "kind": {"enum": list(KINDS)},
            "horizon": {"type": ["integer", "string"]},
            **{key: _of_parts(known) for key, known in named.items()},
            "link": table | {"properties": links},
            "agents": agents,
        },
    }


def _of_parts(known: Mapping[str, type[Any]]) -> dict[str, Any]:
    tables = [
        {
            "type": "object",
            "required": ["name"],
            "additionalProperties": False,
            "properties": {"name": {"const": name}, **{f.name: {} for f in fields(part)}},
        }
        for name, part in known.items()
    ]
    file = {"type": "object", "required": ["name"], "properties": {"name": {"pattern": r"\.py(:\w+)?$"}}}
    return {"anyOf": [{"enum": list(known)}, {"type": "string", "pattern": r"\.py(:\w+)?$"}, *tables, file]}


def _fields(part: type[Any]) -> str:
    hints, shown = typing.get_type_hints(part), []
    for field in fields(part):
        default = "" if field.default is MISSING else f" = {_value(field.default)}"
        shown.append(f"`{field.name}{default}` ({_type(hints[field.name])})")
    return ", ".join(shown) or "-"


def _type(kind: Any) -> str:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        return " or ".join(_type(a) for a in arguments if a is not type(None)) + ", optional"
    if origin is tuple:
        item = _type(arguments[0])
        return f"list of lists{item[4:]}" if item.startswith("list ") else f"list of {item}s"
    return {int: "integer", float: "number", str: "string", bool: "true or false"}.get(kind, str(kind))


def _value(value: Any) -> str:
    if value is None:
        return "not set"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _about(part: type[Any]) -> str:
    text = inspect.getdoc(part) or ""
    if not text or text.startswith(part.__name__ + "("):
        text = inspect.getdoc(sys.modules[part.__module__]) or ""
    return _sentence(text)


def _sentence(text: str) -> str:
    return cell(" ".join(text.partition("\n\n")[0].split()))


def _arguments(make: Any) -> str:
    found = inspect.signature(make).parameters
    return ", ".join(f"`{n} = {_value(p.default)}`" for n, p in found.items() if n != "rng")


if __name__ == "__main__":
    if sys.argv[1:] == ["schema"]:
        sys.stdout.write(json.dumps(schema(), indent=1) + "\n")
    else:
        sys.stdout.write(page())
