"""The tables of a story: those of its edition, merged with those of a data set.

A data set has the texts of boards and cards and the costs that our sources do not show. An option of a game selects it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from boardkeeper.titlekit import title_files
from boardkeeper.titlekit.data_sets import DataSets

DEFAULT = "reconstructed-1"
"""The default data set, which the catalogue describes."""

DATA_SETS = DataSets(__package__, DEFAULT)

NAMED = (
    *("landscapes", "places", "base_places", "place_cards", "deeds"),
    *("events", "bonus_tiles", "missions", "messages"),
)
"""Blocks of a data set whose entries are named in sentences."""


@lru_cache(maxsize=32)
def tables_of(edition: str, data_set: str = DEFAULT) -> dict[str, Any]:
    """Return the tables of an edition with a data set, read-only; raises ``ValueError`` for unknown ones."""
    merged = title_files.merge_tables(
        title_files.tables_of(__package__, edition), DATA_SETS.of_edition(data_set, edition)
    )
    game = merged["game"]
    if game["start_base_places"] == "all":
        merged["game"] = {**game, "start_base_places": list(merged["base_places"])}
    return merged
