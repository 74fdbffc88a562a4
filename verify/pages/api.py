"""Generate docs/reference/api.md: every public name of `verify` with its docstring and an example that a test runs.

python -m verify.pages.api
"""

import inspect
import sys
from dataclasses import fields, is_dataclass

import verify
from verify import paper, verbs

INTRODUCTION = """# Python

<!-- generated: make docs -->
`from verify import ...`: the verbs of the command line as functions. What they return is frozen, typed, prints
itself as the command does, shows itself as a table or as mathematics in a notebook, and keeps the whole JSON
document in `document`.
"""


def examples() -> dict[str, str]:
    """Return an example of each public function of `verify`, by name, and one of an error."""
    found: dict[str, str] = {}
    for verb in map(verbs.load, verbs.names()):
        offered = [name for name in verb.__all__ if inspect.isfunction(getattr(verb, name))]
        found |= {name: getattr(verb, "ALSO", {}).get(name, getattr(verb, "PYTHON", "")) for name in offered}
    return found | paper.texts("python")


def page() -> str:
    lines = [INTRODUCTION]
    for name in sorted(verify.__all__, key=lambda n: (n not in examples(), n)):
        found = getattr(verify, name)
        lines += [f"## {name}", ""]
        if inspect.isfunction(found):
            title = f"{name}{inspect.signature(found)}".replace("'", "")
            if len(title) >= 100:
                title = title.replace(", ", ",\n    ").replace("(", "(\n    ", 1)
            lines += ["```text", title, "```", ""]
        lines += [" ".join((inspect.getdoc(found) or "").split()), ""]
        if is_dataclass(found):
            lines += ["Fields: " + ", ".join(f"`{f.name}`" for f in fields(found)) + ".", ""]
        if name in examples():
            names = "InputError, bound" if name == "InputError" else name
            lines += ["```python", f"from verify import {names}", "", examples()[name].strip(), "```", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(page())
