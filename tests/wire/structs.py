"""Arbitrary values of a struct's type, and message types made up on the spot."""

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
    """Values of a type as structs may have it."""
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
        left_out = OMITTED.get(annotation, {})
        own = {
            it.name: st.just(left_out[it.name]) if it.name in left_out else values(it.type) for it in fields(annotation)
        }
        return st.builds(annotation, **own)
    raise TypeError(annotation)


def sent_fields(struct: type[Struct]) -> dict[str, Any]:
    """The annotations of the fields that go over the wire."""
    left_out = OMITTED.get(struct, {})
    return {info.name: info.type for info in fields(struct) if info.name not in left_out}


Field = descriptor_pb2.FieldDescriptorProto
STRING = Field.TYPE_STRING
INT = Field.TYPE_INT32


def made_up_message(message_name: str, /, **types: int) -> type[Message]:
    """A message with fields of these types; a negative one is repeated."""
    file = descriptor_pb2.FileDescriptorProto(name="made_up.proto", syntax="proto3")
    message = file.message_type.add(name=message_name)
    for number, (field, type_) in enumerate(types.items(), 1):
        label = Field.LABEL_REPEATED if type_ < 0 else Field.LABEL_OPTIONAL
        message.field.add(name=field, number=number, type=Field.Type.ValueType(abs(type_)), label=label)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(message_name))


def made_up_holder(holder_name: str, field: str, held_name: str, /, **types: int) -> type[Message]:
    """A message with one field that is a message with fields of these types."""
    file = descriptor_pb2.FileDescriptorProto(name="made_up_holder.proto", syntax="proto3")
    held = file.message_type.add(name=held_name)
    for number, (name, type_) in enumerate(types.items(), 1):
        held.field.add(name=name, number=number, type=Field.Type.ValueType(type_), label=Field.LABEL_OPTIONAL)
    holder = file.message_type.add(name=holder_name)
    holder.field.add(
        name=field, number=1, type=Field.TYPE_MESSAGE, type_name=f".{held_name}", label=Field.LABEL_OPTIONAL
    )
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(holder_name))
