"""A cache of sentences without the names of seats, because the games of a title repeat the same sentences."""

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
"""Texts, and indices of seats in place of their names."""

MAX_CACHED = 8192
_FIRST_MARK = 0xE000
"""The private-use character for the name of seat 1 in a sentence; those of other seats follow."""


def cached_sentence(language: str, title: Title, names: Sequence[str], seat: int, detail: Struct) -> str:
    """Return the sentence of an event or a command, from the cache: see :func:`boardkeeper.game.sentences.sentence`."""
    return join_sentence(call_cached(_parts, language, title, len(names), seat, detail), names)


def join_sentence(parts: SentenceParts, names: Sequence[str]) -> str:
    """Return a sentence with the names of seats in place of their indices."""
    return "".join([part if isinstance(part, str) else names[part] for part in parts])


def sentence_parts(language: str, title: Title, seats: int, seat: int, detail: Struct) -> SentenceParts:
    """Return the parts of a sentence for games with ``seats`` seats."""
    marks = [chr(_FIRST_MARK + at) for at in range(seats)]
    parts = re.split(f"([{''.join(marks)}])", sentence(language, title, marks, seat, detail))
    return tuple(marks.index(part) if part in marks else part for part in parts if part)


_parts = lru_cache(maxsize=MAX_CACHED)(sentence_parts)


def call_cached(function: Callable[..., _T], *arguments: object) -> _T:
    """Call a cached function, without its cache if an argument contains a mapping and cannot be hashed."""
    try:
        return function(*arguments)
    except TypeError:
        return function.__wrapped__(*arguments)  # type: ignore[attr-defined,no-any-return]
