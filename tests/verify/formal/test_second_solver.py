"""Every scalar step of a claim is asked of cvc5 too, an independent solver: it must never contradict z3.

cvc5 may leave a few undecided in the time it is given; their number is bounded, so that silence is no agreement.
"""

import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from verify.catalogue import catalogue
from verify.claim import Task, Verdict
from verify.formal import scalar_steps
from verify.formal.scalar_steps import ScalarStep, question

SECONDS = 5  # of processor time a question
UNDECIDED = 0.03  # at most this share; three of two hundred on an idle machine
DECIDERS = {"check_steps", "refute_steps", "decide"}


def names(function: Any) -> set[str]:
    """Return the names that a check's function uses, through its partial arguments."""
    while isinstance(function, partial):
        function = function.func
    return set(function.__code__.co_names)


def asked(monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[ScalarStep, Verdict]]:
    """Return every step that the checks and controls of all claims ask of z3, with its answer."""
    found: dict[str, tuple[ScalarStep, Verdict]] = {}
    decide = scalar_steps.decide

    def remember(step: ScalarStep) -> tuple[Verdict, str]:
        answer = decide(step)
        found[question(step)] = (step, answer[0])
        return answer

    monkeypatch.setattr(scalar_steps, "decide", remember)
    task = Task("quick", np.random.SeedSequence(0), 0.01)
    for claim in catalogue().values():
        for check in claim.checks:
            for function in (check.run, check.control):
                if names(function) & DECIDERS:
                    function(task)
    return found


def answered(files: list[Path], seconds: int = SECONDS) -> dict[Path, str]:
    """Return cvc5's answers, from a process of its own."""
    pytest.importorskip("cvc5", reason="cvc5 (a second solver) is not installed: pip install -e '.[cvc5]'")
    done = subprocess.run(
        [sys.executable, "-m", "verify.formal.second_solver", str(seconds), *map(str, files)],
        capture_output=True,
        text=True,
        check=True,
    )
    lines = (line.partition(" ") for line in done.stdout.splitlines())
    return {Path(name): answer for answer, _, name in lines}


def test_two_solvers_agree_on_every_scalar_step(tmp_path, monkeypatch):
    pytest.importorskip("cvc5", reason="cvc5 (a second solver) is not installed: pip install -e '.[cvc5]'")
    steps = asked(monkeypatch)
    assert len(steps) > 60
    ours = {}
    for number, (text, (step, verdict)) in enumerate(steps.items()):
        file = tmp_path / f"{number}.smt2"
        file.write_text(text, encoding="utf-8")
        ours[file] = (step.name, {Verdict.Z3: "unsat", Verdict.REFUTED: "sat"}.get(verdict, "undecided"))
    theirs = answered(list(ours))
    assert set(theirs) == set(ours)
    contradicted = [name for f, (name, answer) in ours.items() if {answer, theirs[f]} == {"sat", "unsat"}]
    assert contradicted == []
    undecided = [name for f, (name, _) in ours.items() if theirs[f] == "undecided"]
    assert len(undecided) <= UNDECIDED * len(ours), undecided
    both = sum(answer == theirs[f] for f, (_, answer) in ours.items())
    sys.stdout.write(
        f"{len(ours)} questions: {both} answered alike, {len(undecided)} undecided: {undecided}\n"
    )


def test_the_second_solver_is_asked_and_not_believed(tmp_path):
    """Negative control: it says sat of a satisfiable question, unsat of the other, and a missing logic is refused."""
    steps = {
        "sat": ScalarStep("false", "x", lambda x: ([x > 0], x * x >= 2)),
        "unsat": ScalarStep("true", "x y", lambda x, y: ([x > 0], x * x + y * y >= 0)),
    }
    for name, step in steps.items():
        (tmp_path / name).write_text(question(step))
    found = answered([tmp_path / name for name in steps])
    assert found == {tmp_path / name: name for name in steps}
    (tmp_path / "none").write_text("(check-sat)\n")
    with pytest.raises(subprocess.CalledProcessError):
        answered([tmp_path / "none"])
