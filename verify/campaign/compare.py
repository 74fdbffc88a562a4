"""Compare two campaigns of checks: python -m verify.campaign.compare OLD NEW (results.json files, or their folders).

Prints which versions differ, then which checks are new, gone or different, with both verdicts where they differ. A
check is different if anything in its results but the digest of the source is. Exit status 0: no check differs; 1: some
do; 2: bad input.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bounds.errors import InputError
from fedigw.record import canonical
from verify.campaign.derived import RESULTS
from verify.campaign.provenance import differing
from verify.campaign.results import checks_of, read
from verify.verdict import shown

PARAMETERS = ("version", "profile", "seed")
Checks = dict[tuple[str, str], dict[str, Any]]


def checks(document: dict[str, Any]) -> Checks:
    return {(check["claim"], check["check"]): check for check in checks_of(document)}


def differences(old: Checks, new: Checks) -> Iterator[str]:
    """Yield a line for every check that is new, gone or different between two campaigns, sorted by name."""
    for unit in sorted(old.keys() | new.keys()):
        name = " ".join(unit)
        if unit not in old:
            yield f"new        {name}"
        elif unit not in new:
            yield f"gone       {name}"
        elif canonical(old[unit]) != canonical(new[unit]):
            parts = [k for k in sorted(old[unit] | new[unit]) if old[unit].get(k) != new[unit].get(k)]
            there, here = (shown(row[unit]["evidence"]) for row in (old, new))
            verdict = "" if there == here else f" ({there} there, {here} here)"
            yield f"different  {name}: {', '.join(parts)}{verdict}"


def load(field: str, place: str) -> tuple[Checks, dict[str, Any]]:
    """Read the campaign OLD or NEW (`field`) from a results.json or its folder (`place`). Return its checks, and what
    may explain differences: versions, profile and seed."""
    path = Path(place)
    if path.is_file() and path.name != RESULTS:
        raise InputError(field, place, f"must be a {RESULTS}, or the folder that holds one")
    try:
        document = read(path.parent if path.name == RESULTS else path)
        return checks(document), document["made_with"] | {name: document[name] for name in PARAMETERS}
    except InputError as error:
        raise InputError(field, place, error.allowed) from None


def main(arguments: list[str]) -> int:
    try:
        if len(arguments) != 2:
            raise InputError("arguments", " ".join(arguments), "must be OLD NEW")
        (old, there), (new, here) = load("OLD", arguments[0]), load("NEW", arguments[1])
        lines = list(differences(old, new))
        same = len(old.keys() & new.keys()) - sum(line.startswith("different") for line in lines)
        versions = [f"made with  {line}" for line in differing(there, here)]
        sys.stdout.write("".join(f"{line}\n" for line in (*versions, *lines, f"same       {same}")))
        sys.stdout.flush()
    except InputError as error:
        sys.stderr.write(f"compare: {error}\n")
        return 2
    except (LookupError, TypeError, AttributeError):  # of edited files
        sys.stderr.write(f"compare: a damaged {RESULTS}; the campaign's command with --resume writes it\n")
        return 2
    except OSError as error:
        sys.stderr.write(f"compare: standard output: {error.strerror}\n")
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 2
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
