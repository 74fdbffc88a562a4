"""Give the verdict on a claim an identifier with which it can be cited.

The identifier paper:label/variant@4961a17c consists of the paper, the claim's label, the variant of the statement, and
eight digits of a hash of five parts: statement, hypotheses, definitions, evidence and code. The identifier is the same
on every machine, and changes with any part.
"""

from __future__ import annotations

import hashlib
import html
import importlib
import json
import re
from pathlib import Path
from typing import Any

from bounds.errors import InputError, choose
from fedigw import outside
from fedigw.record import read_json
from verify import own_claims
from verify.campaign.provenance import VERSION
from verify.catalogue import files, look_up
from verify.claim import ROWS, Claim
from verify.paper import BY_LABEL, FOLDER, NAME, OUTSIDE, PAPER, command, file_name, hashes
from verify.recorded import of_variant, record
from verify.verdict import Verdict

ID = re.compile(r"(?P<claim>[^/@]+)(?:/(?P<variant>[^@]+))?(?:@(?P<hash>[0-9a-f]{8}))?")
COLOURS = {"proved": "#1a7f37", "checked": "#0a7080", "measured": "#0550ae", "refuted": "#b42318"}
WEAKENED = "#9a6700"  # a badge of a statement that is vacuous, or lacks a hypothesis


def cited(name: str, variant: str | None = None) -> dict[str, Any]:
    """Return the verdict on a claim as a document to cite, with its identifier. name: a label, a number in print, an
    identifier, or a file written by `cite --json`.

    The entry `changed` lists what is different now: for a file, the parts of the identifier's hash that differ; for an
    identifier with another hash, "id".
    """
    if name.endswith(".json"):
        return _again(Path(name))
    found = ID.fullmatch(name)
    if found is None:
        raise InputError("claim", name, f"must be a label or an id, e.g. {NAME}:thm:main/best@4961a17c")
    claim = look_up(found["claim"])
    order = ROWS if claim.erratum is not None else tuple(reversed(ROWS))  # of an erratum the refuted line
    wanted = variant or found["variant"] or next((v for v in order if v in claim.variants), None)
    chosen = choose("--variant", wanted or next(iter(claim.variants)), claim.variants)
    known = of_variant(claim, chosen)
    if known.verdict is Verdict.UNDECIDED:
        how = f"; `{command('all --record')}` records one" if OUTSIDE else ""
        raise InputError("claim", name, f"{chosen} is undecided, which cannot be cited: {known.source}{how}")
    parts = parts_of(claim, chosen)
    whole = _hash(parts)
    number = BY_LABEL[claim.label].number if claim.label in BY_LABEL else claim.label
    document = {"id": f"{NAME}:{claim.label}/{chosen}@{whole}", "paper": dict(PAPER), "claim": claim.label}
    document |= {
        "number": number,
        "variant": chosen,
        "title": claim.title,
        **known.fields,
        "shown": known.shown,
    }
    form = claim.variants[chosen]
    document |= {"vacuous": form.vacuous, "added": list(form.added)}
    document |= {"formula": form.formula, "parts": parts, "version": VERSION}
    return document | {"changed": ["id"] if found["hash"] not in (None, whole) else []}


def changes(document: dict[str, Any], name: str) -> str:
    """Return a line that names the changed parts of a citation (`document`), "" if nothing changed. name: the name that
    the user typed."""
    if not document["changed"]:
        return ""
    by_id = document["changed"] == ["id"]
    *first, last = document["parts"] if by_id else document["changed"]
    named = f"{', '.join(first)} {'or' if by_id else 'and'} {last}" if first else last
    return f"verify: {name}: the {named} changed since it was checked; now {document['id']}\n"


def _again(path: Path) -> dict[str, Any]:
    try:
        before = read_json(path)
        name, parts = before["id"].partition("@")[0], dict(before["parts"])
    except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError):
        raise InputError("claim", str(path), "is not a file that `cite --json` wrote") from None
    now = cited(name)
    return now | {"changed": [part for part, digest in now["parts"].items() if parts.get(part) != digest]}


def parts_of(claim: Claim, variant: str) -> dict[str, str]:
    """Return a hash for each of the five parts on which a verdict's identifier depends: statement (the paper's text,
    the formula), hypotheses, definitions (in Coq, and those of the bound), evidence (verdict, checks, campaign) and
    code (the claim's files)."""
    form = claim.variants[variant]
    printed = hashes(FOLDER).get(claim.label, ())
    checks = [[check.name, check.about] for check in claim.checks if check.variant == variant]
    campaign = [record()["profile"], record()["seed"]]
    found = {
        "statement": [*printed, form.formula, form.vacuous],
        "hypotheses": [*form.hypotheses, *form.added],
        "definitions": _definitions(claim.label, variant),
        "evidence": [of_variant(claim, variant).row, checks, campaign, *filter(None, [record()["proofs"]])],
        "code": [outside.digest(path) for path in _code(claim.label)],
    }
    return {name: _hash(part) for name, part in found.items()}


def _hash(part: Any) -> str:
    return hashlib.sha256(json.dumps(part, sort_keys=True).encode()).hexdigest()[:8]


def _definitions(label: str, variant: str) -> list[Any]:
    if OUTSIDE:
        path = FOLDER / "theorems" / f"{file_name(label)}.py"
        return [outside.digest(path)] if path.is_file() else []
    from bounds import theorems
    from verify.formal.definitions import behind
    from verify.formal.statements import source_statement, statements

    found: list[Any] = []
    for stated in statements():
        if (stated.label, stated.variant) == (label, variant):
            text = (source_statement(stated) or ("", ""))[1]
            found.append([stated.theorem, text, sorted(behind(text).items())])
    if (stem := file_name(label)) in theorems.stems():
        module = Path(str(importlib.import_module(theorems.stems()[stem]).__file__))
        found.append(outside.digest(module.with_name(f"{stem}.py")))
    return found


def _code(label: str) -> list[Path]:
    if (own := own_claims.own(label)) is not None:
        return [Path(own.file)]
    stem = file_name(label)
    home = Path(str(importlib.import_module(files()[stem]).__file__)).parent / stem
    return sorted(home.rglob("*.py")) if home.is_dir() else [home.with_suffix(".py")]


def bibtex(document: dict[str, Any]) -> str:
    paper = document["paper"]
    key = re.sub(r"[^A-Za-z0-9]+", "-", document["id"].partition("@")[0])
    author = f"; {document['verdict_source']}" if OUTSIDE else ""
    title = f"{document['number']} ({document['variant']}): {document['shown']}"
    rows = {
        "author": "{The FedIGW-verify authors}",  # styles sort by it
        "title": f"{{{title}}}",  # styles change letters outside braces: Coq to coq
        "howpublished": f"fedigw-verify {document['version']}",
        "note": f"Verdict {document['id']} on: {paper['authors']}, {paper['title']}{author}",
        "url": paper["address"],
    }
    body = "".join(f"  {name:12} = {{{_tex(text)}}},\n" for name, text in rows.items() if text)
    return f"@misc{{{key},\n{body}}}\n"


def _tex(text: str) -> str:
    return re.sub(r"([_%#&$])", r"\\\1", text)


def badge(document: dict[str, Any]) -> str:
    """Return a verdict as a small SVG picture: the statement's number on the left, the verdict on the right. The title
    of the picture is the verdict's identifier."""
    left, right = f"{document['number']} ({document['variant']})", document["shown"]
    first, second = (7 * len(text) + 14 for text in (left, right))
    colour = COLOURS.get(document["verdict"], "#57606a")
    if document["added"] or (document["vacuous"] and document["verdict"] != "refuted"):  # as in the report
        colour = WEAKENED
    left, right, title = (html.escape(text, quote=True) for text in (left, right, document["id"]))
    return f"""<svg xmlns="http://www.w3.org/2000/svg" width="{first + second}" height="22" role="img">
<title>{title}</title>
<rect width="{first}" height="22" fill="#3d4450"/><rect x="{first}" width="{second}" height="22" fill="{colour}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
<text x="{first / 2:g}" y="15">{left}</text><text x="{first + second / 2:g}" y="15">{right}</text>
</g></svg>
"""
