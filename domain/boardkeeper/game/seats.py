"""The seats of a game: who plays each one, now and at creation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import UNSET

from boardkeeper.game.events import (
    SEAT_EVENTS,
    GameCreated,
    GameEvent,
    SeatHandedToBot,
    SeatResigned,
    SeatTakenBack,
    TimeExpired,
)
from boardkeeper.game.sentences import words
from boardkeeper.table.rejections import Rejection
from boardkeeper.titlekit.rules_catalogue import language_or_default
from boardkeeper.titlekit.title import Title

PERSON = "person"
BOT = "bot."
"""The prefix of a bot's kind."""

AUTOMA = "bot.automa"
"""The kind of a seat that the rules play."""

PLAYED_BY_BOT = Rejection("SEAT_PLAYED_BY_BOT", "table.seat_of_bot")
RESIGNED = Rejection("SEAT_RESIGNED", "table.resigned_for_good")


class Seats:
    """The players of a game's seats: ``person``, ``bot.<kind>``, or ``bot.automa`` for a seat that the rules play.

    ``at_creation`` and ``kinds`` are the players at creation and now, ``bots`` the seats that bots play now, and
    ``resigned`` has the version of the resignation of each seat that resigned.
    """

    __slots__ = ("_bots_consent", "_entropies", "at_creation", "bots", "kinds", "owned_by_people", "resigned")

    def __init__(self, created: GameCreated, *, bots_consent: bool) -> None:
        """Seat the players of a new game. ``bots_consent``: bots consent to undos, as in old rules versions."""
        self.at_creation = created.seats
        self.owned_by_people = person_seats(created)
        self.resigned: dict[int, int] = {}
        self._bots_consent = bots_consent
        self._entropies: list[str | None] = [None if kind == PERSON else "" for kind in created.seats]
        self._set_kinds(created.seats)

    def _set_kinds(self, kinds: Sequence[str]) -> None:
        self.kinds = tuple(kinds)
        self.bots = tuple(seat for seat, kind in enumerate(kinds, 1) if kind not in (PERSON, AUTOMA))

    def copy(self) -> Seats:
        other = Seats.__new__(Seats)
        other.at_creation, other.owned_by_people, other.kinds = self.at_creation, self.owned_by_people, self.kinds
        other.bots, other.resigned, other._bots_consent = self.bots, dict(self.resigned), self._bots_consent
        other._entropies = list(self._entropies)
        return other

    def free(self) -> list[int]:
        """Return the seats of people that no person has joined yet."""
        return [seat for seat, entropy in enumerate(self._entropies, 1) if entropy is None]

    def people(self) -> list[int]:
        """Return the seats that people play now."""
        return [seat for seat, kind in enumerate(self.kinds, 1) if kind == PERSON]

    def voters(self) -> Sequence[int]:
        """Return the seats that have a vote on undos."""
        return self.people() if self._bots_consent else self.owned_by_people

    def entropies(self) -> list[bytes]:
        """Return what each seat contributes to the dice."""
        return [bytes.fromhex(entropy or "") for entropy in self._entropies]

    def join(self, seat: int, entropy: str) -> None:
        """Let a person join a seat; ``entropy`` is in hexadecimal."""
        self._entropies[seat - 1] = entropy

    def bot(self, seat: int) -> str:
        """Return the kind of the bot that plays a seat now (``automa`` for the rules); empty for a person."""
        kind = self.kinds[seat - 1]
        return kind.removeprefix(BOT) if kind.startswith(BOT) else ""

    def is_handed_over(self, seat: int) -> bool:
        """Return whether a bot plays the seat of a person."""
        return self.at_creation[seat - 1] == PERSON != self.kinds[seat - 1]

    def is_of_person(self, seat: int) -> bool:
        """Return whether this is a seat that was created for a person."""
        return 1 <= seat <= len(self.at_creation) and self.at_creation[seat - 1] == PERSON

    def rejection_for_person(self, seat: int) -> Rejection | None:
        """Return why the person of a seat may not act now: a bot plays the seat."""
        if not self.bots or not self.is_handed_over(seat):
            return None
        return RESIGNED if seat in self.resigned else PLAYED_BY_BOT

    def apply_event(self, event: GameEvent) -> None:
        """Apply an event of :data:`~boardkeeper.game.events.SEAT_EVENTS`."""
        if is_resignation(event):
            self.resigned[event.seat] = event.originator_version
        self._set_kinds(updated_kinds(self.kinds, [event]))


def person_seats(created: GameCreated) -> tuple[int, ...]:
    """Return the seats of people, and of people in the game that this one is an exact fork of; bots may play them."""
    stand_ins = () if created.stand_ins is UNSET else created.stand_ins
    return tuple(seat for seat, kind in enumerate(created.seats, 1) if kind == PERSON or seat in stand_ins)


def is_resignation(event: GameEvent) -> bool:
    """Return whether a seat resigns with this event."""
    detail = event.detail
    return isinstance(detail, SeatResigned) or (isinstance(detail, TimeExpired) and detail.resigned)


def updated_kinds(kinds: Sequence[str], events: Iterable[GameEvent]) -> tuple[str, ...]:
    """Return who plays each seat after these events; ``kinds`` is who played it before them."""
    changes = [event for event in events if type(event.detail) in SEAT_EVENTS]
    if not changes:
        return tuple(kinds)
    updated = list(kinds)
    for event in changes:
        detail = event.detail
        if isinstance(detail, SeatHandedToBot | SeatResigned | TimeExpired) and detail.bot:
            updated[event.seat - 1] = BOT + detail.bot
        elif isinstance(detail, SeatTakenBack):
            updated[event.seat - 1] = PERSON
    return tuple(updated)


# --- names -----------------------------------------------------------------------------------------------------


def seat_names(language: str, title: Title | None, kinds: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of seats in sentences, in seat order.

    A person without a name is "Seat 1", a bot "Bot 2". The title names a seat that the rules play, with a number if
    there are several; without such a name, or without a title, the seat is named like a bot.
    """
    return tuple(
        name
        or (
            _automaton_name(language, title, kinds, seat) if kind == AUTOMA else default_seat_name(language, kind, seat)
        )
        for seat, (kind, name) in enumerate(zip(kinds, names, strict=True), 1)
    )


@lru_cache(maxsize=256)  # used for each event that is sent
def default_seat_name(language: str, kind: str, seat: int) -> str:
    """Return the default name of a person's or bot's seat."""
    chosen = words(language_or_default(language))
    return chosen.seat(seat, ()) if kind == PERSON else chosen.render("seats", "bot", {"seat": seat}) or ""


def _automaton_name(language: str, title: Title | None, kinds: Sequence[str], seat: int) -> str:
    word = title.automaton_name(language) if title is not None else ""
    if not word:
        return default_seat_name(language, AUTOMA, seat)
    return word if kinds.count(AUTOMA) == 1 else f"{word} {seat}"
