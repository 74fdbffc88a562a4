"""Check proofs that an author attaches to a finding as SMT-LIB texts, with z3 and, if installed, with cvc5.

A text proves the negation of its last assertion from the assertions before it. It has one command per line and is about
real numbers only, like the texts that the command `prove` writes.
"""

import re
from collections.abc import Sequence
from functools import cache

from verify.formal import second_solver
from verify.formal.inequality import MILLISECONDS, limited_solver

LINE = re.compile(
    r"\(set-logic QF_NRA\)|\(declare-(fun|const) (\|[^|\\]*\||[^\s()|]+) (\(\) )?Real\)|\(assert .*\)|\(check-sat\)|"
)
FALSE = "which has a model: it is false"
SECONDS = 10  # of processor time, for cvc5
MOST, LONGEST = 200, 1_000_000  # number of texts, and characters in total


def shortfall(texts: object) -> str:
    """Return in words why the SMT-LIB texts prove nothing, "" if each of them is a proof. A text is a proof if its
    assertions have no common solution, but all assertions except the last one have."""
    if not isinstance(texts, Sequence) or isinstance(texts, str) or not texts:
        return "with no SMT-LIB text attached"
    if not all(isinstance(text, str) for text in texts):
        return "with something attached that is no text"
    if len(texts) > MOST or sum(map(len, texts)) > LONGEST:
        return f"with more attached than {MOST} texts or {LONGEST} letters"
    for number, text in enumerate(texts, start=1):
        if why := _shortfall(text):
            return f"with SMT-LIB text {number} of {len(texts)} attached, {why}"
    return ""


@cache
def _shortfall(text: str) -> str:
    import z3

    lines = [line.strip() for line in text.splitlines()]
    strange = next((line for line in lines if not LINE.fullmatch(line)), "")
    if strange or not text.startswith(second_solver.LOGIC):
        return f"which is not of real arithmetic, one command a line ({strange or 'no logic'!r:.60})"
    solver = limited_solver(context := z3.Context(), MILLISECONDS)
    try:
        stated = list(z3.parse_smt2_string(text, ctx=context))
        if not stated or len(stated) != sum(line.startswith("(assert") for line in lines):
            return "whose assertions cannot be counted"
        solver.add(stated)
        if (found := solver.check()) != z3.unsat:
            return f"{FALSE} (z3)" if found == z3.sat else "which z3 does not decide"
        solver.reset()
        solver.add(stated[:-1])
        if solver.check() == z3.unsat:
            return "whose assumptions contradict each other: from them everything follows (z3)"
    except z3.Z3Exception as error:
        return f"which z3 cannot read ({' '.join(str(error).split()):.60})"
    if second_solver.installed() and second_solver.answer(text, SECONDS) == "sat":
        return f"{FALSE} (cvc5)"
    return ""
