"""Changes that the options of a game make to the tables of its edition."""

from __future__ import annotations

from typing import Any

from boardkeeper.titlekit.choices import Chosen

START = "START"
"""The pile of the first tile of the game."""

UNGRADED = "U"
"""The pile of all other tiles if the tiles have no letters."""


def apply_options(tables: dict[str, Any], options: Chosen) -> dict[str, Any]:
    """Return a copy of the tables with the changes of the options."""
    tables = dict(tables)
    tables["hour_glass"] = _hour_glass(tables["hour_glass"], options)
    tables["place_tiles"] = dict(tables["place_tiles"])
    tables["place_tiles"]["bathhouse"] = _bathhouse(tables["place_tiles"]["bathhouse"], options)
    return tables


def _hour_glass(table: dict[str, Any], options: Chosen) -> dict[str, Any]:
    """Return the table of the hour glass with the piles of the game.

    The option ``hour_glass_split`` is the pile that does not have the event of the first tile; the others have all
    events. If the option ``hour_glass`` is ``ungraded``, the piles are merged.
    """
    piles = {pile: list(events) for pile, events in table["piles"].items()}
    start = piles[START]
    graded = {pile: events for pile, events in piles.items() if pile != START}
    every = list(dict.fromkeys(event for events in graded.values() for event in events))
    without_start = options.hour_glass_split.upper()
    graded = {pile: [event for event in every if pile != without_start or event not in start] for pile in graded}
    strengths = table["strengths"]
    if options.hour_glass == "ungraded":
        graded = {UNGRADED: [event for events in graded.values() for event in events]}
        strengths = {UNGRADED: table["ungraded"]}
    return {**table, "piles": {START: start, **graded}, "strengths": strengths}


def _bathhouse(table: dict[str, Any], options: Chosen) -> dict[str, Any]:
    """Return the Bathhouse: an extra draw in phase 3 if the option ``bathhouse`` is ``passive``, else an action."""
    if options.bathhouse == "passive":
        table = {key: value for key, value in table.items() if key != "bathhouse"}
        return {**table, "spaces": [], "extra_draw": 2}
    return {**table, "spaces": [options.bathhouse_space]}
