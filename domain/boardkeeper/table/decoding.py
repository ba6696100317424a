"""Decoding into structs, safe from whatever thread comes first.

What msgspec knows of a type it works out when a decoder for it is first made, and keeps beside the type. It does so in
several steps, between which another thread may run; one that meets the half of it reads memory that is not there yet,
and the process ends. So here one thread at a time makes decoders. Decoding itself needs no lock.

Outside this module, decoders are made while modules are imported, by the one thread that imports them, only;
a test reads the sources for it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec

_T = TypeVar("_T")
_one_at_a_time = threading.RLock()
_decoders: dict[object, Any] = {}


def decoder(kind: type[_T]) -> msgspec.json.Decoder[_T]:
    """A new decoder of JSON for a type."""
    with _one_at_a_time:
        return msgspec.json.Decoder(kind)


def state_type(name: str, fields: list[tuple[str, Any] | tuple[str, Any, Any]]) -> type[msgspec.Struct]:
    """A new kind of array whose elements have those names, types and defaults, ready to be decoded into."""
    with _one_at_a_time:
        made = msgspec.defstruct(name, fields, array_like=True, gc=False)
        msgspec.json.Decoder(made)
    return made


def struct_type(name: str, fields: Iterable[tuple[str, Any, Any]], base: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """Return a new frozen struct with the fields of ``base`` and these, by name, type and default."""
    with _one_at_a_time:
        made = msgspec.defstruct(name, fields, bases=(base,), frozen=True)
        msgspec.json.Decoder(made)
    return made


def decode(data: bytes | msgspec.Raw, kind: type[_T]) -> _T:
    """A value of a type from JSON. Raises ``msgspec.DecodeError``, of which ``ValidationError`` is one."""
    return _kept(kind).decode(data)


def convert(value: object, kind: type[_T], *, strict: bool = True) -> _T:
    """A value of a type from plain objects, unless ``strict`` from texts too. Raises ``msgspec.ValidationError``."""
    _kept(kind)  # what there is to know of the type is known from here on
    return msgspec.convert(value, kind, strict=strict)


def _kept(kind: type[_T]) -> msgspec.json.Decoder[_T]:
    made: msgspec.json.Decoder[_T] | None = _decoders.get(kind)
    if made is None:
        made = _decoders[kind] = decoder(kind)
    return made
