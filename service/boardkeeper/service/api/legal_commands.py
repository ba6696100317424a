"""Legal commands with sentences as messages, cached because the games of a title repeat them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import repeat
from typing import NamedTuple

from msgspec import Struct

from boardkeeper.service.api.embedded_messages import EmbeddedField
from boardkeeper.service.api.sentence_cache import (
    MAX_CACHED,
    SentenceParts,
    call_cached,
    join_sentence,
    sentence_parts,
)
from boardkeeper.table.effects import Effect
from boardkeeper.titlekit.title import Title
from boardkeeper.v1 import command_pb2, games_pb2
from boardkeeper.wire.convert import serialize
from boardkeeper.wire.messages import command_to_message, effect_to_message

_legal_command_field = EmbeddedField(games_pb2.ListLegalCommandsResponse, "commands")
_command_field = EmbeddedField(command_pb2.LegalCommand, "command")
_sentence_field = EmbeddedField(command_pb2.LegalCommand, "sentence")
_effect_field = EmbeddedField(command_pb2.LegalCommand, "effects")


class _Encoded(NamedTuple):
    """An encoded legal command; ``field`` is the whole message, empty if the sentence contains the name of a seat."""

    command: bytes
    sentence: SentenceParts
    field: bytes


def encode_legal_commands(
    language: str,
    title: Title,
    names: Sequence[str],
    commands: Sequence[Struct],
    offers: Sequence[Struct],
    effects: Sequence[Iterable[Effect]] = (),
) -> bytes:
    """Return the serialized field ``commands`` of ``ListLegalCommandsResponse``.

    ``offers`` are the commands from which sentences are made (:func:`boardkeeper.game.sentences.offered_commands`).
    ``effects`` are the effects of each command, if the request asks for them.
    """
    seats = len(names)
    fields: list[bytes] = []
    for command, offer, changes in zip(commands, offers, effects or repeat(()), strict=False):
        # Most commands are their own offer. Hashing both would take as long as the rest.
        encoded = call_cached(_encode, language, title, seats, command, None if offer is command else offer)
        if encoded.field and not changes:
            fields.append(encoded.field)
        else:
            sentence = _sentence_field(join_sentence(encoded.sentence, names).encode())
            fields.append(_legal_command_field(b"".join((encoded.command, sentence, *map(_encode_effect, changes)))))
    return b"".join(fields)


@lru_cache(maxsize=MAX_CACHED)
def _encode(language: str, title: Title, seats: int, command: Struct, offer: Struct | None) -> _Encoded:
    parts = sentence_parts(language, title, seats, 0, command if offer is None else offer)
    encoded = _command_field(serialize(command_to_message(title.meta.id, command)))
    if any(isinstance(part, int) for part in parts):
        return _Encoded(encoded, parts, b"")
    return _Encoded(encoded, parts, _legal_command_field(encoded + _sentence_field(join_sentence(parts, ()).encode())))


@lru_cache(maxsize=MAX_CACHED)
def _encode_effect(effect: Effect) -> bytes:
    return _effect_field(serialize(effect_to_message(effect)))
