"""How each change is written in PostgreSQL, as statements that may break a constraint."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, LiteralString
from uuid import UUID

from boardkeeper.game.seats import PERSON
from boardkeeper.service.storage.access import GiveToken
from boardkeeper.service.storage.changes import (
    Change,
    ForgetSnapshots,
    NewGame,
    NewImport,
    NewRequest,
    Probe,
    PutGame,
    PutSeat,
    PutSnapshots,
    PutTombstone,
    RemoveGame,
    TakeSeat,
)
from boardkeeper.service.storage.players import ErasePlayer
from boardkeeper.service.storage.postgres import access, archive, expiries, feed, invitations, players, quotas, webhooks
from boardkeeper.service.storage.postgres.access import Statement
from boardkeeper.service.storage.rows import LobbyRow, SeatRow, encode


def statements(change: Change) -> Sequence[Statement]:
    """What carries a change out."""
    return _WAYS[type(change)](change)


def changed_game(change: Change) -> UUID | None:
    """The game of which a change makes more than its events otherwise; other processes have to be told."""
    match change:
        case RemoveGame(game=game) | PutSeat(game=game) | GiveToken(game=game) | ErasePlayer(game=game):
            return game
        case PutGame(line=line):
            return line.game_id
        case _:
            return None


_OF_A_GAME: tuple[LiteralString, ...] = (
    "DELETE FROM archived_games WHERE game = %b",
    "DELETE FROM snapshots WHERE game = %b",
    "DELETE FROM games WHERE game = %b",
    "DELETE FROM progress WHERE game = %b",
    "DELETE FROM seats WHERE game = %b",
    "DELETE FROM dice_secrets WHERE game = %b",
    "DELETE FROM requests WHERE game = %b",
    "DELETE FROM imports WHERE game = %b",
    "DELETE FROM webhook_deliveries WHERE game = %b",
    *players.OF_A_GAME,
    "DELETE FROM expiries WHERE game = %b",
    *invitations.OF_A_GAME,
)

_INSERT_SEAT: LiteralString = (
    "INSERT INTO seats (game, seat, kind, name, taken, token_hash, token_expires) VALUES (%b, %b, %b, %b, %b, %b, %b)"
)


def _new_game(it: NewGame) -> list[Statement]:
    line = it.line
    return [
        Statement(
            "INSERT INTO games (game, title, setup, commitment, create_time, status) VALUES (%b, %b, %b, %b, %b, %b)",
            (line.game_id, line.title, encode(line.setup), line.commitment, line.create_time, line.status),
        ),
        # Its row is there with its first event, unless there is none yet.
        Statement(
            "INSERT INTO progress (game, version, chain, time, status, decisions, standings, bot_decides)"
            " VALUES (%b, %b, '', %b, %b, %b, %b, %b) ON CONFLICT (game) DO UPDATE SET time = excluded.time,"
            " status = excluded.status, decisions = excluded.decisions, standings = excluded.standings,"
            " bot_decides = excluded.bot_decides",
            (line.game_id, line.version, *_progress(line)),
        ),
        Statement("INSERT INTO dice_secrets (game, secret) VALUES (%b, %b)", (line.game_id, it.secret)),
        *(Statement(_INSERT_SEAT, _seat(line.game_id, seat)) for seat in line.seats),
    ]


def _progress(line: LobbyRow) -> tuple[object, ...]:
    waits = (decision for decision, seat in zip(line.decisions, line.seats, strict=False) if seat.kind != PERSON)
    return line.update_time, line.status, encode(line.decisions), encode(line.standings), any(waits)


def _seat(game: UUID, seat: SeatRow) -> tuple[object, ...]:
    return game, seat.seat, seat.kind, seat.name, seat.taken, seat.token_hash, seat.token_expires


def _put_game(it: PutGame) -> list[Statement]:
    line = it.line
    return [
        # A game that went on meanwhile stays as it is.
        Statement(
            "INSERT INTO progress (game, version, chain, time, status, decisions, standings, bot_decides)"
            " VALUES (%b, %b, %b, %b, %b, %b, %b, %b) ON CONFLICT (game) DO UPDATE SET version = excluded.version,"
            " chain = excluded.chain, time = excluded.time, status = excluded.status,"
            " decisions = excluded.decisions, standings = excluded.standings, bot_decides = excluded.bot_decides"
            " WHERE progress.version <= excluded.version",
            (line.game_id, line.version, it.chain, *_progress(line)),
        ),
        Statement(
            "INSERT INTO games (game, title, setup, commitment, create_time, status)"
            " SELECT game, %b, %b, %b, %b, status FROM progress WHERE game = %b"
            " ON CONFLICT (game) DO UPDATE SET title = excluded.title, setup = excluded.setup,"
            " commitment = excluded.commitment, create_time = excluded.create_time, status = excluded.status",
            (line.title, encode(line.setup), line.commitment, line.create_time, line.game_id),
        ),
        access.owned_again(line.game_id),
        players.numbered_again(line.game_id),
    ]


def _put_seat(it: PutSeat) -> list[Statement]:
    more: LiteralString = " ON CONFLICT (game, seat) DO UPDATE SET kind = excluded.kind, taken = excluded.taken"
    return [Statement(_INSERT_SEAT + more, _seat(it.game, it.seat))]


def _take_seat(it: TakeSeat) -> list[Statement]:
    return [
        Statement(
            "UPDATE seats SET name = %b, taken = true, token_hash = %b, token_expires = %b"
            " WHERE game = %b AND seat = %b",
            (it.seat.name, it.seat.token_hash, it.seat.token_expires, it.game, it.seat.seat),
        )
    ]


def _new_request(it: NewRequest) -> list[Statement]:
    row = it.row
    return [
        Statement(
            "INSERT INTO requests (request, content, salt, game, seats, create_time) VALUES (%b, %b, %b, %b, %b, %b)",
            (row.request, row.content, row.salt, row.game_id, encode(row.seats), it.time),
        )
    ]


def _new_import(it: NewImport) -> list[Statement]:
    row = it.row
    return [
        Statement(
            "INSERT INTO imports (game, key_id, seal, import_time, record_id, head) VALUES (%b, %b, %b, %b, %b, %b)",
            (row.game_id, row.key_id, row.seal, row.import_time, row.record_id, row.head),
        )
    ]


def _remove_game(it: RemoveGame) -> list[Statement]:
    game = (it.game,)
    return [
        feed.LOCK,  # or items of the game that are given numbers now would stay
        # Who is about to append waits for this, and then finds no row to move.
        Statement("SELECT 1 FROM progress WHERE game = %b FOR UPDATE", game),
        *feed.game_removed(it.game, it.time),
        Statement(
            "INSERT INTO removed_games (game, remove_time, head, key_id) SELECT w.game, %b, i.head, i.key_id"
            " FROM (SELECT %b::uuid AS game) w LEFT JOIN imports i USING (game) ON CONFLICT (game) DO NOTHING",
            (it.time, it.game),
        ),
        quotas.game_removed(it.game),
        Statement("SELECT remove_events(%b)", game),
        *(Statement(sql, game) for sql in _OF_A_GAME),
    ]


def _put_tombstone(it: PutTombstone) -> list[Statement]:
    row = it.row
    insert: LiteralString = (
        "INSERT INTO removed_games (game, remove_time, head, key_id) VALUES (%b, %b, %b, %b) ON CONFLICT DO NOTHING"
    )
    return [Statement(insert, (row.game_id, row.time, row.head, row.key_id))]


def _put_snapshots(it: PutSnapshots) -> list[Statement]:
    return [
        *(
            Statement(
                "DELETE FROM snapshots WHERE game = %b AND version = %b", (row.originator_id, row.originator_version)
            )
            for row in it.misfits
        ),
        # Another process may have made the same one.
        *(
            Statement(
                "INSERT INTO snapshots (game, version, topic, state) SELECT %b::uuid, %b::int, %b::text, %b::bytea"
                " WHERE NOT EXISTS (SELECT 1 FROM removed_games WHERE game = %b)"
                " ON CONFLICT (game, version) DO NOTHING",
                (row.originator_id, row.originator_version, row.topic, row.state, row.originator_id),
            )
            for row in it.rows
        ),
    ]


def _forget_snapshots(_: ForgetSnapshots) -> list[Statement]:
    return [Statement("DELETE FROM snapshots")]


def _probe(it: Probe) -> list[Statement]:
    if not it.size:
        return [Statement("DELETE FROM probes")]
    return [
        # A lock on a whole table keeps every command from being stored.
        Statement("LOCK TABLE progress, events, games IN ROW EXCLUSIVE MODE"),
        Statement("INSERT INTO probes VALUES (%b)", (bytes(it.size),)),
    ]


_WAYS: dict[type[Change], Callable[[Any], Sequence[Statement]]] = {
    NewGame: _new_game,
    TakeSeat: _take_seat,
    NewRequest: _new_request,
    NewImport: _new_import,
    RemoveGame: _remove_game,
    PutTombstone: _put_tombstone,
    PutGame: _put_game,
    PutSeat: _put_seat,
    PutSnapshots: _put_snapshots,
    ForgetSnapshots: _forget_snapshots,
    Probe: _probe,
    **archive.WAYS,
    **access.WAYS,
    **quotas.WAYS,
    **players.WAYS,
    **expiries.WAYS,
    **feed.WAYS,
    **invitations.WAYS,
    **webhooks.WAYS,
}
