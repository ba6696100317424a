"""Thread-safe creation of msgspec decoders and struct types.

When msgspec creates the first decoder for a type, it stores data about the type in several steps. A second thread that
uses the incomplete data reads invalid memory, and the process crashes. This module creates decoders under a lock;
decoding needs no lock. Other modules may create decoders only while they are imported. A test checks this.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec
import msgspec.structs

_T = TypeVar("_T")
_creation_lock = threading.RLock()
_decoders: dict[object, Any] = {}


def decoder(kind: type[_T]) -> msgspec.json.Decoder[_T]:
    """Return a new JSON decoder for a type."""
    with _creation_lock:
        return msgspec.json.Decoder(kind)


def state_type(name: str, fields: list[tuple[str, Any] | tuple[str, Any, Any]]) -> type[msgspec.Struct]:
    """Return a new struct type that is encoded as an array. ``fields`` are names, types and optional defaults."""
    with _creation_lock:
        created = msgspec.defstruct(name, fields, array_like=True, gc=False)
        msgspec.json.Decoder(created)
    return created


def struct_type(name: str, fields: Iterable[tuple[str, Any, Any]], base: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """Return a new frozen struct type that adds ``fields`` (name, type, default) to those of ``base``."""
    with _creation_lock:
        created = msgspec.defstruct(name, fields, bases=(base,), frozen=True)
        msgspec.json.Decoder(created)
    return created


def bound(kind: type[msgspec.Struct], /, **bounds: Any) -> type[msgspec.Struct]:
    """Return a copy of the struct ``kind`` whose fields have the types in ``bounds``.

    Only fields that can be unset are optional. Raises ``TypeError`` if ``bounds`` and the struct have different fields.
    """
    if bounds.keys() != set(kind.__struct_fields__):
        raise TypeError(f"{kind.__name__} has other fields than its bounds: {', '.join(bounds)}")
    optional = {field.name for field in msgspec.structs.fields(kind) if field.default is msgspec.UNSET}
    config = kind.__struct_config__
    bounded = [
        (name, bounds[name] | msgspec.UnsetType, msgspec.UNSET) if name in optional else (name, bounds[name])
        for name in kind.__struct_fields__
    ]
    with _creation_lock:
        return msgspec.defstruct(kind.__name__, bounded, tag=config.tag, array_like=config.array_like)


def decode(data: bytes | msgspec.Raw, kind: type[_T]) -> _T:
    """Decode JSON to a value of a type; raises ``msgspec.DecodeError`` (``ValidationError`` is a subclass)."""
    return _cached_decoder(kind).decode(data)


def convert(value: object, kind: type[_T], *, strict: bool = True) -> _T:
    """Convert plain objects to a value of a type; raises ``msgspec.ValidationError``.

    Unless ``strict`` is true, numbers and booleans may also be strings.
    """
    _cached_decoder(kind)  # makes msgspec inspect the type under the lock
    return msgspec.convert(value, kind, strict=strict)


def _cached_decoder(kind: type[_T]) -> msgspec.json.Decoder[_T]:
    cached: msgspec.json.Decoder[_T] | None = _decoders.get(kind)
    if cached is None:
        cached = _decoders[kind] = decoder(kind)
    return cached
