"""Rows of a file's tables with values of the kinds that a service writes: SQLite takes any value in any column."""

from __future__ import annotations

from typing import TypeVar
from uuid import UUID

import msgspec
from msgspec import Struct

from boardkeeper.service.storage.rows import DamagedLineError
from boardkeeper.table.decoding import convert

_T = TypeVar("_T", bound=Struct)


def fitting(kind: type[_T], *values: object) -> _T:
    """A row with these values, in the order of its fields; raises ``DamagedLineError`` if one is of another kind."""
    try:
        return convert(dict(zip(kind.__struct_fields__, values, strict=False)), kind)
    except msgspec.ValidationError as error:
        raise DamagedLineError(f"a value cannot be one of {kind.__name__}: {error}") from error


def blob(value: object) -> bytes:
    """Bytes; raises ``DamagedLineError``."""
    if not isinstance(value, bytes):
        raise DamagedLineError(f"{value!r} are no bytes")
    return value


def game_id(value: object) -> UUID:
    """The id of a game as it is stored; raises ``DamagedLineError``."""
    try:
        return UUID(str(value))
    except ValueError as error:
        raise DamagedLineError(f"{value!r} is no id of a game") from error


def number(value: object) -> int:
    """A whole number; raises ``DamagedLineError``."""
    if type(value) is not int:
        raise DamagedLineError(f"{value!r} is no number")
    return value


def small(value: object) -> int:
    """A number of 32 bits, such as that of a seat; raises ``DamagedLineError``."""
    if type(value) is not int or not -(1 << 31) <= value < 1 << 31:
        raise DamagedLineError(f"{value!r} is no number of 32 bits")
    return value


def text(value: object) -> str:
    """Text; raises ``DamagedLineError``."""
    if not isinstance(value, str):
        raise DamagedLineError(f"{value!r} is no text")
    return value
