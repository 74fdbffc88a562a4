"""Run `python -m verify`: check that the packages next to this one are ours, then call the command line."""

import sys
from importlib.util import find_spec
from typing import NoReturn

from verify import SIBLINGS, foreign_sibling, optimised
from verify.interruption import CAMPAIGNS, command_of, watch


def console() -> NoReturn:
    """Run the command line on sys.argv and exit with its status; a broken installation is one line and status 2."""
    named = command_of(sys.argv[1:])
    if named in CAMPAIGNS:
        watch()  # before anything that takes time
    problem = optimised() or foreign_sibling()
    if problem:
        sys.stderr.write(problem + "\n")
        sys.exit(2)
    try:
        from verify import guard
        from verify.cli import console as run

        if named and named not in CAMPAIGNS:
            guard.limit_to_free_memory()
        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing in ("", "verify", *SIBLINGS) or find_spec(missing) is not None:
            raise
        said = f"{missing} is not installed; run `make verify`, then .venv/bin/python -m verify"
        sys.stderr.write(f"verify: {said}\n")
        sys.exit(2)


if __name__ == "__main__":
    console()
