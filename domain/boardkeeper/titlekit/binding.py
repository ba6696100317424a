"""The zones and markers of a title, bound to a table.

The constructor of a title's bound table declares each zone and marker once::

    class Seat:
        def __init__(self, m: Material, number: int) -> None:
            self.number = number
            self.hand = m.pile("hand", "hand", "Hand", "Hand", visibility=only(number))
            self.points = m.number("points", "track", "Points", "Punkte", chart=True)


    class Nim(TurnFlow[Seat]):
        def __init__(self, m: Material, players: int) -> None:
            super().__init__(m, PHASES)
            self.heap = m.pile("heap", "supply", "Heap", "Haufen", contents={"match": 15})
            self.seats = tuple(Seat(m.seat(number), number) for number in range(1, players + 1))

The constructor runs in two situations. With a :class:`Material`, it finds each zone and marker on a table by its id;
the other arguments are ignored. With a :class:`boardkeeper.titlekit.material.Declaration`, it makes the layout and
the catalogue entries. It runs often, so pass constant texts and templates, not strings that are formatted in each call.
"""

# ruff: noqa: ARG002  # only a declaration uses the arguments after the id

from __future__ import annotations

from collections.abc import Iterable, Mapping

from boardkeeper.table.dice import Dice
from boardkeeper.table.interning import EMPTY
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import PUBLIC
from boardkeeper.table.zones import Number, Pile, Stack, Word


class Material:
    """Finds the zones and markers of a table whose ids begin with ``prefix``.

    All methods take the id without the prefix, the kind (docs/catalogue.md lists them), and the name in English and
    German. Names are templates: ``{component}`` and ``{symbol}`` are replaced by the names of these components,
    ``{position}`` by the last number in the id, and ``{TABLE}`` by the entry of the table ``[words.TABLE]`` in
    ``material.toml`` for the last part of the id. The default name is that of the component, else the id.
    ``component`` is the component that the zone or marker belongs to. They raise ``KeyError`` if the table has no such
    id, and ``TypeError`` if it has something else with this id.
    """

    def __init__(self, table: Table, dice: Dice, prefix: str = "") -> None:
        self.table = table
        self.dice = dice
        self.prefix = prefix
        self.declares = False
        self._zone_at = table.zones.index
        self._zones = table.zones.entries
        self._marker_at = table.markers.index
        self._markers = table.markers.entries

    def part(self, prefix: str) -> Material:
        """Return the part in which all ids begin with this prefix."""
        return Material(self.table, self.dice, prefix)

    def seat(self, number: int) -> Material:
        """Return the part of a seat, in which all ids begin with ``seat.N.``."""
        return self.part(f"seat.{number}.")

    def pile(
        self,
        id: str,
        kind: str = "",
        en: str = "",
        de: str = "",
        visibility: str = PUBLIC,
        component: str = "",
        symbol: str = "",
        ordered: bool = False,
        contents: Mapping[str, int] = EMPTY,
        one_each: Iterable[str] = (),
        count: int = 0,
    ) -> Pile:
        """Return a pile.

        It starts with ``contents``, one of each component in ``one_each``, and ``count`` of ``component``. ``symbol``
        is the symbol or component that is printed on the zone. ``ordered`` numbers the zones of this kind in the
        catalogue if their ids have no number; zones with a symbol are always numbered.
        """
        zone = self._zones[self._zone_at[self.prefix + id]]
        if not isinstance(zone, Pile):
            raise TypeError(f"{zone.id} is not a pile")
        return zone

    def stack(
        self, id: str, kind: str = "", en: str = "", de: str = "", visibility: str = PUBLIC, component: str = ""
    ) -> Stack:
        """Return a stack, which starts empty."""
        zone = self._zones[self._zone_at[self.prefix + id]]
        if not isinstance(zone, Stack):
            raise TypeError(f"{zone.id} is not a stack")
        return zone

    def number(
        self,
        id: str,
        kind: str = "",
        en: str = "",
        de: str = "",
        visibility: str = PUBLIC,
        component: str = "",
        symbol: str = "",
        zone: str = "",
        chart: bool = False,
        value: int = 0,
    ) -> Number:
        """Return a marker that is a number and starts with ``value``.

        ``zone`` is the id of the zone that the marker describes. ``chart``: clients draw its values as a chart.
        """
        marker = self._markers[self._marker_at[self.prefix + id]]
        if not isinstance(marker, Number):
            raise TypeError(f"{marker.id} is not a number")
        return marker

    def word(
        self,
        id: str,
        kind: str = "",
        en: str = "",
        de: str = "",
        visibility: str = PUBLIC,
        component: str = "",
        words: str = "",
        words_of: tuple[str, ...] = (),
        value: str = "",
    ) -> Word:
        """Return a marker that is a word and starts with ``value``.

        Its values are the keys of the table ``[words.WORDS]`` in ``material.toml``, or the ids of all components of the
        kinds ``words_of``.
        """
        marker = self._markers[self._marker_at[self.prefix + id]]
        if not isinstance(marker, Word):
            raise TypeError(f"{marker.id} is not a word")
        return marker
