"""Given games of Paladins (:mod:`boardkeeper.testkit.scenario_game`): short words for its zones and markers."""

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

__all__ = ["PaladinsGame", "detail", "details", "every", "named"]

T = TypeVar("T", bound=Struct)


def every(events: Iterable[Event], kind: type[T]) -> list[T]:
    """The details of all events of a kind, in the order in which they happened."""
    return [event.detail for event in events if isinstance(event.detail, kind)]


class PaladinsGame(ScenarioGame[PaladinsPlay]):
    """A game of Paladins in a position of the test's making."""

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
        """A person's side of the table."""
        return self.t.people[seat - 1]

    def opponent(self) -> Opponent:
        """The opponent's side of the table."""
        assert self.t.opponent is not None
        return self.t.opponent

    def side(self, seat: int) -> Side:
        """Anybody's side of the table."""
        return self.t.seats[seat - 1]

    # --- given -------------------------------------------------------------------------------------------

    def workers(self, seat: int = 1, **workers: int) -> Self:
        """Let exactly these workers be unused."""
        return self.exactly(self.side(seat).workers, **workers)

    def many_workers(self, seat: int = 1) -> Self:
        """Let a seat have three workers of every honest colour."""
        return self.workers(seat, **{worker: 3 for worker in WORKERS if worker != "criminal"})

    def paladin(self, seat: int, id: str) -> Self:
        """Let this be a seat's paladin of the round."""
        self.empty(self.seat(seat).paladin, f"seat.{seat}.deck")
        own = self.seat(seat)
        for zone in (own.deck, own.hand, own.again, own.chosen, *own.under, own.retired):
            if id in zone.items:
                self.t.move(id, zone, own.paladin)
                return self._clear_recorder()
        raise AssertionError(f"seat {seat} has no {id}")

    def hired(self, seat: int, *cards: str) -> Self:
        """Let a seat have exactly these townsfolk."""
        self.empty(self.seat(seat).townsfolk, "townsfolk.discard")
        for card in cards:
            self.bring(card, self.seat(seat).townsfolk)
        return self

    def display(self, row: str, *cards: str) -> Self:
        """Let these lie in a row (``townsfolk``, ``outsiders``) from left to right; empty for nobody."""
        places = self.t.townsfolk if row == "townsfolk" else self.t.outsiders
        for place in places:
            self.empty(place, f"{row}.deck")
        for place, card in zip(places, cards, strict=False):
            if card:
                self.bring(card, place)
        return self

    def suspicion(self, seat: int, *cards: int) -> Self:
        """Let a seat have suspicion cards with these taxes, the newest last."""
        self.empty(self.side(seat).suspicion, "suspicion.deck")
        for tax in cards:
            self.bring(f"suspicion_{tax}", self.side(seat).suspicion)
        return self

    def next_suspicion(self, tax: int) -> Self:
        """Let only cards with that tax be left to draw."""
        self.empty(self.t.suspicion_discard, "suspicion.deck")
        for other in self.t.data.suspicion:
            left = self.t.suspicion_deck.items.get(other, 0)
            if other != f"suspicion_{tax}" and left:
                self.t.move(other, self.t.suspicion_deck, self.t.suspicion_discard, left)
        return self._clear_recorder()

    def next_wall(self, wall: str) -> Self:
        """Let only this wall be left to draw."""
        self.empty(self.t.walls, "supply")
        return self.bring(wall, self.t.walls)

    def debts(self, seat: int, unpaid: int = 0, paid: int = 0) -> Self:
        """Let a seat have so many debts."""
        self.empty(self.side(seat).unpaid, "debts").empty(self.side(seat).paid, "debts")
        return self.bring("debt", self.side(seat).unpaid, unpaid).bring("debt", self.side(seat).paid, paid)

    def workshop(self, seat: int, action: str, *spaces: int) -> Self:
        """Put workshops of a seat on spaces (1, 2) of an action."""
        for space in spaces:
            self.t.move(WORKSHOP, self.side(seat).workshops, self.side(seat).areas[action].spaces[space - 1])
        return self._clear_recorder()

    def occupied(self, seat: int, action: str, *workers: str) -> Self:
        """Let workers stand on the spaces of an action."""
        for worker, space in zip(workers, self.side(seat).areas[action].spaces, strict=False):
            if worker:
                self.bring(worker, space)
        return self

    def pieces(self, seat: int, kind: str, *spaces: str) -> Self:
        """Let monks or outposts (``monk``, ``outpost``) of a seat stand on spaces of the main board."""
        side = self.side(seat)
        for space in spaces:
            source = side.monks if kind == "monk" else side.outposts
            self.t.move(f"{kind}.{seat}", source, self.t.space[space][1])
        return self._clear_recorder()

    def orders(self, *orders: str) -> Self:
        """Let these King's Orders lie open, from left to right."""
        for place in self.t.orders:
            self.empty(place, "orders.box")
        for order, place in zip(orders, self.t.orders, strict=False):
            self.bring(f"order_{order}", place)
        return self

    def favours(self, *favours: str) -> Self:
        """Let these King's Favours lie open, from left to right."""
        for place in self.t.favours:
            self.empty(place, "favours.box")
        for favour, place in zip(favours, self.t.favours, strict=False):
            if favour:
                self.bring(favour, place)
        return self

    def turn(self, seat: int = 1, *, round: int = 3) -> Self:
        """Let it be a seat's turn to act in the middle of a round; nobody has passed or owes anything."""
        self.at(0, round=round, phase="actions", acting_seat=seat, action="", inquisition="", start_seat=1)
        for kind in self.t.data.reward_kinds:
            self.table.markers[f"due.{kind}"].value = 0
        for place in self.t.people:
            self.at(place.number, passed=0)
            self.empty(place.hand, f"seat.{place.number}.deck")
        self.table.decisions[:] = [""] * len(self.table.decisions)
        self.table.decisions[seat] = "act"
        return self._clear_recorder()

    def scheme(self, id: str) -> Self:
        """Let this be the only scheme that the opponent can turn."""
        self.empty(self.t.scheme_deck, "schemes.discard")
        return self.bring(f"scheme_{id}", self.t.scheme_deck)

    # --- when --------------------------------------------------------------------------------------------

    def act(self, seat: int, action: str, workers: int, *commands: object) -> list[Event]:
        """Begin an action, place whatever workers fit first, and give the other commands; the last one's events."""
        events = self.do(seat, c.BeginAction(action, workers))
        while self.decision(seat) == "workers":
            events = self.do(seat, self.legal(seat)[0])
        for command in commands:
            events = self.do(seat, command)  # type: ignore[arg-type]
        return events

    def end_round(self) -> list[Event]:
        """Let everybody pass with nothing left, so that the round ends; the last events."""
        events: list[Event] = []
        for seat in self.t.people:
            self.workers(seat.number)
        while self.t.phase.value == "actions":
            (deciding, *_) = self.deciding()
            events = self.idle(deciding)
        return events

    # --- then --------------------------------------------------------------------------------------------

    def board(self, viewer: int) -> Board:
        """The board as a seat sees it (0: a spectator)."""
        return self.play.board(viewer)
