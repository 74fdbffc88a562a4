"""Run mistaken plug-ins of every kind, which raise, loop, print, exit, change the interpreter or return what they
must not.

    python tests/fuzz/plug_ins.py [--seed N] [--claims N] [--parts N]

Each goes through the command line. An answer, or a finding about that file, may come out; never a traceback of ours,
a hang, noise in the answer, or another result for the claim of ours that runs next to them. Every template is also
run once without a misdeed: it must work, or what follows would show nothing.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from templates import ANSWERS, CLAIM, CLAIM_ANSWERS, PARTS

ROOT = Path(__file__).resolve().parents[2]
OURS = "lem:q_distribution"
LIMIT, WAITING = 2, 1200  # seconds of CPU for a user's file; on the clock for a command
RAISES = (  # the line that raised must be named
    *("1 / 0", "raise KeyError('x')", "raise SystemExit(0)", "raise MemoryError", "assert False"),
    *("import sys; sys.exit(3)", "exec('1/0')", "import nowhere", "raise BaseException('b')", "[][1]"),
    *("f = lambda g: g(g); f(f)", "raise type('E', (Exception,), {})()", "x = [0] * 10**11"),
    *("x = 'a' * 10**12",),
    *("raise UnicodeError('é')", "raise Exception('a\\nb\\nc' * 300)", "raise StopIteration"),
)
ENDS = (  # the process ends, or must be ended: the file is named
    *("import os; os._exit(0)", "import os; os._exit(7)", "import os; os.abort()", "while True: pass"),
    *("import signal, os; os.kill(os.getpid(), signal.SIGTERM)", "import ctypes; ctypes.string_at(0)"),
    *("import time; time.sleep(10**6)", "import signal, os; os.kill(os.getpid(), signal.SIGKILL)"),
)
CHANGES = (  # nothing of ours may notice, or what does says whose file it is
    *("import os; os.chdir('/')", "import sys; sys.modules.clear()", "import sys; sys.path.clear()", "pass"),
    *("import numpy as np; np.random.seed(0)", "import random; random.seed(0)", "print('x' * 1000)"),
    *("import sys; sys.stdout.write('noise')", "import sys; sys.stdout.close()", "import os; os.close(1)"),
    *(
        "import sys; sys.stdout = None",
        "import numpy as np; np.seterr(all='raise')",
        "import gc; gc.disable()",
    ),
    *("import os; os.environ.clear()", "import warnings; warnings.simplefilter('error')"),
    *("import sys; sys.stderr.close()",),
    *("import verify.claim as c; c.Evidence = None", "import verify.verdict as v; v.Verdict = int"),
    *("import verify.campaign.judgement as j; j.judge = None",),
    *("import fedigw.federation as f; f.Federation = None",),
    *("import threading; threading.Thread(target=lambda: [0 for _ in iter(int, 1)], daemon=True).start()",),
    *("import signal; signal.setitimer(signal.ITIMER_PROF, 0)", "import builtins; builtins.print = None"),
    *("import builtins as b, os; hasattr(b, 'forked') or setattr(b, 'forked', os.fork())",),  # once
    *(
        "import builtins as b, os, time; hasattr(b, 'left') or (os.fork() or time.sleep(9999), setattr(b, 'left', 1))",
    ),
    *("import atexit; atexit.register(lambda: 1 / 0)", "import sys; sys.setrecursionlimit(50)", "input()"),
)
DEEDS = (*RAISES, *ENDS, *CHANGES)


def plug_in(template: str, answer: str, deed: str, place: str, name: str = "") -> str:
    """Return the template with a misdeed inside its function, or while the file is read."""
    depth = re.search(r"^( *)\{inside\}", template, flags=re.M)
    assert depth is not None
    filled = template.replace("{inside}", deed if place == "inside" else "pass")
    filled = filled.replace("{outside}", deed if place == "outside" else "")
    return filled.replace("{answer}", answer).replace("{name}", name)


def command(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    program = (
        f"from verify import guard; guard.SECONDS = {LIMIT}; from verify.__main__ import console; console()"
    )
    return subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=WAITING,
        check=False,
    )


def problem(done: subprocess.CompletedProcess[str], allowed: tuple[int, ...]) -> str | None:
    if "Traceback (most recent call last)" in done.stderr:
        return "traceback: " + done.stderr[-600:]
    return None if done.returncode in allowed else f"exit status {done.returncode}: {done.stderr[-300:]}"


def claims(count: int, rng: random.Random, folder: Path) -> list[dict[str, Any]]:
    """Run all mistaken claims in one campaign next to a claim of ours, whose results must be those of a campaign
    without them."""
    made: dict[str, tuple[str, str, str]] = {}
    for number in range(count):
        deed, right = DEEDS[number % len(DEEDS)], CLAIM_ANSWERS[0]
        answer = rng.choice(CLAIM_ANSWERS) if deed == "pass" else right
        name = f"mistaken_{number}"
        made[name] = (deed, rng.choice(("inside", "inside", "outside")), answer)
        (folder / f"{name}.py").write_text(plug_in(CLAIM, answer, *made[name][:2], name), encoding="utf-8")
    (folder / "harmless.py").write_text(plug_in(CLAIM, CLAIM_ANSWERS[0], "pass", "", "harmless"))
    done = command(folder, "run", *(f"{name}.py" for name in made), "harmless.py", OURS, "--out", "with")
    command(folder, "run", OURS, "--out", "without")
    found = problem(done, (0, 1))
    faults = [{"deed": "campaign", "fault": found}] if found else []
    try:
        rows, alone = (
            {c["label"]: c for c in json.loads((folder / out / "results.json").read_text())["claims"]}
            for out in ("with", "without")
        )
    except (OSError, ValueError) as error:
        return [*faults, {"deed": "campaign", "fault": f"no results: {error!r}: {done.stderr[-600:]}"}]
    if rows.get(OURS) != alone[OURS]:
        faults.append({"deed": "campaign", "fault": "another result for " + OURS})
    if "could not be checked" in json.dumps(rows.get("user:harmless", "could not be checked")):
        faults.append({"deed": "campaign", "fault": "the harmless claim was harmed"})
    for name, (deed, place, answer) in made.items():
        told = json.dumps(rows.get(f"user:{name}", {}), ensure_ascii=False)
        fault = _misjudged(told, f"{name}.py", deed, place, answer == CLAIM_ANSWERS[0])
        if fault:
            faults.append({"deed": f"{place}: {deed}; {answer}", "fault": f"{fault}: {told[-700:]}"})
    return faults


def _misjudged(told: str, file: str, deed: str, place: str, right: bool) -> str | None:
    """Return what is wrong with what a campaign reports about a mistaken claim; None if nothing is."""
    failed = "could not be checked" in told
    if not told.strip("{}"):
        return "nothing is said of it"
    if deed in CHANGES:
        return "a wrong answer was taken" if not right and not failed and '"by": "exact"' in told else None
    if not failed:
        return None if "threading" in deed else "its deed went unnoticed"
    if deed in ENDS:
        return None if file in told or "s of CPU" in told or "did not end within" in told else "not named"
    return None if re.search(rf"{re.escape(file)}, line \d+", told) else "no file and line"


def parts(count: int, rng: random.Random, folder: Path) -> list[dict[str, Any]]:
    faults = []
    for kind, (world, template) in PARTS.items():  # without a deed each must work
        found = _part(folder, kind, world, plug_in(template, ANSWERS[kind][0], "pass", ""), "part", "", True)
        faults += [{"deed": f"{kind} without a deed", "fault": found}] if found else []
    kinds = list(PARTS)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        world, template = PARTS[kind]
        deed = rng.choice(DEEDS) if rng.random() < 0.7 else "pass"
        answer = rng.choice(ANSWERS[kind]) if deed == "pass" else ANSWERS[kind][0]
        place = rng.choice(("inside", "inside", "outside"))
        source = plug_in(template, answer, deed, place)
        found = _part(folder, kind, world, source, f"part_{number}", deed, False)
        if found:
            faults.append({"deed": f"{kind}, {place}: {deed}; {answer}", "fault": found})
            sys.stderr.write(json.dumps(faults[-1]) + "\n")
    return faults


def _part(
    folder: Path, kind: str, world: str, source: str, name: str, deed: str, must_work: bool
) -> str | None:
    """Return what is wrong with the output of `simulate` with such a part; None if nothing is."""
    (folder / f"{name}.py").write_text(source, encoding="utf-8")
    (folder / f"{name}.toml").write_text(world.replace("{file}", f"{name}.py"), encoding="utf-8")
    done = command(folder, "simulate", f"{name}.toml", "--replications", "2", "--json")
    found = problem(done, (0, 1, 2) if not must_work else (0, 1))
    if found:
        return found
    if done.returncode == 2:
        told = [line for line in done.stderr.splitlines() if line.startswith("verify: ")]
        if len(told) != 1:
            return f"not one line of refusal: {done.stderr[-300:]!r}"
        known = deed in RAISES and f"{name}.py, line" not in told[0]
        if f"{name}.py" not in told[0] and deed not in ("", "pass"):
            return f"the file is not named: {told[0]}"
        return f"no line: {told[0]}" if known else None
    if deed in ENDS:
        return "its deed went unnoticed"
    try:
        json.loads(done.stdout, parse_constant=lambda word: 1 / 0)
    except (ValueError, ZeroDivisionError):
        return f"the answer is not clean JSON: {done.stdout[:200]!r}"
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--claims", type=int, default=0)
    parser.add_argument("--parts", type=int, default=0)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        faults = claims(options.claims, rng, folder) if options.claims else []
        faults += parts(options.parts, rng, folder) if options.parts else []
    tried = options.claims + options.parts
    document = {"plug_ins": tried, "faults": len(faults), "shown": faults[:20]}
    sys.stdout.write(json.dumps(document, indent=1) + "\n")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
