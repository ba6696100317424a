"""Messages from structs with fields of the same names.

A time in milliseconds becomes a ``Timestamp``, a text in several languages becomes one in the caller's language, and
structs in fields become messages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.struct_pb2 import Struct as JsonObject
from google.protobuf.timestamp_pb2 import Timestamp

from boardkeeper.service.api.message_limits import timestamp
from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.wire.plans import descriptor_of

_M = TypeVar("_M", bound=Message)

_UNUSED = frozenset({"boardkeeper.v1.MapWay.points"})
"""Fields of messages that the structs lack: they stay empty."""


def message_of(kind: type[_M], value: object, language: str = "", **fields: Any) -> _M:
    """Return a message with these ``fields``; the other fields are those of the struct ``value``.

    Raises ``AttributeError`` if the struct lacks one of them.
    """
    conversions = _conversions(kind)  # type: ignore[arg-type]  # a class can be hashed
    others = {name: convert(getattr(value, name), language) for name, convert in conversions if name not in fields}
    return kind(**others, **fields)


@cache
def _conversions(kind: type[Message]) -> tuple[tuple[str, Callable[[Any, str], Any]], ...]:
    fields = descriptor_of(kind).fields
    return tuple((field.name, _conversion(field)) for field in fields if field.full_name not in _UNUSED)


def _conversion(field: FieldDescriptor) -> Callable[[Any, str], Any]:
    if field.message_type is None:
        is_text = field.type == field.TYPE_STRING and not field.is_repeated
        return _text if is_text else lambda value, _language: value
    kind = GetMessageClass(field.message_type)
    if field.message_type.GetOptions().map_entry or kind is JsonObject:
        return lambda value, _language: value
    if kind is Timestamp:
        return lambda value, _language: None if value is None else timestamp(value)
    if field.is_repeated:
        return lambda value, language: [message_of(kind, each, language) for each in value]
    return lambda value, language: None if value is None else message_of(kind, value, language)


def _text(value: str | Mapping[str, str], language: str) -> str:
    return value if isinstance(value, str) else value.get(language) or value.get(LANGUAGES[0], "")
