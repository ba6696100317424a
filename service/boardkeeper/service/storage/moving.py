"""Moving all games from one database to another, of whatever kinds: every stored byte of their events stays as it is.

What is moved can be seen in the other database only game by game, whole. A move that was interrupted goes on where it
was when it is begun again: games that are there already, with the same history, are passed over. Stored snapshots are
not moved, they are made again. Keys of platforms, the feed and the webhooks go along. A game that is damaged is left
where it is, and told of, as is all else that stays (:data:`STAYS`).
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from uuid import UUID

from eventsourcing.persistence import PersistenceError, StoredEvent
from msgspec import Struct

from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage.access import NewKey, owned
from boardkeeper.service.storage.archive.folder import ArchiveError, ArchiveFolder
from boardkeeper.service.storage.archive.log import ArchivedLog
from boardkeeper.service.storage.chain import Damage, first_damage
from boardkeeper.service.storage.changes import NewGame, NewImport, NewRequest, PutTombstone
from boardkeeper.service.storage.database import Database
from boardkeeper.service.storage.expiries import PutExpiry
from boardkeeper.service.storage.invitations import EndInvitation, NewInvitation
from boardkeeper.service.storage.moving_feed import move_feed, move_webhooks
from boardkeeper.service.storage.opening import file_of, is_postgres, open_database
from boardkeeper.service.storage.players import EndGame, NumberResults, PutPlayer
from boardkeeper.service.storage.private_files import write_private
from boardkeeper.service.storage.quotas import CountGames
from boardkeeper.service.storage.rows import PAGE, DamagedLineError, LobbyRow
from boardkeeper.service.storage.sql import Change
from boardkeeper.service.storage.sqlite.files import beside, real_path
from boardkeeper.service.storage.writing import Append, Batch, Blocked, Conflict, Failed, Outcome

Progress = Callable[[int, int], None]
"""Told after each game how many are done, of how many."""

_AT_ONCE = 16
"""Games of a batch: a commit each would be as slow as the disk."""

STAYS = (
    "snapshots, which are created again",
    "used daily quotas",
    "the time of the last backup",
    "archived events: with --archive they are copied into the database",
)
"""What no move takes along, as people are told."""


class Moved(Struct):
    """What was done: how many games went, how many were there before, and which stayed because of what.

    ``webhooks`` went, and are disabled. ``other_feed``: the target has a feed of its own, so that of the source and its
    webhooks, so many (``webhooks_left``), stayed.
    """

    games: int = 0
    events: int = 0
    there_before: int = 0
    tombstones: int = 0
    items: int = 0
    webhooks: int = 0
    other_feed: bool = False
    webhooks_left: int = 0
    damages: dict[UUID, Damage] = {}


def move_all(
    source: str | Path,
    target: str | Path,
    key_file: Path | None = None,
    progress: Progress = lambda _done, _of: None,
    archive: Path | None = None,
) -> Moved:
    """Open both databases and move all games; nobody may serve the source meanwhile, nor a target that is a file.

    ``key_file`` is where the key of a shared database is; the target gets a copy of the source's if it has none. Games
    that are in the folder ``archive`` are in the target itself afterwards. Raises :class:`StartupError`.
    """
    if not is_postgres(source) and not file_of(source).is_file():
        raise StartupError(f"the file {file_of(source).absolute()} does not exist")
    old = open_database(source, key_file=key_file or "")
    try:
        copied = _hand_on_key(_key_of(source, key_file), _key_of(target, key_file))
        try:
            new = open_database(target, key_file=key_file or "")
        except BaseException:
            if copied is not None:
                copied.unlink(missing_ok=True)
            raise
        try:
            return move(old, new, progress, ArchiveFolder(archive) if archive is not None else None)
        except PersistenceError as error:
            raise StartupError(
                f"copying from {old.name} to {new.name} stopped: {error}; run the command again to continue"
            ) from error
        finally:
            new.close()
    finally:
        old.close()


def _key_of(name: str | Path, key_file: Path | None) -> Path | None:
    if is_postgres(name):
        return key_file
    return beside(real_path(file_of(name)), ".key")


def _hand_on_key(source: Path | None, target: Path | None) -> Path | None:
    """Copy the key, so that records are signed with it also from now on; return the new file, if one was made."""
    if source is None or target is None or target.exists():
        return None
    try:
        write_private(target, source.read_bytes())
        return target
    except OSError as error:
        raise StartupError(f"cannot copy the key {source} to {target}: {error.strerror}") from error


def _move_results(source: Database, target: Database) -> None:
    """Results go behind their games, in their order in the feed, where they get new places."""
    if source.players.has_unnumbered_results():
        source.log.writer.store([NumberResults()])
    position = 0
    while page := source.players.results(None, "", after=position, limit=PAGE):
        position = page[-1].position
        changes: list[Change] = []
        for row in page:
            seats = source.players.results_of(row.game)
            if target.companions.is_known(row.game) and not target.players.results_of(row.game):
                changes.append(EndGame(row.game, row.time, row.people, tuple(seats)))
        if changes:
            target.log.writer.store(changes)


class _Game(Struct):
    id: UUID
    append: Append


def move(
    source: Database,
    target: Database,
    progress: Progress = lambda _done, _of: None,
    archive: ArchiveFolder | None = None,
) -> Moved:
    """Copy all games; nobody else may write the source meanwhile.

    Raises :class:`StartupError` if the two have different keys, or if a game is there with another history.
    """
    if source.key.id != target.key.id:
        raise StartupError(
            f"{source.name} uses the key {source.key.id}, {target.name} the key {target.key.id}, so records could no"
            " longer be signed with the same key. Move to a database on which no server has started: it gets the key of"
            " the source"
        )
    done = Moved()
    of = source.companions.count_games() + len(source.companions.lost_games())
    waiting: list[_Game] = []
    log = ArchivedLog(source.log, source.archive, archive)
    for number, id in enumerate(source.companions.known_games(), 1):
        game = _read(source, log, id, done)
        if game is not None and _is_wanted(log, target, game, done):
            waiting.append(game)
        if len(waiting) == _AT_ONCE:
            _store(target, waiting, done)
            waiting = []
        progress(number, of)
    _store(target, waiting, done)
    _move_results(source, target)
    items = move_feed(source, target)
    if items is None:
        done.other_feed = True
        done.webhooks_left = len(source.webhooks.endpoints())
    else:
        done.items = items
        done.webhooks = move_webhooks(source, target)
    known = {key.key_id for key in target.access.all_keys()}
    for key in source.access.all_keys():
        if key.key_id not in known:
            target.log.writer.store([NewKey(key)])
    for tombstone in source.companions.tombstones():
        changes: list[Change] = [PutTombstone(tombstone)]
        access = source.access.game_access(tombstone.game_id)
        if access is not None and target.access.game_access(tombstone.game_id) is None:
            changes += owned(tombstone.game_id, access)
        target.log.writer.store(changes)
        done.tombstones += 1
    target.log.writer.store([CountGames()])
    return done


def _read(source: Database, log: ArchivedLog, id: UUID, done: Moved) -> _Game | None:
    """All that is stored of a game, if it can be trusted."""
    try:
        rows, head, version = log.select_chain(id)
    except ArchiveError as error:
        done.damages[id] = Damage(1, str(error))
        return None
    damage = first_damage(id.hex, rows, head, version)
    line: LobbyRow | None = None
    if damage is None:
        try:
            line = source.companions.game(id)
            secret = source.companions.secret(id)
        except DamagedLineError as error:
            damage = Damage(len(rows) + 1, str(error))
    if damage is not None or line is None:
        done.damages[id] = damage or Damage(1, "its line in the lobby is missing")
        return None
    access = source.access.game_access(id)
    changes: list[Change] = [NewGame(line, secret), *(owned(id, access) if access is not None else ())]
    expiry = source.expiries.expiry(id)
    if expiry is not None:
        changes.append(PutExpiry(id, expiry, readings=source.expiries.readings([id]).get(id)))
    imported = source.companions.imported(id)
    if imported is not None:
        changes.append(NewImport(imported))
    seats = source.players.players_of([id]).get(id, {})
    for invitation in source.invitations.invitations_of(id):
        changes.append(NewInvitation(invitation))
        if invitation.end_time is not None:
            changes.append(EndInvitation(invitation.id, id, invitation.end_time, invitation.used_seat))
    changes += [PutPlayer(id, seat, player) for seat, player in seats.items()]
    changes += [NewRequest(request, time) for request, time in source.companions.requests_of(id)]
    events = [StoredEvent(id, number, topic, state) for number, topic, state, _ in rows]
    return _Game(id, Append(events, changes))


def _is_wanted(log: ArchivedLog, target: Database, game: _Game, done: Moved) -> bool:
    """Whether a game is not there yet; raises :class:`StartupError` if another one is there under its id."""
    rows, head, _ = target.log.select_chain(game.id)
    if not rows and target.archive.archived(game.id) is None:
        return True
    if head != log.select_link(game.id, len(game.append.events)):
        raise StartupError(f"game {game.id} exists in {target.name} with another history: choose an empty database")
    done.there_before += 1
    return False


def _store(target: Database, games: list[_Game], done: Moved) -> None:
    """Store games in one commit and wait until they are durable; raises what prevents it."""
    told: Future[list[Outcome]] = Future()
    target.log.writer.submit(Batch([game.append for game in games], told.set_result))
    for game, outcome in zip(games, told.result(), strict=True):
        match outcome:
            case Conflict(problem):
                raise StartupError(f"game {game.id} cannot be stored in {target.name}: {problem}")
            case Failed(error):
                raise error
            case Blocked(problem):
                raise StartupError(f"game {game.id} cannot be stored in {target.name} now: {problem}")
        done.games += 1
        done.events += len(game.append.events)
