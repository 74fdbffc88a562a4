"""Folder discovery: what a folder holds is what there is. Nothing to register, nothing to forget."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType


class CatalogueError(RuntimeError):
    """A file in a discovered folder does not offer what its folder promises."""


def modules(package: str, offers: tuple[str, ...]) -> dict[str, ModuleType]:
    """Every module of `package`, by name, sorted. Each must define all of `offers` and carry a docstring."""
    folder = importlib.import_module(package)
    found = {}
    for info in sorted(pkgutil.iter_modules(folder.__path__), key=lambda info: info.name):
        module = importlib.import_module(f"{package}.{info.name}")
        missing = [name for name in offers if not hasattr(module, name)]
        if missing or not module.__doc__:
            lacks = ", ".join(missing) if missing else "a docstring"
            raise CatalogueError(f"{package.replace('.', '/')}/{info.name}.py: lacks {lacks}")
        found[info.name] = module
    return found
