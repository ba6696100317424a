"""The zones and markers of a title, bound to a table.

The constructor of a title's bound table declares each zone and marker once::

    class Seat:
        def __init__(self, m: Material, number: int) -> None:
            self.number = number
            self.hand = m.pile("hand", "hand", "Hand", "Hand", visibility=only(number))
            self.points = m.number("points", "track", "Points", "Punkte", chart=True)


    class Nim(Course[Seat]):
        def __init__(self, m: Material, players: int) -> None:
            super().__init__(m, PHASES)
            self.heap = m.pile("heap", "supply", "Heap", "Haufen", contents={"match": 15})
            self.seats = tuple(Seat(m.seat(number), number) for number in range(1, players + 1))

A :class:`Material` binds: it finds each zone and marker on a table by its id and ignores the other arguments. The same
constructor with a :class:`boardkeeper.titlekit.material.Declaration` makes the layout and the catalogue entries.
Constructors run often, so they pass constant texts and templates, not formatted strings.
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
    """Finds the zones and markers of a table, or of a part of it, in which all ids begin with ``own``.

    All methods take the id, the kind (docs/catalogue.md lists them), and the name in English and German. Names are
    templates: ``{component}``, ``{symbol}`` and ``{position}`` stand for those of the entry, and the name of a table of
    words for the word that the last part of the id has there. Without a name the component's name is used, else the id.
    ``position`` is the last number in the id.
    """

    def __init__(self, table: Table, dice: Dice, own: str = "") -> None:
        self.table = table
        self.dice = dice
        self.own = own
        self.declares = False
        self._zone_at = table.zones.index
        self._zones = table.zones.entries
        self._marker_at = table.markers.index
        self._markers = table.markers.entries

    def part(self, own: str) -> Material:
        """The part in which all ids begin so."""
        return Material(self.table, self.dice, own)

    def seat(self, number: int) -> Material:
        """The part of a seat, in which all ids begin with ``seat.N.``."""
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
        """A pile, and what lies in it at first: ``contents``, ``one_each`` of several, ``count`` of ``component``.

        ``component`` is the component that the zone belongs to or is printed on, ``symbol`` the one that is printed on
        it. ``ordered`` numbers the zones of a kind that have no position; zones with a symbol are numbered anyway.
        """
        zone = self._zones[self._zone_at[self.own + id]]
        if not isinstance(zone, Pile):
            raise TypeError(f"{zone.id} is not a pile")
        return zone

    def stack(
        self, id: str, kind: str = "", en: str = "", de: str = "", visibility: str = PUBLIC, component: str = ""
    ) -> Stack:
        """An empty stack."""
        zone = self._zones[self._zone_at[self.own + id]]
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
        """A marker that is a number, ``value`` at first.

        ``zone`` is the id of the zone that the marker is about. ``chart`` draws it in charts.
        """
        marker = self._markers[self._marker_at[self.own + id]]
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
        """A marker that is a word, ``value`` at first: one of a table of ``words``, or a component of certain kinds."""
        marker = self._markers[self._marker_at[self.own + id]]
        if not isinstance(marker, Word):
            raise TypeError(f"{marker.id} is not a word")
        return marker
