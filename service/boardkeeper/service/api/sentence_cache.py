"""Sentences of events and commands, cached without the names of seats: games of a title repeat the same sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeAlias, TypeVar

from msgspec import Struct

from boardkeeper.game.sentences import sentence
from boardkeeper.titlekit.title import Title

_T = TypeVar("_T")

SentenceParts: TypeAlias = tuple[str | int, ...]
"""Texts, and in the place of a seat's name its index in the names of all seats."""

MOST_CACHED = 8192
_FIRST_MARK = 0xE000
"""Characters of no language, from here on, stand for the names of seats 1, 2, … while a sentence is made."""


def cached_sentence(language: str, title: Title, names: Sequence[str], seat: int, detail: Struct) -> str:
    """Return the sentence of an event or a command: see :func:`boardkeeper.game.sentences.sentence`."""
    return joined(call_cached(_parts, language, title, len(names), seat, detail), names)


def joined(parts: SentenceParts, names: Sequence[str]) -> str:
    """Return a sentence with the names of seats."""
    return "".join([part if isinstance(part, str) else names[part] for part in parts])


def sentence_parts(language: str, title: Title, seats: int, seat: int, detail: Struct) -> SentenceParts:
    """Return a sentence for games with that number of seats, without their names."""
    marks = [chr(_FIRST_MARK + at) for at in range(seats)]
    parts = re.split(f"([{''.join(marks)}])", sentence(language, title, marks, seat, detail))
    return tuple(marks.index(part) if part in marks else part for part in parts if part)


_parts = lru_cache(maxsize=MOST_CACHED)(sentence_parts)


def call_cached(function: Callable[..., _T], *arguments: object) -> _T:
    """Call a function that has a cache, without the cache if an argument contains a mapping and so has no hash."""
    try:
        return function(*arguments)
    except TypeError:
        return function.__wrapped__(*arguments)  # type: ignore[attr-defined,no-any-return]
