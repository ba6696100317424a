"""Scenario games (:mod:`boardkeeper.testkit.scenario_game`) for titles of the family."""

from __future__ import annotations

from typing import Self, TypeVar

from boardkeeper.families.followers.data import ANY, FARMER, TECHNOLOGY
from boardkeeper.families.followers.phases import screens
from boardkeeper.families.followers.table import AnySeat, AnyTable
from boardkeeper.table.effects import Event
from boardkeeper.testkit.scenario_game import BoundPlay, ScenarioGame

P = TypeVar("P", bound=BoundPlay)


class FollowersGame(ScenarioGame[P]):
    """A game of a title of the family in a position that a test arranges.

    A title overrides ``t`` and ``seat`` with its own types.
    """

    @property
    def t(self) -> AnyTable:
        """The bound table."""
        t: AnyTable = self.play.t
        return t

    def seat(self, seat: int) -> AnySeat:
        """Return the zones and markers of a seat."""
        found: AnySeat = self.t.seats[seat - 1]
        return found

    def market(self, seat: int, **followers: int) -> Self:
        """Put exactly these followers on a seat's market (``own_farmer=1`` for a marked one)."""
        return self.exactly(self.seat(seat).market, **followers)

    def bag(self, seat: int, **followers: int) -> Self:
        """Put exactly these followers into a seat's bag."""
        return self.exactly(self.seat(seat).bag, **followers)

    def on_deed(self, deed: str, **followers: int) -> Self:
        """Add followers to a beneficial deed."""
        for follower, count in followers.items():
            self.bring(follower, self.t.deeds[deed], count)
        return self

    def own(self, seat: int, *tiles: str) -> Self:
        """Give place tiles to a seat."""
        for tile in tiles:
            self.bring(tile, self.seat(seat).place_tiles)
            screens.hide_place(self.t, self.seat(seat), tile)
        return self._clear_recorder()

    def fill(self, seat: int, place: str, *occupants: str) -> Self:
        """Fill the spaces of a place in order, by default each with the first follower that fits (any: a farmer)."""
        spaces = self.seat(seat).estate().places[place].spaces
        for space, occupant in zip(
            spaces, occupants or [_first_fitting(space.requires) for space in spaces], strict=False
        ):
            if occupant:
                self.bring(occupant, space.pile)
        return self

    def technology(self, seat: int, count: int = 1) -> Self:
        """Give a seat technology tiles to place."""
        return self.bring(TECHNOLOGY, self.seat(seat).technology, count)

    def enter(self, phase: str, start: int = 1) -> list[Event]:
        """Begin a phase (``followers``, ``planning``, ``actions``, ``event``) and continue to a decision."""
        screens.lower_all(self.t)
        for seat in self.t.seats:
            seat.passed.value = 0
        return super().enter(phase, start)


def _first_fitting(requires: str) -> str:
    return FARMER if requires == ANY else requires.partition("|")[0]
