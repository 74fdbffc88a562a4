"""List synonyms: the paper's symbols, the words used in files and options, and the names that other libraries use."""

from collections.abc import Iterable

SYMBOLS = {
    "M": "agents",
    "K": "arms",
    "T": "horizon",
    "d": "dimension",
    "F": "class_size",
    "gamma": "learning_rate",
}
# road: a former name; |F|: as it is printed
WORDS = {word: symbol for symbol, word in SYMBOLS.items()} | {"road": "path", "|F|": "F"}
ELSEWHERE = {  # what somebody may type, and what it is here
    **dict.fromkeys(("fedadam", "fedyogi", "fedadagrad", "adam"), ("fedopt",)),
    **dict.fromkeys(("egreedy", "eps_greedy", "e_greedy", "epsgreedy"), ("epsilon_greedy",)),
    **dict.fromkeys(("boltzmann",), ("softmax",)),
    **dict.fromkeys(("communication", "cost", "messages"), ("numbers", "rounds")),
    **dict.fromkeys(("bytes",), ("bits",)),
    **dict.fromkeys(("errata", "errors", "errs"), ("erratum",)),
    **dict.fromkeys(("lr", "rate", "rates", "eta"), ("learning_rate", "step_size")),
    **dict.fromkeys(("learning_rate", "gamma"), ("step_size",)),
    **dict.fromkeys(("seeds", "runs", "repetitions", "n"), ("replications",)),
    **dict.fromkeys(("clients", "players", "users", "workers", "hospitals"), ("agents", "M")),
    **dict.fromkeys(("actions", "treatments"), ("arms", "K")),
    **dict.fromkeys(("steps", "time", "n_steps"), ("horizon", "T")),
    **dict.fromkeys(("features", "dim", "dimensions"), ("dimension", "d")),
    **dict.fromkeys(("functions", "hypotheses"), ("class_size", "F")),
    **dict.fromkeys(("eps",), ("epsilon",)),
}


def elsewhere(name: str, known: Iterable[str]) -> list[str]:
    """Return the known names that mean the same as `name`, a word of other libraries, or else the known name that
    differs from it only in capitals."""
    names = set(known)
    same = sorted(other for other in names if other.lower() == name.lower())
    return same or [other for other in ELSEWHERE.get(name.lower().replace("-", "_"), ()) if other in names]
