"""Every question that z3 was asked is asked of cvc5 too, an independent solver: they must never contradict each other.

cvc5 may leave a few undecided in the time it is given; their number is bounded, so that silence is no agreement.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from bounds.proofs.__main__ import main
from bounds.proofs.engine.smt import MILLISECONDS, ask

SECONDS = 2  # of processor time a question; all but four need less than a tenth
UNDECIDED = 0.02  # at most this share
SCRIPT = Path(__file__).with_name("cvc5_answers.py")


def answered(files: list[Path], seconds: int = SECONDS) -> dict[Path, str]:
    """cvc5's answers, from a process of its own."""
    pytest.importorskip("cvc5", reason="cvc5 (a second solver) is not installed: pip install -e '.[cvc5]'")
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(seconds), *map(str, files)],
        capture_output=True,
        text=True,
        check=True,
    )
    lines = (line.partition(" ") for line in done.stdout.splitlines())
    return {Path(name): answer for answer, _, name in lines}


def test_two_solvers_agree_on_every_saved_question(tmp_path: Path) -> None:
    pytest.importorskip("cvc5", reason="cvc5 (a second solver) is not installed: pip install -e '.[cvc5]'")
    assert main(tmp_path) == 0
    files = sorted(tmp_path.glob("*/*.smt2"))
    theirs = answered(files)
    assert sorted(theirs) == files
    ours = {
        file: ask(file.read_text(encoding="utf-8"), frozenset(), MILLISECONDS, "QF_NRA")[0] for file in files
    }
    names = {file: f"{file.parent.name}/{file.name}" for file in files}
    contradicted = [names[f] for f in files if {ours[f], theirs[f]} == {"sat", "unsat"}]
    assert contradicted == []
    undecided = [names[f] for f in files if theirs[f] == "undecided"]
    assert len(undecided) <= UNDECIDED * len(files), undecided
    both = sum(ours[f] == theirs[f] for f in files)
    sys.stdout.write(
        f"{len(files)} questions: {both} answered alike, {len(undecided)} undecided: {undecided}\n"
    )


def test_the_second_solver_is_asked_and_not_believed(tmp_path: Path) -> None:
    """Negative control: it says sat of a satisfiable question, unsat of the other, and undecided when out of time."""
    head = "(set-logic QF_NRA)\n(declare-fun x () Real)\n(declare-fun y () Real)\n"
    texts = {
        "sat": head + "(assert (< (* x x) 2.0))\n(check-sat)\n",
        "unsat": head + "(assert (< (+ (* x x) (* y y)) 0.0))\n(check-sat)\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    assert answered([tmp_path / "sat", tmp_path / "unsat"]) == {
        tmp_path / "sat": "sat",
        tmp_path / "unsat": "unsat",
    }
    (tmp_path / "none").write_text("(check-sat)\n")
    with pytest.raises(subprocess.CalledProcessError):
        answered([tmp_path / "none"])  # a question without a logic is refused
