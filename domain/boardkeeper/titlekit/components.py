"""Make the catalogue entries of components from TOML tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titlekit.title import Component, Text
from boardkeeper.titlekit.title_files import text_of

_BOARD = "game_board"
_NOT_FACTS = frozenset({*LANGUAGES, "provenance"})


def make_component(kind: str, id: str, table: Mapping[str, Any]) -> Component:
    """Return the component of a table with its names and ``provenance``; the other keys are its facts."""
    return component_with(id, kind, text_of(table), table, table["provenance"])


def component_with(id: str, kind: str, text: Text, table: Mapping[str, Any], provenance: str) -> Component:
    """Return a component whose name or provenance is not in the table of its facts."""
    values = {key: value for key, value in table.items() if key not in _NOT_FACTS}
    return Component(id, kind, text, {key: format_fact(value) for key, value in values.items()}, provenance, values)


def components_of(tables: Mapping[str, Any], kinds: Mapping[str, str]) -> list[Component]:
    """Return the components of some tables: the entries of each group, with the kind that ``kinds`` has for it."""
    return [
        make_component(kind, id, entry) for group, kind in kinds.items() for id, entry in tables.get(group, {}).items()
    ]


def list_pieces(
    tables: Mapping[str, Mapping[str, Any]], of_a_seat: Mapping[str, int], seats: int, rounds: int
) -> Iterator[Component]:
    """Yield the components of kind ``piece``.

    ``of_a_seat`` has the number of pieces that each seat has, by id; these components get an entry for each seat.
    ``rounds`` is a fact of the game board: the number of rounds of a game, 0 if something else ends it.
    """
    for id, table in tables.items():
        if id == _BOARD:
            yield make_component("piece", id, {**table, "rounds": rounds})
        elif id in of_a_seat:
            for seat in range(1, seats + 1):
                yield make_component("piece", f"{id}.{seat}", {**table, "seat": seat, "in_box": of_a_seat[id]})
        else:
            yield make_component("piece", id, table)


def with_box_counts(components: Iterable[Component], counts: Mapping[str, int]) -> list[Component]:
    """Return the components with their numbers in the box: those of ``counts``, else their fact ``in_box``."""
    return [replace(each, in_box=counts.get(each.id, _fact_in_box(each))) for each in components]


def _fact_in_box(component: Component) -> int:
    fact = component.values.get("in_box", 0)
    return fact if isinstance(fact, int) else 0


def format_fact(value: object) -> str:
    """Return a fact as text: entries of lists are separated by commas, lists in lists by semicolons."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ("; " if any(isinstance(entry, list) for entry in value) else ", ").join(map(format_fact, value))
    if isinstance(value, dict):
        return ", ".join(f"{key}: {format_fact(entry)}" for key, entry in value.items())
    return str(value)
