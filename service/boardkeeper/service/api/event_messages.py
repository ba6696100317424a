"""Events as their viewers get them: redacted, with a sentence, and encoded once for each audience.

Games of a title say the same things again and again: the same follower goes to the same space, the same coin is
paid. So the parts of events are kept encoded across all games, and an event is put together from them: what its viewer
sees of the effects, its detail, its sentence.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from msgspec import Struct

from boardkeeper.game.disclosure import disclose
from boardkeeper.game.events import (
    GameCreated,
    UndoConsented,
    UndoDeclined,
    Undone,
    UndoRequested,
)
from boardkeeper.service.api import message_limits
from boardkeeper.service.api.embedded_messages import Embedded
from boardkeeper.service.api.sentence_cache import cached_sentence, call_cached
from boardkeeper.service.cache.committed_events import (
    CommittedCommand,
    CommittedEvent,
    EncodedEffects,
    client_command_id,
    seat_of,
)
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.cache.visibility_history import VisibilitySnapshot
from boardkeeper.table.effects import Effect
from boardkeeper.table.visibility import OPERATOR, SPECTATOR
from boardkeeper.v1 import event_pb2
from boardkeeper.wire.messages import detail_to_message, effect_to_message
from boardkeeper.wire.serialized import serialized

_EVERYBODY = SPECTATOR
"""What a spectator sees whole, every seat sees whole, so both share one encoding."""

_KEPT = 8192
_KEPT_VEILS, _KEPT_EACH = 64, 1024
_MOST_KEPT_EFFECTS = 8
"""Events with more effects are hardly ever alike: of those only the single effects are kept."""

_UNDO_EVENTS = frozenset((UndoRequested, UndoConsented, UndoDeclined, Undone))

_detail_field = Embedded(event_pb2.Event, "detail")
_effect_field = Embedded(event_pb2.Event, "effects")
_time_field = Embedded(event_pb2.Event, "time")


def encode_event(live: LiveGame, committed: CommittedEvent, viewer: int, language: str) -> bytes:
    """Return a serialized ``boardkeeper.v1.Event`` as one viewer may see it, in one language."""
    is_open = committed.is_open
    if is_open is None:
        is_open = _seen(committed, _EVERYBODY).is_all and _knows_id(committed, _EVERYBODY)
        committed.is_open = is_open
    if is_open:
        viewer = _EVERYBODY
    encoded = committed.encoded.get((viewer, language))
    if encoded is None:
        encoded = committed.encoded[viewer, language] = _encode(live, committed, viewer, language)
    return encoded


def _knows_id(committed: CommittedEvent, viewer: int) -> bool:
    """Whether a viewer may know what a client has called its command: that may say what was done.

    So it is for those who see all that the command did, and for its own seat. Of an undo one cannot say what its name
    tells of that which it takes back.
    """
    if viewer == OPERATOR:
        return True
    event = committed.event
    if committed.command is None:
        can_know_all = type(event.detail) not in _UNDO_EVENTS and _seen(committed, viewer).shows_detail
    else:
        can_know_all = _knows_all(committed.command, viewer)
    return can_know_all or seat_of(event.command_id) == viewer


def _knows_all(command: CommittedCommand, viewer: int) -> bool:
    known = command.can_know_all.get(viewer)
    if known is None:
        known = command.can_know_all[viewer] = all(
            type(event.detail) not in _UNDO_EVENTS
            and _shown(visibility, type(event.detail), event.effects, viewer).shows_detail
            for event, visibility in command.events
        )
    return known


def _seen(committed: CommittedEvent, viewer: int) -> EncodedEffects:
    """What a viewer may know of the effects; for everybody it is asked several times."""
    if viewer == _EVERYBODY and committed.shown is not None:
        return committed.shown
    event = committed.event
    shown = _shown(committed.visibility, type(event.detail), event.effects, viewer)
    if viewer == _EVERYBODY:
        committed.shown = shown
    return shown


def _shown(
    visibility: VisibilitySnapshot, kind: type[Struct], effects: tuple[Effect, ...], viewer: int
) -> EncodedEffects:
    if len(effects) > _MOST_KEPT_EFFECTS:
        return _newly_shown(visibility, kind, effects, viewer)
    return _kept_under(visibility)(kind, effects, viewer)


def _newly_shown(
    visibility: VisibilitySnapshot, kind: type[Struct], effects: tuple[Effect, ...], viewer: int
) -> EncodedEffects:
    seen = disclose(visibility, kind, effects, viewer)
    is_all = seen.shows_detail and seen.effects == effects
    return EncodedEffects(b"".join(map(_effect, seen.effects)), seen.shows_name, seen.shows_detail, is_all)


@lru_cache(maxsize=_KEPT_VEILS)
def _kept_under(visibility: VisibilitySnapshot) -> Callable[[type[Struct], tuple[Effect, ...], int], EncodedEffects]:
    """What viewers see under one snapshot, which leaves memory with it: a snapshot is a hundred times as large."""
    return lru_cache(maxsize=_KEPT_EACH)(partial(_newly_shown, visibility))


def _encode(live: LiveGame, committed: CommittedEvent, viewer: int, language: str) -> bytes:
    event = committed.event
    shown = committed.shown or _seen(committed, _EVERYBODY)
    if not shown.is_all:
        shown = _seen(committed, viewer)
    owner, _, name = event.topic.partition(".")
    message = event_pb2.Event(
        game_id=live.id_text,
        version=event.originator_version,
        name=name if shown.shows_name else "",
        seat=event.seat,
        command_id=client_command_id(event.command_id) if committed.is_open or _knows_id(committed, viewer) else "",
        sentence=cached_sentence(language, live.game.title, live.seat_names(language), event.seat, event.detail)
        if shown.shows_detail
        else "",
    )
    parts = [serialized(message), _time(event.time)]
    if shown.shows_detail:
        detail = message_limits.created(event.detail) if type(event.detail) is GameCreated else event.detail
        parts.append(call_cached(_detail, owner, detail))
    parts.append(shown.encoded)
    return b"".join(parts)


@lru_cache(maxsize=16)  # the events of a command have one time
def _time(milliseconds: int) -> bytes:
    return _time_field(serialized(message_limits.timestamp(milliseconds)))


@lru_cache(maxsize=_KEPT)
def _detail(owner: str, detail: Struct) -> bytes:
    return _detail_field(serialized(detail_to_message(owner, detail)))


@lru_cache(maxsize=_KEPT)
def _effect(effect: Effect) -> bytes:
    return _effect_field(serialized(effect_to_message(effect)))
