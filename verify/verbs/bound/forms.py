"""Return closed forms of bounds as text. They are cached, because importing sympy takes half a second.

The cache file is next to Python's byte code, or in the user's cache folder if the installation is read-only. It is
ignored if it was made from other sources or with another version of sympy. `fill` fills it in advance.
"""

import contextlib
import hashlib
import json
import os
from collections.abc import Callable
from functools import cache, partial
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import Any

import bounds
from bounds import theorems
from bounds.errors import InputError
from bounds.report import BoundReport

HOME = Path(__file__).resolve().parents[2] / "__pycache__"
USER = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fedigw-verify"
# not the suffix of a source file, so that the digest of the sources ignores it
PLACE = (HOME if os.access(HOME.parent, os.W_OK) else USER) / "closed_forms.cache"
MOST = 500  # entries; --set delta=... makes a new one for every value


def closed_form(report: BoundReport) -> tuple[str, str]:
    """Return the closed form of a bound as plain text and as LaTeX."""

    def make() -> list[str]:
        from bounds.symbols import latex

        return [str(report.closed_form), latex(report.closed_form)]

    name = call_name(report.formula)
    text, formula = make() if name is None else cached(make, "closed form", *name)
    return text, formula


def cached(make: Callable[[], Any], *key: str) -> Any:
    """Return make(), a JSON value, or the stored value if it was computed before with the same key and the same
    sources."""
    key_text = json.dumps(key)
    known = _read()
    if key_text in known:
        return known[key_text]
    value = json.loads(json.dumps(make()))
    known = {**(known if len(known) < MOST else {}), key_text: value}
    with contextlib.suppress(OSError):  # a read-only installation makes it every time
        PLACE.parent.mkdir(parents=True, exist_ok=True)
        whole = PLACE.with_suffix(f".{os.getpid()}")
        whole.write_text(json.dumps({"made_from": _made_from(), "values": known}), encoding="utf-8")
        whole.replace(PLACE)
    return value


@cache
def _made_from() -> str:
    home, digest = Path(bounds.__file__).parent, hashlib.sha256()
    for path in sorted(home.rglob("*.py")):
        digest.update(f"{path.relative_to(home)}\0".encode() + path.read_bytes())
    return f"{digest.hexdigest()} sympy {version('sympy')}"


def call_name(call: partial[Any]) -> tuple[str, ...] | None:
    """Return module, name and arguments of a call as texts, which are its key in the cache. Return None if texts cannot
    identify the call, because it contains a lambda or an object."""
    function, plain = call.func, (str, int, float, bool, type(None))
    ours = getattr(function, "__module__", "").startswith("bounds.") and hasattr(function, "__qualname__")
    arguments = [*call.args, *call.keywords.values()]
    if not ours or "<" in function.__qualname__ or not all(isinstance(a, plain) for a in arguments):
        return None
    return (function.__module__, function.__qualname__, repr(call.args), repr(sorted(call.keywords.items())))


def _read() -> dict[str, Any]:
    try:
        document = json.loads(PLACE.read_text(encoding="utf-8"))
        values = document["values"]
        return values if document["made_from"] == _made_from() and isinstance(values, dict) else {}
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        return {}


def fill() -> None:
    """Put the closed form of every bound at its default parameters into the cache."""
    for known in theorems.theorems().values():
        parameters = {**known.optional, **dict.fromkeys(known.required, 4)}
        for case in product(known.variants, known.quantities, (None, *known.protocols)):
            with contextlib.suppress(InputError):  # a combination that the paper does not bound
                closed_form(known.evaluate(*case, parameters))
