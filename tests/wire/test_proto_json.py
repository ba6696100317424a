"""Messages as JSON are written and read as by protobuf's own module, for every message of the API."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from typing import Any, cast

import pytest
from google.protobuf import any_pb2, duration_pb2, json_format, struct_pb2, timestamp_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor, FileDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2, status_pb2
from tests.wire.structs import create_message_type

from boardkeeper.service.requests.errors import InvalidRequestError
from boardkeeper.service.transport.json_parser import read_message
from boardkeeper.titles.registry import TITLES
from boardkeeper.v1 import (
    access_pb2,
    catalog_pb2,
    effect_pb2,
    feed_pb2,
    game_pb2,
    games_pb2,
    history_pb2,
    players_pb2,
    table_pb2,
    webhooks_pb2,
)
from boardkeeper.wire.plans import descriptor_of
from boardkeeper.wire.proto_json import encode_json
from boardkeeper.wire.title import load_title_wire

FILES = [access_pb2, catalog_pb2, feed_pb2, games_pb2, history_pb2, players_pb2, table_pb2, webhooks_pb2]
MESSAGES_OF_A_TYPE = 12
TEXTS = ["", "a", "Ä\u2028\x7f", 'a "quoted" \\ line\n\t\x00', "\U0001f3b2", "{}", "0"]
DOUBLES = [0.0, -0.0, 1.0, 0.1, -2.5, 1e16, 1e300, 5e-324, math.inf, -math.inf, math.nan]
INTEGERS = {
    FieldDescriptor.CPPTYPE_INT32: (-(1 << 31), (1 << 31) - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(1 << 63), (1 << 63) - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, (1 << 32) - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, (1 << 64) - 1),
}


def _files(file: FileDescriptor, found: dict[str, FileDescriptor]) -> None:
    if file.name not in found and file.package != "google.protobuf":
        found[file.name] = file
        for imported in file.dependencies:
            _files(imported, found)


def _types() -> Iterator[Descriptor]:
    """All message types of the API, of all titles, and of errors."""
    found: dict[str, FileDescriptor] = {}
    for module in (*FILES, error_details_pb2, status_pb2):
        _files(cast(FileDescriptor, module.DESCRIPTOR), found)
    for title in TITLES:
        wire = load_title_wire(title)
        for message in (wire.command_message, wire.event_message, wire.board_message):
            _files(descriptor_of(message).file, found)
    waiting = [kind for file in found.values() for kind in file.message_types_by_name.values()]
    while waiting:
        kind = waiting.pop()
        waiting += kind.nested_types
        if not kind.GetOptions().map_entry:
            yield kind


TYPES = {message.full_name: message for message in _types()}
TYPES_OF_FILES = {
    file: [name for name, message in TYPES.items() if message.file.name == file]
    for file in sorted({message.file.name for message in TYPES.values()})
}


def random_message(message: Descriptor, chance: random.Random, depth: int = 0) -> Message:
    """A message with random fields; deep messages have only scalar fields."""
    made = GetMessageClass(message)()
    if isinstance(made, timestamp_pb2.Timestamp):
        return timestamp_pb2.Timestamp(seconds=chance.randrange(1 << 32), nanos=chance.choice([0, 5_000_000, 1]))
    if isinstance(made, duration_pb2.Duration):
        return duration_pb2.Duration(seconds=chance.randrange(1 << 32), nanos=chance.choice([0, 5_000_000, 1]))
    if isinstance(made, any_pb2.Any):
        made.Pack(chance.choice([error_details_pb2.ErrorInfo(reason="R"), duration_pb2.Duration(seconds=2)]))
        return made
    if isinstance(made, struct_pb2.Struct):
        made.update({"a": [1.5, None, True, {"b": "c"}]})
        return made
    for field in message.fields:
        if chance.random() < 0.4 or (field.message_type is not None and depth > 3):
            continue
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            value = field.message_type.fields_by_name["value"]
            for key in chance.sample(TEXTS, 3):
                if value.message_type is None:
                    getattr(made, field.name)[key] = random_value(value, chance, depth)
                else:
                    getattr(made, field.name)[key].CopyFrom(random_value(value, chance, depth))
        elif field.is_repeated:
            getattr(made, field.name).extend([random_value(field, chance, depth) for _ in range(chance.randrange(4))])
        elif field.message_type is not None:
            getattr(made, field.name).CopyFrom(random_value(field, chance, depth))
        else:
            setattr(made, field.name, random_value(field, chance, depth))
    return made


def random_value(field: FieldDescriptor, chance: random.Random, depth: int) -> Any:
    if field.message_type is not None:
        return random_message(field.message_type, chance, depth + 1)
    if field.enum_type is not None:
        unknown = [] if field.enum_type.is_closed else [999]
        return chance.choice([*(value.number for value in field.enum_type.values), *unknown])
    if field.type == FieldDescriptor.TYPE_BYTES:
        return chance.randbytes(chance.randrange(5))
    if field.cpp_type in INTEGERS:
        least, most = INTEGERS[field.cpp_type]
        return chance.choice([least, most, 0, 1, chance.randint(least, most)])
    if field.cpp_type == FieldDescriptor.CPPTYPE_DOUBLE:
        return chance.choice(DOUBLES)
    return chance.random() < 0.5 if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL else chance.choice(TEXTS)


def read(text: str) -> object:
    """JSON with the order of its members and the kinds of its numbers, which equality of dictionaries ignores."""
    return json.loads(text, object_pairs_hook=list, parse_float=lambda number: f"float {float(number)!r}")


def assert_same(message: Message) -> None:
    theirs = json_format.MessageToJson(message, indent=None, ensure_ascii=False)
    assert read(encode_json(message).decode()) == read(theirs)


@pytest.mark.parametrize("names", TYPES_OF_FILES.values(), ids=TYPES_OF_FILES)
def test_every_message_is_encoded_like_protobuf(names: list[str]) -> None:
    for name in names:
        chance = random.Random(name)
        assert_same(GetMessageClass(TYPES[name])())
        for _ in range(MESSAGES_OF_A_TYPE):
            assert_same(random_message(TYPES[name], chance))


def test_every_kind_of_scalar_is_encoded_like_protobuf() -> None:
    types = {name.lower(): number for name, number in FieldDescriptor.__dict__.items() if name.startswith("TYPE_")}
    for omitted in ("type_float", "type_group", "type_message", "type_enum"):  # no message of ours has the first two
        del types[omitted]
    kind = create_message_type("Scalars", **types, **{f"many_{name}": -number for name, number in types.items()})
    chance = random.Random(1)
    for _ in range(100):
        assert_same(random_message(descriptor_of(kind), chance))


def test_the_text_is_compact() -> None:
    zone = table_pb2.Zone(id="café", seen=True, count=0, order=["a", "b"])
    assert encode_json(zone) == '{"id":"café","seen":true,"count":0,"order":["a","b"]}'.encode()


def test_cached_parts_are_distinguished() -> None:
    for number in (1, 2, 1):
        effects = [effect_pb2.Effect(set=effect_pb2.Set(marker="m", after=effect_pb2.Scalar(number=number)))] * 2
        legal = games_pb2.ListLegalCommandsResponse()
        legal.commands.add().effects.extend(effects)
        assert_same(legal)
    large = table_pb2.Table(zones=[table_pb2.Zone(id="x" * 2000)] * 2)
    assert_same(large)


# --- reading -------------------------------------------------------------------------------------------------

ODD_VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 1 << 31, 1 << 64, 1.0, 1.5, math.nan, "", "1", "-0", "007", "1.0", " 1", "1e3", "٣",
    "true", "Ä", "\ud800", "Zg==", "3s", "2026-11-27T10:00:00Z", [], [None], [[]], {}, {"": 1}, {"a": "b"},
]  # fmt: skip


def mutate(value: Any, chance: random.Random) -> Any:
    """The same JSON with an odd value or key in one place of it."""
    if isinstance(value, dict) and value and chance.random() < 0.85:
        key = chance.choice(list(value))
        if chance.random() < 0.15:
            return {**value, chance.choice(["odd", key.upper(), f"[{key}]", "\ud800"]): value[key]}
        return {**value, key: mutate(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.7:
        at = chance.randrange(len(value))
        return [*value[:at], mutate(value[at], chance), *value[at + 1 :]]
    return chance.choice(ODD_VALUES)


def parse_or_none(kind: type[Message], value: Any) -> Message | None:
    try:
        return json_format.ParseDict(value, kind())
    except (json_format.ParseError, ValueError, TypeError, AttributeError, SystemError):
        return None


def read_or_none(kind: type[Message], value: Any) -> Message | None:
    try:
        return read_message(kind, value)
    except (InvalidRequestError, ValueError, TypeError, AttributeError, SystemError):
        return None


@pytest.mark.parametrize("names", TYPES_OF_FILES.values(), ids=TYPES_OF_FILES)
def test_a_message_is_read_like_protobuf(names: list[str]) -> None:
    for name in names:
        chance = random.Random(name)
        kind = GetMessageClass(TYPES[name])
        for _ in range(MESSAGES_OF_A_TYPE):
            message = random_message(TYPES[name], chance)
            for preserving in (False, True):
                value = json_format.MessageToDict(message, preserving_proto_field_name=preserving)
                assert read_or_none(kind, value) in (None, parse_or_none(kind, value))
                for _ in range(MESSAGES_OF_A_TYPE):
                    odd = mutate(value, chance)
                    assert read_or_none(kind, odd) in (None, parse_or_none(kind, odd)), odd


def test_requests_are_read_with_all_forms_of_their_values() -> None:
    command: Any = {"orleans": {"pass": {}}}
    play: Any = {"commands": [command], "expected_version": 1 << 40}
    created: Any = {"seats": [{"name": "Ada"}, {}], "options": {"a": "b"}, "position": {}}
    requests: list[Message] = [
        games_pb2.GetGameRequest(game_id="a", min_version=0),
        games_pb2.ListGamesRequest(status=game_pb2.GAME_STATUS_OPEN, title="Ä", page_size=3),
        games_pb2.CreateGameRequest(**created),
        games_pb2.PlayRequest(commands=play),
        history_pb2.ImportRecordRequest(data=b"a record"),
        access_pb2.RotateAccessKeyRequest(overlap=duration_pb2.Duration(seconds=3)),
    ]
    for request in requests:
        value = json_format.MessageToDict(request)
        assert read_message(type(request), value) == request
        with pytest.raises(InvalidRequestError, match="is not a field"):
            read_message(type(request), {**value, "odd": "a"})
    assert read_message(games_pb2.GetGameRequest, {"gameId": None}) == games_pb2.GetGameRequest()


@pytest.mark.parametrize(
    ("kind", "value", "path"),
    [
        (games_pb2.GetGameRequest, {"gameId": "a", "game_id": "a"}, "game_id"),
        (games_pb2.GetGameRequest, {"game_id": "\ud800"}, "game_id"),
        (games_pb2.PlayRequest, {"commands": {}, "action": {}}, "action"),
        (games_pb2.CreateGameRequest, {"seats": [{}, None]}, "seats[1]"),
        (games_pb2.CreateGameRequest, {"seats": [{}, {"name": 1}]}, "seats[1].name"),
        (games_pb2.CreateGameRequest, {"options": {"a": 1}}, "options.a"),
        (games_pb2.ListGamesRequest, {"pageSize": 1 << 31}, "page_size"),
        (games_pb2.ListGamesRequest, {"status": "ODD"}, "status"),
        (history_pb2.ImportRecordRequest, {"data": "a record"}, "data"),
    ],
)
def test_an_error_names_the_field(kind: type[Message], value: Any, path: str) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        read_message(kind, value)
    assert set(caught.value.violations) == {path}
