"""Commands, boards, effects and events of every title survive a round trip over the wire."""

from __future__ import annotations

from typing import Any, get_args
from uuid import UUID

import pytest
from google.protobuf.message import Message
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace
from tests.wire.structs import values

from boardkeeper.game.events import GAME_EVENTS, GameEvent, GameStarted, SeatJoined
from boardkeeper.orleans.v1 import board_pb2 as orleans_board_pb2
from boardkeeper.orleans.v1 import commands_pb2, events_pb2
from boardkeeper.table.effects import Ask, Draw, Effect, Move
from boardkeeper.titles.orleans.commands import PlaceFollower
from boardkeeper.titles.orleans.events import FollowersDrawn
from boardkeeper.titles.registry import TITLES
from boardkeeper.v1 import board_pb2, command_pb2, event_pb2
from boardkeeper.wire import messages
from boardkeeper.wire.errors import ConversionError
from boardkeeper.wire.title import load_title_wire

GAME_ID = UUID("8f14e45f-ceea-467f-a0e6-2b1a3c5d7e9f")
WIRES = {id: load_title_wire(id) for id in TITLES}
COMMANDS = [(id, struct) for id, title in WIRES.items() for struct in title.commands]
DETAILS = [("game", struct) for struct in GAME_EVENTS]
DETAILS += [(id, struct) for id, title in WIRES.items() for struct in title.events]
BOARDS = [(id, title.board) for id, title in WIRES.items()]
FEW = settings(max_examples=15)


def names(cases: list[tuple[str, type[Struct]]]) -> list[str]:
    return [f"{owner}.{struct.__name__}" for owner, struct in cases]


def transmit(message: Any) -> Any:
    """Return the message after serialization and parsing."""
    return type(message).FromString(message.SerializeToString())


# --- round trips ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("title", "struct"), COMMANDS, ids=names(COMMANDS))
@FEW
@given(data=st.data())
def test_a_command_survives_a_round_trip(title: str, struct: type[Struct], data: st.DataObject) -> None:
    command = data.draw(values(struct))
    message = messages.command_to_message(title, command)
    assert messages.command_from_message(transmit(message)) == (title, command)
    hash(messages.command_from_message(transmit(message)))  # it must be hashable: it is cached and shared by games


@pytest.mark.parametrize(("owner", "struct"), DETAILS, ids=names(DETAILS))
@FEW
@given(data=st.data())
def test_an_event_detail_survives_a_round_trip(owner: str, struct: type[Struct], data: st.DataObject) -> None:
    detail = data.draw(values(struct))
    assert messages.detail_from_message(transmit(messages.detail_to_message(owner, detail))) == (owner, detail)


@pytest.mark.parametrize(("title", "struct"), BOARDS, ids=names(BOARDS))
@FEW
@given(data=st.data())
def test_a_board_survives_a_round_trip(title: str, struct: type[Struct], data: st.DataObject) -> None:
    board = data.draw(values(struct))
    assert messages.board_from_message(transmit(messages.board_to_message(title, board))) == (title, board)


@given(effect=values(Effect))
def test_an_effect_survives_a_round_trip(effect: Effect) -> None:
    assert messages.effect_from_message(transmit(messages.effect_to_message(effect))) == effect


def test_effects_of_every_kind_are_generated() -> None:
    """The round trip above covers each kind of effect."""
    assert [kind.__name__ for kind in get_args(Effect)] == ["Move", "Set", "Ask", "Draw", "Shuffle", "Reveal"]


@given(
    detail=st.sampled_from(DETAILS).flatmap(lambda case: st.tuples(st.just(case[0]), values(case[1]))),
    version=st.integers(1, 2**40),
    time=st.integers(0, 4_000_000_000_000),
    effects=st.lists(values(Effect), max_size=4).map(tuple),
)
def test_an_event_survives_a_round_trip(
    detail: tuple[str, Struct], version: int, time: int, effects: tuple[Effect, ...]
) -> None:
    owner, struct = detail
    topic = f"{owner}.{type(struct).__name__}"
    event = GameEvent(GAME_ID, version, topic, 3, "command-1", time, struct, effects)
    assert messages.event_from_message(transmit(messages.event_to_message(event))) == event


# --- events for viewers --------------------------------------------------------------------------------------


DRAWN = GameEvent(
    originator_id=GAME_ID,
    originator_version=12,
    topic="orleans.FollowersDrawn",
    seat=2,
    command_id="c-1",
    time=1_700_000_000_123,
    detail=FollowersDrawn(("farmer",)),
    effects=(Draw("seat.2.bag", 0, ("farmer",)), Move("farmer", 1, "seat.2.bag", "seat.2.market"), Ask(2, "draw", "")),
)


def test_the_fields_of_an_event() -> None:
    message = messages.event_to_message(DRAWN, "Anna draws a farmer.")
    assert message.game_id == str(GAME_ID)
    assert (message.version, message.name, message.seat) == (12, "FollowersDrawn", 2)
    assert message.command_id == "c-1"
    assert message.time.ToMilliseconds() == 1_700_000_000_123
    assert message.sentence == "Anna draws a farmer."
    assert list(message.detail.orleans.followers_drawn.followers) == ["farmer"]
    assert [effect.WhichOneof("effect") for effect in message.effects] == ["draw", "move", "ask"]


def test_a_redacted_event_has_neither_detail_nor_hidden_effects() -> None:
    shown = (Draw("seat.2.bag", 0, ("?",)),)
    message = messages.event_to_message(DRAWN, effects=shown, show_detail=False)
    assert message.name == "FollowersDrawn"
    assert not message.HasField("detail")
    assert b"farmer" not in message.SerializeToString()
    with pytest.raises(ConversionError, match="`detail` is not shown to this viewer"):
        messages.event_from_message(message)


def test_the_layout_of_a_table_is_not_sent() -> None:
    assert "layout" not in event_pb2.GameCreated.DESCRIPTOR.fields_by_name


def test_an_event_without_particulars_still_says_which_it_is() -> None:
    message = messages.detail_to_message("game", GameStarted())
    assert transmit(message).WhichOneof("detail") == "game_started"


# --- errors --------------------------------------------------------------------------------------------------


PLACE = messages.command_to_message("orleans", PlaceFollower("farmer", "ship", "farmer"))
UNKNOWN_FIELD = b"\xfa\x3f\x01x"  # field number 1023, one byte


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (command_pb2.Command(), "title"),
        (command_pb2.Command(orleans=commands_pb2.Command()), "orleans.command"),
    ],
)
def test_an_empty_command_is_an_error_with_its_field(message: command_pb2.Command, field: str) -> None:
    with pytest.raises(ConversionError, match="must be set") as caught:
        messages.command_from_message(message)
    assert caught.value.field == field


def command_with_unknown_field(level: int) -> command_pb2.Command:
    """Return a command with an unknown field at some depth."""
    message = command_pb2.Command()
    message.CopyFrom(PLACE)
    within: list[Message] = [message, message.orleans, message.orleans.place_follower]
    within[level].MergeFromString(UNKNOWN_FIELD)
    return message


@pytest.mark.parametrize(("level", "field"), [(0, ""), (1, "orleans"), (2, "orleans.place_follower")])
def test_a_command_with_an_unknown_field_is_an_error(level: int, field: str) -> None:
    with pytest.raises(ConversionError, match="the field number 1023, which is unknown") as caught:
        messages.command_from_message(command_with_unknown_field(level))
    assert caught.value.field == field


def test_the_cache_of_commands_does_not_accept_unknown_fields() -> None:
    for message in (command_with_unknown_field(0), command_with_unknown_field(1), command_with_unknown_field(2)):
        messages.command_from_message(PLACE)
        for _ in range(2):
            with pytest.raises(ConversionError, match="is unknown"):
                messages.command_from_message(message)


def test_a_long_command_is_not_cached() -> None:
    long = command_pb2.Command()
    long.CopyFrom(PLACE)
    long.orleans.place_follower.space = "s" * 10_000
    cached = messages._cached_command.cache_info().currsize
    _, command = messages.command_from_message(long)
    assert command == replace(messages.command_from_message(PLACE)[1], space="s" * 10_000)
    assert messages._cached_command.cache_info().currsize <= cached + 1  # for the short command


def test_unknown_fields_of_a_board_are_ignored() -> None:
    message = board_pb2.Board(orleans=orleans_board_pb2.Board(round=3, hour_glass=orleans_board_pb2.HourGlassView()))
    message.orleans.MergeFromString(UNKNOWN_FIELD)
    title, board = messages.board_from_message(message)
    assert title == "orleans"
    assert getattr(board, "round") == 3  # noqa: B009 - the type of the board depends on the title


def test_a_board_with_a_missing_field_is_an_error_with_its_path() -> None:
    with pytest.raises(ConversionError) as caught:
        messages.board_from_message(board_pb2.Board(orleans=orleans_board_pb2.Board(round=3)))
    assert caught.value.field == "orleans.hour_glass"


def test_an_empty_detail_is_an_error() -> None:
    with pytest.raises(ConversionError) as caught:
        messages.detail_from_message(event_pb2.EventDetail(orleans=events_pb2.EventDetail()))
    assert caught.value.field == "orleans.detail"


def test_an_event_with_an_invalid_game_id_is_an_error() -> None:
    message = messages.event_to_message(DRAWN)
    message.game_id = "42"
    with pytest.raises(ConversionError, match="game_id"):
        messages.event_from_message(message)


def test_an_unknown_title_is_an_error() -> None:
    with pytest.raises(ConversionError, match="`chess` is of a title that is not installed"):
        messages.command_to_message("chess", PlaceFollower("farmer", "ship", "farmer"))
    with pytest.raises(ConversionError, match="`chess` is of a title that is not installed"):
        messages.detail_to_message("chess", SeatJoined(""))


def test_a_struct_of_another_kind_is_an_error() -> None:
    with pytest.raises(ConversionError, match=r"cannot be a SeatJoined, as boardkeeper\.orleans\.v1\.Command"):
        messages.command_to_message("orleans", SeatJoined(""))
    with pytest.raises(ConversionError):
        messages.detail_to_message("game", PlaceFollower("farmer", "ship", "farmer"))
    with pytest.raises(ConversionError):
        messages.board_to_message("orleans", SeatJoined(""))
