"""The game record: one game as a file that any program can verify (specified in ``docs/record.md``).

A record is JSON Lines in canonical bytes: a header, a line for each event, and a seal. Each event has several *forms*:
the whole event, and what spectators and each seat may see of it. A line contains one form and salted commitments to the
others. The hash chain covers the commitments to all forms, so the records of a game for all viewers have the same head
and signature, reveal nothing by their shape, and bind the server to what it showed the other viewers.
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

from boardkeeper.game import undo_effects
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
"""The versions of the format; see :func:`required_format`."""

SALT_BYTES = 16
WHOLE = "whole"

MAX_LINE_BYTES = 1 << 20
"""The maximum length of a line, in bytes with its line end."""

MAX_UNDO_BYTES = 1 << 25
"""The maximum length of a line with a ``game.Undone``: under rules version 1 each undo in a row doubles the length."""

MAX_IMPORT_BYTES = 1 << 24
"""The maximum size of a record that a server imports."""

MAX_RECORD_BYTES = 1 << 26
"""The maximum size of a valid record."""

MAX_LINES = 1 << 16
"""The maximum number of lines of a valid record."""

GIVEN = "given"
"""The commands, as an argument of :func:`derive_salt`."""

_TAG = f"{FORMAT}-1:"
"""The prefix of hashed data. Both formats use it, so a game keeps its links when it needs the second format."""

_encode = msgspec.json.Encoder(order="sorted").encode


class Header(Struct, frozen=True):
    """The first line. ``viewer`` names the form of all events: ``whole``, ``spectator`` or ``seat.N``."""

    record: str
    format: int
    game: str
    viewer: str


class EventForm(Struct, frozen=True):
    """One form of an event. A hidden ``detail`` is ``None``, a hidden ``topic`` is empty."""

    topic: str
    detail: Any
    effects: tuple[Effect, ...]


class Commands(Struct, frozen=True):
    """The commands that a seat submitted, each with its name. Only whole records contain them."""

    commands: tuple[tuple[str, Any], ...]
    salt: str
    seat: int


class EventLine(Struct, frozen=True):
    """The line of an event.

    ``parts`` are the commitments to its forms: whole, spectator, then each seat. ``None`` is in the place of the form
    that the line contains (``event``, with its ``salt``). ``given`` are the submitted commands that caused this event
    and the next ones, or the commitment to them; ``None`` if the event is not the first of its submission.
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
    """The last line: the number of events, the head of the chain, and the server's Ed25519 signature over both.

    ``key`` is the public key and ``key_id`` its SHA-256. All values are hexadecimal.
    """

    events: int
    head: str
    key: str
    key_id: str
    signature: str


class Signer(Protocol):
    """The Ed25519 key of a server."""

    @property
    def public_key(self) -> bytes:
        """The public key (32 bytes)."""

    def sign(self, message: bytes) -> bytes:
        """Return the signature of a message (64 bytes)."""


MakeSeal = Callable[[str, int, str], Seal]
"""Returns the seal of a game; takes the game's id, its number of events, and the head of the chain."""


# --- canonical bytes, commitments, chain -----------------------------------------------------------------------


def canonical(value: object) -> bytes:
    """Encode a value in its only valid form: JSON in UTF-8 without spaces, with sorted keys, without fractions."""
    return _encode(value)


def derive_salt(secret: bytes, version: int, part: int | str) -> bytes:
    """Derive the salt of a part of an event from the game's secret, which is published at the end of the game.

    ``part`` is the index of a form, or :data:`GIVEN` for the commands.
    """
    return hmac.digest(secret, f"{_TAG}salt:{version}:{part}".encode(), "sha256")[:SALT_BYTES]


def public_command_id(secret: bytes, command_id: str) -> str:
    """Return the id of a command in records, which hides the id that the client chose.

    The owner (before the first colon) stays, and an empty id stays empty.
    """
    owner, colon, _ = command_id.partition(":")
    name = hmac.digest(secret, f"{_TAG}command:{command_id}".encode(), "sha256")[:SALT_BYTES].hex()
    return f"{owner}:{name}" if colon else command_id and name


def commitment(salt: bytes, content: bytes) -> str:
    """Return the commitment to a value with these canonical bytes."""
    return hashlib.sha256(f"{_TAG}part:".encode() + salt + content).hexdigest()


def first_link(game: str) -> str:
    """Return the start of a game's hash chain."""
    return hashlib.sha256(f"{_TAG}game:{game}".encode()).hexdigest()


def next_link(
    before: str, version: int, seat: int, command_id: str, time: int, commands: str | None, parts: Sequence[str | None]
) -> str:
    """Return the link of an event: a hash over the link before it and everything that the event commits to."""
    content = canonical([version, seat, command_id, time, commands, parts])
    return hashlib.sha256(f"{_TAG}link:".encode() + bytes.fromhex(before) + content).hexdigest()


def key_id(public_key: bytes) -> str:
    """Return the id of a public key."""
    return hashlib.sha256(public_key).hexdigest()


def signed_message(game: str, events: int, head: str, key: str) -> bytes:
    """Return the message that the signature of a seal signs; ``key`` is the key's id."""
    return f"{_TAG}seal:".encode() + canonical([game, events, head, key])


# --- forms -----------------------------------------------------------------------------------------------------


def form_index(viewer: int) -> int:
    """Return the index of a viewer's form among the parts of an event."""
    return 0 if viewer == OPERATOR else viewer + 1


def required_format(events: Iterable[GameEvent]) -> int:
    """Return the format of a game's record.

    It is 2 if a visibility names several seats, or if a title's event reveals something to some viewers only: format 2
    hides the event's detail from the other viewers, format 1 does not. Otherwise it is 1.
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
        is_public = isinstance(event.detail, GAME_EVENTS)
        if any(is_shared_by_seats(it.after) or (not is_public and is_partial_reveal(table, it)) for it in reveals):
            return 2
    return 1


def event_forms(table: Table, event: GameEvent, format: int = VERSIONS[-1]) -> list[EventForm]:
    """Return the forms of an event in the order of :attr:`EventLine.parts`; ``table`` is the table after the event."""
    whole = EventForm(event.topic, event.detail, event.effects)
    # The event of an undo hides what is hidden before or after it.
    with undo_effects.apply_covers(table, event.effects if event.topic == "game.Undone" else ()):
        spectators = _redact_event(table, event, SPECTATOR, format)
        if spectators == whole:
            return [whole] * (len(table.decisions) + 1)
        seats = range(1, len(table.decisions))
        return [whole, spectators, *(_redact_event(table, event, seat, format) for seat in seats)]


def _redact_event(table: Table, event: GameEvent, viewer: int, format: int) -> EventForm:
    detail = event.detail
    if isinstance(detail, GameCreated):
        detail = replace(detail, layout=_redact_layout(table, detail.layout, viewer))
    kind = type(event.detail)
    seen = disclose(table, kind, event.effects, viewer)
    shows_detail = seen.shows_detail
    if format == 1 and not shows_detail:  # in format 1 a reveal does not hide the detail
        others = tuple(effect for effect in event.effects if not isinstance(effect, Reveal))
        shows_detail = len(others) < len(event.effects) and disclose(table, kind, others, viewer).shows_detail
    return EventForm(event.topic if seen.shows_name else "", detail if shows_detail else None, seen.effects)


def _redact_layout(table: Table, layout: TableLayout, viewer: int) -> TableLayout:
    return replace(
        layout,
        zones=tuple(_redact_zone(table, zone, viewer) for zone in layout.zones),
        markers=tuple(
            marker
            if sees(table, table.markers[marker.id], viewer)
            else MarkerSpec(marker.id, HIDDEN, marker.visibility)
            for marker in layout.markers
        ),
    )


def _redact_zone(table: Table, spec: ZoneSpec, viewer: int) -> ZoneSpec:
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
    """Yield the lines of a record for a viewer, each with its line end.

    ``events`` are all events of the game so far. In an ``imported`` game their command ids are those of the record.
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
    # Records of games with rules version 1 contain the command ids of the clients.
    keeps_ids = imported or first.detail.rules_version == "1"
    for event in stored:
        if not keeps_ids:
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
    submitted: Commands | str | None = None
    if event.given is not None:
        commands = Commands(plain_commands(event.given), derive_salt(secret, version, GIVEN).hex(), event.given.seat)
        submitted = commands if viewer == OPERATOR else commands_commitment(commands)
    head = (version, event.seat, event.command_id, event.time)
    link = next_link(before, *head, commands_commitment(submitted), parts)
    place = form_index(viewer)
    parts[place] = None
    return EventLine(*head, every[place], salts[place].hex(), submitted, tuple(parts), link)


def encode_forms(every: Sequence[EventForm]) -> list[bytes]:
    """Return the canonical bytes of forms. Identical forms, which are usual, are encoded once."""
    whole = every[0]
    if all(form is whole for form in every):
        return [canonical(whole)] * len(every)
    return list(map(canonical, every))


def commands_commitment(commands: Commands | str | None) -> str | None:
    """Return the commitment to the commands of a line, which can be a commitment already."""
    if commands is None or isinstance(commands, str):
        return commands
    return commitment(bytes.fromhex(commands.salt), canonical([commands.seat, commands.commands]))


def plain_commands(submission: Given) -> tuple[tuple[str, Any], ...]:
    """Return commands as plain values, each with its name."""
    return tuple((name, msgspec.json.decode(command)) for name, command in submission.commands)


def sealer(signer: Signer) -> MakeSeal:
    """Return a function that makes seals with a server's key."""

    def make(game: str, events: int, head: str) -> Seal:
        key = key_id(signer.public_key)
        signature = signer.sign(signed_message(game, events, head, key))
        return Seal(events, head, signer.public_key.hex(), key, signature.hex())

    return make
