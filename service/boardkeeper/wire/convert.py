"""Turns structs into messages and back, by the plans of their types.

Which message a struct goes over as is for the caller to say; everything else follows from names. Both
directions cost about a microsecond for a command and well under a millisecond for a board.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from msgspec import Struct

from boardkeeper.wire.errors import ConversionError
from boardkeeper.wire.plans import Plan, descriptor_of, plan_struct

AnyMessage = TypeVar("AnyMessage", bound=Message)
AnyStruct = TypeVar("AnyStruct", bound=Struct)


def to_message(struct: Struct, message_type: type[AnyMessage]) -> AnyMessage:
    """The struct as a message of that type.

    Raises:
        ConversionError: a value does not go over (an integer beyond 32 bits, say); it names the field.
        TypeError: the two types do not fit at all.
    """
    return construct(message_type, _plan(type(struct), message_type).encode(struct))


def from_message(message: Message, struct_type: type[AnyStruct]) -> AnyStruct:
    """The message as a struct of that type.

    Raises:
        ConversionError: something that must be there is not; it names the field.
        TypeError: the two types do not fit at all.
    """
    return cast(AnyStruct, _plan(struct_type, type(message)).decode(message))


_plans: dict[tuple[type[Struct], type[Message]], Plan] = {}


def _plan(struct_type: type[Struct], message_type: type[Message]) -> Plan:
    plan = _plans.get((struct_type, message_type))
    if plan is None:
        plan = _plans[struct_type, message_type] = plan_struct(struct_type, descriptor_of(message_type))
    return plan


def construct(message_type: type[AnyMessage], values: Mapping[str, Any]) -> AnyMessage:
    """A message with these fields, nested messages as mappings; raises :class:`ConversionError`.

    Protobuf's own errors do not say which field they are about, so that is looked for once there is one.
    """
    try:
        return message_type(**values)
    except (TypeError, ValueError) as error:
        raise _blame(message_type, values) or ConversionError("", str(error)) from None


def _blame(message_type: type[Message], values: Mapping[str, Any]) -> ConversionError | None:
    for name, value in values.items():
        try:
            message_type(**{name: value})
        except (TypeError, ValueError) as error:
            return _blame_within(message_type, name, value) or ConversionError(name, str(error))
    return None


def _blame_within(message_type: type[Message], name: str, value: object) -> ConversionError | None:
    field = descriptor_of(message_type).fields_by_name.get(name)
    if field is None or field.message_type is None or field.message_type.GetOptions().map_entry:
        return None
    nested = GetMessageClass(field.message_type)
    items = enumerate(value) if isinstance(value, list | tuple) else [(None, value)]
    for index, item in items:
        found = _blame(nested, item) if isinstance(item, Mapping) else None
        if found is not None:
            return found.within(name if index is None else f"{name}[{index}]")
    return None
