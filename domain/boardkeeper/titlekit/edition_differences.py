"""What differs between the editions of a title, worked out from their tables, so that it can never be out of date."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from boardkeeper.titlekit.title import Difference, Rule, TitleMeta

_NOT_TABLES = ("edition", "readings", "sources")
"""Heads of the edition files, which are told as players and readings."""

_NOT_FACTS = ("provenance", "en_provenance", "de_provenance")
"""Keys of the tables that tell how sure a fact is: that is no difference of the editions."""


class Touched(Struct, frozen=True):
    """Which rules a difference touches, by id: of the number of players, of a component, of a path of the tables.

    A path is ``table.<group>.<thing>…`` as :attr:`Difference.id` has it.
    """

    players: tuple[str, ...]
    component: Callable[[str], tuple[str, ...]]
    table: Callable[[str], tuple[str, ...]]


class Editions(Struct, frozen=True):
    """The editions of a title, to be compared.

    ``tables`` are the tables of an edition and ``box`` is how many of each component its box holds.
    """

    meta: TitleMeta
    tables: Callable[[str], Mapping[str, Any]]
    box: Callable[[str], Mapping[str, int]]
    rules: Mapping[str, Rule]
    touched: Touched

    def differences(self) -> list[Difference]:
        """Everything in which they differ: players, readings, contents of the box, and what components say."""
        return [*self._players(), *self._readings(), *self._components(), *self._tables()]

    def _players(self) -> Iterator[Difference]:
        values = {edition.id: f"{edition.players[0]}-{edition.players[1]}" for edition in self.meta.editions}
        if _differ(values):
            yield self._difference("players", values, self.touched.players)

    def _readings(self) -> Iterator[Difference]:
        for reading in self.meta.readings:
            asked = [edition for edition in self.meta.editions if reading.is_for(edition.id)]
            values = {edition.id: edition.readings.get(reading.id, reading.default) for edition in asked}
            if _differ(values):
                values = {edition.id: values.get(edition.id, "") for edition in self.meta.editions}
                yield self._difference(f"reading.{reading.id}", values, (reading.rule,))

    def _components(self) -> Iterator[Difference]:
        boxes = {edition.id: self.box(edition.id) for edition in self.meta.editions}
        for component in dict.fromkeys(component for box in boxes.values() for component in box):
            values = {edition: str(box.get(component, 0)) for edition, box in boxes.items()}
            if _differ(values):
                yield self._difference(f"component.{component}", values, self.touched.component(component))

    def _tables(self) -> Iterator[Difference]:
        flat = {edition.id: dict(_flat("table", self.tables(edition.id))) for edition in self.meta.editions}
        for path in dict.fromkeys(path for entries in flat.values() for path in entries):
            values = {edition: entries.get(path, "") for edition, entries in flat.items()}
            if _differ(values):
                yield self._difference(path, values, self.touched.table(path))

    def _difference(self, id: str, values: dict[str, str], touched: tuple[str, ...]) -> Difference:
        references = {edition: "; ".join(self._places(edition, touched)) for edition in values}
        return Difference(id, values, touched, {edition: place for edition, place in references.items() if place})

    def _places(self, edition: str, touched: tuple[str, ...]) -> Iterator[str]:
        """Where the rulebook of an edition speaks of the rules, each place once."""
        places = (self.rules[rule].references.get(edition, "") for rule in touched)
        return iter(dict.fromkeys(place for place in places if place))


def _differ(values: Mapping[str, str]) -> bool:
    return len(set(values.values())) > 1


def _flat(path: str, table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if (path == "table" and key in _NOT_TABLES) or key in _NOT_FACTS:
            continue
        if isinstance(value, dict):
            yield from _flat(f"{path}.{key}", value)
        else:
            yield f"{path}.{key}", ", ".join(map(str, value)) if isinstance(value, list) else str(value)
