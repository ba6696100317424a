"""Given / when / then for England vs. France: nations dealt as the test likes, and what each seat is told."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self, TypeVar

from msgspec import Struct
from tests.titles.stories.kit import StoriesGame

from boardkeeper.table.effects import Event
from boardkeeper.table.zones import Pile
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories.data import MANOR
from boardkeeper.titles.stories.phases.fame import gain_fame

D = TypeVar("D", bound=Struct)

TEAMS = ("england", "france", "england", "france")
"""Seats 1 and 3 against 2 and 4, if the test does not say otherwise."""

MESSAGES = ("s1", "s2", "s3", "s4")
"""The messages that they keep."""


def told(events: Iterable[Event], kind: type[D]) -> list[D]:
    """The details of the events of that kind, in the order in which they happened."""
    return [event.detail for event in events if isinstance(event.detail, kind)]


class NationsGame(StoriesGame):
    """A game of two secret teams in a position of the test's making; everybody has chosen a message."""

    stores: tuple[str, ...] = (
        "supply",
        "goods_market",
        "technology",
        "churches",
        "landscapes",
        "box",
        "removed",
        "nations",
        "messages",
    )

    def __init__(self, teams: tuple[str, ...] = TEAMS, messages: tuple[str, ...] = MESSAGES, **choices: str) -> None:
        super().__init__(4, "england-vs-france", **choices)
        self.dealt = self.laid
        for seat in self.t.seats:
            for pile in (seat.nation, seat.dealt):
                for card, count in pile.counts().items():
                    self.t.move(card, pile, self.t.nations if pile is seat.nation else self.t.messages, count)
        for seat, nation, message in zip(self.t.seats, teams, messages, strict=True):
            self.t.move(nation, self.t.nations, seat.nation)
            self.t.move(message, self.t.messages, seat.message)
            self.t.ask(seat, "")
        self._clear_recorder()
        self.enter("dawn")

    def mission(self, nation: str, mission: str) -> Self:
        """Let that be the mission of a nation."""
        home = self.t.mission[nation]
        for card in home.counts():
            self.t.move(card, home, self.t.missions)
        source = next(pile for pile in (self.t.missions, *self.t.mission.values()) if mission in pile.items)
        if source is not self.t.missions:
            (other,) = self.t.missions.items and [next(iter(self.t.missions.items))]
            self.t.move(mission, source, self.t.missions)
            self.t.move(other, self.t.missions, source)
        self.t.move(mission, self.t.missions, home)
        return self._clear_recorder()

    def landscape(self, area: str, landscape: str) -> Self:
        """Let a landscape lie on an area; what lay there goes to where the new one comes from."""
        pile, tiles = self.area(area).pile, {*self.data.landscape_tiles, MANOR}
        (old,) = (tile for tile in pile.items if tile in tiles)
        if old != landscape:
            areas = sorted(self.t.areas.values(), key=lambda each: (any(each.settled_by()), -int(each.id[1])))
            source = next(each.pile for each in areas if landscape in each.pile.items)
            self.t.move(landscape, source, pile)
            self.t.move(old, pile, source)
        return self._clear_recorder()

    def hold(self, seat: int, *areas: str) -> Self:
        """Let a seat alone have a settler on these areas."""
        for area in areas:
            self.settle(area, seat)
        return self

    def in_town(self, town: str, seat: int, count: int) -> Self:
        """Let a seat have so many settlers in a town; they come from and return to its supply."""
        mine, pile = self.seat(seat), self.t.towns[town].pile
        here = pile.items.get(mine.settler, 0)
        if here > count:
            self.t.move(mine.settler, pile, mine.settlers, here - count)
        elif count > here:
            self.t.move(mine.settler, mine.settlers, pile, count - here)
        return self._clear_recorder()

    def bonus_tile(self, era: int, tile: str) -> Self:
        """Let this bonus tile lie on an era; the one that lay there goes to where the new one comes from."""
        t = self.t
        pile = t.bonus[era]
        source = next(each for each in (*t.bonus.values(), t.bonus_stack, t.aside) if tile in each.items)
        if source is not pile:
            (old,) = pile.items
            t.move(old, pile, source)
            t.move(tile, source, pile)
        return self._clear_recorder()

    def advance(self, seat: int, to: int, *, takes: bool = True) -> list[Event]:
        """Let an action of a seat end that brought it to a space of the fame track; what that gives begins.

        The seat takes what the first tiles offer, unless it only is to be asked.
        """
        self.enter("actions", seat)
        gain_fame(self.t, self.seat(seat), to - self.seat(seat).fame.value)
        self.t.ask(self.seat(seat), "")
        self.t.advance()
        events = self._take_events()
        return events + self.take_offers(seat) if takes else events

    def take_offers(self, seat: int) -> list[Event]:
        """Let a seat take whatever is offered to it now."""
        events: list[Event] = []
        while self.decision(seat) == "offer":
            events += self.do(seat, c.TakeBonus())
        return events

    def declare(self, *seats: int) -> list[Event]:
        """Go through the end of a round in which these seats declare, the others keep silent; all events."""
        events = self.enter("declaring")
        while self.play.t.phase.value == "declaring" and not self.play.is_over():
            (seat,) = self.table.deciding()
            events += self.do(seat, c.DeclareMission() if seat in seats else c.KeepSilent())
        return events

    def pile(self, id: str) -> Pile:
        """A pile by its id."""
        return self.table.pile(id)


def nations(**choices: str) -> NationsGame:
    """Such a game with these options and readings."""
    return NationsGame(TEAMS, MESSAGES, **choices)
