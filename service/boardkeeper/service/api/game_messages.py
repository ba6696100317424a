"""Games of the lobby and verification reports as messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from boardkeeper.game.audit import FAILS, HOLDS, NOT_CHECKED, NOT_YET, Report
from boardkeeper.game.game import ENDED, OPEN, RUNNING, Game
from boardkeeper.game.record_replay import OtherReadings
from boardkeeper.game.seats import AUTOMA, BOT, PERSON, seat_names
from boardkeeper.service.api.clock_messages import clocks_message
from boardkeeper.service.api.message_limits import limit_created, limit_kind, limit_points, timestamp
from boardkeeper.service.api.struct_messages import message_of
from boardkeeper.service.games.game_clock import ServiceTime
from boardkeeper.service.storage.clock_expiries import ClockReadings, read_clocks
from boardkeeper.service.storage.players import DRAWN, LOST, WON
from boardkeeper.service.storage.rows import LobbyRow
from boardkeeper.titlekit.title import Title
from boardkeeper.v1 import game_pb2, history_pb2

STATUSES = {
    OPEN: game_pb2.GAME_STATUS_OPEN,
    RUNNING: game_pb2.GAME_STATUS_RUNNING,
    ENDED: game_pb2.GAME_STATUS_ENDED,
}

OUTCOMES = {
    WON: game_pb2.GAME_OUTCOME_WON,
    DRAWN: game_pb2.GAME_OUTCOME_DRAWN,
    LOST: game_pb2.GAME_OUTCOME_LOST,
}

_VERIFICATION_STATUSES = {
    HOLDS: history_pb2.VERIFICATION_STATUS_HOLDS,
    FAILS: history_pb2.VERIFICATION_STATUS_FAILS,
    NOT_YET: history_pb2.VERIFICATION_STATUS_NOT_YET,
    NOT_CHECKED: history_pb2.VERIFICATION_STATUS_NOT_CHECKED,
}


def default_seat_names(
    row: LobbyRow, game: Game | None, find_title: Callable[[str], Title | None], language: str
) -> tuple[str, ...]:
    """Return the names that sentences use for seats without a name.

    If the game is not loaded, the row shows the kinds of seats: a seat with a token belongs to a person, even while a
    bot plays for the person.
    """
    title: Title | None
    if game is not None:
        return seat_names(language, game.title, game.created.seats, [""] * len(game.created.seats))
    kinds = [PERSON] * len(row.decisions)
    for seat in row.seats:
        if seat.token_hash is None:
            kinds[seat.seat - 1] = seat.kind
    title = find_title(row.title) if AUTOMA in kinds else None
    return seat_names(language, title, kinds, [""] * len(kinds))


def game_message(
    row: LobbyRow,
    game: Game | None = None,
    *,
    time: ServiceTime,
    readings: ClockReadings | None = None,
    damaged_version: int = 0,
    players: Mapping[int, str] | None = None,
    names: Sequence[str],
) -> game_pb2.Game:
    """Return the public data of a game: from its row, and from the loaded ``game``, if any.

    The clocks are those at ``time``, from the game or else from ``readings``. ``damaged_version`` is the first version
    that cannot be trusted, or 0. ``players`` maps seats to the platform's player ids, if the caller may know them.
    ``names`` are those of :func:`default_seat_names`.
    """
    vote = game.undo.vote if game is not None else None
    readings = readings if game is None else read_clocks(game)
    clocks = None if readings is None else clocks_message(readings, time)
    return game_pb2.Game(
        game_id=str(row.game_id),
        title=row.title,
        edition=row.setup.edition,
        options=row.setup.options,
        readings=row.setup.readings,
        seats=[
            game_pb2.Seat(
                seat=seat.seat,
                name=seat.name,
                bot=limit_kind(seat.kind).removeprefix(BOT) if seat.kind.startswith(BOT) else "",
                taken=seat.taken,
                decision=row.decisions[seat.seat - 1],
                player_id=players.get(seat.seat, "") if players else "",
                handed_over=game is not None
                and game.seats.is_handed_over(seat.seat)
                and seat.seat not in game.seats.resigned,
                resigned=game is not None and seat.seat in game.seats.resigned,
                display_name=seat.name or names[seat.seat - 1],
            )
            for seat in row.seats
        ],
        status=STATUSES[row.status],
        version=row.version,
        create_time=timestamp(row.create_time),
        update_time=timestamp(row.update_time),
        deciding=[seat for seat, decision in enumerate(row.decisions, 1) if decision],
        standings=[
            game_pb2.Standing(seat=standing.seat, points=limit_points(standing.points), rank=standing.rank)
            for standing in row.standings
        ],
        dice_commitment=row.commitment,
        undo_vote=None if vote is None else message_of(game_pb2.UndoVote, vote, request_version=vote.version),
        forked_from=game_pb2.Lineage(
            game_id=limit_created(game.created).forked_game, version=game.created.forked_version
        )
        if game is not None and game.created.forked_game
        else None,
        imported_key_id=row.imported_key,
        imported_game_id=row.imported_id,
        damaged_version=damaged_version,
        time_control=None if clocks is None else clocks.time_control,
        clocks=() if clocks is None else clocks.clocks,
        read_time=None if clocks is None else clocks.read_time,
    )


def verification_message(report: Report) -> history_pb2.Verification:
    """Return the report of a verification as a message."""
    other = report.other_readings
    return message_of(
        history_pb2.Verification,
        report,
        game_id=report.game,
        levels=[
            history_pb2.VerificationLevel(
                level=level.name, status=_VERIFICATION_STATUSES[level.status], note=level.note
            )
            for level in report.levels
        ],
        other_readings=None if other is None else _other_readings_message(other),
    )


def _other_readings_message(other: OtherReadings) -> history_pb2.OtherReadings:
    readings = [
        history_pb2.ReadingChange(reading=it.id, own=it.own, default_choice=it.default) for it in other.readings
    ]
    return message_of(history_pb2.OtherReadings, other, readings=readings, refused=other.rejected)
