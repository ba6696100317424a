"""Events as messages: redacted for a viewer, with a sentence, and encoded once for all viewers with the same view.

Events of a title's games repeat: the same follower moves to the same space, the same coin is paid. So all games
share caches of the encoded parts of events: the visible effects, the detail and the sentence.
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
from boardkeeper.service.api.embedded_messages import EmbeddedField
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
from boardkeeper.wire.convert import serialize
from boardkeeper.wire.messages import detail_to_message, effect_to_message

_EVERYONE = SPECTATOR
"""If a spectator sees a whole event, all seats do, so they share one encoding."""

_MAX_CACHED = 8192
_MAX_SNAPSHOTS, _MAX_OF_SNAPSHOT = 64, 1024
_MAX_CACHED_EFFECTS = 8
"""Events with more effects rarely repeat, so only their single effects are cached."""

_UNDO_EVENTS = frozenset((UndoRequested, UndoConsented, UndoDeclined, Undone))

_detail_field = EmbeddedField(event_pb2.Event, "detail")
_effect_field = EmbeddedField(event_pb2.Event, "effects")
_time_field = EmbeddedField(event_pb2.Event, "time")


def encode_event(live: LiveGame, committed: CommittedEvent, viewer: int, language: str) -> bytes:
    """Return a serialized ``boardkeeper.v1.Event`` as one viewer may see it, in one language."""
    is_open = committed.is_open
    if is_open is None:
        is_open = _visible_effects(committed, _EVERYONE).is_all and _can_know_id(committed, _EVERYONE)
        committed.is_open = is_open
    if is_open:
        viewer = _EVERYONE
    encoded = committed.encoded.get((viewer, language))
    if encoded is None:
        encoded = committed.encoded[viewer, language] = _encode(live, committed, viewer, language)
    return encoded


def _can_know_id(committed: CommittedEvent, viewer: int) -> bool:
    """Return whether a viewer can know the client's id of a command. The id can reveal the command.

    Only its seat, and viewers who see all effects of the command, can know the id. The id of an undo can reveal the
    undone command.
    """
    if viewer == OPERATOR:
        return True
    event = committed.event
    if committed.command is None:
        can_know_all = type(event.detail) not in _UNDO_EVENTS and _visible_effects(committed, viewer).shows_detail
    else:
        can_know_all = _can_know_all(committed.command, viewer)
    return can_know_all or seat_of(event.command_id) == viewer


def _can_know_all(command: CommittedCommand, viewer: int) -> bool:
    known = command.can_know_all.get(viewer)
    if known is None:
        known = command.can_know_all[viewer] = all(
            type(event.detail) not in _UNDO_EVENTS
            and _cached_effects(visibility, type(event.detail), event.effects, viewer).shows_detail
            for event, visibility in command.events
        )
    return known


def _visible_effects(committed: CommittedEvent, viewer: int) -> EncodedEffects:
    """Return the effects that a viewer can see. The result for everyone is cached in the event."""
    if viewer == _EVERYONE and committed.shown is not None:
        return committed.shown
    event = committed.event
    shown = _cached_effects(committed.visibility, type(event.detail), event.effects, viewer)
    if viewer == _EVERYONE:
        committed.shown = shown
    return shown


def _cached_effects(
    visibility: VisibilitySnapshot, kind: type[Struct], effects: tuple[Effect, ...], viewer: int
) -> EncodedEffects:
    if len(effects) > _MAX_CACHED_EFFECTS:
        return _encode_effects(visibility, kind, effects, viewer)
    return _cache_for(visibility)(kind, effects, viewer)


def _encode_effects(
    visibility: VisibilitySnapshot, kind: type[Struct], effects: tuple[Effect, ...], viewer: int
) -> EncodedEffects:
    seen = disclose(visibility, kind, effects, viewer)
    is_all = seen.shows_detail and seen.effects == effects
    return EncodedEffects(b"".join(map(_effect, seen.effects)), seen.shows_name, seen.shows_detail, is_all)


@lru_cache(maxsize=_MAX_SNAPSHOTS)
def _cache_for(visibility: VisibilitySnapshot) -> Callable[[type[Struct], tuple[Effect, ...], int], EncodedEffects]:
    """Return the cache of one snapshot. Both are freed together, because a snapshot is a hundred times as large."""
    return lru_cache(maxsize=_MAX_OF_SNAPSHOT)(partial(_encode_effects, visibility))


def _encode(live: LiveGame, committed: CommittedEvent, viewer: int, language: str) -> bytes:
    event = committed.event
    shown = committed.shown or _visible_effects(committed, _EVERYONE)
    if not shown.is_all:
        shown = _visible_effects(committed, viewer)
    owner, _, name = event.topic.partition(".")
    message = event_pb2.Event(
        game_id=live.id_text,
        version=event.originator_version,
        name=name if shown.shows_name else "",
        seat=event.seat,
        command_id=client_command_id(event.command_id) if committed.is_open or _can_know_id(committed, viewer) else "",
        sentence=cached_sentence(language, live.game.title, live.seat_names(language), event.seat, event.detail)
        if shown.shows_detail
        else "",
    )
    parts = [serialize(message), _time(event.time)]
    if shown.shows_detail:
        detail = message_limits.limit_created(event.detail) if type(event.detail) is GameCreated else event.detail
        parts.append(call_cached(_detail, owner, detail))
    parts.append(shown.encoded)
    return b"".join(parts)


@lru_cache(maxsize=16)  # all events of a command have the same time
def _time(milliseconds: int) -> bytes:
    return _time_field(serialize(message_limits.timestamp(milliseconds)))


@lru_cache(maxsize=_MAX_CACHED)
def _detail(owner: str, detail: Struct) -> bytes:
    return _detail_field(serialize(detail_to_message(owner, detail)))


@lru_cache(maxsize=_MAX_CACHED)
def _effect(effect: Effect) -> bytes:
    return _effect_field(serialize(effect_to_message(effect)))
