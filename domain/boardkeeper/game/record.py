"""The game record: one game as a file that anyone can check (``docs/record.md`` is its specification).

JSON Lines in canonical bytes: a header, one line an event, and a seal. An event has one *form* for everybody who may
know something else of it: the whole, the spectator's, each seat's. A line shows one form and has the salted commitments
of the others; the chain runs over the commitments of all, so every viewer's record of a game has the same head and the
same signature, gives nothing away by its shape, and binds the server to what it told the others.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from boardkeeper.game import undo
from boardkeeper.game.disclosure import disclose
from boardkeeper.game.events import GAME_EVENTS, GameCreated, GameEvent, Given
from boardkeeper.table.effects import Effect, Reveal
from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import (
    HIDDEN,
    OPERATOR,
    SPECTATOR,
    can_count,
    is_partial_reveal,
    is_shared_by_seats,
    sees,
    viewer_name,
)

FORMAT = "boardkeeper-record"
VERSIONS = (1, 2)
"""The formats that there are. What format 2 has that 1 has not, :func:`required_format` says."""

SALT_BYTES = 16
WHOLE = "whole"

LONGEST_LINE = 1 << 20
"""No line of a record is longer, in bytes with its line end."""

LONGEST_UNDO = 1 << 25
"""But a line of ``game.Undone``: under rules version 1 each in a row was twice as long as the one before."""

LARGEST_IMPORT = 1 << 24
"""No record is larger that a service takes in, in bytes; others are not without undos as long as that."""

LARGEST_RECORD = 1 << 26
"""No record is larger, in bytes."""

MOST_LINES = 1 << 16
"""No record has more lines."""

GIVEN = "given"

_TAG = f"{FORMAT}-1:"
"""Hashes are made in both formats alike, so a game keeps its links when it comes to need the second."""

_encode = msgspec.json.Encoder(order="sorted").encode


class Header(Struct, frozen=True):
    """The first line: what follows is a game in the form for that viewer: ``whole``, ``spectator`` or ``seat.N``."""

    record: str
    format: int
    game: str
    viewer: str


class EventForm(Struct, frozen=True):
    """One form of an event. ``detail`` is null and ``topic`` may be empty where the viewer may not know them."""

    topic: str
    detail: Any
    effects: tuple[Effect, ...]


class Commands(Struct, frozen=True):
    """What a seat asked for, as the whole record shows it: each command with its name."""

    commands: tuple[tuple[str, Any], ...]
    salt: str
    seat: int


class EventLine(Struct, frozen=True):
    """One event.

    ``parts`` are the commitments of its forms: the whole one, then the spectator's and each seat's, so their number
    tells nothing. ``None`` stands in the place of the form that the line shows, with its ``salt``. ``given`` are the
    commands that caused it and those after it, or their commitment, or ``None``.
    """

    version: int
    seat: int
    command_id: str
    time: int
    event: EventForm
    salt: str
    given: Commands | str | None
    parts: tuple[str | None, ...]
    link: str


class Seal(Struct, frozen=True):
    """The last line: how many events there are, the head of the chain, and a server's Ed25519 signature over both.

    ``key`` is the public key, ``key_id`` its SHA-256; everything in hexadecimal.
    """

    events: int
    head: str
    key: str
    key_id: str
    signature: str


class Signer(Protocol):
    """A server's key."""

    @property
    def public_key(self) -> bytes:
        """The 32 bytes of the public Ed25519 key."""

    def sign(self, message: bytes) -> bytes:
        """The 64 bytes of the signature."""


MakeSeal = Callable[[str, int, str], Seal]
"""The seal of a game with so many events and that head."""


# --- canonical bytes, commitments, chain -----------------------------------------------------------------------


def canonical(value: object) -> bytes:
    """The one way to write a value: JSON without spaces, keys sorted, integers only, UTF-8."""
    return _encode(value)


def derive_salt(secret: bytes, version: int, part: int | str) -> bytes:
    """The salt of a part of an event: its place among the forms, or :data:`GIVEN` for the commands.

    It follows from the game's secret, which nobody knows before the game has ended.
    """
    return hmac.digest(secret, f"{_TAG}salt:{version}:{part}".encode(), "sha256")[:SALT_BYTES]


def public_command_id(secret: bytes, command_id: str) -> str:
    """What a record calls a command: all its events have that, and nobody learns what its client has called it.

    What stands before the first colon stays, as does no name at all.
    """
    owner, colon, _ = command_id.partition(":")
    name = hmac.digest(secret, f"{_TAG}command:{command_id}".encode(), "sha256")[:SALT_BYTES].hex()
    return f"{owner}:{name}" if colon else command_id and name


def commitment(salt: bytes, content: bytes) -> str:
    """The hash that stands in for a value, whose canonical bytes these are."""
    return hashlib.sha256(f"{_TAG}part:".encode() + salt + content).hexdigest()


def first_link(game: str) -> str:
    """What the chain of a game begins with."""
    return hashlib.sha256(f"{_TAG}game:{game}".encode()).hexdigest()


def next_link(
    before: str, version: int, seat: int, command_id: str, time: int, given: str | None, parts: Sequence[str | None]
) -> str:
    """The link of an event: a hash over the link before it and everything that the event commits to."""
    content = canonical([version, seat, command_id, time, given, parts])
    return hashlib.sha256(f"{_TAG}link:".encode() + bytes.fromhex(before) + content).hexdigest()


def key_id(public_key: bytes) -> str:
    """The name of a key."""
    return hashlib.sha256(public_key).hexdigest()


def signed_message(game: str, events: int, head: str, key: str) -> bytes:
    """What the signature of a seal is over; ``key`` is the key's id."""
    return f"{_TAG}seal:".encode() + canonical([game, events, head, key])


# --- forms -----------------------------------------------------------------------------------------------------


def form_index(viewer: int) -> int:
    """Where a viewer's form stands among the parts of an event."""
    return 0 if viewer == OPERATOR else viewer + 1


def required_format(events: Iterable[GameEvent]) -> int:
    """The format of a game's record: 1, or 2 if there is something in it that was not told so, or not at all, in 1.

    That is a visibility of several seats, or a title's event by which some see more from now on, but not all.
    """
    stored = iter(events)
    created = next(stored).detail
    assert isinstance(created, GameCreated)
    layout = created.layout
    subjects: tuple[ZoneSpec | MarkerSpec, ...] = (*layout.zones, *layout.markers)
    if any(is_shared_by_seats(it.visibility) for it in subjects):
        return 2
    table: Table | None = None
    for event in stored:
        reveals = [effect for effect in event.effects if isinstance(effect, Reveal)]
        if not reveals:
            continue
        table = table or Table(layout)
        table.apply_all(reveals)
        is_told_to_all = isinstance(event.detail, GAME_EVENTS)
        if any(is_shared_by_seats(it.after) or (not is_told_to_all and is_partial_reveal(table, it)) for it in reveals):
            return 2
    return 1


def event_forms(table: Table, event: GameEvent, format: int = VERSIONS[-1]) -> list[EventForm]:
    """The forms of an event in the order of :attr:`EventLine.parts`; the table is that after the event."""
    whole = EventForm(event.topic, event.detail, event.effects)
    # What an undo shows again stays hidden over it.
    with undo.apply_covers(table, event.effects if event.topic == "game.Undone" else ()):
        spectators = _told(table, event, SPECTATOR, format)
        if spectators == whole:
            return [whole] * (len(table.decisions) + 1)
        return [whole, spectators, *(_told(table, event, seat, format) for seat in range(1, len(table.decisions)))]


def _told(table: Table, event: GameEvent, viewer: int, format: int) -> EventForm:
    """What a viewer is told of an event, by the same rule as everywhere."""
    detail = event.detail
    if isinstance(detail, GameCreated):
        detail = replace(detail, layout=_layout_for(table, detail.layout, viewer))
    kind = type(event.detail)
    seen = disclose(table, kind, event.effects, viewer)
    shows_detail = seen.shows_detail
    if format == 1 and not shows_detail:  # in format 1 a reveal does not hide the detail
        others = tuple(effect for effect in event.effects if not isinstance(effect, Reveal))
        shows_detail = len(others) < len(event.effects) and disclose(table, kind, others, viewer).shows_detail
    return EventForm(event.topic if seen.shows_name else "", detail if shows_detail else None, seen.effects)


def _layout_for(table: Table, layout: TableLayout, viewer: int) -> TableLayout:
    """A layout with what the viewer may not know taken out of its zones and markers."""
    return replace(
        layout,
        zones=tuple(_zone_for(table, zone, viewer) for zone in layout.zones),
        markers=tuple(
            marker
            if sees(table, table.markers[marker.id], viewer)
            else MarkerSpec(marker.id, HIDDEN, marker.visibility)
            for marker in layout.markers
        ),
    )


def _zone_for(table: Table, spec: ZoneSpec, viewer: int) -> ZoneSpec:
    zone = table.zones[spec.id]
    if sees(table, zone, viewer):
        return spec
    if not can_count(table, zone, viewer):
        return ZoneSpec(spec.id, spec.visibility, {}, spec.stack)
    total = zone.total()
    return ZoneSpec(spec.id, spec.visibility, {HIDDEN: total} if total else {}, spec.stack, spec.counter)


# --- writing ---------------------------------------------------------------------------------------------------


def write_record(
    game: UUID,
    events: Iterable[GameEvent],
    secret: bytes,
    make_seal: MakeSeal,
    viewer: int = OPERATOR,
    *,
    imported: bool = False,
) -> Iterator[bytes]:
    """The lines of a record in the form for a viewer, each with its line end.

    ``events`` are all events of the game so far; those of an ``imported`` game have the names of a record already.
    Raises ``ValueError`` if they do not begin with ``GameCreated``.
    """
    stored = list(events)
    first = stored[0] if stored else None
    if first is None or not isinstance(first.detail, GameCreated):
        raise ValueError(f"game {game} does not begin with GameCreated")
    id, format = str(game), required_format(stored)
    yield canonical(Header(FORMAT, format, id, viewer_name(viewer))) + b"\n"
    link = first_link(id)
    table = Table(first.detail.layout)
    count = 0
    # Under rules version 1 commands were called what their clients called them, and so its chains have them.
    as_called = imported or first.detail.rules_version == "1"
    for event in stored:
        if not as_called:
            event = replace(event, command_id=public_command_id(secret, event.command_id))
        table.apply_all(event.effects)
        line = _line(table, event, secret, viewer, link, format)
        link = line.link
        count += 1
        yield canonical(line) + b"\n"
    yield canonical(make_seal(id, count, link)) + b"\n"


def _line(table: Table, event: GameEvent, secret: bytes, viewer: int, before: str, format: int) -> EventLine:
    version = event.originator_version
    every = event_forms(table, event, format)
    salts = [derive_salt(secret, version, place) for place in range(len(every))]
    parts: list[str | None] = [
        commitment(salt, content) for salt, content in zip(salts, encode_forms(every), strict=True)
    ]
    given: Commands | str | None = None
    if event.given is not None:
        commands = Commands(plain_commands(event.given), derive_salt(secret, version, GIVEN).hex(), event.given.seat)
        given = commands if viewer == OPERATOR else given_commitment(commands)
    head = (version, event.seat, event.command_id, event.time)
    link = next_link(before, *head, given_commitment(given), parts)
    place = form_index(viewer)
    parts[place] = None
    return EventLine(*head, every[place], salts[place].hex(), given, tuple(parts), link)


def encode_forms(every: Sequence[EventForm]) -> list[bytes]:
    """The canonical bytes of forms; where all are the same, as mostly, they are encoded once."""
    whole = every[0]
    if all(form is whole for form in every):
        return [canonical(whole)] * len(every)
    return list(map(canonical, every))


def given_commitment(given: Commands | str | None) -> str | None:
    """What a line commits to of the commands."""
    if given is None or isinstance(given, str):
        return given
    return commitment(bytes.fromhex(given.salt), canonical([given.seat, given.commands]))


def plain_commands(given: Given) -> tuple[tuple[str, Any], ...]:
    """Commands as plain values."""
    return tuple((name, msgspec.json.decode(command)) for name, command in given.commands)


def sealer(signer: Signer) -> MakeSeal:
    """Seals made with a server's key."""

    def make(game: str, events: int, head: str) -> Seal:
        key = key_id(signer.public_key)
        signature = signer.sign(signed_message(game, events, head, key))
        return Seal(events, head, signer.public_key.hex(), key, signature.hex())

    return make
