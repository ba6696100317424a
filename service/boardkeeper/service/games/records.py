"""Records of games: handing them out, checking them, and taking in those of other services."""

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
    LARGEST_IMPORT,
    LONGEST_LINE,
    MOST_LINES,
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
from boardkeeper.service.limits.long_work import GoOn, LongWork
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

_MOST_AT_ONCE = 2
_MOST_WAITING = 32
_MOST_PLACES = 3
_MOST_RECEIVED = 4 * LARGEST_IMPORT
"""So many bytes of records that are being received are kept in memory, all imports together."""

_MOST_PIECES = MOST_LINES
"""Messages of one import: a client may send a record line by line. Each costs about 10 µs, also an empty one."""

_IMPORTS = "imports"
"""For whom imports take their turns: all of them together, beside the games that are verified."""

_BLOCK = 64 * 1024
_CLOCKS_DIFFER = 24 * 3600 * 1000
"""By how many milliseconds the clock of who played a game may be ahead of ours: a wrong time zone is forgiven."""


class Records:
    """Reads and writes records of games; ``key`` signs those of games that were played here.

    The work runs in reader threads, a little at a time: it takes some tenths of a second for a long game.
    """

    def __init__(self, handler: CommandHandler, titles: TitleLookup, key: ServiceKey) -> None:
        self.key = key
        self._handler = handler
        self._registry = handler.registry
        self._titles = titles
        self._work = LongWork(self._registry.application, _MOST_AT_ONCE, _MOST_WAITING)
        self._received = 0

    def time(self) -> ServiceTime:
        """Return the present time, and until when no clock expires."""
        return self._handler.decider.current_time()

    # --- out ------------------------------------------------------------------------------------------------

    async def lines(self, live: LiveGame, viewer: int) -> list[bytes]:
        """The lines of a game's record in the form for a viewer; of a game that has ended, the whole one.

        Raises ``GAME_DAMAGED`` or ``OVERLOADED``.
        """
        async with translate_damage(self._registry.application, live.id):
            return await self._work.do(live.id, partial(self._write, live.id, viewer))

    async def check(self, live: LiveGame, viewer: int) -> Report:
        """What an audit of :meth:`lines` finds."""
        async with translate_damage(self._registry.application, live.id):
            return await self._work.do(live.id, partial(self._check, live.id, viewer))

    def _check(self, game: UUID, viewer: int, go_on: GoOn) -> Report:
        return audit(self._write(game, viewer, go_on), self._titles, verify, go_on)

    def _write(self, game: UUID, viewer: int, go_on: GoOn) -> list[bytes]:
        application = self._registry.application
        events, damage = application.verified_events(game)
        if damage is not None:
            raise ApiError("GAME_DAMAGED", version=damage.version)
        if not events:  # removed meanwhile
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
            go_on()
        return lines

    def _seal(self, imported: ImportRow | None, game: str, events: int, head: str) -> Seal:
        """The seal that the game came with, or one of our own."""
        if imported is None:
            return sealer(self.key)(game, events, head)
        seal = decode(imported.seal, Seal)
        if (seal.events, seal.head) != (events, head):
            raise ApiError("GAME_DAMAGED", version=1)
        return seal

    # --- in -------------------------------------------------------------------------------------------------

    @contextmanager
    def receiving(self) -> Iterator[RecordStream]:
        """Yield the stream for the bytes of an import, which take room as they arrive. Raises ``OVERLOADED``."""
        self._handler.writer.check_ready()
        stream = RecordStream(self._take_room)
        try:
            yield stream
        finally:
            self._received -= len(stream)

    def _take_room(self, size: int) -> None:
        """Let so many bytes more into memory; raises ``OVERLOADED`` if other imports fill it."""
        if self._received + size > _MOST_RECEIVED:
            raise ApiError("OVERLOADED")
        self._received += size

    async def take_in(self, data: bytes, owner: GameAccess = UNOWNED) -> tuple[UUID, Report]:
        """Store the game of a record that holds on every level, as its owner's, and tell the id that it has here.

        Raises ``RECORD_REFUSED``, ``GAME_EXISTS`` or ``GAME_REMOVED`` with nothing stored, or what a
        command may raise.
        """
        quotas = self._handler.changes.quotas
        spends = quotas.of_import(owner.platform, len(data))
        lines, record, seal = await self._work.do(_IMPORTS, lambda _: _opened(data))
        for number, line in enumerate(lines, 1):
            if len(line) > LONGEST_LINE:  # an undo of 0.1.0: what it takes to check may be too much for a service
                raise record_error("well-formed", number, 0, problem("record_line", most=LONGEST_LINE))
        if record is not None and seal is not None:
            await self._registry.read(partial(self._place, record, seal))  # before any work is done on it
        report = await self._work.do(_IMPORTS, partial(audit, lines, self._titles, verify))
        if not report.holds:
            raise _refused(report)
        assert record is not None
        assert seal is not None
        for _ in range(_MOST_PLACES):
            game = await self._registry.read(partial(self._place, record, seal))
            live, events, row = await self._work.do(_IMPORTS, partial(self._rebuild, lines, report, game))
            _check_format(lines[0], events)
            self._check_times(events)
            secret = bytes.fromhex(_ended(events).secret)
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
                continue  # another import was first: look again
            return game, report
        raise ApiError("GAME_EXISTS", game=record)

    def _place(self, record: UUID, seal: Seal) -> UUID:
        """The id under which a record's game is stored here: its own, or one made for it where that is not free.

        Anybody may bring a game under any id, so an id that a stranger's import has must not keep the true game out.
        Raises ``GAME_EXISTS`` if it is here, or ``GAME_REMOVED`` if it was removed.
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
        made = made_id(seal)
        is_taken = tables.removal_time(record) is not None or tables.lobby_row(record) is not None
        return made if is_taken or record.version == made.version else record

    def _check_times(self, events: Sequence[GameEvent]) -> None:
        """Clocks differ, but no game was played in days to come."""
        latest = self._handler.clock() + _CLOCKS_DIFFER
        for event in events:
            if event.time > latest:
                version = event.originator_version
                raise record_error("well-formed", version + 1, version, problem("record_of_future"))

    def _rebuild(
        self, lines: Sequence[bytes], report: Report, id: UUID, _go_on: GoOn
    ) -> tuple[LiveGame, list[GameEvent], LobbyRow]:
        title = self._titles(report.title)
        events = read_events(lines, lambda id: self._titles(id).events)
        if id != events[0].originator_id:
            events = [replace(event, originator_id=id) for event in events]
        game = Game.load(title, bytes.fromhex(_ended(events).secret), events)
        seats = [
            SeatRow(seat, kind, "", True, NO_TOKEN if game.created.seats[seat - 1] == PERSON else None)
            for seat, kind in enumerate(game.kinds, 1)
        ]
        return LiveGame(game, seats, VisibilityHistory(events)), events, build_lobby_row(game, events, seats)


class RecordStream:
    """The bytes of a record that is being received; refuses more than any record has."""

    def __init__(self, take_room: Callable[[int], None]) -> None:
        """``take_room`` is asked before bytes are kept, how many, and may raise."""
        self._take_room = take_room
        self._bytes = bytearray()
        self._pieces = 0

    def __len__(self) -> int:
        return len(self._bytes)

    def add(self, data: bytes) -> None:
        """The next bytes; raises ``RECORD_REFUSED`` if they, or the pieces, are too many, and ``OVERLOADED``."""
        self._pieces += 1
        if self._pieces > _MOST_PIECES:
            raise record_error("well-formed", 0, 0, problem("record_messages", most=_MOST_PIECES))
        if len(self._bytes) + len(data) > LARGEST_IMPORT:
            raise record_error("well-formed", 0, 0, problem("record_size", most=LARGEST_IMPORT))
        self._take_room(len(data))
        self._bytes += data

    def whole(self) -> bytes:
        """Everything."""
        return bytes(self._bytes)


def blocks(lines: Sequence[bytes]) -> Iterator[bytes]:
    """Lines put together to pieces that are worth a message; one that is longer than any message may be is cut."""
    block = bytearray()
    for line in lines:
        if len(line) > LONGEST_LINE:
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


def made_id(seal: Seal) -> UUID:
    """An id for a record's game that nobody can take before it comes: by its events and by who signed them.

    It is a UUID of version 8, which no game that is played has.
    """
    made = bytearray(sha256(f"boardkeeper-import:{seal.key_id}:{seal.head}".encode()).digest()[:16])
    made[6] = made[6] & 0x0F | 0x80
    made[8] = made[8] & 0x3F | 0x80
    return UUID(bytes=bytes(made))


def _opened(data: bytes) -> tuple[list[bytes], UUID | None, Seal | None]:
    """The lines of what should be a record, no more than a record has and one, and the game and seal it says it has."""
    lines = list(islice(split_lines((data,)), MOST_LINES + 1))
    try:
        return lines, UUID(parse_header(lines[0]).game), parse_seal(lines[-1])
    except (IndexError, MalformedError):
        return lines, None, None  # the audit will tell


def _check_format(header: bytes, events: Sequence[GameEvent]) -> None:
    """A game that was told by another format than it would be told by here could not be handed out as it came."""
    came, due = parse_header(header).format, required_format(events)
    if came != due:
        raise record_error("well-formed", 1, 0, problem("record_format", format=came, needed=due))


def _ended(events: Sequence[GameEvent]) -> GameEnded:
    ended = events[-1].detail
    assert isinstance(ended, GameEnded)
    return ended


def _refused(report: Report) -> ApiError:
    if report.problems:
        first = report.problems[0]
        return record_error(first.level, first.line, first.version, first.message)
    level = next(level for level in report.levels if level.status not in (HOLDS, FAILS))
    return record_error(level.name, 0, 0, f"{level.status}: {level.note}")
