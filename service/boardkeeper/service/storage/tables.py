"""The companion tables: what stands beside the event log and is written in the same transactions.

Names of people, token hashes and dice secrets are kept here because the log is for ever and these must be
erasable. ``games`` is the lobby, a projection: everything in it but its number follows from the log, and ``chain``, the
head of the chain over the game's rows, bears witness to it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from operator import itemgetter
from typing import Any
from uuid import UUID

import msgspec
import structlog
from eventsourcing.persistence import MapperDeserialisationError
from eventsourcing.sqlite import SQLiteDatastore
from msgspec import Struct

from boardkeeper.game.game import ENDED, OPEN, RUNNING
from boardkeeper.game.seats import PERSON
from boardkeeper.service.storage.chain import TOMBSTONES
from boardkeeper.service.storage.failures import is_of_storage, is_of_the_disk
from boardkeeper.service.storage.writer import Heads, Row, Statement
from boardkeeper.table.title import Setup, Standing

_log = structlog.get_logger()

_SCHEMA = """
CREATE TABLE IF NOT EXISTS games (
    number INTEGER PRIMARY KEY,
    game_id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    setup BLOB NOT NULL,
    commitment TEXT NOT NULL,
    create_time INTEGER NOT NULL,
    update_time INTEGER NOT NULL,
    version INTEGER NOT NULL,
    status TEXT NOT NULL,
    decisions BLOB NOT NULL,
    standings BLOB NOT NULL,
    chain BLOB
);
CREATE INDEX IF NOT EXISTS games_by_status ON games (status, number);
CREATE INDEX IF NOT EXISTS games_by_title ON games (title, number);
CREATE INDEX IF NOT EXISTS games_by_title_and_status ON games (title, status, number);
CREATE TABLE IF NOT EXISTS seats (
    game_id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    taken INTEGER NOT NULL,
    token_hash BLOB,
    PRIMARY KEY (game_id, seat)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS dice_secrets (
    game_id TEXT PRIMARY KEY,
    secret BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS requests (
    request BLOB PRIMARY KEY,
    content BLOB NOT NULL,
    salt BLOB NOT NULL,
    game_id TEXT NOT NULL,
    seats BLOB NOT NULL,
    create_time INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS imports (
    game_id TEXT PRIMARY KEY,
    key_id TEXT NOT NULL,
    seal BLOB NOT NULL,
    import_time INTEGER NOT NULL,
    record_id TEXT,
    head TEXT
) WITHOUT ROWID;
"""

_ADD_CHAIN = """
BEGIN;
ALTER TABLE games ADD COLUMN chain BLOB;
UPDATE games SET chain=(
    SELECT link FROM stored_events WHERE originator_id=game_id ORDER BY originator_version DESC LIMIT 1
);
COMMIT;
"""
"""For files from before there were chains."""

_ADD_ORIGIN = """
BEGIN;
ALTER TABLE imports ADD COLUMN record_id TEXT;
ALTER TABLE imports ADD COLUMN head TEXT;
UPDATE imports SET record_id=game_id, head=json_extract(CAST(seal AS TEXT), '$.head');
COMMIT;
"""
"""For files from before an imported game could have another id than in its record."""

_INDICES = """
CREATE UNIQUE INDEX IF NOT EXISTS imports_by_head ON imports (head);
"""

_GAME_COLUMNS = (
    "number, game_id, title, setup, commitment, create_time, update_time, version, status, decisions, standings"
)


class DamagedLineError(MapperDeserialisationError):
    """A line of the lobby, or what belongs to it, is not what a service has written."""


class SecretLostError(DamagedLineError, KeyError):
    """A game has no dice secret any more."""


class DamagedLobbyError(DamagedLineError):
    """The lobby as a whole cannot be read."""


PAGE = 200
"""How many games are read at once by whoever goes through them all."""

_PAST_ALL = 1 << 62
_LATEST = 1 << 53
"""No record that 0.1.0 took in has a later time; what no calendar has is cut to size where it goes out."""

CHAIN_HEADS = Heads(
    read="SELECT chain, version FROM games WHERE game_id=?",
    write="UPDATE games SET chain=? WHERE game_id=?",
)
"""How the writer keeps the head of each game's chain."""


class SeatRow(Struct, frozen=True):
    """One seat: its kind as in ``GameCreated.seats``, the name to show, and the SHA-256 of its token."""

    seat: int
    kind: str
    name: str
    taken: bool
    token_hash: bytes | None = None


class LobbyRow(Struct, frozen=True):
    """One line of the lobby. Times are milliseconds since 1970; ``decisions`` has one name, or "", a seat.

    ``imported_key`` is the id of the foreign key that signed the game's record; empty for a game played here.
    ``imported_id`` is the id that the game has in its record, if that is another one.
    """

    number: int
    game_id: UUID
    title: str
    setup: Setup
    commitment: str
    create_time: int
    update_time: int
    version: int
    status: str
    decisions: tuple[str, ...]
    standings: tuple[Standing, ...]
    seats: tuple[SeatRow, ...] = ()
    imported_key: str = ""
    imported_id: str = ""


class ImportRow(Struct, frozen=True):
    """Where a game came from: the key that signed its record, the record's seal, and when it came (milliseconds).

    ``record_id`` is the id that the game has in its record, and ``head`` that of the record's chain.
    """

    game_id: UUID
    key_id: str
    seal: bytes
    import_time: int
    record_id: UUID
    head: str


class RequestRow(Struct, frozen=True):
    """What an idempotent request did: which game, which seats it gave tokens for, and the tokens' salt.

    ``request`` is a hash of the request's id and ``content`` one of the rest of it.
    """

    request: bytes
    content: bytes
    salt: bytes
    game_id: UUID
    seats: tuple[int, ...]


_setup = msgspec.json.Decoder(Setup)
_decisions = msgspec.json.Decoder(tuple[str, ...])
_standings = msgspec.json.Decoder(tuple[Standing, ...])
_seats = msgspec.json.Decoder(tuple[int, ...])
_encode = msgspec.json.Encoder().encode


def create_tables(datastore: SQLiteDatastore) -> None:
    """Make the tables that are missing."""
    with datastore.get_connection(commit=True) as connection:
        prepare_tables(connection.cursor().sqlite_cursor.connection)


def prepare_tables(connection: sqlite3.Connection) -> None:
    """Make the tables that are missing, and the columns that those of an earlier release lack."""
    connection.executescript(_SCHEMA)
    for table, column, script in (("games", "chain", _ADD_CHAIN), ("imports", "head", _ADD_ORIGIN)):
        if column not in [row[1] for row in connection.execute(f"PRAGMA table_info({table})").fetchall()]:
            connection.executescript(script)
    connection.executescript(_INDICES)


# --- writing: companion statements of an append -------------------------------------------------------------


def new_game(row: LobbyRow, secret: bytes) -> list[Statement]:
    """The rows of a game that is created (its number is given by the database)."""
    game = row.game_id.hex
    return [
        (f"INSERT INTO games ({_GAME_COLUMNS}) VALUES (NULL,?,?,?,?,?,?,?,?,?,?)", _line(row)),
        ("INSERT INTO dice_secrets VALUES (?,?)", (game, secret)),
        *(
            (
                "INSERT INTO seats VALUES (?,?,?,?,?,?)",
                (game, seat.seat, seat.kind, seat.name, seat.taken, seat.token_hash),
            )
            for seat in row.seats
        ),
    ]


def _line(row: LobbyRow) -> Row:
    """The values of the lobby's line of a game, but for its number."""
    return (
        row.game_id.hex,
        row.title,
        _encode(row.setup),
        row.commitment,
        row.create_time,
        row.update_time,
        row.version,
        row.status,
        _encode(row.decisions),
        _encode(row.standings),
    )


def put_game(row: LobbyRow, chain: bytes) -> Statement:
    """The lobby's line of a game as it should be, in place of the one that is there, whose number it keeps."""
    updates = ", ".join(f"{column}=excluded.{column}" for column in [*_GAME_COLUMNS.split(", ")[2:], "chain"])
    insert = f"INSERT INTO games ({_GAME_COLUMNS}, chain) VALUES (NULL,?,?,?,?,?,?,?,?,?,?,?)"
    return (f"{insert} ON CONFLICT (game_id) DO UPDATE SET {updates}", (*_line(row), chain))


def put_seat(game: UUID, seat: SeatRow) -> Statement:
    """Who sits on a seat as it should be; a name and a token that are there stay."""
    insert = "INSERT INTO seats VALUES (?,?,?,?,?,?)"
    return (
        f"{insert} ON CONFLICT (game_id, seat) DO UPDATE SET kind=excluded.kind, taken=excluded.taken",
        (game.hex, seat.seat, seat.kind, seat.name, seat.taken, seat.token_hash),
    )


def forget_snapshots() -> Statement:
    """No stored snapshot is left; they are made again when somebody looks back."""
    return ("DELETE FROM stored_snapshots", ())


def take_seat(game: UUID, seat: SeatRow) -> Statement:
    """A seat that was free has somebody now."""
    return (
        "UPDATE seats SET name=?, taken=1, token_hash=? WHERE game_id=? AND seat=?",
        (seat.name, seat.token_hash, game.hex, seat.seat),
    )


def move_on(
    game: UUID, version: int, time: int, status: str, decisions: Sequence[str], standings: Sequence[Standing]
) -> Row:
    """The lobby's line after a command, as a row for :func:`move_on_statement`; the writer adds the chain's head."""
    return game.hex, version, time, status, _encode(decisions), _encode(standings)


def move_on_statement(count: int) -> str:
    """SQL that brings the lines of so many games up to date, each game once."""
    rows = ",".join(["(?,?,?,?,?,?,?)"] * count)
    return (
        "UPDATE games SET version=column2, update_time=column3, status=column4, decisions=column5,"
        f" standings=column6, chain=column7 FROM (VALUES {rows}) WHERE game_id=column1"
    )


def new_request(row: RequestRow, time: int) -> Statement:
    """Remember a request; a second one with its id conflicts."""
    return (
        "INSERT INTO requests VALUES (?,?,?,?,?,?)",
        (row.request, row.content, row.salt, row.game_id.hex, _encode(row.seats), time),
    )


def new_import(row: ImportRow) -> Statement:
    """Remember that a game was not played here."""
    insert = "INSERT INTO imports (game_id, key_id, seal, import_time, record_id, head) VALUES (?,?,?,?,?,?)"
    return (insert, (row.game_id.hex, row.key_id, row.seal, row.import_time, row.record_id.hex, row.head))


# --- reading ------------------------------------------------------------------------------------------------


class CompanionReader:
    """Reads the companion tables; blocks, so it belongs in a reader thread."""

    def __init__(self, datastore: SQLiteDatastore) -> None:
        self._datastore = datastore
        self._told: set[int] = set()

    def game(self, game: UUID, *, with_seats: bool = True) -> LobbyRow | None:
        """One line of the lobby, and of its seats; raises :class:`DamagedLineError` for what cannot be one."""
        rows = self._rows(f"SELECT {_GAME_COLUMNS} FROM games WHERE game_id=?", (game.hex,))
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
        where, order = " AND ".join(conditions), "+number" if id_prefix else "number"
        select = f"SELECT {_GAME_COLUMNS} FROM games WHERE {where}"
        try:
            rows = self._rows(f"{select} ORDER BY {order} DESC LIMIT ?", (*parameters, limit))
            _check_order([row["number"] for row in rows], before)
            return self._lobby(rows)
        except Exception as error:
            if is_of_the_disk(error) or not is_of_storage(error):
                raise
            return self._readable(f"{select} AND number=?", tuple(parameters), limit, before)

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
            if bots:
                try:
                    open_decisions = _decisions.decode(decisions)
                    waits = any(open_decisions[int(seat) - 1] for seat in bots.split(","))
                except (ValueError, TypeError, IndexError):  # somebody changed the row: whoever loads the game will see
                    waits = True
                if waits:
                    found.append(_id(id))
        return found, rows[-1]["number"] if len(rows) == limit else None

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
        yield from (_id(id) for id, _ in sorted(self.lost_games(), key=itemgetter(1)))

    def lost_games(self) -> list[tuple[str, int]]:
        """Games of which there are events but no line in the lobby, with the row id of their first event.

        It takes one step through the index for each game, however many events that has.
        """
        rows = self._rows(
            "WITH RECURSIVE games_with_events (id) AS (SELECT min(originator_id) FROM stored_events UNION ALL"
            " SELECT (SELECT min(originator_id) FROM stored_events WHERE originator_id>id)"
            " FROM games_with_events WHERE id IS NOT NULL)"
            " SELECT id, (SELECT min(rowid) FROM stored_events WHERE originator_id=id) FROM games_with_events"
            " WHERE id IS NOT NULL AND id NOT IN (SELECT game_id FROM games)"
        )
        return [(id, first) for id, first in rows]

    def seats(self, game: UUID) -> list[SeatRow]:
        """The seats of one game."""
        return [
            SeatRow(seat, kind, name, bool(taken), token_hash)
            for seat, kind, name, taken, token_hash in self._rows(
                "SELECT seat, kind, name, taken, token_hash FROM seats WHERE game_id=? ORDER BY seat", (game.hex,)
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
        for request, content, salt, game, seats in rows:
            try:
                return RequestRow(request, bytes(content), bytes(salt), UUID(game), _seats.decode(seats))
            except (TypeError, ValueError, AttributeError) as error:
                raise DamagedLineError(f"a request that was remembered cannot be read: {error}") from error
        return None

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
        ids = (_encode(tuple(seats)).decode(),)  # one value, for SQLite takes only so many
        for game, seat, kind, name, taken, token_hash in self._rows(
            "SELECT game_id, seat, kind, name, taken, token_hash FROM seats"
            " WHERE game_id IN (SELECT value FROM json_each(?)) ORDER BY game_id, seat",
            ids,
        ):
            if game in seats:
                seats[game].append(SeatRow(seat, kind, name, bool(taken), token_hash))
        imports = "SELECT game_id, key_id, record_id FROM imports WHERE game_id IN (SELECT value FROM json_each(?))"
        imported = {game: (key, record) for game, key, record in self._rows(imports, ids)}
        if not all(seats.values()):  # removed since the lines were read, all at once
            gone = f"SELECT game_id FROM {TOMBSTONES} WHERE game_id IN (SELECT value FROM json_each(?))"
            removed = {id for (id,) in self._rows(gone, ids)}
            rows = [row for row in rows if row["game_id"] not in removed]
        lines = [_line_of(row, seats[row["game_id"]], *imported.get(row["game_id"], ("", ""))) for row in rows]
        for line in lines if with_seats else ():
            _check_seats(line)
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
            setup=_setup.decode(row["setup"]),
            commitment=row["commitment"],
            create_time=row["create_time"],
            update_time=row["update_time"],
            version=row["version"],
            status=row["status"],
            decisions=_decisions.decode(row["decisions"]),
            standings=_standings.decode(row["standings"]),
            seats=tuple(seats),
            imported_key=imported_key,
            imported_id=str(UUID(record_id)) if record_id and record_id != row["game_id"] else "",
        )
    except (TypeError, ValueError, AttributeError) as error:
        raise DamagedLineError(f"line {row['number']}: {error}") from error
    right = (
        all(type(number) is int for number in (line.number, line.version))
        and all(type(time) is int and 0 <= time < _LATEST for time in (line.create_time, line.update_time))
        and all(isinstance(text, str) for text in (line.title, line.commitment, imported_key))
        and line.status in (OPEN, RUNNING, ENDED)
    )
    if not right:
        raise DamagedLineError(f"line {row['number']} has a value that cannot be")
    return line


def _id(stored: object) -> UUID:
    try:
        return UUID(str(stored))
    except ValueError as error:
        raise DamagedLineError(f"{stored!r} is no id of a game") from error


def _check_seats(line: LobbyRow) -> None:
    kinds: dict[str, Any] = {"kind": str, "name": str, "token_hash": bytes | None}
    right = len(line.decisions) == len(line.seats) and all(
        seat.seat == number and all(isinstance(getattr(seat, field), kind) for field, kind in kinds.items())
        for number, seat in enumerate(line.seats, 1)
    )
    if not right:
        raise DamagedLineError(f"the seats of line {line.number} have values that cannot be")


def _check_order(numbers: list[int], before: int | None) -> None:
    """That a page is in its order; pages of a file that changed places are not."""
    if any(later >= number for number, later in pairwise(chain([_PAST_ALL if before is None else before], numbers))):
        raise DamagedLobbyError("lines of the lobby are in another order")
