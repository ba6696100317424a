"""Test helpers for Orléans Stories, in addition to :mod:`tests.families.followers.kit`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from typing import Any, Self, TypeVar

from msgspec import Struct
from msgspec.structs import replace
from tests.families.followers.kit import FollowersGame
from tests.titles.stories.adapter import ADAPTER
from tests.titles.stories.invariants import check_invariants

from boardkeeper.table.effects import Event
from boardkeeper.table.zones import Pile
from boardkeeper.testkit.scenario_game import detail, details, named
from boardkeeper.titles.stories.data import CHURCH, MANOR, START_VILLAGE
from boardkeeper.titles.stories.material import Area, Seat, Stories
from boardkeeper.titles.stories.play import StoriesPlay

__all__ = ["StoriesGame", "detail", "details", "named", "use_territory"]

C = TypeVar("C", bound=Struct)

LANDSCAPES = ("field", "lake", "pasture", "forest", "hill")

QUIET = "D5"
"""An event that forbids and gives nothing while there are no churches."""


class StoriesGame(FollowersGame[StoriesPlay]):
    """A game in a position that a test arranges; seat 1 starts, and the event of the round has no effect."""

    adapter = ADAPTER
    stores: tuple[str, ...] = (
        "supply",
        "goods_market",
        "technology",
        "churches",
        "landscapes",
        "box",
        "removed",
    )
    away = "box"

    def __init__(self, players: int = 2, edition: str = "settlers", seed: str = "seed", **choices: str) -> None:
        """Set up a table; ``choices`` are options and readings by id."""
        super().__init__(players, edition, seed, **{"start_player": "youngest_named", **choices})
        self.data = self.t.data
        self.turned = self.t.event.value
        if self.data.events:
            self.turn(1, QUIET)

    @property
    def t(self) -> Stories:
        """The bound table."""
        return self.play.t

    def seat(self, seat: int) -> Seat:
        """Return the zones and markers of a seat."""
        return self.t.seats[seat - 1]

    def area(self, area: str) -> Area:
        """Return a space of the map."""
        return self.t.areas[area]

    # --- arrange: cards and tiles ----------------------------------------------------------------------------

    def replace_effects(self, table: str, **effects: Mapping[str, Any]) -> Self:
        """Replace the effects of events or bonus tiles, by id."""
        data = copy(self.data)
        replaced = {id: replace(getattr(data, table)[id], effect=effect) for id, effect in effects.items()}
        setattr(data, table, getattr(data, table) | replaced)
        self.data = self.t.data = data
        return self

    def replace_fame_tile(self, space: int, **effect: int) -> Self:
        """Replace the effect of a tile of the fame track."""
        data = copy(self.data)
        data.fame_tiles = data.fame_tiles | {space: effect}
        self.data = self.t.data = data
        return self

    # --- arrange: seats --------------------------------------------------------------------------------------

    def goods(self, seat: int, **goods: int) -> Self:
        """Give a seat exactly these goods."""
        return self.exactly(self.seat(seat).goods, **goods)

    def goods_market(self, **goods: int) -> Self:
        """Leave exactly these goods in the market."""
        return self.exactly(self.t.goods_market, **goods)

    def coins(self, seat: int, coins: int) -> Self:
        """Give a seat exactly this number of coins."""
        return self.at(seat, coins=coins)

    def fame(self, seat: int, space: int) -> Self:
        """Put the fame marker of a seat on a space, without the tiles that it passes."""
        return self.at(seat, fame=space)

    def citizens(self, seat: int, count: int) -> Self:
        """Give a seat exactly this number of citizens."""
        return self.at(seat, citizens=count)

    def era(self, seat: int, era: int, *, carried_out: bool = False) -> Self:
        """Put a seat in an era, at peace if that era or an earlier one is one of peace."""
        peace = any(self.data.eras[number].peace for number in range(1, era + 1))
        return self.at(seat, era=era, carried_out=int(carried_out), peace=int(peace))

    def unlock(self, seat: int, *places: str) -> Self:
        """Open base place cards of a seat, by default all of them."""
        mine = self.seat(seat)
        for place in places or tuple(mine.base_places.counts()):
            self.t.move(place, mine.base_places, mine.place_tiles)
        return self._clear_recorder()

    # --- arrange: the map ------------------------------------------------------------------------------------

    def settle(self, area: str, *seats: int) -> Self:
        """Put settlers of exactly these seats on an area, from and back to their supplies."""
        pile = self.area(area).pile
        for seat in self.t.seats:
            here, there = seat.settler in pile.items, seat.number in seats
            if here and not there:
                self.t.move(seat.settler, pile, seat.settlers)
            elif there and not here:
                self.t.move(seat.settler, seat.settlers, pile)
        return self._clear_recorder()

    def settlers(self, seat: int, count: int) -> Self:
        """Leave exactly this number of settlers in a seat's supply."""
        mine = self.seat(seat)
        return self.exactly(mine.settlers, **{mine.settler: count})

    def fortresses(self, seat: int, count: int) -> Self:
        """Leave exactly this number of fortresses in a seat's supply."""
        mine = self.seat(seat)
        return self.exactly(mine.fortresses, **{mine.fortress: count})

    def village(self, *areas: str) -> Self:
        """Build villages on areas; a manor farm there is swapped for a landscape."""
        for area in areas:
            if MANOR in self.area(area).pile.items:
                self.landscape(area, next(tile for zone in self._tiles() for tile in zone.items if tile in LANDSCAPES))
            self.area(area).village.value = 1
        return self

    def fortress(self, area: str, seat: int) -> Self:
        """Put a fortress of a seat on an area (0: remove the fortress)."""
        for mine in self.t.seats:
            if mine.fortress in self.area(area).pile.items:
                self.t.move(mine.fortress, self.area(area).pile, mine.fortresses)
        if seat:
            self.t.move(self.seat(seat).fortress, self.seat(seat).fortresses, self.area(area).pile)
        return self._clear_recorder()

    def church(self, *areas: str) -> Self:
        """Put churches on areas."""
        for area in areas:
            self.bring(CHURCH, self.area(area).pile)
        return self

    def landscape(self, area: str, landscape: str) -> Self:
        """Put a landscape on an area; the old tile goes to the place of the new one."""
        pile = self.area(area).pile
        assert START_VILLAGE not in pile.items, f"{area} is a start village"
        (old,) = (tile for tile in pile.items if tile in (*self.data.landscape_tiles, MANOR))
        if old != landscape:
            source = next(zone for zone in self._tiles() if landscape in zone.items)
            self.t.move(landscape, source, pile)
            self.t.move(old, pile, source)
        return self._clear_recorder()

    def _tiles(self) -> Iterable[Pile]:
        """Return the zones of tiles: first those not dealt, then free areas without a village, then the others."""
        areas = sorted(self.t.areas.values(), key=lambda area: any(area.settled_by()) or area.is_village())
        return (self.t.landscapes, *(area.pile for area in areas))

    # --- arrange: rounds -------------------------------------------------------------------------------------

    def turn(self, round: int, event: str) -> Self:
        """Set the round and turn the card of its event."""
        t = self.t
        for card in t.turned_now.counts():
            t.move(card, t.turned_now, t.events[self.data.events[card].letter])
        self.bring(event, t.turned_now)
        t.round.value, t.event.value = round, event
        return self._clear_recorder()

    def next_event(self, event: str) -> Self:
        """Leave only this card to turn when the next round begins."""
        pile = self.t.events[self.data.event_letters[self.t.round.value // self.data.events_each]]
        self.empty(pile)
        return self.bring(event, pile)

    def enter(self, phase: str, start: int = 1) -> list[Event]:
        """Begin a phase: ``dawn`` (a round), ``followers``, ``planning``, ``actions``, ``event`` or ``round_bonus``."""
        self.t.acting.value = 0
        self.t.action_place.value = ""
        for seat in self.t.seats:
            for due in (seat.fame_due, seat.bonus_due, seat.owed, seat.debt, seat.trades):
                due.value = 0
        return super().enter(phase, start)

    def strike(self, event: str, start: int = 1, round: int = 5) -> list[Event]:
        """Begin the event phase of a round with this card."""
        return self.turn(round, event).enter("event", start)

    def end(self) -> list[Event]:
        """End the last round: its bonuses, then the scoring."""
        return self.turn(self.data.rounds, QUIET).enter("round_bonus")

    # --- act -------------------------------------------------------------------------------------------------

    def do(self, seat: int, *commands: Struct) -> list[Event]:
        """Give commands that must be accepted, check the invariants and return the events of the last command."""
        events = super().do(seat, *commands)
        check_invariants(self.play)
        return events

    def act(self, seat: int, *commands: Struct) -> list[Event]:
        """Begin the actions with a seat and give its commands."""
        self.enter("actions", seat)
        return self.do(seat, *commands)

    # --- assert ----------------------------------------------------------------------------------------------

    def stands_on(self, area: str) -> dict[str, int]:
        """Return the pieces on an area without its tile."""
        tiles = {*self.data.landscape_tiles, MANOR, START_VILLAGE}
        return {piece: count for piece, count in self.area(area).pile.items.items() if piece not in tiles}

    def listed(self, seat: int, kind: type[C]) -> list[C]:
        """Return the legal commands of a seat of this kind."""
        return [command for command in self.legal(seat) if isinstance(command, kind)]


def use_territory(game: StoriesGame, *occupants: str) -> StoriesGame:
    """Let seat 1 act; ``occupants`` are on the spaces of its Territory: two that allow knights, and a trader."""
    game.fill(1, "territory", *(occupants or ("farmer", "fisherman", "trader"))).enter("actions")
    return game
