"""python cvc5_answers.py SECONDS FILE...: cvc5's answer to each SMT-LIB file, one line "answer file" each.

Every question has a process of its own and so many seconds of processor time, not of the clock: a solver that does not
stop by itself is stopped, and a busy machine changes no answer. What is not answered by then is `undecided`.
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Iterator, Sequence

LOGIC = "(set-logic QF_NRA)"  # without a logic one question ran for ten minutes


def answers(files: Sequence[str], seconds: int) -> Iterator[tuple[str, str]]:
    import cvc5

    for file in files:
        with open(file, encoding="utf-8") as stream:
            text = stream.read()
        if not text.startswith(LOGIC):
            raise ValueError(f"{file}: states no logic")
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
                os.write(write, _answer(cvc5, text, file).encode())
            finally:
                os._exit(0)
        os.close(write)
        with os.fdopen(read, encoding="utf-8") as answered:
            found = answered.read()
        os.waitpid(child, 0)
        yield (found if found in ("sat", "unsat") else "undecided"), file


def _answer(cvc5: object, text: str, file: str) -> str:
    solver = cvc5.Solver(cvc5.TermManager())  # type: ignore[attr-defined]
    parser = cvc5.InputParser(solver)  # type: ignore[attr-defined]
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, file)  # type: ignore[attr-defined]
    last = ""
    while not (command := parser.nextCommand()).isNull():
        last = str(command.invoke(solver, parser.getSymbolManager())).strip() or last
    return last


if __name__ == "__main__":
    for answer, name in answers(sys.argv[2:], int(sys.argv[1])):
        sys.stdout.write(f"{answer} {name}\n")
        sys.stdout.flush()
