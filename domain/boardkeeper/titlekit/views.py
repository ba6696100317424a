"""Build the structs of a typed board from the zones and markers of a table."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar, get_origin

from msgspec import Struct
from msgspec.structs import fields

from boardkeeper.table.table import Table
from boardkeeper.table.visibility import PUBLIC, can_count, sees
from boardkeeper.table.zones import Marker, Pile, Stack

V = TypeVar("V", bound=Struct)

_ZONES = (Pile, Stack)


def view(kind: type[V], bound: object, table: Table, viewer: int, **values: Any) -> V:
    """Return a struct with the values that the attributes of a bound object have for a viewer.

    A field that is not in ``values`` has the value of the attribute of its name. The type of the field decides what it
    shows:

    ==============  ========================================================================================
    field           attribute
    ==============  ========================================================================================
    ``int``         the value of a marker; the number of components in a zone
    ``str``         the value of a marker; the first component in a zone
    ``bool``        whether a marker has a value other than zero or empty; whether a zone has components
    ``dict``        the components in a zone with their numbers
    ``tuple``       the components in a zone: in their order in a stack, sorted in a pile
    ==============  ========================================================================================

    Values that the viewer may not know are zero or empty. ``<name>_count`` is the number of components in the zone
    ``name``. Other attributes are copied. A field with a default keeps it if there is no such attribute; a field
    without one raises ``AttributeError``.
    """
    for name, attribute, type_, has_default in _fields(kind, tuple(values)):
        subject = getattr(bound, attribute, None) if has_default else getattr(bound, attribute)
        if isinstance(subject, Marker):
            seen = subject.visibility == PUBLIC or sees(table, subject, viewer)
            value = subject.value if seen else type(subject.value)()
            values[name] = bool(value) if type_ is bool else value
        elif isinstance(subject, _ZONES):
            values[name] = _contents(subject, type_, table, viewer)
        elif subject is not None or not has_default:
            values[name] = subject
    return kind(**values)


@cache
def _fields(kind: type[Struct], besides: tuple[str, ...]) -> tuple[tuple[str, str, Any, bool], ...]:
    """Return name, attribute, type and whether it has a default, for each field of a struct except ``besides``."""
    return tuple(
        (info.name, info.name.removesuffix("_count"), get_origin(info.type) or info.type, not info.required)
        for info in fields(kind)
        if info.name not in besides
    )


def _contents(zone: Pile | Stack, type_: Any, table: Table, viewer: int) -> Any:
    """Return what a viewer knows of the components in a zone, as a value of a field's type."""
    if type_ is int:
        return zone.total() if can_count(table, zone, viewer) else 0
    contents = zone.counts() if sees(table, zone, viewer) else {}
    if type_ is dict:
        return contents
    if type_ is tuple:
        return tuple(zone.order if isinstance(zone, Stack) and contents else sorted(contents))
    return bool(contents) if type_ is bool else next(iter(contents), "")
