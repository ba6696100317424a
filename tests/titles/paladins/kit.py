"""Positions of Paladins for tests (:mod:`boardkeeper.testkit.scenario_game`), with short names for its zones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self, TypeVar

from msgspec import Struct
from tests.titles.paladins.adapter import ADAPTER

from boardkeeper.table.effects import Event
from boardkeeper.testkit.scenario_game import ScenarioGame, detail, details, named
from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins.board import Board
from boardkeeper.titles.paladins.data import WORKERS, WORKSHOP
from boardkeeper.titles.paladins.material import Opponent, Paladins, Seat, Side
from boardkeeper.titles.paladins.play import PaladinsPlay

__all__ = ["PaladinsGame", "all_details", "detail", "details", "named"]

T = TypeVar("T", bound=Struct)


def all_details(events: Iterable[Event], kind: type[T]) -> list[T]:
    """Return the details of all events of a kind, in order."""
    return [event.detail for event in events if isinstance(event.detail, kind)]


class PaladinsGame(ScenarioGame[PaladinsPlay]):
    """A game of Paladins in a position that a test arranges."""

    adapter = ADAPTER
    stores = (
        "supply",
        "debts",
        "townsfolk.deck",
        "outsiders.deck",
        "walls",
        "tavern.deck",
        "suspicion.deck",
        "orders.box",
        "favours.box",
    )
    away = "supply"

    @property
    def t(self) -> Paladins:
        """The bound table."""
        return self.play.t

    def seat(self, seat: int = 1) -> Seat:
        """Return a player's side of the table."""
        return self.t.people[seat - 1]

    def opponent(self) -> Opponent:
        """Return the opponent's side of the table."""
        assert self.t.opponent is not None
        return self.t.opponent

    def side(self, seat: int) -> Side:
        """Return the side of a player or of the opponent."""
        return self.t.seats[seat - 1]

    # --- arrange -----------------------------------------------------------------------------------------

    def workers(self, seat: int = 1, **workers: int) -> Self:
        """Give a seat exactly these unused workers."""
        return self.exactly(self.side(seat).workers, **workers)

    def many_workers(self, seat: int = 1) -> Self:
        """Give a seat three workers of every honest colour."""
        return self.workers(seat, **{worker: 3 for worker in WORKERS if worker != "criminal"})

    def paladin(self, seat: int, id: str) -> Self:
        """Make this the paladin of a seat for the round."""
        self.empty(self.seat(seat).paladin, f"seat.{seat}.deck")
        own = self.seat(seat)
        for zone in (own.deck, own.hand, own.again, own.chosen, *own.under, own.retired):
            if id in zone.items:
                self.t.move(id, zone, own.paladin)
                return self._clear_recorder()
        raise AssertionError(f"seat {seat} has no {id}")

    def townsfolk(self, seat: int, *cards: str) -> Self:
        """Give a seat exactly these townsfolk."""
        self.empty(self.seat(seat).townsfolk, "townsfolk.discard")
        for card in cards:
            self.bring(card, self.seat(seat).townsfolk)
        return self

    def display(self, row: str, *cards: str) -> Self:
        """Put cards on display in a row (``townsfolk``, ``outsiders``), from the left; "" leaves a gap."""
        places = self.t.townsfolk if row == "townsfolk" else self.t.outsiders
        for place in places:
            self.empty(place, f"{row}.deck")
        for place, card in zip(places, cards, strict=False):
            if card:
                self.bring(card, place)
        return self

    def suspicion(self, seat: int, *cards: int) -> Self:
        """Give a seat exactly the suspicion cards with these taxes, the newest last."""
        self.empty(self.side(seat).suspicion, "suspicion.deck")
        for tax in cards:
            self.bring(f"suspicion_{tax}", self.side(seat).suspicion)
        return self

    def next_suspicion(self, tax: int) -> Self:
        """Leave only cards with this tax in the suspicion deck."""
        self.empty(self.t.suspicion_discard, "suspicion.deck")
        for other in self.t.data.suspicion:
            left = self.t.suspicion_deck.items.get(other, 0)
            if other != f"suspicion_{tax}" and left:
                self.t.move(other, self.t.suspicion_deck, self.t.suspicion_discard, left)
        return self._clear_recorder()

    def next_wall(self, wall: str) -> Self:
        """Leave only this wall in the deck."""
        self.empty(self.t.walls, "supply")
        return self.bring(wall, self.t.walls)

    def debts(self, seat: int, unpaid: int = 0, paid: int = 0) -> Self:
        """Give a seat exactly these numbers of debts."""
        self.empty(self.side(seat).unpaid, "debts").empty(self.side(seat).paid, "debts")
        return self.bring("debt", self.side(seat).unpaid, unpaid).bring("debt", self.side(seat).paid, paid)

    def workshop(self, seat: int, action: str, *spaces: int) -> Self:
        """Put workshops of a seat on spaces (1, 2) of an action."""
        for space in spaces:
            self.t.move(WORKSHOP, self.side(seat).workshops, self.side(seat).areas[action].spaces[space - 1])
        return self._clear_recorder()

    def occupy(self, seat: int, action: str, *workers: str) -> Self:
        """Put workers on the spaces of an action, from the left; "" leaves a space empty."""
        for worker, space in zip(workers, self.side(seat).areas[action].spaces, strict=False):
            if worker:
                self.bring(worker, space)
        return self

    def pieces(self, seat: int, kind: str, *spaces: str) -> Self:
        """Put monks or outposts (``monk``, ``outpost``) of a seat on spaces of the main board."""
        side = self.side(seat)
        for space in spaces:
            source = side.monks if kind == "monk" else side.outposts
            self.t.move(f"{kind}.{seat}", source, self.t.space[space][1])
        return self._clear_recorder()

    def orders(self, *orders: str) -> Self:
        """Reveal exactly these King's Orders, from left to right."""
        for place in self.t.orders:
            self.empty(place, "orders.box")
        for order, place in zip(orders, self.t.orders, strict=False):
            self.bring(f"order_{order}", place)
        return self

    def favours(self, *favours: str) -> Self:
        """Reveal exactly these King's Favours, from left to right; "" leaves a place empty."""
        for place in self.t.favours:
            self.empty(place, "favours.box")
        for favour, place in zip(favours, self.t.favours, strict=False):
            if favour:
                self.bring(favour, place)
        return self

    def turn(self, seat: int = 1, *, round: int = 3) -> Self:
        """Start a seat's turn in the middle of a round; no seat has passed, and no rewards are due."""
        self.at(0, round=round, phase="actions", acting_seat=seat, action="", inquisition="", start_seat=1)
        for kind in self.t.data.reward_kinds:
            self.table.markers[f"due.{kind}"].value = 0
        for place in self.t.people:
            self.at(place.number, passed=0)
            self.empty(place.hand, f"seat.{place.number}.deck")
        self.table.decisions[:] = [""] * len(self.table.decisions)
        self.table.decisions[seat] = "act"
        return self._clear_recorder()

    def tavern(self, *cards: str) -> Self:
        """Open these tavern cards and let seat 1 take one next."""
        for card in cards:
            self.bring(card, self.t.tavern)
        self.at(0, phase="tavern")
        self.table.decisions[1] = "tavern"
        return self

    def scheme(self, id: str) -> Self:
        """Leave only this scheme in the opponent's deck."""
        self.empty(self.t.scheme_deck, "schemes.discard")
        return self.bring(f"scheme_{id}", self.t.scheme_deck)

    # --- act ---------------------------------------------------------------------------------------------

    def act(self, seat: int, action: str, workers: int, *commands: object) -> list[Event]:
        """Begin an action, place the first possible workers, submit the commands, and return the last one's events."""
        events = self.do(seat, c.BeginAction(action, workers))
        while self.decision(seat) == "workers":
            events = self.do(seat, self.legal(seat)[0])
        for command in commands:
            events = self.do(seat, command)  # type: ignore[arg-type]
        return events

    def end_round(self) -> list[Event]:
        """Let every player pass without workers, so that the round ends; return the last events."""
        events: list[Event] = []
        for seat in self.t.people:
            self.workers(seat.number)
        while self.t.phase.value == "actions":
            (deciding, *_) = self.deciding()
            events = self.idle(deciding)
        return events

    # --- check --------------------------------------------------------------------------------------------

    def board(self, viewer: int) -> Board:
        """Return the board as a seat sees it (0: a spectator)."""
        return self.play.board(viewer)
