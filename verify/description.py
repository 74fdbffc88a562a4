"""A claim in words, as JSON: everything but what its checks do. For processes that must not, or need not, import it."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from verify.claim import Check, Claim, Erratum, Evidence, Severity, Task, Variant, Verdict

TEXTS = ("label", "title", "section", "statement", "reference")
LISTS = ("tags", "depends", "errata")


def describe(claim: Claim) -> dict[str, Any]:
    """Return the description of a claim, in values of JSON."""
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
    """Rebuild a claim from its description; its checks raise Elsewhere(instead) when run. A malformed description, say
    from another user, raises ValueError, KeyError, TypeError or AttributeError."""
    variants = {_text(key): _made(Variant, row, expects=Verdict.of) for key, row in body["variants"].items()}
    elsewhere = partial(_raise, reason=instead)
    checks = tuple(_made(partial(Check, run=elsewhere, control=elsewhere), row) for row in body["checks"])
    erratum = None if body["erratum"] is None else _made(Erratum, body["erratum"], severity=Severity)
    words = {key: body[key] for key in (*TEXTS, *LISTS)}
    return _made(partial(Claim, variants=variants, checks=checks, erratum=erratum), words)


class Elsewhere(RuntimeError):
    """A check that does not run in this process."""


def _raise(task: Task, reason: str) -> Evidence:
    raise Elsewhere(reason)


def _made(make: Callable[..., Any], row: Mapping[str, Any], **read: Callable[[Any], Any]) -> Any:
    """Return make(**row): texts, flags and lists of texts as they are, other fields as `read` reads them."""
    return make(**{key: read.get(key, _plain)(value) for key, value in row.items()})


def _plain(value: object) -> object:
    if isinstance(value, list):
        return tuple(map(_text, value))
    return value if isinstance(value, bool) else _text(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.40} is no text")
    value.encode()  # half a surrogate pair cannot be written down
    return value
