"""Reading what stands beside the events in PostgreSQL."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, LiteralString
from uuid import UUID

import structlog

from boardkeeper.game.seats import PERSON
from boardkeeper.service.storage.postgres.readers import Readers
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
    waits_for_one,
)

_log = structlog.get_logger()

_PAST_ALL = (1 << 62) - 1
_DIGITS = 32
_LOOKED_AT = 5_000
_CHANCE = random.Random()  # the numbers of the module are those of the program that we run in

_LINES: LiteralString = (
    "SELECT g.number, g.game, g.title, g.setup, g.commitment, g.create_time, p.time, p.version, p.status, p.decisions,"
    " p.standings, i.key_id, i.record_id, ARRAY(SELECT (s.seat, s.kind, s.name, s.taken, s.token_hash, s.token_expires)"
    " FROM seats s"
    " WHERE s.game = g.game ORDER BY s.seat) FROM games g JOIN progress p USING (game) LEFT JOIN imports i USING (game)"
)
_IMPORTS: LiteralString = "SELECT game, key_id, seal, import_time, record_id, head FROM imports"


class PostgresCompanions:
    """What stands beside the events (:class:`~boardkeeper.service.storage.database.Companions`)."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers
        self._told: set[int] = set()

    def game(self, game: UUID, *, with_seats: bool = True) -> LobbyRow | None:
        """One line of the lobby, and of its seats; raises :class:`DamagedLineError` for what cannot be one."""
        rows = self._readers.rows(_LINES + " WHERE g.game = %b", (game,))
        return _line(rows[0], with_seats=with_seats) if rows else None

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

        However many games there are, only those that the page has are read; with a prefix, those that begin so. Lines
        that cannot be read are left out. Raises :class:`DamagedLobbyError` if none can be.
        """
        where: LiteralString = " WHERE g.number < %b"
        parameters: list[object] = [_PAST_ALL if before is None else before]
        if status:
            where += " AND g.status = %b"
            parameters.append(status)
        if title:
            where += " AND g.title = %b"
            parameters.append(title)
        if platform:
            where += " AND g.platform = %b AND g.platform <> ''"
            parameters.append(platform)
        elif platform is not None:
            where += " AND g.platform = ''"
        if id_prefix:
            where += " AND g.game BETWEEN %b AND %b"
            parameters += [UUID(id_prefix.ljust(_DIGITS, "0")), UUID(id_prefix.ljust(_DIGITS, "f"))]
        rows = self._readers.rows(_LINES + where + " ORDER BY g.number DESC LIMIT %b", (*parameters, limit))
        lines = self._those_readable(rows)
        if rows and not lines:
            raise DamagedLobbyError("no line of the lobby can be read")
        return lines

    def lines(self, games: Sequence[UUID]) -> list[LobbyRow]:
        """The lobby's lines of those games, newest first; those that are gone, or cannot be read, are left out."""
        where: LiteralString = " WHERE g.game = ANY(%b) ORDER BY g.number DESC"
        return self._those_readable(self._readers.rows(_LINES + where, (list(games),)))

    def _those_readable(self, rows: Sequence[Sequence[Any]]) -> list[LobbyRow]:
        lines: list[LobbyRow] = []
        for row in rows:
            try:
                lines.append(_line(row))
            except DamagedLineError as error:
                if row[0] not in self._told:
                    self._told.add(row[0])
                    _log.error("a line of the lobby cannot be read", number=row[0], problem=str(error))
        return lines

    def numbered(self, status: str, before: int | None, limit: int = PAGE) -> list[tuple[int, UUID]]:
        """Numbers and ids of a page of games of a status, newest first, whose number is below ``before``."""
        select: LiteralString = (
            "SELECT number, game FROM games WHERE status = %b AND number < %b ORDER BY number DESC LIMIT %b"
        )
        return self._readers.rows(select, (status, _PAST_ALL if before is None else before, limit))

    def running_with_bots(self, after: int, limit: int = PAGE) -> tuple[list[UUID], int | None]:
        """Of the ``limit`` oldest running games with a number above ``after``, those in which a bot has to decide.

        Also gives the number of the last one looked at, which the next page begins after; ``None``: there are no more.
        """
        select: LiteralString = (
            "SELECT g.number, g.game, p.decisions, ARRAY(SELECT s.seat FROM seats s WHERE s.game = g.game"
            " AND s.kind <> %b) FROM games g JOIN progress p USING (game)"
            " WHERE g.status = 'running' AND g.number > %b ORDER BY g.number LIMIT %b"
        )
        rows = self._readers.rows(select, (PERSON, after, limit))
        found = [game for _, game, decisions, bots in rows if bots and waits_for_one(decisions, bots)]
        return found, rows[-1][0] if len(rows) == limit else None

    def waiting_for_bots(self, before: int, limit: int) -> list[UUID]:
        """Some running games in which a bot has had to decide since before that time (milliseconds since 1970).

        However many games are running, so many of them are looked at, from another one on each time.
        """
        ((newest,),) = self._readers.rows("SELECT coalesce(max(number), 0) FROM games WHERE status = 'running'")
        begin = _CHANCE.randint(0, newest)
        return (self._waiting(begin, before, limit) + self._waiting(0, before, limit, until=begin))[:limit]

    def _waiting(self, begin: int, before: int, limit: int, until: int = _PAST_ALL) -> list[UUID]:
        select: LiteralString = (
            "SELECT p.game FROM (SELECT game FROM games WHERE status = 'running' AND number >= %b AND number < %b"
            " ORDER BY number LIMIT %b) g JOIN progress p USING (game) WHERE p.bot_decides AND p.time < %b LIMIT %b"
        )
        return [game for (game,) in self._readers.rows(select, (begin, until, _LOOKED_AT, before, limit))]

    def count_games(self) -> int:
        """How many games there are in the lobby."""
        ((count,),) = self._readers.rows("SELECT count(*) FROM games")
        return int(count)

    def known_games(self) -> Iterator[UUID]:
        """The ids of all games in the lobby in its order, then those that only have events."""
        number = 0
        while True:
            select: LiteralString = "SELECT number, game FROM games WHERE number > %b ORDER BY number LIMIT %b"
            rows = self._readers.rows(select, (number, PAGE))
            yield from (game for _, game in rows)
            if len(rows) < PAGE:
                break
            number = rows[-1][0]
        yield from self.lost_games()

    def lost_games(self) -> list[UUID]:
        """Games of which there are events but no line in the lobby, in an order that does not change."""
        select: LiteralString = (
            "SELECT game FROM (SELECT game FROM progress UNION SELECT game FROM events WHERE version = 1) e"
            " WHERE NOT EXISTS (SELECT 1 FROM games g JOIN progress p USING (game) WHERE g.game = e.game)"
            " ORDER BY game"
        )
        return [game for (game,) in self._readers.rows(select)]

    def seats(self, game: UUID) -> list[SeatRow]:
        """The seats of one game."""
        select: LiteralString = (
            "SELECT seat, kind, name, taken, token_hash, token_expires FROM seats WHERE game = %b ORDER BY seat"
        )
        return [SeatRow(*row) for row in self._readers.rows(select, (game,))]

    def secret(self, game: UUID) -> bytes:
        """The dice secret of a game; raises :class:`SecretLostError` if it was erased."""
        rows = self._readers.rows("SELECT secret FROM dice_secrets WHERE game = %b", (game,))
        if not rows:
            raise SecretLostError(f"the dice secret of game {game} is missing")
        return bytes(rows[0][0])

    def request(self, request: bytes) -> RequestRow | None:
        """What an idempotent request did, if it was seen."""
        select: LiteralString = "SELECT request, content, salt, game, seats FROM requests WHERE request = %b"
        return next(map(_request, self._readers.rows(select, (request,))), None)

    def requests_of(self, game: UUID) -> list[tuple[RequestRow, int]]:
        """The idempotent requests about a game, with their times in milliseconds since 1970."""
        select: LiteralString = (
            "SELECT request, content, salt, game, seats, create_time FROM requests WHERE game = %b ORDER BY request"
        )
        return [(_request(row[:5]), row[5]) for row in self._readers.rows(select, (game,))]

    def imported(self, game: UUID) -> ImportRow | None:
        """Where a game came from, if it was not played here."""
        return _import(self._readers.rows(_IMPORTS + " WHERE game = %b", (game,)))

    def imported_with(self, head: str) -> ImportRow | None:
        """The imported game whose record has that head."""
        return _import(self._readers.rows(_IMPORTS + " WHERE head = %b", (head,)))

    def removed(self, game: UUID) -> int | None:
        """When a game was removed (milliseconds since 1970), if it was."""
        rows = self._readers.rows("SELECT remove_time FROM removed_games WHERE game = %b", (game,))
        return int(rows[0][0]) if rows else None

    def tombstones(self) -> list[TombstoneRow]:
        """What tells of all games that were removed."""
        select: LiteralString = "SELECT game, remove_time, head, key_id FROM removed_games ORDER BY remove_time, game"
        return [TombstoneRow(*row) for row in self._readers.rows(select)]

    def is_known(self, game: UUID) -> bool:
        """Whether anything is here of a game, however damaged."""
        select: LiteralString = (
            "SELECT EXISTS (SELECT 1 FROM games WHERE game = %b) OR EXISTS (SELECT 1 FROM progress WHERE game = %b)"
            " OR EXISTS (SELECT 1 FROM events WHERE game = %b)"
        )
        ((known,),) = self._readers.rows(select, (game, game, game))
        return bool(known)

    def was_played_here(self, game: UUID) -> bool:
        """Whether a game is or was here that did not come as a record."""
        select: LiteralString = (
            "SELECT EXISTS (SELECT 1 FROM games g WHERE g.game = %b"
            " AND NOT EXISTS (SELECT 1 FROM imports i WHERE i.game = g.game))"
            " OR EXISTS (SELECT 1 FROM removed_games WHERE game = %b AND head IS NULL)"
        )
        ((was,),) = self._readers.rows(select, (game, game))
        return bool(was)

    def removed_import(self, head: str, key_id: str) -> tuple[UUID, int] | None:
        """The game that was imported from that record, signed with that key, and when it was removed, if it was."""
        select: LiteralString = "SELECT game, remove_time FROM removed_games WHERE head = %b AND key_id = %b"
        return next(((game, int(time)) for game, time in self._readers.rows(select, (head, key_id))), None)


def _line(row: Sequence[Any], *, with_seats: bool = True) -> LobbyRow:
    """A line of the lobby; raises :class:`DamagedLineError` for values that no service writes there."""
    number, game, title, setup, commitment, made, time, version, status, decisions, standings, key, record, seats = row
    try:
        line = LobbyRow(
            number=number,
            game_id=game,
            title=title,
            setup=decode_setup(setup),
            commitment=commitment,
            create_time=made,
            update_time=time,
            version=version,
            status=status,
            decisions=decode_decisions(decisions),
            standings=decode_standings(standings),
            seats=tuple(SeatRow(*seat) for seat in seats),
            imported_key=key or "",
            imported_id=str(record) if record is not None and record != game else "",
        )
    except (TypeError, ValueError) as error:
        raise DamagedLineError(f"line {number}: {error}") from error
    check_line(line)
    if with_seats:
        check_seats(line)
    return line


def _request(row: Sequence[Any]) -> RequestRow:
    request, content, salt, game, seats = row
    try:
        return RequestRow(request, content, salt, game, decode_seats(seats))
    except ValueError as error:
        raise DamagedLineError(f"a request that was remembered cannot be read: {error}") from error


def _import(rows: Sequence[Sequence[Any]]) -> ImportRow | None:
    for game, key, seal, time, record, head in rows:
        return ImportRow(game, key, seal, time, record, head)
    return None
