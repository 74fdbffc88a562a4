"""How much memory a simulation will need at least, and whether the machine has it: asked before anything runs."""

from __future__ import annotations

from pathlib import Path

from bounds.errors import InputError
from fedigw.federation import Federation

MEMINFO = Path("/proc/meminfo")
POINTER, FLOAT_OBJECT = 8, 24


def available() -> int | None:
    """Bytes that programs can have now; None where the system does not say."""
    try:
        for line in MEMINFO.read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return 1024 * int(line.split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return None


def needed(federation: Federation, replications: int) -> int:
    """Bytes of the record of all replications: regret and the model in use, by replication and epoch."""
    numbers = getattr(federation.model, "dimension", 0)  # a state of a finite class is one shared integer
    model = POINTER + numbers * (POINTER + FLOAT_OBJECT)
    return int(replications * federation.plan.epochs * (POINTER + model))


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
