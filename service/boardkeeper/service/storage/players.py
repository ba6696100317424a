"""Player ids of platforms, and the results of ended games.

Player ids are stored here only, not in the event log: records do not say who played. Results are derived from the log
and stored in the transaction of a game's last event.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, Literal, NamedTuple
from uuid import UUID

from msgspec import Struct

from boardkeeper.game.game import ENDED, RUNNING
from boardkeeper.game.seats import PERSON
from boardkeeper.service.storage.rows import Int32
from boardkeeper.service.storage.sql import (
    JOIN_PROGRESS,
    PROGRESS_ALIAS,
    Change,
    Statement,
    Tables,
    Where,
    bind,
    columns,
    ids_with_prefix,
    placeholders,
    stored_values,
)
from boardkeeper.titlekit.title import Standing

MAX_SCANNED = 1_000
"""The maximum number of games that are examined for one page if no index matches all conditions."""

Outcome = Literal["won", "drawn", "lost"]
WON: Final = "won"
DRAWN: Final = "drawn"
LOST: Final = "lost"

_NUMBERING_LOCK = 0x626B_7273  # "bkrs"
_NUMBER_BATCH = 5_000
_LOCK_GAME = "{postgres:SELECT 1 FROM progress WHERE game = ?game FOR UPDATE}"
"""SQL that locks a game, so that no other process ends it or changes its players."""

ZERO_HASH = "{sqlite:zeroblob(32)}{postgres:decode(repeat('00', 32), 'hex')}"
"""SQL for 32 zero bytes, which replace an erased hash."""


class SeatResult(Struct, frozen=True):
    """The result of a seat.

    ``outcome`` is ``drawn`` if all seats have rank 1; otherwise ``won`` for rank 1 and ``lost`` for other ranks.
    ``share`` is the seat's share of the victory: the seats with rank 1 share it equally.
    """

    seat: Int32
    points: int
    rank: Int32
    outcome: Outcome
    share: float


class _GameSeatResult(SeatResult, frozen=True):
    """A seat's result with its game."""

    game: UUID


class EndGame(Change, frozen=True):
    """Insert or replace the result of a game; ``time`` is in milliseconds since 1970.

    ``people`` is the number of seats that people had at the start.
    """

    game: UUID
    time: int
    people: int
    seats: tuple[SeatResult, ...]

    def statements(self) -> list[Statement]:
        result = (
            "INSERT INTO results (game, platform, title, end_time, seats, people)"
            " SELECT game, platform, title, ?::bigint, ?::int, ?::int FROM games WHERE game = ? ON CONFLICT (game)"
            " DO UPDATE SET end_time = excluded.end_time, seats = excluded.seats, people = excluded.people"
        )
        insert = f"INSERT INTO seat_results (game, {columns(SeatResult)}) VALUES {placeholders(6, len(self.seats))}"
        values = [value for seat in self.seats for value in (self.game, *stored_values(seat))]
        return [
            *bind(self, _LOCK_GAME, "UPDATE players SET ended = true WHERE game = ?game"),
            Statement(result, (self.time, len(self.seats), self.people, self.game)),
            *bind(self, "DELETE FROM seat_results WHERE game = ?game"),
            Statement(insert, tuple(values)),
        ]


class PutPlayer(Change, frozen=True):
    """Store the player id of a seat; an empty one deletes it.

    It runs after the game's ``NewGame`` and ``SetGameOwner``. Conflicts if the player has another seat in the game.
    """

    game: UUID
    seat: int
    player_id: str

    def statements(self) -> list[Statement]:
        delete = "DELETE FROM players WHERE game = ?game AND seat = ?seat"
        if not self.player_id:
            return bind(self, delete)
        insert = (
            "INSERT INTO players (game, seat, platform, player_id, number, title, ended)"
            " SELECT game, ?seat::int, platform, ?player_id::text, number, title,"
            " EXISTS (SELECT 1 FROM results WHERE game = ?game) FROM games WHERE game = ?game"
        )
        return bind(self, _LOCK_GAME, delete, insert)


class ErasePlayer(Change, frozen=True):
    """Erase player id, name and token of a seat if it belongs to the player."""

    game: UUID
    seat: int
    platform: str
    player_id: str

    @property
    def changed_game(self) -> UUID:
        return self.game

    def statements(self) -> list[Statement]:
        where = "game = ?game AND seat = ?seat AND platform = ?platform AND player_id = ?player_id"
        is_players = f"EXISTS (SELECT 1 FROM players WHERE {where})"
        seat = "UPDATE seats SET name = '', token_hash = NULL, token_expires = NULL WHERE game = ?game AND seat = ?seat"
        request = f"UPDATE requests SET content = {ZERO_HASH} WHERE game = ?game"
        return bind(
            self,
            f"{seat} AND {is_players}",
            # These hashes include the name or the id, which could be guessed from them.
            f"{request} AND {is_players}",
            f"DELETE FROM players WHERE {where}",
        )


class NumberResults(Change, frozen=True):
    """Assign the next positions in the list of results to new results."""

    def statements(self) -> list[Statement]:
        # In SQLite a result gets its position when it is stored. In PostgreSQL one process at a time assigns them.
        update = (
            "{postgres:WITH held AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(?::bigint) AS alone),"
            " due AS MATERIALIZED (SELECT game, nextval('result_positions') AS position FROM (SELECT game FROM results"
            " WHERE position IS NULL AND (SELECT alone FROM held) ORDER BY end_time, game LIMIT ?) first)"
            " UPDATE results r SET position = due.position FROM due WHERE r.game = due.game AND r.position IS NULL}"
        )
        return [Statement(update, (_NUMBERING_LOCK, _NUMBER_BATCH))]


def restore_player_numbers(game: UUID) -> Statement:
    """Return the statement that copies the new number of a restored lobby row to the players of the game."""
    update = "UPDATE players AS p SET number = g.number FROM games g WHERE g.game = p.game AND g.game = ?"
    return Statement(update, (game,))


class TimeRange(Struct, frozen=True):
    """Times with ``after <= time < before``, in milliseconds since 1970."""

    after: int | None = None
    before: int | None = None

    def __bool__(self) -> bool:
        return self.after is not None or self.before is not None


class GameSearch(Struct, frozen=True):
    """Conditions for games, combined with "and"; empty ones are ignored.

    ``platform`` is the owner: empty for games without an owner, ``None`` for all games. ``player_id`` is a player of
    the platform (then ``platform`` must not be ``None``), who has to decide (``deciding``) or has a result
    (``outcome``).
    """

    platform: str | None
    player_id: str = ""
    deciding: bool = False
    outcome: str = ""
    status: str = ""
    title: str = ""
    id_prefix: str = ""
    created: TimeRange = TimeRange()
    updated: TimeRange = TimeRange()


class ListCursor(NamedTuple):
    """The position of a game in a list that is sorted by time of creation and number, or by number (``time`` is 0)."""

    time: int
    number: int


def is_ordered_by_time(search: GameSearch) -> bool:
    """Return whether the results of a search are ordered by time of creation.

    Then only games created in the requested period are examined. This is not the order of numbers: an imported game has
    a later number than other games of its time.
    """
    return bool(search.created) and not search.player_id


def upper_bound(search: GameSearch, before: ListCursor | None) -> ListCursor | None:
    """Return the cursor before which all results of a search that is ordered by time must be."""
    cursors = [ListCursor(search.created.before, 0)] if search.created.before is not None else []
    return min((*cursors, *((before,) if before is not None else ())), default=None)


class GamePage(Struct, frozen=True):
    """A page of games, newest first, and the cursor of the last examined game if there may be more."""

    games: Sequence[tuple[ListCursor, UUID]]
    next_cursor: ListCursor | None


class ResultRow(Struct, frozen=True):
    """The result of a game: its position in the list of results, when it ended, and the number of people."""

    position: int
    game: UUID
    time: int
    people: int


class StandingRow(Struct, frozen=True):
    """The sums of a player's ended games in a title, and when the last one ended.

    ``expected`` is the sum of 1 / (number of seats), which are the shares of an average player.
    """

    player_id: str
    title: str
    games: int
    won: int
    drawn: int
    lost: int
    shares: float
    expected: float
    ranks: int
    points: int
    best_points: int
    last_time: int


class PlayerTables(Tables):
    """Reads players and results."""

    def players_of(self, games: Collection[UUID]) -> dict[UUID, dict[int, str]]:
        """Return the player ids of games, by seat."""
        select = "SELECT game, seat, player_id FROM players WHERE game = ANY(?)"
        found: dict[UUID, dict[int, str]] = {}
        for game, seat, player in self._reader.fetch_tuples(tuple[UUID, Int32, str], select, list(games)):
            found.setdefault(game, {})[seat] = player
        return found

    def search(self, search: GameSearch, *, before: ListCursor | None = None, limit: int = 200) -> GamePage:
        """Return the next page of games of a search, after ``before``.

        If no index matches the conditions, it examines at most ``MAX_SCANNED`` games, so a page may be short or empty
        although there are more.
        """
        sql, parameters = search_query(search, before, limit)
        rows = self._reader.fetch_tuples(tuple[int, int, UUID | None], sql, *parameters)
        games = sorted(
            ((ListCursor(time, number), game) for time, number, game in rows if game is not None), reverse=True
        )
        return GamePage(games, next((ListCursor(time, number) for time, number, game in rows if game is None), None))

    def results_of(self, game: UUID) -> list[SeatResult]:
        """Return the result of each seat of a game; empty if the game has not ended."""
        return self.results_of_games([game]).get(game, [])

    def results_of_games(self, games: Collection[UUID]) -> dict[UUID, list[SeatResult]]:
        """Return the results of games, by seat."""
        select = f"SELECT {columns(SeatResult)}, game FROM seat_results WHERE game = ANY(?) ORDER BY game, seat"
        found: dict[UUID, list[SeatResult]] = {}
        for row in self._reader.fetch_structs(_GameSeatResult, select, list(games)):
            found.setdefault(row.game, []).append(SeatResult(row.seat, row.points, row.rank, row.outcome, row.share))
        return found

    def has_unnumbered_results(self) -> bool:
        """Return whether results wait for a position (see ``NumberResults``)."""
        return self._reader.fetch_value(bool, "SELECT EXISTS (SELECT 1 FROM results WHERE position IS NULL LIMIT 1)")

    def results(
        self, platform: str | None, title: str, *, after: int | None, limit: int, newest_first: bool = False
    ) -> list[ResultRow]:
        """Return a page of results after a position, in ascending or descending order."""
        sql, parameters = results_query(platform, title, after, limit, newest_first=newest_first)
        return self._reader.fetch_structs(ResultRow, sql, *parameters)

    def standings(
        self, platform: str, title: str, player_ids: Collection[str], *, after: str, limit: int, people_only: bool
    ) -> list[StandingRow]:
        """Return the standings of a platform's players in a title, ordered by id, after the id ``after``.

        Without ``player_ids`` it returns all players. With ``people_only`` it ignores games with bots.
        """
        sql, parameters = standings_query(platform, title, player_ids, after, limit, people_only=people_only)
        return self._reader.fetch_structs(StandingRow, sql, *parameters)

    def seats_of_player(self, platform: str, player_id: str, limit: int) -> list[tuple[UUID, int]]:
        """Return up to ``limit`` seats of a player."""
        select = "SELECT game, seat FROM players WHERE platform = ? AND player_id = ? ORDER BY number LIMIT ?"
        return self._reader.fetch_tuples(tuple[UUID, int], select, platform, player_id, limit)


# --- queries ------------------------------------------------------------------------------------------------


def search_query(search: GameSearch, before: ListCursor | None, limit: int) -> Statement:
    """Return the query of a search.

    It reads games from one index, in order, and checks the remaining conditions for each of them. A result row without
    a game is the cursor of the last examined game; it means that there may be more games.
    """
    source, order = "0::bigint AS time, number, game, 0 AS seat FROM games", "number DESC"
    conditions = Where()
    if search.player_id:
        source = "0::bigint AS time, number, game, seat FROM players"
        conditions.add("platform = ? AND player_id = ?", search.platform or "", search.player_id)
        is_ended = _has_ended(search)
        if is_ended is not None:
            conditions.add("ended = ?", is_ended)
    elif is_ordered_by_time(search):
        source, order = "create_time AS time, number, game, 0 AS seat FROM games", "create_time DESC, number DESC"
        _add_time_conditions(conditions, search, before)
    else:
        # Games with an owner have a partial index. For other games the plus keeps SQLite from using the index of
        # platforms: if few games have an owner, other indexes are better.
        if search.platform:
            conditions.add("platform = ? AND platform <> ''", search.platform)
        elif search.platform is not None:
            conditions.add("{sqlite:+}platform = ''")
        if search.status:
            conditions.add("status = ?", search.status)
        if search.title:
            conditions.add("title = ?", search.title)
    if before is not None and not is_ordered_by_time(search):
        conditions.add("number < ?::bigint", before.number)
    wanted, joined = _filter_conditions(search)
    at_once = MAX_SCANNED if wanted else limit
    sql = (
        f"WITH l AS MATERIALIZED (SELECT {source}{conditions} ORDER BY {order} LIMIT ?)"
        " SELECT * FROM (SELECT l.time, l.number, l.game FROM l {sqlite:CROSS} JOIN games g ON g.game = l.game"
        f"{joined}{wanted} ORDER BY l.time DESC, l.number DESC LIMIT ?) found UNION ALL SELECT * FROM"
        " (SELECT time, number, NULL::uuid FROM l WHERE (SELECT count(*) FROM l) = ? ORDER BY time, number LIMIT 1) l2"
    )
    return Statement(sql, (*conditions.parameters, at_once, *wanted.parameters, limit, at_once))


def _add_time_conditions(conditions: Where, search: GameSearch, before: ListCursor | None) -> None:
    """Add the conditions that select the index of running games, of a platform's games, or of all games."""
    if search.status and search.status != ENDED:
        conditions.add("status = ? AND status <> 'ended'", search.status)
    elif search.platform:
        conditions.add("platform = ? AND platform <> ''", search.platform)
    if search.created.after is not None:
        conditions.add("create_time >= ?::bigint", search.created.after)
    place = upper_bound(search, before)
    if place is not None:
        conditions.add("(create_time, number) < (?::bigint, ?::bigint)", *place)


def _has_ended(search: GameSearch) -> bool | None:
    """Return true if a search finds only ended games, false if it finds none; ``None`` if it may find both."""
    if search.deciding:
        return False
    if search.outcome:
        return True
    return search.status == ENDED if search.status else None


def _filter_conditions(search: GameSearch) -> tuple[Where, str]:
    """Return the conditions that are checked for each game, and the SQL of the joins that they need."""
    wanted, joined = Where(), ""
    if search.deciding or search.updated:
        joined += JOIN_PROGRESS
    if search.player_id or is_ordered_by_time(search):
        if search.title:
            wanted.add("g.title = ?", search.title)
        if search.status and (search.status != ENDED or not search.player_id):
            wanted.add("g.status = ?", search.status)
    if is_ordered_by_time(search) and search.platform is not None:
        wanted.add("g.platform = ?", search.platform)
    if search.deciding:
        # A bot may have taken over the player's seat.
        wanted.add("EXISTS (SELECT 1 FROM seats s WHERE s.game = l.game AND s.seat = l.seat AND s.kind = ?)", PERSON)
        wanted.add(
            "g.status = ? AND {postgres:(convert_from(p.decisions, 'UTF8')::jsonb ->> (l.seat - 1)) <> ''}"
            "{sqlite:CASE WHEN json_valid(CAST(g.decisions AS TEXT)) THEN"
            " json_extract(CAST(g.decisions AS TEXT), '$[' || (l.seat - 1) || ']') <> '' END}",
            RUNNING,
        )
    if search.outcome:
        joined += " JOIN seat_results r ON r.game = l.game AND r.seat = l.seat"
        wanted.add("r.outcome = ?", search.outcome)
    if search.id_prefix:
        wanted.add("l.game BETWEEN ? AND ?", *ids_with_prefix(search.id_prefix))
    created = TimeRange() if is_ordered_by_time(search) else search.created
    for column, times in (("g.create_time", created), (f"{PROGRESS_ALIAS}.{{sqlite:update_}}time", search.updated)):
        if times.after is not None:
            wanted.add(f"{column} >= ?::bigint", times.after)
        if times.before is not None:
            wanted.add(f"{column} < ?::bigint", times.before)
    return wanted, joined


def results_query(platform: str | None, title: str, after: int | None, limit: int, *, newest_first: bool) -> Statement:
    """Return the query for a page of results."""
    where = Where("position IS NOT NULL")
    if platform is not None:
        where.add("platform = ?", platform)
    if title:
        where.add("title = ?", title)
    if after is not None:
        where.add("position < ?::bigint" if newest_first else "position > ?::bigint", after)
    order = " ORDER BY position DESC LIMIT ?" if newest_first else " ORDER BY position LIMIT ?"
    return Statement(f"SELECT position, game, end_time, people FROM results{where}{order}", (*where.parameters, limit))


def standings_query(
    platform: str, title: str, player_ids: Collection[str], after: str, limit: int, *, people_only: bool
) -> Statement:
    """Return the query for standings."""
    where = Where("p.ended AND p.platform = ? AND p.title = ?", platform, title)
    # With ids, the index finds the players; the plus keeps SQLite from scanning all players after the last page.
    where.add("{sqlite:+}p.player_id > ?" if player_ids else "p.player_id > ?", after)
    if player_ids:
        where.add("p.player_id = ANY(?)", sorted(player_ids))
    if people_only:
        where.add("e.people = e.seats")
    sql = (
        "SELECT p.player_id, p.title, count(*), count(*) FILTER (WHERE r.outcome = 'won'),"
        " count(*) FILTER (WHERE r.outcome = 'drawn'), count(*) FILTER (WHERE r.outcome = 'lost'), sum(r.share),"
        " sum(CAST(1 AS double precision) / e.seats), sum(r.rank), sum(r.points)::bigint, max(r.points),"
        " max(e.end_time) FROM players p JOIN seat_results r ON r.game = p.game AND r.seat = p.seat"
        f" JOIN results e ON e.game = p.game{where} GROUP BY p.player_id{{postgres:, p.title}}"
        " ORDER BY p.player_id LIMIT ?"
    )
    return Statement(sql, (*where.parameters, limit))


# --- results ------------------------------------------------------------------------------------------------


def end_game(
    game: UUID, time: int, kinds: Sequence[str], ranks: Sequence[int], standings: Sequence[Standing]
) -> EndGame:
    """Return the change that stores the result of a game.

    ``kinds`` are the kinds of seats at the start; ``ranks`` are from ``GameEnded`` and decide the outcome;
    ``standings`` only add the points.
    """
    points = {standing.seat: standing.points for standing in standings}
    seats = tuple(
        SeatResult(seat, points.get(seat, 0), rank, outcome(rank, ranks), share(rank, ranks))
        for seat, rank in enumerate(ranks, 1)
    )
    return EndGame(game, time, sum(kind == PERSON for kind in kinds), seats)


def outcome(rank: int, ranks: Sequence[int]) -> Outcome:
    """Return the outcome of a seat with ``rank``; ``ranks`` are the ranks of all seats."""
    if rank > 1:
        return LOST
    return WON if any(other > 1 for other in ranks) else DRAWN


def share(rank: int, ranks: Sequence[int]) -> float:
    """Return the share of the victory of a seat with ``rank``; ``ranks`` are the ranks of all seats."""
    return 1 / sum(other == 1 for other in ranks) if rank == 1 else 0.0
