"""The names of Orléans bound to the zones and markers of one table, once.

Rules say ``seat.market`` and ``t.supply``; only this module and ``setup.py`` know ids.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from boardkeeper.table.course import Course
from boardkeeper.table.dice import Dice
from boardkeeper.table.table import Table
from boardkeeper.table.zones import Number, Pile
from boardkeeper.titles.orleans import data as tables
from boardkeeper.titles.orleans.data import TRACKS, Data, Hand, Place


class Phase(NamedTuple):
    """A phase of the round (see :class:`boardkeeper.table.course.Phase`), and what it does with seats in between.

    ``suffer`` strikes a seat whose Sacristy did not shield it, ``resume`` is what a seat still has to do once it is no
    longer tortured.
    """

    begin: Callable[[Orleans], None]
    proceed: Callable[[Orleans], None] | None = None
    suffer: Callable[[Orleans, Seat], None] | None = None
    resume: Callable[[Orleans, Seat], None] | None = None


class BoundSpace:
    """An action space of one seat: its pile (one follower or technology tile at most) and what it asks for.

    ``placed`` is the round in which its follower was put there in the planning phase, negative if that follower
    came from the Gunpowder Tower; while that round's planning lasts, the placement may be changed.
    """

    __slots__ = ("bit", "id", "items", "pile", "place", "placed", "requires", "take_back", "withdraw")

    def __init__(self, space: tables.Space, pile: Pile, placed: Number) -> None:
        self.id = space.id
        self.place = space.place
        self.requires = space.requires
        self.bit = space.bit
        self.pile = pile
        self.items = pile.items
        self.placed = placed
        self.withdraw = space.withdraw
        self.take_back = space.take_back

    def occupant(self) -> str:
        """What lies here, or an empty string."""
        for component in self.items:
            return component
        return ""


class BoundPlace:
    """A place of one seat with its spaces."""

    __slots__ = ("filled_at_least", "id", "mask", "place", "spaces", "verb")

    def __init__(self, place: Place, spaces: tuple[BoundSpace, ...]) -> None:
        self.id = place.id
        self.place = place
        self.spaces = spaces
        self.mask = place.mask
        self.verb = place.verb
        self.filled_at_least = place.filled_at_least

    def is_active(self, free: int) -> bool:
        """Whether enough of its spaces are filled, given the seat's free spaces as a mask."""
        if self.filled_at_least:
            return (free & self.mask) != self.mask
        return self.mask != 0 and not free & self.mask


class Estate:
    """What a seat owns: the places of its player board and its place tiles.

    ``actions`` are the places that can be used in phase 5, ``storage`` the spaces that extend the market.
    """

    __slots__ = ("actions", "hand", "places", "shields", "slots", "spaces", "storage")

    def __init__(self, hand: Hand, places: tuple[BoundPlace, ...]) -> None:
        self.hand = hand
        self.places = {place.id: place for place in places}
        self.spaces = {(space.place, space.id): space for place in places for space in place.spaces}
        self.slots = tuple((space.bit, space.items) for space in self.spaces.values())
        self.actions = tuple(place for place in places if place.mask and not place.place.cancels_event)
        self.shields = tuple(place for place in places if place.place.cancels_event)
        self.storage = tuple(space for place in places if place.place.market_extension for space in place.spaces)

    def free(self) -> int:
        """The spaces on which nothing lies, as a mask."""
        free = 0
        for bit, items in self.slots:
            if not items:
                free |= bit
        return free


class Seat:
    """One player's side of the table.

    It knows what it needs of the table, not the table: so a game that nobody holds any more is freed at once.
    """

    __slots__ = (
        "_board",
        "_data",
        "_estate",
        "_place_tiles",
        "_tiles",
        "_towns",
        "arrears",
        "bag",
        "best_development",
        "citizens",
        "coins",
        "debt",
        "development",
        "drawn",
        "draws_made",
        "farmer_only",
        "food_due",
        "given_up",
        "goods",
        "market",
        "merchant",
        "number",
        "passed",
        "place_tiles",
        "planned",
        "screen",
        "station",
        "stations",
        "technology",
        "technology_placed",
        "track",
    )  # fmt: skip

    def __init__(self, t: Orleans, number: int) -> None:
        table = t.table
        own = f"seat.{number}"
        self._data = t.data
        self._place_tiles = t.tiles
        self._towns = t.towns
        self.number = number
        self.station = f"{tables.STATION}.{number}"
        self.bag = table.pile(f"{own}.bag")
        self.market = table.pile(f"{own}.market")
        self.drawn = table.pile(f"{own}.drawn")
        self.goods = table.pile(f"{own}.goods")
        self.citizens = table.pile(f"{own}.citizens")
        self.stations = table.pile(f"{own}.stations")
        self.technology = table.pile(f"{own}.technology")
        self.place_tiles = table.pile(f"{own}.place_tiles")
        self.coins = table.number(f"{own}.coins")
        self.track = {track: table.number(f"{own}.{track}") for track in TRACKS}
        self.development = table.number(f"{own}.development")
        self.merchant = table.word(f"{own}.merchant")
        self.screen = table.word(f"{own}.screen")
        self.passed = table.number(f"{own}.passed")
        self.planned = table.number(f"{own}.planned")
        self.given_up = table.number(f"{own}.given_up_draws")
        self.draws_made = table.number(f"{own}.draws_made") if t.data.takes_back_after_drawing else None
        self.debt = table.number(f"{own}.debt")
        self.arrears = table.number(f"{own}.arrears")
        self.best_development = table.number(f"{own}.best_development")
        self.food_due = table.number(f"{own}.food_due")
        self.technology_placed = table.number(f"{own}.technology_placed")
        self.farmer_only = table.number(f"{own}.farmer_only_technology")
        self._board = tuple(t.bind_place(id, own) for id in t.data.board_places)
        self._tiles: tuple[str, ...] = ()
        self._estate = Estate(t.data.hand(()), self._board)

    def estate(self) -> Estate:
        """The places the seat owns now."""
        tiles = tuple(self.place_tiles.items)
        if tiles != self._tiles:
            # In a fixed order, so that what is legal is listed alike however the tiles came here.
            ordered = tuple(sorted(tiles))
            owned = (*self._board, *(self._place_tiles[tile] for tile in ordered))
            self._estate = Estate(self._data.hand(ordered), owned)
            self._tiles = tiles
        return self._estate

    def status(self) -> int:
        """The development status (reading ``torture_status``: where the marker is, or the best it ever was)."""
        data = self._data
        kept = data.readings.torture_status == "kept"
        return data.status_at[self.furthest_development() if kept else self.development.value]

    def furthest_development(self) -> int:
        """The furthest that the marker has been on the development track; steps back remember where they began."""
        return max(self.development.value, self.best_development.value)

    def made_draws(self) -> int:
        """How many followers the seat has drawn in this round, where that matters after the draw."""
        return self.draws_made.value if self.draws_made is not None else 0

    def shields(self) -> tuple[BoundPlace, ...]:
        """The activated places that can cancel an event for the seat (Sacristy)."""
        estate = self.estate()
        if not estate.shields:
            return ()
        free = estate.free()
        return tuple(place for place in estate.shields if place.is_active(free))

    def built_stations(self) -> int:
        """How many trading stations the seat has on the map."""
        station = self.station
        return sum(1 for town in self._towns.values() if station in town.items)


class Orleans(Course[Seat]):
    """One table of Orléans: its zones and markers by the names of the rulebook."""

    __slots__ = (
        "acting", "action_place", "box", "citizen_of_stations", "cursor", "data", "deeds",
        "development_citizens", "event", "goods_market", "goods_pile", "hour_glass", "place_tiles", "removed", "round",
        "strength", "supply", "technology", "tiles", "towns", "track_citizens", "turned", "turned_now", "ways",
    )  # fmt: skip

    phases: Mapping[str, Phase]

    def __init__(self, table: Table, dice: Dice, data: Data, players: int, phases: Mapping[str, Phase]) -> None:
        super().__init__(table, dice, phases)
        self.data = data
        self.round = table.number("round")
        self.acting = table.number("acting_seat")
        self.cursor = table.number("cursor")
        self.action_place = table.word("action_place")
        self.event = table.word("event")
        self.strength = table.word("strength")
        self.box = table.pile("box")
        self.removed = table.pile("removed")
        self.supply = table.pile("supply")
        self.technology = table.pile("technology")
        self.goods_pile = table.pile("goods")
        self.goods_market = table.pile("goods_market")
        self.place_tiles = {category: table.pile(f"place_tiles.{category}") for category in ("1", "2")}
        self.hour_glass = {pile: table.pile(f"hour_glass.{pile}") for pile in data.piles}
        self.turned_now = table.pile("hour_glass.current")
        self.turned = table.pile("hour_glass.past")
        self.ways = {way.id: table.pile(f"way.{way.id}") for way in data.ways}
        self.towns = {town: table.pile(f"town.{town}") for town in data.towns}
        self.deeds = {deed: table.pile(f"deed.{deed}") for deed in data.deeds}
        self.development_citizens = {
            space: table.pile(f"track.development.{space}") for space in data.development_citizens
        }
        self.track_citizens = {track: table.pile(f"track.{track}") for track in data.track_citizens}
        self.citizen_of_stations = table.pile("most_stations")
        self.tiles = {tile: self.bind_place(tile, "place") for tile in data.place_tiles}
        self.seats = tuple(Seat(self, number) for number in range(1, players + 1))

    def bind_place(self, id: str, owner: str) -> BoundPlace:
        """A place with its spaces' piles; place tiles have spaces of their own, whoever owns them."""
        place = self.data.places[id]
        spaces = []
        for space in place.spaces:
            zone = f"{owner}.{id}.{space.id}"
            spaces.append(BoundSpace(space, self.table.pile(zone), self.table.number(f"{zone}.placed")))
        return BoundPlace(place, tuple(spaces))

    def gain(self, seat: Seat, coins: int) -> None:
        """Give a seat coins from the supply, which never runs out; what it still owes it pays at once."""
        owed = seat.arrears.value
        if owed:
            self.recorder.set(seat.arrears, max(0, owed - coins))
            coins = max(0, coins - owed)
        self.recorder.set(seat.coins, seat.coins.value + coins)
