"""The bounds of every field of a game record.

A record can come from any source, so each of its lines is checked against these bounds before anything else: lengths
and characters of strings, ranges of numbers and times, lengths of lists. The bounded structs have the fields of the
structs that a line is decoded into. ``docs/record.schema.json`` states the same bounds as a JSON Schema.

Details and commands of titles have no bounds here: the rules must produce exactly these details and accept exactly
these commands.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Union

from msgspec import Meta, Struct

from boardkeeper.game import events, record
from boardkeeper.game.time_control import TimeControl
from boardkeeper.table import effects, layout
from boardkeeper.table.decoding import bound
from boardkeeper.table.layout import MAX_COMPONENTS, MAX_NUMBER, MAX_SEATS
from boardkeeper.titlekit.title import Setup

MAX_EVENTS = 65_536
MAX_COMMANDS = 1000
MAX_CHOICES = 256
MAX_SUBJECTS = 10_000

LATEST_TIME = 253_402_300_799_999
"""The last millisecond of the year 9999 UTC, the latest time of protobuf timestamps."""

_SEAT = "([1-9]|1[0-6])"
_SEATS = r"seats(?=\.[0-9]+\.)" + "".join(rf"(\.{seat})?" for seat in range(1, MAX_SEATS + 1))
"""At least two seats, in ascending order."""

_WORD = r"[ !#-\[\]-~]"
"""Printable ASCII without quotation marks and backslashes: needs no escape in JSON."""


def _text(pattern: str) -> Meta:
    return Meta(pattern=rf"^({pattern})\Z")


def _number(lowest: int, highest: int) -> Meta:
    return Meta(ge=lowest, le=highest)


Hash = Annotated[str, _text("[0-9a-f]{64}")]
Salt = Annotated[str, _text("[0-9a-f]{32}")]
Signature = Annotated[str, _text("[0-9a-f]{128}")]
Bytes = Annotated[str, _text("([0-9a-f]{2}){0,1024}")]
GameId = Annotated[str, _text("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")]
Origin = Annotated[str, _text("([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?")]
Viewer = Annotated[str, _text(rf"whole|spectator|seat\.{_SEAT}")]
Format = Annotated[str, _text("[a-z-]{1,100}")]
TitleId = Annotated[str, _text("[a-z][a-z0-9_]{0,63}")]
Topic = Annotated[str, _text(r"([a-z][a-z0-9_]{0,63}\.[A-Za-z][A-Za-z0-9]{0,99})?")]
Name = Annotated[str, _text("[A-Za-z][A-Za-z0-9]{0,99}")]
CommandId = Annotated[str, _text("[ -~]{0,100}")]
Id = Annotated[str, _text(f"{_WORD}{{1,200}}")]
Word = Annotated[str, _text(f"{_WORD}{{0,200}}")]
Visibility = Annotated[str, _text(rf"public|count|nobody|(seat|secret)\.{_SEAT}|{_SEATS}|as:{_WORD}{{1,200}}")]
Bot = Annotated[str, _text(r"[A-Za-z0-9_.-]{1,64}")]
BotOrNone = Annotated[str, _text(r"[A-Za-z0-9_.-]{0,64}")]
Kind = Annotated[str, _text(r"person|bot\.[A-Za-z0-9_.-]{1,64}")]

Seat = Annotated[int, _number(1, MAX_SEATS)]
SeatOrTable = Annotated[int, _number(0, MAX_SEATS)]
Version = Annotated[int, _number(1, MAX_EVENTS)]
VersionOrNone = Annotated[int, _number(0, MAX_EVENTS)]
Time = Annotated[int, _number(0, LATEST_TIME)]
Count = Annotated[int, _number(1, MAX_COMPONENTS)]
Counter = Annotated[int, _number(0, MAX_NUMBER)]
Scalar = Annotated[int, _number(-MAX_NUMBER, MAX_NUMBER)] | Word
FormatNumber = Annotated[int, _number(1, MAX_NUMBER)]

Ids = Annotated[tuple[Id, ...], Meta(max_length=MAX_COMPONENTS)]
Choices = Annotated[dict[Id, Word], Meta(max_length=MAX_CHOICES)]


def _tuple(item: Any, longest: int, shortest: int = 0) -> Any:
    return Annotated[tuple[item, ...], Meta(min_length=shortest or None, max_length=longest)]


EFFECTS = (
    bound(effects.Move, component=Id, count=Count, source=Id, target=Id),
    bound(effects.Set, marker=Id, before=Scalar, after=Scalar),
    bound(effects.Ask, seat=Seat, before=Word, after=Word),
    bound(effects.Draw, zone=Id, counter=Counter, drawn=Ids),
    bound(effects.Shuffle, zone=Id, counter=Counter, before=Ids, after=Ids),
    bound(effects.Reveal, subject=Id, before=Visibility, after=Visibility),
)
EffectTuple: Any = tuple[Union[EFFECTS], ...]  # type: ignore[valid-type]  # noqa: UP007  # a line's length bounds it

_ZONE = bound(
    layout.ZoneSpec,
    id=Id,
    visibility=Visibility,
    contents=Annotated[dict[Id, Count], Meta(max_length=MAX_COMPONENTS)],
    stack=bool,
    counter=Counter,
    order=Ids,
)
_MARKER = bound(layout.MarkerSpec, id=Id, value=Scalar, visibility=Visibility)
_LAYOUT = bound(
    layout.TableLayout,
    seats=Seat,
    zones=_tuple(_ZONE, MAX_SUBJECTS),
    markers=_tuple(_MARKER, MAX_SUBJECTS),
    decisions=_tuple(Word, MAX_SEATS),
)
_CREATED = bound(
    events.GameCreated,
    title=TitleId,
    setup=bound(Setup, edition=Word, players=Seat, options=Choices, readings=Choices),
    seats=_tuple(Kind, MAX_SEATS, 1),
    rules_version=Word,
    dice=Word,
    commitment=Hash,
    server_build=Word,
    layout=_LAYOUT,
    position=bool,
    forked_game=Origin,
    forked_version=VersionOrNone,
    server_key=Hash,
    time_control=bound(
        TimeControl,
        kind=Annotated[str, _text("move|game")],
        seconds=Annotated[int, _number(1, MAX_NUMBER)],
        increment=Counter,
        on_expiry=Annotated[str, _text("bot|resign")],
    ),
    stand_ins=_tuple(Seat, MAX_SEATS, 1),
    title_build=Word,
)


def _by_topic(details: Iterable[type[Struct]]) -> dict[str, type[Struct]]:
    return {f"game.{kind.__name__}": kind for kind in details}


DETAILS = _by_topic(
    (
        _CREATED,
        bound(events.SeatJoined, entropy=Bytes),
        bound(events.GameStarted),
        bound(events.GameEnded, secret=Bytes, ranks=_tuple(Seat, MAX_SEATS)),
        bound(events.UndoRequested, first_version=Version),
        bound(events.UndoConsented, request_version=Version),
        bound(events.UndoDeclined, request_version=Version),
        bound(events.Undone, first_version=Version, last_version=Version),
        bound(events.SeatHandedToBot, bot=Bot),
        bound(events.SeatTakenBack),
        bound(events.SeatResigned, bot=BotOrNone),
        bound(events.TimeExpired, resigned=bool, bot=BotOrNone),
    )
)
"""The bounds of the details of game events, by topic."""

_FORM = bound(record.EventForm, topic=Topic, detail=dict[str, Any] | None, effects=EffectTuple)
_COMMANDS = bound(record.Commands, commands=_tuple(tuple[Name, dict[str, Any]], MAX_COMMANDS, 1), salt=Salt, seat=Seat)
LINES: dict[type[Struct], type[Struct]] = {
    record.Header: bound(record.Header, record=Format, format=FormatNumber, game=GameId, viewer=Viewer),
    record.EventLine: bound(
        record.EventLine,
        version=Version,
        seat=SeatOrTable,
        command_id=CommandId,
        time=Time,
        event=_FORM,
        salt=Salt,
        given=_COMMANDS | Hash | None,
        parts=_tuple(Hash | None, MAX_SEATS + 2, 3),
        link=Hash,
    ),
    record.Seal: bound(record.Seal, events=Version, head=Hash, key=Hash, key_id=Hash, signature=Signature),
}
"""The bounds of the lines of a record."""
