"""A claim in words, as JSON: everything but what its checks do. For processes that must not, or need not, import it."""

from collections.abc import Mapping
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
    """Return the claim that a description is of; running one of its checks raises Elsewhere(instead). What is no
    description raises ValueError, KeyError, TypeError or AttributeError: it may come from somebody else."""
    variants = {
        _text(key): Variant(
            _text(v["formula"]),
            tuple(_text(word) for word in v["hypotheses"]),
            Verdict.of(v["expects"]),
            bool(v["tight"]),
            _text(v["vacuous"]),
            added=tuple(_text(word) for word in v["added"]),
        )
        for key, v in body["variants"].items()
    }
    elsewhere = partial(_raise, reason=instead)
    checks = []
    for check in body["checks"]:
        name, variant, about = (_text(check[field]) for field in ("name", "variant", "about"))
        checks.append(Check(name, variant, elsewhere, elsewhere, about, bool(check["statistical"])))
    texts = {key: _text(body[key]) for key in TEXTS}
    lists = {key: tuple(_text(word) for word in body[key]) for key in LISTS}
    erratum = None if body["erratum"] is None else _erratum(body["erratum"])
    return Claim(**texts, **lists, variants=variants, checks=tuple(checks), erratum=erratum)  # type: ignore[arg-type]


class Elsewhere(RuntimeError):
    """A check that does not run in this process."""


def _raise(task: Task, reason: str) -> Evidence:
    raise Elsewhere(reason)


def _erratum(body: Mapping[str, Any]) -> Erratum:
    place, survives, repair = (_text(body[key]) for key in ("place", "order_survives", "repair"))
    about = tuple(_text(word) for word in body["about"])
    printed, regime = bool(body["printed"]), _text(body["regime"])
    return Erratum(place, Severity(body["severity"]), survives, repair, about, printed, regime)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.40} is no text")
    value.encode()  # half a surrogate pair cannot be written down
    return value
