"""The verbs as a library: errors name arguments instead of options."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from bounds.errors import InputError

P = ParamSpec("P")
R = TypeVar("R")
OPTION = re.compile(r"--set (?=\S+=)|--(?=[a-z])")


def in_arguments(verb: Callable[P, R]) -> Callable[P, R]:
    """The verb, whose InputErrors name `replications` where the command line's name `--replications`."""

    @functools.wraps(verb)
    def called(*given: P.args, **named: P.kwargs) -> R:
        try:
            return verb(*given, **named)
        except InputError as error:
            if "--" not in f"{error.field} {error.allowed}":
                raise
            raise translated(error) from None

    return called


def translated(error: InputError) -> InputError:
    """`--set = horizn=5` is `horizn = 5`; other options lose their dashes."""
    field, value = error.field.removeprefix("--").replace("-", "_"), error.value
    if error.field == "--set" and isinstance(value, str):
        key, equals, text = value.partition("=")
        field, value = (key.replace(".", "__"), text) if equals else ("arguments", value)
    return InputError(field, value, OPTION.sub("", error.allowed))
