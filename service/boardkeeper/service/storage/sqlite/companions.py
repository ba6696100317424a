"""Reading the companion tables of a file, as far as a damaged one can be read."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from operator import itemgetter
from typing import Any
from uuid import UUID

import msgspec
import structlog
from eventsourcing.sqlite import SQLiteDatastore

from boardkeeper.game.seats import PERSON
from boardkeeper.service.storage.failures import is_of_storage, is_of_the_disk
from boardkeeper.service.storage.rows import (
    PAGE,
    DamagedLineError,
    DamagedLobbyError,
    ImportRow,
    LobbyRow,
    RequestRow,
    SeatRow,
    SecretLostError,
    TombstoneRow,
    check_line,
    check_seats,
    decode_decisions,
    decode_seats,
    decode_setup,
    decode_standings,
    encode,
    waits_for_one,
)
from boardkeeper.service.storage.sqlite.events_table import TOMBSTONES
from boardkeeper.service.storage.sqlite.schema import GAME_COLUMNS
from boardkeeper.service.storage.sqlite.typed import fitting

_log = structlog.get_logger()

_PAST_ALL = 1 << 62


class SqliteCompanions:
    """The companion tables of a file (:class:`~boardkeeper.service.storage.database.Companions`)."""

    def __init__(self, datastore: SQLiteDatastore) -> None:
        self._datastore = datastore
        self._told: set[int] = set()

    def game(self, game: UUID, *, with_seats: bool = True) -> LobbyRow | None:
        """One line of the lobby, and of its seats; raises :class:`DamagedLineError` for what cannot be one."""
        rows = self._rows(f"SELECT {GAME_COLUMNS} FROM games WHERE game_id=?", (game.hex,))
        if not rows:
            return None
        lines = self._lobby(rows, with_seats=with_seats)
        if not lines:  # removed meanwhile
            return None
        (line,) = lines
        if line.game_id != game:  # an index that leads elsewhere
            raise DamagedLineError(f"the line of game {game} is that of {line.game_id}")
        return line

    def games(
        self,
        *,
        before: int | None = None,
        limit: int = PAGE,
        status: str = "",
        title: str = "",
        id_prefix: str = "",
        platform: str | None = None,
    ) -> list[LobbyRow]:
        """A page of the lobby's lines, newest first, whose number is below ``before``; ``id_prefix`` has no hyphens.

        However many games there are, only those that the page has are read; with a prefix, those that begin so. Where
        the file is damaged, lines that cannot be read are left out. Raises :class:`DamagedLobbyError` if none can be.
        """
        conditions, parameters = ["1"], list[object]()
        for condition, value in (("number<?", before), ("status=?", status), ("title=?", title)):
            if value:
                # Where few games begin so they are found first and sorted then: a plus keeps other indices away.
                conditions.append(f"+{condition}" if id_prefix else condition)
                parameters.append(value)
        if id_prefix:
            conditions.append("game_id>=? AND game_id<?")
            parameters += [id_prefix, id_prefix + "g"]  # the digits of an id end with f
        if platform is not None:
            # Where most games are nobody's the other indices are better; those of platforms have their own.
            conditions.append("platform=? AND platform<>''" if platform and not id_prefix else "+platform=?")
            parameters.append(platform)
        where, order = " AND ".join(conditions), "+number" if id_prefix else "number"
        select = f"SELECT {GAME_COLUMNS} FROM games WHERE {where}"
        try:
            rows = self._rows(f"{select} ORDER BY {order} DESC LIMIT ?", (*parameters, limit))
            _check_order([row["number"] for row in rows], before)
            return self._lobby(rows)
        except Exception as error:
            if is_of_the_disk(error) or not is_of_storage(error):
                raise
            return self._readable(f"{select} AND number=?", tuple(parameters), limit, before)

    def lines(self, games: Sequence[UUID]) -> list[LobbyRow]:
        """The lobby's lines of those games, newest first; those that are gone, or cannot be read, are left out."""
        ids = encode([game.hex for game in games]).decode()
        select = f"SELECT {GAME_COLUMNS} FROM games WHERE game_id IN (SELECT value FROM json_each(?))"
        try:
            return self._lobby(self._rows(f"{select} ORDER BY number DESC", (ids,)))
        except Exception as error:
            if is_of_the_disk(error) or not is_of_storage(error):
                raise
            return [line for game in games if (line := self._line_if_readable(game)) is not None]

    def _line_if_readable(self, game: UUID) -> LobbyRow | None:
        try:
            return self.game(game)
        except Exception as error:
            if is_of_the_disk(error) or not is_of_storage(error):
                raise
            _log.error("a line of the lobby cannot be read", game=str(game), problem=str(error))
            return None

    def _readable(self, select: str, parameters: tuple[object, ...], limit: int, before: int | None) -> list[LobbyRow]:
        """Those lines of a damaged lobby that can be read, one after the other."""
        lines: list[LobbyRow] = []
        for number in self._numbers():
            if before is not None and number >= before:
                continue
            try:
                lines += self._lobby(self._rows(select, (*parameters, number)))
            except Exception as error:
                if is_of_the_disk(error) or not is_of_storage(error):
                    raise
                if number not in self._told:
                    self._told.add(number)
                    _log.error("a line of the lobby cannot be read", number=number, problem=str(error))
            if len(lines) == limit:
                break
        return lines

    def _numbers(self) -> list[int]:
        """The numbers of all games, newest first, as far as any index or the table itself still tells them."""
        numbers: set[int] = set()
        for index in ("INDEXED BY games_by_status", "INDEXED BY games_by_title", "NOT INDEXED"):
            with self._datastore.transaction(commit=False) as cursor:
                try:
                    for (number,) in cursor.sqlite_cursor.execute(f"SELECT number FROM games {index}"):
                        numbers.add(number)
                except sqlite3.DatabaseError as error:
                    if is_of_the_disk(error):
                        raise
        if not numbers:
            raise DamagedLobbyError("no line of the lobby can be read")
        return sorted((number for number in numbers if type(number) is int), reverse=True)

    def numbered(self, status: str, before: int | None, limit: int = PAGE) -> list[tuple[int, UUID]]:
        """Numbers and ids of a page of games of a status, newest first, whose number is below ``before``."""
        rows = self._rows(
            "SELECT number, game_id FROM games WHERE status=? AND number<? ORDER BY number DESC LIMIT ?",
            (status, _PAST_ALL if before is None else before, limit),
        )
        return [(number, _id(id)) for number, id in rows]

    def running_with_bots(self, after: int, limit: int = PAGE) -> tuple[list[UUID], int | None]:
        """Of the ``limit`` oldest running games with a number above ``after``, those in which a bot has to decide.

        Also gives the number of the last one looked at, which the next page begins after; ``None``: there are no more.
        """
        rows = self._rows(
            "SELECT number, game_id, decisions, (SELECT group_concat(seat) FROM seats"
            f" WHERE seats.game_id=games.game_id AND kind<>'{PERSON}')"
            " FROM games WHERE status='running' AND number>? ORDER BY number LIMIT ?",
            (after, limit),
        )
        found: list[UUID] = []
        for _, id, decisions, bots in rows:
            if bots and waits_for_one(decisions, bots.split(",")):
                found.append(_id(id))
        return found, rows[-1]["number"] if len(rows) == limit else None

    def waiting_for_bots(self, before: int, limit: int) -> list[UUID]:
        """No other process can have left a game behind."""
        return []

    def count_games(self) -> int:
        """How many games there are in the lobby."""
        ((count,),) = self._rows("SELECT count(*) FROM games")
        return int(count)

    def known_games(self) -> Iterator[UUID]:
        """The ids of all games in the lobby in its order, then those that only have events, as these were begun."""
        number = 0
        while True:
            rows = self._rows(
                "SELECT number, game_id FROM games WHERE number>? ORDER BY number LIMIT ?", (number, PAGE)
            )
            yield from (_id(row["game_id"]) for row in rows)
            if len(rows) < PAGE:
                break
            number = rows[-1]["number"]
        yield from self.lost_games()

    def lost_games(self) -> list[UUID]:
        """Games of which there are events but no line in the lobby, as these were begun.

        It takes one step through the index for each game, however many events that has.
        """
        rows = self._rows(
            "WITH RECURSIVE games_with_events (id) AS (SELECT min(originator_id) FROM stored_events UNION ALL"
            " SELECT (SELECT min(originator_id) FROM stored_events WHERE originator_id>id)"
            " FROM games_with_events WHERE id IS NOT NULL)"
            " SELECT id, (SELECT min(rowid) FROM stored_events WHERE originator_id=id) FROM games_with_events"
            " WHERE id IS NOT NULL AND id NOT IN (SELECT game_id FROM games)"
        )
        return [_id(id) for id, _ in sorted(rows, key=itemgetter(1))]

    def seats(self, game: UUID) -> list[SeatRow]:
        """The seats of one game."""
        return [
            SeatRow(seat, kind, name, bool(taken), *token)
            for seat, kind, name, taken, *token in self._rows(
                "SELECT seat, kind, name, taken, token_hash, token_expires FROM seats WHERE game_id=? ORDER BY seat",
                (game.hex,),
            )
        ]

    def secret(self, game: UUID) -> bytes:
        """The dice secret of a game; raises :class:`SecretLostError` if it was erased or is none."""
        rows = self._rows("SELECT secret FROM dice_secrets WHERE game_id=?", (game.hex,))
        if not rows or not isinstance(rows[0][0], bytes):
            raise SecretLostError(f"the dice secret of game {game} is missing")
        secret: bytes = rows[0][0]
        return secret

    def request(self, request: bytes) -> RequestRow | None:
        """What an idempotent request did, if it was seen."""
        rows = self._rows("SELECT request, content, salt, game_id, seats FROM requests WHERE request=?", (request,))
        return next(map(_request, rows), None)

    def requests_of(self, game: UUID) -> list[tuple[RequestRow, int]]:
        """The idempotent requests about a game, with their times in milliseconds since 1970."""
        select = "SELECT request, content, salt, game_id, seats, create_time FROM requests WHERE game_id=?"
        return [(_request(row[:5]), row[5]) for row in map(tuple, self._rows(select, (game.hex,)))]

    def imported(self, game: UUID) -> ImportRow | None:
        """Where a game came from, if it was not played here."""
        return next(iter(self._imports("game_id", game.hex)), None)

    def imported_with(self, head: str) -> ImportRow | None:
        """The imported game whose record has that head."""
        return next(iter(self._imports("head", head)), None)

    def _imports(self, column: str, value: str) -> list[ImportRow]:
        select = f"SELECT game_id, key_id, seal, import_time, record_id, head FROM imports WHERE {column}=?"
        rows = self._rows(select, (value,))
        for game, key, seal, _, record, head in rows:
            if not (isinstance(key, str) and isinstance(seal, bytes) and isinstance(head, str)):
                raise DamagedLineError(f"where game {_id(game)} comes from cannot be read")
            _id(record)
        return [
            ImportRow(_id(game), key, seal, time, _id(record), head) for game, key, seal, time, record, head in rows
        ]

    def removed(self, game: UUID) -> int | None:
        """When a game was removed (milliseconds since 1970), if it was."""
        rows = self._rows(f"SELECT remove_time FROM {TOMBSTONES} WHERE game_id=?", (game.hex,))
        return int(rows[0][0]) if rows else None

    def tombstones(self) -> list[TombstoneRow]:
        """What tells of all games that were removed."""
        rows = self._rows(f"SELECT game_id, remove_time, head, key_id FROM {TOMBSTONES} ORDER BY remove_time, game_id")
        return [TombstoneRow(_id(game), int(time), head, key_id) for game, time, head, key_id in rows]

    def is_known(self, game: UUID) -> bool:
        """Whether anything is here of a game, however damaged."""
        select = (
            "SELECT 1 FROM games WHERE game_id=? UNION ALL SELECT 1 FROM stored_events WHERE originator_id=? LIMIT 1"
        )
        return bool(self._rows(select, (game.hex, game.hex)))

    def was_played_here(self, game: UUID) -> bool:
        """Whether a game is or was here that did not come as a record."""
        select = (
            "SELECT 1 FROM games WHERE game_id=? AND game_id NOT IN (SELECT game_id FROM imports)"
            f" UNION ALL SELECT 1 FROM {TOMBSTONES} WHERE game_id=? AND head IS NULL"
        )
        return bool(self._rows(select, (game.hex, game.hex)))

    def removed_import(self, head: str, key_id: str) -> tuple[UUID, int] | None:
        """The game that was imported from that record, signed with that key, and when it was removed, if it was."""
        select = f"SELECT game_id, remove_time FROM {TOMBSTONES} WHERE head=? AND key_id=?"
        return next(((_id(game), int(time)) for game, time in self._rows(select, (head, key_id))), None)

    def _lobby(self, rows: list[sqlite3.Row], *, with_seats: bool = True) -> list[LobbyRow]:
        seats: dict[str, list[SeatRow]] = {row["game_id"]: [] for row in rows}
        ids = (encode(tuple(seats)).decode(),)  # one value, for SQLite takes only so many
        for game, seat, kind, name, taken, *token in self._rows(
            "SELECT game_id, seat, kind, name, taken, token_hash, token_expires FROM seats"
            " WHERE game_id IN (SELECT value FROM json_each(?)) ORDER BY game_id, seat",
            ids,
        ):
            if game in seats:
                seats[game].append(SeatRow(seat, kind, name, bool(taken), *token))
        imports = "SELECT game_id, key_id, record_id FROM imports WHERE game_id IN (SELECT value FROM json_each(?))"
        imported = {game: (key, record) for game, key, record in self._rows(imports, ids)}
        if not all(seats.values()):  # removed since the lines were read, all at once
            gone = f"SELECT game_id FROM {TOMBSTONES} WHERE game_id IN (SELECT value FROM json_each(?))"
            removed = {id for (id,) in self._rows(gone, ids)}
            rows = [row for row in rows if row["game_id"] not in removed]
        lines = [_line_of(row, seats[row["game_id"]], *imported.get(row["game_id"], ("", ""))) for row in rows]
        for line in lines if with_seats else ():
            check_seats(line)
        return lines

    def _rows(self, sql: str, parameters: tuple[object, ...] = ()) -> list[sqlite3.Row]:
        with self._datastore.transaction(commit=False) as cursor:
            cursor.execute(sql, parameters)
            rows: list[sqlite3.Row] = cursor.fetchall()
            return rows


def _line_of(row: sqlite3.Row, seats: list[SeatRow], imported_key: str, record_id: str) -> LobbyRow:
    """A line of the lobby; raises :class:`DamagedLineError` for values that no service writes there."""
    try:
        line = LobbyRow(
            number=row["number"],
            game_id=UUID(row["game_id"]),
            title=row["title"],
            setup=decode_setup(row["setup"]),
            commitment=row["commitment"],
            create_time=row["create_time"],
            update_time=row["update_time"],
            version=row["version"],
            status=row["status"],
            decisions=decode_decisions(row["decisions"]),
            standings=decode_standings(row["standings"]),
            seats=tuple(seats),
            imported_key=imported_key,
            imported_id=str(UUID(record_id)) if record_id and record_id != row["game_id"] else "",
        )
    except (TypeError, ValueError, AttributeError) as error:
        raise DamagedLineError(f"line {row['number']}: {error}") from error
    return check_line(line)


def _request(row: Sequence[Any]) -> RequestRow:
    """A request; raises :class:`DamagedLineError` for values that no service writes there."""
    request, content, salt, game, seats = row
    try:
        return fitting(RequestRow, request, content, salt, game, decode_seats(seats))
    except (TypeError, msgspec.MsgspecError) as error:
        raise DamagedLineError(f"a request that was remembered cannot be read: {error}") from error


def _id(stored: object) -> UUID:
    try:
        return UUID(str(stored))
    except ValueError as error:
        raise DamagedLineError(f"{stored!r} is no id of a game") from error


def _check_order(numbers: list[int], before: int | None) -> None:
    """That a page is in its order; pages of a file that changed places are not."""
    if any(later >= number for number, later in pairwise(chain([_PAST_ALL if before is None else before], numbers))):
        raise DamagedLobbyError("lines of the lobby are in another order")
