"""Generated worlds of sizes between the usual and the absurd: where a wrong estimate begins what cannot end."""

from __future__ import annotations

import inspect
import random

SIZES = (*range(1, 6), 30, 300, 3000, 10_000, 100_000, 300_000, 2_000_000, 10_000_000, 10**9)
HORIZONS = (24, 24, 1000, 24_000, 10**6, 10**9, 10**15)


def world(rng: random.Random) -> str:
    """An instance file: one or two of an environment's counts are drawn, the others are as by default."""
    from fedigw.discovery import modules
    from verify.instances import KINDS, kind_of

    kind = rng.choice(sorted(KINDS))
    known = modules(kind_of(kind).environments, ("make", "EXAMPLES"))
    name = rng.choice(sorted(known))
    counts = [
        field
        for field, parameter in inspect.signature(known[name].make).parameters.items()
        if type(parameter.default) is int and field != "horizon"
    ]
    drawn = {field: rng.choice(SIZES) for field in rng.sample(counts, min(len(counts), rng.choice((1, 2))))}
    fields = ", ".join(f"{field} = {size}" for field, size in drawn.items())
    return (
        f'kind = "{kind}"\nhorizon = {rng.choice(HORIZONS)}\nenvironment = {{name = "{name}", {fields}}}\n'
        + rng.choice(("", "", 'learning_rate = "adaptive"\n', "schedule = {doubling_capped = 4}\n"))
    )
