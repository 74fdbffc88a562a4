"""Convert a claim to JSON and back, with all its texts but without the functions of its checks, for processes that do
not import its file."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from verify.claim import Check, Claim, Erratum, Evidence, Severity, Task, Variant, Verdict

TEXTS = ("label", "title", "section", "statement", "reference")
LISTS = ("tags", "depends", "errata")


def describe(claim: Claim) -> dict[str, Any]:
    variants = {
        key: {"formula": v.formula, "hypotheses": list(v.hypotheses), "expects": v.expects.fields}
        | {"tight": v.tight, "vacuous": v.vacuous, "added": list(v.added)}
        for key, v in claim.variants.items()
    }
    fields = ("name", "variant", "about", "statistical")
    checks = [{field: getattr(check, field) for field in fields} for check in claim.checks]
    texts = {key: getattr(claim, key) for key in TEXTS}
    lists = {key: list(getattr(claim, key)) for key in LISTS}
    erratum = None if claim.erratum is None else asdict(claim.erratum)
    return {**texts, **lists, "variants": variants, "checks": checks, "erratum": erratum}


def described(body: Mapping[str, Any], instead: str) -> Claim:
    """Return a claim from its JSON description. Its checks raise Elsewhere with the text `instead`. A malformed
    description raises ValueError, KeyError, TypeError or AttributeError."""
    variants = {_text(key): _made(Variant, row, expects=Verdict.of) for key, row in body["variants"].items()}
    elsewhere = partial(_raise, reason=instead)
    checks = tuple(_made(partial(Check, run=elsewhere, control=elsewhere), row) for row in body["checks"])
    erratum = None if body["erratum"] is None else _made(Erratum, body["erratum"], severity=Severity)
    words = {key: body[key] for key in (*TEXTS, *LISTS)}
    return _made(partial(Claim, variants=variants, checks=checks, erratum=erratum), words)


class Elsewhere(RuntimeError):
    """Raised by a check of a claim that was read from its JSON description, because its function is not in this
    process."""


def _raise(task: Task, reason: str) -> Evidence:
    raise Elsewhere(reason)


def _made(make: Callable[..., Any], row: Mapping[str, Any], **read: Callable[[Any], Any]) -> Any:
    return make(**{key: read.get(key, _plain)(value) for key, value in row.items()})


def _plain(value: object) -> object:
    if isinstance(value, list):
        return tuple(map(_text, value))
    return value if isinstance(value, bool) else _text(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.40} is no text")
    value.encode()  # raises an error for a lone surrogate, which cannot be saved
    return value
