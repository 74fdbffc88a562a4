"""Build command lines about a mutated file, carry them out in this process, and judge what comes out.

A refusal is exit status 2 with one line on stderr. An answer is exit status 0 or 1, and JSON whose numbers are finite
and whose regrets are not negative. Everything else is a fault, also a warning of numpy.
"""

import contextlib
import io
import json
import math
import random
from typing import Any

from mutations import WORDS

NUMBERS = WORDS["numbers"]
SETTINGS = WORDS["settings"]
POLICIES = WORDS["policies"]
PROTOCOLS = WORDS["protocols"]
SYSTEMS = WORDS["systems"]
STOPPED = ("did not end within", "ran out of memory")  # of work that is large but not refused


class Nonsense(Exception):
    """Raised if the program accepted what it must refuse, or gave an impossible answer."""


class Stopped(Exception):
    """Raised if work ended with one line before it was done, as fedigw/maxima.py promises."""


def words(file: str, rng: random.Random, data: bool = False) -> list[str]:
    """Return a command line about a file. data: whether the file holds data for `fit` rather than a federation."""
    if data:
        chosen = ["fit", file, "--json"]
        return chosen + _maybe(rng, "--protocol", PROTOCOLS) + _set(rng)
    command = rng.choice(("exact", "simulate", "simulate", "simulate", "system", "sweep", "bound", "plan"))
    if command == "exact":
        return ["exact", file, "--json"]
    if command == "plan":
        return _plan(rng)
    if command == "bound":
        variant = rng.choice(("printed", "repaired", "sharpened", "best", "sharp"))
        given = ["--risk", "d/n", "--set", f"d={rng.choice(NUMBERS)}"]
        risk = rng.choice(([], [], given, ["--risk", "1/(n-3)"]))
        return ["bound", "thm:global_regret", "--instance", file, "--variant", variant, "--json", *risk]
    count = ["--replications", rng.choice((*("1", "2", "3", "5") * 5, "300", "1000000", "1e3", "999999999"))]
    if command == "sweep":
        axis = rng.choice(SETTINGS) + "=" + ",".join(rng.choices(NUMBERS, k=rng.choice((1, 2, 2, 3))))
        return ["sweep", file, "--vary", axis, *count, *_maybe(rng, "--policy", POLICIES)]
    system = _maybe(rng, "--system", SYSTEMS, 1.0) if command == "system" else []
    parts = _maybe(rng, "--policy", POLICIES) + _maybe(rng, "--protocol", PROTOCOLS) + _set(rng)
    return ["simulate", file, "--json", *count, *system, *parts]


def _maybe(rng: random.Random, option: str, known: tuple[str, ...], chance: float = 0.12) -> list[str]:
    return [option, rng.choice(known)] if rng.random() < chance else []


def _set(rng: random.Random) -> list[str]:
    if rng.random() > 0.2:
        return []
    return ["--set", *(f"{rng.choice(SETTINGS)}={rng.choice(NUMBERS)}" for _ in range(rng.choice((1, 1, 2))))]


def _plan(rng: random.Random) -> list[str]:
    size = rng.choice(("--dimension", "--class-size"))
    given = {"--agents": "10", "--arms": "3", "--horizon": "1000", size: "4"}
    others = WORDS["options of plan"]
    for option in rng.sample((*others, *given), rng.choice((1, 2, 3))):
        given[option] = rng.choice((*NUMBERS, "1e6", "1e9", "1e12", "100", "0.5", str(2**62)))
    return ["plan", *(word for pair in given.items() for word in pair), "--json"]


def carry_out(chosen: list[str], refuse: bool = False) -> bool:
    """Carry out a command line. Return True for a possible answer, False for a refusal of one line. Nonsense or any
    other exception is a fault."""
    from verify import cli

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = cli.main(chosen)
    said = err.getvalue()
    if "Traceback" in said:
        raise Nonsense(said[-400:])
    if status == 2:
        if not said.startswith("verify: ") or said.count("\n") != 1:
            raise Nonsense(f"a refusal that is not one line: {said[:300]!r}")
        if any(stopped in said for stopped in STOPPED):
            raise Stopped(said)
        return False
    if status not in (0, 1):
        raise Nonsense(f"exit status {status}: {said[:200]}")
    if refuse:
        raise Nonsense("a key that nobody knows was taken")
    if "--json" in chosen:
        _sensible(json.loads(out.getvalue(), parse_constant=_no_number))
    elif "nan" in out.getvalue():
        raise Nonsense(f"not a number: {out.getvalue()[:300]}")
    return True


def _no_number(word: str) -> Any:
    raise Nonsense(f"{word} in JSON")


def _sensible(document: dict[str, Any]) -> None:
    """Raise Nonsense unless regrets are possible, epochs have steps and probabilities sum to 1."""
    regret = document.get("regret", document.get("total_regret"))
    if isinstance(regret, dict):
        values = [v for k, v in regret.items() if k in ("mean", "value", "smallest") and v is not None]
        if any(not math.isfinite(v) or v < -1e-6 for v in values):
            raise Nonsense(f"regret {regret}")
        low, high = regret.get("guaranteed", (0, 1))
        if not low <= high:
            raise Nonsense(f"an interval from {low} to {high}")
    for row in document.get("epochs", ()):
        if any(steps < 0 for steps in row["lengths"]):
            raise Nonsense(f"an epoch of {row['lengths']} steps")
        if "law" in row and abs(sum(p["value"] for p in row["law"].values()) - 1) > 1e-9:
            raise Nonsense(f"a law with sum {sum(p['value'] for p in row['law'].values())}")
    if "value" in document and not (math.isfinite(document["value"]) and document["value"] >= 0):
        raise Nonsense(f"bound {document['value']}")
