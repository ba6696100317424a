"""Game records: export, verification, and import of records of other servers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from itertools import islice
from uuid import UUID

from msgspec.structs import replace

from boardkeeper.game.audit import FAILS, HOLDS, Report, audit
from boardkeeper.game.events import GameEnded, GameEvent
from boardkeeper.game.game import Game
from boardkeeper.game.record import (
    MAX_IMPORT_BYTES,
    MAX_LINE_BYTES,
    MAX_LINES,
    Seal,
    required_format,
    sealer,
    write_record,
)
from boardkeeper.game.record_reading import (
    MalformedError,
    parse_header,
    parse_seal,
    read_events,
    split_lines,
)
from boardkeeper.game.seats import PERSON
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.cache.visibility_history import VisibilityHistory
from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.games.game_clock import ServiceTime
from boardkeeper.service.games.game_writer import StaleGameError
from boardkeeper.service.limits.long_work import CancelCheck, LongWork
from boardkeeper.service.requests.errors import ApiError, problem, record_error
from boardkeeper.service.storage.access import UNOWNED, GameAccess, owner_changes
from boardkeeper.service.storage.application import TitleLookup
from boardkeeper.service.storage.changes import NewGame, NewImport
from boardkeeper.service.storage.projections import build_lobby_row
from boardkeeper.service.storage.rows import NO_TOKEN, ImportRow, LobbyRow, SeatRow
from boardkeeper.service.storage.service_key import ServiceKey
from boardkeeper.service.storage.sql import Change
from boardkeeper.service.storage_reads import translate_damage
from boardkeeper.table.decoding import decode
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.wire.signatures import verify

_MAX_AT_ONCE = 2
_MAX_WAITING = 32
_MAX_TRIES = 3
_MAX_RECEIVED_BYTES = 4 * MAX_IMPORT_BYTES
"""The maximum number of bytes of unfinished records in memory, for all imports together."""

_MAX_MESSAGES = MAX_LINES
"""The maximum number of messages of one import: clients can send single lines. Each message costs about 10 µs."""

_IMPORTS = "imports"
"""The subject under which all imports wait for their turns; other work waits under its game."""

_BLOCK = 64 * 1024
_CLOCK_TOLERANCE = 24 * 3600 * 1000
"""The clock of the other server may be ahead by this many milliseconds, for example because of a wrong time zone."""


class Records:
    """Exports and imports game records. ``key`` signs the records of games that were played on this server.

    The work runs in reader threads, a few records at a time: a long game takes some tenths of a second.
    """

    def __init__(self, handler: CommandHandler, titles: TitleLookup, key: ServiceKey) -> None:
        self.key = key
        self._handler = handler
        self._registry = handler.registry
        self._titles = titles
        self._work = LongWork(self._registry.application, _MAX_AT_ONCE, _MAX_WAITING)
        self._received = 0

    def time(self) -> ServiceTime:
        """Return the present time, and the time before which no clock expires."""
        return self._handler.decider.current_time()

    # --- export ------------------------------------------------------------------------------------------------

    async def lines(self, live: LiveGame, viewer: int) -> list[bytes]:
        """Return the lines of a game's record for a viewer; the record of an ended game contains everything.

        Raises ``GAME_DAMAGED`` or ``OVERLOADED``.
        """
        async with translate_damage(self._registry.application, live.id):
            return await self._work.run(live.id, partial(self._write, live.id, viewer))

    async def check(self, live: LiveGame, viewer: int) -> Report:
        """Audit the record of :meth:`lines`; return the report. Raises the same errors."""
        async with translate_damage(self._registry.application, live.id):
            return await self._work.run(live.id, partial(self._check, live.id, viewer))

    def _check(self, game: UUID, viewer: int, check_cancelled: CancelCheck) -> Report:
        return audit(self._write(game, viewer, check_cancelled), self._titles, verify, check_cancelled)

    def _write(self, game: UUID, viewer: int, check_cancelled: CancelCheck) -> list[bytes]:
        application = self._registry.application
        events, damage = application.verified_events(game)
        if damage is not None:
            raise ApiError("GAME_DAMAGED", version=damage.version)
        if not events:  # the game was removed in the meantime
            raise ApiError("GAME_REMOVED", game=game, time=application.removal_time(game) or 0)
        secret = application.secret(game, events)
        if not secret:
            raise ApiError("GAME_DAMAGED", version=len(events) + 1)
        if isinstance(events[-1].detail, GameEnded):
            viewer = OPERATOR
        lines: list[bytes] = []
        imported = application.game_tables.import_of(game)
        id = game if imported is None else imported.record_id
        for line in write_record(
            id, events, secret, partial(self._seal, imported), viewer, imported=imported is not None
        ):
            lines.append(line)
            check_cancelled()
        return lines

    def _seal(self, imported: ImportRow | None, game: str, events: int, head: str) -> Seal:
        """Return the seal of the imported record, or a new seal of this server."""
        if imported is None:
            return sealer(self.key)(game, events, head)
        seal = decode(imported.seal, Seal)
        if (seal.events, seal.head) != (events, head):
            raise ApiError("GAME_DAMAGED", version=1)
        return seal

    # --- import -------------------------------------------------------------------------------------------------

    @contextmanager
    def receiving(self) -> Iterator[RecordBuffer]:
        """Yield a buffer for the bytes of an import; its memory is freed at the end. Raises ``OVERLOADED``."""
        self._handler.writer.check_ready()
        stream = RecordBuffer(self._reserve)
        try:
            yield stream
        finally:
            self._received -= len(stream)

    def _reserve(self, size: int) -> None:
        """Count ``size`` more bytes in memory. Raises ``OVERLOADED`` if other imports fill it."""
        if self._received + size > _MAX_RECEIVED_BYTES:
            raise ApiError("OVERLOADED")
        self._received += size

    async def import_record(self, data: bytes, owner: GameAccess = UNOWNED) -> tuple[UUID, Report]:
        """Store the game of a record that passes the whole audit; return its id on this server and the report.

        Raises ``RECORD_REFUSED``, ``GAME_EXISTS`` or ``GAME_REMOVED`` with nothing stored, or the errors of
        an action.
        """
        quotas = self._handler.changes.quotas
        spends = quotas.import_spends(owner.platform, len(data))
        lines, record, seal = await self._work.run(_IMPORTS, lambda _: _split(data))
        for number, line in enumerate(lines, 1):
            if len(line) > MAX_LINE_BYTES:  # release 0.1.0 wrote such undos: checking one may take too long
                raise record_error("well-formed", number, 0, problem("record_line", most=MAX_LINE_BYTES))
        if record is not None and seal is not None:
            await self._registry.read(partial(self._choose_id, record, seal))  # before the costly audit
        report = await self._work.run(_IMPORTS, partial(audit, lines, self._titles, verify))
        if not report.holds:
            raise _import_error(report)
        assert record is not None
        assert seal is not None
        for _ in range(_MAX_TRIES):
            game = await self._registry.read(partial(self._choose_id, record, seal))
            live, events, row = await self._work.run(_IMPORTS, partial(self._rebuild, lines, report, game))
            _check_format(lines[0], events)
            self._check_times(events)
            secret = bytes.fromhex(_game_ended(events).secret)
            imported = ImportRow(game, report.key_id, lines[-1], self._handler.clock(), record, seal.head)
            try:
                changes: list[Change] = [
                    NewGame(row, secret),
                    *owner_changes(game, owner),
                    NewImport(imported),
                    *spends,
                ]
                await self._handler.changes.create(live, events, changes)
            except StaleGameError:
                continue  # another import has stored the game or its id
            return game, report
        raise ApiError("GAME_EXISTS", game=record)

    def _choose_id(self, record: UUID, seal: Seal) -> UUID:
        """Return the id under which a record's game is stored: its own, or a derived one if its own is taken.

        A forged record may use any id, so an id that is taken must not prevent the import of the true game. Raises
        ``GAME_EXISTS`` if the game is stored, ``GAME_REMOVED`` if it was removed.
        """
        tables = self._registry.application.game_tables
        here = tables.import_with_head(seal.head)
        if here is not None:
            raise ApiError("GAME_EXISTS", game=here.game_id)
        removed = tables.removed_import(seal.head, seal.key_id)
        if removed is not None:
            raise ApiError("GAME_REMOVED", game=removed[0], time=removed[1])
        if tables.was_played_here(record):
            raise ApiError("GAME_EXISTS", game=record)
        derived = derive_id(seal)
        is_taken = tables.removal_time(record) is not None or tables.lobby_row(record) is not None
        return derived if is_taken or record.version == derived.version else record

    def _check_times(self, events: Sequence[GameEvent]) -> None:
        """Raise ``RECORD_REFUSED`` if an event is in the future, with a tolerance for clocks that differ."""
        latest = self._handler.clock() + _CLOCK_TOLERANCE
        for event in events:
            if event.time > latest:
                version = event.originator_version
                raise record_error("well-formed", version + 1, version, problem("record_of_future"))

    def _rebuild(
        self, lines: Sequence[bytes], report: Report, id: UUID, _check_cancelled: CancelCheck
    ) -> tuple[LiveGame, list[GameEvent], LobbyRow]:
        title = self._titles(report.title)
        events = read_events(lines, lambda id: self._titles(id).events)
        if id != events[0].originator_id:
            events = [replace(event, originator_id=id) for event in events]
        game = Game.load(title, bytes.fromhex(_game_ended(events).secret), events)
        seats = [
            SeatRow(seat, kind, "", True, NO_TOKEN if game.created.seats[seat - 1] == PERSON else None)
            for seat, kind in enumerate(game.seats.kinds, 1)
        ]
        return LiveGame(game, seats, VisibilityHistory(events)), events, build_lobby_row(game, events, seats)


class RecordBuffer:
    """The bytes of a record that is being received, up to the limits of a record."""

    def __init__(self, reserve: Callable[[int], None]) -> None:
        """``reserve`` is called with the number of bytes before they are stored, and may raise."""
        self._reserve = reserve
        self._bytes = bytearray()
        self._messages = 0

    def __len__(self) -> int:
        return len(self._bytes)

    def add(self, data: bytes) -> None:
        """Add the next bytes. Raises ``RECORD_REFUSED`` for too many bytes or messages, or ``OVERLOADED``."""
        self._messages += 1
        if self._messages > _MAX_MESSAGES:
            raise record_error("well-formed", 0, 0, problem("record_messages", most=_MAX_MESSAGES))
        if len(self._bytes) + len(data) > MAX_IMPORT_BYTES:
            raise record_error("well-formed", 0, 0, problem("record_size", most=MAX_IMPORT_BYTES))
        self._reserve(len(data))
        self._bytes += data

    def whole(self) -> bytes:
        """Return all bytes."""
        return bytes(self._bytes)


def pack_lines(lines: Sequence[bytes]) -> Iterator[bytes]:
    """Yield the lines in blocks of about 64 KiB, for messages; split lines that are too long for a message."""
    block = bytearray()
    for line in lines:
        if len(line) > MAX_LINE_BYTES:
            if block:
                yield bytes(block)
                block.clear()
            yield from (line[at : at + _BLOCK] for at in range(0, len(line), _BLOCK))
            continue
        block += line
        if len(block) >= _BLOCK:
            yield bytes(block)
            block.clear()
    if block:
        yield bytes(block)


def derive_id(seal: Seal) -> UUID:
    """Return an id that depends on a record's events and signer, so that no other game can have it.

    It is a UUID of version 8; games that are played on a server have other versions.
    """
    id = bytearray(sha256(f"boardkeeper-import:{seal.key_id}:{seal.head}".encode()).digest()[:16])
    id[6] = id[6] & 0x0F | 0x80
    id[8] = id[8] & 0x3F | 0x80
    return UUID(bytes=bytes(id))


def _split(data: bytes) -> tuple[list[bytes], UUID | None, Seal | None]:
    """Return the lines of a record (at most one too many), and its game and seal if they can be parsed."""
    lines = list(islice(split_lines((data,)), MAX_LINES + 1))
    try:
        return lines, UUID(parse_header(lines[0]).game), parse_seal(lines[-1])
    except (IndexError, MalformedError):
        return lines, None, None  # the audit reports the problem


def _check_format(header: bytes, events: Sequence[GameEvent]) -> None:
    """Raise ``RECORD_REFUSED`` if this server would export the events in a format other than that of the record."""
    actual, needed = parse_header(header).format, required_format(events)
    if actual != needed:
        raise record_error("well-formed", 1, 0, problem("record_format", format=actual, needed=needed))


def _game_ended(events: Sequence[GameEvent]) -> GameEnded:
    ended = events[-1].detail
    assert isinstance(ended, GameEnded)
    return ended


def _import_error(report: Report) -> ApiError:
    if report.problems:
        first = report.problems[0]
        return record_error(first.level, first.line, first.version, first.message)
    level = next(level for level in report.levels if level.status not in (HOLDS, FAILS))
    return record_error(level.name, 0, 0, f"{level.status}: {level.note}")
