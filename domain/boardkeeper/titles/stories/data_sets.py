"""Data sets: what boards, cards and costs say where no text that we have does, in files that can be swapped whole.

A set is a file in ``data_sets/``. Its *blocks* are its tables at the top, for every edition, and those below
``editions.<edition>``, for that one; ``[set]`` names it. A set with a ``base`` has all other blocks from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

from boardkeeper.table.tables import merged, read_toml, text_of
from boardkeeper.table.title import Text

NAMED = (
    *("landscapes", "places", "base_places", "place_cards", "deeds"),
    *("events", "bonus_tiles", "missions", "messages"),
)
"""The blocks of things that sentences call by their names."""

DEFAULT = "reconstructed-1"
"""The set that a game is played with if nobody chooses one, and that the catalogue tells of."""

Table = Mapping[str, Any]

HEAD = "set"
EDITIONS = "editions"


@lru_cache(maxsize=1)
def names() -> tuple[str, ...]:
    """The sets that there are: the default one, then the others by name."""
    folder = files(__package__) / "data_sets"
    found = {entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")}
    return (DEFAULT, *sorted(found - {DEFAULT}))


def choices() -> dict[str, Text]:
    """What the sets say of themselves in every language, by name, as choices of a game."""
    return {name: text_of(read(name)[HEAD]) for name in names()}


@lru_cache(maxsize=16)
def read(name: str) -> dict[str, Any]:
    """A set with all that it has of its base, not to be changed; raises ``ValueError``."""
    if name not in names():
        raise ValueError(f"stories has no data set {name!r}")
    own = read_toml(__package__, "data_sets", f"{name}.toml")
    base = own[HEAD].get("base")
    return over(read(base), own) if base else own


def over(base: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """A set over its base: each of its blocks replaces the base's whole."""
    of_editions = {**base[EDITIONS]}
    for edition, blocks in own.get(EDITIONS, {}).items():
        of_editions[edition] = {**of_editions.get(edition, {}), **blocks}
    return {**base, **own, EDITIONS: of_editions}


def of_edition(name: str, edition: str) -> dict[str, Any]:
    """The tables that a set has for an edition; raises ``ValueError`` for an unknown set."""
    data_set = read(name)
    shared = {block: table for block, table in data_set.items() if block not in (HEAD, EDITIONS)}
    return merged(shared, data_set[EDITIONS].get(edition, {}))


def things(data_set: Table) -> Iterator[tuple[str, Table]]:
    """Everything in a set that has a name and an id of its own, with that id."""
    blocks = [*data_set.items(), *(block for of_story in data_set[EDITIONS].values() for block in of_story.items())]
    for block, table in blocks:
        if block in NAMED:
            yield from table.items()
