"""Read the values of command-line options, and phrase the errors of commands for Python callers."""

import argparse
import contextlib
import functools
import inspect
import json
import os
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from numbers import Integral, Real
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from bounds.errors import InputError, fraction, written
from fedigw.instance_file import unambiguous

P = ParamSpec("P")
R = TypeVar("R")
OPTION = re.compile(r"--set (?=\S+=)|--([a-z][a-z-]*)")
JOINED = re.compile(r",(?=[A-Za-z_.]+=)")
TYPES: dict[str, tuple[type[Any], str]] = {
    "str": (str, "a string"),
    "int": (Integral, "an integer"),
    "float": (Real, "a number"),
}
PICTURES = (".svg", ".png", ".pdf")


def integer(field: str, text: str, least: int) -> int:
    """Return the integer that `text` denotes, for example 50 or 1e3. If it is below `least`, raise InputError about the
    option `field`."""
    try:
        exact = fraction(text)
    except (ValueError, ZeroDivisionError):
        exact = fraction("-1")
    if exact.denominator != 1 or not least <= exact < 10**18:
        raise InputError(
            field,
            text,
            f"must be an integer of at least {least}, of at most 18 digits{written(text, '', whole=True)}",
        )
    return int(exact)


def count(field: str, text: str, allowed: str = "a positive integer, e.g. 50 or 1e5") -> int:
    """Return the positive integer that `text` denotes, for example 50 or 1e5; else raise InputError about the option
    `field`."""
    try:
        exact = fraction(text)
    except (ValueError, ZeroDivisionError):
        exact = fraction("0")
    if exact.denominator != 1 or exact < 1:
        raise InputError(field, text, f"must be {allowed}{written(text, '', whole=True)}")
    return int(exact)


def number(field: str, text: str) -> float:
    """Return the non-negative number that `text` denotes; else raise InputError about the option `field`."""
    try:
        return float(fraction(text))
    except (ValueError, ZeroDivisionError, OverflowError):
        raise InputError(field, text, f"must be a number of at least 0{written(text, '')}") from None


def add_words(parser: argparse.ArgumentParser, option: str, word: str, about: str, **more: Any) -> None:
    """Add an option that takes one or more words and may be repeated. word: the placeholder for them in the help
    text."""
    parser.add_argument(option, nargs="+", default=[], action="extend", metavar=word, help=about, **more)


def add_settings(parser: argparse.ArgumentParser, about: str) -> None:
    """Add the option --set KEY=VALUE ... to a command's parser; `settings` reads its words."""
    add_words(parser, "--set", "KEY=VALUE", about, dest="settings")


def settings(words: Iterable[str]) -> dict[str, Any]:
    """Return the KEY=VALUE words of --set as a dictionary. Values are read as TOML; a bare word is a string."""
    found = {}
    for word in separated(words := list(words)):
        key, equals, text = map(str.strip, word.partition("="))
        if not equals or not key:
            typed = re.sub(r" *= *", "=", " ".join(words))
            if re.fullmatch(r"\w+ [^\s=]+", typed):
                typed = typed.replace(" ", "=")
            said = (
                f"; write {typed}" if re.fullmatch(r"\S+=\S+", typed) else f", e.g. {key or 'horizon'}=1000"
            )
            raise InputError("--set", word, f"must be KEY=VALUE{said}")
        if ";" in text and "=" in text:
            raise InputError(
                "--set", word, f"separate by blanks: --set {' '.join(word.replace(';', ' ').split())}"
            )
        if key in found:
            raise InputError("--set", word, f"{key} is given twice")
        found[key] = value(key, text)
    return found


def separated(words: Iterable[str]) -> list[str]:
    """Split words such as M=100,K=10 at commas. Words with lists or quoted text are not split."""
    return [part for word in words for part in ([word] if set(word) & set("[{'\"") else JOINED.split(word))]


def value(field: str, text: str) -> Any:
    """Return the value that a text has in TOML, such as 1.5 or [1, 2]. If it is not TOML, return the text or, if it
    begins as a list or a table does, raise InputError about the key `field`."""
    try:
        return tomllib.loads(f"value = {text}", parse_float=unambiguous)["value"]
    except (tomllib.TOMLDecodeError, ValueError) as error:
        if text[:1] in ("[", "{"):
            said = "texts need double quotes, and the whole word single ones, so that the shell keeps both"
            raise InputError(field, text, f"not valid TOML: {error}; {said}") from None
        return text


def refuse_existing(
    field: str, path: Path | None, suffixes: Sequence[str] = (), folder: bool = False
) -> None:
    """Raise InputError about the option `field` if its output file exists or has another suffix than `suffixes`.
    folder: whether the output is a folder, which is made with the folders it is in."""
    if path is None:
        return
    if os.path.lexists(path):
        raise InputError(field, str(path), "exists already; nothing is overwritten")
    above = next(p for p in path.absolute().parents if p.exists()) if folder else path.parent
    if not above.is_dir():
        said = f"{above} is no folder" if folder else f"there is no folder {above}"
        raise InputError(field, str(path), f"cannot be written: {said}")
    if suffixes and path.suffix not in suffixes:
        allowed = " or ".join(filter(None, (", ".join(suffixes[:-1]), suffixes[-1])))
        raise InputError(field, str(path), f"must end in {allowed}")


def make_folder(field: str, path: Path) -> None:
    """Create a folder for files that long work will write. Raise InputError about the option `field` if no file can be
    created in it."""
    import tempfile

    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError as error:
        raise InputError(field, str(path), f"cannot be written: {error.strerror}") from None


@contextlib.contextmanager
def writing(field: str, path: Path) -> Iterator[None]:
    """Return a context manager for a block that writes `path`. Afterwards it reports on stderr that `path` was written.
    An OSError in the block becomes an InputError about the option `field`."""
    try:
        yield
        sys.stderr.write(f"written: {path}\n")
    except OSError as error:
        raise InputError(field, str(path), f"cannot be written: {error.strerror}") from None


def show(document: Any, text: Callable[[Any], str], as_json: bool) -> None:
    sys.stdout.write(json.dumps(document, indent=1) + "\n" if as_json else text(document))


def in_arguments(verb: Callable[P, R]) -> Callable[P, R]:
    """Return the function of a command such that its errors name Python arguments: `replications`, not
    `--replications`. An error that comes from an argument of a wrong type becomes an InputError."""

    @functools.wraps(verb)
    def called(*given: P.args, **named: P.kwargs) -> R:
        try:
            return verb(*given, **named)
        except InputError as error:
            if "--" not in f"{error.field} {error.allowed}":
                raise
            raise translated(error) from None
        except (TypeError, ValueError, AttributeError):
            _refuse_types(verb, given, named)
            raise

    return called


def _refuse_types(verb: Callable[..., Any], given: Sequence[Any], named: Mapping[str, Any]) -> None:
    """Raise InputError about the first argument of a call that does not fit its annotation. Only annotations with a
    type in TYPES, alone or with None, are examined."""
    try:
        arguments = inspect.signature(verb).bind(*given, **named).arguments
    except TypeError:  # an argument that is missing or unknown, which Python reports well
        return
    for name, value in arguments.items():
        annotation = inspect.signature(verb).parameters[name].annotation
        kind, _, absent = getattr(annotation, "__name__", str(annotation)).partition(" | ")
        fitting, described = TYPES.get(kind, (object, ""))
        if not isinstance(value, fitting) and not (absent and value is None):
            raise InputError(name, repr(value), f"must be {described}") from None


def translated(error: InputError) -> InputError:
    """Return an error about a command-line option as one about a Python argument: `--set = horizn=5` becomes `horizn =
    5`, and `--seed` becomes `seed`."""
    field, value = error.field.removeprefix("--").replace("-", "_"), error.value
    if error.field == "--set" and isinstance(value, str):
        key, equals, text = value.partition("=")
        field, value = (key.replace(".", "__"), text) if equals else ("arguments", value)
    quoted = error.allowed.split("`")  # between backticks stand commands
    quoted[::2] = [OPTION.sub(lambda found: (found[1] or "").replace("-", "_"), text) for text in quoted[::2]]
    allowed = "`".join(quoted)
    return InputError(field, value, allowed)
