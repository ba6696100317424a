"""Components for the catalogue, from tables: their names, what they say as facts, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titlekit.title import Component, Text
from boardkeeper.titlekit.title_files import text_of

_BOARD = "game_board"
_NOT_FACTS = frozenset({*LANGUAGES, "provenance"})


def component(kind: str, id: str, table: Mapping[str, Any]) -> Component:
    """A component whose table has its names and its provenance; all else in it are its facts."""
    return component_with(id, kind, text_of(table), table, table["provenance"])


def component_with(id: str, kind: str, text: Text, table: Mapping[str, Any], provenance: str) -> Component:
    """Return a component whose name or provenance is not in the table of its facts."""
    values = {key: value for key, value in table.items() if key not in _NOT_FACTS}
    return Component(id, kind, text, {key: plain(value) for key, value in values.items()}, provenance, values)


def components_of(tables: Mapping[str, Any], kinds: Mapping[str, str]) -> list[Component]:
    """Return the components of some tables: the entries of each group, with the kind that ``kinds`` has for it."""
    return [component(kind, id, entry) for group, kind in kinds.items() for id, entry in tables.get(group, {}).items()]


def pieces(
    tables: Mapping[str, Mapping[str, Any]], of_a_seat: Mapping[str, int], seats: int, rounds: int
) -> Iterator[Component]:
    """Return the pieces; those that ``of_a_seat`` counts once for each seat, with a seat and that number in the box.

    The game board says how many rounds a game has (0: something else ends it).
    """
    for id, table in tables.items():
        if id == _BOARD:
            yield component("piece", id, {**table, "rounds": rounds})
        elif id in of_a_seat:
            for seat in range(1, seats + 1):
                yield component("piece", f"{id}.{seat}", {**table, "seat": seat, "in_box": of_a_seat[id]})
        else:
            yield component("piece", id, table)


def counted(components: Iterable[Component], counts: Mapping[str, int]) -> list[Component]:
    """The components with how many are in the box: as counted, else as its fact ``in_box`` says."""
    return [replace(each, in_box=counts.get(each.id, _said(each))) for each in components]


def _said(component: Component) -> int:
    said = component.values.get("in_box", 0)
    return said if isinstance(said, int) else 0


def plain(value: object) -> str:
    """A fact for people: lists with commas, lists of lists with semicolons."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ("; " if any(isinstance(entry, list) for entry in value) else ", ").join(map(plain, value))
    if isinstance(value, dict):
        return ", ".join(f"{key}: {plain(entry)}" for key, entry in value.items())
    return str(value)
