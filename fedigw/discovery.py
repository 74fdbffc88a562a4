"""Find the parts that a package offers: every file in its folder counts, and no list of them is maintained."""

import dataclasses
import importlib
import inspect
import pkgutil
from collections.abc import Iterable
from functools import cache
from types import ModuleType
from typing import Any


class CatalogueError(RuntimeError):
    """Raised for a file of parts, in the package or a user's own, that does not define what such a file must define."""


def modules(package: str, offers: tuple[str, ...], only: str | None = None) -> dict[str, ModuleType]:
    """Return the modules of `package` by file name, or only the one named `only`. Raise CatalogueError for one without
    a docstring or without a name listed in `offers`."""
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
            line = error.lineno if isinstance(error, SyntaxError) else _line(error, f"{info.name}.py")
            raise CatalogueError(f"{where}, line {line}: {type(error).__name__}: {error}") from error
        missing = [name for name in offers if name not in vars(module)]
        if missing or not module.__doc__:
            lacks = ", ".join(missing) if missing else "a docstring"
            raise CatalogueError(f"{where}: lacks {lacks}")
        found[info.name] = module
    return found


def sized(environment: ModuleType, rng: Any, **sizes: int) -> Any:
    """Return a federation made by the function `make` of an environment module, with these sizes, such as agents=10.
    Sizes that `make` does not take are ignored."""
    chosen = inspect.signature(environment.make).parameters
    return environment.make(rng, **{name: size for name, size in sizes.items() if name in chosen})


def parts(packages: str | Iterable[str], base: type[Any]) -> dict[str, type[Any]]:
    """Return the class of each part in these packages, by name. A file defines one part, named like the file and
    derived from `base`. Raise CatalogueError for a file that does not."""
    found: dict[str, type[Any]] = {}
    for package in [packages] if isinstance(packages, str) else packages:
        for stem, module in modules(package, ()).items():
            where = f"{package.replace('.', '/')}/{stem}.py"
            named = [c for c in classes_of(module) if "name" in vars(c)]
            if len(named) != 1:
                raise CatalogueError(f"{where}: must define one class with a name, found {len(named)}")
            part: Any = named[0]
            if (wrong := fault(part, base)) is not None:  # type: ignore[arg-type]
                raise CatalogueError(f"{where}: {part.__name__} {wrong}")
            if part.name != stem:
                raise CatalogueError(f"{where}: {part.__name__}.name is {part.name!r}, must be {stem!r}")
            if stem in found:
                raise CatalogueError(f"{where}: {stem} is already in {found[stem].__module__}")
            found[stem] = part
    return found


def classes_of(module: ModuleType) -> list[type[Any]]:
    found = (c for _, c in sorted(vars(module).items()) if inspect.isclass(c))
    return [c for c in found if c.__module__ == module.__name__]


@cache  # every federation that is built looks through all parts
def fault(part: type[Any], base: type[Any]) -> str | None:
    """Return why a class cannot be used as a part derived from `base`, or None if it can. Reasons are a wrong base
    class, no frozen dataclass, no name, a missing method, or a wrong signature."""
    if not issubclass(part, base):
        return f"must derive from {base.__module__}.{base.__name__}"
    if not dataclasses.is_dataclass(part) or not part.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        return "must be a frozen dataclass"
    if not isinstance(vars(part).get("name"), str):
        return "must have a name: ClassVar[str]"
    missing = sorted(part.__abstractmethods__)
    if missing:
        expected = ", ".join(f"{name}{_call(vars(base).get(name))}" for name in missing)
        return f"lacks {expected}"
    for name, theirs in vars(part).items():
        ours = next((vars(c)[name] for c in base.__mro__ if name in vars(c)), None)
        if not (inspect.isfunction(ours) and not name.startswith("_")):
            continue
        if not inspect.isfunction(theirs):
            return f"has {name} = {theirs!r}, must be the method {name}{_call(ours)}"
        if not _accepts(theirs, ours):
            return f"has {name}{_call(theirs)}, must be {name}{_call(ours)}"
    return None


def _call(method: Any) -> str:
    if not inspect.isfunction(method):
        return ""
    signature = inspect.signature(method)
    bare = [p.replace(annotation=p.empty) for p in signature.parameters.values() if p.name != "self"]
    return str(inspect.Signature(bare))


def _accepts(theirs: Any, ours: Any) -> bool:
    wanted = list(inspect.signature(ours).parameters.values())
    least = sum(p.default is p.empty for p in wanted)
    try:
        for count in (least, len(wanted)):
            inspect.signature(theirs).bind(*[None] * count)
    except TypeError:
        return False
    return True


def _line(error: BaseException, file: str) -> int | str:
    line: int | str = "?"
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.endswith(file):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
