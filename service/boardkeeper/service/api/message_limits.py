"""What a message may carry of a game, whatever the game's events say.

A record that is taken in today has its bounds (:mod:`boardkeeper.game.record_bounds`). Releases before there were any
took in games that say more than a message, a calendar or a terminal holds; they stay here, and must not spoil the lists
that they stand in. So what goes out is cut to size, and what is stored stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable

from google.protobuf.timestamp_pb2 import Timestamp
from msgspec.structs import replace

from boardkeeper.game.events import GameCreated
from boardkeeper.game.record_bounds import LATEST_TIME
from boardkeeper.service.requests.validation import GAME_ID_LENGTH
from boardkeeper.service.storage_reads import LARGEST_PAGE

_LONGEST_KIND = 80
_LONGEST_WORD = 200
_LARGEST_POINTS = 2**31 - 1


def timestamp(milliseconds: int) -> Timestamp:
    """A time in milliseconds since 1970, as far as calendars go."""
    held = min(max(milliseconds, 0), LATEST_TIME)
    return Timestamp(seconds=held // 1000, nanos=held % 1000 * 1_000_000)


def points(number: int) -> int:
    """A score, as far as the field for it goes."""
    return min(max(number, -_LARGEST_POINTS), _LARGEST_POINTS)


def kind(text: str) -> str:
    """Who plays a seat: ``person``, or ``bot.`` and the kind."""
    return _word(text, _LONGEST_KIND)


def created(detail: GameCreated) -> GameCreated:
    """The detail of a first event with its free texts in bounds."""
    return replace(
        detail,
        seats=tuple(map(kind, detail.seats)),
        server_build=_word(detail.server_build, _LONGEST_WORD),
        title_build=detail.title_build and _word(detail.title_build, _LONGEST_WORD),
        forked_game=_word(detail.forked_game, GAME_ID_LENGTH),
    )


def page_of(sizes: Iterable[int]) -> int:
    """How many of the items of these sizes in bytes go into one page: at least one, if there is any."""
    total = count = 0
    for size in sizes:
        total += size
        if count and total > LARGEST_PAGE:
            break
        count += 1
    return count


def _word(text: str, longest: int) -> str:
    if len(text) <= longest and text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text[:longest]
    )
