"""The messages of a title follow from its structs, and field numbers never change."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import pytest
from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto, FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from msgspec import Meta, Struct, defstruct
from tests.service.tiny_title import TinyTitle

from boardkeeper.titles.registry import TITLES, load_title
from boardkeeper.wire.plans import descriptor_of, plan_struct, plan_union
from boardkeeper.wire.schema import FIXED, SchemaError, fixed_schema, messages_of, schema_of
from boardkeeper.wire.title import fixed_numbers


class Card(Struct, frozen=True):
    suit: str
    rank: Annotated[int, Meta(ge=0, le=13)]


class Play(Struct, frozen=True):
    card: Card
    onto: Card | None = None
    bid: Card | int | str = 0
    face: str = "up"


class Played(Struct, frozen=True):
    cards: tuple[Card, ...]
    left: dict[str, Annotated[int, Meta(ge=0)]]
    sure: bool = False


class Board(Struct, frozen=True):
    seats: tuple[Play, ...]


def title(commands: Iterable[type[Struct]], board: type[Struct] | None = None) -> TinyTitle:
    made = TinyTitle()
    made.commands = {kind.__name__: kind for kind in commands}
    made.events = {"Played": Played}
    made.board_type = board
    return made


def command(*fields: Any) -> TinyTitle:
    """A title with one command ``Do`` with these fields."""
    return title([defstruct("Do", fields, frozen=True)])


def message(schema: FileDescriptorSet, name: str) -> DescriptorProto:
    (found,) = (it for file in schema.file for it in file.message_type if it.name == name)
    return found


def numbers(schema: FileDescriptorSet, name: str) -> dict[str, int]:
    return {field.name: field.number for field in message(schema, name).field}


def normal(file: FileDescriptorProto) -> dict[str, object]:
    """Return the content of a file, independent of the order of its messages. Generated code has no JSON names."""
    rest = FileDescriptorProto.FromString(file.SerializeToString())
    messages = {it.name: DescriptorProto.FromString(it.SerializeToString()) for it in rest.message_type}
    for message in messages.values():
        for field in (*message.field, *(field for entry in message.nested_type for field in entry.field)):
            field.ClearField("json_name")
    del rest.message_type[:]
    return {"": rest, **messages}


# --- our titles ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", TITLES)
def test_derived_messages_are_those_of_the_published_protos(id: str) -> None:
    published = fixed_numbers(id)
    assert published is not None
    derived = schema_of(load_title(id), published)
    for file, expected in zip(derived.file, published.file, strict=True):
        assert normal(file) == normal(expected)


def test_messages_of_the_last_release_still_exist(repository: Path) -> None:
    baseline = FileDescriptorSet.FromString((repository / "proto" / "baseline.binpb").read_bytes())
    released = {file.name: file for file in baseline.file}
    for id in TITLES:
        derived = schema_of(load_title(id), fixed_numbers(id))
        for file in derived.file:
            for old in released[file.name].message_type if file.name in released else ():
                new = message(FileDescriptorSet(file=[file]), old.name)
                assert [it.SerializeToString() for it in new.field[: len(old.field)]] == [
                    it.SerializeToString() for it in old.field
                ]


# --- other titles --------------------------------------------------------------------------------------------


def test_a_title_without_protos_uses_messages_created_at_run_time() -> None:
    schema = schema_of(title([Play], Board))
    made = messages_of(schema, DescriptorPool())
    assert [file.name.rpartition("/")[2] for file in schema.file] == ["commands.proto", "events.proto", "board.proto"]
    assert list(schema.file[1].dependency) == ["boardkeeper/tiny/v1/commands.proto"]
    assert {field.name: field.type_name for field in message(schema, "Command").field} == {
        "play": ".boardkeeper.tiny.v1.Play"
    }
    play = Play(Card("hearts", 1), None, Card("spades", 9), "down")
    commands = plan_union([Play], descriptor_of(made["Command"]))
    events = plan_union([Played], descriptor_of(made["EventDetail"]))
    boards = plan_struct(Board, descriptor_of(made["Board"]))
    for plan, kind, value in (
        (commands, "Command", play),
        (commands, "Command", Play(Card("", 0), Card("hearts", 3), "pass")),
        (commands, "Command", Play(Card("", 0), bid=7)),
        (events, "EventDetail", Played((Card("hearts", 1),), {"spades": 3})),
        (boards, "Board", Board((play, play))),
    ):
        sent = made[kind](**plan.encode(value)).SerializeToString()
        assert plan.decode(made[kind].FromString(sent)) == value


def test_a_pool_has_one_schema_of_a_title() -> None:
    pool = DescriptorPool()
    schema = schema_of(title([Play]))
    assert messages_of(schema, pool) == messages_of(schema_of(title([Play])), pool)
    with pytest.raises(TypeError):
        messages_of(schema_of(title([Card])), pool)


def test_a_title_without_a_typed_board_has_a_board_without_fields() -> None:
    assert not message(schema_of(title([Play])), "Board").field


# --- numbers -------------------------------------------------------------------------------------------------


def test_numbers_follow_the_declaration() -> None:
    assert numbers(schema_of(command(("b", int), ("a", int))), "Do") == {"b": 1, "a": 2}


def test_a_field_keeps_its_number_and_a_new_one_gets_the_next() -> None:
    first = schema_of(command(("b", int), ("a", int)))
    second = schema_of(command(("c", int), ("a", int), ("b", int)), first)
    assert numbers(second, "Do") == {"b": 1, "a": 2, "c": 3}


def test_the_number_and_name_of_a_removed_field_stay_reserved() -> None:
    first = schema_of(command(("a", int), ("b", int)))
    second = schema_of(command(("a", int)), first)
    third = schema_of(command(("a", int), ("c", int)), second)
    assert numbers(third, "Do") == {"a": 1, "c": 3}
    for schema in (second, third):
        assert [(it.start, it.end) for it in message(schema, "Do").reserved_range] == [(2, 3)]
        assert list(message(schema, "Do").reserved_name) == ["b"]
    messages_of(third, DescriptorPool())
    with pytest.raises(SchemaError, match=r"Do\.b was removed earlier"):
        schema_of(command(("a", int), ("b", int)), third)


def test_a_field_cannot_change_its_type() -> None:
    first = schema_of(command(("a", int)))
    with pytest.raises(SchemaError, match=r"Do\.a has another type than before"):
        schema_of(command(("a", str)), first)


def test_a_package_fixes_numbers_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "a_title_with_numbers"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "commands.py").write_text("from msgspec import Struct\n\n\nclass Do(Struct):\n    a: int\n    b: int\n")
    monkeypatch.syspath_prepend(tmp_path)
    made = title([importlib.import_module("a_title_with_numbers.commands").Do])
    assert fixed_schema(made) is None
    first = schema_of(command(("b", int), ("a", int)))
    (package / FIXED).write_bytes(first.SerializeToString())
    assert fixed_schema(made) == first
    assert numbers(schema_of(made, fixed_schema(made)), "Do") == {"b": 1, "a": 2}


# --- errors --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("annotation", "error"),
    [
        (float, "has no field for"),
        (int | None, "has no field for"),
        (tuple[int, str], "has no field for"),
        (tuple[dict[str, int], ...], "has no field for"),
        (dict[int, int], "keys of str"),
        (dict[str, Card], "values of int, str or bool"),
    ],
    ids=str,
)
def test_a_field_of_another_type_is_an_error_that_names_it(annotation: Any, error: str) -> None:
    with pytest.raises(SchemaError, match=rf"Do\.what: .*{error}"):
        schema_of(command(("what", annotation)))


def test_a_list_can_only_be_empty_by_default() -> None:
    with pytest.raises(SchemaError, match=r"Do\.what: .* default"):
        schema_of(command(("what", tuple[int, ...], (1,))))


def test_a_title_needs_a_command() -> None:
    with pytest.raises(SchemaError, match="Command needs at least one struct"):
        schema_of(title([]))


def test_two_structs_of_one_name_are_an_error() -> None:
    for struct in (defstruct("Played", []), defstruct("Command", [])):
        with pytest.raises(SchemaError, match="rename"):
            schema_of(title([struct]))


def test_the_struct_of_a_board_must_be_named_board() -> None:
    with pytest.raises(SchemaError, match="must be named Board"):
        schema_of(title([Play], Card))
