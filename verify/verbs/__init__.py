"""Find the commands of `python -m verify`, for the command line and for Python users: one file each, found
automatically.

The docstring of a command's file begins with "name: what it does". The file defines
* EXAMPLE: a command line; a paper may replace it by one about its own statements
* add_arguments(parser) and execute(given), which returns the exit status
* __all__: what Python users import from `verify`, the function behind the command and the class of its result
* PYTHON: an example of their use, unless the paper has one
"""

import importlib
import pkgutil
from functools import cache
from types import ModuleType
from typing import Any

from bounds.extensions import packages
from fedigw.discovery import CatalogueError

OFFERS = ("EXAMPLE", "add_arguments", "execute", "__all__")


def names() -> list[str]:
    return sorted(_places())


@cache
def _places() -> dict[str, str]:
    return {
        info.name: package
        for package in packages(__name__)
        for info in pkgutil.iter_modules(importlib.import_module(package).__path__)
    }


def load(name: str) -> ModuleType:
    """Import the file of the command `name`. Raise CatalogueError if it lacks EXAMPLE, add_arguments, execute, __all__
    or a docstring that begins with the name."""
    package = _places()[name]
    module = importlib.import_module(f"{package}.{name}")
    missing = [offer for offer in OFFERS if not hasattr(module, offer)]
    if missing or not (module.__doc__ or "").startswith(f"{name}: "):
        lacks = ", ".join(missing) or f'a docstring that begins with "{name}: "'
        raise CatalogueError(f"{package.replace('.', '/')}/{name}.py: lacks {lacks}")
    return module


def about(verb: ModuleType) -> str:
    """Return what a command does on one line: the first line of its file's docstring, after "name: "."""
    first = str(verb.__doc__).partition("\n")[0]
    return first.partition(": ")[2].removesuffix(".")


def example(name: str) -> str:
    """Return an example command line of a command: the one that the chosen paper gives, else the one in its file."""
    from verify.paper import command, texts

    own = texts("commands").get(name)
    return str(load(name).EXAMPLE) if own is None else command(own)


def offered() -> dict[str, Any]:
    loaded = [load(name) for name in names()]
    return {name: getattr(verb, name) for verb in loaded for name in verb.__all__}
