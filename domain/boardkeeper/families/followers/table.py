"""Base classes of the tables and seats of titles, and the functions that a title implements (:class:`Hooks`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from boardkeeper.families.followers.data import TECHNOLOGY, FollowersData, Place
from boardkeeper.families.followers.events import StartPlayerChanged
from boardkeeper.families.followers.places import BoundPlace, BoundPlaces, Estate, bind_place
from boardkeeper.table.interning import EMPTY
from boardkeeper.table.visibility import PUBLIC, only, same_as
from boardkeeper.table.zones import FreeSpaces, Number, Pile
from boardkeeper.titlekit.binding import Material
from boardkeeper.titlekit.turn_flow import TurnFlow

P = TypeVar("P", bound=Place)
S = TypeVar("S", bound="AnySeat")

PLACES = ("place", "place_tile", "base_place", "place_card")
"""Kinds of components that are places."""

DRAWS_MADE = ("draws_made", "count", "Followers drawn in this round", "In dieser Runde gezogene Gefolgsleute")
"""Arguments of :meth:`Material.number` for a seat's marker that counts its draws in this round."""


class Phase(NamedTuple):
    """A phase of the round.

    ``begin`` and ``proceed``: see :class:`boardkeeper.titlekit.turn_flow.Phase`. ``apply_event`` applies the event of
    the phase to a seat, unless a Sacristy protects the seat. ``resume`` continues the phase for a seat when its torture
    ends. ``event_name`` is the id of the event in :class:`SacristyUsed` and :class:`EventSuffered`; empty: the event of
    the round.
    """

    begin: Callable[[Any], None]
    proceed: Callable[[Any], None] | None = None
    apply_event: Callable[[Any, Any], None] | None = None
    resume: Callable[[Any, Any], None] | None = None
    event_name: str = ""


CommandLister = Callable[[Any, Any, Any], Sequence[Struct]]
"""A function that returns the legal commands of a seat at an activated place: ``(table, seat, place)``."""


class SentFollower(NamedTuple):
    """A follower that was just sent to a beneficial deed, and the reward that the sender chose."""

    place: str
    follower: str
    deed: str
    reward: str


class Hooks(Protocol):
    """The functions that a title implements. Their arguments ``t`` and ``seat`` have the title's own classes."""

    @property
    def title(self) -> str:
        """The title id, with which its rule ids begin."""

    @property
    def phases(self) -> Mapping[str, Phase]:
        """The phases of the round by name."""

    @property
    def verbs(self) -> Mapping[str, CommandLister]:
        """The functions that return the legal commands at an activated place, by :attr:`Place.verb`."""

    def draw_limit(self, t: Any, seat: Any) -> int:
        """Return how many followers the seat may draw or take back in this round; market and bag can allow fewer."""

    def reward(self, t: Any, seat: Any, sent: SentFollower) -> bool:
        """Grant the reward for a follower sent to a deed, complete the deed if it is full, and emit the event.

        Return whether pending rewards interrupt the action. If they do, the seat is asked for a second follower later.
        """

    def can_surrender(self, t: Any, seat: Any) -> bool:
        """Return whether the seat has anything to give up for a missing coin or good."""


def plan_visibility(data: FollowersData, number: int) -> str:
    """Return the visibility of a seat's market and spaces: that of its screen, or public without sealed planning."""
    return same_as(f"seat.{number}.screen") if data.options.planning == "sealed" else PUBLIC


class FollowersSeat(Generic[P]):
    """The components and markers of one seat.

    Titles create the zones and markers that are only annotated here, because their names differ. ``tiles`` are the
    places that the seat can acquire. A seat does not refer to the table: reference cycles delay the freeing of games.
    """

    __slots__ = (
        "_board", "_data", "_estate", "_tile_items", "_tiles", "arrears", "bag", "coins", "debt", "drawn", "draws_made",
        "farmer_only", "given_up", "market", "number", "passed", "place_tiles", "planned", "screen", "technology",
        "technology_placed", "tiles",
    )  # fmt: skip

    tiles: BoundPlaces[P]
    market: Pile
    place_tiles: Pile
    debt: Number
    farmer_only: Number

    def __init__(self, m: Material, data: FollowersData, number: int) -> None:
        self._data = data
        self.number = number
        self.bag = m.pile("bag", "bag", "Bag", "Beutel", visibility=only(number), component="bag")
        self.drawn = m.pile("drawn", "drawn", "Drawn followers", "Gezogene Gefolgsleute")
        self.technology = m.pile(
            "technology",
            "hand",
            "Unplaced technology tiles",
            "Noch nicht gelegtes Technikplättchen",
            component=TECHNOLOGY,
        )
        self.coins = m.number("coins", "money", "Coins", "Münzen", component="coins", chart=True)
        self.screen = m.word("screen", "screen", "Screen in front of the plan", "Sichtschirm vor der Planung")
        self.passed = m.number("passed", "flag", "Has passed", "Hat gepasst")
        self.planned = m.number("planned", "flag", "Finished planning", "Hat geplant")
        self.given_up = m.number("given_up_draws", "count", "Declined draws", "Nicht gezogene Gefolgsleute")
        self.draws_made = m.number(*DRAWS_MADE) if data.takes_back_after_drawing else None
        self.arrears = m.number("arrears", "due", "Unpaid coins", "Schuldig gebliebene Münzen")
        self.technology_placed = m.number(
            "technology_placed", "count", "Technology tiles placed", "Gelegte Technikplättchen", component=TECHNOLOGY
        )
        places: Mapping[str, Any] = data.places
        screened = plan_visibility(data, number)
        group = FreeSpaces()
        self._board: tuple[BoundPlace[P], ...] = tuple(
            bind_place(places[id], m, group, screened) for id in data.board_places
        )
        self._tiles: tuple[str, ...] = ()
        self._tile_items: Mapping[str, int] = EMPTY
        self._estate: Estate[P] = Estate(data.space_index(()), self._board)

    def estate(self) -> Estate[P]:
        """Return the places that the seat owns now."""
        items = self.place_tiles.items
        # Fast path: piles replace a dictionary with fewer than two kinds instead of changing it.
        if items is self._tile_items and len(items) < 2:
            return self._estate
        self._tile_items = items
        tiles = tuple(items)
        if tiles != self._tiles:
            # Sorted: the order of legal commands must not depend on the order in which the seat acquired the tiles.
            ordered = tuple(sorted(tiles))
            owned = (*self._board, *(self.tiles[tile] for tile in ordered))
            self._estate = Estate(self._data.space_index(ordered), owned)
            self._tiles = tiles
        return self._estate

    def count_draws(self) -> int:
        """Return the number of followers drawn in this round; 0 if the game does not count them."""
        return self.draws_made.value if self.draws_made is not None else 0

    def active_shields(self) -> tuple[BoundPlace[P], ...]:
        """Return the activated places that can cancel an event for the seat (Sacristy)."""
        estate = self.estate()
        if not estate.shields:
            return ()
        free = estate.free()
        return tuple(place for place in estate.shields if place.is_active(free))


class FollowersTable(TurnFlow[S]):
    """The zones and markers that all titles have, named as in the rulebooks."""

    __slots__ = ("acting", "action_place", "data", "deeds", "event", "hooks", "removed", "round", "technology", "tiles")

    phases: Mapping[str, Phase]
    tiles: BoundPlaces[Any]
    """All place tiles, owned or not."""

    def __init__(self, m: Material, data: FollowersData, hooks: Hooks) -> None:
        super().__init__(m, hooks.phases)
        self.hooks = hooks
        self.data = data
        self.round = m.number("round", "round", "Round", "Runde")
        self.acting = m.number("acting_seat", "seat", "Current player", "Wer am Zug ist")
        self.action_place = m.word("action_place", "place", "Place in use", "Ort der laufenden Aktion", words_of=PLACES)
        self.event = m.word(
            "event", "event", "Event of the round", "Ereignis der Runde", words="events", words_of=("event",)
        )
        self.removed = m.pile("removed", "removed", "Out of the game", "Aus dem Spiel")
        self.technology = m.pile("technology", "supply", "Technology tiles", "Technikplättchen", component=TECHNOLOGY)
        self.deeds: dict[str, Pile] = {deed: m.pile(f"deed.{deed}", "deed", component=deed) for deed in data.deeds}

    def rule(self, relative: str) -> str:
        """Return the id of the title's rule for an id without the title."""
        return f"{self.hooks.title}.{relative}"

    def forbidden_follower(self) -> str:
        """Return the follower that no seat may place in this round; empty if none."""
        return ""

    def give_coins(self, seat: S, coins: int) -> None:
        """Give a seat coins from the supply, which never runs out. The seat first pays its arrears."""
        owed = seat.arrears.value
        if owed:
            self.recorder.set(seat.arrears, max(0, owed - coins))
            coins = max(0, coins - owed)
        self.recorder.set(seat.coins, seat.coins.value + coins)

    def pass_start_player(self) -> None:
        """Give the start player token to the next seat."""
        start = self.start.value % len(self.seats) + 1
        self.set(self.start, start)
        self.emit(self.seats[start - 1], StartPlayerChanged())


AnySeat: TypeAlias = FollowersSeat[Any]
"""A seat of any title of the family."""

AnyTable: TypeAlias = FollowersTable[Any]
"""A table of any title of the family."""

AnyPlace: TypeAlias = BoundPlace[Any]
"""A place of any title of the family."""
