"""One table of Orléans being played: from an open decision to the function that takes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from boardkeeper.table.recorder import Recorder
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.table.title import Standing
from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import known_ids, scoring, setup
from boardkeeper.titles.orleans.bindings import OVER, Orleans, Seat
from boardkeeper.titles.orleans.board import Board
from boardkeeper.titles.orleans.board_view import board_of
from boardkeeper.titles.orleans.phases import actions, events, followers, planning, sacristy, technology, torture
from boardkeeper.titles.orleans.phases.verbs import bathhouse, deeds, pharmacy, recruit, travel, use_place

Decide = Callable[[Orleans, Seat, Any], Rejection | None]
Legal = Callable[[Orleans, Seat], Sequence[Struct]]

DECIDE: dict[tuple[str, type[Struct]], Decide] = {
    ("draw", c.DrawFollowers): followers.draw_followers,
    ("draw", c.TakeBackFollower): followers.take_back_follower,
    ("take_back", c.TakeBackFollower): followers.take_back_follower,
    ("take_back", c.FinishTakingBack): followers.finish_taking_back,
    ("keep", c.KeepFollower): followers.keep_follower,
    ("store", c.StoreFollower): followers.store_follower,
    ("store", c.FinishStoring): followers.finish_storing,
    ("plan", c.PlaceFollower): planning.place_follower,
    ("plan", c.WithdrawFollower): planning.withdraw_follower,
    ("plan", c.FinishPlanning): planning.finish_planning,
    ("plan", c.PlaceTechnology): technology.place_while_planning,
    ("act", c.UsePlace): use_place.use_place,
    ("act", c.RecruitFollower): recruit.recruit,
    ("act", c.Travel): travel.travel,
    ("act", c.SendToDeed): deeds.send,
    ("act", c.BuyDevelopment): pharmacy.buy,
    ("act", c.PlaceTechnology): technology.refuse_before_passing,
    ("act", c.Pass): actions.pass_turn,
    ("deed", c.SendToDeed): deeds.send,
    ("deed", c.FinishDeeds): deeds.finish,
    ("bathhouse", c.PlaceDrawnFollower): bathhouse.place_drawn,
    ("technology", c.PlaceTechnology): technology.place_technology,
    ("technology", c.KeepTechnology): technology.keep_technology,
    ("sacristy", c.UseSacristy): sacristy.use_sacristy,
    ("sacristy", c.SufferEvent): sacristy.suffer_event,
    ("harvest", c.GiveFood): events.give_food,
    ("harvest", c.PayForFood): events.pay_for_food,
    ("torture", c.SurrenderTradingStation): torture.surrender_trading_station,
    ("torture", c.SurrenderFollower): torture.surrender_follower,
    ("torture", c.SurrenderDevelopment): torture.surrender_development,
    ("torture", c.SurrenderGood): torture.surrender_good,
    ("torture", c.SurrenderPlaceTile): torture.surrender_place_tile,
    ("torture", c.SurrenderTechnology): torture.surrender_technology,
}
"""Which function carries out a command, by the decision that is open and the kind of command."""

LEGAL: dict[str, Legal] = {
    "draw": followers.legal_draw,
    "take_back": followers.legal_take_back,
    "keep": followers.legal_keep,
    "store": followers.legal_store,
    "plan": planning.legal_plan,
    "act": actions.legal_act,
    "deed": deeds.legal_deed,
    "bathhouse": bathhouse.legal_bathhouse,
    "technology": technology.legal_technology,
    "sacristy": sacristy.legal_sacristy,
    "harvest": events.legal_harvest,
    "torture": torture.legal_torture,
}
"""Which function lists the commands of a decision."""


class OrleansPlay:
    """The rules of Orléans on one table (see :class:`boardkeeper.table.title.Play`)."""

    __slots__ = ("t",)

    def __init__(self, t: Orleans) -> None:
        self.t = t

    @property
    def table(self) -> Table:
        """The table itself."""
        return self.t.table

    @property
    def recorder(self) -> Recorder:
        """Where the rules record."""
        return self.t.recorder

    def set_up(self) -> None:
        """Lay the table and go on to the first decision."""
        setup.set_up(self.t)

    def decide(self, seat: int, command: Struct) -> Rejection | None:
        """Carry out a command of a seat, or say why not."""
        t = self.t
        decision = t.table.decisions[seat]
        handler = DECIDE.get((decision, type(command)))
        if handler is None:
            return self._out_of_place(decision, command)
        rejection = handler(t, t.seats[seat - 1], command)
        return None if rejection is None else known_ids.refused(t.data, command, rejection)

    @staticmethod
    def _out_of_place(decision: str, command: Struct) -> Rejection:
        values = {"command": type(command).__name__}
        if not decision:
            return Rejection("NOT_DECIDING", "table.not_deciding", values)
        return Rejection("WRONG_DECISION", "table.wrong_decision", values | {"decision": decision})

    def legal(self, seat: int) -> Sequence[Struct]:
        """Every command that the seat can give now."""
        t = self.t
        listing = LEGAL.get(t.table.decisions[seat])
        return listing(t, t.seats[seat - 1]) if listing else ()

    def offered(self, seat: int, command: Struct) -> Struct:
        """A legal command as it is offered to the seat: with what lies on the table, where only that tells it apart."""
        t = self.t
        return deeds.offered(t, t.seats[seat - 1], command) if isinstance(command, c.SendToDeed) else command

    def board(self, viewer: int) -> Board:
        """The typed board as a viewer sees it."""
        return board_of(self.t, viewer)

    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.t.phase.value == OVER

    def standings(self) -> list[Standing]:
        """The result, best first; empty before the end."""
        if not self.is_over():
            return []
        t = self.t
        standings = [Standing(seat.number, scoring.total(t, seat), scoring.rank(t, seat)) for seat in t.seats]
        return sorted(standings, key=lambda standing: (standing.rank, standing.seat))
