"""Read and write instance files (TOML), and check their values. Errors name the key, its value and what is allowed."""

import json
import math
import re
import stat
import tomllib
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path
from typing import Any

from bounds.errors import THOUSANDS, InputError, choose, fraction, nearest, written
from fedigw.shipped import example, folder

LARGEST = 10**100  # its square is a float too
MOST_MEGABYTES = 50  # of a file that a user names; the largest of our own examples has less than a thousandth


def read_plain(path: Path, field: str) -> bytes:
    """Return the content of a file of at most MOST_MEGABYTES. Devices and pipes are refused. field: the input that
    names the file, for error messages."""
    if not stat.S_ISREG(path.stat().st_mode):
        said = "is a folder; name a file in it" if path.is_dir() else "is not a regular file"
        raise InputError(field, str(path), said)
    with path.open("rb") as stream:
        # the size that the system reports may be 0, or may grow
        content = stream.read(MOST_MEGABYTES * 10**6 + 1)
    if len(content) > MOST_MEGABYTES * 10**6:
        raise InputError(field, str(path), f"has more than {MOST_MEGABYTES} MB, the most that is read")
    return content


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file, or the example of that name shipped with the package. Raise InputError if it cannot be read."""
    try:
        content = read_plain(example(path), "instance")
        return tomllib.loads(
            content.decode("utf-8-sig"), parse_float=unambiguous
        )  # some editors put a mark before the text
    except InputError:  # a ValueError too
        raise
    except FileNotFoundError:
        shipped = [file.stem for file in folder("examples").glob("*.toml")]
        close = get_close_matches(path.stem, shipped, 1)
        said = (
            f"no such file; did you mean examples/{close[0]}.toml?"
            if close
            else "no such file; an example is examples/linear.toml"
        )
        raise InputError("instance", str(path), said) from None
    except RecursionError:
        raise InputError("instance", str(path), "is nested too deeply") from None
    except UnicodeDecodeError:
        raise InputError("instance", str(path), "is not text in UTF-8; save it in that encoding") from None
    except OSError as error:
        raise InputError("instance", str(path), f"cannot be read: {error.strerror}") from None
    except ValueError as error:
        is_json = content.lstrip().startswith(b"{")
        said = 'is JSON; write TOML, e.g. kind = "linear"' if is_json else f"not valid TOML: {error}"
        if path.suffix == ".py":
            said = (
                f"is Python; in place of it name a file such as examples/linear.toml, then --protocol {path}"
            )
        said += "" if is_json else _mended(content.decode("utf-8-sig"), str(error))
        raise InputError("instance", str(path), said) from None


def unambiguous(text: str) -> float:
    """Return the float that a text in a TOML file denotes. Raise InputError for 1.000, which may mean 1000."""
    if THOUSANDS.fullmatch(text):
        raise InputError("instance", text, f"is ambiguous{written(text)}")
    return float(text)


def _mended(text: str, error: str) -> str:
    """Return the end of an error message: how to write the faulty line of an instance file; "" if unknown."""
    if "twice" in error and "'agents'" in error:
        return "; write [[agents]] above each agent"
    place = re.search(r"line (\d+)", error)
    line = text.splitlines()[int(place[1]) - 1] if place else ""
    if found := re.fullmatch(r"\s*([\w.]+)\s*=\s*(\S+)\s*", line):
        key, value = found.groups()
        mended = f'; write "{value}"' if re.fullmatch(r"[A-Za-z_][\w-]*", value) else written(value, "")
        return mended.replace("; write ", f"; write {key} = ")
    return ""


def to_toml(table: Mapping[str, Any], comments: Sequence[str] = ()) -> str:
    """Return a dictionary as the text of an instance file: plain values first, then one [[agents]] table per agent.
    comments: lines for the beginning of the file."""
    lines = ["# " + " ".join(comment.split()) for comment in comments]  # of one line, whatever it holds
    lines += [f"{_key(key)} = {_toml(value)}" for key, value in table.items() if key != "agents"]
    for agent in table.get("agents", ()):
        lines += ["", "[[agents]]", *(f"{_key(key)} = {_toml(value)}" for key, value in agent.items())]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {_toml(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml(inner) for inner in value) + "]"
    return _string(value) if isinstance(value, str) else json.dumps(value)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _string(name)


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def refuse_unknown(
    table: Mapping[str, Any], known: Sequence[str], where: str = "", above: Sequence[str] = ()
) -> None:
    """Raise InputError for the first key of `table` that is not known. where: the table's own key, with a dot, for the
    message. above: keys of the file's top level, which the message says to write above the table."""
    for key in table:
        if key not in known:
            said = nearest(key, known) if known else "there are no such keys here"
            if key in above:
                said = f"it is a key of the file: write {key} above the first [[agents]]"
            raise InputError(where + key, None, "unknown key; " + said)


def required(table: Mapping[str, Any], key: str, where: str = "", more: str = "") -> Any:
    """Return the value of a key, or raise InputError if it is missing. where: the table's own key, with a dot, for the
    message; more: its end, such as the values to choose from."""
    if key not in table:
        raise InputError(where + key, None, f"missing: this key is required{more}")
    return table[key]


def exact_number(value: Any, field: str, allowed: str = "must be a number") -> Fraction:
    """Return a TOML number, or a string "p/q", as the rational that is written: 0.1 is 1/10. field: its key. allowed:
    what is allowed, as the end of the error message."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise InputError(field, value, allowed)
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError(field, value, allowed)
    try:
        number = fraction(str(value))
    except (ValueError, ZeroDivisionError):
        more = "" if "; write" in allowed else written(str(value), "")
        raise InputError(field, value, f"{allowed}{more}") from None
    if abs(number) > LARGEST:
        raise InputError(field, value, allowed if "1e100" in allowed else f"{allowed} of at most 1e100")
    return number


def positive_integer(value: Any, field: str) -> int:
    more = written(value, whole=True) if isinstance(value, str) else ""
    number = exact_number(value, field, f"must be a positive integer{more}")
    if number.denominator != 1 or number < 1:
        raise InputError(field, value, "must be a positive integer")
    if number >= 2**62:
        raise InputError(field, value, "must be a positive integer below 2^62")
    return int(number)


def array(value: Any, field: str, description: str) -> list[Any]:
    if not isinstance(value, list) or not value:
        raise InputError(field, value, f"must be a non-empty list: {description}")
    return value


def probabilities(value: Any, field: str, size: int, of: str = "context") -> tuple[Fraction, ...]:
    """Return the value of a key as `size` probabilities, which must sum to 1 exactly (write "1/3", not 0.333). field:
    the key; of: what has the probabilities, for error messages."""
    law = array(value, field, f"{size} probabilities")
    if len(law) != size:
        raise InputError(field, f"{len(law)} numbers", f"must have one probability per {of}, {size}")
    numbers = tuple(exact_number(p, f"{field}[{i}]", "must be a probability") for i, p in enumerate(law))
    for i, number in enumerate(numbers):
        if not 0 <= number <= 1:
            raise InputError(f"{field}[{i}]", str(number), "must be a probability between 0 and 1")
    if sum(numbers) != 1:
        said = 'probabilities must sum to 1 exactly (fractions are written "1/3")'
        raise InputError(field, f"sum {sum(numbers)}", said)
    return numbers


def choice(table: Mapping[str, Any], key: str, known: Sequence[str], default: str) -> str:
    """Return the value of a key of `table`, which must be one of the strings in `known`."""
    value = table.get(key, default)
    if not isinstance(value, str):
        raise InputError(key, value, "must be one of " + ", ".join(known))
    return choose(key, value, known)
