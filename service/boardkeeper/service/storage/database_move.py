"""Copying all games from one database to another, of any kind.

Event rows are copied byte by byte. A game and all its rows appear in the target in one commit. An interrupted copy
continues when it is started again: games that the target has with the same history are skipped. API keys, the feed with
its numbers, and webhooks are copied. Snapshots are not copied; the server creates them again. Damaged games are not
copied but reported, like the rest of :data:`NOT_COPIED`.

The source is only read. Results and feed items that have no number yet get the numbers that the source's server would
assign.

Webhooks are disabled in the target, because otherwise both databases would send the same items while the source is
still in use. The operator enables them again.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

from eventsourcing.persistence import PersistenceError
from msgspec import Struct

from boardkeeper.game.seats import PERSON
from boardkeeper.service.errors import StartupError, reason
from boardkeeper.service.storage import raw_tables
from boardkeeper.service.storage.archive.folder import ArchiveError, ArchiveFolder
from boardkeeper.service.storage.chain import ChainedRow, Damage, find_damage
from boardkeeper.service.storage.changes import not_removed
from boardkeeper.service.storage.database import Database, ReadableDatabase
from boardkeeper.service.storage.database_urls import is_same_database, key_path, open_database, open_read_only
from boardkeeper.service.storage.feed import FEED_LOCK, check_numbers_free
from boardkeeper.service.storage.players import restore_player_numbers
from boardkeeper.service.storage.private_files import write_private
from boardkeeper.service.storage.quotas import RecountGames
from boardkeeper.service.storage.raw_tables import DatabaseTables, InsertRows, RowDict, game_id
from boardkeeper.service.storage.reports import ProgressCallback, ignore_progress
from boardkeeper.service.storage.rows import DamagedRowError, LobbyRow
from boardkeeper.service.storage.sql import Check, Statement

DISABLED_REASON = "it was moved from another database"
"""Why a copied webhook is disabled."""

_GAMES_PER_COMMIT = 50
"""A commit for each game would be limited by the speed of the disk."""

_COPIED_SEPARATELY = {
    *("games", "progress", "events", "snapshots", "results", "archived_games", "removed_games"),
    *("feed", "feed_outbox", "webhook_deliveries"),
}
"""Tables with a column ``game`` that are not copied with a game's other rows."""

_KEEP_EXISTING = " ON CONFLICT DO NOTHING"
_REMOVED = "SELECT game FROM removed_games"
_UNNUMBERED = "WHERE position IS NULL AND (end_time, game) > (?, ?) ORDER BY end_time, game LIMIT ?"
_EVENT = ("game", "version", "topic", "state", "link")

NOT_COPIED = {
    "snapshots, which are created again": "none",
    "used daily quotas": "on this day platforms have up to twice their quota",
    "the time of the last backup": "make a backup at once",
}
"""Data that is not copied, as the command reports it, with the consequence (for the docs)."""


class MoveResult(Struct):
    """The result of a copy. ``existing`` counts games that the target already had, ``damages`` are skipped games.

    ``archived`` counts games that were skipped because their events are in an archive that was not named. ``webhooks``
    counts webhooks that were copied and disabled. With ``other_feed`` the target has another feed, so the source's feed
    and its ``webhooks_left`` webhooks were not copied.
    """

    games: int = 0
    events: int = 0
    existing: int = 0
    tombstones: int = 0
    items: int = 0
    webhooks: int = 0
    other_feed: bool = False
    webhooks_left: int = 0
    archived: int = 0
    damages: dict[UUID, Damage] = {}


def move_database(
    source: str | Path,
    target: str | Path,
    key_file: Path | None = None,
    progress: ProgressCallback = ignore_progress,
    archive: Path | None = None,
) -> MoveResult:
    """Open both databases and copy all games. Raises :class:`StartupError`.

    No server may use the source, nor a target that is a SQLite file. The source must have the schema of this release.
    ``key_file`` is the key of a PostgreSQL database; a target without a key gets a copy of the source's. Events in the
    folder ``archive`` are copied into the target database.
    """
    if is_same_database(source, target):
        raise StartupError("source and target are the same database: name another one with --to")
    folder = ArchiveFolder(archive) if archive is not None else None
    with open_read_only(source, key_file) as old:
        copied = _copy_key(key_path(source, key_file), key_path(target, key_file))
        try:
            new = open_database(target, key_file=key_file or "")
        except BaseException:
            if copied is not None:
                copied.unlink(missing_ok=True)
            raise
        with closing(new):
            try:
                return move_games(old, new, progress, folder)
            except PersistenceError as error:
                raise StartupError(
                    f"copying from {old.name} to {new.name} stopped: {error}; run the command again to continue"
                ) from error


def _copy_key(source: Path | None, target: Path | None) -> Path | None:
    """Copy the key file if the target has none, because records must be signed with the same key. Return the copy."""
    if source is None or target is None or target.exists():
        return None
    try:
        write_private(target, source.read_bytes())
        return target
    except OSError as error:
        raise StartupError(f"cannot copy the key {source} to {target}: {reason(error)}") from error


def move_games(
    source: ReadableDatabase,
    target: Database,
    progress: ProgressCallback = ignore_progress,
    archive: ArchiveFolder | None = None,
) -> MoveResult:
    """Copy all games; no other process may write the source.

    Raises :class:`StartupError` if the keys differ, or if the target has one of the games with another history.
    """
    if source.key.id != target.key.id:
        raise StartupError(
            f"{source.name} uses the key {source.key.id}, {target.name} the key {target.key.id}, so records could no"
            " longer be signed with the same key. Move to a database on which no server has started: it gets the key of"
            " the source"
        )
    job = _Move(source, target, archive)
    job.copy_games(progress)
    job.copy_results()
    job.copy_feed()
    job.copy_keys_and_tombstones()
    target.log.writer.store([RecountGames()])
    return job.done


class _Game(NamedTuple):
    lobby_row: LobbyRow
    events: list[ChainedRow]

    @property
    def columns(self) -> RowDict:
        """The columns that only one kind of database has."""
        seats = zip(self.lobby_row.decisions, self.lobby_row.seats, strict=True)
        is_waiting = any(decision for decision, seat in seats if seat.kind != PERSON)
        return {"bot_decides": is_waiting, "update_time": self.lobby_row.update_time}


class _Move:
    """A copy in progress: the tables of both databases and the result so far."""

    def __init__(self, source: ReadableDatabase, target: Database, archive: ArchiveFolder | None) -> None:
        self.done = MoveResult()
        self._source = source
        self._target = target
        self._old, self._new = DatabaseTables(source.reader), DatabaseTables(target.reader)
        self._archive = archive
        self._of_games = [
            table
            for table, columns in self._new.columns.items()
            if "game" in columns and table not in _COPIED_SEPARATELY
        ]

    def copy_games(self, progress: ProgressCallback) -> None:
        """Copy the games that the target does not have."""
        tables = self._source.game_tables
        known, number = tables.known_games(), 0
        total = tables.count_games() + len(tables.games_without_row())
        while games := list(islice(known, _GAMES_PER_COMMIT)):
            present = {game_id(row): row["chain"] for row in self._new.rows_of("progress", games)}
            for row in self._new.rows_of("removed_games", games):
                raise StartupError(f"game {game_id(row)} was removed from {self._target.name}, and does not come back")
            found = {game: self._read(game, present) for game in games}
            self._copy_batch({game: row for game, row in found.items() if row is not None})
            for _ in games:
                number += 1
                progress(number, total)

    def _read(self, game: UUID, present: Mapping[UUID, object]) -> _Game | None:
        """Return a game to copy; ``None`` if it is damaged, or the target has it.

        ``present`` contains the chain heads of games in the target.
        """
        events: list[ChainedRow] = []
        lobby_row: LobbyRow | None = None
        try:
            events, head, version = self._source.reader.read_chain(game)
            archived = self._source.archive.archived(game) if not events else None
            is_left = archived is not None and self._archive is None
            if archived is not None and self._archive is not None:
                events = self._archive.read(archived)
            damage = None if is_left else find_damage(game.hex, events, head, version)
            if damage is None:
                lobby_row = self._source.game_tables.lobby_row(game)
                self._source.game_tables.dice_secret(game)
        except ArchiveError as error:
            damage = Damage(1, str(error))
        except DamagedRowError as error:
            damage = Damage(len(events) + 1, str(error))
        if damage is not None or lobby_row is None:
            self.done.damages[game] = damage or Damage(1, "its lobby row is missing")
            return None
        if game not in present:
            self.done.archived += is_left
            return None if is_left else _Game(lobby_row, events)
        if present[game] != head:
            raise StartupError(
                f"game {game} exists in {self._target.name} with another history: choose an empty database"
            )
        self.done.existing += 1
        return None

    def _copy_batch(self, games: Mapping[UUID, _Game]) -> None:
        """Insert all rows of games in one commit."""
        rows = {table: self._old.rows_of(table, list(games)) for table in ("games", "progress", *self._of_games)}
        progress = {game_id(row): row for row in rows["progress"]}
        # A SQLite file has the columns of "progress" in "games".
        lobby_rows = [games[game_id(row)].columns | row | progress[game_id(row)] for row in rows["games"]]
        rows |= {"games": lobby_rows, "progress": lobby_rows if self._target.is_shared else []}
        rows["events"] = [
            dict(zip(_EVENT, (id, *event), strict=True)) for id, game in games.items() for event in game.events
        ]
        inserts = [statement for table, found in rows.items() for statement in self._new.insert(table, found)]
        changes = [
            InsertRows([*inserts, *map(restore_player_numbers, games), *map(not_removed, games)]),
            *(InsertRows((), game) for game in games),
        ]
        self._target.log.writer.store(changes)
        self.done.games += len(games)
        self.done.events += len(rows["events"])

    def copy_results(self) -> None:
        """Copy results in their order; the target assigns new positions."""
        for rows in chain(self._old.pages("results", "position"), self._unnumbered_results()):
            present = set(map(game_id, self._new.rows_of("games", [game_id(row) for row in rows])))
            self._insert("results", [row for row in rows if game_id(row) in present], end=_KEEP_EXISTING)

    def _unnumbered_results(self) -> Iterator[list[RowDict]]:
        """Yield pages of results without a position, in the order in which a server would number them."""
        after: tuple[int, object] = (-1, UUID(int=0))
        while page := self._old.rows("results", _UNNUMBERED, *after, raw_tables.PAGE_SIZE):
            yield page
            after = page[-1]["end_time"], page[-1]["game"]

    def copy_feed(self) -> None:
        """Copy the feed with its numbers, so that cursors remain valid, then the webhooks, which refer to them.

        An interrupted copy continues after the items that the target has. If these are from another feed, nothing is
        copied.
        """
        old, new = self._source.feed, self._target.feed
        new.number_outbox()
        present, newest = new.bounds(), old.bounds().newest
        if present.newest and self._item_id(present.newest, newest) != present.newest_id:
            self.done.other_feed = True
            self.done.webhooks_left = len(self._source.webhooks.endpoints())
            return
        for page in chain(self._old.pages("feed", "number", after=present.newest), self._outbox(newest)):
            rows = [row for row in page if row["number"] > present.newest]
            self._insert("feed", rows, FEED_LOCK, check_numbers_free([row["number"] for row in rows]))
            self.done.items += len(rows)
        known = {endpoint.endpoint_id for endpoint in self._target.webhooks.endpoints()}
        for row in self._old.rows("webhook_endpoints", "ORDER BY number"):
            if (id := row["endpoint_id"]) not in known:
                for rows in self._old.pages("webhook_deliveries", "number", "AND endpoint_id = ?", id):
                    self._insert("webhook_deliveries", rows, end=_KEEP_EXISTING)
                if row["disable_time"] is None:
                    row |= {"disable_time": time.time_ns() // 1_000_000, "problem": DISABLED_REASON}
                # After its deliveries, so that an endpoint in the target is always complete.
                self._insert("webhook_endpoints", [row | {"owner": "", "lease_until": 0}])
                self.done.webhooks += 1

    def _outbox(self, newest: int) -> Iterator[list[RowDict]]:
        """Yield pages of the source's items that have no number yet, with the numbers after ``newest``."""
        if not self._source.reader.is_shared:
            return
        for page in self._old.pages("feed_outbox", "sequence"):
            yield [row | {"number": number} for number, row in enumerate(page, newest + 1)]
            newest += len(page)

    def _item_id(self, number: int, newest: int) -> object:
        """Return the id of an item of the source, also of one in its outbox; ``None`` if there is none."""
        if number <= newest or not self._source.reader.is_shared:
            return self._source.feed.item_id(number)
        rows = self._old.rows("feed_outbox", "ORDER BY sequence LIMIT 1 OFFSET ?", number - newest - 1)
        return rows[0]["id"] if rows else None

    def copy_keys_and_tombstones(self) -> None:
        """Copy the API keys and the tombstones of removed games."""
        removed = self._old.rows("removed_games", "ORDER BY remove_time, game")
        self._insert("removed_games", removed, end=_KEEP_EXISTING)
        self._insert("game_access", self._old.rows("game_access", f"WHERE game IN ({_REMOVED})"), end=_KEEP_EXISTING)
        self._insert("access_keys", self._old.rows("access_keys", "ORDER BY number"), end=_KEEP_EXISTING)
        self.done.tombstones = len(removed)

    def _insert(self, table: str, rows: Sequence[RowDict], *before: Statement | Check, end: str = "") -> None:
        """Insert rows in one commit; ``end`` is appended to the statements."""
        self._target.log.writer.store([InsertRows([*before, *self._new.insert(table, rows, end)])])
