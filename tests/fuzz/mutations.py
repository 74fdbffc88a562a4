"""Instance files and parameters made wrong: at the level of tokens, and at the level of the parsed table."""

from __future__ import annotations

import copy
import random
import re
import tomllib
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
HORIZON = 24  # of the files that mutants come from: what is fuzzed is the reading, not the playing
TOKEN = re.compile(r'"[^"\n]*"|[A-Za-z_][A-Za-z0-9_]*|[-+]?[0-9][0-9_.eE+/-]*|[\[\]{}=,.#]|\n')
EDGES: tuple[Any, ...] = (
    *(0, 1, -1, 2, 3, 2**31, 2**62, 2**63, 10**18, 10**30, 10**400, -(10**18)),
    *(0.0, -0.0, 0.5, 1e-300, 5e-324, 1e300, 1.7e308, float("inf"), float("-inf"), float("nan")),
    *(
        "",
        "0",
        "1/0",
        "1/3",
        "-1/2",
        "1e400",
        "1e-400",
        "1e999999999",
        "9" * 2000,
        "nan",
        "\x00",
        "é",
        "../x",
        "x.py",
    ),
    *(True, False, [], {}, [[]], [1, 2], [[1.0]], [["1/2"]], {"name": "igw"}, {"name": 3}, ["1", "0"]),
    *(
        "igw",
        "greedy",
        "exact_minimiser",
        "agd",
        "cg",
        "bernoulli",
        "deterministic",
        "adaptive",
        "best",
        "doubling",
    ),
)
TOKENS = (
    "-1",
    "0",
    "1e400",
    "nan",
    "inf",
    '"1/0"',
    '"',
    "[",
    "]",
    "{",
    "}",
    "=",
    ",",
    "\n",
    "true",
    "9" * 400,
    "1979-05-27",
)
WORLDS = (
    'kind = "linear"\nhorizon = 24\nenvironment = {name = "sphere", agents = 2, arms = 3, dimension = 2}\n',
    'kind = "finite_class"\nhorizon = 8\ntruth = 1\nfunctions = [[["1/2", "1/4"]], [["1/3", "1"]]]\n'
    'learning_rate = "best"\nrewards = "bernoulli"\nagents = [{contexts = ["1"]}, {contexts = ["1"]}]\n',
)


def seeds() -> list[str]:
    """The examples, with short horizons, and small worlds of other kinds."""
    found = []
    for path in sorted(EXAMPLES.glob("*.toml")):
        text = path.read_text(encoding="utf-8")
        if 'kind = "dataset"' not in text:
            found.append(re.sub(r"^horizon = .*", f"horizon = {HORIZON}", text, flags=re.M))
    return [*found, *WORLDS]


def by_tokens(text: str, rng: random.Random) -> str:
    """One to three tokens left out, doubled, exchanged or replaced."""
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
    """The table with a value replaced, a key left out or renamed, a list cut or lengthened; True: it has a key that
    nobody knows, so that it must be refused."""
    table = copy.deepcopy(tomllib.loads(text))
    unknown = False
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        places = list(_places(table))
        holder, key = rng.choice(places)
        how = rng.randrange(10)
        if how < 6:
            holder[key] = copy.deepcopy(rng.choice(EDGES))
        elif how == 6:
            del holder[key]
        elif isinstance(holder, dict):
            if how == 7:
                holder["zz_" + key], unknown = holder.pop(key), unknown or holder is table
            else:
                holder[rng.choice(OTHER_KEYS)] = copy.deepcopy(rng.choice(EDGES))
        elif how == 7:
            holder.append(copy.deepcopy(holder[key]))
        else:
            holder.insert(key, copy.deepcopy(rng.choice(EDGES)))
        if not table:
            break
    return table, unknown and any(name.startswith("zz_") for name in table)


OTHER_KEYS = (
    *(
        "horizon",
        "schedule",
        "learning_rate",
        "delta",
        "policy",
        "protocol",
        "link",
        "attack",
        "privacy",
        "agents",
    ),
    *(
        "rewards",
        "ties",
        "truth",
        "functions",
        "parameter",
        "features",
        "epochs",
        "clock",
        "contexts",
        "arms",
    ),
)


def _places(node: Any) -> Any:
    """(holder, key) of every value below a table or a list."""
    for key, value in list(node.items() if isinstance(node, dict) else enumerate(node)):
        yield node, key
        if isinstance(value, (dict, list)):
            yield from _places(value)
