"""What was chosen for a game, as structs made from ``choices.toml``, and the title's data for it.

A title's data module says::

    Readings = chosen_type("Readings", META.readings)
    Options = chosen_type("Options", META.options)


    class Data:
        def __init__(self, tables: dict[str, Any], readings: Chosen, options: Chosen) -> None: ...


    data_for = data_reader(META, Readings, Options, lambda edition, *chosen: Data(tables_of(edition), *chosen))

The rules then read ``data.readings.<id>``; its value is the id of a choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar, cast

from msgspec import Struct

from boardkeeper.table.decoding import struct_type
from boardkeeper.titlekit.choices_file import chosen
from boardkeeper.titlekit.title import OptionMeta, Setup, TitleMeta


class Chosen(Struct, frozen=True):
    """The options or readings of a game: an attribute for each, whose value is the id of a choice."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> str:
            """Return the id of the choice."""


R = TypeVar("R", bound=Chosen)
P = TypeVar("P", bound=Chosen)
D = TypeVar("D")

Items = tuple[tuple[str, str], ...]


def chosen_type(name: str, choices: Iterable[OptionMeta], base: type[R]) -> type[R]:
    """Make a struct with a field for each option or reading, whose default is that of the catalogue.

    ``base`` is :class:`Chosen`, or a family's struct with the choices that the family's rules read.
    """
    fields = [(choice.id, str, choice.default) for choice in choices]
    return cast("type[R]", struct_type(name, fields, base))


def data_reader(
    meta: TitleMeta, readings: type[R], options: type[P], make: Callable[[str, R, P], D]
) -> Callable[[Setup], D]:
    """Return the function that finds a game's data, which all games with the same edition and choices share.

    It raises ``ValueError`` for an unknown edition, reading or option.
    """
    made = lru_cache(maxsize=64)(make)

    @lru_cache(maxsize=64)  # Every new table asks, and checking the choices costs about as much as a decision.
    def checked(edition: str, options_items: Items, readings_items: Items) -> D:
        setup = Setup(edition, 0, dict(options_items), dict(readings_items))
        return made(edition, *chosen(meta, setup, readings, options))

    def data_for(setup: Setup) -> D:
        return checked(setup.edition, tuple(setup.options.items()), tuple(setup.readings.items()))

    return data_for
