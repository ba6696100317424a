"""The platforms' ids of their players, and what became of ended games, in a file."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Sequence
from typing import Any
from uuid import UUID

from eventsourcing.sqlite import SQLiteDatastore

from boardkeeper.game.game import ENDED, RUNNING
from boardkeeper.game.seats import PERSON
from boardkeeper.service.storage.players import (
    DRAWN,
    LOOKED_AT,
    LOST,
    WON,
    Between,
    EndGame,
    ErasePlayer,
    Found,
    NumberResults,
    Place,
    PutPlayer,
    ResultRow,
    Search,
    SeatResult,
    StandingRow,
    first_place,
    is_by_time,
)
from boardkeeper.service.storage.rows import DamagedLineError, encode
from boardkeeper.service.storage.sqlite.typed import fitting, game_id, number, small, text

Statement = tuple[str, tuple[object, ...]]

TABLES = """
CREATE TABLE IF NOT EXISTS players (
    game_id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    platform TEXT NOT NULL,
    player_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    title TEXT NOT NULL,
    ended INTEGER NOT NULL,
    PRIMARY KEY (game_id, seat),
    UNIQUE (game_id, player_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS players_by_id ON players (platform, player_id, number, seat);
CREATE INDEX IF NOT EXISTS players_by_state ON players (platform, player_id, ended, number, seat);
CREATE INDEX IF NOT EXISTS players_by_title ON players (platform, title, player_id) WHERE ended;
CREATE TABLE IF NOT EXISTS seat_results (
    game_id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    points INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    share REAL NOT NULL,
    PRIMARY KEY (game_id, seat)
) WITHOUT ROWID;
"""

RESULTS = """
BEGIN;
CREATE TABLE results (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    game_id TEXT NOT NULL UNIQUE,
    platform TEXT NOT NULL,
    title TEXT NOT NULL,
    end_time INTEGER NOT NULL,
    seats INTEGER NOT NULL,
    people INTEGER NOT NULL
);
CREATE INDEX results_by_platform ON results (platform, position);
CREATE INDEX results_by_title ON results (platform, title, position);
CREATE INDEX results_by_title_of_all ON results (title, position);
"""
"""A place in the feed is never given twice, also not when the last game was removed."""

FILL = f"""
INSERT INTO results (game_id, platform, title, end_time, seats, people)
    SELECT game_id, platform, title, update_time, json_array_length(CAST(standings AS TEXT)),
        (SELECT count(*) FROM seats s WHERE s.game_id=games.game_id AND s.kind='{PERSON}')
    FROM games WHERE status='{ENDED}' AND json_valid(CAST(standings AS TEXT)) ORDER BY update_time, number;
INSERT OR IGNORE INTO seat_results (game_id, seat, points, rank, outcome, share)
    SELECT game_id, seat, points, rank, CASE WHEN rank>1 THEN 'lost' WHEN worst>1 THEN 'won' ELSE 'drawn' END,
        CASE WHEN rank>1 THEN 0.0 ELSE 1.0/first END
    FROM (
        SELECT *, max(rank) OVER game AS worst, sum(rank=1) OVER game AS first FROM (
            SELECT game_id, json_extract(value, '$.seat') AS seat, json_extract(value, '$.points') AS points,
                json_extract(value, '$.rank') AS rank
            FROM (SELECT game_id, CAST(standings AS TEXT) AS told FROM games WHERE game_id IN
                (SELECT game_id FROM results)), json_each(told)
        ) WINDOW game AS (PARTITION BY game_id)
    );
COMMIT;
"""
"""For files from before there were results: those of games that have ended are in the lobby."""

_STANDINGS = (
    "SELECT p.player_id, p.title, count(*), sum(r.outcome='won'), sum(r.outcome='drawn'), sum(r.outcome='lost'),"
    " sum(r.share), sum(1.0/e.seats), sum(r.rank), sum(r.points), max(r.points), max(e.end_time)"
    " FROM players p JOIN seat_results r ON r.game_id=p.game_id AND r.seat=p.seat JOIN results e ON e.game_id=p.game_id"
    " WHERE p.ended AND p.platform=? AND p.title=?"
)


class SqlitePlayers:
    """Reads them (:class:`~boardkeeper.service.storage.players.PlayerTables`)."""

    def __init__(self, datastore: SQLiteDatastore) -> None:
        self._datastore = datastore

    def players_of(self, games: Collection[UUID]) -> dict[UUID, dict[int, str]]:
        """The ids of the players of those games, by seat."""
        select = "SELECT game_id, seat, player_id FROM players WHERE game_id IN (SELECT value FROM json_each(?))"
        found: dict[UUID, dict[int, str]] = {}
        for game, seat, player in self._rows(select, (encode([game.hex for game in games]).decode(),)):
            found.setdefault(game_id(game), {})[small(seat)] = text(player)
        return found

    def search(self, search: Search, *, before: Place | None = None, limit: int = 200) -> Found:
        """A page of games that stand behind ``before``."""
        sql, parameters = searching(search, before, limit)
        rows = [(Place(number(time), number(at)), game) for time, at, game in self._rows(sql, parameters)]
        went_to = rows.pop()[0] if rows and not rows[-1][1] else None
        return Found([(place, game_id(game)) for place, game in rows], went_to)

    def results_of(self, game: UUID) -> list[SeatResult]:
        """What became of a game, by seat; empty as long as it has not ended."""
        select = "SELECT seat, points, rank, outcome, share FROM seat_results WHERE game_id=? ORDER BY seat"
        return [_seat_result(*row) for row in self._rows(select, (game.hex,))]

    def results_of_games(self, games: Collection[UUID]) -> dict[UUID, list[SeatResult]]:
        """What became of those games, by seat."""
        select = (
            "SELECT game_id, seat, points, rank, outcome, share FROM seat_results"
            " WHERE game_id IN (SELECT value FROM json_each(?)) ORDER BY game_id, seat"
        )
        found: dict[UUID, list[SeatResult]] = {}
        for game, *row in self._rows(select, (encode([game.hex for game in games]).decode(),)):
            found.setdefault(game_id(game), []).append(_seat_result(*row))
        return found

    def has_unnumbered_results(self) -> bool:
        """There is one writer: whatever is stored has its place at once."""
        return False

    def results(
        self, platform: str | None, title: str, *, after: int | None, limit: int, newest_first: bool = False
    ) -> list[ResultRow]:
        """A page of the games that have ended, behind that place in the feed, in its order or from its end on."""
        sql, parameters = listing_results(platform, title, after, limit, newest_first=newest_first)
        return [fitting(ResultRow, *row) for row in self._rows(sql, parameters)]

    def standings(
        self, platform: str, title: str, player_ids: Collection[str], *, after: str, limit: int, people_only: bool
    ) -> list[StandingRow]:
        """What players of a platform have reached in a title, in the order of their ids, from behind one on."""
        sql, parameters = summing_up(platform, title, player_ids, after, limit, people_only=people_only)
        return [fitting(StandingRow, *row) for row in self._rows(sql, parameters)]

    def seats_of_player(self, platform: str, player_id: str, limit: int) -> list[tuple[UUID, int]]:
        """Some of a player's seats."""
        select = "SELECT game_id, seat FROM players WHERE platform=? AND player_id=? ORDER BY number LIMIT ?"
        return [(game_id(game), number(seat)) for game, seat in self._rows(select, (platform, player_id, limit))]

    def _rows(self, sql: str, parameters: tuple[object, ...] = ()) -> list[sqlite3.Row]:
        with self._datastore.transaction(commit=False) as cursor:
            cursor.execute(sql, parameters)
            rows: list[sqlite3.Row] = cursor.fetchall()
            return rows


def _seat_result(*values: object) -> SeatResult:
    result = fitting(SeatResult, *values)
    if result.outcome not in (WON, DRAWN, LOST):
        raise DamagedLineError(f"{result.outcome!r} is no outcome")
    return result


# --- asking -------------------------------------------------------------------------------------------------


def searching(search: Search, before: Place | None, limit: int) -> Statement:
    """SQL that looks for games; behind them comes where the last one looked at stands, if there are more."""
    looked, parameters = _looked_at(search, before)
    conditions, more = _conditions(search)
    at_once = LOOKED_AT if conditions else limit
    where = " AND ".join(conditions) or "1"
    joined = " JOIN seat_results r ON r.game_id=l.game_id AND r.seat=l.seat" if search.outcome else ""
    sql = (
        f"WITH l AS MATERIALIZED ({looked} LIMIT ?)"
        f" SELECT * FROM (SELECT l.time, l.number, l.game_id FROM l CROSS JOIN games g ON g.game_id=l.game_id{joined}"
        f" WHERE {where} ORDER BY l.time DESC, l.number DESC LIMIT ?)"
        " UNION ALL SELECT * FROM (SELECT time, number, '' FROM l WHERE (SELECT count(*) FROM l)=?"
        " ORDER BY time, number LIMIT 1)"
    )
    return sql, (*parameters, at_once, *more, limit, at_once)


def _looked_at(search: Search, before: Place | None) -> Statement:
    """The games that are looked at, by the index that fits best."""
    conditions: list[str] = []
    parameters: list[object] = []

    def add(condition: str, value: object) -> None:
        conditions.append(condition)
        parameters.append(value)

    if search.player_id:
        add("platform=?", search.platform or "")
        add("player_id=?", search.player_id)
        is_ended = has_ended(search)
        if is_ended is not None:
            add("ended=?", is_ended)
        columns, table = "0 AS time, number, game_id, seat", "players"
    elif is_by_time(search):
        return _looked_at_by_time(search, before)
    else:
        # Where most games are nobody's the other indices are better; those of platforms have their own.
        if search.platform:
            add("platform=? AND platform<>''", search.platform)
        elif search.platform is not None:
            add("+platform=?", search.platform)
        if search.status:
            add("status=?", search.status)
        if search.title:
            add("title=?", search.title)
        columns, table = "0 AS time, number, game_id, 0 AS seat", "games"
    if before is not None:
        add("number<?", before.number)
    where = " AND ".join(conditions) or "1"
    return f"SELECT {columns} FROM {table} WHERE {where} ORDER BY number DESC", tuple(parameters)


def _looked_at_by_time(search: Search, before: Place | None) -> Statement:
    """The games that were created then, by the index that fits best: of those that go on, of a platform, of all."""
    conditions: list[str] = []
    parameters: list[object] = []
    if search.status and search.status != ENDED:
        conditions.append(f"status=? AND status<>'{ENDED}'")
        parameters.append(search.status)
    elif search.platform:
        conditions.append("platform=? AND platform<>''")
        parameters.append(search.platform)
    if search.created.after is not None:
        conditions.append("create_time>=?")
        parameters.append(search.created.after)
    place = first_place(search, before)
    if place is not None:
        conditions.append("(create_time, number)<(?, ?)")
        parameters += place
    columns, order = "create_time AS time, number, game_id, 0 AS seat", "create_time DESC, number DESC"
    return f"SELECT {columns} FROM games WHERE {' AND '.join(conditions)} ORDER BY {order}", tuple(parameters)


def has_ended(search: Search) -> bool | None:
    """Whether all games that are looked for have ended, or none has; ``None``: there may be both."""
    if search.deciding:
        return False
    if search.outcome:
        return True
    return search.status == ENDED if search.status else None


def _conditions(search: Search) -> tuple[list[str], list[object]]:
    """What is looked at in each game."""
    conditions: list[str] = []
    parameters: list[object] = []

    def add(condition: str, value: object) -> None:
        conditions.append(condition)
        parameters.append(value)

    if search.player_id or is_by_time(search):
        if search.title:
            add("g.title=?", search.title)
        if search.status and (search.status != ENDED or not search.player_id):
            add("g.status=?", search.status)
    if is_by_time(search) and search.platform is not None:
        add("g.platform=?", search.platform)
    if search.deciding:
        decision = "json_extract(CAST(g.decisions AS TEXT), '$[' || (l.seat - 1) || ']')"
        person = "EXISTS (SELECT 1 FROM seats s WHERE s.game_id=l.game_id AND s.seat=l.seat AND s.kind=?)"
        add(person, PERSON)  # a bot may be playing for him
        add(f"g.status=? AND CASE WHEN json_valid(CAST(g.decisions AS TEXT)) THEN {decision}<>'' END", RUNNING)
    if search.outcome:
        add("r.outcome=?", search.outcome)
    if search.id_prefix:
        conditions.append("l.game_id>=? AND l.game_id<?")
        parameters += [search.id_prefix, search.id_prefix + "g"]  # the digits of an id end with f
    created = Between() if is_by_time(search) else search.created
    for column, times in (("create_time", created), ("update_time", search.updated)):
        if times.after is not None:
            add(f"g.{column}>=?", times.after)
        if times.before is not None:
            add(f"g.{column}<?", times.before)
    return conditions, parameters


def listing_results(
    platform: str | None, title: str, after: int | None, limit: int, *, newest_first: bool
) -> Statement:
    """SQL that reads a page of the feed."""
    conditions: list[str] = []
    parameters: list[object] = []
    wanted = (("platform=?", platform), ("title=?", title or None), (f"position{'<' if newest_first else '>'}?", after))
    for condition, value in wanted:
        if value is not None:
            conditions.append(condition)
            parameters.append(value)
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    order = f" ORDER BY position{' DESC' if newest_first else ''} LIMIT ?"
    return f"SELECT position, game_id, end_time, people FROM results{where}{order}", (*parameters, limit)


def summing_up(
    platform: str, title: str, player_ids: Collection[str], after: str, limit: int, *, people_only: bool
) -> Statement:
    """SQL that sums up what players have reached."""
    # With ids they are looked up, and a plus keeps the index from going through all behind the last page.
    sql = f"{_STANDINGS} AND {'+' if player_ids else ''}p.player_id>?"
    parameters: list[object] = [platform, title, after]
    if player_ids:
        sql += " AND p.player_id IN (SELECT value FROM json_each(?))"
        parameters.append(encode(sorted(player_ids)).decode())
    if people_only:
        sql += " AND e.people=e.seats"
    return f"{sql} GROUP BY p.player_id ORDER BY p.player_id LIMIT ?", (*parameters, limit)


# --- writing ------------------------------------------------------------------------------------------------


def _put_player(it: PutPlayer) -> list[Statement]:
    game = it.game.hex
    remove = ("DELETE FROM players WHERE game_id=? AND seat=?", (game, it.seat))
    if not it.player_id:
        return [remove]
    insert = (
        "INSERT INTO players (game_id, seat, platform, player_id, number, title, ended)"
        " SELECT game_id, ?, platform, ?, number, title, EXISTS (SELECT 1 FROM results WHERE game_id=?)"
        " FROM games WHERE game_id=?"
    )
    return [remove, (insert, (it.seat, it.player_id, game, game))]


def _erase_player(it: ErasePlayer) -> list[Statement]:
    game = it.game.hex
    his = "EXISTS (SELECT 1 FROM players WHERE game_id=? AND seat=? AND platform=? AND player_id=?)"
    who = (game, it.seat, it.platform, it.player_id)
    return [
        (
            f"UPDATE seats SET name='', token_hash=NULL, token_expires=NULL WHERE game_id=? AND seat=? AND {his}",
            (game, it.seat, *who),
        ),
        # Hashes of requests that were made with the name or the id, from which these could be guessed.
        (f"UPDATE requests SET content=zeroblob(32) WHERE game_id=? AND {his}", (game, *who)),
        ("DELETE FROM players WHERE game_id=? AND seat=? AND platform=? AND player_id=?", who),
    ]


def _end_game(it: EndGame) -> list[Statement]:
    game = it.game.hex
    result = (
        "INSERT INTO results (game_id, platform, title, end_time, seats, people)"
        " SELECT game_id, platform, title, ?, ?, ? FROM games WHERE game_id=?"
        " ON CONFLICT (game_id) DO UPDATE SET end_time=excluded.end_time, seats=excluded.seats, people=excluded.people"
    )
    return [
        ("UPDATE players SET ended=1 WHERE game_id=?", (game,)),
        (result, (it.time, len(it.seats), it.people, game)),
        ("DELETE FROM seat_results WHERE game_id=?", (game,)),
        *(
            (
                "INSERT INTO seat_results VALUES (?,?,?,?,?,?)",
                (game, seat.seat, seat.points, seat.rank, seat.outcome, seat.share),
            )
            for seat in it.seats
        ),
    ]


def _number_results(_: NumberResults) -> list[Statement]:
    return []


def numbered_again(game: str) -> Statement:
    """What finds a game's line in the lobby again, which may have been lost and come back with another number."""
    update = "UPDATE players SET number=g.number FROM games g WHERE g.game_id=players.game_id AND g.game_id=?"
    return update, (game,)


WAYS: dict[type[Any], Callable[[Any], Sequence[Statement]]] = {
    PutPlayer: _put_player,
    EndGame: _end_game,
    ErasePlayer: _erase_player,
    NumberResults: _number_results,
}
"""How each of these changes is written."""

OF_A_GAME = ("players", "seat_results", "results")
"""What goes with a game that is removed."""
