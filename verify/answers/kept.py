"""Text that takes long to make (proof steps, closed forms: both bring sympy), kept as long as no source changes.

It lies beside the byte code, for the same reason and with the same right to be deleted. What was kept for other
sources, or for other libraries, is never read. `python -m verify.answers.kept` makes everything once.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from functools import cache, partial
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import Any

from bounds.errors import InputError
from bounds.report import BoundReport
from fedigw.record import canonical, read_json, replace_text
from verify.campaign.provenance import PACKAGES, code_digest
from verify.claim import Claim

# no suffix of a source: the digest of the sources must not see it
PLACE = Path(__file__).resolve().parents[1] / "__pycache__" / "texts.kept"
MOST = 500  # entries; --set delta=... makes a new one for every value


def notes(claim: Claim) -> list[str]:
    """The lines that `show` adds to a claim."""
    return list(kept(claim.notes, "notes", claim.label)) if claim.notes is not None else []


def closed_form(report: BoundReport) -> tuple[str, str]:
    """The closed form of a bound as text and as LaTeX."""

    def make() -> list[str]:
        from bounds.symbols import latex

        return [str(report.closed_form), latex(report.closed_form)]

    name = call_name(report.formula)
    text, formula = make() if name is None else kept(make, "closed form", *name)
    return text, formula


def kept(make: Callable[[], Any], *key: str) -> Any:
    """make(), a JSON value, or what it gave before under the same key, from the same sources."""
    key_text = json.dumps(key)
    made_from = f"{code_digest()} sympy {_sympy()}"
    known = _read(made_from)
    if key_text in known:
        return known[key_text]
    value = json.loads(json.dumps(make()))
    known = {**(known if len(known) < MOST else {}), key_text: value}
    with contextlib.suppress(OSError):  # a read-only installation makes it every time
        PLACE.parent.mkdir(exist_ok=True)
        replace_text(PLACE, canonical({"made_from": made_from, "values": known}))
    return value


@cache
def _sympy() -> str:
    """Which one is installed; asking does not bring it."""
    return version("sympy")


def call_name(call: partial[Any]) -> tuple[str, ...] | None:
    """The call as text: the function's full name and its plain arguments; None if text does not decide its value."""
    function, plain = call.func, (str, int, float, bool, type(None))
    named = getattr(function, "__module__", "").partition(".")[0] in PACKAGES and hasattr(
        function, "__qualname__"
    )
    arguments = [*call.args, *call.keywords.values()]
    if not named or "<" in function.__qualname__ or not all(isinstance(a, plain) for a in arguments):
        return None
    return (function.__module__, function.__qualname__, repr(call.args), repr(sorted(call.keywords.items())))


def _read(made_from: str) -> dict[str, Any]:
    try:
        document = read_json(PLACE)
        values = document["values"]
        return values if document["made_from"] == made_from and isinstance(values, dict) else {}
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        return {}


def make_all() -> None:
    """Every claim's notes, and the closed form of every bound at its default parameters."""
    from verify.catalogue import catalogue

    for claim in catalogue().values():
        notes(claim)
        family = claim.bound
        if family is None:
            continue
        parameters = {**family.optional, **dict.fromkeys(family.required, 4)}
        for case in product(family.variants, family.quantities, (None, *family.protocols)):
            with contextlib.suppress(InputError):  # a combination that the paper does not bound
                closed_form(family.evaluate(*case, parameters))


if __name__ == "__main__":
    make_all()
