"""How much memory a simulation will need at least, and whether the machine has it: asked before anything runs."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from bounds.errors import InputError
from fedigw.effort import TooMuch

if TYPE_CHECKING:
    from fedigw.federation import Federation

MEMINFO = Path("/proc/meminfo")
POINTER, FLOAT_OBJECT = 8, 24


def available() -> int | None:
    """Bytes that this process can have now, of the machine and of its own limit; None where the system does not say."""
    try:
        for line in MEMINFO.read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return min(1024 * int(line.split()[1]), _own_limit())
    except (OSError, ValueError, IndexError):
        return None
    return None


def _own_limit() -> int:
    """What a limit on this process's addresses leaves it."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        most = resource.getrlimit(resource.RLIMIT_AS)[0]
        if most != resource.RLIM_INFINITY:
            pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
            return max(0, most - pages * resource.getpagesize())
    return 1 << 62


def needed(federation: Federation, replications: int) -> int:
    """Bytes of the record of all replications: regret and the model in use, by replication and epoch."""
    numbers = getattr(federation.model, "dimension", 0)  # a state of a finite class is one shared integer
    model = POINTER + numbers * (POINTER + FLOAT_OBJECT)
    return int(replications * federation.plan.epochs * (POINTER + model))


def refuse_bytes(field: str, value: object, asked: int) -> None:
    """InputError with the estimate, where so much is not there."""
    there = available()
    if there is not None and asked > there:
        said = f"needs {asked / 2**30:.1f} GB of memory, and {there / 2**30:.1f} GB are available"
        raise TooMuch(field, value, said)


def refuse_pairs(field: str, value: object, points: int, dimension: int) -> None:
    """The same for arrays over all pairs of points: differences, their squares, and one more."""
    refuse_bytes(field, value, 3 * 8 * points**2 * dimension)


def refuse(federation: Federation, replications: int) -> None:
    """InputError with the estimate and the way out, where the record would not fit."""
    asked, there = needed(federation, replications), available()
    if there is not None and asked > there:
        raise InputError(
            "--replications",
            replications,
            f"need {asked / 2**30:.1f} GB for their record, {there / 2**30:.1f} GB are available;"
            " stream them: fewer at a time, each with a --seed and an --out of its own",
        )
