"""Options and readings: read ``choices.toml`` and the editions, and make the data of a game from its setup.

``choices.toml`` has a table for each option and reading, in the order of the catalogue::

    [options.<id>]
    en = "…"                    # the question, in every language
    de = "…"
    rule = "<title>.<rule>"     # the rule that it changes
    legacy_choice = "<choice>"  # optional: the choice of games that are older than the option
    editions = ["<edition>"]    # optional: the editions that have it
    [options.<id>.choices.<choice>]
    en = "…"                    # the answer; the first choice is the default
    de = "…"
    players = [2]               # optional: the numbers of players that can choose it

and the same below ``readings``. ``editions/*.toml`` has the players, rulebook and selected readings of each edition;
the tables of components have the colours of seats.

The data module of a title makes structs from the choices::

    Readings = chosen_type("Readings", META.readings, Chosen)
    Options = chosen_type("Options", META.options, Chosen)


    class Data:
        def __init__(self, tables: dict[str, Any], readings: Chosen, options: Chosen) -> None: ...


    data_for = data_reader(META, Readings, Options, lambda edition, *chosen: Data(tables_of(edition), *chosen))

The rules then read ``data.readings.<id>``, which is the id of a choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from msgspec import Struct

from boardkeeper.table.decoding import struct_type
from boardkeeper.titlekit.title import ChoiceMeta, EditionMeta, OptionMeta, SeatColor, Setup, Supply, TitleMeta
from boardkeeper.titlekit.title_files import read_toml, text_of

R = TypeVar("R", bound=Struct)
P = TypeVar("P", bound=Struct)
D = TypeVar("D")

Items = tuple[tuple[str, str], ...]


class Choices(NamedTuple):
    """All options and readings of a title."""

    options: tuple[OptionMeta, ...]
    readings: tuple[OptionMeta, ...]


# --- the catalogue ----------------------------------------------------------------------------------------------


def read_choices(package: str, found: Mapping[str, Mapping[str, Any]] = MappingProxyType({})) -> Choices:
    """Read the ``choices.toml`` of a package.

    ``found`` has choices that the file leaves out: by option id, the texts of each choice in every language.
    """
    tables = read_toml(package, "choices.toml")
    options = {
        id: {**table, "choices": found.get(id) or table["choices"]} for id, table in tables.get("options", {}).items()
    }
    return Choices(_read_options(options), _read_options(tables.get("readings", {})))


def _read_options(tables: Mapping[str, Any]) -> tuple[OptionMeta, ...]:
    return tuple(
        OptionMeta(
            id=id,
            text=text_of(table),
            choices=tuple(
                ChoiceMeta(choice, text_of(entry), tuple(entry.get("players", ())))
                for choice, entry in table["choices"].items()
            ),
            default=next(iter(table["choices"])),
            rule=table["rule"],
            legacy_choice=table.get("legacy_choice", ""),
            editions=tuple(table.get("editions", ())),
        )
        for id, table in tables.items()
    )


def edition_meta(
    id: str, tables: dict[str, Any], supplies: Callable[[dict[str, Any]], Iterable[Supply]] = lambda _: ()
) -> EditionMeta:
    """Return the catalogue entry of an edition; ``supplies`` makes its supplies from its tables."""
    edition = tables["edition"]
    players = edition["players"]
    return EditionMeta(
        id=id,
        text=text_of(edition),
        players=(min(players), max(players)),
        rulebook=text_of(edition["rulebook"]),
        readings=tables.get("readings", {}),
        seat_colors=_seat_colors(tables.get("seat_colors", {}), max(players)),
        supplies=tuple(supplies(tables)),
    )


def _seat_colors(tables: Mapping[str, Any], seats: int) -> tuple[SeatColor, ...]:
    colors = [(seat, tables[str(seat)]) for seat in range(1, seats + 1)] if tables else []
    return tuple(SeatColor(seat, color["id"], text_of(color), color["provenance"]) for seat, color in colors)


# --- the choices of a game --------------------------------------------------------------------------------------


class Chosen(Struct, frozen=True):
    """The options or readings of a game: for each an attribute, whose value is the id of a choice."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> str:
            """Return the id of the choice."""


def chosen_type(name: str, choices: Iterable[OptionMeta], base: type[R]) -> type[R]:
    """Return a struct type with a field for each option or reading, whose default is that of the catalogue.

    ``base`` is :class:`Chosen`, or the struct of a family of titles with the choices that the family's rules read.
    """
    fields = [(choice.id, str, choice.default) for choice in choices]
    return cast("type[R]", struct_type(name, fields, base))


def data_reader(
    meta: TitleMeta, readings: type[R], options: type[P], make: Callable[[str, R, P], D]
) -> Callable[[Setup], D]:
    """Return a cached function that returns the data of a title for a setup.

    ``make`` makes the data from the edition (id), the readings and the options. The function raises ``ValueError`` for
    an unknown edition, reading or option.
    """
    make_data = lru_cache(maxsize=64)(make)

    @lru_cache(maxsize=64)  # checking the choices of a setup costs about as much as a decision
    def data_for_items(edition: str, options_items: Items, readings_items: Items) -> D:
        setup = Setup(edition, 0, dict(options_items), dict(readings_items))
        return make_data(edition, *chosen(meta, setup, readings, options))

    def data_for(setup: Setup) -> D:
        return data_for_items(setup.edition, tuple(setup.options.items()), tuple(setup.readings.items()))

    return data_for


def chosen(meta: TitleMeta, setup: Setup, readings: type[R], options: type[P]) -> tuple[R, P]:
    """Return the readings and options of a game as structs.

    If the setup lacks a choice, the edition's choice is used, else the default of the struct. Setups of stored games
    get the choices of :meth:`TitleMeta.with_legacy_choices`. Raises ``ValueError`` for an unknown edition, reading or
    option.
    """
    selected = next((edition.readings for edition in meta.editions if edition.id == setup.edition), None)
    if selected is None:
        raise ValueError(f"{meta.id} has no edition {setup.edition!r}")
    if _is_of_stored_game(meta, setup):
        setup = meta.with_legacy_choices(setup)
    return (
        _make_chosen(f"{meta.id} has no reading", readings, {**selected, **setup.readings}),
        _make_chosen(f"{meta.id} has no option", options, setup.options),
    )


def _is_of_stored_game(meta: TitleMeta, setup: Setup) -> bool:
    """Return whether a setup names all readings without a legacy choice, as stored games do."""
    required = (reading for reading in meta.readings if not reading.legacy_choice and reading.is_for(setup.edition))
    return all(reading.id in setup.readings for reading in required)


def _make_chosen(problem: str, kind: type[R], choices: Mapping[str, str]) -> R:
    unknown = set(choices) - set(kind.__struct_fields__)
    if unknown:
        raise ValueError(f"{problem} {min(unknown)!r}")
    return kind(**choices)
