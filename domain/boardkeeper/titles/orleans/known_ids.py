"""Whether a command names what there is: an id that nothing has is refused as that, whatever else is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import fields

from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.orleans.data import CHARACTERS, GOODS, Data

_SAID_OTHERWISE = frozenset({"UNKNOWN_SPACE", "UNKNOWN_TOWN"})
"""Refusals that name what is unknown already."""


def refused(data: Data, command: Struct, rejection: Rejection) -> Rejection:
    """The refusal of a command: for the first of its ids that nothing has, if there is one, else as it was judged.

    It is asked for commands that are refused only, so it costs no command anything that is carried out.
    """
    if rejection.code in _SAID_OTHERWISE:
        return rejection
    known = _known(data)
    for field in fields(type(command)):
        id = getattr(command, field.name)
        there = known.get(field.name)
        if there is None or id in there or (not id and field.default == ""):
            continue
        values = {"field": field.name, "id": id, "known": ", ".join(sorted(there))}
        return Rejection("UNKNOWN_ID", "table.known_ids", values)
    return rejection


@lru_cache(maxsize=64)
def _known(data: Data) -> Mapping[str, frozenset[str]]:
    """What each field of a command may name."""
    return {
        "place": frozenset(data.places),
        "place_tile": frozenset(data.place_tiles),
        "follower": frozenset(data.followers),
        "character": frozenset(CHARACTERS),
        "good": frozenset(GOODS),
        "town": frozenset(data.towns),
        "deed": frozenset(data.deeds),
    }
