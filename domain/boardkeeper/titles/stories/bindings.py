"""The names of Orléans Stories bound to the zones and markers of one table, once.

Rules say ``seat.settlers`` and ``t.areas``; only this module, the family's and ``setup.py`` know ids.
"""

from __future__ import annotations

from collections.abc import Iterator

from boardkeeper.families.followers import places
from boardkeeper.families.followers.table import FollowersSeat, FollowersTable, Hooks
from boardkeeper.table.dice import Dice
from boardkeeper.table.table import Table
from boardkeeper.table.zones import Number, Pile
from boardkeeper.titles.stories.data import (
    CATEGORIES,
    CHURCH,
    FORTRESS,
    SETTLER,
    START_VILLAGE,
    Cell,
    Data,
    Effect,
    Era,
    Place,
)

BoundPlace = places.BoundPlace[Place]
"""A place of one seat with its spaces."""


class Area:
    """A space of the map with what stands on it."""

    __slots__ = ("cell", "pile", "village")

    def __init__(self, cell: Cell, pile: Pile, village: Number) -> None:
        self.cell = cell
        self.pile = pile
        self.village = village

    @property
    def id(self) -> str:
        """The id of the space."""
        return self.cell.id

    @property
    def neighbours(self) -> tuple[str, ...]:
        """The ids of the spaces beside it."""
        return self.cell.neighbours

    def is_village(self) -> bool:
        """Whether a village stands here, one's first or one that was built."""
        return bool(self.village.value) or START_VILLAGE in self.pile.items

    def settled_by(self) -> Iterator[int]:
        """The seats that have a settler here."""
        return _owners(SETTLER, self.pile.items)

    def fortified_by(self) -> int:
        """The seat whose fortress stands here; 0 for none."""
        return next(_owners(FORTRESS, self.pile.items), 0)

    def has_church(self) -> bool:
        """Whether a church stands here."""
        return CHURCH in self.pile.items


def _owners(piece: str, items: dict[str, int]) -> Iterator[int]:
    return (int(component[len(piece) + 1 :]) for component in items if component.startswith(f"{piece}."))


class Seat(FollowersSeat[Place]):
    """One player's side of the table."""

    __slots__ = (
        "base_places",
        "bonus_due",
        "carried_out",
        "churches_built",
        "citizens",
        "dealt",
        "declares",
        "era_reached",
        "fame",
        "fame_due",
        "fortress",
        "fortresses",
        "goods",
        "message",
        "nation",
        "noted",
        "on_tracks",
        "owed",
        "peace",
        "returned",
        "settler",
        "settlers",
        "trades",
    )  # fmt: skip

    _data: Data

    def __init__(self, t: Stories, number: int) -> None:
        table = t.table
        own = f"seat.{number}"
        base = places.BoundPlaces(t.data.base_places, t.data.places, table, own, others=t.tiles)
        super().__init__(table, t.data, base, number)
        self.settler = f"{SETTLER}.{number}"
        self.fortress = f"{FORTRESS}.{number}"
        self.goods = table.pile(f"{own}.goods")
        self.base_places = table.pile(f"{own}.base_places")
        self.settlers = table.pile(f"{own}.settlers")
        self.fortresses = table.pile(f"{own}.fortresses")
        self.on_tracks = table.pile(f"{own}.on_tracks")
        self.fame = table.number(f"{own}.fame")
        self.era_reached = table.number(f"{own}.era")
        self.carried_out = table.number(f"{own}.carried_out")
        self.peace = table.number(f"{own}.peace")
        self.citizens = table.number(f"{own}.citizens")
        self.fame_due = table.number(f"{own}.fame_due")
        self.bonus_due = table.number(f"{own}.bonus_due")
        self.owed = table.number(f"{own}.owed")
        self.churches_built = table.number(f"{own}.churches_built")
        if t.data.nations:
            self.nation = table.pile(f"{own}.nation")
            self.dealt, self.message, self.returned = (
                table.pile(f"{own}.{zone}") for zone in ("dealt", "message", "returned")
            )
            self.declares = table.number(f"{own}.declares")
        if t.data.nations and t.data.chosen.look_is_public == "no":
            self.noted = table.word(f"{own}.noted")
        self.trades = table.number(f"{own}.trades")

    def era(self) -> Era:
        """The era on which the seat's figure is."""
        return self._data.eras[self.era_reached.value]


class Stories(FollowersTable[Seat]):
    """One table of a story: its zones and markers by the names of the rulebook."""

    __slots__ = (
        "areas", "aside", "bonus", "bonus_stack", "box", "cards", "churches", "completed", "cursor", "events",
        "fulfilled", "goods_market", "landscapes", "lost", "messages", "mission", "missions", "nations", "start_tokens",
        "supply", "towns", "turned", "turned_now",
    )  # fmt: skip

    data: Data

    def __init__(self, table: Table, dice: Dice, data: Data, players: int, hooks: Hooks) -> None:
        super().__init__(table, dice, data, hooks)
        self.cursor = table.number("cursor")
        self.box = table.pile("box")
        self.supply = table.pile("supply")
        self.goods_market = table.pile("goods_market")
        self.churches = table.pile("churches")
        self.landscapes = table.pile("landscapes")
        self.start_tokens = table.pile("start_tokens")
        self.cards = {category: table.pile(f"cards.{category}") for category in CATEGORIES}
        self.events = {letter: table.pile(f"events.{letter}") for letter in data.event_letters}
        self.turned_now = table.pile("events.current")
        self.turned = table.pile("events.past")
        self.areas = {
            id: Area(cell, table.pile(f"area.{id}"), table.number(f"area.{id}.village"))
            for id, cell in data.cells(players).items()
            if id not in data.towns
        }
        self.towns = {
            id: Area(cell, table.pile(f"area.{id}"), table.number(f"area.{id}.village"))
            for id, cell in data.cells(players).items()
            if id in data.towns
        }
        if data.bonus_tiles:
            self.bonus = {era: table.pile(f"bonus.{era}") for era in data.eras}
            self.bonus_stack, self.aside = table.pile("bonus.stack"), table.pile("bonus.aside")
        if data.nations:
            self.nations, self.messages = table.pile("nations"), table.pile("messages")
            self.missions = table.pile("missions")
            self.fulfilled = {nation: table.number(f"mission.{nation}.fulfilled") for nation in data.nations}
            self.lost = table.word("lost")
            self.mission = {nation: table.pile(f"mission.{nation}") for nation in data.nations}
        self.completed = {deed: table.number(f"deed.{deed}.completed") for deed in data.deeds}
        self.tiles = places.BoundPlaces(data.place_cards, data.places, table, "place")
        self.seats = tuple(Seat(self, number) for number in range(1, players + 1))

    def forbids(self, what: str) -> bool:
        """Whether the event of this round forbids that (``conquest``)."""
        return self.card().get("forbid") == what

    def kept_away(self) -> str:
        """The followers that nobody may place in this round (stories.events.crusade); empty for none."""
        return str(self.card().get("forbid_placing", ""))

    def card(self) -> Effect:
        """What the event card of this round says; nothing if there is none."""
        event = self.data.events.get(self.event.value)
        return event.effect if event else {}
