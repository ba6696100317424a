"""Test helpers for England vs. France: games with arranged nations, messages and missions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self, TypeVar

from msgspec import Struct
from tests.titles.stories.kit import StoriesGame

from boardkeeper.table.effects import Event
from boardkeeper.table.zones import Pile
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories.phases.fame import gain_fame

D = TypeVar("D", bound=Struct)

TEAMS = ("england", "france", "england", "france")
"""Seats 1 and 3 against 2 and 4."""

MESSAGES = ("s1", "s2", "s3", "s4")
"""The messages that the seats keep, by seat."""


def list_details(events: Iterable[Event], kind: type[D]) -> list[D]:
    """Return the details of all events of this kind, in order."""
    return [event.detail for event in events if isinstance(event.detail, kind)]


class NationsGame(StoriesGame):
    """A game of two secret teams in a position that a test arranges; all seats have chosen their messages."""

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
        """Set the mission of a nation."""
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

    def _tiles(self) -> Iterable[Pile]:
        """Return the zones of tiles: first free areas, those in the last columns first."""
        areas = sorted(self.t.areas.values(), key=lambda each: (any(each.settled_by()), -int(each.id[1])))
        return [area.pile for area in areas]

    def hold(self, seat: int, *areas: str) -> Self:
        """Put a settler of this seat alone on these areas."""
        for area in areas:
            self.settle(area, seat)
        return self

    def in_town(self, town: str, seat: int, count: int) -> Self:
        """Put exactly this number of a seat's settlers in a town, from and back to its supply."""
        mine, pile = self.seat(seat), self.t.towns[town].pile
        here = pile.items.get(mine.settler, 0)
        if here > count:
            self.t.move(mine.settler, pile, mine.settlers, here - count)
        elif count > here:
            self.t.move(mine.settler, mine.settlers, pile, count - here)
        return self._clear_recorder()

    def bonus_tile(self, era: int, tile: str) -> Self:
        """Put a bonus tile on an era; the old one goes to the place of the new one."""
        t = self.t
        pile = t.bonus[era]
        source = next(each for each in (*t.bonus.values(), t.bonus_stack, t.aside) if tile in each.items)
        if source is not pile:
            (old,) = pile.items
            t.move(old, pile, source)
            t.move(tile, source, pile)
        return self._clear_recorder()

    def advance(self, seat: int, to: int, *, takes: bool = True) -> list[Event]:
        """Move a seat's fame marker to a space within an action, and end the action.

        With ``takes`` the seat takes what the first tiles offer; else the offer stays open.
        """
        self.enter("actions", seat)
        gain_fame(self.t, self.seat(seat), to - self.seat(seat).fame.value)
        self.t.ask(self.seat(seat), "")
        self.t.advance()
        events = self._take_events()
        return events + self.take_offers(seat) if takes else events

    def take_offers(self, seat: int) -> list[Event]:
        """Take all bonuses that are offered to a seat."""
        events: list[Event] = []
        while self.decision(seat) == "offer":
            events += self.do(seat, c.TakeBonus())
        return events

    def declare(self, *seats: int) -> list[Event]:
        """Finish the end of a round in which only these seats declare; return all events."""
        events = self.enter("declaring")
        while self.play.t.phase.value == "declaring" and not self.play.is_over():
            (seat,) = self.table.deciding()
            events += self.do(seat, c.DeclareMission() if seat in seats else c.KeepSilent())
        return events

    def pile(self, id: str) -> Pile:
        """Return a pile by its id."""
        return self.table.pile(id)


def set_up_nations(seed: str = "seed") -> StoriesGame:
    """Return a game in which no seat has chosen a message yet."""
    return StoriesGame(4, "england-vs-france", seed=seed)
