"""Folder discovery: what a folder holds is what there is. Nothing to register, nothing to forget."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterable
from types import ModuleType
from typing import Any


class CatalogueError(RuntimeError):
    """A file in a discovered folder does not offer what its folder promises."""


def modules(package: str, offers: tuple[str, ...], only: str | None = None) -> dict[str, ModuleType]:
    """Every module of `package`, or `only` one, by name, sorted; each defines all of `offers` and has a docstring."""
    folder = importlib.import_module(package)
    found = {}
    for info in sorted(pkgutil.iter_modules(folder.__path__), key=lambda info: info.name):
        where = f"{package.replace('.', '/')}/{info.name}.py"
        if only not in (None, info.name):
            continue
        try:
            module = importlib.import_module(f"{package}.{info.name}")
        except CatalogueError:
            raise
        except Exception as error:
            line = getattr(error, "lineno", None) or _line(error, f"{info.name}.py")
            raise CatalogueError(f"{where}, line {line}: {type(error).__name__}: {error}") from error
        missing = [name for name in offers if not hasattr(module, name)]
        if missing or not module.__doc__:
            lacks = ", ".join(missing) if missing else "a docstring"
            raise CatalogueError(f"{where}: lacks {lacks}")
        found[info.name] = module
    return found


def sized(environment: ModuleType, rng: Any, **sizes: int) -> Any:
    """A federation of the environment with those of the sizes that it lets one choose."""
    chosen = inspect.signature(environment.make).parameters
    return environment.make(rng, **{name: size for name, size in sizes.items() if name in chosen})


def parts(packages: str | Iterable[str], offers: tuple[str, ...]) -> dict[str, type[Any]]:
    """name -> class: one frozen dataclass per file of the packages, called as its file and offering all of `offers`."""
    found: dict[str, type[Any]] = {}
    for package in [packages] if isinstance(packages, str) else packages:
        for stem, module in modules(package, ()).items():
            where = f"{package.replace('.', '/')}/{stem}.py"
            named = [
                c
                for _, c in inspect.getmembers(module, inspect.isclass)
                if c.__module__ == module.__name__ and isinstance(getattr(c, "name", None), str)
            ]
            if len(named) != 1:
                raise CatalogueError(f"{where}: must define one class with a name, found {len(named)}")
            part: Any = named[0]
            if part.name != stem:
                raise CatalogueError(f"{where}: {part.__name__}.name is {part.name!r}, must be {stem!r}")
            settings = getattr(part, "__dataclass_params__", None)
            if settings is None or not settings.frozen:
                raise CatalogueError(f"{where}: {part.__name__} must be a frozen dataclass")
            missing = [name for name in offers if not hasattr(part, name)]
            if missing:
                raise CatalogueError(f"{where}: {part.__name__} lacks {', '.join(missing)}")
            if stem in found:
                raise CatalogueError(f"{where}: {stem} is already in {found[stem].__module__}")
            found[stem] = part
    return found


def _line(error: BaseException, file: str) -> int | str:
    """The last line of `file` that the error passed through."""
    line: int | str = "?"
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.endswith(file):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
