"""Hostile plug-ins: claims and policies that raise, loop, print, fork, write elsewhere or return what they must not.

    python tests/fuzz/plug_ins.py [--seed N] [--claims N] [--policies N]

Each is run through the command line. An input error, or a finding with the file's name, may come out; never a traceback
of ours, a hang, a file outside, or another result for the claim of ours that runs beside them.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
OURS = "lem:q_distribution"
LIMIT, WAITING = 2, 1200  # seconds of CPU for a user's file; on the clock for a command
CLAIM = """from functools import partial
from verify.claim import Check, Claim, Evidence, Task, Variant
from verify.verdict import Verdict

def adds(task: Task, total: int = 2) -> Evidence:
{inside}
    return {answer}

CLAIM = Claim(label="user:{name}", title="T", section="S", statement="s",
    variants={{"stated": Variant("1+1=2", ("none",), Verdict.EXACT)}},
    checks=(Check("adds", "stated", adds, partial(adds, total=3), "adds"),))
{outside}
"""
POLICY = """from dataclasses import dataclass
from typing import ClassVar
import numpy as np
{outside}
@dataclass(frozen=True)
class Hostile:
    name: ClassVar[str] = "hostile"
    rational: ClassVar[bool] = False

    def probabilities(self, scores, rate, widths=None):
{inside}
        return {answer}
"""
DEEDS = (
    *("1 / 0", "raise KeyError('x')", "raise SystemExit(0)", "raise KeyboardInterrupt", "raise MemoryError"),
    *(
        "assert False",
        "import os; os._exit(0)",
        "import os; os.fork()",
        "import os; os.abort()",
        "import sys; sys.exit(3)",
    ),
    *("import os; os.system('touch {victim}/a')", "open('{victim}/b', 'w').write('x')", "exec('1/0')"),
    *(
        "import subprocess; subprocess.run(['touch', '{victim}/c'])",
        "import os; os.symlink('/', '{victim}/d')",
    ),
    *(
        "import os; os.remove('{victim}/kept')",
        "import shutil; shutil.rmtree('{victim}')",
        "x = [0] * 10**11",
    ),
    *(
        "while True: pass",
        "x = 'a' * 10**12",
        "f = lambda g: g(g); f(f)",
        "print('{{}}' * 1000)",
        "import nowhere",
    ),
    *("import sys; sys.stdout.write('noise')", "import os; os.chdir('/')", "import sys; sys.modules.clear()"),
    *(
        "import numpy as np; np.random.seed(0)",
        "import random; random.seed(0)",
        "import socket; socket.socket().bind(('', 0))",
    ),
    *(
        "import signal, os; os.kill(os.getpid(), signal.SIGTERM)",
        "raise BaseException('b')",
        "class E(Exception): pass; raise E()",
    ),
    "pass",
)
ENDING = ("_exit", "abort", "os.kill", "while True", "KeyboardInterrupt", "modules.clear", "BaseException")
CLAIM_ANSWERS = (
    "Evidence(Verdict.EXACT if total == 2 else Verdict.REFUTED, 'fine')",
    *(
        "None",
        "3",
        "'exact'",
        "Evidence('exact', 'x')",
        "Evidence(Verdict.EXACT, 3)",
        "Evidence(Verdict.EXACT, 'x', {'a': object()})",
    ),
    *(
        "Evidence(Verdict.EXACT, 'x', {'a': float('nan')})",
        "Evidence(Verdict.EXACT, '<script>')",
        "[]",
        "lambda: 0",
    ),
)
POLICY_ANSWERS = (
    *(
        "None",
        "scores",
        "scores * np.nan",
        "-scores",
        "np.zeros(3)",
        "'x'",
        "[]",
        "np.full(scores.shape, np.inf)",
        "rate",
    ),
    *(
        "np.ones(scores.shape)",
        "scores[..., :1]",
        "scores.astype(object)",
        "np.ones(scores.shape) / scores.shape[-1]",
    ),
)
WORLD = """kind = "finite_class"
horizon = 8
truth = 0
functions = [[["1/2", "1/4"]], [["1/3", "1"]]]
agents = [{contexts = ["1"]}]
"""


def plug_in(template: str, answers: tuple[str, ...], rng: random.Random, name: str, victim: str) -> str:
    """A deed inside the function, while the file is read, or none and a wrong answer."""
    deed, answer, place = rng.choice(DEEDS).replace("{victim}", victim), rng.choice(answers), rng.randrange(3)
    if any(word in deed for word in ENDING):
        place = 0  # while a file is read these end its reader: the command is then refused as a whole
    depth = "        " if template is POLICY else "    "
    inside = f"{depth}{deed}" if place == 0 else f"{depth}pass"
    return template.format(inside=inside, outside=deed if place == 1 else "", answer=answer, name=name)


def command(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "VERIFY_TIME_LIMIT": str(LIMIT)}
    whole = [sys.executable, "-m", "verify", *words]
    return subprocess.run(
        whole,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=WAITING,
        check=False,
    )


def problem(done: subprocess.CompletedProcess[str], allowed: tuple[int, ...]) -> str | None:
    if "Traceback (most recent call last)" in done.stderr:
        return "traceback: " + done.stderr[-400:]
    return None if done.returncode in allowed else f"exit status {done.returncode}: {done.stderr[-300:]}"


def claims(count: int, rng: random.Random, folder: Path, victim: Path) -> list[dict[str, Any]]:
    """All in one campaign beside a claim of ours, whose results must be those of a campaign without them."""
    names = [f"hostile_{number}" for number in range(count)]
    for name in names:
        (folder / f"{name}.py").write_text(plug_in(CLAIM, CLAIM_ANSWERS, rng, name, str(victim)))
    done = command(folder, "run", *(f"{name}.py" for name in names), OURS, "--out", "with")
    command(folder, "run", OURS, "--out", "without")
    found = problem(done, (0, 1))
    faults = [{"deed": "campaign", "fault": found}] if found else []
    try:
        ours = [
            next(
                c
                for c in json.loads((folder / out / "results.json").read_text())["claims"]
                if c["label"] == OURS
            )
            for out in ("with", "without")
        ]
    except (OSError, ValueError, StopIteration) as error:
        return [*faults, {"deed": "campaign", "fault": f"no results: {error!r}: {done.stderr[-600:]}"}]
    return (
        faults
        if ours[0] == ours[1]
        else [*faults, {"deed": "campaign", "fault": "another result for " + OURS}]
    )


def policies(count: int, rng: random.Random, folder: Path, victim: Path) -> list[dict[str, Any]]:
    (folder / "world.toml").write_text(WORLD)
    faults = []
    for number in range(count):
        source = plug_in(POLICY, POLICY_ANSWERS, rng, "", str(victim))
        path = folder / f"policy_{number}.py"
        path.write_text(source)
        done = command(folder, "simulate", "world.toml", "--policy", path.name, "--replications", "2")
        found = problem(done, (0, 1, 2))
        if found is None and done.returncode == 2 and not done.stderr.strip():
            found = "refused without a word"
        if found:
            faults.append({"deed": source, "fault": found})
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--claims", type=int, default=0)
    parser.add_argument("--policies", type=int, default=0)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as place:
        # users may write beside their files and to the folder of temporary files: a victim is neither
        folder, victim = Path(place) / "work", ROOT / "build" / f"fuzz_victim_{os.getpid()}"
        folder.mkdir()
        victim.mkdir(parents=True)
        (victim / "kept").write_text("kept")
        try:
            faults = claims(options.claims, rng, folder, victim) if options.claims else []
            faults += policies(options.policies, rng, folder, victim)
            left = [path.name for path in victim.iterdir()] if victim.is_dir() else []
            if left != ["kept"]:
                faults.append({"deed": "any", "fault": f"the victim's folder holds {left}"})
        finally:
            (victim / "kept").unlink(missing_ok=True)
            if victim.is_dir() and not any(victim.iterdir()):
                victim.rmdir()
    tried = options.claims + options.policies
    sys.stdout.write(
        json.dumps({"plug_ins": tried, "faults": len(faults), "shown": faults[:20]}, indent=1) + "\n"
    )
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
