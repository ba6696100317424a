"""Data sets: what boards, cards and costs say where no text that we have does, in files that can be swapped whole."""

from __future__ import annotations

from boardkeeper.titlekit.data_sets import DataSets

DEFAULT = "reconstructed-1"
"""The default set of a game, which the catalogue describes."""

DATA_SETS = DataSets(__package__, DEFAULT)

NAMED = (
    *("landscapes", "places", "base_places", "place_cards", "deeds"),
    *("events", "bonus_tiles", "missions", "messages"),
)
"""The blocks of things that sentences call by their names."""
