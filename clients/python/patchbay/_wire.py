"""JSON of the contract as objects with types. The wire's names are converted here and nowhere else."""

from __future__ import annotations

import sys
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime, timezone
from functools import lru_cache
from typing import Any, Dict, List, Tuple, Type, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from .display import Table

T = TypeVar("T")


class Unfit(ValueError):
    """What arrived is not of the contract. The text names the place and not what stands there."""


def wire_names(name: str) -> Tuple[str, str]:
    """How the contract may spell a field: some areas write `changed_at`, others `changedAt`."""
    plain = name.rstrip("_")
    first, *rest = plain.split("_")
    return plain, first + "".join(part.capitalize() for part in rest)


def parse(kind: Type[T], value: Any, where: str = "") -> T:
    """Builds `kind` of decoded JSON. What it does not know is left out: a newer server may say more."""
    return cast(T, _parse(kind, value, where))


def _parse(kind: Any, value: Any, where: str) -> Any:
    origin = get_origin(kind)
    if kind is Any:
        return value
    if origin is Union:
        known = [each for each in get_args(kind) if each is not type(None)]
        if len(known) > 1:
            return value
        return None if value is None else _parse(known[0], value, where)
    if origin in (list, tuple, Table):
        return _parse_items(origin, get_args(kind)[0], value, where)
    if origin is dict:
        if not isinstance(value, dict):
            raise Unfit(f"{where} is no object")
        return {name: _parse(get_args(kind)[1], each, f"{where}.{name}") for name, each in value.items()}
    if is_dataclass(kind) or is_dataclass(origin):
        return _parse_object(origin or kind, get_args(kind), value, where)
    if kind is datetime:
        return parse_time(value, where)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    # JSON's true is no number, which it would be to Python.
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise Unfit(f"{where} is no {kind.__name__}")
    return value


def _parse_items(origin: Any, kind: Any, value: Any, where: str) -> Any:
    if not isinstance(value, list):
        raise Unfit(f"{where} is no list")
    items = [_parse(kind, each, f"{where}[{at}]") for at, each in enumerate(value)]
    return items if origin is list else origin(items)


def _parse_object(kind: Any, arguments: Tuple[Any, ...], value: Any, where: str) -> Any:
    if isinstance(value, list) and getattr(kind, "IS_TUPLE", False):
        value = dict(zip((field.name for field in fields(kind)), value))
    if not isinstance(value, dict):
        raise Unfit(f"{where} is no object")
    given: Dict[str, Any] = {}
    for name, expected, has_default in _fields_of(kind):
        plain, camel = wire_names(name)
        key = plain if plain in value else camel
        if key in value:
            exact = expected[arguments] if arguments and getattr(expected, "__parameters__", ()) else expected
            given[name] = _parse(exact, value[key], f"{where}.{key}")
        elif not has_default:
            raise Unfit(f"{where}.{key} is missing")
    return kind(**given)


@lru_cache(maxsize=None)
def _fields_of(kind: Any) -> List[Tuple[str, Any, bool]]:
    hints = get_type_hints(kind, vars(sys.modules[kind.__module__]))
    return [
        (field.name, hints[field.name], field.default is not MISSING or field.default_factory is not MISSING)
        for field in fields(kind)
    ]


def parse_time(value: Any, where: str = "") -> datetime:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise Unfit(f"{where} is no time")
    try:
        if isinstance(value, (int, float)):
            return datetime.fromtimestamp(value / 1000, timezone.utc)
        # Python 3.9 does not know the Z.
        return datetime.fromisoformat(value.replace("Z", "+00:00"))
    except (ValueError, OverflowError, OSError):
        raise Unfit(f"{where} is no time") from None


def time_text(time: datetime) -> str:
    """A time without a zone is meant where this program runs, as Python has it."""
    return time.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
