"""The actions of a seat: everything that a seat can do in a game, each a struct.

The service derives the rest from these structs. The RPC of an action and its request and response in
``boardkeeper/v1/games.proto`` have the struct's name, and the request has the struct's fields. To add an action, add a
struct and its case in :func:`decide` here, and its messages there.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import Game
from boardkeeper.table.rejections import Rejection
from boardkeeper.titlekit.bots import default_bot


class SubmitCommands(Struct, frozen=True):
    """Carry out a batch of commands, all or none.

    ``by_bot``: a bot gives the commands. Then an expired clock does not matter.
    """

    commands: Sequence[Struct]
    by_bot: bool = False


class RequestUndo(Struct, frozen=True):
    """Undo the seat's last commands, or request the consent of the other people."""


class AnswerUndo(Struct, frozen=True):
    """Vote on the undo that was requested at ``request_version``."""

    request_version: int
    consent: bool


class ResignSeat(Struct, frozen=True):
    """Resign; the title's best bot takes over."""


class HandSeatToBot(Struct, frozen=True):
    """Let a bot of the title's kind ``bot`` play a person's seat."""

    bot: str


class TakeSeatBack(Struct, frozen=True):
    """Let the person of a seat play it again."""


class ExpireSeat(Struct, frozen=True):
    """Declare that the time of a seat has run out. Only the server does this."""


SeatAction = SubmitCommands | RequestUndo | AnswerUndo | ResignSeat | HandSeatToBot | TakeSeatBack | ExpireSeat

REQUESTED: tuple[type[SeatAction], ...] = (
    SubmitCommands,
    RequestUndo,
    AnswerUndo,
    ResignSeat,
    HandSeatToBot,
    TakeSeatBack,
)
"""The actions that clients can request."""


def needed_versions(game: Game, seat: int, action: SeatAction) -> Sequence[tuple[int, int]]:
    """Return the versions, as the first and the last of each run, whose stored events :func:`decide` needs."""
    match action:
        case RequestUndo():
            first = game.first_undo_version(seat)
            return () if isinstance(first, Rejection) else game.undo.batches.since(first)
        case AnswerUndo() if game.undo.vote is not None:
            return game.undo.batches.since(game.undo.vote.first_version)
    return ()


def decide(
    game: Game,
    seat: int,
    action: SeatAction,
    past: Sequence[GameEvent],
    command_id: str,
    time: int,
    clocks_from: int = 0,
) -> list[GameEvent] | Rejection:
    """Carry out an action and return the events to store, or why it is rejected.

    ``past`` are the events of :func:`needed_versions`. Before ``clocks_from`` no clock counts as expired. Times are in
    milliseconds since 1970.
    """
    match action:
        case SubmitCommands():
            rejection = None if action.by_bot else rejection_for_person(game, seat, time, clocks_from)
            return rejection or game.decide(seat, action.commands, command_id, time)
        case RequestUndo():
            rejection = rejection_for_person(game, seat, time, clocks_from)
            return rejection or game.request_undo(seat, past, command_id, time)
        case AnswerUndo(request_version, consent):
            rejection = _expired(game, seat, time, clocks_from)
            return rejection or game.answer_undo(seat, request_version, consent, past, command_id, time)
        case ResignSeat():
            return game.resign(seat, default_bot(game.title.meta), command_id, time)
        case HandSeatToBot(bot):
            return _expired(game, seat, time, clocks_from) or game.hand_to_bot(seat, bot, command_id, time)
        case TakeSeatBack():
            return game.take_seat_back(seat, command_id, time)
        case ExpireSeat():
            if time < clocks_from:  # the grace period began after the caller found the expired clock
                return Rejection("NOT_EXPIRED", "table.time_control", {"seat": str(seat)})
            return game.expire(seat, default_bot(game.title.meta), command_id, time)


def rejection_for_person(game: Game, seat: int, time: int, clocks_from: int = 0) -> Rejection | None:
    """Return why the person of a seat may not act now: a bot plays the seat, or its time has run out."""
    return game.seats.rejection_for_person(seat) or _expired(game, seat, time, clocks_from)


def _expired(game: Game, seat: int, time: int, clocks_from: int) -> Rejection | None:
    """Return the rejection for a seat whose time has run out, even if the log has no ``TimeExpired`` yet."""
    if game.clocks is None or time < clocks_from or not game.clocks.is_expired(seat, time):
        return None
    return Rejection("TIME_EXPIRED", "table.time_control", {"seat": str(seat)})
