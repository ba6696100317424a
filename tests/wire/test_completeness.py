"""Every struct of every title has its message, with the same fields, and no message is left without a struct."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Any, get_args, get_origin

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor, FileDescriptor
from msgspec import NODEFAULT, Struct, UnsetType
from msgspec.structs import fields
from tests.wire.structs import sent_fields

from boardkeeper.game.events import GAME_EVENTS
from boardkeeper.table.effects import Effect
from boardkeeper.titles.registry import TITLES, load_title
from boardkeeper.v1 import board_pb2, command_pb2, effect_pb2, event_pb2
from boardkeeper.wire.plans import descriptor_of, field_name
from boardkeeper.wire.title import load_wire

SCALARS = {str: {"string"}, bool: {"bool"}, int: {"int32", "int64"}}
PROTO_NAMES = {
    FieldDescriptor.TYPE_STRING: "string",
    FieldDescriptor.TYPE_BOOL: "bool",
    FieldDescriptor.TYPE_INT32: "int32",
    FieldDescriptor.TYPE_INT64: "int64",
}


def expected(annotation: Any) -> set[str]:
    """How a field of that type may be written in a .proto file."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if annotation in SCALARS:
        return SCALARS[annotation]
    if annotation == str | UnsetType:
        return SCALARS[str]
    if origin is dict:
        return {f"map<{key}, {value}>" for key in expected(arguments[0]) for value in expected(arguments[1])}
    if origin is tuple:
        return {f"repeated {item}" for item in expected(arguments[0])}
    if origin is UnionType and {NoneType, UnsetType} & set(arguments):  # an unset message
        (kind,) = (argument for argument in arguments if argument not in (NoneType, UnsetType))
        return expected(kind)
    if origin is UnionType:
        return {"Scalar"}  # the only union within a struct
    name: str = annotation.__name__
    return {name}


def written(field: FieldDescriptor) -> str:
    """How a field is written in its .proto file, without ``optional``."""
    message = field.message_type
    if message is None:
        name = PROTO_NAMES[field.type]
    elif message.GetOptions().map_entry:
        return f"map<{written(message.fields_by_name['key'])}, {written(message.fields_by_name['value'])}>"
    else:
        name = message.name
    return f"repeated {name}" if field.is_repeated else name


def reachable(struct: type[Struct]) -> dict[str, type[Struct]]:
    """A struct and all structs within it, by name."""
    found = {struct.__name__: struct}
    waiting = list(sent_fields(struct).values())
    while waiting:
        annotation = waiting.pop()
        waiting += get_args(annotation)
        if isinstance(annotation, type) and issubclass(annotation, Struct) and annotation.__name__ not in found:
            found |= reachable(annotation)
    return found


def all_reachable(structs: tuple[type[Struct], ...]) -> dict[str, type[Struct]]:
    return {name: found for struct in structs for name, found in reachable(struct).items()}


FILES: list[tuple[FileDescriptor, dict[str, type[Struct]], set[str]]] = [
    (effect_pb2.DESCRIPTOR, all_reachable(get_args(Effect)), {"Effect", "Scalar"}),
    (event_pb2.DESCRIPTOR, all_reachable(GAME_EVENTS), {"Event", "EventDetail"}),
]
ONEOFS: list[tuple[Descriptor, tuple[type[Struct], ...]]] = [(effect_pb2.Effect.DESCRIPTOR, get_args(Effect))]
for title in map(load_wire, TITLES):
    for envelope, structs in ((title.command_message, title.commands), (title.event_message, title.events)):
        descriptor = descriptor_of(envelope)
        FILES.append((descriptor.file, all_reachable(structs), {descriptor.name}))
        ONEOFS.append((descriptor, structs))
    FILES.append((descriptor_of(title.board_message).file, reachable(title.board), set()))


def test_every_registered_title_goes_over_the_wire() -> None:
    for id in TITLES:
        wire, rules = load_wire(id), load_title(id)
        assert list(wire.commands) == list(rules.commands.values())
        assert list(wire.events) == list(rules.events.values())


@pytest.mark.parametrize("envelope", [command_pb2.Command, board_pb2.Board], ids=lambda message: message.__name__)
def test_an_envelope_has_a_field_for_every_title(envelope: Any) -> None:
    assert set(TITLES) <= {field.name for field in envelope.DESCRIPTOR.fields}


def test_event_details_have_a_field_for_every_title_and_game_event() -> None:
    names = {field.name for field in event_pb2.EventDetail.DESCRIPTOR.fields}
    assert names >= set(TITLES) | {field_name(struct) for struct in GAME_EVENTS}


@pytest.mark.parametrize(("file", "structs", "envelopes"), FILES, ids=[entry[0].name for entry in FILES])
def test_structs_and_messages_of_a_file_are_the_same(
    file: FileDescriptor, structs: dict[str, type[Struct]], envelopes: set[str]
) -> None:
    assert set(file.message_types_by_name) - envelopes == set(structs)


@pytest.mark.parametrize(("oneof", "structs"), ONEOFS, ids=[entry[0].full_name for entry in ONEOFS])
def test_a_oneof_has_every_struct(oneof: Descriptor, structs: tuple[type[Struct], ...]) -> None:
    by_name = {field.name: field.message_type and field.message_type.name for field in oneof.oneofs[0].fields}
    assert by_name == {field_name(struct): struct.__name__ for struct in structs}


EVERY_STRUCT = [
    (struct, file.message_types_by_name[name])
    for file, found, _ in FILES
    for name, struct in found.items()
    if name in file.message_types_by_name  # the test above says which are missing
]


@pytest.mark.parametrize(("struct", "message"), EVERY_STRUCT, ids=[entry[1].full_name for entry in EVERY_STRUCT])
def test_fields_have_the_same_names_and_types(struct: type[Struct], message: Descriptor) -> None:
    annotations = sent_fields(struct)
    assert {field.name for field in message.fields} == set(annotations)
    for field in message.fields:
        assert written(field) in expected(annotations[field.name]), field.name


@pytest.mark.parametrize(("struct", "message"), EVERY_STRUCT, ids=[entry[1].full_name for entry in EVERY_STRUCT])
def test_a_default_other_than_zero_is_optional_on_the_wire(struct: type[Struct], message: Descriptor) -> None:
    """Absent must mean the struct's default, and a plain field's absence means zero."""
    for info in fields(struct):
        field = message.fields_by_name.get(info.name)
        if field is not None and field.message_type is None:
            assert field.has_presence == (info.default is not NODEFAULT and bool(info.default)), info.name
