"""Compare the hypotheses of a Coq theorem with those of the claim that it states. proofs/hypotheses.toml has a name for
each hypothesis, the pattern that finds it in Coq's statements, and its wordings in claims.

The theorem's hypotheses are also listed in statements.toml, so that a change of either is noticed. Those of the claim
are the texts in Variant.hypotheses. The comparison gives

    yes        both have the same hypotheses, except those of the claim listed in `without`, which the theorem does
               not need
    stronger   the theorem has fewer hypotheses than the claim
    weaker     the theorem has a hypothesis that the claim does not have
"""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from verify.formal import definitions
from verify.formal.statements import PROOFS, Statement, remembered

VOCABULARY = "hypotheses.toml"
SHORT = 3  # names of so few letters are bound variables as often as definitions


@dataclass(frozen=True)
class Hypothesis:
    """A hypothesis of a theorem. tag: its name. coq: the pattern that finds it in Coq's statements. words: its wordings
    in claims. case: a name for a distinction of cases, each of which has a theorem of its own; claims do not list such
    hypotheses."""

    tag: str
    coq: str
    words: tuple[str, ...] = ()
    case: str | None = None


@cache
def vocabulary(folder: Path = PROOFS) -> tuple[Hypothesis, ...]:
    entries = tomllib.loads((folder / VOCABULARY).read_text(encoding="utf-8"))["hypothesis"]
    return tuple(Hypothesis(**{**entry, "words": tuple(entry.get("words", ()))}) for entry in entries)


@remembered
def of_coq(printed: str, folder: Path = PROOFS) -> frozenset[str]:
    """Return the tags of the known hypotheses that occur in a statement printed by Coq, or in definitions that it
    uses."""
    text = unfolded(printed, folder)
    return frozenset(h.tag for h in vocabulary(folder) if re.search(h.coq, text))


def of_claim(hypotheses: Iterable[str], folder: Path = PROOFS) -> frozenset[str]:
    text = "\n".join(hypotheses)
    return frozenset(h.tag for h in vocabulary(folder) if any(word in text for word in h.words))


@remembered
def unfolded(printed: str, folder: Path = PROOFS) -> str:
    """Return one text that contains a statement printed by Coq and the definitions that it uses directly or
    indirectly."""
    known = definitions.items(folder)
    parts, left, seen = [" ".join(printed.split())], [printed], set[str]()
    while left:
        for name in sorted(set(re.findall(r"[A-Za-z_][\w']*", left.pop())) - seen):
            seen.add(name)
            found = known.get(name, ())
            if len(found) == 1 and len(name) > SHORT and not found[0].text.startswith("Let "):
                parts.append(found[0].text)
                left.append(found[0].text)
    return " ; ".join(parts)


def cases(folder: Path = PROOFS) -> frozenset[str]:
    return frozenset(h.tag for h in vocabulary(folder) if h.case)


def relation(statement: Statement, claimed: Iterable[str], folder: Path = PROOFS) -> str:
    """Compare the hypotheses of a theorem (`statement`) with the claim's (`claimed`). Return "yes" if they are the
    same, "weaker" if the theorem has one that the claim lacks, and else "stronger"."""
    ours, theirs = frozenset(statement.hypotheses or ()) - cases(folder), of_claim(claimed, folder)
    if not ours <= theirs:
        return "weaker"
    return "yes" if ours | frozenset(statement.without) == theirs else "stronger"


def disagreement(statement: Statement, claimed: Iterable[str], folder: Path = PROOFS) -> str | None:
    """Compare the hypotheses of a theorem and of its claim. Return None if they are related as statements.toml says
    (the same, or fewer in the theorem), else the difference in words."""
    if statement.hypotheses is None or statement.refutes or statement.same not in ("yes", "stronger"):
        return None
    found = relation(statement, claimed, folder)
    if found == statement.same or (statement.same, found) == ("stronger", "yes"):
        return None
    ours, theirs = frozenset(statement.hypotheses) - cases(folder), of_claim(claimed, folder)
    only = [f"the theorem has {tag!r}" for tag in sorted(ours - theirs)]
    only += [f"the claim has {tag!r}" for tag in sorted(theirs - ours - frozenset(statement.without))]
    return f"called {statement.same} but its hypotheses are not the claim's: {', '.join(only)}"
