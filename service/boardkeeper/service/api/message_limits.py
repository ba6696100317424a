"""Limits of values in messages: times, points, texts and pages.

Imports check records (:mod:`boardkeeper.game.record_bounds`). Old releases did not, so stored games can have values
that are too large for a field, a date or a terminal. Messages limit these values; the stored games do not change.
"""

from __future__ import annotations

from collections.abc import Iterable

from google.protobuf.timestamp_pb2 import Timestamp
from msgspec.structs import replace

from boardkeeper.game.events import GameCreated
from boardkeeper.game.record_bounds import LATEST_TIME
from boardkeeper.service.requests.validation import GAME_ID_LENGTH
from boardkeeper.service.storage_reads import MAX_PAGE_BYTES

_MAX_KIND = 80
_MAX_WORD = 200
_MAX_POINTS = 2**31 - 1


def timestamp(milliseconds: int) -> Timestamp:
    """Return a time in milliseconds since 1970 as a ``Timestamp``, limited to valid dates."""
    limited = min(max(milliseconds, 0), LATEST_TIME)
    return Timestamp(seconds=limited // 1000, nanos=limited % 1000 * 1_000_000)


def limit_points(number: int) -> int:
    """Return a score, limited to 32 bits."""
    return min(max(number, -_MAX_POINTS), _MAX_POINTS)


def limit_kind(text: str) -> str:
    """Return the kind of a seat (``person``, or ``bot.`` and the kind), limited in length."""
    return _limit_text(text, _MAX_KIND)


def limit_created(detail: GameCreated) -> GameCreated:
    """Return the detail of a first event with limited texts."""
    return replace(
        detail,
        seats=tuple(map(limit_kind, detail.seats)),
        server_build=_limit_text(detail.server_build, _MAX_WORD),
        title_build=detail.title_build and _limit_text(detail.title_build, _MAX_WORD),
        forked_game=_limit_text(detail.forked_game, GAME_ID_LENGTH),
    )


def page_count(sizes: Iterable[int]) -> int:
    """Return how many of the items with these sizes (in bytes) fit into one page: at least one, if any."""
    total = count = 0
    for size in sizes:
        total += size
        if count and total > MAX_PAGE_BYTES:
            break
        count += 1
    return count


def _limit_text(text: str, limit: int) -> str:
    if len(text) <= limit and text.isprintable():
        return text
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text[:limit])
