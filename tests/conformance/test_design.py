"""What docs/design.md says of the path of `simulate` is what a trace of the command shows."""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SECTION = (ROOT / "docs/design.md").read_text().partition("## The path of simulate")[2].partition("\n## ")[0]
TRACER = """
import json, sys

root, known, stacks = sys.argv[1] + "/", {}, []


def entered(frame, event, argument):
    '''Note the first call of each function of ours, with the modules that were at work; imports do not count.'''
    code = frame.f_code
    name = code.co_filename.removeprefix(root)
    ours = name != code.co_filename and name[0] != "."  # a library may be in .venv
    if event != "call" or not ours or not code.co_flags & 1 or (name, code.co_name) in known:
        return
    stack, caller = [], frame.f_back
    while caller is not None:
        stack.append(caller.f_code.co_filename.removeprefix(root))
        caller = caller.f_back
    if not any("importlib" in place for place in stack):
        known[name, code.co_name] = stacks.append((name, code.co_name, stack))


from verify.cli import main

sys.setprofile(entered)
status = main(sys.argv[2:])
sys.setprofile(None)
sys.stderr.write(json.dumps(stacks))
sys.exit(status)
"""


def traced(*words: str) -> list[tuple[str, str, list[str]]]:
    """Return (module, function, modules that called it) of every function, in the order of their first calls."""
    command = [sys.executable, "-c", TRACER, str(ROOT), *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [tuple(row) for row in json.loads(done.stderr)]


def test_the_path_of_simulate_is_the_traced_one():
    words = re.findall(r"`python -m verify (simulate [^`]*)`", SECTION)[0].split()
    lines = re.findall(r"^\d+\. (.*)$", SECTION, flags=re.MULTILINE)
    path = [step for line in lines for step in re.findall(r"`([\w/]+\.py)` `(\w+)`", line)]
    helpers = set(re.findall(r"`([\w/]+\.py)`", SECTION.partition("Helpers")[2].partition("Every other")[0]))
    assert len(lines) <= 12
    calls = traced(*words)
    order = [(module, function) for module, function, _ in calls]
    assert sorted(path, key=order.index) == path
    inner = {module for module, _ in path[2:]}
    first = {module: stack for module, _, stack in reversed(calls)}
    unlisted = {m for m, stack in first.items() if m not in dict(path) and inner.isdisjoint(stack)}
    assert unlisted == helpers
