"""list: the claims, their sections, variants and tags."""

from __future__ import annotations

import argparse
import json
import sys

from verify.catalogue import catalogue, tagged


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="machine-readable")
    parser.add_argument("--tag", help="only claims with this tag")


def execute(options: argparse.Namespace) -> int:
    claims = tagged(options.tag) if options.tag is not None else list(catalogue().values())
    if options.json:
        rows = [
            {
                "label": c.label,
                "title": c.title,
                "section": c.section,
                "tags": list(c.tags),
                "variants": {name: str(v.expects) for name, v in c.variants.items()},
                "checks": [check.name for check in c.checks],
                "depends": list(c.depends),
            }
            for c in claims
        ]
        sys.stdout.write(json.dumps(rows, indent=1) + "\n")
        return 0
    width = max((len(c.label) for c in claims), default=0)
    for claim in claims:
        expected = ", ".join(f"{name} {v.expects}" for name, v in claim.variants.items())
        sys.stdout.write(f"{claim.label:{width}}  {claim.title}  ({expected})\n")
    return 0
