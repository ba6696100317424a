"""Conversion of structs to messages of the same name and back, and serialization of messages.

Each direction takes about a microsecond for a command and less than a millisecond for a board.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from msgspec import Struct

from boardkeeper.wire.errors import ConversionError
from boardkeeper.wire.plans import Plan, descriptor_of, plan_struct

AnyMessage = TypeVar("AnyMessage", bound=Message)
AnyStruct = TypeVar("AnyStruct", bound=Struct)


def to_message(struct: Struct, message_type: type[AnyMessage]) -> AnyMessage:
    """Convert a struct to a message.

    Raises:
        ConversionError: A value cannot be converted, for example an integer of more than 32 bits.
        TypeError: The two types do not match.
    """
    return construct(message_type, _plan(type(struct), message_type).encode(struct))


def from_message(message: Message, struct_type: type[AnyStruct]) -> AnyStruct:
    """Convert a message to a struct.

    Raises:
        ConversionError: A required field is not set.
        TypeError: The two types do not match.
    """
    return cast(AnyStruct, _plan(struct_type, type(message)).decode(message))


_plans: dict[tuple[type[Struct], type[Message]], Plan] = {}


def _plan(struct_type: type[Struct], message_type: type[Message]) -> Plan:
    plan = _plans.get((struct_type, message_type))
    if plan is None:
        plan = _plans[struct_type, message_type] = plan_struct(struct_type, descriptor_of(message_type))
    return plan


def construct(message_type: type[AnyMessage], values: Mapping[str, Any]) -> AnyMessage:
    """Construct a message from its fields, with nested messages as mappings; raises :class:`ConversionError`.

    Protobuf's own errors do not name the field, so this function looks for the wrong field after an error.
    """
    try:
        return message_type(**values)
    except (TypeError, ValueError) as error:
        raise _find_error(message_type, values) or ConversionError("", str(error)) from None


def _find_error(message_type: type[Message], values: Mapping[str, Any]) -> ConversionError | None:
    for name, value in values.items():
        try:
            message_type(**{name: value})
        except (TypeError, ValueError) as error:
            return _find_nested_error(message_type, name, value) or ConversionError(name, str(error))
    return None


def _find_nested_error(message_type: type[Message], name: str, value: object) -> ConversionError | None:
    field = descriptor_of(message_type).fields_by_name.get(name)
    if field is None or field.message_type is None or field.message_type.GetOptions().map_entry:
        return None
    nested = GetMessageClass(field.message_type)
    items = enumerate(value) if isinstance(value, list | tuple) else [(None, value)]
    for index, item in items:
        found = _find_error(nested, item) if isinstance(item, Mapping) else None
        if found is not None:
            return found.within(name if index is None else f"{name}[{index}]")
    return None


def serialize(message: Message) -> bytes:
    """Serialize a message, with the entries of maps sorted by their keys.

    By default, protobuf writes map entries in the order of insertion. Then equal boards would have different bytes,
    which would reveal how the components got there.
    """
    return message.SerializeToString(deterministic=True)


def make_serializer(kind: type[Message]) -> Callable[[Message], bytes]:
    """Return a function like :func:`serialize` for one message type, three times as fast if the type has no maps."""
    return serialize if _has_map(descriptor_of(kind), set()) else kind.SerializeToString


def _has_map(message: Descriptor, checked: set[str]) -> bool:
    if message.full_name in checked:
        return False
    checked.add(message.full_name)
    return message.GetOptions().map_entry or any(
        _has_map(field.message_type, checked) for field in message.fields if field.message_type is not None
    )
