"""What the fields of commands may name."""

from __future__ import annotations

from functools import lru_cache

from boardkeeper.table.known_ids import KnownIds
from boardkeeper.titles.orleans.data import CHARACTERS, GOODS, Data


@lru_cache(maxsize=64)
def known_ids(data: Data) -> KnownIds:
    """The ids that there are in games with these tables."""
    known = {
        "place": data.places,
        "place_tile": data.place_tiles,
        "follower": data.followers,
        "character": CHARACTERS,
        "good": GOODS,
        "town": data.towns,
        "deed": data.deeds,
    }
    return KnownIds(known, said_otherwise=("UNKNOWN_SPACE", "UNKNOWN_TOWN"))
