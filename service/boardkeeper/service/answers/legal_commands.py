"""Legal commands with their sentences, encoded once: most are offered again and again, in every game of a title."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from boardkeeper.service.answers.framing import Embedded
from boardkeeper.service.answers.sentences import MOST_CACHED, SentenceParts, call_cached, joined, sentence_parts
from boardkeeper.table.effects import Effect
from boardkeeper.table.title import Title
from boardkeeper.v1 import command_pb2
from boardkeeper.wire.messages import command_to_message, effect_to_message
from boardkeeper.wire.serialized import serialized

_command_field = Embedded(command_pb2.LegalCommand, "command")
_sentence_field = Embedded(command_pb2.LegalCommand, "sentence")
_effect_field = Embedded(command_pb2.LegalCommand, "effects")


class _Encoded(NamedTuple):
    """A legal command for all games of a title; ``whole`` is empty if its sentence contains the name of a seat."""

    command: bytes
    sentence: SentenceParts
    whole: bytes


def encode_legal_command(
    language: str, title: Title, names: Sequence[str], command: Struct, offer: Struct, effects: Iterable[Effect] = ()
) -> bytes:
    """Return a serialized ``boardkeeper.v1.LegalCommand``.

    ``offer`` is the command as a sentence shows it (:func:`boardkeeper.game.sentences.offered`).
    """
    offered = None if offer is command else offer  # most are, and a second hash would cost as much as the rest
    encoded = call_cached(_encode, language, title, len(names), command, offered)
    whole = encoded.whole or encoded.command + _sentence_field(joined(encoded.sentence, names).encode())
    return b"".join((whole, *map(_effect, effects))) if effects else whole


@lru_cache(maxsize=MOST_CACHED)
def _encode(language: str, title: Title, seats: int, command: Struct, offer: Struct | None) -> _Encoded:
    sentence = sentence_parts(language, title, seats, 0, command if offer is None else offer)
    encoded = _command_field(serialized(command_to_message(title.meta.id, command)))
    has_names = any(isinstance(part, int) for part in sentence)
    return _Encoded(encoded, sentence, b"" if has_names else encoded + _sentence_field(joined(sentence, ()).encode()))


@lru_cache(maxsize=MOST_CACHED)
def _effect(effect: Effect) -> bytes:
    return _effect_field(serialized(effect_to_message(effect)))
