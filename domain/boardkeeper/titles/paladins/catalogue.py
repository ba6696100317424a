"""The components of an edition for the catalogue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from boardkeeper.titlekit.components import component_with, components_of, list_pieces, make_component, with_box_counts
from boardkeeper.titlekit.title import Component, Difference, Text
from boardkeeper.titlekit.title_files import text_of
from boardkeeper.titles.paladins.meta import tables_of

_KINDS = {
    "workers": "worker",
    "attributes": "attribute",
    "suits": "suit",
    "actions": "action",
    "paladins": "paladin",
    "townsfolk": "townsfolk",
    "outsiders": "outsider",
}
_NUMBERED = {"favours": "favour", "walls": "wall", "tavern": "tavern", "suspicion": "suspicion"}
_BOARDS = ("columns", "townsfolk_row", "tax", "workshops", "jars", "points", "opponent")
_OF_A_SEAT = ("monk", "outpost")
"""Pieces of a seat that players place on the main board."""

_REGION: Text = {"en": "Region", "de": "Bereich"}
_SPACE: Text = {"en": "space", "de": "Feld"}
_JAR_SPACE: Text = {"en": "Jar Space", "de": "Krugfeld"}


def components(edition: str) -> list[Component]:
    """Return all components of an edition; raises ``ValueError`` for an unknown edition."""
    tables = tables_of(edition)
    found = components_of(tables, _KINDS)
    found += _numbered_cards(tables)
    found += _action_cards(tables)
    found += _spaces(tables)
    found += [make_component("board", id, tables[id]) for id in _BOARDS]
    own = {id: tables["each_seat"][id] for id in _OF_A_SEAT}
    found += list_pieces(tables["pieces"], own, max(tables["edition"]["players"]), tables["game"]["rounds"])
    return with_box_counts(found, _box_counts(tables))


def differences() -> list[Difference]:
    """Return the differences between editions: none, because Paladins has one edition."""
    return []


def _numbered_cards(tables: dict[str, Any]) -> Iterator[Component]:
    """Yield the cards without a name. Their text is the kind and the number at the end of the id."""
    for group, kind in _NUMBERED.items():
        for id, table in tables[group].items():
            number = str(int(id.rpartition("_")[2]))
            yield component_with(id, kind, _join(tables["cards"][kind], " ", number), table, table["provenance"])


def _action_cards(tables: dict[str, Any]) -> Iterator[Component]:
    """Yield orders and schemes. Their text is the kind and the action, order or favour."""
    about = {**tables["cards"], **tables["actions"]}
    for group, kind in (("orders", "order"), ("schemes", "scheme")):
        for id, table in tables[group].items():
            text = _join(tables["cards"][kind], ": ", text_of(about[id]))
            yield component_with(f"{kind}_{id}", kind, text, table, table["provenance"])


def _spaces(tables: dict[str, Any]) -> Iterator[Component]:
    """Yield the spaces of the main board, numbered by region, and the jar spaces."""
    places: Counter[int] = Counter()
    for id, table in tables["spaces"].items():
        region = table["region"]
        places[region] += 1
        text = _join(_join(_REGION, f" {region}, ", _SPACE), " ", str(places[region]))
        yield component_with(id, "space", text, table, table["provenance"])
    for number, (id, table) in enumerate(tables["jar_spaces"].items(), 1):
        yield component_with(
            f"jar_space_{id}", "jar_space", _join(_JAR_SPACE, " ", str(number)), table, table["provenance"]
        )


def _box_counts(tables: dict[str, Any]) -> dict[str, int]:
    """Return how many of each card are in the box: one, the number in its table, or one for each seat."""
    groups = ("townsfolk", "outsiders", "favours", "walls", "tavern")
    return {
        **{id: 1 for group in groups for id in tables[group]},
        **{f"order_{id}": 1 for id in tables["orders"]},
        **dict.fromkeys(tables["paladins"], max(tables["edition"]["players"])),
        **{id: table["count"] for id, table in tables["suspicion"].items()},
        **{f"scheme_{id}": table["count"] for id, table in tables["schemes"].items()},
    }


def _join(first: Text, between: str, second: Text | str) -> Text:
    """Join two names in every language; a string is equal in all languages."""
    return {
        language: first[language] + between + (second if isinstance(second, str) else second[language])
        for language in text_of(first)
    }
