"""A table of the family in play, what a title has to say on it, and one seat's side of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from boardkeeper.families.followers.data import FollowersData, Place
from boardkeeper.families.followers.places import BoundPlace, BoundPlaces, Estate, bind
from boardkeeper.table.course import Course
from boardkeeper.table.dice import Dice
from boardkeeper.table.table import Table
from boardkeeper.table.zones import Pile

P = TypeVar("P", bound=Place)
S = TypeVar("S", bound="AnySeat")


class Phase(NamedTuple):
    """A phase of the round (see :class:`boardkeeper.table.course.Phase`), and what it does with seats in between.

    ``suffer`` strikes a seat whose Sacristy did not shield it, ``resume`` is what a seat still has to do once it is no
    longer tortured. ``strikes`` names what strikes if it is not the event of the round.
    """

    begin: Callable[[Any], None]
    proceed: Callable[[Any], None] | None = None
    suffer: Callable[[Any, Any], None] | None = None
    resume: Callable[[Any, Any], None] | None = None
    strikes: str = ""


Listing = Callable[[Any, Any, Any], Sequence[Struct]]
"""Lists what a seat can do with an activated place of its own, given the table, the seat and the place."""


class Sent(NamedTuple):
    """A follower that has just joined a beneficial deed, and which of its rewards the sender chose."""

    place: str
    follower: str
    deed: str
    reward: str


class Hooks(Protocol):
    """All that the family asks of a title besides its tables. ``t`` and ``seat`` are the title's own classes."""

    @property
    def title(self) -> str:
        """The title's id, with which the ids of its rules begin."""

    @property
    def phases(self) -> Mapping[str, Phase]:
        """The phases of the round by name."""

    @property
    def verbs(self) -> Mapping[str, Listing]:
        """What lists the actions of an activated place, by its :attr:`Place.verb`."""

    def draw_limit(self, t: Any, seat: Any) -> int:
        """How many followers the seat may draw or take back in this round, whatever there is room for."""

    def reward(self, t: Any, seat: Any, sent: Sent) -> bool:
        """Give what a follower at a deed brings, complete the deed if this was the last one, and emit the event.

        Returns whether the reward interrupts the action: then a second follower is sent after what is due, not before.
        """

    def can_surrender(self, t: Any, seat: Any) -> bool:
        """Whether the seat has anything that replaces a missing coin."""


class FollowersSeat(Generic[P]):
    """One player's side of the table.

    It knows what it needs of the table, not the table: so a game that nobody holds any more is freed at once. ``tiles``
    are the places that it can come to own.
    """

    __slots__ = (
        "_board",
        "_data",
        "_estate",
        "_tiles",
        "arrears",
        "bag",
        "coins",
        "debt",
        "drawn",
        "draws_made",
        "farmer_only",
        "given_up",
        "market",
        "number",
        "passed",
        "place_tiles",
        "planned",
        "screen",
        "technology",
        "technology_placed",
        "tiles",
    )  # fmt: skip

    def __init__(self, table: Table, data: FollowersData, tiles: BoundPlaces[P], number: int) -> None:
        own = f"seat.{number}"
        self._data = data
        self.tiles = tiles
        self.number = number
        self.bag = table.pile(f"{own}.bag")
        self.market = table.pile(f"{own}.market")
        self.drawn = table.pile(f"{own}.drawn")
        self.technology = table.pile(f"{own}.technology")
        self.place_tiles = table.pile(f"{own}.place_tiles")
        self.coins = table.number(f"{own}.coins")
        self.screen = table.word(f"{own}.screen")
        self.passed = table.number(f"{own}.passed")
        self.planned = table.number(f"{own}.planned")
        self.given_up = table.number(f"{own}.given_up_draws")
        self.draws_made = table.number(f"{own}.draws_made") if data.takes_back_after_drawing else None
        self.debt = table.number(f"{own}.debt")
        self.arrears = table.number(f"{own}.arrears")
        self.technology_placed = table.number(f"{own}.technology_placed")
        self.farmer_only = table.number(f"{own}.farmer_only_technology")
        places: Mapping[str, Any] = data.places
        self._board: tuple[BoundPlace[P], ...] = tuple(bind(places[id], table, own) for id in data.board_places)
        self._tiles: tuple[str, ...] = ()
        self._estate: Estate[P] = Estate(data.hand(()), self._board)

    def estate(self) -> Estate[P]:
        """The places the seat owns now."""
        tiles = tuple(self.place_tiles.items)
        if tiles != self._tiles:
            # In a fixed order, so that what is legal is listed alike however the tiles came here.
            ordered = tuple(sorted(tiles))
            owned = (*self._board, *(self.tiles[tile] for tile in ordered))
            self._estate = Estate(self._data.hand(ordered), owned)
            self._tiles = tiles
        return self._estate

    def made_draws(self) -> int:
        """How many followers the seat has drawn in this round, where that matters after the draw."""
        return self.draws_made.value if self.draws_made is not None else 0

    def shields(self) -> tuple[BoundPlace[P], ...]:
        """The activated places that can cancel an event for the seat (Sacristy)."""
        estate = self.estate()
        if not estate.shields:
            return ()
        free = estate.free()
        return tuple(place for place in estate.shields if place.is_active(free))


class FollowersTable(Course[S]):
    """One table of the family: the zones and markers that all its titles have, by the names of the rulebooks."""

    __slots__ = ("acting", "action_place", "data", "deeds", "event", "hooks", "removed", "round", "technology", "tiles")

    phases: Mapping[str, Phase]
    tiles: BoundPlaces[Any]
    """The place tiles, whoever owns them."""

    def __init__(self, table: Table, dice: Dice, data: FollowersData, hooks: Hooks) -> None:
        super().__init__(table, dice, hooks.phases)
        self.hooks = hooks
        self.data = data
        self.round = table.number("round")
        self.acting = table.number("acting_seat")
        self.action_place = table.word("action_place")
        self.event = table.word("event")
        self.removed = table.pile("removed")
        self.technology = table.pile("technology")
        self.deeds: dict[str, Pile] = {deed: table.pile(f"deed.{deed}") for deed in data.deeds}

    def rule(self, relative: str) -> str:
        """The title's own id of a rule, from the family's relative one."""
        return f"{self.hooks.title}.{relative}"

    def kept_away(self) -> str:
        """The followers that nobody may place in this round; empty if there are none such."""
        return ""

    def gain(self, seat: S, coins: int) -> None:
        """Give a seat coins from the supply, which never runs out; what it still owes it pays at once."""
        owed = seat.arrears.value
        if owed:
            self.recorder.set(seat.arrears, max(0, owed - coins))
            coins = max(0, coins - owed)
        self.recorder.set(seat.coins, seat.coins.value + coins)


AnySeat: TypeAlias = FollowersSeat[Any]
"""A seat of any title of the family."""

AnyTable: TypeAlias = FollowersTable[Any]
"""A table of any title of the family."""

AnyPlace: TypeAlias = BoundPlace[Any]
"""A place of any title of the family."""
