"""python -m bounds.proofs DIR: check every proof and save the text of every question that a solver was asked.

One file per question, chain/step-k.smt2, in SMT-LIB 2: another solver can answer it again. The last question of a
step is the step itself (unsat: proved; sat: the counterexample of a wrong step), the ones before it are the signs of
denominators and radicands.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from bounds.proofs.engine.chain import check_chain, discover_chains


def main(folder: Path) -> int:
    """Exit status 0 if every step answers as expected."""
    unexpected = steps = 0
    for chain in discover_chains():
        report = check_chain(chain)
        place = folder / _file(chain.name)
        place.mkdir(parents=True, exist_ok=True)
        for step in chain.steps:
            for number, text in enumerate(report.results[step.name].smt2):
                (place / f"{_file(step.name)}-{number}.smt2").write_text(text, encoding="utf-8")
        steps += len(chain.steps)
        unexpected += len(report.failures)
        state = "as expected" if report.holds else "NOT as expected: " + ", ".join(report.failures)
        sys.stdout.write(f"{chain.name}: {len(chain.steps)} steps {state} ({report.seconds:.1f} s)\n")
    sys.stdout.write(f"{steps} steps, {unexpected} not as expected; solver texts in {folder}\n")
    return 1 if unexpected else 0


def _file(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "build/steps")))
