"""Optimistic locking: SQL that stores appends of many games, each only if the game is at the expected version.

The statement updates the version of these games and inserts their events; for other games it returns no row. It skips
rows that another transaction has locked, because waiting would stop all games of the batch; so batches of several
processes never wait for each other. The primary key (game, version) of ``events`` is a second safeguard.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, LiteralString, NamedTuple
from uuid import UUID

from psycopg import Connection

from boardkeeper.service.storage.changes import PROGRESS_COLUMNS, STATE_COLUMNS, GameProgress
from boardkeeper.service.storage.feed import FeedItem
from boardkeeper.service.storage.postgres.notifications import FEED_MARK

Columns = dict[str, list[Any]]
"""The parameters of a statement by name, each with a value for every row."""

NO_PROGRESS = (None,) * len(STATE_COLUMNS)
"""The values of :data:`STATE_COLUMNS` that leave these columns unchanged."""


class EventRow(NamedTuple):
    """An event with its link, as it is stored."""

    game: UUID
    version: int
    topic: str
    state: bytes
    link: bytes


class GuardedStep(NamedTuple):
    """One or more events of one game, with its progress and feed items."""

    rows: Sequence[EventRow]
    progress: GameProgress | None
    feed_items: Sequence[FeedItem] = ()


_ITEM: LiteralString = "id, platform, game, title, version, time, kind, content"
_INSERT: LiteralString = (
    "INSERT INTO feed_outbox (" + _ITEM + ") SELECT w.id, coalesce(g.platform, ''), w.game, coalesce(g.title, ''),"
    " w.version, w.time, w.kind, w.content FROM unnest(%(f_ids)b::bytea[], %(f_games)b::uuid[], %(f_versions)b::int[],"
    " %(f_times)b::bigint[], %(f_kinds)b::text[], %(f_contents)b::bytea[]) WITH ORDINALITY"
    " AS w (id, game, version, time, kind, content, place)"
)
_JOIN_GAMES: LiteralString = " LEFT JOIN games g ON g.game = w.game ORDER BY w.place"

INSERT_FEED_ITEMS: LiteralString = _INSERT + _JOIN_GAMES
"""SQL that inserts feed items of games that have lobby rows."""

_INSERT_MOVED: LiteralString = _INSERT + " JOIN moved m ON m.game = w.game" + _JOIN_GAMES
"""SQL that inserts, within the guard's statement, feed items of the games that were at the expected version."""

_ITEM_COLUMNS = ("f_ids", "f_games", "f_versions", "f_times", "f_kinds", "f_contents")
"""The parameters of :data:`INSERT_FEED_ITEMS`, in the order of the fields of :class:`FeedItem`."""

_WANTED: LiteralString = f"""
WITH wanted AS MATERIALIZED (
    SELECT * FROM unnest(%(games)b::uuid[], %(before)b::int[], %(after)b::int[], %(heads)b::bytea[],
        %(times)b::bigint[], %(status)b::text[], %(decisions)b::bytea[], %(standings)b::bytea[], %(bots)b::bool[])
        AS w (game, before, after, chain, {", ".join(STATE_COLUMNS)})
)"""

_ADDED: LiteralString = """, added AS (
    INSERT INTO events (game, version, topic, state, link)
    SELECT e.game, e.version, e.topic, e.state, e.link
    FROM unnest(%(e_games)b::uuid[], %(e_versions)b::int[], %(e_topics)b::text[], %(e_states)b::bytea[],
        %(e_links)b::bytea[]) AS e (game, version, topic, state, link) JOIN moved USING (game)
)
"""

_NOTIFY: LiteralString = """
SELECT game, (SELECT pg_notify('boardkeeper',
    string_agg(replace(game::text, '-', '') || lpad(to_hex(version), 8, '0'), '')) FROM moved) FROM moved
"""
_NOTIFY_ITEMS: LiteralString = _NOTIFY.replace("string_agg", f"'{FEED_MARK}' || string_agg")
_MOVED: LiteralString = "SELECT game FROM moved"
_ITEMS: LiteralString = ", fed AS (" + _INSERT_MOVED + ")\n"

# A parameter that is NULL leaves its column unchanged. "games" is updated only if the status changes, which is indexed.
_MOVE: LiteralString = (
    _WANTED
    + """, held AS MATERIALIZED (
    SELECT p.game, p.status FROM progress p JOIN wanted w ON p.game = w.game AND p.version = w.before
    ORDER BY p.game FOR NO KEY UPDATE OF p SKIP LOCKED
), moved AS (
    UPDATE progress p SET version = w.after, chain = w.chain, time = coalesce(w.time, p.time),
        status = coalesce(w.status, p.status), decisions = coalesce(w.decisions, p.decisions),
        standings = coalesce(w.standings, p.standings), bot_decides = coalesce(w.bot_decides, p.bot_decides)
    FROM wanted w JOIN held h USING (game) WHERE p.game = w.game AND p.version = w.before
    RETURNING p.game, p.version
), turned AS (
    UPDATE games g SET status = w.status FROM wanted w JOIN held h USING (game) JOIN moved USING (game)
    WHERE g.game = w.game AND w.status <> h.status
)"""
    + _ADDED
)

_BEGIN: LiteralString = (
    _WANTED
    + f""", moved AS (
    INSERT INTO progress ({PROGRESS_COLUMNS})
    SELECT game, after, chain, coalesce(time, 0), coalesce(status, ''), coalesce(decisions, '[]'),
        coalesce(standings, '[]'), coalesce(bot_decides, false) FROM wanted ORDER BY game
    ON CONFLICT (game) DO NOTHING RETURNING game, version
)"""
    + _ADDED
)

PLAN_SETTINGS: tuple[LiteralString, ...] = (
    "plan_cache_mode=force_generic_plan",  # planned once, not for each batch
    "enable_seqscan=off",  # a plan made while a table is small is kept when it is large
    "enable_hashjoin=off",
    "enable_mergejoin=off",
)
"""Settings of a connection with which these statements use the primary keys."""


class VersionGuard:
    """Stores the events of games that are at the expected version, with one statement for all games."""

    def __init__(self, *, notify: bool) -> None:
        """With ``notify``, the statements notify other processes of the games with new events."""
        end, end_with_items = (_NOTIFY, _NOTIFY_ITEMS) if notify else (_MOVED, _MOVED)
        self._move: LiteralString = _MOVE + end
        self._move_with_items: LiteralString = _MOVE + _ITEMS + end_with_items
        self._begin: LiteralString = _BEGIN + end

    def move(self, connection: Connection[Any], steps: Sequence[GuardedStep]) -> set[UUID]:
        """Store steps with feed items of existing games. Return the games that were at the expected version."""
        feed_items = [item for step in steps for item in step.feed_items]
        if feed_items:
            return self._run(
                connection, self._move_with_items, step_parameters(steps) | feed_item_parameters(feed_items)
            )
        return self._run(connection, self._move, step_parameters(steps)) if steps else set()

    def begin(self, connection: Connection[Any], step: GuardedStep) -> bool:
        """Store the first events of a game, without feed items. Return whether the game did not exist."""
        return bool(self._run(connection, self._begin, step_parameters([step])))

    def insert_feed_items(self, connection: Connection[Any], items: Sequence[FeedItem]) -> None:
        """Insert feed items of games that have lobby rows."""
        connection.execute(INSERT_FEED_ITEMS, feed_item_parameters(items))

    @staticmethod
    def _run(connection: Connection[Any], sql: LiteralString, parameters: Columns) -> set[UUID]:
        return {row[0] for row in connection.execute(sql, parameters, binary=True).fetchall()}


def step_parameters(steps: Sequence[GuardedStep]) -> Columns:
    """Return the parameters for steps of different games, at least one."""
    of_steps = [
        (
            rows[0].game,
            rows[0].version - 1,
            rows[-1].version,
            rows[-1].link,
            *(NO_PROGRESS if progress is None else progress[2:]),
        )
        for rows, progress, _ in steps
    ]
    of_events = [row for step in steps for row in step.rows]
    return _by_name(_STEP_COLUMNS, of_steps) | _by_name(_EVENT_COLUMNS, of_events)


def feed_item_parameters(items: Iterable[FeedItem]) -> Columns:
    """Return the parameters for feed items, at least one."""
    return _by_name(_ITEM_COLUMNS, items)


def _by_name(names: Sequence[str], rows: Iterable[tuple[object, ...]]) -> Columns:
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


_STEP_COLUMNS = ("games", "before", "after", "heads", "times", "status", "decisions", "standings", "bots")
_EVENT_COLUMNS = ("e_games", "e_versions", "e_topics", "e_states", "e_links")
