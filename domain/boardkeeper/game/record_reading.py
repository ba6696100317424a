"""The strict reader of untrusted records.

Each line is decoded into the structs of :mod:`boardkeeper.game.record` and encoded again. Only lines that stay the same
are accepted, so a record cannot contain anything that the structs do not. :mod:`boardkeeper.game.record_bounds` checks
single fields; this module checks fields that depend on each other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar
from uuid import UUID

import msgspec
from msgspec import UNSET, Struct

from boardkeeper.game import record_bounds
from boardkeeper.game.events import GAME_DETAILS, GameCreated, GameEvent, Given
from boardkeeper.game.record import (
    FORMAT,
    MAX_LINE_BYTES,
    MAX_UNDO_BYTES,
    VERSIONS,
    WHOLE,
    EventLine,
    Header,
    Seal,
    canonical,
    form_index,
)
from boardkeeper.game.seats import AUTOMA, PERSON
from boardkeeper.table.decoding import convert, decode
from boardkeeper.table.effects import Reveal
from boardkeeper.table.layout import MAX_COMPONENTS, MAX_SEATS, MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.visibility import OPERATOR, SPECTATOR, is_shared_by_seats, is_visibility

decode_line = msgspec.json.Decoder(EventLine).decode

_S = TypeVar("_S", bound=Struct)

_GZIP = b"\x1f\x8b"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_MAX_DEPTH = 16
_MAX_INTEGER = (1 << 53) - 1
_UNDO = re.compile(
    rb'{"command_id":"[ -~]{0,200}","event":{"detail":{"first_version":\d{1,16},"last_version":\d{1,16}},"effects":'
)
"""The start of the line of an undo."""

_KINDS: dict[type[Struct], str] = {Header: "the header", EventLine: "an event line", Seal: "the seal"}


class MalformedError(ValueError):
    """An invalid line of a record."""


def split_lines(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of a stream with their line ends. A line that is too long is cut off and ends the stream."""
    buffer = bytearray()
    for block in blocks:
        start = 0
        while (end := block.find(b"\n", start)) >= 0:
            buffer += block[start : end + 1]
            yield bytes(buffer[: MAX_UNDO_BYTES + 1])
            if len(buffer) > MAX_UNDO_BYTES:
                return
            buffer.clear()
            start = end + 1
        buffer += block[start : start + MAX_UNDO_BYTES + 1]
        if len(buffer) > MAX_UNDO_BYTES:
            yield bytes(buffer[: MAX_UNDO_BYTES + 1])
            return
    if buffer:
        yield bytes(buffer)


# --- one line --------------------------------------------------------------------------------------------------


def parse_header(line: bytes) -> Header:
    """Parse the first line. Raises :class:`MalformedError`."""
    header = _parse(line, Header)
    _expect(header.record == FORMAT, f"must name the format {FORMAT}")
    known = " and ".join(map(str, VERSIONS))
    _expect(header.format in VERSIONS, f"has the format {header.format}; this program reads the formats {known}")
    return header


def is_seal(line: bytes) -> bool:
    """Return whether a line looks like a seal rather than an event."""
    return line.startswith(b'{"events":')


def parse_seal(line: bytes) -> Seal:
    """Parse the last line. Raises :class:`MalformedError`."""
    return _parse(line, Seal)


def parse_line(line: bytes, viewer: int, seats: int, format: int) -> EventLine:
    """Parse the line of an event in a viewer's record. Raises :class:`MalformedError`.

    ``seats`` is the number of seats of the game; 0 for its first event.
    """
    read = _parse(line, EventLine)
    _expect(read.seat <= (seats or MAX_SEATS), f"has the seat {read.seat}, which the game does not have")
    _check_event(read, viewer, first=not seats)
    if format == 1:
        _expect(
            not any(map(is_shared_by_seats, _visibilities(read))),
            "has a visibility of several seats, which needs format 2",
        )
    _check_commands(read, viewer)
    _check_parts(read, viewer, seats or len(parse_created(read).seats))
    return read


def parse_created(line: EventLine) -> GameCreated:
    """Return the detail of a game's first event. Raises :class:`MalformedError`."""
    _expect(line.event.topic == "game.GameCreated", "must be game.GameCreated, the first event of a game")
    detail = parse_game_detail(line)
    assert isinstance(detail, GameCreated)
    return detail


def parse_game_detail(line: EventLine) -> Struct | None:
    """Return the detail of a game event, or ``None`` for an event of a title. Raises :class:`MalformedError`."""
    owner, _, name = line.event.topic.partition(".")
    kind = GAME_DETAILS.get(name) if owner == "game" else None
    if kind is None:
        return None
    try:
        detail: Struct = convert(line.event.detail, kind)
    except msgspec.ValidationError as error:
        raise MalformedError(f"the line has an invalid {line.event.topic}: {error}") from None
    _expect(canonical(detail) == canonical(line.event.detail), f"has a {line.event.topic} with unknown fields")
    return detail


def describe_conversion(start: bytes) -> str:
    """Return how another program has converted a record, by its ``start``, and what to do; empty if it has not."""
    if start.startswith(_GZIP):
        return "is compressed with gzip: decompress the file"
    if start.startswith(_BYTE_ORDER_MARK):
        return "begins with a byte order mark, which an editor has added: save the file as UTF-8 without it"
    if start.startswith(_UTF_16) or b"\0" in start[:4]:
        return "was converted to UTF-16 by an editor or a shell: use the original file, which is UTF-8"
    if start.partition(b"\n")[0].endswith(b"\r"):
        return "has lines that end with CR LF, as after an edit or a transfer in text mode: use LF only"
    return ""


def _parse(line: bytes, kind: type[_S]) -> _S:
    converted = describe_conversion(line)
    if converted:
        raise MalformedError(f"the record {converted}")
    longest = MAX_UNDO_BYTES if _UNDO.match(line) else MAX_LINE_BYTES
    _expect(len(line) <= longest, f"is longer than {longest} bytes")
    _expect(line.endswith(b"\n"), "has no line end: the record is incomplete")
    try:
        plain = msgspec.json.decode(line)
        _expect(isinstance(plain, dict), "is not a JSON object")
        _check_plain(plain)
        read = decode(line, kind)
        convert(plain, record_bounds.LINES[kind])
        again = canonical(read) + b"\n"
    except MalformedError:
        raise
    except UnicodeDecodeError:
        raise MalformedError("the line is not UTF-8") from None
    except RecursionError:
        raise MalformedError("the line is nested too deeply") from None
    except msgspec.MsgspecError as error:
        raise MalformedError(f"the line is not {_KINDS[kind]} of a record: {_readable(error)}") from None
    if again != line:
        at = next(
            (at for at, (a, b) in enumerate(zip(line, again, strict=False)) if a != b), min(len(line), len(again))
        )
        raise MalformedError(f"the line is not written in the canonical form, from byte {at} on")
    return read


def _readable(error: msgspec.MsgspecError) -> str:
    """Return the message of a msgspec error without the regular expression in it."""
    return re.sub(r"Expected `str` matching regex .* - at", "A text is too long or has the wrong form - at", str(error))


def _check_plain(value: object) -> None:
    """Reject values with fractions, integers of more than 53 bits, keys that are not ASCII, or too deep nesting."""
    waiting: list[tuple[Any, int]] = [(value, 1)]
    while waiting:
        value, depth = waiting.pop()
        if isinstance(value, dict):
            _expect(depth <= _MAX_DEPTH, "is nested too deeply")
            _expect(all(key.isascii() for key in value), "has a JSON key that is not ASCII")
            waiting += [(item, depth + 1) for item in value.values() if not isinstance(item, str)]
        elif isinstance(value, list):
            _expect(depth <= _MAX_DEPTH, "is nested too deeply")
            waiting += [(item, depth + 1) for item in value if not isinstance(item, str)]
        elif isinstance(value, int):
            _expect(-_MAX_INTEGER <= value <= _MAX_INTEGER, "has an integer of more than 53 bits")
        elif value is not None:
            _expect(isinstance(value, str), "has a number that is not an integer")


def read_events(lines: Iterable[bytes], load_details: Callable[[str], Mapping[str, type[Struct]]]) -> list[GameEvent]:
    """Return the events of a whole, well-formed record in their stored form.

    ``load_details`` returns the event structs of a title by name. Raises ``ValueError`` or ``KeyError`` for any other
    record.
    """
    stored = iter(lines)
    game = UUID(parse_header(next(stored)).game)
    details = GAME_DETAILS
    events: list[GameEvent] = []
    for raw in stored:
        if is_seal(raw):
            break
        line = decode_line(raw)
        if not events:
            details = {**load_details(parse_created(line).title), **GAME_DETAILS}
        events.append(_stored(game, line, details))
    return events


def _stored(game: UUID, line: EventLine, details: Mapping[str, type[Struct]]) -> GameEvent:
    detail = convert(line.event.detail, details[line.event.topic.partition(".")[2]])
    submission = parse_submission(line) if line.given is not None else None
    head = (line.event.topic, line.seat, line.command_id, line.time)
    return GameEvent(game, line.version, *head, detail, line.event.effects, submission)


def parse_submission(line: EventLine) -> Given:
    """Return the commands of a line in their stored form. Raises ``ValueError`` if the line contains none."""
    submitted = line.given
    if submitted is None or isinstance(submitted, str):
        raise ValueError("the line shows no commands")
    commands = tuple((name, msgspec.Raw(canonical(command))) for name, command in submitted.commands)
    return Given(submitted.seat, commands)


# --- fields that depend on each other --------------------------------------------------------------------------


def _check_event(line: EventLine, viewer: int, *, first: bool) -> None:
    event = line.event
    _expect(viewer != OPERATOR or event.detail is not None, "has no detail")
    if event.detail is not None or event.effects or viewer == OPERATOR:
        _expect(event.topic != "", "has no topic")
    if event.topic in record_bounds.DETAILS:
        try:
            convert(event.detail, record_bounds.DETAILS[event.topic])
        except msgspec.ValidationError as error:
            raise MalformedError(f"the line has a {event.topic} out of bounds: {_readable(error)}") from None
    if first:
        _check_created(line)
    else:
        _expect(event.topic != "game.GameCreated", "is a second game.GameCreated")
        if event.detail is not None:
            parse_game_detail(line)


def _check_created(line: EventLine) -> None:
    detail = parse_created(line)
    layout = detail.layout
    _expect(not line.event.effects, "has effects, which game.GameCreated never has")
    _expect(layout.seats == len(detail.seats) == detail.setup.players, "has different numbers of seats")
    _expect(layout.decisions == () or len(layout.decisions) == layout.seats, "must have a decision for each seat")
    _expect(bool(detail.forked_game) == bool(detail.forked_version), "must have both forked_game and forked_version")
    if detail.stand_ins is not UNSET:
        _expect(bool(detail.forked_game), "has stand_ins, which only a fork can have")
        bots = [seat for seat, kind in enumerate(detail.seats, 1) if kind not in (PERSON, AUTOMA)]
        in_order = list(detail.stand_ins) == sorted(set(detail.stand_ins))
        _expect(in_order and set(detail.stand_ins) <= set(bots), "must have stand_ins that are seats of bots, in order")
    zones = {zone.id for zone in layout.zones}
    markers = {marker.id for marker in layout.markers}
    _expect(len(zones) + len(markers) == len(layout.zones) + len(layout.markers), "has an id twice in its layout")
    _expect(zones.isdisjoint(markers), "has a zone and a marker with the same id")
    for subject in _subjects(layout):
        known = is_visibility(subject.visibility, markers, MAX_SEATS)
        _expect(known, f"has an unknown visibility for {subject.id}")
    total = sum(sum(zone.contents.values()) + len(zone.order) for zone in layout.zones)
    _expect(total <= MAX_COMPONENTS, f"has more than {MAX_COMPONENTS} components")


def _visibilities(line: EventLine) -> Iterator[str]:
    """Yield the visibilities in a line."""
    for effect in line.event.effects:
        if isinstance(effect, Reveal):
            yield effect.before
            yield effect.after
    if line.event.topic == "game.GameCreated":
        yield from (subject.visibility for subject in _subjects(parse_created(line).layout))


def _subjects(layout: TableLayout) -> tuple[ZoneSpec | MarkerSpec, ...]:
    return (*layout.zones, *layout.markers)


def _check_commands(line: EventLine, viewer: int) -> None:
    if isinstance(line.given, str):
        _expect(viewer != OPERATOR, "does not show its commands")
    elif line.given is not None:
        _expect(viewer == OPERATOR, "shows commands that this viewer must not see")


def _check_parts(line: EventLine, viewer: int, seats: int) -> None:
    parts: Sequence[str | None] = line.parts
    _expect(len(parts) == seats + 2, f"has {len(parts)} parts, but a game of {seats} seats has {seats + 2}")
    place = form_index(viewer)
    for at, part in enumerate(parts):
        if at == place:
            _expect(part is None, f"must have null as part {at}, because it shows this form itself")
        else:
            _expect(part is not None, f"has no part {at}")


def header_viewer(header: Header) -> int:
    """Return the viewer that a header names."""
    if header.viewer == WHOLE:
        return OPERATOR
    return SPECTATOR if header.viewer == "spectator" else int(header.viewer.removeprefix("seat."))


def _expect(holds: bool, problem: str) -> None:
    if not holds:
        raise MalformedError(f"the line {problem}")
