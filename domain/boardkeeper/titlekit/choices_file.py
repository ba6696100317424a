"""What can be chosen when a game is created, from a title's files, and what was chosen, as the title's own structs.

``choices.toml`` has a table for each option and reading, in the order of the catalogue::

    [options.<id>]
    en = "…"                    # the question, in every language
    de = "…"
    rule = "<title>.<rule>"     # the rule that it is about
    unsaid = "<choice>"         # what holds in games from before there was this to choose; seldom
    editions = ["<edition>"]    # in which there is this to choose; left out: in all
    [options.<id>.choices.<choice>]
    en = "…"                    # the answer; the first choice is the default
    de = "…"
    players = [2]               # with how many players it can be chosen; left out: with any number

and the same below ``readings``. An edition names its players, its rulebook and the readings that it selects in
``editions/*.toml``; the colours of seats stand in the tables of components.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct

from boardkeeper.titlekit.title import ChoiceMeta, EditionMeta, OptionMeta, SeatColor, Setup, Supply, TitleMeta
from boardkeeper.titlekit.title_files import read_toml, text_of

R = TypeVar("R", bound=Struct)
P = TypeVar("P", bound=Struct)


class Choices(NamedTuple):
    """All that a title lets one choose."""

    options: tuple[OptionMeta, ...]
    readings: tuple[OptionMeta, ...]


def read_choices(package: str, found: Mapping[str, Mapping[str, Any]] = MappingProxyType({})) -> Choices:
    """The choices of a title, in the order of its ``choices.toml``.

    ``found`` are, by the id of an option, the choices that the file leaves out, with what they say in every language.
    """
    tables = read_toml(package, "choices.toml")
    options = {
        id: {**table, "choices": found.get(id) or table["choices"]} for id, table in tables.get("options", {}).items()
    }
    return Choices(_choices(options), _choices(tables.get("readings", {})))


def _choices(tables: Mapping[str, Any]) -> tuple[OptionMeta, ...]:
    return tuple(
        OptionMeta(
            id=id,
            text=text_of(table),
            choices=tuple(
                ChoiceMeta(choice, text_of(said), tuple(said.get("players", ())))
                for choice, said in table["choices"].items()
            ),
            default=next(iter(table["choices"])),
            rule=table["rule"],
            unsaid=table.get("unsaid", ""),
            editions=tuple(table.get("editions", ())),
        )
        for id, table in tables.items()
    )


def edition_meta(
    id: str, tables: dict[str, Any], supplies: Callable[[dict[str, Any]], Iterable[Supply]] = lambda _: ()
) -> EditionMeta:
    """Return an edition for the catalogue; ``supplies`` returns a table's contents by number of players."""
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
    """The colours of as many seats as the edition has."""
    colors = [(seat, tables[str(seat)]) for seat in range(1, seats + 1)] if tables else []
    return tuple(SeatColor(seat, color["id"], text_of(color), color["provenance"]) for seat, color in colors)


# --- what was chosen -------------------------------------------------------------------------------------------


def chosen(meta: TitleMeta, setup: Setup, readings: type[R], options: type[P]) -> tuple[R, P]:
    """What holds in a game: each field of the two structs is a reading or an option, its value one of the choices.

    What the setup leaves open is as the edition selects, else as the struct's default says. The setup of a game from
    before there was something to choose is understood as it was meant. Raises ``ValueError`` for an unknown edition,
    reading or option.
    """
    selected = next((edition.readings for edition in meta.editions if edition.id == setup.edition), None)
    if selected is None:
        raise ValueError(f"{meta.id} has no edition {setup.edition!r}")
    if _is_of_a_game(meta, setup):
        setup = meta.understood(setup)
    return (
        _known(f"{meta.id} has no reading", readings, {**selected, **setup.readings}),
        _known(f"{meta.id} has no option", options, setup.options),
    )


def _is_of_a_game(meta: TitleMeta, setup: Setup) -> bool:
    """Whether a game was created with it: that says at least all readings there have always been in its edition."""
    asked = (reading for reading in meta.readings if not reading.unsaid and reading.is_for(setup.edition))
    return all(reading.id in setup.readings for reading in asked)


def _known(refusal: str, kind: type[R], chosen: Mapping[str, str]) -> R:
    unknown = set(chosen) - set(kind.__struct_fields__)
    if unknown:
        raise ValueError(f"{refusal} {min(unknown)!r}")
    return kind(**chosen)
