"""What zones, markers and decisions are to people, on its way to clients."""

from __future__ import annotations

from typing import Any

from boardkeeper.table.drawing import Drawing, MarkerEntry, TitleMap, ZoneEntry
from boardkeeper.v1 import catalog_pb2


def drawing_entries(drawing: Drawing, language: str) -> dict[str, Any]:
    """The fields of ``GetTitleResponse`` that tell of a table, in one language."""
    return {
        "zones": [_zone(zone, language) for zone in drawing.zones],
        "markers": [_marker(marker, language) for marker in drawing.markers],
        "decisions": [catalog_pb2.DecisionEntry(id=it.id, text=it.text[language]) for it in drawing.decisions],
        "map": _map(drawing.map, language) if drawing.map is not None else None,
    }


def _zone(zone: ZoneEntry, language: str) -> catalog_pb2.ZoneEntry:
    return catalog_pb2.ZoneEntry(
        id=zone.id,
        text=zone.text[language],
        seat=zone.seat,
        kind=zone.kind,
        component=zone.component,
        position=zone.position,
        symbol=zone.symbol,
        stack=zone.stack,
    )


def _marker(marker: MarkerEntry, language: str) -> catalog_pb2.MarkerEntry:
    return catalog_pb2.MarkerEntry(
        id=marker.id,
        text=marker.text[language],
        seat=marker.seat,
        kind=marker.kind,
        component=marker.component,
        words=[catalog_pb2.WordEntry(id=word.id, text=word.text[language]) for word in marker.words],
        chart=marker.chart,
        zone=marker.zone,
    )


def _map(map: TitleMap, language: str) -> catalog_pb2.TitleMap:
    return catalog_pb2.TitleMap(
        aspect=map.aspect,
        towns=[
            catalog_pb2.MapTown(
                component=town.component, text=town.text[language], x=town.x, y=town.y, kind=town.kind, size=town.size
            )
            for town in map.towns
        ],
        ways=[
            catalog_pb2.MapWay(component=way.component, text=way.text[language], kind=way.kind, towns=way.towns)
            for way in map.ways
        ],
        provenance=map.provenance,
    )
