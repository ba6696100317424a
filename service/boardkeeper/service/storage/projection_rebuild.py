"""Rebuilding the projections of a database from the event log, and reporting the differences.

Projections are lobby rows (except their numbers), the kinds of seats and whether they are taken, results, clocks and
snapshots. Names, token hashes, dice secrets, requests, player ids and the origin of imports are not in the log and
remain unchanged. Damaged games are skipped, because their lobby rows prove the damage; so are games of a version of
their title that the installed version cannot read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from uuid import UUID

from eventsourcing.persistence import MapperDeserialisationError
from msgspec import Struct

from boardkeeper.game.events import GameEvent, SeatJoined
from boardkeeper.game.game import Game
from boardkeeper.game.seats import PERSON
from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage.application import GameApplication, TitleLookup
from boardkeeper.service.storage.chain import Damage, find_damage, initial_link, undamaged_prefix
from boardkeeper.service.storage.changes import DeleteSnapshots, PutGame, PutSeat
from boardkeeper.service.storage.clock_expiries import put_expiry
from boardkeeper.service.storage.database_urls import check_exists
from boardkeeper.service.storage.errors import describe_file_error, is_storage_error
from boardkeeper.service.storage.projections import build_lobby_row, different_fields, project_game
from boardkeeper.service.storage.quotas import RecountGames
from boardkeeper.service.storage.reports import ProgressCallback, ignore_progress
from boardkeeper.service.storage.rows import DamagedRowError, LobbyRow, SeatRow
from boardkeeper.service.storage.sql import Change
from boardkeeper.titlekit.title_guard import IncompatibleTitleError, TitleFailedError


class Difference(Struct, frozen=True):
    """A field that differed from the log; ``stored`` is ``None`` if the row was missing or unreadable."""

    game_id: UUID
    field: str
    stored: object
    rebuilt: object


class RebuildResult(Struct):
    """The number of games, the corrected differences, and the games that were skipped, with the reasons.

    ``incompatible`` are games of versions of a title that the installed version cannot read.
    """

    games: int = 0
    differences: list[Difference] = []
    damages: dict[UUID, Damage] = {}
    incompatible: dict[UUID, str] = {}


def rebuild(
    name: str | Path, titles: TitleLookup, progress: ProgressCallback = ignore_progress, *, key_file: str | Path = ""
) -> RebuildResult:
    """Rebuild all projections of a database in one transaction. Raises :class:`StartupError` with nothing changed.

    No server may use a SQLite file. In PostgreSQL, games that continue meanwhile remain unchanged.
    """
    check_exists(name)
    application = GameApplication.open(name, titles, key_file=key_file, missing=_unknown_title)
    try:
        return _rebuild(application, titles, progress)
    except Exception as error:
        if not is_storage_error(error):
            raise
        raise StartupError(f"{application.database.name} {describe_file_error(error)}") from error
    finally:
        application.close()


def _unknown_title(title: str) -> StartupError:
    return StartupError(f"there are games of the title {title!r}, which is not loaded; name it in BOARDKEEPER_TITLES")


def _rebuild(application: GameApplication, titles: TitleLookup, progress: ProgressCallback) -> RebuildResult:
    done = RebuildResult()
    changes: list[Change] = [DeleteSnapshots()]
    total = application.game_tables.count_games() + len(application.game_tables.games_without_row())
    number = 0
    for number, game in enumerate(application.game_tables.known_games(), 1):
        try:
            changes += _rebuild_game(application, titles, game, done)
        except IncompatibleTitleError as error:
            done.incompatible[game] = str(error)
        except (KeyError, ValueError, MapperDeserialisationError, TitleFailedError) as error:
            raise StartupError(f"game {game} cannot be read: {error}") from error
        progress(number, total)
    done.games = number
    application.writer.store([*changes, RecountGames()])
    return done


def _rebuild_game(
    application: GameApplication, titles: TitleLookup, game: UUID, done: RebuildResult
) -> Iterator[Change]:
    """Yield the changes that correct the projections of a game; none for an archived game."""
    if application.is_archived(game):
        return
    rows, head, version = application.event_log.select_chain(game)
    damage = find_damage(game.hex, rows, head, version)
    if head is None and version == 0:  # its lobby row is lost, and with it the head
        is_intact = rows and len(undamaged_prefix(initial_link(game.hex), 0, rows)) == len(rows)
        damage = None if is_intact else Damage(1, "its lobby row is lost")
    if damage is not None:
        done.damages[game] = damage
        return
    events = application.decode_events(game, rows)
    # No dice secret is needed: nothing is drawn.
    loaded = Game.load(titles(getattr(events[0].detail, "title", "")), b"", events)
    rebuilt = _rebuilt_lobby_row(loaded, events)
    stored = _stored_lobby_row(application, game)
    if application.database.is_shared and stored is not None and stored.version > rebuilt.version:
        return  # it has continued since
    different = [
        Difference(game, field, getattr(stored, field, None), getattr(rebuilt, field))
        for field in different_fields(stored, rebuilt)
    ]
    if different:
        yield PutGame(rebuilt, rows[-1][3])
    seats = {seat.seat: (seat.kind, seat.taken) for seat in application.game_tables.seats(game)}
    for seat in rebuilt.seats:
        if seats.get(seat.seat) != (seat.kind, seat.taken):
            different.append(Difference(game, f"seat {seat.seat}", seats.get(seat.seat), (seat.kind, seat.taken)))
            yield PutSeat(game, seat)
    *_, end, readings = project_game(loaded, events)
    results = tuple(application.database.players.results_of(game))
    if end is not None and results != end.seats:
        different.append(Difference(game, "results", results or None, end.seats))
        yield end
    found = application.database.expiries.expiry(game)
    expected = put_expiry(game, readings, found)
    if found != expected.time:
        different.append(Difference(game, "expiry", found, expected.time))
        yield expected
    done.differences += different


def _stored_lobby_row(application: GameApplication, game: UUID) -> LobbyRow | None:
    try:
        return application.game_tables.lobby_row(game, with_seats=False)
    except DamagedRowError:
        return None


def _rebuilt_lobby_row(game: Game, events: Sequence[GameEvent]) -> LobbyRow:
    """Return the lobby row according to the log. Its seats have no names and tokens."""
    joined = {event.seat for event in events if isinstance(event.detail, SeatJoined)}
    seats = [
        SeatRow(seat, kind, "", game.created.seats[seat - 1] != PERSON or seat in joined)
        for seat, kind in enumerate(game.seats.kinds, 1)
    ]
    return build_lobby_row(game, events, seats)
