"""Scenario games of Orléans."""

from __future__ import annotations

from typing import Self

from tests.families.followers.kit import FollowersGame
from tests.titles.orleans.adapter import ADAPTER

from boardkeeper.table.effects import Event
from boardkeeper.testkit.scenario_game import detail, details, named
from boardkeeper.titles.orleans.board import Board
from boardkeeper.titles.orleans.material import Orleans, Seat
from boardkeeper.titles.orleans.play import OrleansPlay

__all__ = ["OrleansGame", "detail", "details", "named"]


class OrleansGame(FollowersGame[OrleansPlay]):
    """A game of Orléans in a position that a test arranges."""

    adapter = ADAPTER
    stores = ("supply", "box", "technology", "goods_market", "removed")
    away = "box"

    def __init__(self, players: int = 4, edition: str = "capstone-2021", seed: str = "seed", **choices: str) -> None:
        """Set up a game; ``choices`` are options and readings by id."""
        super().__init__(players, edition, seed, **choices)

    @property
    def t(self) -> Orleans:
        """The bound table."""
        return self.play.t

    def seat(self, seat: int) -> Seat:
        """Return the zones and markers of a seat."""
        return self.t.seats[seat - 1]

    # --- arrange -----------------------------------------------------------------------------------------

    def on_way(self, way: str, **goods: int) -> Self:
        """Put exactly these goods on a road or waterway."""
        return self.exactly(self.t.ways[way], **goods)

    def goods(self, seat: int, **goods: int) -> Self:
        """Give a seat exactly these goods."""
        return self.exactly(self.seat(seat).goods, **goods)

    def citizens(self, seat: int, count: int) -> Self:
        """Give a seat the citizens of this number of beneficial deeds."""
        homes = [deed for deed in self.t.deeds.values() if "citizen" in deed.items]
        for deed in homes[:count]:
            self.t.move("citizen", deed, self.seat(seat).citizens)
        return self._clear_recorder()

    def stations(self, seat: int, *towns: str) -> Self:
        """Move trading stations of a seat to these towns."""
        for town in towns:
            self.t.move(self.seat(seat).station, self.seat(seat).stations, self.t.towns[town])
        return self._clear_recorder()

    def turn(self, round: int, event: str, strength: str = "A") -> Self:
        """Set the round and the hour glass tile."""
        self.t.round.value = round
        self.t.event.value = event
        self.t.strength.value = strength
        return self

    def next_tile(self, event: str, strength: str) -> Self:
        """Remove all hour glass tiles that are still to be turned, except this one."""
        for pile in self.t.hour_glass.values():
            self.empty(pile)
        return self.bring(f"{event}.{strength}", self.t.hour_glass[strength])

    def strike(self, event: str, strength: str = "A", start: int = 1) -> list[Event]:
        """Begin the event phase of round 5 with this hour glass tile."""
        return self.turn(5, event, strength).enter("event", start)

    def end(self) -> list[Event]:
        """End the last round with an event that has no effect."""
        return self.turn(18, "pilgrimage", "C").enter("event")

    # --- assert ------------------------------------------------------------------------------------------

    def board(self, viewer: int) -> Board:
        """Return the board as a seat sees it (0: a spectator)."""
        return self.play.board(viewer)
