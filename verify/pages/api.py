"""docs/reference/api.md: every public name of `verify`, what it says of itself, and an example that a test runs.

python -m verify.pages.api
"""

from __future__ import annotations

import inspect
import sys
from dataclasses import fields, is_dataclass

import verify

EXAMPLES = {
    "bound": """
found = bound("col:finite", "best", M=100, K=10, T=10**6, F=1000)
assert found.verdict == "kernel" and not found.vacuous""",
    "exact": """
law = exact("examples/erratum_E6.toml")
assert law.total_regret > 0""",
    "simulate": """
found = simulate("examples/linear.toml", replications=10, horizon=256)
assert found.mean > 0 and not found.violated""",
    "fit": """
found = fit("examples/dataset.toml", protocol="fedavg", rounds=200, step_size=0.02)
assert found.gap[-1] < found.gap[0]""",
    "sweep": """
table = sweep("examples/linear.toml", {"horizon": [64, 256]}, protocol=["direct", "cg"], replications=5)
assert len(table.rows) == 4""",
    "plan": """
answer = plan(50, 5, 10**5, dimension=10)
assert answer.cheapest == "direct\"""",
    "run": """
assert run("lem:q_distribution").met""",
    "prove": """
assert prove("(a + b)/2 >= sqrt(a*b)", given=["a >= 0", "b >= 0"])
assert prove("a**2 >= a", given="a >= 0").counterexample""",
    "InputError": """
try:
    bound("col:finite", M=0, K=2, T=10, F=3)
except InputError as error:
    assert error.field == "M\"""",
}
INTRODUCTION = """# Python

<!-- generated: make docs -->
`from verify import ...`: the verbs of the command line as functions. What they return is frozen, typed, prints
itself as the command does, shows itself as a table or as mathematics in a notebook, and keeps the whole JSON
document in `document`.
"""


def page() -> str:
    lines = [INTRODUCTION]
    for name in sorted(verify.__all__, key=lambda n: (n not in EXAMPLES, n)):
        found = getattr(verify, name)
        title = f"{name}{inspect.signature(found)}" if inspect.isfunction(found) else name
        lines += [f"## {name}", ""]
        if inspect.isfunction(found):
            lines += ["```text", _wrapped(title), "```", ""]
        lines += [" ".join((inspect.getdoc(found) or "").split()), ""]
        if is_dataclass(found):
            lines += ["Fields: " + ", ".join(f"`{f.name}`" for f in fields(found)) + ".", ""]
        if name in EXAMPLES:
            lines += ["```python", f"from verify import {_names(name)}", EXAMPLES[name], "```", ""]
    return "\n".join(lines)


def _names(name: str) -> str:
    return "InputError, bound" if name == "InputError" else name


def _wrapped(text: str) -> str:
    text = text.replace("'", "")
    return text if len(text) < 100 else text.replace(", ", ",\n    ").replace("(", "(\n    ", 1)


if __name__ == "__main__":
    sys.stdout.write(page())
