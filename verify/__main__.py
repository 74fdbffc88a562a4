"""python -m verify: check that our siblings are ours, then hand over to the command line."""

from __future__ import annotations

import sys
from typing import NoReturn

from verify import foreign_sibling
from verify.interruption import CAMPAIGNS, watch


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
