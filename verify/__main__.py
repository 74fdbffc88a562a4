"""Run `python -m verify`: check that `bounds`, `fedigw` and the like are the packages next to `verify`, then call the
command line."""

import sys
from importlib.util import find_spec
from typing import NoReturn

from verify import SIBLINGS, foreign_sibling, in_the_way, optimised
from verify.interruption import CAMPAIGNS, command_of, watch


def console() -> NoReturn:
    """Run the command line on sys.argv and exit with its status. If the installation is broken, print one line and
    exit with status 2."""
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
    except Exception as error:
        missing = (getattr(error, "name", None) or "").partition(".")[0]
        said = in_the_way(error)
        theirs = isinstance(error, ModuleNotFoundError) and missing not in ("", "verify", *SIBLINGS)
        if said is None and theirs and find_spec(missing) is None:
            said = f"verify: {missing} is not installed; run `make verify`, then .venv/bin/python -m verify"
        if said is None:
            raise
        sys.stderr.write(said + "\n")
        sys.exit(2)


if __name__ == "__main__":
    console()
