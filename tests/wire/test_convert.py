"""The converter between structs and messages, and its errors."""

from __future__ import annotations

import pytest
from google.protobuf.message import Message
from msgspec import Struct
from tests.wire.structs import INT, STRING, create_message_type, create_nested_message_type

from boardkeeper.families.followers.board import PlaceView, SpaceView
from boardkeeper.orleans.v1 import board_pb2, commands_pb2, events_pb2
from boardkeeper.table.effects import Effect, Move, Set
from boardkeeper.titles.orleans import commands, events
from boardkeeper.titles.orleans.board import Board
from boardkeeper.v1 import effect_pb2
from boardkeeper.wire.convert import from_message, to_message
from boardkeeper.wire.errors import ConversionError
from boardkeeper.wire.messages import effect_from_message, effect_to_message


class Ship(Struct, frozen=True):
    name: str
    cargo: tuple[int, ...] = ()


class Port(Struct, frozen=True):
    name: str


class Pier(Struct, frozen=True, kw_only=True):
    length: int = 0
    name: str


class Harbour(Struct, frozen=True):
    port: Port | None = None


class Town(Struct, frozen=True):
    port: Port


def test_a_struct_becomes_the_message_of_its_name() -> None:
    message = to_message(commands.PlaceFollower("farmer", "ship", "farmer", True), commands_pb2.PlaceFollower)
    assert message == commands_pb2.PlaceFollower(follower="farmer", place="ship", space="farmer", from_tower=True)


def test_a_message_becomes_the_struct_of_its_name() -> None:
    struct = from_message(events_pb2.CensusHeld(leader=2), events.CensusHeld)
    assert struct == events.CensusHeld(leader=2, last=0)


def test_a_struct_with_keyword_only_fields_is_converted() -> None:
    message = create_message_type("Pier", length=INT, name=STRING)
    for pier in (Pier(name="west"), Pier(length=3, name="")):
        assert from_message(to_message(pier, message), Pier) == pier


def test_an_absent_optional_field_means_the_default() -> None:
    absent = commands_pb2.SendToDeed(place="town_hall")
    assert from_message(absent, commands.SendToDeed).reward == "coins"
    empty = commands_pb2.SendToDeed(place="town_hall", reward="")
    assert from_message(empty, commands.SendToDeed).reward == ""


def test_an_optional_struct_can_be_absent() -> None:
    message = create_nested_message_type("Harbour", "port", "Port", name=STRING)
    for harbour in (Harbour(), Harbour(Port("Brest")), Harbour(Port(""))):
        sent = to_message(harbour, message)
        assert sent.HasField("port") == (harbour.port is not None)
        assert from_message(message.FromString(sent.SerializeToString()), Harbour) == harbour


def test_a_required_struct_must_be_present() -> None:
    message = create_nested_message_type("Town", "port", "Port", name=STRING)
    with pytest.raises(ConversionError, match="`port` is missing"):
        from_message(message(), Town)


def test_a_scalar_keeps_its_type() -> None:
    for effect in (Set("round", 0, 1), Set("seat.1.merchant", "", "orleans")):
        assert effect_from_message(effect_to_message(effect)) == effect


# --- errors --------------------------------------------------------------------------------------------------


def space(**wrong: object) -> SpaceView:
    values: dict[str, object] = {"space": "knight", "requires": "knight", "occupant": "", "changeable": False} | wrong
    return SpaceView(**values)  # type: ignore[arg-type]  # wrong on purpose


def test_a_number_that_is_too_large_is_an_error_with_its_field() -> None:
    with pytest.raises(ConversionError, match="count") as caught:
        to_message(commands.DrawFollowers(2**31), commands_pb2.DrawFollowers)
    assert caught.value.field == "count"


def test_a_value_of_another_type_is_an_error_with_its_path() -> None:
    place = PlaceView("ship", (space(), space(requires=7)), active=True)
    with pytest.raises(ConversionError) as caught:
        to_message(place, board_pb2.PlaceView)
    assert caught.value.field == "spaces[1].requires"


def test_invalid_unicode_is_an_error() -> None:
    with pytest.raises(ConversionError) as caught:
        to_message(commands.UsePlace("\ud800"), commands_pb2.UsePlace)
    assert caught.value.field == "place"


def test_a_value_of_no_alternative_of_a_union_is_an_error_with_its_path() -> None:
    with pytest.raises(ConversionError, match=r"`set\.before` cannot be a float, as boardkeeper\.v1\.Scalar"):
        effect_to_message(Set("round", 0.5, 1))  # type: ignore[arg-type]


def test_a_struct_that_is_not_an_effect_is_an_error() -> None:
    with pytest.raises(ConversionError, match=r"cannot be a UsePlace, as boardkeeper\.v1\.Effect"):
        effect_to_message(commands.UsePlace("ship"))  # type: ignore[arg-type]


def test_an_absent_message_is_an_error_with_its_path() -> None:
    with pytest.raises(ConversionError, match="`hour_glass` is missing"):
        from_message(board_pb2.Board(round=1), Board)


ONE = effect_pb2.Scalar(number=1)


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (effect_pb2.Effect(), "effect"),
        (effect_pb2.Effect(set=effect_pb2.Set(marker="round")), "set.before"),
        (effect_pb2.Effect(set=effect_pb2.Set(before=ONE)), "set.after"),
        (effect_pb2.Effect(set=effect_pb2.Set(before=effect_pb2.Scalar(), after=ONE)), "set.before.value"),
    ],
)
def test_an_effect_with_an_unset_field_is_an_error_with_its_path(message: effect_pb2.Effect, field: str) -> None:
    with pytest.raises(ConversionError) as caught:
        effect_from_message(message)
    assert caught.value.field == field


def test_effects_have_their_messages() -> None:
    effect: Effect = Move("farmer", 2, "supply", "seat.1.bag")
    message = effect_to_message(effect)
    assert message.WhichOneof("effect") == "move"
    assert message.move.count == 2


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (create_message_type("Boat", name=STRING, cargo=-INT), "Ship is not Boat"),
        (create_message_type("Ship", name=STRING), "differ in cargo"),
        (create_message_type("Ship", name=STRING, cargo=-INT, flag=STRING), "differ in flag"),
        (create_message_type("Ship", name=INT, cargo=-INT), "name cannot be converted"),
        (create_message_type("Ship", name=STRING, cargo=INT), "cargo cannot be converted"),
        (create_message_type("Ship", name=-STRING, cargo=-INT), "name cannot be converted"),
        (create_message_type("Ship", name=STRING, cargo=-STRING), "cargo cannot be converted"),
    ],
)
def test_types_that_do_not_match_are_an_error(message: type[Message], reason: str) -> None:
    with pytest.raises(TypeError, match=reason):
        to_message(Ship("Anna"), message)


def test_types_that_match_need_no_registration() -> None:
    message = to_message(Ship("Anna", (1, 2)), create_message_type("Ship", name=STRING, cargo=-INT))
    assert from_message(message, Ship) == Ship("Anna", (1, 2))
