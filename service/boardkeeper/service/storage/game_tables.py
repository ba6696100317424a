"""The lobby and the other tables about games beside the event log.

Names, token hashes and dice secrets are stored here because they must be erasable, and the log is permanent. The
columns of the lobby, except the number, are derived from the log.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice
from operator import attrgetter
from typing import Any
from uuid import UUID

import structlog
from msgspec import Struct

from boardkeeper.game.seats import PERSON
from boardkeeper.service.storage.errors import is_file_damage
from boardkeeper.service.storage.rows import (
    PAGE_SIZE,
    DamagedLobbyError,
    DamagedRowError,
    ImportRow,
    LobbyRow,
    RequestRow,
    SeatRow,
    SecretLostError,
    TombstoneRow,
    check_seats,
    has_open_decision,
)
from boardkeeper.service.storage.sql import (
    JOIN_PROGRESS,
    PROGRESS_ALIAS,
    Reader,
    Tables,
    Where,
    columns,
    ids_with_prefix,
    to_structs,
    to_values,
    undamaged_rows,
)

_MAX_NUMBER = (1 << 62) - 1
_MAX_SCANNED = 5_000
_random = random.Random()  # a private generator: the module-level one belongs to the host program
# All joins use the game's id, so each node of a distributed database answers for its own games.
_SELECT_ROWS = (
    (
        "SELECT g.number, g.game, g.title, g.setup, g.commitment, g.create_time, {p}.{sqlite:update_}time, {p}.version,"
        " {p}.status, {p}.decisions, {p}.standings, i.key_id, i.record_id,"
        " s.seat, s.kind, s.name, s.taken, s.token_hash, s.token_expires"
        " FROM games g{join} LEFT JOIN imports i ON i.game = g.game LEFT JOIN seats s ON s.game = g.game"
    )
    .replace("{p}", PROGRESS_ALIAS)
    .replace("{join}", JOIN_PROGRESS)
)
"""SQL that selects lobby rows with their imports and seats: one result row per seat."""

_LOBBY_COLUMNS = 11
_SEATS = f"SELECT {columns(SeatRow)} FROM seats WHERE game = ? ORDER BY seat"
_IMPORTS = "SELECT game, key_id, seal, import_time, record_id, head FROM imports"
_REQUESTS = "SELECT request, content, salt, game, seats FROM requests"
_TOMBSTONES = "SELECT game, remove_time, head, key_id FROM removed_games"
_log = structlog.get_logger()


class GameTables(Tables):
    """Reads the lobby and the other tables about games."""

    def __init__(self, reader: Reader) -> None:
        super().__init__(reader)
        self._logged: set[object] = set()

    # --- the lobby ----------------------------------------------------------------------------------------------

    def lobby_row(self, game: UUID, *, with_seats: bool = True) -> LobbyRow | None:
        """Return the lobby row of a game; ``None`` if there is none. Raises :class:`DamagedRowError`."""
        rows = self._reader.fetch(f"{_SELECT_ROWS} WHERE g.game = ?", (game,))
        if not rows:
            return None
        (lobby_row,) = _build_rows([rows], with_seats=with_seats)
        if lobby_row.game_id != game:  # the index is damaged
            raise DamagedRowError(f"the lobby row of game {game} is that of game {lobby_row.game_id}")
        return lobby_row

    def lobby_page(
        self,
        *,
        before: int | None = None,
        limit: int = PAGE_SIZE,
        status: str = "",
        title: str = "",
        id_prefix: str = "",
        platform: str | None = None,
    ) -> list[LobbyRow]:
        """Return a page of lobby rows, newest first, with numbers below ``before``.

        ``id_prefix`` has no hyphens. ``platform`` selects the games of a platform, or if empty, games without an owner.
        The cost does not depend on the number of games; with a prefix, it depends on the number of games with that
        prefix. Unreadable rows are replaced by the next ones. Raises :class:`DamagedLobbyError`.
        """
        # Few games have the same prefix, so they are selected first: a plus keeps SQLite from using other indexes.
        plus = "{sqlite:+}" if id_prefix else ""
        where = Where()
        if status:
            where.add(f"{plus}g.status = ?", status)
        if title:
            where.add(f"{plus}g.title = ?", title)
        if platform:
            where.add("g.platform = ?" if id_prefix else "g.platform = ? AND g.platform <> ''", platform)
        elif platform is not None:
            where.add("{sqlite:+}g.platform = ''")
        if id_prefix:
            where.add("g.game BETWEEN ? AND ?", *ids_with_prefix(id_prefix))
        where.add(f"{plus}g.number < ?")
        select = f"SELECT g.number, g.game FROM games g{where} ORDER BY {plus}g.number DESC LIMIT ?"
        lobby_rows: list[LobbyRow] = []
        last = _MAX_NUMBER if before is None else before
        while limit > len(lobby_rows):
            missing = limit - len(lobby_rows)
            page = self._lobby(select, *where.parameters, last, missing)
            numbers = [number for number, _ in page]
            if not self._reader.is_shared and numbers != sorted({*numbers, last}, reverse=True)[1:]:
                raise DamagedLobbyError("the lobby rows are not in their order")
            lobby_rows += self.lobby_rows([game for _, game in page])
            if len(numbers) < missing:
                break
            last = min(numbers)
        return lobby_rows

    def lobby_rows(self, games: Sequence[UUID]) -> list[LobbyRow]:
        """Return the lobby rows of games, newest first. Leave out missing and unreadable rows."""
        return self._readable(self._lobby(f"{_SELECT_ROWS} WHERE g.game = ANY(?)", list(games))) if games else []

    def _lobby(self, select: str, *parameters: object) -> list[Any]:
        """Run a query on the lobby. Raises :class:`DamagedLobbyError` if the tables of the lobby are damaged."""
        try:
            return self._reader.fetch(select, parameters)
        except Exception as error:
            if is_file_damage(error):
                raise DamagedLobbyError(f"the lobby cannot be read: {error}") from error
            raise

    def _readable(self, rows: list[Any]) -> list[LobbyRow]:
        """Build lobby rows from result rows, newest first. Leave out unreadable ones."""
        of_games: dict[Any, list[Any]] = {}
        for row in rows:
            of_games.setdefault(row[0], []).append(row)
        groups = [of_games[number] for number in sorted(of_games, reverse=True)]
        try:
            return _build_rows(groups)
        except DamagedRowError:
            return [lobby_row for group in groups for lobby_row in self._undamaged(group)]

    def _undamaged(self, rows: list[Any]) -> list[LobbyRow]:
        try:
            return _build_rows([rows])
        except DamagedRowError as error:
            number = rows[0][0]
            if number not in self._logged:
                self._logged.add(number)
                _log.error("a lobby row cannot be read", number=number, problem=str(error))
            return []

    def games_by_number(self, status: str, before: int | None, limit: int = PAGE_SIZE) -> list[tuple[int, UUID]]:
        """Return numbers and ids of games with a status, newest first, with numbers below ``before``."""
        select = "SELECT number, game FROM games WHERE status = ? AND number < ? ORDER BY number DESC LIMIT ?"
        last = _MAX_NUMBER if before is None else before
        return self._reader.fetch_tuples(tuple[int, UUID], select, status, last, limit)

    def running_with_bots(self, after: int, limit: int = PAGE_SIZE) -> tuple[list[UUID], int | None]:
        """Return running games in which a bot must decide, among the next ``limit`` running games.

        ``after`` is the number of the last game of the previous page. Also return the number to continue after;
        ``None`` at the end.
        """
        select = (
            f"SELECT g.number, g.game, {PROGRESS_ALIAS}.decisions,"
            " (SELECT {postgres:string_agg(s.seat::text, ',')}"
            "{sqlite:group_concat(s.seat)} FROM seats s WHERE s.game = g.game AND s.kind <> ?)"
            f" FROM games g{JOIN_PROGRESS} WHERE g.status = 'running' AND g.number > ? ORDER BY g.number LIMIT ?"
        )
        rows = self._reader.fetch(select, (PERSON, after, limit))
        running = undamaged_rows(tuple[int, UUID, Any, str | None], rows)
        found = [game for _, game, decisions, bots in running if bots and has_open_decision(decisions, bots.split(","))]
        return found, rows[-1][0] if len(rows) == limit else None

    def overdue_bot_games(self, before: int, limit: int) -> list[UUID]:
        """Return running games in which a bot has had to decide since before a time (milliseconds since 1970).

        It examines a limited number of running games, starting at a random one. If the database is not shared, the
        result is empty: no other process can have left a game behind.
        """
        if not self._reader.is_shared:
            return []
        newest = self._reader.fetch_value(int, "SELECT coalesce(max(number), 0) FROM games WHERE status = 'running'")
        begin = _random.randint(0, newest)
        return (self._waiting(begin, before, limit) + self._waiting(0, before, limit, until=begin))[:limit]

    def _waiting(self, begin: int, before: int, limit: int, until: int = _MAX_NUMBER) -> list[UUID]:
        select = (
            "SELECT p.game FROM (SELECT game FROM games WHERE status = 'running' AND number >= ? AND number < ?"
            " ORDER BY number LIMIT ?) g JOIN progress p USING (game) WHERE p.bot_decides AND p.time < ? LIMIT ?"
        )
        return self._reader.fetch_values(UUID, select, begin, until, _MAX_SCANNED, before, limit)

    def count_games(self) -> int:
        """Return the number of lobby rows."""
        return self._reader.fetch_value(int, "SELECT count(*) FROM games")

    def known_games(self) -> Iterator[UUID]:
        """Yield the ids of all games with a lobby row, by number, then of games that have only events."""
        number = 0
        while True:
            select = "SELECT number, game FROM games WHERE number > ? ORDER BY number LIMIT ?"
            rows = self._reader.fetch_tuples(tuple[int, UUID], select, number, PAGE_SIZE)
            yield from (game for _, game in rows)
            if len(rows) < PAGE_SIZE:
                break
            number = rows[-1][0]
        yield from self.games_without_row()

    def games_without_row(self) -> list[UUID]:
        """Return the games that have events but no lobby row, in a stable order.

        In SQLite it takes one index lookup per game, regardless of the number of events.
        """
        select = (
            "{postgres:SELECT game FROM (SELECT game FROM progress UNION SELECT game FROM events WHERE version = 1) e"
            " WHERE NOT EXISTS (SELECT 1 FROM games g JOIN progress p USING (game) WHERE g.game = e.game)"
            " ORDER BY game}"
            "{sqlite:WITH RECURSIVE logged (id) AS (SELECT min(originator_id) FROM stored_events UNION ALL"
            " SELECT (SELECT min(originator_id) FROM stored_events WHERE originator_id > id)"
            " FROM logged WHERE id IS NOT NULL)"
            " SELECT id FROM logged WHERE id IS NOT NULL AND id NOT IN (SELECT game FROM games)"
            " ORDER BY (SELECT min(rowid) FROM stored_events WHERE originator_id = id)}"
        )
        return self._reader.fetch_values(UUID, select)

    # --- one game -----------------------------------------------------------------------------------------------

    def seats(self, game: UUID) -> list[SeatRow]:
        """Return the seats of a game."""
        return self._reader.fetch_structs(SeatRow, _SEATS, game)

    def dice_secret(self, game: UUID) -> bytes:
        """Return the dice secret of a game. Raises :class:`SecretLostError` if it was erased."""
        for (secret,) in self._reader.fetch("SELECT secret FROM dice_secrets WHERE game = ?", (game,)):
            if isinstance(secret, bytes):
                return secret
        raise SecretLostError(f"the dice secret of game {game} is missing")

    def request(self, request: bytes) -> RequestRow | None:
        """Return the stored result of an idempotent request, if there is one."""
        return self._reader.fetch_first(RequestRow, f"{_REQUESTS} WHERE request = ?", request)

    def import_of(self, game: UUID) -> ImportRow | None:
        """Return the origin of an imported game."""
        return self._reader.fetch_first(ImportRow, f"{_IMPORTS} WHERE game = ?", game)

    def import_with_head(self, head: str) -> ImportRow | None:
        """Return the imported game whose record has this chain head."""
        return self._reader.fetch_first(ImportRow, f"{_IMPORTS} WHERE head = ?", head)

    def removal_time(self, game: UUID) -> int | None:
        """Return when a game was removed (milliseconds since 1970); ``None`` if it was not."""
        row = self._reader.fetch_first(TombstoneRow, f"{_TOMBSTONES} WHERE game = ?", game)
        return None if row is None else row.time

    def tombstones(self) -> list[TombstoneRow]:
        """Return the tombstones of all removed games."""
        return self._reader.fetch_structs(TombstoneRow, f"{_TOMBSTONES} ORDER BY remove_time, game")

    def removed_import(self, head: str, key_id: str) -> tuple[UUID, int] | None:
        """Return the removed game that was imported from a record, and when it was removed.

        ``head`` is the record's chain head, ``key_id`` the key that signed it.
        """
        row = self._reader.fetch_first(TombstoneRow, f"{_TOMBSTONES} WHERE head = ? AND key_id = ?", head, key_id)
        return None if row is None else (row.game_id, row.time)

    def is_known(self, game: UUID) -> bool:
        """Return whether anything is stored of a game, however damaged."""
        select = (
            "SELECT EXISTS (SELECT 1 FROM games WHERE game = ?) OR EXISTS (SELECT 1 FROM progress WHERE game = ?)"
            " OR EXISTS (SELECT 1 FROM events WHERE game = ?)"
        )
        return self._reader.fetch_value(bool, select, game, game, game)

    def was_played_here(self, game: UUID) -> bool:
        """Return whether a game was created on this server and not imported. It may have been removed since."""
        select = (
            "SELECT EXISTS (SELECT 1 FROM games g WHERE g.game = ?"
            " AND NOT EXISTS (SELECT 1 FROM imports i WHERE i.game = g.game))"
            " OR EXISTS (SELECT 1 FROM removed_games WHERE game = ? AND head IS NULL)"
        )
        return self._reader.fetch_value(bool, select, game, game)


def _build_rows(groups: list[list[Any]], *, with_seats: bool = True) -> list[LobbyRow]:
    """Build lobby rows, each from the result rows of its seats. Raises :class:`DamagedRowError`."""
    values = to_values(LobbyRow, [rows[0][:_LOBBY_COLUMNS] for rows in groups])
    of_seats = [row[_LOBBY_COLUMNS + 2 :] for rows in groups for row in rows if _has_seat(row)] if with_seats else []
    seats = iter(to_structs(SeatRow, of_seats))
    lobby_rows: list[LobbyRow] = []
    for rows, row_values in zip(groups, values, strict=True):
        game, (key, record) = row_values[1], rows[0][_LOBBY_COLUMNS : _LOBBY_COLUMNS + 2]
        other = ""
        if key is not None:
            ((key, record),) = to_values(_Origin, [(key, record)])
            other = str(record) if record != game else ""
        of_game = sorted(islice(seats, sum(map(_has_seat, rows))), key=attrgetter("seat"))
        lobby_row = LobbyRow(*(*row_values, tuple(of_game), key or "", other))
        if with_seats:
            check_seats(lobby_row)
        lobby_rows.append(lobby_row)
    return lobby_rows


def _has_seat(row: Sequence[object]) -> bool:
    return row[_LOBBY_COLUMNS + 2] is not None


class _Origin(Struct, frozen=True):
    key_id: str
    record_id: UUID
