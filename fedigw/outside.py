"""Load a user's own part or claim from a file outside the package: `my_protocol.py`, or `my_protocol.py:Name`.

Such a file is loaded only in a process that allows it by calling `allow`: a child process with limits on time and
memory (verify/guard.py), or the user's own Python program. Any exception is reported with its file and line.
"""

import hashlib
import importlib.util
import inspect
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from bounds.errors import InputError
from fedigw.discovery import CatalogueError, classes_of, fault
from fedigw.instance_file import read_plain
from fedigw.shipped import example

PREFIX = "outside_"
_loaded: dict[str, ModuleType] = {}
_allowed = False


class Unguarded(RuntimeError):
    """Raised when a user's file is to be loaded in a process that does not limit time and memory."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path}: a user's file is loaded only where time and memory are limited")
        self.path = path


def is_file(name: object) -> bool:
    """Return whether a name in an instance file refers to a user's Python file rather than to a part of the package."""
    return isinstance(name, str) and name.partition(":")[0].endswith(".py")


def allow() -> None:
    global _allowed
    _allowed = True


def load(path: Path) -> ModuleType:
    """Return a user's Python file as a module. Raise CatalogueError, with file and line, if running it fails."""
    try:
        where = example(path).resolve()
        there = where.is_file()
    except (RuntimeError, ValueError):  # a link to itself, or a zero byte
        there = False
    if not there:
        said = "is a folder; name a file in it" if path.is_dir() else "there is no such file"
        said += f"; did you mean {path}.py?" if Path(f"{path}.py").is_file() else ""
        raise InputError("file", str(path), said)
    if not _allowed:
        raise Unguarded(path)
    source = read_plain(where, "file")
    key = f"{PREFIX}{hashlib.sha256(str(where).encode() + source).hexdigest()[:12]}_{where.stem}"
    if key in _loaded:
        return _loaded[key]
    spec = importlib.util.spec_from_file_location(key, where)
    if spec is None or spec.loader is None:
        raise InputError("file", str(path), "is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[key] = module  # dataclasses look their module up
    try:
        # not by the loader: its cache of bytecode misses a change within a second that keeps the length
        exec(compile(source, str(where), "exec"), module.__dict__)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a file that wants to end the program is no file of ours
        # while the module is known: its lines are found by it
        said = blame(error) or f"{path}: {_words(error)}"
        sys.modules.pop(key, None)
        raise CatalogueError(said) from None
    _loaded[key] = module
    return module


def digest(path: Path) -> str:
    return hashlib.sha256(read_plain(example(path), "file")).hexdigest()[:16]


def part(name: str, base: type[Any]) -> type[Any]:
    """Return the class that `file.py:Name` refers to, or for `file.py` the only subclass of `base` in it. Raise
    CatalogueError if the class does not fit."""
    file, _, wanted = name.partition(":")
    classes = {c.__name__: c for c in classes_of(load(Path(file)))}
    if wanted:
        if wanted not in classes:
            raise CatalogueError(f"{file}: has no class {wanted}; it has {', '.join(classes) or 'none'}")
        found = classes[wanted]
    else:
        fitting = [c for c in classes.values() if issubclass(c, base)]
        if len(fitting) != 1:
            sort = f"{base.__module__}.{base.__name__}"
            if fitting:
                said = f"{len(fitting)} classes derive from {sort}; write {file}:Name for one of them"
            else:
                there = f"; it has {', '.join(classes)}" if classes else ""
                said = f"no class derives from {sort}{there}; write class Name({base.__name__})"
            raise CatalogueError(f"{file}: {said}")
        found = fitting[0]
    if (wrong := fault(found, base)) is not None:  # type: ignore[arg-type]
        line = inspect.getsourcelines(found)[1]
        raise CatalogueError(f"{file}, line {line}: {found.__name__} {wrong}")
    found.from_file = f"{file}:{found.__name__}"
    return found


def name_of(module: ModuleType) -> str:
    """Return the name by which an instance file refers to a module: its own name, or the path of a user's file."""
    return str(module.__file__) if _is_outside(module) else module.__name__.rpartition(".")[2]


def blame(error: BaseException) -> str | None:
    """Return file, line and message of an error whose traceback passes through a user's file; None if it does not."""
    ours = {module.__file__ for module in sys.modules.values() if _is_outside(module)}
    place, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename in ours:
            place = (trace.tb_frame.f_code.co_filename, trace.tb_lineno)
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename and Path(error.filename).is_file():
        place = (error.filename, error.lineno or 1)
    if place is None and isinstance(error.__cause__, StopIteration):  # Python made another error of it
        return blame(error.__cause__)
    return f"{_short(place[0])}, line {place[1]}: {_words(error)}" if place else None


def suspect(error: BaseException) -> str | None:
    """Return a message for an error in the package's own code that a wrong value from a loaded user's file may have
    caused; None if no such file is loaded."""
    for module in _loaded.values():
        file = _short(str(module.__file__))
        return f"{file}: gave something that cannot be worked with ({_words(error)}); try verify check {file}"
    return None


def named_in(line: str) -> bool:
    return any(_short(str(module.__file__)) in line for module in _loaded.values())


def _is_outside(module: ModuleType) -> bool:
    return module.__name__.startswith(PREFIX)


def _short(file: str) -> str:
    try:
        relative = os.path.relpath(file)
    except ValueError:
        return file
    return min(relative, file, key=len)


def _words(error: BaseException) -> str:
    said = error.msg if isinstance(error, SyntaxError) else str(error)  # its text names the place again
    nothing = "not enough memory" if isinstance(error, MemoryError) else "no message"
    words = " ".join(said.split()) or nothing
    return f"{type(error).__name__}: {words}"[:300]
