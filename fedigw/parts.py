"""Find the parts that an instance file may name (policies, encoders, aggregators, clocks, attacks, protocols and
others), and make them from their keys in the file.
"""

import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import partial
from typing import Any

from bounds.errors import InputError, choose
from bounds.extensions import packages
from fedigw import instance_file, outside
from fedigw.checked_policy import checked
from fedigw.discovery import parts
from fedigw.game import System
from fedigw.interfaces import (
    Aggregator,
    Attack,
    Clock,
    ContextLaw,
    Encoder,
    FLProtocol,
    Loss,
    Model,
    Part,
    Policy,
    RewardLaw,
)
from fedigw.maxima import refuse_larger

# what a part of each sort derives from; protocols are found in the packages of a kind
SORTS: dict[str, type[Part]] = {
    "policy": Policy,
    "encoder": Encoder,
    "aggregator": Aggregator,
    "clock": Clock,
    "attack": Attack,
    "loss": Loss,
    "reward_law": RewardLaw,
    "context_law": ContextLaw,
    "protocol": FLProtocol,
    "system": System,
}


class Known(dict[str, type[Any]]):
    """The parts of one sort that the packages offer, such as all policies, by name. base: the class from which a user's
    own part of this sort must derive."""

    def __init__(self, found: tuple[str, ...], base: type[Part]) -> None:
        super().__init__(parts(found, base))
        self.base = base


def _in(folder: str, base: type[Part]) -> Known:
    return Known(packages(f"fedigw.{folder}"), base)


policies, clocks = partial(_in, "policies", Policy), partial(_in, "clocks", Clock)
encoders, aggregators = partial(_in, "encoders", Encoder), partial(_in, "aggregators", Aggregator)
attacks, context_laws = partial(_in, "attacks", Attack), partial(_in, "context_laws", ContextLaw)
reward_laws = partial(_in, "reward_laws", RewardLaw)


def systems() -> Known:
    """Return the rivals of FedIGW by name. They are whole algorithms, not parts of a federation."""
    return _in("systems", System)


def protocols(cores: tuple[str, ...]) -> Known:
    return Known(tuple(found for core in cores for found in packages(core)), FLProtocol)


def named(field: str, value: Any, known: Known, more: Sequence[str] = ()) -> Any:
    """Return the part that the value of a key describes: a name, a user's file, or a table with `name` and some fields.
    field: the key; known: the parts to choose from; more: further names to list in the error message."""
    if isinstance(value, str):
        value = {"name": value}
    if not isinstance(value, Mapping):
        raise InputError(field, value, "must be a name or a table with a name: " + ", ".join((*more, *known)))
    name = instance_file.required(value, "name", f"{field}.", "; one of " + ", ".join((*more, *known)))
    if not isinstance(name, str):
        raise InputError(f"{field}.name", name, "must be one of " + ", ".join((*more, *known)))
    if not outside.is_file(name) and name not in known:
        choose(field, name, (*(other for other in more if other != name), *known))
    part = _outside(name, known) if outside.is_file(name) else known[name]
    return of_fields(field, part, {key: v for key, v in value.items() if key != "name"})


def _outside(name: str, known: Known) -> type[Any]:
    part = outside.part(name, known.base)
    if known.base is not Policy:
        return part
    return checked(part, name.partition(":")[0])


def clock(field: str, value: Any) -> Any:
    """Return the clock that the value of a key describes: by its name, or by its fields if only one clock has them, as
    in {period = 2}. field: the key."""
    known = clocks()
    if isinstance(value, Mapping) and "name" not in value and value:
        fitting = [n for n, part in known.items() if set(value) <= {f.name for f in fields(part)}]
        if len(fitting) > 1:  # a key of several clocks, such as period, means the one that begins with it
            fitting = [n for n in fitting if fields(known[n])[0].name in value]
        if len(fitting) != 1:
            keys = sorted({f.name for part in known.values() for f in fields(part)})
            raise InputError(field, ", ".join(value), f"fits no clock; keys of clocks: {', '.join(keys)}")
        value = {"name": fitting[0]} | dict(value)
    return named(field, value, known)


def suits(protocol: FLProtocol, model: Model) -> bool:
    """Return whether the model offers everything that the protocol lists in `needs`."""
    return all(model.serving(protocol.needs).offers(need) for need in protocol.needs)


def of_fields(field: str, part: type[Any], given: Mapping[str, Any]) -> Any:
    """Make a part of class `part` with the values `given` for its fields. Raise InputError, which names the first field
    that is unknown or has a wrong value. field: the key of the part."""
    known = [f.name for f in fields(part)]
    instance_file.refuse_unknown(given, known, f"{field}.")
    hints = typing.get_type_hints(part)
    values = {key: _value(f"{field}.{key}", value, hints[key]) for key, value in given.items()}
    try:
        return part(**values)
    except InputError as error:
        raise InputError(f"{field}.{error.field}", error.value, error.allowed) from None


def _value(field: str, value: Any, kind: Any) -> Any:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        if value is None and type(None) in arguments:
            return None
        return _value(field, value, next(a for a in arguments if a is not type(None)))
    if origin is tuple:
        items = instance_file.array(value if not isinstance(value, tuple) else list(value), field, "values")
        return tuple(_value(f"{field}[{i}]", item, arguments[0]) for i, item in enumerate(items))
    if kind in (bool, str):
        if not isinstance(value, kind):
            raise InputError(field, value, "must be a string" if kind is str else "must be true or false")
        return value
    number = instance_file.exact_number(value, field, "must be a number")
    if kind is int:
        if number.denominator != 1 or abs(number) >= 2**62:
            raise InputError(field, value, "must be an integer below 2^62")
        refuse_larger(field.rpartition(".")[2], int(number), field)
        return int(number)
    return float(number)
