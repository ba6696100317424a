"""The components of an edition for the catalogue: names, facts and provenance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardkeeper.titlekit.components import component_with, components_of, list_pieces, make_component, with_box_counts
from boardkeeper.titlekit.title import Component, Setup
from boardkeeper.titles.orleans.data import STATION, data_for
from boardkeeper.titles.orleans.material import box
from boardkeeper.titles.orleans.meta import META, tables_of
from boardkeeper.titles.orleans.variants import START, apply_options

_KINDS = {
    "characters": "character",
    "goods": "good",
    "tracks": "track",
    "deeds": "deed",
    "places": "place",
    "place_tiles": "place_tile",
}


def components(edition: str, options: dict[str, str] | None = None) -> list[Component]:
    """Return all components of an edition with these options; raises ``ValueError`` for an unknown one."""
    most = META.edition(edition).players[1]
    setup = Setup(edition, most, options or {})
    tables = tables_of(edition)
    data = data_for(setup)
    tables = {**tables, "hour_glass": apply_options(tables, data.options)["hour_glass"]}
    counts = box(data)
    found = components_of(tables, _KINDS)
    found += _map(tables["map"])
    found += _hour_glass(tables["hour_glass"])
    found.append(make_component("track", "development", tables["development"]))
    found.append(make_component("market", "market", tables["market"]))
    found += _pieces(tables["pieces"], counts, most, tables["game"]["rounds"])
    found.append(make_component("piece", "coins", tables["coins"]))
    return with_box_counts(found, counts)


def _map(table: dict[str, Any]) -> Iterator[Component]:
    provenance = table["provenance"]
    names = {id: town["name"] for id, town in table["towns"].items()}
    for id, town in table["towns"].items():
        yield component_with(id, "town", {"en": names[id], "de": names[id]}, town, provenance)
    for id, way in table["ways"].items():
        text = " – ".join(names[town] for town in way["towns"])
        yield component_with(id, way["kind"], {"en": text, "de": text}, way, provenance)


def _pieces(tables: dict[str, Any], counts: dict[str, int], most: int, rounds: int) -> Iterator[Component]:
    """Return the tiles, tokens and figures that no other table lists, with their number in a box for ``most`` seats."""
    printed = {id: table.get("in_box", table.get("each_seat", 0) * most or 1) for id, table in tables.items()}
    boxed = {id: {**table, "in_box": counts.get(id, printed[id])} for id, table in tables.items() if id != STATION}
    return list_pieces({**tables, **boxed}, {STATION: counts[f"{STATION}.1"]}, most, rounds)


def _hour_glass(table: dict[str, Any]) -> Iterator[Component]:
    events = table["events"]
    for pile, tiles in table["piles"].items():
        for event in tiles:
            text = {"en": events[event]["en"], "de": events[event]["de"]}
            strength = table["strengths"].get(pile, {}).get(event)
            facts = {"pile": pile} | ({"strength": strength} if strength else {}) | events[event]
            provenance = table["start_provenance" if pile == START else "provenance"]
            yield component_with(f"{event}.{pile}", "hour_glass_tile", text, facts, provenance)
