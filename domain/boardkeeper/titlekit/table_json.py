"""Tables as JSON: the protobuf JSON form of ``boardkeeper.v1.Table``, read and written without protobuf."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from boardkeeper.table.decoding import decode
from boardkeeper.table.effects import Scalar
from boardkeeper.table.visibility import parse_viewer, viewer_name
from boardkeeper.table.visible_table import VisibleMarker, VisibleTable, VisibleZone
from boardkeeper.titlekit.title import PositionError, PositionProblem


class _Held(Struct, forbid_unknown_fields=True):
    component: str
    count: int


class _Value(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A scalar. Protobuf JSON writes 64-bit integers as strings."""

    number: str | int | None = None
    word: str | None = None


class _Zone(Struct, omit_defaults=True, forbid_unknown_fields=True):
    id: str
    visibility: str = ""
    stack: bool = False
    seen: bool = False
    count: int | None = None
    contents: tuple[_Held, ...] = ()
    order: tuple[str, ...] = ()
    draws: int = 0


class _Marker(Struct, omit_defaults=True, forbid_unknown_fields=True):
    id: str
    visibility: str = ""
    value: _Value | None = None


class _Table(Struct, omit_defaults=True, forbid_unknown_fields=True):
    zones: tuple[_Zone, ...]
    markers: tuple[_Marker, ...]
    decisions: tuple[str, ...]
    viewer: str = ""


def table_to_json(table: VisibleTable) -> str:
    """Return a table as JSON."""
    written = _Table(
        tuple(
            _Zone(
                zone.id,
                zone.visibility,
                zone.is_stack,
                zone.is_seen,
                zone.count,
                tuple(_Held(component, count) for component, count in zone.contents.items()),
                zone.order,
                zone.draws,
            )
            for zone in table.zones
        ),
        tuple(_Marker(it.id, it.visibility, _value(it.value)) for it in table.markers),
        table.decisions,
        viewer_name(table.viewer),
    )
    return msgspec.json.encode(written).decode()


def table_from_json(text: bytes) -> VisibleTable:
    """Read a table from JSON; raises ``msgspec.DecodeError`` for another form, or :class:`PositionError`."""
    table = decode(text, _Table)
    return VisibleTable(
        parse_viewer(table.viewer),
        tuple(
            VisibleZone(
                zone.id,
                zone.visibility,
                zone.stack,
                zone.seen,
                zone.count,
                contents_of(zone.id, ((held.component, held.count) for held in zone.contents)),
                zone.order,
                zone.draws,
            )
            for zone in table.zones
        ),
        tuple(VisibleMarker(it.id, it.visibility, _scalar(it)) for it in table.markers),
        table.decisions,
    )


def contents_of(zone: str, held: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Return the contents of a zone; raises :class:`PositionError` if a component is named twice."""
    entries = list(held)
    contents = dict(entries)
    if len(contents) != len(entries):
        raise PositionError([PositionProblem(f"zones[{zone}]", "must name each component once")])
    return contents


def _value(value: Scalar | None) -> _Value | None:
    if value is None:
        return None
    return _Value(number=str(value)) if isinstance(value, int) else _Value(word=value)


def _scalar(marker: _Marker) -> Scalar | None:
    value = marker.value
    if value is None or value.number is None:
        return None if value is None else value.word
    try:
        return int(value.number)
    except ValueError:
        raise PositionError(
            [PositionProblem(f"markers[{marker.id}]", f"must have a number, not {value.number!r}")]
        ) from None
