"""What differs between the printings, worked out from their tables, so that it can never be out of date."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from boardkeeper.table.title import Difference
from boardkeeper.titles.orleans import catalogue
from boardkeeper.titles.orleans.data import CHARACTERS, STATION, TECHNOLOGY, is_marked
from boardkeeper.titles.orleans.meta import META
from boardkeeper.titles.orleans.rules_catalogue import rules
from boardkeeper.titles.orleans.tables import tables_of

_NOT_TABLES = ("edition", "readings", "sources")
"""Heads of the edition files, which are told as players and readings."""

_NOT_FACTS = ("provenance", "en_provenance", "de_provenance")
"""Keys of the tables that tell how sure a fact is: that is no difference of the printings."""

_SEATS = ("orleans.setup.seats",)
_RULES_OF_PIECES = {
    STATION: "orleans.setup.stations",
    "merchant": "orleans.setup.merchants",
    "marker": "orleans.setup.track_markers",
    "bag": "orleans.setup.own_followers",
}


def differences() -> list[Difference]:
    """Everything in which the editions differ: players, readings, contents of the box, and what components say."""
    players = {edition.id: f"{edition.players[0]}-{edition.players[1]}" for edition in META.editions}
    told = [_difference("players", players, _SEATS)] if len(set(players.values())) > 1 else []
    return [*told, *_readings(), *_components(), *_tables()]


def _readings() -> Iterator[Difference]:
    for reading in META.readings:
        values = {edition.id: edition.readings.get(reading.id, reading.default) for edition in META.editions}
        if len(set(values.values())) > 1:
            yield _difference(f"reading.{reading.id}", values, (reading.rule,))


def _components() -> Iterator[Difference]:
    boxes = {edition.id: _box(edition.id) for edition in META.editions}
    for component in dict.fromkeys(component for box in boxes.values() for component in box):
        values = {edition: str(box.get(component, 0)) for edition, box in boxes.items()}
        if len(set(values.values())) > 1:
            yield _difference(f"component.{component}", values, _rules_of(component))


def _box(edition: str) -> dict[str, int]:
    """How many of everything the box holds; coins say it in their table, as they are not counted in play."""
    return {each.id: each.in_box for each in catalogue.components(edition) if each.in_box and each.id != "coins"}


def _rules_of(component: str) -> tuple[str, ...]:
    """The rules that say how many of a component there are."""
    if component == TECHNOLOGY:
        return ("orleans.setup.technology",)
    if component in CHARACTERS:
        return ("orleans.setup.neutral_followers_five", "orleans.setup.neutral_followers_four")
    if is_marked(component):
        return (*_SEATS, "orleans.setup.own_followers")
    rule = _RULES_OF_PIECES.get(component.partition(".")[0])
    return (*_SEATS, rule) if rule else _SEATS


def _tables() -> Iterator[Difference]:
    flat = {edition.id: dict(_flat("table", tables_of(edition.id))) for edition in META.editions}
    for path in dict.fromkeys(path for entries in flat.values() for path in entries):
        values = {edition: entries.get(path, "") for edition, entries in flat.items()}
        if len(set(values.values())) > 1:
            yield _difference(path, values, _rules_about(path))


def _rules_about(path: str) -> tuple[str, ...]:
    """The rules about the thing that a path of the tables leads to."""
    _, group, thing, *_ = path.split(".")
    if group == "coins":
        return ("orleans.setup.coins", "orleans.running_out.coins")
    return tuple(rule for rule in rules() if rule.startswith(f"orleans.{thing}."))


def _flat(path: str, table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if (path == "table" and key in _NOT_TABLES) or key in _NOT_FACTS:
            continue
        if isinstance(value, dict):
            yield from _flat(f"{path}.{key}", value)
        else:
            yield f"{path}.{key}", ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _difference(id: str, values: dict[str, str], touched: tuple[str, ...]) -> Difference:
    catalogue = rules()
    references = {
        edition.id: "; ".join(
            dict.fromkeys(
                catalogue[rule].references[edition.id] for rule in touched if edition.id in catalogue[rule].references
            )
        )
        for edition in META.editions
    }
    return Difference(id, values, touched, {edition: place for edition, place in references.items() if place})
