"""The events that every game has, whatever its title, and the stored form of all events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from uuid import UUID

import msgspec
from msgspec import Struct

from boardkeeper.game.time_control import TimeControl
from boardkeeper.table.decoding import decode
from boardkeeper.table.effects import Effect
from boardkeeper.table.layout import TableLayout
from boardkeeper.titlekit.title import Setup


class GameCreated(Struct, frozen=True):
    """The first event: everything that is fixed for the whole game.

    ``seats`` says for each seat who plays it: ``person``, a bot as ``bot.random``, or the rules themselves as
    ``bot.automa``. ``commitment`` is the hash of the dice secret, in hexadecimal. ``position`` tells that the layout is
    a position in mid-game, not a table still to be laid. A fork of another game tells which (``forked_game``, else
    empty) and the version that it began from. ``server_key`` is the id of the key that signs the game's records, so
    that nobody else can sign them as if he had played it; games of 0.1.0 do not say. Nor do games without clocks say of
    their ``time_control``. ``stand_ins`` are the seats of an exact fork that bots play here and people had in the other
    game: these bots do not consent to undos. ``title_build`` is the package and version of the rules of a title of
    another package (``lost-gold 1.2``). Names of people are kept outside the log.
    """

    title: str
    setup: Setup
    seats: tuple[str, ...]
    rules_version: str
    dice: str
    commitment: str
    server_build: str
    layout: TableLayout
    position: bool = False
    forked_game: str = ""
    forked_version: int = 0
    server_key: str | msgspec.UnsetType = msgspec.UNSET
    time_control: TimeControl | msgspec.UnsetType = msgspec.UNSET
    stand_ins: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET
    title_build: str | msgspec.UnsetType = msgspec.UNSET


class SeatJoined(Struct, frozen=True):
    """A seat was taken; ``entropy`` (hexadecimal, may be empty) is what it adds to the dice."""

    entropy: str


class GameStarted(Struct, frozen=True):
    """All seats were taken and the table is laid from here on."""


class GameEnded(Struct, frozen=True):
    """The last event: the dice secret, in hexadecimal, and each seat's rank, by seat."""

    secret: str
    ranks: tuple[int, ...]


class UndoRequested(Struct, frozen=True):
    """A seat asks to take back everything from ``first_version`` on; the vote is open until it is answered."""

    first_version: int


class UndoConsented(Struct, frozen=True):
    """A seat has nothing against the undo that was requested at ``request_version``."""

    request_version: int


class UndoDeclined(Struct, frozen=True):
    """A seat refused the undo that was requested at ``request_version``, or took its own request back."""

    request_version: int


class Undone(Struct, frozen=True):
    """The events from ``first_version`` to ``last_version`` were taken back: the effects lead back over them.

    They are the inverses of those that were in force, in short (:mod:`boardkeeper.game.undo`). Draws and shuffles are
    not among them, so draw counters never go back.
    """

    first_version: int
    last_version: int


class SeatHandedToBot(Struct, frozen=True):
    """A bot of the kind ``bot`` plays a person's seat from now on, until that person takes it back."""

    bot: str


class SeatTakenBack(Struct, frozen=True):
    """The person of a seat plays it again, which a bot had played meanwhile."""


class SeatResigned(Struct, frozen=True):
    """A seat gave up: it ranks behind all who did not.

    A bot of the kind ``bot`` plays on in its place, so that the others have the game that they began; empty: the game
    ends with this.
    """

    bot: str


class TimeExpired(Struct, frozen=True):
    """The time of a seat has run out. If it ``resigned`` by that, it ranks behind all that did not.

    A bot of the kind ``bot`` plays from now on; empty: the seat has resigned, and the game ends with this.
    """

    resigned: bool
    bot: str


GAME_EVENTS: tuple[type[Struct], ...] = (
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

GAME_EVENT_TYPES = frozenset(GAME_EVENTS)
"""The same, to look a detail's own type up in: asking ``isinstance`` of many structs takes twenty times as long."""

SEAT_EVENTS = frozenset({SeatJoined, SeatHandedToBot, SeatTakenBack, SeatResigned, TimeExpired})
"""After these somebody else may sit on a seat, or play it."""


class Given(Struct, frozen=True, array_like=True):
    """What a seat asked for: a batch of commands in order, each with its name.

    They stay in their stored form, as JSON, because nobody but an audit needs them again.
    """

    seat: int
    commands: tuple[tuple[str, msgspec.Raw], ...]

    @classmethod
    def of(cls, seat: int, commands: Iterable[Struct]) -> Given:
        """A batch as it is stored."""
        return cls(seat, tuple([(type(it).__name__, msgspec.Raw(msgspec.json.encode(it))) for it in commands]))

    def structs(self, kinds: Mapping[str, type[Struct]]) -> list[Struct]:
        """The commands of a title; raises ``KeyError`` or ``msgspec.ValidationError`` for what is none of it."""
        return [decode(command, kinds[name]) for name, command in self.commands]


class GameEvent(Struct, frozen=True):
    """One stored event of one game.

    ``originator_id`` and ``originator_version`` are the game and its version, under the names that the
    eventsourcing library expects. ``topic`` is ``game.SeatJoined`` or ``title.CardPlayed``; ``seat`` is 0
    where no seat acted; ``time`` is milliseconds since 1970 UTC, handed in by the service. ``given`` stands in the
    first event of each batch of commands, so that an audit can decide it again.
    """

    originator_id: UUID
    originator_version: int
    topic: str
    seat: int
    command_id: str
    time: int
    detail: Struct
    effects: tuple[Effect, ...]
    given: Given | None = None
