"""The platforms' ids of their players, and what became of ended games, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, LiteralString
from uuid import UUID

from boardkeeper.game.game import ENDED, RUNNING
from boardkeeper.game.seats import PERSON
from boardkeeper.service.storage.players import (
    LOOKED_AT,
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
from boardkeeper.service.storage.postgres.access import Statement
from boardkeeper.service.storage.postgres.readers import Readers

MIGRATION: LiteralString = """
CREATE TABLE players (
    game uuid NOT NULL,
    seat integer NOT NULL,
    platform text NOT NULL,
    player_id text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    title text NOT NULL,
    ended boolean NOT NULL,
    PRIMARY KEY (game, seat),
    UNIQUE (game, player_id)
);
CREATE INDEX players_by_id ON players (platform, player_id, number);
CREATE INDEX players_by_state ON players (platform, player_id, ended, number);
CREATE INDEX players_by_title ON players (platform, title, player_id) WHERE ended;
CREATE TABLE seat_results (
    game uuid NOT NULL,
    seat integer NOT NULL,
    points bigint NOT NULL,
    rank integer NOT NULL,
    outcome text NOT NULL,
    share double precision NOT NULL,
    PRIMARY KEY (game, seat)
);
-- A place in the feed is given once the result can be read, and never twice: no reader passes one by.
CREATE TABLE results (
    game uuid PRIMARY KEY,
    platform text NOT NULL,
    title text NOT NULL,
    end_time bigint NOT NULL,
    seats integer NOT NULL,
    people integer NOT NULL,
    position bigint UNIQUE
);
CREATE INDEX results_by_platform ON results (platform, position);
CREATE INDEX results_by_title ON results (platform, title, position);
CREATE INDEX results_by_title_of_all ON results (title, position);
CREATE INDEX results_without_position ON results (end_time) WHERE position IS NULL;
CREATE SEQUENCE result_positions;
INSERT INTO results (game, platform, title, end_time, seats, people)
    SELECT game, g.platform, g.title, p.time, jsonb_array_length(convert_from(p.standings, 'UTF8')::jsonb),
        (SELECT count(*) FROM seats s WHERE s.game = g.game AND s.kind = 'person')
    FROM games g JOIN progress p USING (game) WHERE p.status = 'ended';
INSERT INTO seat_results (game, seat, points, rank, outcome, share)
    SELECT game, seat, points, rank, CASE WHEN rank > 1 THEN 'lost' WHEN worst > 1 THEN 'won' ELSE 'drawn' END,
        CASE WHEN rank > 1 THEN 0 ELSE 1.0 / first END
    FROM (
        SELECT *, max(rank) OVER game AS worst, count(*) FILTER (WHERE rank = 1) OVER game AS first
        FROM (
            SELECT r.game, s.seat, s.points, s.rank FROM results r JOIN progress p USING (game)
            CROSS JOIN LATERAL jsonb_to_recordset(convert_from(p.standings, 'UTF8')::jsonb)
                AS s (seat integer, points bigint, rank integer)
        ) told WINDOW game AS (PARTITION BY game)
    ) ranked;
"""
"""What they are kept in; results of games that have ended before are in the lobby."""

_LOCK = 0x626B_7273  # "bkrs"
_NUMBERED_AT_ONCE = 5_000

_STANDINGS: LiteralString = (
    "SELECT p.player_id, p.title, count(*), count(*) FILTER (WHERE r.outcome = 'won'),"
    " count(*) FILTER (WHERE r.outcome = 'drawn'), count(*) FILTER (WHERE r.outcome = 'lost'), sum(r.share),"
    " sum(1::double precision / e.seats), sum(r.rank), sum(r.points)::bigint, max(r.points), max(e.end_time)"
    " FROM players p JOIN seat_results r ON r.game = p.game AND r.seat = p.seat JOIN results e ON e.game = p.game"
    " WHERE p.ended AND p.platform = %b AND p.title = %b AND p.player_id > %b"
)


BY_TIME: LiteralString = """
CREATE INDEX games_by_time ON games (create_time, number);
CREATE INDEX games_that_go_on_by_time ON games (status, create_time, number) WHERE status <> 'ended';
CREATE INDEX games_by_platform_and_time ON games (platform, create_time, number) WHERE platform <> '';
"""
"""For games that are looked for by when they were created."""


class PostgresPlayers:
    """Reads them (:class:`~boardkeeper.service.storage.players.PlayerTables`)."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers

    def players_of(self, games: Collection[UUID]) -> dict[UUID, dict[int, str]]:
        """The ids of the players of those games, by seat."""
        select: LiteralString = "SELECT game, seat, player_id FROM players WHERE game = ANY(%b)"
        found: dict[UUID, dict[int, str]] = {}
        for game, seat, player in self._readers.rows(select, (list(games),)):
            found.setdefault(game, {})[seat] = player
        return found

    def search(self, search: Search, *, before: Place | None = None, limit: int = 200) -> Found:
        """A page of games that stand behind ``before``."""
        rows = self._readers.rows(*searching(search, before, limit))
        games = sorted(((Place(time, number), game) for time, number, game in rows if game is not None), reverse=True)
        return Found(games, next((Place(time, number) for time, number, game in rows if game is None), None))

    def results_of(self, game: UUID) -> list[SeatResult]:
        """What became of a game, by seat; empty as long as it has not ended."""
        select: LiteralString = (
            "SELECT seat, points, rank, outcome, share FROM seat_results WHERE game = %b ORDER BY seat"
        )
        return [SeatResult(*row) for row in self._readers.rows(select, (game,))]

    def results_of_games(self, games: Collection[UUID]) -> dict[UUID, list[SeatResult]]:
        """What became of those games, by seat."""
        select: LiteralString = (
            "SELECT game, seat, points, rank, outcome, share FROM seat_results WHERE game = ANY(%b) ORDER BY game, seat"
        )
        found: dict[UUID, list[SeatResult]] = {}
        for game, *row in self._readers.rows(select, (list(games),)):
            found.setdefault(game, []).append(SeatResult(*row))
        return found

    def has_unnumbered_results(self) -> bool:
        """Whether there are results without a place in the feed."""
        select: LiteralString = "SELECT EXISTS (SELECT 1 FROM results WHERE position IS NULL)"
        ((found,),) = self._readers.rows(select)
        return bool(found)

    def results(
        self, platform: str | None, title: str, *, after: int | None, limit: int, newest_first: bool = False
    ) -> list[ResultRow]:
        """A page of the games that have ended, behind that place in the feed, in its order or from its end on."""
        statement = listing_results(platform, title, after, limit, newest_first=newest_first)
        return [ResultRow(*row) for row in self._readers.rows(*statement)]

    def standings(
        self, platform: str, title: str, player_ids: Collection[str], *, after: str, limit: int, people_only: bool
    ) -> list[StandingRow]:
        """What players of a platform have reached in a title, in the order of their ids, from behind one on."""
        statement = summing_up(platform, title, player_ids, after, limit, people_only=people_only)
        return [StandingRow(*row) for row in self._readers.rows(*statement)]

    def seats_of_player(self, platform: str, player_id: str, limit: int) -> list[tuple[UUID, int]]:
        """Some of a player's seats."""
        select: LiteralString = (
            "SELECT game, seat FROM players WHERE platform = %b AND player_id = %b ORDER BY number LIMIT %b"
        )
        return [(game, seat) for game, seat in self._readers.rows(select, (platform, player_id, limit))]


# --- asking -------------------------------------------------------------------------------------------------


class _Where:
    """Conditions and their parameters."""

    def __init__(self) -> None:
        self.sql: LiteralString = ""
        self.parameters: list[object] = []

    def add(self, condition: LiteralString, *values: object) -> None:
        self.sql += (" AND " if self.sql else " WHERE ") + condition
        self.parameters += values


def searching(search: Search, before: Place | None, limit: int) -> Statement:
    """SQL that looks for games; with them comes where the last one looked at stands, of no game, if there are more."""
    looked: _Where = _Where()
    source: LiteralString
    order: LiteralString = " ORDER BY number DESC LIMIT %b)"
    if search.player_id:
        source = "SELECT 0::bigint AS time, number, game, seat FROM players"
        looked.add("platform = %b", search.platform or "")
        looked.add("player_id = %b", search.player_id)
        is_ended = _has_ended(search)
        if is_ended is not None:
            looked.add("ended = %b", is_ended)
    elif is_by_time(search):
        source = "SELECT create_time AS time, number, game, 0 AS seat FROM games"
        order = " ORDER BY create_time DESC, number DESC LIMIT %b)"
        _add_times(looked, search, before)
    else:
        source = "SELECT 0::bigint AS time, number, game, 0 AS seat FROM games"
        if search.platform:
            looked.add("platform = %b AND platform <> ''", search.platform)
        elif search.platform is not None:
            looked.add("platform = ''")
        if search.status:
            looked.add("status = %b", search.status)
        if search.title:
            looked.add("title = %b", search.title)
    if before is not None and not is_by_time(search):
        looked.add("number < %b::bigint", before.number)
    wanted = _wanted(search)
    at_once = LOOKED_AT if wanted.sql else limit
    joined: LiteralString = ""
    if search.outcome:
        joined = " JOIN seat_results r ON r.game = l.game AND r.seat = l.seat"
    sql: LiteralString = (
        "WITH l AS MATERIALIZED ("
        + source
        + looked.sql
        + order
        + " (SELECT l.time, l.number, l.game FROM l JOIN games g ON g.game = l.game JOIN progress p ON p.game = l.game"
        + joined
        + wanted.sql
        + " ORDER BY l.time DESC, l.number DESC LIMIT %b) UNION ALL (SELECT time, number, NULL FROM l"
        " WHERE (SELECT count(*) FROM l) = %b ORDER BY time, number LIMIT 1)"
    )
    return Statement(sql, (*looked.parameters, at_once, *wanted.parameters, limit, at_once))


def _add_times(looked: _Where, search: Search, before: Place | None) -> None:
    """The games that were created then, by the index that fits best: of those that go on, of a platform, of all."""
    if search.status and search.status != ENDED:
        looked.add("status = %b AND status <> 'ended'", search.status)
    elif search.platform:
        looked.add("platform = %b AND platform <> ''", search.platform)
    if search.created.after is not None:
        looked.add("create_time >= %b::bigint", search.created.after)
    place = first_place(search, before)
    if place is not None:
        looked.add("(create_time, number) < (%b::bigint, %b::bigint)", *place)


def _has_ended(search: Search) -> bool | None:
    """Whether all games that are looked for have ended, or none has; ``None``: there may be both."""
    if search.deciding:
        return False
    if search.outcome:
        return True
    return search.status == ENDED if search.status else None


def _wanted(search: Search) -> _Where:
    """What is looked at in each game."""
    wanted = _Where()
    if search.player_id or is_by_time(search):
        if search.title:
            wanted.add("g.title = %b", search.title)
        if search.status and (search.status != ENDED or not search.player_id):
            wanted.add("p.status = %b", search.status)
    if is_by_time(search) and search.platform is not None:
        wanted.add("g.platform = %b", search.platform)
    if search.deciding:
        decision: LiteralString = "(convert_from(p.decisions, 'UTF8')::jsonb ->> (l.seat - 1)) <> ''"
        wanted.add("p.status = %b AND " + decision, RUNNING)
        # A bot may be playing for him.
        wanted.add("EXISTS (SELECT 1 FROM seats s WHERE s.game = l.game AND s.seat = l.seat AND s.kind = %b)", PERSON)
    if search.outcome:
        wanted.add("r.outcome = %b", search.outcome)
    if search.id_prefix:
        first, last = UUID(search.id_prefix.ljust(32, "0")), UUID(search.id_prefix.ljust(32, "f"))
        wanted.add("l.game BETWEEN %b AND %b", first, last)
    created = Between() if is_by_time(search) else search.created
    if created.after is not None:
        wanted.add("g.create_time >= %b::bigint", created.after)
    if created.before is not None:
        wanted.add("g.create_time < %b::bigint", created.before)
    if search.updated.after is not None:
        wanted.add("p.time >= %b::bigint", search.updated.after)
    if search.updated.before is not None:
        wanted.add("p.time < %b::bigint", search.updated.before)
    return wanted


def listing_results(
    platform: str | None, title: str, after: int | None, limit: int, *, newest_first: bool
) -> Statement:
    """SQL that reads a page of the feed."""
    where = _Where()
    where.add("position IS NOT NULL")
    if platform is not None:
        where.add("platform = %b", platform)
    if title:
        where.add("title = %b", title)
    if after is not None:
        where.add("position < %b::bigint" if newest_first else "position > %b::bigint", after)
    order: LiteralString = " ORDER BY position DESC LIMIT %b" if newest_first else " ORDER BY position LIMIT %b"
    sql: LiteralString = "SELECT position, game, end_time, people FROM results" + where.sql + order
    return Statement(sql, (*where.parameters, limit))


def summing_up(
    platform: str, title: str, player_ids: Collection[str], after: str, limit: int, *, people_only: bool
) -> Statement:
    """SQL that sums up what players have reached."""
    sql = _STANDINGS
    parameters: list[object] = [platform, title, after]
    if player_ids:
        sql += " AND p.player_id = ANY(%b)"
        parameters.append(sorted(player_ids))
    if people_only:
        sql += " AND e.people = e.seats"
    group: LiteralString = " GROUP BY p.player_id, p.title ORDER BY p.player_id LIMIT %b"
    return Statement(sql + group, (*parameters, limit))


# --- writing ------------------------------------------------------------------------------------------------


def _put_player(it: PutPlayer) -> list[Statement]:
    remove = Statement("DELETE FROM players WHERE game = %b AND seat = %b", (it.game, it.seat))
    if not it.player_id:
        return [remove]
    insert: LiteralString = (
        "INSERT INTO players (game, seat, platform, player_id, number, title, ended)"
        " SELECT game, %b::int, platform, %b::text, number, title, EXISTS (SELECT 1 FROM results WHERE game = %b)"
        " FROM games WHERE game = %b"
    )
    return [
        # Whoever ends the game at the same time comes before, and is seen, or behind.
        Statement("SELECT 1 FROM progress WHERE game = %b FOR UPDATE", (it.game,)),
        remove,
        Statement(insert, (it.seat, it.player_id, it.game, it.game)),
    ]


def _erase_player(it: ErasePlayer) -> list[Statement]:
    his: LiteralString = (
        "EXISTS (SELECT 1 FROM players WHERE game = %b AND seat = %b AND platform = %b AND player_id = %b)"
    )
    who = (it.game, it.seat, it.platform, it.player_id)
    return [
        Statement(
            "UPDATE seats SET name = '', token_hash = NULL, token_expires = NULL WHERE game = %b AND seat = %b AND "
            + his,
            (it.game, it.seat, *who),
        ),
        # Hashes of requests that were made with the name or the id, from which these could be guessed.
        Statement("UPDATE requests SET content = %b WHERE game = %b AND " + his, (bytes(32), it.game, *who)),
        Statement("DELETE FROM players WHERE game = %b AND seat = %b AND platform = %b AND player_id = %b", who),
    ]


def _end_game(it: EndGame) -> list[Statement]:
    result: LiteralString = (
        "INSERT INTO results (game, platform, title, end_time, seats, people)"
        " SELECT game, platform, title, %b::bigint, %b::int, %b::int FROM games WHERE game = %b ON CONFLICT (game)"
        " DO UPDATE SET end_time = excluded.end_time, seats = excluded.seats, people = excluded.people"
    )
    insert: LiteralString = (
        "INSERT INTO seat_results (game, seat, points, rank, outcome, share)"
        " SELECT %b::uuid, * FROM unnest(%b::int[], %b::bigint[], %b::int[], %b::text[], %b::float8[])"
    )
    seats = it.seats
    columns = (
        [seat.seat for seat in seats],
        [seat.points for seat in seats],
        [seat.rank for seat in seats],
        [seat.outcome for seat in seats],
        [seat.share for seat in seats],
    )
    return [
        Statement("SELECT 1 FROM progress WHERE game = %b FOR UPDATE", (it.game,)),
        Statement("UPDATE players SET ended = true WHERE game = %b", (it.game,)),
        Statement(result, (it.time, len(seats), it.people, it.game)),
        Statement("DELETE FROM seat_results WHERE game = %b", (it.game,)),
        Statement(insert, (it.game, *columns)),
    ]


def _number_results(_: NumberResults) -> list[Statement]:
    # One process at a time: what another one is numbering now it will have numbered.
    update: LiteralString = (
        "WITH held AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(%b::bigint) AS alone), due AS MATERIALIZED ("
        " SELECT game, nextval('result_positions') AS position FROM (SELECT game FROM results WHERE position IS NULL"
        " AND (SELECT alone FROM held) ORDER BY end_time, game LIMIT %b) first)"
        " UPDATE results r SET position = due.position FROM due WHERE r.game = due.game AND r.position IS NULL"
    )
    return [Statement(update, (_LOCK, _NUMBERED_AT_ONCE))]


def numbered_again(game: UUID) -> Statement:
    """What finds a game's line in the lobby again, which may have been lost and come back with another number."""
    update: LiteralString = "UPDATE players p SET number = g.number FROM games g WHERE g.game = p.game AND g.game = %b"
    return Statement(update, (game,))


WAYS: dict[type[Any], Callable[[Any], Sequence[Statement]]] = {
    PutPlayer: _put_player,
    EndGame: _end_game,
    ErasePlayer: _erase_player,
    NumberResults: _number_results,
}
"""How each of these changes is written."""

OF_A_GAME: tuple[LiteralString, ...] = (
    "DELETE FROM players WHERE game = %b",
    "DELETE FROM seat_results WHERE game = %b",
    "DELETE FROM results WHERE game = %b",
)
"""What goes with a game that is removed."""
