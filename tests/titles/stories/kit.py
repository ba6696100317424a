"""Given / when / then for Orléans Stories: the words of :mod:`tests.families.followers.kit`, and more."""

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

__all__ = ["StoriesGame", "detail", "details", "named"]

C = TypeVar("C", bound=Struct)

LANDSCAPES = ("field", "lake", "pasture", "forest", "hill")

QUIET = "D5"
"""An event that forbids nothing and brings nothing as long as there are no churches."""


class StoriesGame(FollowersGame[StoriesPlay]):
    """A game in a position of the test's making; seat 1 starts, and the event of the round is a quiet one."""

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
        """Lay a table; ``choices`` are options and readings by their names."""
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
        """A seat's side of the table."""
        return self.t.seats[seat - 1]

    def area(self, area: str) -> Area:
        """A space of the map."""
        return self.t.areas[area]

    # --- given: cards and tiles --------------------------------------------------------------------------

    def says(self, table: str, **effects: Mapping[str, Any]) -> Self:
        """Let events or bonus tiles say something else than in the data sets, by their ids."""
        data = copy(self.data)
        told = {id: replace(getattr(data, table)[id], effect=effect) for id, effect in effects.items()}
        setattr(data, table, getattr(data, table) | told)
        self.data = self.t.data = data
        return self

    def tile_says(self, space: int, **effect: int) -> Self:
        """Let a tile of the fame track say something else than in the data sets."""
        data = copy(self.data)
        data.fame_tiles = data.fame_tiles | {space: effect}
        self.data = self.t.data = data
        return self

    # --- given: seats ------------------------------------------------------------------------------------

    def goods(self, seat: int, **goods: int) -> Self:
        """Let a seat own exactly these goods."""
        return self.exactly(self.seat(seat).goods, **goods)

    def goods_market(self, **goods: int) -> Self:
        """Let the market have exactly these goods left."""
        return self.exactly(self.t.goods_market, **goods)

    def coins(self, seat: int, coins: int) -> Self:
        """Let a seat own so many coins."""
        return self.at(seat, coins=coins)

    def fame(self, seat: int, space: int) -> Self:
        """Let a seat be so far on the fame track; what it passed is settled."""
        return self.at(seat, fame=space)

    def citizens(self, seat: int, count: int) -> Self:
        """Let a seat have ticked so many citizens."""
        return self.at(seat, citizens=count)

    def era(self, seat: int, era: int, *, carried_out: bool = False) -> Self:
        """Let a seat be in an era, and at peace if that is one of peace."""
        peace = any(self.data.eras[number].peace for number in range(1, era + 1))
        return self.at(seat, era=era, carried_out=int(carried_out), peace=int(peace))

    def unlock(self, seat: int, *places: str) -> Self:
        """Open base place cards of a seat, all of them if none is named."""
        mine = self.seat(seat)
        for place in places or tuple(mine.base_places.counts()):
            self.t.move(place, mine.base_places, mine.place_tiles)
        return self._clear_recorder()

    # --- given: the map ----------------------------------------------------------------------------------

    def settle(self, area: str, *seats: int) -> Self:
        """Let exactly these seats have a settler on an area; settlers come from and return to their supplies."""
        pile = self.area(area).pile
        for seat in self.t.seats:
            here, there = seat.settler in pile.items, seat.number in seats
            if here and not there:
                self.t.move(seat.settler, pile, seat.settlers)
            elif there and not here:
                self.t.move(seat.settler, seat.settlers, pile)
        return self._clear_recorder()

    def settlers(self, seat: int, count: int) -> Self:
        """Let a seat have so many settlers in its supply."""
        mine = self.seat(seat)
        return self.exactly(mine.settlers, **{mine.settler: count})

    def fortresses(self, seat: int, count: int) -> Self:
        """Let a seat have so many fortresses in its supply."""
        mine = self.seat(seat)
        return self.exactly(mine.fortresses, **{mine.fortress: count})

    def village(self, *areas: str) -> Self:
        """Let villages have been built on areas; a manor farm that lay there goes elsewhere."""
        for area in areas:
            if MANOR in self.area(area).pile.items:
                self.landscape(area, next(tile for zone in self._tiles() for tile in zone.items if tile in LANDSCAPES))
            self.area(area).village.value = 1
        return self

    def fortress(self, area: str, seat: int) -> Self:
        """Let a fortress of a seat stand on an area (0: none)."""
        for mine in self.t.seats:
            if mine.fortress in self.area(area).pile.items:
                self.t.move(mine.fortress, self.area(area).pile, mine.fortresses)
        if seat:
            self.t.move(self.seat(seat).fortress, self.seat(seat).fortresses, self.area(area).pile)
        return self._clear_recorder()

    def church(self, *areas: str) -> Self:
        """Let churches stand on areas."""
        for area in areas:
            self.bring(CHURCH, self.area(area).pile)
        return self

    def landscape(self, area: str, landscape: str) -> Self:
        """Let a landscape lie on an area; the one that lay there goes to where the new one comes from."""
        pile = self.area(area).pile
        assert START_VILLAGE not in pile.items, f"{area} is a start village"
        (old,) = (tile for tile in pile.items if tile in (*self.data.landscape_tiles, MANOR))
        if old != landscape:
            source = next(zone for zone in self._tiles() if landscape in zone.items)
            self.t.move(landscape, source, pile)
            self.t.move(old, pile, source)
        return self._clear_recorder()

    def _tiles(self) -> Iterable[Pile]:
        """The tiles not dealt, then those of the map where nobody is and no village, then the others."""
        areas = sorted(self.t.areas.values(), key=lambda area: any(area.settled_by()) or area.is_village())
        return (self.t.landscapes, *(area.pile for area in areas))

    # --- given: rounds -----------------------------------------------------------------------------------

    def turn(self, round: int, event: str) -> Self:
        """Let this be the round, and that the card of its event."""
        t = self.t
        for card in t.turned_now.counts():
            t.move(card, t.turned_now, t.events[self.data.events[card].letter])
        self.bring(event, t.turned_now)
        t.round.value, t.event.value = round, event
        return self._clear_recorder()

    def next_event(self, event: str) -> Self:
        """Let only this card be left to turn when the next round begins."""
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
        """Let the last round end: with its bonuses, then the scoring."""
        return self.turn(self.data.rounds, QUIET).enter("round_bonus")

    # --- when --------------------------------------------------------------------------------------------

    def do(self, seat: int, *commands: Struct) -> list[Event]:
        """Give commands that have to be accepted; the events of the last one."""
        events = super().do(seat, *commands)
        check_invariants(self.play)
        return events

    def act(self, seat: int, *commands: Struct) -> list[Event]:
        """Let the actions begin with a seat, and give its commands."""
        self.enter("actions", seat)
        return self.do(seat, *commands)

    # --- then --------------------------------------------------------------------------------------------

    def stands_on(self, area: str) -> dict[str, int]:
        """What lies and stands on an area besides its tile."""
        tiles = {*self.data.landscape_tiles, MANOR, START_VILLAGE}
        return {piece: count for piece, count in self.area(area).pile.items.items() if piece not in tiles}

    def listed(self, seat: int, kind: type[C]) -> list[C]:
        """The legal commands of a seat that are of that kind."""
        return [command for command in self.legal(seat) if isinstance(command, kind)]
