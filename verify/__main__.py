"""python -m verify: check that our siblings are ours, then hand over to the command line."""

import sys
from importlib.util import find_spec
from typing import NoReturn

from verify import SIBLINGS, foreign_sibling
from verify.interruption import CAMPAIGNS, watch


def optimised() -> str | None:
    """Return why Python's -O and -OO are refused: they remove assertions and docstrings."""
    if not sys.flags.optimize:
        return None
    return "verify: python -O removes assertions and docstrings, which are statements of claims; leave it out"


def console() -> NoReturn:
    """The command `verify` and `python -m verify`."""
    if sys.argv[1:2] and sys.argv[1] in CAMPAIGNS:
        watch()  # before anything that takes time
    problem = optimised() or foreign_sibling()
    if problem:
        sys.stderr.write(problem + "\n")
        sys.exit(2)
    try:
        from verify import guard
        from verify.cli import main

        if sys.argv[1:2] and sys.argv[1] not in CAMPAIGNS:
            guard.limit_to_free_memory()
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing in ("", "verify", *SIBLINGS) or find_spec(missing) is not None:
            raise
        sys.stderr.write(
            f"verify: {missing} is not installed; run `make verify`, then .venv/bin/python -m verify\n"
        )
        sys.exit(2)


if __name__ == "__main__":
    console()
