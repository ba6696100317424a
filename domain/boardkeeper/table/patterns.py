"""A title's ``drawing.toml``: what its zones, markers and decisions are, by patterns over their ids.

A file has, each as often as it likes, and the first that fits an id counts::

    [[zones]]
    id = "seat.{seat}.bag"   # {seat} a seat; {component} a component of the catalogue; {symbol} what is printed there,
    kind = "bag"             # with _2 a second one; {position} a number; {word} one of `words`
    en = "Bag"               # texts may have {component}, {symbol}, {position} and {word}
    de = "Beutel"

    [[markers]]
    id = "seat.{seat}.{component}"
    kind = "track"
    of = ["track"]           # {component} is of one of these kinds
    chart = true

and besides: ``component`` where the id does not say it, ``"monk.{seat}"`` of a seat; in ``[[zones]]`` ``words``,
``ordered`` to count the zones of a component, as is done where there is a symbol, and ``symbols_in``, which value of
the component lists the symbols of its positions; in ``[[markers]]`` ``words`` (a table below ``[words]``) and
``words_of`` (kinds of components) for its values, and ``zone``, the end without which its id is that of the zone that
it tells of. ``[words.NAME]``, ``[symbols]`` and ``[decisions]`` have texts by id; ``[map]`` says which kinds of
components are ``towns``, with x and y, ``ways``, between two towns, or ``hexagons``, with column and y, in halves of a
hexagon's height.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from boardkeeper.table.drawing import (
    DecisionEntry,
    Drawing,
    MapTown,
    MapWay,
    MarkerEntry,
    TitleMap,
    WordEntry,
    ZoneEntry,
    filled,
    plainly,
)
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.tables import read_toml, text_of
from boardkeeper.table.title import Component, Text

FILE = "drawing.toml"

_PLACEHOLDER = re.compile(r"\\\{(\w+)\\\}")
_PARTS = {
    "seat": r"(?P<seat>[1-9][0-9]?)",
    "component": r"(?P<component>\w+)",
    "symbol": r"(?P<symbol>\w+?)(?:_[2-9])?",
    "position": r"(?P<position>[1-9][0-9]*)",
    "word": r"(?P<word>\w+)",
}
_HEXAGON_HEIGHT = 3**0.5 / 2
"""Of a hexagon with a flat top, by its width."""


class Patterns:
    """The patterns of a title's file; raises ``KeyError`` where a text or table is missing."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        self.zones = [Pattern(table) for table in tables.get("zones", ())]
        self.markers = [Pattern(table) for table in tables.get("markers", ())]
        self.words = {
            name: {id: text_of(text) for id, text in words.items()} for name, words in tables.get("words", {}).items()
        }
        self.symbols = {id: text_of(text) for id, text in tables.get("symbols", {}).items()}
        self.decisions = tuple(DecisionEntry(id, text_of(text)) for id, text in tables.get("decisions", {}).items())
        self.map: Mapping[str, Any] = tables.get("map", {})


class Pattern:
    """One pattern, as the file has it."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self.id: str = table["id"]
        self.kind: str = table["kind"]
        self.text = text_of(table)
        self.component: str = table.get("component", "")
        self.of = frozenset(table.get("of", ()))
        self.words: str = table.get("words", "")
        self.words_of = frozenset(table.get("words_of", ()))
        self.symbols_in: str = table.get("symbols_in", "")
        self.ordered: bool = table.get("ordered", "{symbol}" in self.id)
        self.chart: bool = table.get("chart", False)
        self.zone: str = table.get("zone", "")
        self._expression = re.compile(_PLACEHOLDER.sub(lambda found: _PARTS[found[1]], re.escape(self.id)))

    def match(self, id: str, context: Context) -> dict[str, str] | None:
        """What the placeholders stand for in an id, or nothing if it does not fit."""
        found = self._expression.fullmatch(id)
        if found is None:
            return None
        values = found.groupdict()
        component = values.get("component")
        if component is not None and not self._is_for(context.components.get(component)):
            return None
        word = values.get("word")
        if word is not None and word not in context.patterns.words[self.words]:
            return None
        if self.symbols_in and component is not None:
            symbols = context.components[component].values[self.symbols_in]
            values["symbol"] = symbols[int(values["position"]) - 1]
        return values

    def about(self, values: Mapping[str, str]) -> str:
        """The component that an id with these placeholders belongs to, or nothing."""
        return values.get("component") or self.component.format_map(values)

    def _is_for(self, component: Component | None) -> bool:
        return component is not None and (not self.of or component.kind in self.of)


class Context:
    """What patterns are read in: the title's, and the components of the setup's edition."""

    def __init__(self, patterns: Patterns, components: Iterable[Component]) -> None:
        self.patterns = patterns
        self.components = {component.id: component for component in components}

    def names(self, pattern: Pattern, values: Mapping[str, str]) -> dict[str, Text]:
        """What is called by a name in a text; raises ``KeyError`` for a symbol without one."""
        names: dict[str, Text] = {}
        component = self.components.get(pattern.about(values))
        if component is not None:
            names["component"] = component.text
        if symbol := values.get("symbol"):
            names["symbol"] = self.patterns.symbols.get(symbol) or self.components[symbol].text
        if word := values.get("word"):
            names["word"] = self.patterns.words[pattern.words][word]
        return names

    def words(self, pattern: Pattern) -> tuple[WordEntry, ...]:
        """The values that a marker can have, but the empty one."""
        listed = self.patterns.words[pattern.words] if pattern.words and "{word}" not in pattern.id else {}
        components = (it for it in self.components.values() if it.kind in pattern.words_of)
        return (
            *(WordEntry(id, text) for id, text in listed.items()),
            *(WordEntry(component.id, component.text) for component in components),
        )


@lru_cache(maxsize=32)
def patterns_of(package: str) -> Patterns:
    """The patterns of a title's package; raises ``FileNotFoundError`` or ``KeyError``."""
    return Patterns(read_toml(package, FILE))


def drawn(package: str, layout: TableLayout, components: Sequence[Component]) -> Drawing:
    """Everything on a table, from the patterns in a title's package; what none of them fits has its bare id."""
    patterns = patterns_of(package)
    context = Context(patterns, components)
    zones = [_zone(context, zone.id, stack=zone.stack) for zone in layout.zones]
    return Drawing(
        tuple(_in_order(zones)),
        tuple(_marker(context, marker.id) for marker in layout.markers),
        patterns.decisions,
        _map(patterns.map, context, {zone.component for zone, _ in zones}) if patterns.map else None,
    )


def fitting(patterns: Iterable[Pattern], id: str, context: Context) -> tuple[Pattern, dict[str, str]] | None:
    """The first pattern that fits an id, and what its placeholders stand for."""
    for pattern in patterns:
        values = pattern.match(id, context)
        if values is not None:
            return pattern, values
    return None


def _zone(context: Context, id: str, *, stack: bool) -> tuple[ZoneEntry, bool]:
    """An entry without its place in an order, and whether it has one."""
    found = fitting(context.patterns.zones, id, context)
    if found is None:
        return ZoneEntry(id, *plainly(id), stack=stack), False
    pattern, values = found
    position = int(values.get("position") or 0)
    entry = ZoneEntry(
        id,
        filled(pattern.text, dict(values), context.names(pattern, values)),
        int(values.get("seat") or 0),
        pattern.kind,
        pattern.about(values),
        position,
        values.get("symbol") or "",
        stack,
    )
    return entry, pattern.ordered and not position


def _in_order(zones: Iterable[tuple[ZoneEntry, bool]]) -> Iterable[ZoneEntry]:
    counted: Counter[tuple[int, str, str]] = Counter()
    for zone, is_counted in zones:
        if is_counted:
            siblings = zone.seat, zone.kind, zone.component
            counted[siblings] += 1
            yield replace(zone, position=counted[siblings])
        else:
            yield zone


def _marker(context: Context, id: str) -> MarkerEntry:
    found = fitting(context.patterns.markers, id, context)
    if found is None:
        return MarkerEntry(id, *plainly(id))
    pattern, values = found
    return MarkerEntry(
        id,
        filled(pattern.text, dict(values), context.names(pattern, values)),
        int(values.get("seat") or 0),
        pattern.kind,
        pattern.about(values),
        context.words(pattern),
        pattern.chart,
        pattern.zone and id.removesuffix(pattern.zone),
    )


def _map(table: Mapping[str, Any], context: Context, used: set[str]) -> TitleMap:
    components = context.components.values()
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
    """Areas as wide as 1 in columns ¾ apart, with the map's width by its height."""
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
