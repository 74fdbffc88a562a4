"""Ask the solver cvc5 about SMT-LIB files: python -m verify.formal.second_solver SECONDS FILE... prints a line "answer
file" for each.

Every file is decided in its own process with at most SECONDS of CPU time, so that a busy machine changes no answer. If
that is not enough, the answer is `undecided`.
"""

import os
import resource
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

LOGIC = "(set-logic QF_NRA)"  # without a logic one question ran for ten minutes


def installed() -> bool:
    return find_spec("cvc5") is not None


def answer(text: str, seconds: int) -> str:
    """Return cvc5's answer to an SMT-LIB text: sat, unsat or undecided. Raise ValueError if the text does not begin
    with (set-logic QF_NRA)."""
    if not text.startswith(LOGIC):
        raise ValueError("states no logic")
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            os.write(write, _answer(text).encode())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as answered:
        found = answered.read()
    os.waitpid(child, 0)
    return found if found in ("sat", "unsat") else "undecided"


def _answer(text: str) -> str:
    cvc5 = import_module("cvc5")
    solver = cvc5.Solver(cvc5.TermManager())
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
    last = ""
    while not (command := parser.nextCommand()).isNull():
        last = str(command.invoke(solver, parser.getSymbolManager())).strip() or last
    return last


if __name__ == "__main__":
    for name in sys.argv[2:]:
        found = answer(Path(name).read_text(encoding="utf-8"), int(sys.argv[1]))
        sys.stdout.write(f"{found} {name}\n")
        sys.stdout.flush()
