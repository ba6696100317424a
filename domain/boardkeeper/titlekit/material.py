"""Declare the zones and markers of a title, and make its layout and catalogue entries from them.

A title may have a ``material.toml``. Every table in it is optional:

* ``[words.NAME]``, ``[symbols]`` and ``[decisions]``: texts by id.
* ``[map]``: see :mod:`boardkeeper.titlekit.maps`.
* ``[order]``: the order in the layout, if a released layout differs from the order of the declarations. ``zones`` and
  ``markers`` list the first parts of ids, ``seat_zones`` and ``seat_markers`` whole ids of a seat. The listed
  ids of the table come first, then the seats, then the other ids of the table.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from msgspec import Struct

from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Scalar
from boardkeeper.table.interning import EMPTY
from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import PUBLIC
from boardkeeper.table.zones import Number, Pile, Stack, Word
from boardkeeper.titlekit.binding import Material
from boardkeeper.titlekit.drawing import DecisionEntry, Drawing, MarkerEntry, WordEntry, ZoneEntry, readable_id
from boardkeeper.titlekit.maps import map_of
from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titlekit.title import Component, Text
from boardkeeper.titlekit.title_files import read_toml, text_of

__all__ = ["Declaration", "Material", "declare"]

FILE = "material.toml"
_SEAT = re.compile(r"seat\.([1-9][0-9]?)\.")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


class _Part(Struct, kw_only=True):
    prefix: str


class _Entry(_Part):
    """A declared zone or marker. The first fields are the arguments of the methods of ``Material``, in their order."""

    id: str
    kind: str = ""
    en: str = ""
    de: str = ""
    visibility: str = PUBLIC
    component: str = ""
    symbol: str = ""

    @property
    def full_id(self) -> str:
        """The id on the table, with the prefix."""
        return self.prefix + self.id

    @property
    def seat(self) -> int:
        """The seat, 0 for none."""
        found = _SEAT.match(self.prefix)
        return int(found[1]) if found else 0

    @property
    def position(self) -> int:
        """The last number in the id, 0 for none."""
        return next((int(part) for part in reversed(self.id.split(".")) if part.isdigit()), 0)


class _Zone(_Entry):
    ordered: bool = False
    contents: Mapping[str, int] = EMPTY
    one_each: Iterable[str] = ()
    count: int = 0
    stack: bool = False

    def spec(self) -> ZoneSpec:
        """Return the zone of the layout."""
        contents = {**self.contents, **dict.fromkeys(self.one_each, 1)}
        if self.count:
            contents[self.component] = self.count
        return ZoneSpec(self.full_id, self.visibility, contents, self.stack)


class _Marker(_Entry):
    zone: str = ""
    chart: bool = False
    words: str = ""
    words_of: tuple[str, ...] = ()
    value: Scalar = 0

    def spec(self) -> MarkerSpec:
        """Return the marker of the layout."""
        return MarkerSpec(self.full_id, self.value, self.visibility)


AnyEntry = TypeVar("AnyEntry", bound=_Entry)


class Declaration(Material):
    """Collects the zones and markers that a constructor declares. Its methods return unbound zones and markers."""

    def __init__(self, package: str = "", prefix: str = "", whole: Declaration | None = None) -> None:
        """``package`` is that of the ``material.toml``; ``whole`` is the declaration that this one belongs to."""
        super().__init__(Table(TableLayout(0, (), ())), Dice(b""), prefix)
        self.declares = True
        self.package = package
        self.whole = whole or self
        self.zones: list[_Zone] = []
        self.markers: list[_Marker] = []

    def part(self, prefix: str) -> Declaration:
        """Return the part in which all ids begin with this prefix."""
        return Declaration(self.package, prefix, self.whole)

    def pile(self, *arguments: Any, **facts: Any) -> Pile:
        """Declare a pile."""
        zone = _Zone(*arguments, **facts, prefix=self.prefix)
        self.whole.zones.append(zone)
        return Pile(zone.full_id, zone.visibility)

    def stack(self, *arguments: Any, **facts: Any) -> Stack:
        """Declare a stack."""
        zone = _Zone(*arguments, **{**facts, "stack": True}, prefix=self.prefix)
        self.whole.zones.append(zone)
        return Stack(zone.full_id, zone.visibility)

    def number(self, *arguments: Any, **facts: Any) -> Number:
        """Declare a number."""
        marker = _Marker(*arguments, **{"value": 0, **facts}, prefix=self.prefix)
        self.whole.markers.append(marker)
        return Number(marker.full_id, facts.get("value", 0), marker.visibility)

    def word(self, *arguments: Any, **facts: Any) -> Word:
        """Declare a word."""
        marker = _Marker(*arguments, **{"value": "", **facts}, prefix=self.prefix)
        self.whole.markers.append(marker)
        return Word(marker.full_id, facts.get("value", ""), marker.visibility)

    @cached_property
    def layout(self) -> TableLayout:
        """The layout of the table. All games with the same setup share it, and the strings of its ids."""
        return TableLayout(
            max(entry.seat for entry in (*self.zones, *self.markers)),
            tuple(zone.spec() for zone in self._sorted("zones", self.zones)),
            tuple(marker.spec() for marker in self._sorted("markers", self.markers)),
        )

    def drawing(self, components: Sequence[Component]) -> Drawing:
        """Return the catalogue entries of zones, markers and decisions, with the names of ``components``."""
        file = read(self.package)
        names = _Names(file, components)
        counted: Counter[tuple[int, str, str]] = Counter()
        zones = [names.zone(zone, counted) for zone in self._sorted("zones", self.zones)]
        return Drawing(
            tuple(zones),
            tuple(names.marker(marker) for marker in self._sorted("markers", self.markers)),
            tuple(DecisionEntry(id, text_of(text)) for id, text in file.get("decisions", {}).items()),
            map_of(file["map"], components, {zone.component for zone in zones}) if "map" in file else None,
        )

    def _sorted(self, what: str, entries: list[AnyEntry]) -> list[AnyEntry]:
        order: Mapping[str, str] = read(self.package).get("order", {})
        if what not in order:
            return entries
        table, seat = order.get(what, "").split(), order.get(f"seat_{what}", "").split()

        def rank(entry: AnyEntry) -> tuple[int, int]:
            if entry.seat:
                return entry.seat, seat.index(entry.id) if entry.id in seat else len(seat)
            head = entry.full_id.partition(".")[0]
            return (0, table.index(head)) if head in table else (len(entries), 0)

        return sorted(entries, key=rank)


def declare(package: str, bound: Callable[[Material], object]) -> Declaration:
    """Call a constructor, and return its declaration. ``package`` is the package with the ``material.toml``."""
    declaration = Declaration(package)
    bound(declaration)
    return declaration


@lru_cache(maxsize=32)
def read(package: str) -> Mapping[str, Any]:
    """Return the ``material.toml`` of a package; empty if it has none."""
    try:
        return read_toml(package, FILE) if package else {}
    except FileNotFoundError:
        return {}


class _Names:
    """Makes catalogue entries with the names of words, symbols and components."""

    def __init__(self, file: Mapping[str, Any], components: Iterable[Component]) -> None:
        self.words: Mapping[str, Mapping[str, Any]] = file.get("words", {})
        self.symbols: Mapping[str, Any] = file.get("symbols", {})
        self.components = {component.id: component for component in components}

    def zone(self, zone: _Zone, counted: Counter[tuple[int, str, str]]) -> ZoneEntry:
        """Return the entry of a zone. ``counted`` counts the zones of a seat, kind and component, to number them."""
        position = zone.position
        if not position and (zone.ordered or zone.symbol):
            siblings = zone.seat, zone.kind, zone.component
            counted[siblings] += 1
            position = counted[siblings]
        id, text, component = zone.full_id, self._text(zone), self._known(zone.component)
        return ZoneEntry(id, text, zone.seat, zone.kind, component, position, zone.symbol, zone.stack)

    def marker(self, marker: _Marker) -> MarkerEntry:
        """Return the entry of a marker."""
        words = [WordEntry(id, text_of(text)) for id, text in self.words.get(marker.words, {}).items()]
        words += [WordEntry(it.id, it.text) for it in self.components.values() if it.kind in marker.words_of]
        about = marker.zone and marker.prefix + marker.zone
        id, text, component = marker.full_id, self._text(marker), self._known(marker.component)
        return MarkerEntry(id, text, marker.seat, marker.kind, component, tuple(words), marker.chart, about)

    def _known(self, component: str) -> str:
        return component if component in self.components else ""

    def _text(self, entry: _Entry) -> Text:
        if not entry.en:
            component = self.components.get(entry.component)
            return component.text if component else readable_id(entry.full_id)[0]
        texts = {"en": entry.en, "de": entry.de or entry.en}
        names = {name: self._name(name, entry) for name in _PLACEHOLDER.findall(entry.en)}
        return {
            language: texts[language].format_map({name: text[language] for name, text in names.items()})
            for language in LANGUAGES
        }

    def _name(self, placeholder: str, entry: _Entry) -> Mapping[str, str]:
        match placeholder:
            case "position":
                return dict.fromkeys(LANGUAGES, str(entry.position))
            case "component":
                return self.components[entry.component].text
            case "symbol":
                return self.symbols.get(entry.symbol) or self.components[entry.symbol].text
            case _:
                word: Mapping[str, str] = self.words[placeholder][entry.id.rpartition(".")[2]]
                return word
