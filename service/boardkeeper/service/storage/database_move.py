"""Moving all games from one database to another, of the same kind or the other one.

Every stored byte of the events stays the same. A game appears in the target at once, with all its rows. An interrupted
move continues when it is begun again: games that the target has with the same history are passed over. Stored snapshots
are not copied; they are created again. Keys of platforms, the feed with its numbers, and webhooks are copied.
A damaged game is not copied but reported, as is everything else that is not copied (:data:`NOT_COPIED`).

The source is only read. What its server has not numbered yet (new results, and items of the feed in the outbox) gets
the numbers that the server would give.

Webhooks are disabled in the target: a copy that an operator tries out would otherwise send items, and after a real move
both databases would, while the old one is served. The operator enables those that the new server has to send.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from boardkeeper.service.storage.rows import DamagedRowError, LobbyRow
from boardkeeper.service.storage.sql import Check, Statement

Progress = Callable[[int, int], None]
"""Called after each game with the number of games that are done, and of all."""

DISABLED_REASON = "it was moved from another database"
"""Why a webhook is disabled."""

_GAMES_PER_COMMIT = 50
"""Games of a batch: a commit each would be as slow as the disk."""

_COPIED_SEPARATELY = {
    *("games", "progress", "events", "snapshots", "results", "archived_games", "removed_games"),
    *("feed", "feed_outbox", "webhook_deliveries"),
}
"""Tables with a column ``game`` whose rows are not simply copied with those of a game."""

_KEEP_EXISTING = " ON CONFLICT DO NOTHING"
_REMOVED = "SELECT game FROM removed_games"
_UNNUMBERED = "WHERE position IS NULL AND (end_time, game) > (?, ?) ORDER BY end_time, game LIMIT ?"
_EVENT = ("game", "version", "topic", "state", "link")

NOT_COPIED = (
    "snapshots, which are created again",
    "used daily quotas",
    "the time of the last backup",
)
"""What no move copies, as the command reports it."""


class MoveResult(Struct):
    """How many games were copied, how many the target had before, and which were not copied because of what.

    ``archived`` is how many games were not copied because their events are in an archive that was not named.
    ``webhooks`` were copied, and are disabled. With ``other_feed`` the target has a feed of its own, so that of the
    source and its webhooks (their number is ``webhooks_left``) were not copied.
    """

    games: int = 0
    events: int = 0
    there_before: int = 0
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
    progress: Progress = lambda _done, _of: None,
    archive: Path | None = None,
) -> MoveResult:
    """Open both databases and move all games. No server may use the source meanwhile, nor a target that is a file.

    The source must have the schema of this release. ``key_file`` has the key of a shared database; a target without a
    key gets a copy of the source's. Games that are in the folder ``archive`` are in the target itself afterwards.
    Raises :class:`StartupError`.
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
    """Copy the key, so that records are signed with it also from now on; return the new file, if one was made."""
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
    progress: Progress = lambda _done, _of: None,
    archive: ArchiveFolder | None = None,
) -> MoveResult:
    """Copy all games; no other process may write the source meanwhile.

    Raises :class:`StartupError` if the two have different keys, or if the target has a game with another history.
    """
    if source.key.id != target.key.id:
        raise StartupError(
            f"{source.name} uses the key {source.key.id}, {target.name} the key {target.key.id}, so records could no"
            " longer be signed with the same key. Move to a database on which no server has started: it gets the key of"
            " the source"
        )
    copying = _Move(source, target, archive)
    copying.games(progress)
    copying.results()
    copying.feed()
    copying.rest()
    target.log.writer.store([RecountGames()])
    return copying.done


class _Game(NamedTuple):
    line: LobbyRow
    events: list[ChainedRow]

    @property
    def columns(self) -> RowDict:
        """Columns that only one of the kinds of databases has."""
        seats = zip(self.line.decisions, self.line.seats, strict=True)
        is_waiting = any(decision for decision, seat in seats if seat.kind != PERSON)
        return {"bot_decides": is_waiting, "update_time": self.line.update_time}


class _Move:
    """A move, with the tables of both databases and what was done."""

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

    def games(self, progress: Progress) -> None:
        """Copy the games that the target does not have, some in one commit."""
        tables = self._source.game_tables
        known, number = tables.known_games(), 0
        of = tables.count_games() + len(tables.games_without_row())
        while games := list(islice(known, _GAMES_PER_COMMIT)):
            there = {game_id(row): row["chain"] for row in self._new.rows_of("progress", games)}
            for row in self._new.rows_of("removed_games", games):
                raise StartupError(f"game {game_id(row)} was removed from {self._target.name}, and does not come back")
            found = {game: self._read(game, there) for game in games}
            self._copy({game: row for game, row in found.items() if row is not None})
            for _ in games:
                number += 1
                progress(number, of)

    def _read(self, game: UUID, there: Mapping[UUID, object]) -> _Game | None:
        """Return a game unless it is damaged or among those that are ``there`` already, by their heads."""
        events: list[ChainedRow] = []
        line: LobbyRow | None = None
        try:
            events, head, version = self._source.reader.read_chain(game)
            archived = self._source.archive.archived(game) if not events else None
            is_left = archived is not None and self._archive is None
            if archived is not None and self._archive is not None:
                events = self._archive.read(archived)
            damage = None if is_left else find_damage(game.hex, events, head, version)
            if damage is None:
                line = self._source.game_tables.lobby_row(game)
                self._source.game_tables.dice_secret(game)
        except ArchiveError as error:
            damage = Damage(1, str(error))
        except DamagedRowError as error:
            damage = Damage(len(events) + 1, str(error))
        if damage is not None or line is None:
            self.done.damages[game] = damage or Damage(1, "its line in the lobby is missing")
            return None
        if game not in there:
            self.done.archived += is_left
            return None if is_left else _Game(line, events)
        if there[game] != head:
            raise StartupError(
                f"game {game} exists in {self._target.name} with another history: choose an empty database"
            )
        self.done.there_before += 1
        return None

    def _copy(self, games: Mapping[UUID, _Game]) -> None:
        """Insert all rows of games in one commit."""
        rows = {table: self._old.rows_of(table, list(games)) for table in ("games", "progress", *self._of_games)}
        progress = {game_id(row): row for row in rows["progress"]}
        # A file has the progress of a game in its line of the lobby.
        lines = [games[game_id(row)].columns | row | progress[game_id(row)] for row in rows["games"]]
        rows |= {"games": lines, "progress": lines if self._target.is_shared else []}
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

    def results(self) -> None:
        """Copy results in the order of their list, in which the target gives them new positions."""
        for rows in chain(self._old.pages("results", "position"), self._unnumbered_results()):
            there = set(map(game_id, self._new.rows_of("games", [game_id(row) for row in rows])))
            self._put("results", [row for row in rows if game_id(row) in there], end=_KEEP_EXISTING)

    def _unnumbered_results(self) -> Iterator[list[RowDict]]:
        """Return the results without a position in pages, in the order in which the source's server numbers them."""
        after: tuple[int, object] = (-1, UUID(int=0))
        while page := self._old.rows("results", _UNNUMBERED, *after, raw_tables.PAGE_SIZE):
            yield page
            after = page[-1]["end_time"], page[-1]["game"]

    def feed(self) -> None:
        """Copy the feed with its numbers, so that cursors stay valid, then the webhooks, which have such numbers.

        An interrupted copy continues behind the items that the target has. If these are of another feed, it stays.
        """
        old, new = self._source.feed, self._target.feed
        new.number_outbox()
        there, newest = new.bounds(), old.bounds().newest
        if there.newest and self._item_id(there.newest, newest) != there.newest_id:
            self.done.other_feed = True
            self.done.webhooks_left = len(self._source.webhooks.endpoints())
            return
        for page in chain(self._old.pages("feed", "number", after=there.newest), self._outbox(newest)):
            rows = [row for row in page if row["number"] > there.newest]
            self._put("feed", rows, FEED_LOCK, check_numbers_free([row["number"] for row in rows]))
            self.done.items += len(rows)
        known = {endpoint.endpoint_id for endpoint in self._target.webhooks.endpoints()}
        for row in self._old.rows("webhook_endpoints", "ORDER BY number"):
            if (id := row["endpoint_id"]) not in known:
                for rows in self._old.pages("webhook_deliveries", "number", "AND endpoint_id = ?", id):
                    self._put("webhook_deliveries", rows, end=_KEEP_EXISTING)
                if row["disable_time"] is None:
                    row |= {"disable_time": time.time_ns() // 1_000_000, "problem": DISABLED_REASON}
                # Behind its deliveries: an endpoint that the target has is complete.
                self._put("webhook_endpoints", [row | {"owner": "", "lease_until": 0}])
                self.done.webhooks += 1

    def _outbox(self, newest: int) -> Iterator[list[RowDict]]:
        """Return the items of the source that have no number yet in pages, with the numbers after ``newest``."""
        if not self._source.reader.is_shared:
            return
        for page in self._old.pages("feed_outbox", "sequence"):
            yield [row | {"number": number} for number, row in enumerate(page, newest + 1)]
            newest += len(page)

    def _item_id(self, number: int, newest: int) -> object:
        """Return the id of an item of the source; items after ``newest`` are in its outbox. ``None``: no such item."""
        if number <= newest or not self._source.reader.is_shared:
            return self._source.feed.item_id(number)
        rows = self._old.rows("feed_outbox", "ORDER BY sequence LIMIT 1 OFFSET ?", number - newest - 1)
        return rows[0]["id"] if rows else None

    def rest(self) -> None:
        """Copy the platforms' keys, and what is left of removed games."""
        removed = self._old.rows("removed_games", "ORDER BY remove_time, game")
        self._put("removed_games", removed, end=_KEEP_EXISTING)
        self._put("game_access", self._old.rows("game_access", f"WHERE game IN ({_REMOVED})"), end=_KEEP_EXISTING)
        self._put("access_keys", self._old.rows("access_keys", "ORDER BY number"), end=_KEEP_EXISTING)
        self.done.tombstones = len(removed)

    def _put(self, table: str, rows: Sequence[RowDict], *before: Statement | Check, end: str = "") -> None:
        """Insert rows in one commit; ``end`` is the end of the statements."""
        self._target.log.writer.store([InsertRows([*before, *self._new.insert(table, rows, end)])])
