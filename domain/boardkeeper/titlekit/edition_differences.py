"""The differences between the editions of a title, computed from their tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from boardkeeper.titlekit.title import Difference, Rule, TitleMeta

_NOT_TABLES = ("edition", "readings", "sources")
"""Tables at the top of edition files that are compared as players and readings."""

_NOT_FACTS = ("provenance", "en_provenance", "de_provenance")
"""Keys with the provenance of facts, which is not a difference of the editions."""


class AffectedRules(Struct, frozen=True):
    """The ids of the rules that a difference affects.

    ``players`` is for the numbers of players, ``component`` for the number of a component (takes its id), and ``table``
    for a fact (takes its path, as in :attr:`Difference.id`).
    """

    players: tuple[str, ...]
    component: Callable[[str], tuple[str, ...]]
    table: Callable[[str], tuple[str, ...]]


class EditionComparison(Struct, frozen=True):
    """Compares the editions of a title.

    ``tables`` returns the tables of an edition, and ``box`` the number of each component in its box.
    """

    meta: TitleMeta
    tables: Callable[[str], Mapping[str, Any]]
    box: Callable[[str], Mapping[str, int]]
    rules: Mapping[str, Rule]
    affected: AffectedRules

    def differences(self) -> list[Difference]:
        """Return all differences: players, readings, contents of the box, and facts of components."""
        return [*self._players(), *self._readings(), *self._components(), *self._tables()]

    def _players(self) -> Iterator[Difference]:
        values = {edition.id: f"{edition.players[0]}-{edition.players[1]}" for edition in self.meta.editions}
        if _differ(values):
            yield self._difference("players", values, self.affected.players)

    def _readings(self) -> Iterator[Difference]:
        for reading in self.meta.readings:
            having = [edition for edition in self.meta.editions if reading.is_for(edition.id)]
            values = {edition.id: edition.readings.get(reading.id, reading.default) for edition in having}
            if _differ(values):
                values = {edition.id: values.get(edition.id, "") for edition in self.meta.editions}
                yield self._difference(f"reading.{reading.id}", values, (reading.rule,))

    def _components(self) -> Iterator[Difference]:
        boxes = {edition.id: self.box(edition.id) for edition in self.meta.editions}
        for component in dict.fromkeys(component for box in boxes.values() for component in box):
            values = {edition: str(box.get(component, 0)) for edition, box in boxes.items()}
            if _differ(values):
                yield self._difference(f"component.{component}", values, self.affected.component(component))

    def _tables(self) -> Iterator[Difference]:
        flat = {edition.id: dict(_flat("table", self.tables(edition.id))) for edition in self.meta.editions}
        for path in dict.fromkeys(path for entries in flat.values() for path in entries):
            values = {edition: entries.get(path, "") for edition, entries in flat.items()}
            if _differ(values):
                yield self._difference(path, values, self.affected.table(path))

    def _difference(self, id: str, values: dict[str, str], rules: tuple[str, ...]) -> Difference:
        references = {edition: "; ".join(self._places(edition, rules)) for edition in values}
        return Difference(id, values, rules, {edition: place for edition, place in references.items() if place})

    def _places(self, edition: str, rules: tuple[str, ...]) -> Iterator[str]:
        """Return the places of the rules in the rulebook of an edition, each once."""
        places = (self.rules[rule].references.get(edition, "") for rule in rules)
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
