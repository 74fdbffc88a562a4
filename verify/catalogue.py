"""The catalogue of claims: every file of verify/claims, validated when it is built."""

from __future__ import annotations

from functools import cache

from bounds.errors import choose
from fedigw.discovery import CatalogueError, modules
from verify.claim import Claim
from verify.formal.chains_read import refuse_bad_chains
from verify.formal.kernel import attach
from verify.paper import RESTATED, file_name, is_label
from verify.statistics.level import SHARES, USERS

FOLDER = "verify.claims"


@cache
def catalogue() -> dict[str, Claim]:
    """Label -> claim, in label order. CatalogueError names the file, of a claim or a proof, that breaks a rule."""
    refuse_bad_chains()
    claims: dict[str, Claim] = {}
    shares = SHARES - USERS
    for name, module in modules(FOLDER, ("CLAIM",)).items():
        claim: Claim = module.CLAIM
        shares -= sum(check.statistical for check in claim.checks)
        problem = _problem(claim, name) or _overdrawn(shares)
        if problem:
            raise CatalogueError(f"{FOLDER.replace('.', '/')}/{name}.py: {problem}")
        claims[claim.label] = attach(claim)
    cycle = _cycle(claims)
    if cycle:
        where = file_name(cycle[0])
        raise CatalogueError(f"{FOLDER.replace('.', '/')}/{where}.py: cycle in depends: {' -> '.join(cycle)}")
    return dict(sorted(claims.items(), key=lambda item: _order(item[0])))


def find(label: str) -> Claim:
    label = RESTATED.get(label, label)
    return catalogue()[choose("claim", label, catalogue())]


def tagged(tag: str) -> list[Claim]:
    tags = {t for claim in catalogue().values() for t in claim.tags}
    choose("--tag", tag, tags)
    return [claim for claim in catalogue().values() if tag in claim.tags]


def _order(label: str) -> tuple[int, str, int, str]:
    kind, _, name = label.partition(":")
    rank = {"thm": 0, "col": 1, "lem": 2, "rmk": 3, "tab": 4, "alg": 5, "own": 6, "app": 7, "erratum": 8}[
        kind
    ]
    number = int(name[1:]) if kind == "erratum" and name[1:].isdigit() else 0
    return rank, kind, number, name


def _problem(claim: Claim, module: str) -> str | None:
    if not is_label(claim.label):
        return f"label {claim.label!r} is not in the paper's list"
    if module != file_name(claim.label):
        return f"the file of {claim.label} must be called {file_name(claim.label)}.py"
    if not claim.checks:
        return "has no check"
    for check in claim.checks:
        if check.variant not in claim.variants:
            return f"check {check.name!r} is about an unknown variant {check.variant!r}"
        if not callable(check.control):
            return f"check {check.name!r} has no negative control"
    unchecked = set(claim.variants) - {check.variant for check in claim.checks}
    if unchecked:
        return f"no check bears on variant {sorted(unchecked)[0]!r}"
    names = [check.name for check in claim.checks]
    if len(set(names)) != len(names):
        return "two checks have the same name"
    for plot in claim.plots:
        unknown = sorted(set(plot.checks) - set(names))
        if unknown:
            return f"plot {plot.name!r} draws an unknown check {unknown[0]!r}"
    return None


def _overdrawn(left: int) -> str | None:
    """The shares of the level are fixed in advance, and those of the users are not for us."""
    return (
        f"more than {SHARES - USERS} statistical checks in all: no share of the level is left"
        if left < 0
        else None
    )


def _cycle(claims: dict[str, Claim]) -> list[str] | None:
    """A cycle in the dependency graph, as labels, or None. Unknown dependencies may arrive later."""
    done: set[str] = set()

    def visit(label: str, path: list[str]) -> list[str] | None:
        if label in path:
            return [*path[path.index(label) :], label]
        if label in done or label not in claims:
            return None
        for dependency in claims[label].depends:
            found = visit(dependency, [*path, label])
            if found:
                return found
        done.add(label)
        return None

    for label in claims:
        found = visit(label, [])
        if found:
            return found
    return None
