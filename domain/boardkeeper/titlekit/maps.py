"""The map of a title: the places of its towns and hexagons, and the ways between them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from boardkeeper.titlekit.drawing import MapTown, MapWay, TitleMap
from boardkeeper.titlekit.title import Component

_HEXAGON_HEIGHT = 3**0.5 / 2
"""The height of a hexagon with a flat top whose width is 1."""


def map_of(table: Mapping[str, Any], components: Sequence[Component], used: Collection[str]) -> TitleMap:
    """Return the map that the table ``[map]`` in ``material.toml`` describes, with the components in ``used`` (ids).

    ``towns`` is a kind of components with the facts ``x`` and ``y``, fractions of the map. ``ways`` are kinds with
    ``towns``, the two ends. ``hexagons`` is a kind with ``column`` and ``y``, counted in halves of a hexagon's height.
    """
    towns = [
        MapTown(it.id, it.text, it.values["x"], it.values["y"], "town")
        for it in components
        if it.kind == table.get("towns") and it.id in used
    ]
    areas = [it for it in components if it.kind == table.get("hexagons") and it.id in used]
    aspect: float = table.get("aspect", 1.0)
    if areas:
        hexagons, aspect = _hexagons(areas)
        towns += hexagons
    ways = [
        MapWay(it.id, it.text, it.kind, tuple(it.values["towns"]))
        for it in components
        if it.kind in table.get("ways", ()) and it.id in used
    ]
    return TitleMap(round(aspect, 4), tuple(towns), tuple(ways), table["provenance"])


def _hexagons(areas: Sequence[Component]) -> tuple[list[MapTown], float]:
    """Return the hexagons and the aspect of the map. Hexagons have the width 1, and columns are ¾ apart."""
    left = min(it.values["column"] for it in areas)
    top = min(it.values["y"] for it in areas)
    width = (max(it.values["column"] for it in areas) - left) * 0.75 + 1
    height = ((max(it.values["y"] for it in areas) - top) / 2 + 1) * _HEXAGON_HEIGHT
    towns = [
        MapTown(
            it.id,
            it.text,
            round(((it.values["column"] - left) * 0.75 + 0.5) / width, 4),
            round(((it.values["y"] - top) / 2 + 0.5) * _HEXAGON_HEIGHT / height, 4),
            "hexagon",
            round(1 / width, 4),
        )
        for it in areas
    ]
    return towns, width / height
