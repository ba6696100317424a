"""Hypothesis strategies for values of structs, and message types that are created at run time."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Any, get_args, get_origin

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import Message
from hypothesis import strategies as st
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import fields

from boardkeeper.wire.messages import OMITTED

INT32 = st.integers(-(2**31), 2**31 - 1)
TEXT = st.text(max_size=8)


def values(annotation: Any) -> st.SearchStrategy[Any]:
    """Return a strategy for values of a field's type."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if annotation is NoneType:
        return st.none()
    if annotation is UnsetType:
        return st.just(UNSET)
    if annotation is bool:
        return st.booleans()
    if annotation is int:
        return INT32
    if annotation is str:
        return TEXT
    if annotation == str | UnsetType:
        return TEXT.map(lambda text: text or UNSET)
    if origin is dict:
        return st.dictionaries(values(arguments[0]), values(arguments[1]), max_size=3)
    if origin is tuple:
        return st.lists(values(arguments[0]), max_size=3).map(tuple)
    if origin is UnionType:
        return st.one_of([values(argument) for argument in arguments])
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        omitted = OMITTED.get(annotation, {})
        strategies = {
            it.name: st.just(omitted[it.name]) if it.name in omitted else values(it.type) for it in fields(annotation)
        }
        return st.builds(annotation, **strategies)
    raise TypeError(annotation)


def sent_fields(struct: type[Struct]) -> dict[str, Any]:
    """Return the annotations of the fields that are sent."""
    omitted = OMITTED.get(struct, {})
    return {info.name: info.type for info in fields(struct) if info.name not in omitted}


Field = descriptor_pb2.FieldDescriptorProto
STRING = Field.TYPE_STRING
INT = Field.TYPE_INT32


def create_message_type(message_name: str, /, **types: int) -> type[Message]:
    """Return a message type with fields of these types. A negative type is repeated."""
    file = descriptor_pb2.FileDescriptorProto(name="made_up.proto", syntax="proto3")
    message = file.message_type.add(name=message_name)
    for number, (field, type_) in enumerate(types.items(), 1):
        label = Field.LABEL_REPEATED if type_ < 0 else Field.LABEL_OPTIONAL
        message.field.add(name=field, number=number, type=Field.Type.ValueType(abs(type_)), label=label)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(message_name))


def create_nested_message_type(holder_name: str, field: str, nested_name: str, /, **types: int) -> type[Message]:
    """Return a message type with one field, a message with fields of these types."""
    file = descriptor_pb2.FileDescriptorProto(name="made_up_holder.proto", syntax="proto3")
    nested = file.message_type.add(name=nested_name)
    for number, (name, type_) in enumerate(types.items(), 1):
        nested.field.add(name=name, number=number, type=Field.Type.ValueType(type_), label=Field.LABEL_OPTIONAL)
    holder = file.message_type.add(name=holder_name)
    holder.field.add(
        name=field, number=1, type=Field.TYPE_MESSAGE, type_name=f".{nested_name}", label=Field.LABEL_OPTIONAL
    )
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(holder_name))
