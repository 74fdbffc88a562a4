"""Export which Coq theorem states which claim of the paper, in the format formalization.yaml (version 0.4) of
github.com/mathlib-initiative/formalization.yaml. The keys are project, sources, automation, status (scope, axioms, main
results), fidelity (divergences), review, alignment."""

import json
from collections.abc import Iterator
from typing import Any

from bounds.errors import InputError
from verify.campaign.provenance import VERSION
from verify.catalogue import look_up
from verify.formal.record import Unusable, recorded
from verify.formal.statements import Statement, statements
from verify.paper import BY_LABEL, NAME, OUTSIDE, PAPER
from verify.recorded import of_variant

MAIN = ("yes", "stronger")  # theorems that carry a verdict
SCOPE = "finite sets of contexts and finitely many reward values, where the paper allows general ones"
REVIEW = (
    "how each theorem compares with the paper was decided in this project; see relation and note of each row"
)


def document() -> dict[str, Any]:
    """Return the contents of formalization.yaml. Raise InputError if the paper has no Coq statements."""
    if OUTSIDE:
        raise InputError("--format", "formalization", f"the paper {NAME} has no formal proofs in the record")
    try:
        answers = recorded().answers
    except Unusable as error:
        raise InputError("--format", "formalization", str(error)) from None
    axioms = {name: [line.partition(" : ")[0] for line in lines] for name, lines in answers.axioms.items()}
    rows = [_row(stated) for stated in statements()]
    main = {stated.theorem: stated for stated in statements() if stated.same in MAIN}
    covered = {stated.label for stated in main.values() if stated.label in BY_LABEL}
    scope = f"{len(main)} Coq theorems about {len(covered)} statements of the paper, for {SCOPE}"
    differ = [
        f"{row['statement']}: {row['relation']} ({row['note']})" for row in rows if row["relation"] != "yes"
    ]
    source = {"title": PAPER["title"], "authors": PAPER["authors"].split(", ")}
    source |= {"id": PAPER["address"], "license": PAPER["licence"]}
    return {
        "version": "v0.4",
        "project": {"name": "fedigw-verify", "authors": ["The FedIGW-verify authors"], "license": "MIT"},
        "sources": [source | {"type": "article", "relationship": "formalizes"}],
        "automation": {"methods": [{"method": "other", "tool_setup": "not recorded in this export"}]},
        "status": {
            "scope": scope,
            "sorry_count": 0,  # an admitted theorem would be an axiom, and those are listed
            "axioms": sorted({name for theorem in main for name in axioms[theorem]}),
            "main_results": [
                {"declaration": name, "file": f"proofs/{stated.file}", "axioms": sorted(axioms[name])}
                for name, stated in main.items()
            ],
        },
        "fidelity": {"divergences": "\n".join([f"All theorems are for {SCOPE}.", *differ])},
        "review": {"status": "self-assessed", "notes": REVIEW},
        "alignment": {"tool": f"fedigw-verify {VERSION}", "statements": rows},
    }


def _row(stated: Statement) -> dict[str, Any]:
    claim = look_up(stated.label)
    number = BY_LABEL[stated.label].number if stated.label in BY_LABEL else claim.title
    row = {"statement": f"{NAME}:{stated.label}/{stated.variant}", "number": number}
    row |= {
        "declaration": stated.theorem,
        "file": f"proofs/{stated.file}",
        "relation": "refutes" if stated.refutes else stated.same,
    }
    return row | {"verdict": of_variant(claim, stated.variant).shown, "note": stated.why}


def yaml(value: Any, indent: int = 0) -> str:
    return "".join(f"{'  ' * depth}{line}\n" for depth, line in _lines(value, indent))


def _lines(value: Any, depth: int) -> Iterator[tuple[int, str]]:
    if isinstance(value, dict):
        for key, item in value.items():
            if isinstance(item, dict | list) and item:
                yield depth, f"{key}:"
                yield from _lines(item, depth + 1)
            else:
                yield depth, f"{key}: {json.dumps(item)}"
        return
    for item in value:
        if not isinstance(item, dict):
            yield depth, f"- {json.dumps(item)}"
            continue
        first, *rest = _lines(item, depth + 1)
        yield depth, f"- {first[1]}"
        yield from rest
