"""Make wrong instance files and parameters, at the level of tokens and at the level of the parsed table."""

import copy
import inspect
import json
import random
import re
import tomllib
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
HORIZON = 24  # of the files that mutants come from: what is fuzzed is the reading, not the playing
TOKEN = re.compile(r'"[^"\n]*"|[A-Za-z_][A-Za-z0-9_]*|[-+]?[0-9][0-9_.eE+/-]*|[\[\]{}=,.#]|\n')
# words to draw from, a list a line
WORDS = {
    name: tuple(found.split())
    for name, _, found in (
        line.partition(":") for line in (Path(__file__).parent / "words.txt").read_text("utf-8").splitlines()
    )
}
EDGES: tuple[Any, ...] = (
    *(0, 1, -1, 2, 3, 2**31, 2**62, 2**63, 10**18, 10**30, 10**400, -(10**18)),
    *(0.0, -0.0, 0.5, 1e-300, 5e-324, 1e300, 1.7e308, float("inf"), float("-inf"), float("nan")),
    *("", "0", "1/0", "1/3", "-1/2", "1e400", "1e-400", "1e999999999", "9" * 2000, "nan", "\x00", "é"),
    *("../x", "x.py"),
    *(True, False, [], {}, [[]], [1, 2], [[1.0]], [["1/2"]], {"name": "igw"}, {"name": 3}, ["1", "0"]),
    *WORDS["values"],
)
TOKENS = (*WORDS["tokens"], "\n", "9" * 400)
# one of every kind of part that the examples do not show, and data for `fit`; blank lines between them
WORLDS = tuple((Path(__file__).parent / "worlds.txt").read_text(encoding="utf-8").split("\n\n"))


def seeds() -> list[str]:
    """Return the example files, with short horizons and small data, and small worlds of other kinds."""
    found = [path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*.toml"))]
    short = [re.sub(r"^horizon = .*", f"horizon = {HORIZON}", text, flags=re.M) for text in found]
    small = [text.replace("rows = 1000, features = 200", "rows = 60, features = 10") for text in short]
    return [text for text in (*small, *WORLDS) if DATA not in text]


def datasets() -> list[str]:
    """Return the files with data for `fit`."""
    examples = (path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*.toml")))
    return [text for text in (*examples, *WORLDS) if DATA in text]


DATA = 'kind = "dataset"'


def toml(value: Any) -> str:
    """Return a value as TOML text, also numbers that JSON does not have."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(toml(inner) for inner in value) + "]"
    return repr(value) if isinstance(value, float) else json.dumps(value)


def file_of(table: dict[str, Any]) -> str:
    return "".join(f"{json.dumps(key)} = {toml(value)}\n" for key, value in table.items())


def by_tokens(text: str, rng: random.Random) -> str:
    """Leave out, double, exchange or replace one to three tokens of the text."""
    parts = TOKEN.split(text), TOKEN.findall(text)
    tokens = list(parts[1])
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.randrange(len(tokens))
        how = rng.randrange(4)
        if how == 0:
            tokens[at] = ""
        elif how == 1:
            tokens[at] = tokens[at] + " " + tokens[at]
        elif how == 2:
            other = rng.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        else:
            tokens[at] = rng.choice(TOKENS)
    return "".join(a + b for a, b in zip(parts[0], [*tokens, ""], strict=True))


def by_structure(text: str, rng: random.Random) -> tuple[dict[str, Any], bool]:
    """Replace a value of the table, leave out or rename a key, or cut or lengthen a list. Return also whether the
    table has a key that nobody knows, so that it must be refused."""
    table = copy.deepcopy(tomllib.loads(text))
    unknown = False
    for _ in range(rng.choice((0, 0, 1, 1, 1, 2, 3))):
        places = list(_places(table))
        holder, key = rng.choice(places)
        how = rng.randrange(20)
        if how < 3:
            holder[key] = copy.deepcopy(rng.choice(EDGES))
        elif how < 16:
            holder[key] = _near(holder[key], rng)
        elif how == 16:
            del holder[key]
        elif isinstance(holder, dict):
            if how == 17:
                holder["zz_" + key], unknown = holder.pop(key), unknown or holder is table
            else:
                holder[rng.choice(OTHER_KEYS)] = copy.deepcopy(rng.choice(EDGES))
        elif how == 17:
            holder.append(copy.deepcopy(holder[key]))
        else:
            holder.insert(key, copy.deepcopy(rng.choice(EDGES)))
        if not table:
            break
    return table, unknown and any(name.startswith("zz_") for name in table)


def _near(value: Any, rng: random.Random) -> Any:
    """Return a value of the same kind, so that the code after the reading gets it too."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice((0, 1, 2, value + 1, value - 1, 3 * value, 1000 * value, 10**6 * value, -value))
    if isinstance(value, float):
        return value * rng.choice((0.0, 0.1, 2.0, 1e3, 1e-6, 1e12, 1e-200, -1.0))
    if isinstance(value, str) and re.fullmatch(r"[0-9/]+", value):
        return rng.choice(("0", "1", "1/2", "1/3", "2/3", "999999999/1000000007", "1e-80", "1/" + "7" * 60))
    if isinstance(value, str):
        return rng.choice(NAMES)
    if isinstance(value, (list, dict)) and value:
        inner, at = _near_place(value, rng)
        inner[at] = _near(inner[at], rng)
        return value
    return copy.deepcopy(rng.choice(EDGES))


def _near_place(value: Any, rng: random.Random) -> tuple[Any, Any]:
    at = rng.choice(list(value)) if isinstance(value, dict) else rng.randrange(len(value))
    return value, at


NAMES = WORDS["names"]
OTHER_KEYS = WORDS["keys"]


def _places(node: Any) -> Any:
    """Yield (holder, key) for every value below a table or a list."""
    for key, value in list(node.items() if isinstance(node, dict) else enumerate(node)):
        yield node, key
        if isinstance(value, (dict, list)):
            yield from _places(value)


# Sizes between the usual and the absurd: where a wrong estimate begins what cannot end.
SIZES = (*range(1, 6), 30, 300, 3000, 10_000, 100_000, 300_000, 2_000_000, 10_000_000, 10**9)
HORIZONS = (24, 24, 1000, 24_000, 10**6, 10**9, 10**15)


def world(rng: random.Random) -> str:
    """Return an instance file with an environment, of which one or two counts are drawn and the others are
    defaults."""
    from fedigw.discovery import modules
    from verify.instances import KINDS, kind_of

    kind = rng.choice(sorted(KINDS))
    known = modules(kind_of(kind).environments, ("make", "EXAMPLES"))
    name = rng.choice(sorted(known))
    counts = [
        field
        for field, parameter in inspect.signature(known[name].make).parameters.items()
        if type(parameter.default) is int and field != "horizon"
    ]
    drawn = {field: rng.choice(SIZES) for field in rng.sample(counts, min(len(counts), rng.choice((1, 2))))}
    fields = ", ".join(f"{field} = {size}" for field, size in drawn.items())
    return (
        f'kind = "{kind}"\nhorizon = {rng.choice(HORIZONS)}\nenvironment = {{name = "{name}", {fields}}}\n'
        + rng.choice(("", "", 'learning_rate = "adaptive"\n', "schedule = {doubling_capped = 4}\n"))
    )
