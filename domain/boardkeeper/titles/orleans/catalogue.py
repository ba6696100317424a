"""The components of an edition for the catalogue: names, facts and how sure they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from boardkeeper.table.title import Component, Setup
from boardkeeper.titles.orleans.data import STATION, data_for, tables_of
from boardkeeper.titles.orleans.meta import META
from boardkeeper.titles.orleans.setup import box

_KINDS = {
    "characters": "character",
    "goods": "good",
    "tracks": "track",
    "deeds": "deed",
    "places": "place",
    "place_tiles": "place_tile",
}
_NOT_FACTS = frozenset({"en", "de", "provenance"})


def components(edition: str) -> list[Component]:
    """Every component of an edition; raises ``ValueError`` for an unknown one."""
    tables = tables_of(edition)
    found = [_component(kind, id, table) for group, kind in _KINDS.items() for id, table in tables[group].items()]
    found += _map(tables["map"])
    found += _hour_glass(tables["hour_glass"])
    found.append(_component("track", "development", tables["development"]))
    return [*found, *_pieces(edition, tables["pieces"]), _component("piece", "coins", tables["coins"])]


def _component(kind: str, id: str, table: dict[str, Any]) -> Component:
    text = {"en": table["en"], "de": table["de"]}
    return Component(id, kind, text, _facts(table), table["provenance"])


def _facts(table: dict[str, Any]) -> dict[str, str]:
    return {key: _plain(value) for key, value in table.items() if key not in _NOT_FACTS}


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(_plain, value))
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_plain(entry)}" for key, entry in value.items())
    return str(value)


def _map(table: dict[str, Any]) -> Iterator[Component]:
    provenance = table["provenance"]
    names = {id: town["name"] for id, town in table["towns"].items()}
    for id, town in table["towns"].items():
        yield Component(id, "town", {"en": names[id], "de": names[id]}, _facts(town), provenance)
    for id, way in table["ways"].items():
        text = " – ".join(names[town] for town in way["towns"])
        yield Component(id, way["kind"], {"en": text, "de": text}, _facts(way), provenance)


def _pieces(edition: str, tables: dict[str, Any]) -> Iterator[Component]:
    """Tiles, tokens and figures without a place of their own, with how many the box holds; stations by their seat."""
    most = META.edition(edition).players[1]
    counts = box(data_for(Setup(edition, most)))
    for id, table in tables.items():
        piece = _component("piece", id, table)
        if id == STATION:
            for seat in range(1, most + 1):
                own = f"{STATION}.{seat}"
                yield replace(piece, id=own, facts=piece.facts | {"seat": str(seat), "in_box": str(counts[own])})
        else:
            each = table.get("each_seat", 0)
            yield replace(piece, facts=piece.facts | {"in_box": str(counts.get(id, each * most or 1))})


def _hour_glass(table: dict[str, Any]) -> Iterator[Component]:
    events = table["events"]
    for pile, tiles in table["piles"].items():
        for event in tiles:
            text = {"en": events[event]["en"], "de": events[event]["de"]}
            strength = table["strengths"].get(pile, {}).get(event)
            facts = {"pile": pile} | ({"strength": str(strength)} if strength else {})
            yield Component(f"{event}.{pile}", "hour_glass_tile", text, facts, table["provenance"])
