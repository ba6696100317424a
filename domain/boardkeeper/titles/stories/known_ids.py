"""What the fields of commands may name."""

from __future__ import annotations

from functools import lru_cache

from boardkeeper.table.known_ids import KnownIds
from boardkeeper.titles.stories.data import CHARACTERS, GOODS, Data


@lru_cache(maxsize=64)
def known_ids(data: Data) -> KnownIds:
    """The ids that there are in games with these tables.

    Spaces of the map are those of the largest game; that a smaller one has fewer is said by a rule of its own. What an
    event or a tile of the fame track grants names no place.
    """
    known = {
        "place": (*data.places, ""),
        "card": data.place_cards,
        "follower": data.followers,
        "character": CHARACTERS,
        "good": GOODS,
        "area": data.cells(max(data.players)),
        "landscape": data.landscape_goods,
        "town": data.towns,
        "deed": data.deeds,
        "message": data.messages,
    }
    said = ("UNKNOWN_SPACE", "UNKNOWN_AREA", "UNKNOWN_TOWN", "UNKNOWN_CARD", "UNKNOWN_LANDSCAPE")
    return KnownIds(known, said_otherwise=said)
