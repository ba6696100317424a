"""The keys that sign and signed records."""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Self

import msgspec

from boardkeeper.client.timestamps import to_datetime
from boardkeeper.game.record import MAX_IMPORT_BYTES, MAX_LINE_BYTES, EventLine, Seal
from boardkeeper.game.record_reading import describe_conversion
from boardkeeper.terminal import record_files
from boardkeeper.terminal.command_line import Arguments
from boardkeeper.terminal.connections import explain_unreachable
from boardkeeper.terminal.environment import STANDARD, default_server
from boardkeeper.terminal.errors import DONE, FAILED, UNREACHABLE, CommandError
from boardkeeper.terminal.locations import Location, default_location, named_location, open_location, own_files
from boardkeeper.terminal.output import Output
from boardkeeper.v1 import game_pb2

_decode_seal = msgspec.json.Decoder(Seal).decode
_decode_line = msgspec.json.Decoder(EventLine).decode
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

ALGORITHM = "ed25519"
DAY = "%Y-%m-%d %H:%M"
SIGNS = "signs"
SIGNED = "signed"


@dataclass(frozen=True)
class TimeSpan:
    """The time from the first to the last event of games. It is used because records do not contain signing times."""

    first: datetime
    last: datetime

    @classmethod
    def of(cls, games: Iterable[game_pb2.Game]) -> Self | None:
        """Return the time span of several games; ``None`` for no games."""
        spans = [(to_datetime(game.create_time), to_datetime(game.update_time)) for game in games]
        return cls(min(first for first, _ in spans), max(last for _, last in spans)) if spans else None


@dataclass(frozen=True)
class RecordKey:
    """A key at a location. ``does`` is ``SIGNS`` if it signs the games there, ``SIGNED`` if it signed imported records.

    ``used`` is the time span of these records; ``None`` without records.
    """

    key_id: str
    where: str
    does: str
    records: int
    used: TimeSpan | None = None
    algorithm: str = ALGORITHM

    def sentence(self) -> str:
        """Describe the use of the key."""
        count = f"{self.records} record" + ("" if self.records == 1 else "s")
        if self.does == SIGNS:
            return f"signs the games at {self.where}: {count}"
        return f"signed {count} at {self.where}"

    def since(self) -> str:
        """Describe when the key was used."""
        if self.used is None:
            return "in use since: unknown, there are no records of it here"
        return f"since {self.used.first:{DAY}} UTC, last {self.used.last:{DAY}} UTC (first and last event)"

    def record(self) -> dict[str, object]:
        """Return the key as JSON values."""
        first, last = (None, None) if self.used is None else (self.used.first, self.used.last)
        return {
            "key_id": self.key_id, "where": self.where, "does": self.does, "records": self.records,
            "first_event_time": _iso(first), "last_event_time": _iso(last), "algorithm": self.algorithm,
        }  # fmt: skip


def list_keys(arguments: Arguments, output: Output) -> int:
    """Print the keys of record files, or by default of locations. Return the exit status."""
    status = DONE
    if arguments.files:
        for file in arguments.files:
            found = _key_of_file(file)
            if found is not None:
                _print_key(found, output)
            else:
                output.record({"file": file, "error": "no record"})
                output.error(f"{file} is not a complete record: its last line has no signature.")
                status = FAILED
        return status
    for location in _locations(arguments, output):
        for found in _keys_at(location, arguments, output):
            _print_key(found, output)
    return status


def _print_key(found: RecordKey, output: Output) -> None:
    output.record(found.record())
    output.line(found.key_id, "bold")
    output.line(f"  {found.sentence()}")
    output.line(f"  {found.since()}")


def _locations(arguments: Arguments, output: Output) -> list[Location]:
    named = named_location(arguments)
    if named is not None:
        return [named]
    usual = default_location()
    locations = ([usual] if usual else []) + own_files(output)
    if not locations:
        raise CommandError(
            f"{explain_unreachable(default_server())}, and you have no games of your own: name a server with --server,"
            " a database with --db, or a record file.",
            UNREACHABLE,
        )
    return locations


def _keys_at(location: Location, arguments: Arguments, output: Output) -> Iterator[RecordKey]:
    """Yield the key that signs at a location, and the keys of imported records."""
    games: defaultdict[str, list[game_pb2.Game]] = defaultdict(list)
    with open_location(location, arguments.language, output, at_rest=True) as (client, _):
        keys = client.record_keys()
        for game in client.games():
            games[game.imported_key_id].append(game)
    played = games.pop("", [])
    for at, key in enumerate(keys):
        # The first key is the current one. Games do not record which of the earlier keys signed them.
        signed = [] if at else played
        yield RecordKey(key.key_id, str(location), SIGNS, len(signed), TimeSpan.of(signed), key.algorithm)
    for id, imported in sorted(games.items()):
        yield RecordKey(id, str(location), SIGNED, len(imported), TimeSpan.of(imported))


def _key_of_file(file: str) -> RecordKey | None:
    """Read the key and the time span from the last lines of a record, without verifying them.

    Returns ``None`` for an incomplete record. Raises :class:`CommandError`.
    """
    try:
        with record_files.open_input(file) as opened:
            # Standard input has no random access.
            stream = io.BytesIO(opened.read(MAX_IMPORT_BYTES)) if file == STANDARD else opened
            converted = describe_conversion(stream.readline(MAX_LINE_BYTES))  # the header
            if converted:
                raise CommandError(f"{file} {converted}.")
            first = stream.readline(MAX_LINE_BYTES)
            stream.seek(0, 2)
            stream.seek(max(0, stream.tell() - 2 * MAX_LINE_BYTES))
            lines = stream.read().splitlines()
        key = _decode_seal(lines[-1]).key_id if lines else ""
    except OSError as error:
        raise CommandError(f"cannot read {file}: {error.strerror}.") from error
    except msgspec.DecodeError:
        return None
    return RecordKey(key, file, SIGNED, 1, _between(first, lines[-2:][0])) if key else None


def _between(first: bytes, last: bytes) -> TimeSpan | None:
    """Return the time span between the events in two lines of a record; ``None`` if a line is invalid."""
    try:
        return TimeSpan(*(_EPOCH + timedelta(milliseconds=_decode_line(line).time) for line in (first, last)))
    except (msgspec.DecodeError, OverflowError):
        return None


def _iso(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat(timespec="seconds").replace("+00:00", "Z")
