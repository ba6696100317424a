"""The components of a story for the catalogue, with names, facts, provenance and origin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from boardkeeper.titlekit.components import component_with, components_of, list_pieces, make_component, with_box_counts
from boardkeeper.titlekit.title import Component
from boardkeeper.titles.stories.supplies import CARDS, NUMBERED, TILES, in_box
from boardkeeper.titles.stories.tables import DEFAULT, tables_of

_KINDS = {
    "characters": "character",
    "goods": "good",
    "landscapes": "landscape",
    "places": "place",
    "base_places": "base_place",
    **CARDS,
    "nations": "nation",
}
_OF_A_SEAT = ("settler", "fortress")
"""Pieces that belong to a seat."""

_ORIGINS = {
    "rulebook": "rulebook",
    "derived(rulebook)": "rulebook",
    "derived(orleans)": "orleans",
    "public": "public",
    "knowledge": "reconstructed",
    "reconstructed": "reconstructed",
}


def components(edition: str, data_set: str = DEFAULT) -> list[Component]:
    """Return all components of an edition with a data set; raises ``ValueError`` for unknown ones."""
    tables = tables_of(edition, data_set)
    found = components_of(tables, _KINDS)
    found += [
        make_component(kind, f"{kind}_{number}", table)
        for group, kind in NUMBERED.items()
        for number, table in tables.get(group, {}).items()
    ]
    found += [make_component("building", f"build_{id}", table) for id, table in tables["building"].items()]
    found += [make_component("tile", id, tables[group]) for group, id in TILES.items() if group in tables]
    found += [make_component("track", "fame", tables["fame"]), make_component("piece", "coins", tables["coins"])]
    found += _pieces(tables)
    found += _spaces(tables["map"])
    return [_with_origin(each) for each in with_box_counts(found, _counts(tables))]


def origin(provenance: str) -> str:
    """Return the first source in a provenance: ``rulebook``, ``orleans``, ``public`` or ``reconstructed``."""
    claim = provenance.partition(";")[0].partition(":")[0]
    return _ORIGINS[claim if claim.startswith("derived") else claim.partition("(")[0]]


def _with_origin(each: Component) -> Component:
    added = {"origin": origin(each.provenance)}
    return replace(each, facts={**each.facts, **added}, values={**each.values, **added})


def _pieces(tables: Mapping[str, Any]) -> Iterator[Component]:
    own = {id: tables["pieces"][id]["each_seat"] for id in _OF_A_SEAT}
    return list_pieces(tables["pieces"], own, max(tables["edition"]["players"]), tables["game"]["rounds"])


def _spaces(table: Mapping[str, Any]) -> Iterator[Component]:
    """Yield the spaces of the map. Their fact ``players`` is the smallest number of players that uses the space."""
    for id, space in table["spaces"].items():
        column, row = id.removeprefix("c").split("r")
        names = {"en": f"Space {column}/{row}", "de": f"Feld {column}/{row}"}
        facts = {**space, "edge": id in table["edge"]}
        facts["players"] = min(int(players) for players, used in table["players"].items() if id in used["spaces"])
        yield component_with(id, "space", names, facts, table["spaces_provenance"])


def _counts(tables: Mapping[str, Any]) -> dict[str, int]:
    """Return how many of each component are in the box: one of each card, a base place for each seat."""
    seats = max(tables["edition"]["players"])
    return {
        **in_box(tables),
        **{id: landscape["tiles"] for id, landscape in tables["landscapes"].items()},
        **{id: 1 for group in CARDS for id in tables.get(group, {})},
        **{f"{kind}_{id}": 1 for group, kind in NUMBERED.items() for id in tables.get(group, {})},
        **dict.fromkeys(tables["base_places"], seats),
        **{id: nation["cards"] for id, nation in tables.get("nations", {}).items()},
    }
