"""python -m verify: check that our siblings are ours, then hand over to the command line."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import NoReturn

from verify.interruption import CAMPAIGNS, watch

SIBLINGS = ("bounds", "fedigw", "finite_class", "linear", "neural")


def foreign_sibling() -> str | None:
    """Generic package names can be shadowed: the message that names the module which got in the way."""
    home = Path(__file__).resolve().parent.parent
    for name in SIBLINGS:
        spec = importlib.util.find_spec(name)
        origin = spec.origin if spec else None
        if origin is None or Path(origin).resolve().parent.parent != home:
            return (
                f"verify: package {name} = {origin}: stands in the way of {home / name}, which the toolkit needs;"
                " rename it, or start from another folder"
            )
    return None


def console() -> NoReturn:
    """The command `verify` and `python -m verify`."""
    if sys.argv[1:2] and sys.argv[1] in CAMPAIGNS:
        watch()  # before anything that takes time
    problem = foreign_sibling()
    if problem:
        sys.stderr.write(problem + "\n")
        sys.exit(2)
    try:
        from verify.cli import main

        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    console()
