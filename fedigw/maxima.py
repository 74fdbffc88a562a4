"""The largest sizes that commands accept, by key. Larger values are refused when they are read.

Sizes below these may still take long or need more memory than there is. The command can then be stopped by Ctrl-C, or
ends with one line.
"""

from bounds.errors import InputError

MAXIMA = {
    "agents": 10**7,
    "arms": 10**6,
    "contexts": 10**6,
    "dimension": 20_000,
    "functions": 10**7,
    "rounds": 10**7,
    "local_steps": 10**7,
    "batch": 10**7,
    "replications": 10**7,
    "campaigns": 10**7,
    "repetitions": 10**7,
    "width": 10**5,  # of a network
    "points": 10**5,  # of a dictionary
    "network": 10_000,  # agents that talk to neighbours: a matrix of M^2 numbers, whose eigenvalues cost M^3
    "rival": 10**8,  # steps of a rival system, which are played one by one
}


def refuse_larger(key: str, value: int, field: str | None = None) -> None:
    if value > MAXIMA.get(key, value):
        raise InputError(field or key, value, f"must be at most {MAXIMA[key]}")
