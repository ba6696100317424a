"""Events as their viewers get them: redacted, with a sentence, and encoded once for each audience.

Games of a title say the same things again and again: the same follower goes to the same space, the same coin is
paid. So the parts of events are kept encoded across all games, and an event is put together from them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

from msgspec import Struct

from boardkeeper.game.events import (
    GAME_EVENT_TYPES,
    GameCreated,
    UndoConsented,
    UndoDeclined,
    Undone,
    UndoRequested,
)
from boardkeeper.game.sentences import sentence
from boardkeeper.service.answers import clamps
from boardkeeper.service.answers.framing import Embedded
from boardkeeper.service.games.acting import client_command_id, seat_of
from boardkeeper.service.games.live import CommittedEvent, LiveGame
from boardkeeper.table.effects import Effect
from boardkeeper.table.events import Event
from boardkeeper.table.title import Title
from boardkeeper.table.visibility import OPERATOR, SPECTATOR, visible_effects
from boardkeeper.v1 import event_pb2
from boardkeeper.wire.messages import detail_to_message, effect_to_message
from boardkeeper.wire.serialized import serialized

_T = TypeVar("_T")

_EVERYBODY = SPECTATOR
"""What a spectator sees whole, every seat sees whole, so both share one encoding."""

_KEPT = 8192
_FIRST_MARK = 0xE000
"""Characters of no language, from here on, stand for the names of seats 1, 2, … while a sentence is made."""

_UNDO_EVENTS = frozenset((UndoRequested, UndoConsented, UndoDeclined, Undone))

_detail_field = Embedded(event_pb2.Event, "detail")
_effect_field = Embedded(event_pb2.Event, "effects")
_time_field = Embedded(event_pb2.Event, "time")


def told(live: LiveGame, committed: CommittedEvent, viewer: int, language: str) -> bytes:
    """A serialized ``boardkeeper.v1.Event`` as one viewer may see it, in one language."""
    if committed.is_open is None:
        committed.is_open = _is_public(committed) and _knows_id(committed, _EVERYBODY)
    audience = (_EVERYBODY if committed.is_open else viewer), language
    encoded = committed.encoded.get(audience)
    if encoded is None:
        encoded = committed.encoded[audience] = _encode(live, committed, audience[0], language)
    return encoded


def _is_public(committed: CommittedEvent) -> bool:
    """Whether everybody sees all of it."""
    if committed.is_public is None:
        shown, whole = _seen(committed, _EVERYBODY)
        committed.is_public = whole and shown == committed.event.effects
    return committed.is_public


def _is_about_undo(committed: CommittedEvent) -> bool:
    return type(committed.event.detail) in _UNDO_EVENTS


def _knows_id(committed: CommittedEvent, viewer: int) -> bool:
    """Whether a viewer may know what a client has called its command: that may say what was done.

    So it is for those who see all that the command did, and for its own seat. Of an undo one cannot say what its name
    tells of that which it takes back.
    """
    if viewer == OPERATOR or seat_of(committed.event.command_id) == viewer:
        return True
    return not any(_is_about_undo(it) or not _sees_all(it, viewer) for it in committed.command)


def _sees_all(committed: CommittedEvent, viewer: int) -> bool:
    return _visible(committed, viewer)[1]


def _seen(committed: CommittedEvent, viewer: int) -> tuple[tuple[Effect, ...], bool]:
    shown, whole = _visible(committed, viewer)
    # A game's own details are public whatever their effects show: an undo tells versions, which everybody knows.
    return shown, whole or type(committed.event.detail) in GAME_EVENT_TYPES


def _visible(committed: CommittedEvent, viewer: int) -> tuple[tuple[Effect, ...], bool]:
    """What a viewer may know of the effects, and whether that is all; for everybody it is asked several times."""
    if viewer == _EVERYBODY and committed.visible is not None:
        return committed.visible
    event = committed.event
    visible = visible_effects(committed.veil, Event(event.seat, event.detail, event.effects), viewer)
    if viewer == _EVERYBODY:
        committed.visible = visible
    return visible


def _encode(live: LiveGame, committed: CommittedEvent, viewer: int, language: str) -> bytes:
    event = committed.event
    shown, whole = (event.effects, True) if _is_public(committed) else _seen(committed, viewer)
    owner, _, name = event.topic.partition(".")
    if not whole and not shown:
        name = ""  # of a hidden event with no visible effect not even its kind may be known
    message = event_pb2.Event(
        game_id=live.id_text,
        version=event.originator_version,
        name=name,
        seat=event.seat,
        command_id=client_command_id(event.command_id) if committed.is_open or _knows_id(committed, viewer) else "",
        sentence=_said(language, live.game.title, live.called(language), event.seat, event.detail) if whole else "",
    )
    parts = [serialized(message), _time(event.time)]
    if whole:
        detail = clamps.created(event.detail) if type(event.detail) is GameCreated else event.detail
        parts.append(_kept(_detail, owner, detail))
    parts += map(_effect, shown)
    return b"".join(parts)


@lru_cache(maxsize=16)  # the events of a command have one time
def _time(milliseconds: int) -> bytes:
    return _time_field(serialized(clamps.timestamp(milliseconds)))


def _said(language: str, title: Title, names: tuple[str, ...], seat: int, detail: Struct) -> str:
    """The sentence of an event, with the names put into what is kept without them: names differ between games."""
    parts = _kept(_sentence, language, title, len(names), seat, detail)
    return "".join([part if isinstance(part, str) else names[part] for part in parts])


def _kept(function: Callable[..., _T], *arguments: object) -> _T:
    """What a keeping function gives, also for the few details that cannot be kept: those with mappings in them."""
    try:
        return function(*arguments)
    except TypeError:
        return function.__wrapped__(*arguments)  # type: ignore[attr-defined,no-any-return]


@lru_cache(maxsize=_KEPT)
def _sentence(language: str, title: Title, seats: int, seat: int, detail: Struct) -> tuple[str | int, ...]:
    """A sentence in parts: texts, and in the place of a seat's name which name it is, from 0."""
    marks = [chr(_FIRST_MARK + at) for at in range(seats)]
    parts = re.split(f"([{''.join(marks)}])", sentence(language, title, marks, seat, detail))
    return tuple(marks.index(part) if part in marks else part for part in parts if part)


@lru_cache(maxsize=_KEPT)
def _detail(owner: str, detail: Struct) -> bytes:
    return _detail_field(serialized(detail_to_message(owner, detail)))


@lru_cache(maxsize=_KEPT)
def _effect(effect: Effect) -> bytes:
    return _effect_field(serialized(effect_to_message(effect)))
