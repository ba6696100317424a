"""The bounds of every field of a record: what a line must fit before anything else is done with it.

A record may come from anybody, so each of its fields is bounded as those of a request are: texts in their length and
characters, numbers so that every client can hold them, times so that every calendar can, lists in their length. The
structs here mirror those that a line is read into, field by field; ``docs/record.schema.json`` says the same.

Only what a title says itself, in details and commands, has no bounds of its own: those are the rules', which give
exactly these details and accept exactly these commands, or the record does not hold.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

MOST_SEATS = 16
MOST_COMPONENTS = 100_000
MOST_EVENTS = 65_536
MOST_COMMANDS = 1000
MOST_CHOICES = 256
MOST_SUBJECTS = 10_000
LARGEST_NUMBER = 999_999_999
"""What a marker may hold at most, either way: sums of two of them still go into the 32 bits of a field on the wire."""

LATEST_TIME = 253_402_300_799_999
"""The last millisecond of the year 9999, UTC: no calendar and no timestamp of a client goes further."""

_SEAT = "([1-9]|1[0-6])"
_SEATS = r"seats(?=\.[0-9]+\.)" + "".join(rf"(\.{seat})?" for seat in range(1, MOST_SEATS + 1))
"""At least two seats, in ascending order: one word for each set of them."""

_WORD = r"[ !#-\[\]-~]"
"""Printable ASCII but quotation marks and backslashes: what stands in JSON, and on a terminal, as it is."""


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

Seat = Annotated[int, _number(1, MOST_SEATS)]
SeatOrTable = Annotated[int, _number(0, MOST_SEATS)]
Version = Annotated[int, _number(1, MOST_EVENTS)]
VersionOrNone = Annotated[int, _number(0, MOST_EVENTS)]
Time = Annotated[int, _number(0, LATEST_TIME)]
Count = Annotated[int, _number(1, MOST_COMPONENTS)]
Counter = Annotated[int, _number(0, LARGEST_NUMBER)]
Scalar = Annotated[int, _number(-LARGEST_NUMBER, LARGEST_NUMBER)] | Word
FormatNumber = Annotated[int, _number(1, LARGEST_NUMBER)]

Ids = Annotated[tuple[Id, ...], Meta(max_length=MOST_COMPONENTS)]
Choices = Annotated[dict[Id, Word], Meta(max_length=MOST_CHOICES)]


# --- effects ---------------------------------------------------------------------------------------------------


class Move(Struct, array_like=True, tag="m"):
    """Bounds of :class:`boardkeeper.table.effects.Move`."""

    component: Id
    count: Count
    source: Id
    target: Id


class Set(Struct, array_like=True, tag="s"):
    """Bounds of :class:`boardkeeper.table.effects.Set`."""

    marker: Id
    before: Scalar
    after: Scalar


class Ask(Struct, array_like=True, tag="a"):
    """Bounds of :class:`boardkeeper.table.effects.Ask`."""

    seat: Seat
    before: Word
    after: Word


class Draw(Struct, array_like=True, tag="d"):
    """Bounds of :class:`boardkeeper.table.effects.Draw`."""

    zone: Id
    counter: Counter
    drawn: Ids


class Shuffle(Struct, array_like=True, tag="r"):
    """Bounds of :class:`boardkeeper.table.effects.Shuffle`."""

    zone: Id
    counter: Counter
    before: Ids
    after: Ids


class Reveal(Struct, array_like=True, tag="v"):
    """Bounds of :class:`boardkeeper.table.effects.Reveal`."""

    subject: Id
    before: Visibility
    after: Visibility


# --- details ---------------------------------------------------------------------------------------------------


class ZoneSpec(Struct, array_like=True):
    """Bounds of :class:`boardkeeper.table.layout.ZoneSpec`."""

    id: Id
    visibility: Visibility
    contents: Annotated[dict[Id, Count], Meta(max_length=MOST_COMPONENTS)]
    stack: bool
    counter: Counter
    order: Ids


class MarkerSpec(Struct, array_like=True):
    """Bounds of :class:`boardkeeper.table.layout.MarkerSpec`."""

    id: Id
    value: Scalar
    visibility: Visibility


class TableLayout(Struct):
    """Bounds of :class:`boardkeeper.table.layout.TableLayout`."""

    seats: Seat
    zones: Annotated[tuple[ZoneSpec, ...], Meta(max_length=MOST_SUBJECTS)]
    markers: Annotated[tuple[MarkerSpec, ...], Meta(max_length=MOST_SUBJECTS)]
    decisions: Annotated[tuple[Word, ...], Meta(max_length=MOST_SEATS)]


class Setup(Struct):
    """Bounds of :class:`boardkeeper.titlekit.title.Setup`."""

    edition: Word
    players: Seat
    options: Choices
    readings: Choices


class TimeControl(Struct):
    """Bounds of :class:`boardkeeper.game.time_control.TimeControl`."""

    kind: Annotated[str, _text("move|game")]
    seconds: Annotated[int, _number(1, LARGEST_NUMBER)]
    increment: Counter
    on_expiry: Annotated[str, _text("bot|resign")]


class GameCreated(Struct):
    """Bounds of :class:`boardkeeper.game.events.GameCreated`."""

    title: TitleId
    setup: Setup
    seats: Annotated[tuple[Kind, ...], Meta(min_length=1, max_length=MOST_SEATS)]
    rules_version: Word
    dice: Word
    commitment: Hash
    server_build: Word
    layout: TableLayout
    position: bool
    forked_game: Origin
    forked_version: VersionOrNone
    server_key: Hash | UnsetType = UNSET
    time_control: TimeControl | UnsetType = UNSET
    stand_ins: Annotated[tuple[Seat, ...], Meta(min_length=1, max_length=MOST_SEATS)] | UnsetType = UNSET
    title_build: Word | UnsetType = UNSET


class SeatJoined(Struct):
    """Bounds of :class:`boardkeeper.game.events.SeatJoined`."""

    entropy: Bytes


class GameStarted(Struct):
    """Bounds of :class:`boardkeeper.game.events.GameStarted`."""


class GameEnded(Struct):
    """Bounds of :class:`boardkeeper.game.events.GameEnded`."""

    secret: Bytes
    ranks: Annotated[tuple[Seat, ...], Meta(max_length=MOST_SEATS)]


class UndoRequested(Struct):
    """Bounds of :class:`boardkeeper.game.events.UndoRequested`."""

    first_version: Version


class UndoConsented(Struct):
    """Bounds of :class:`boardkeeper.game.events.UndoConsented`."""

    request_version: Version


class UndoDeclined(Struct):
    """Bounds of :class:`boardkeeper.game.events.UndoDeclined`."""

    request_version: Version


class Undone(Struct):
    """Bounds of :class:`boardkeeper.game.events.Undone`."""

    first_version: Version
    last_version: Version


class SeatHandedToBot(Struct):
    """Bounds of :class:`boardkeeper.game.events.SeatHandedToBot`."""

    bot: Bot


class SeatTakenBack(Struct):
    """Bounds of :class:`boardkeeper.game.events.SeatTakenBack`."""


class SeatResigned(Struct):
    """Bounds of :class:`boardkeeper.game.events.SeatResigned`."""

    bot: BotOrNone


class TimeExpired(Struct):
    """Bounds of :class:`boardkeeper.game.events.TimeExpired`."""

    resigned: bool
    bot: BotOrNone


DETAILS: dict[str, type[Struct]] = {
    f"game.{kind.__name__}": kind
    for kind in (
        GameCreated,
        SeatJoined,
        GameStarted,
        GameEnded,
        UndoRequested,
        UndoConsented,
        UndoDeclined,
        Undone,
        SeatHandedToBot,
        SeatTakenBack,
        SeatResigned,
        TimeExpired,
    )
}
"""The bounds of the details that every game has, by topic."""


# --- lines -----------------------------------------------------------------------------------------------------


class Header(Struct):
    """Bounds of :class:`boardkeeper.game.record.Header`."""

    record: Format
    format: FormatNumber
    game: GameId
    viewer: Viewer


class EventForm(Struct):
    """Bounds of :class:`boardkeeper.game.record.EventForm`; a detail has its own, if it is in :data:`DETAILS`."""

    topic: Topic
    detail: dict[str, Any] | None
    effects: tuple[Move | Set | Ask | Draw | Shuffle | Reveal, ...]


class Commands(Struct):
    """Bounds of :class:`boardkeeper.game.record.Commands`."""

    commands: Annotated[tuple[tuple[Name, dict[str, Any]], ...], Meta(min_length=1, max_length=MOST_COMMANDS)]
    salt: Salt
    seat: Seat


class EventLine(Struct):
    """Bounds of :class:`boardkeeper.game.record.EventLine`."""

    version: Version
    seat: SeatOrTable
    command_id: CommandId
    time: Time
    event: EventForm
    salt: Salt
    given: Commands | Hash | None
    parts: Annotated[tuple[Hash | None, ...], Meta(min_length=3, max_length=MOST_SEATS + 2)]
    link: Hash


class Seal(Struct):
    """Bounds of :class:`boardkeeper.game.record.Seal`."""

    events: Version
    head: Hash
    key: Hash
    key_id: Hash
    signature: Signature


LINES: dict[str, type[Struct]] = {kind.__name__: kind for kind in (Header, EventLine, Seal)}
"""The bounds of the lines of a record."""
