"""One table of Orléans being played: from an open decision to the function that takes it."""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.families.followers import play as family
from boardkeeper.families.followers.phases import followers
from boardkeeper.families.followers.phases.verbs.use_place import at_place, by_verb
from boardkeeper.table.course import Decide, Desk, Legal
from boardkeeper.table.standings import standings
from boardkeeper.titlekit.bound import BoundPlay, Rules
from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import scoring, setup
from boardkeeper.titles.orleans.board import Board
from boardkeeper.titles.orleans.board_view import board_of
from boardkeeper.titles.orleans.material import Orleans, known_ids
from boardkeeper.titles.orleans.offers import offered
from boardkeeper.titles.orleans.phases import events, torture
from boardkeeper.titles.orleans.phases.verbs import USE, pharmacy, recruit, travel

DECIDE: dict[tuple[str, type[Struct]], Decide] = {
    **family.DECIDE,
    ("keep", c.KeepFollower): followers.keep_follower,
    ("store", c.StoreFollower): followers.store_follower,
    ("store", c.FinishStoring): followers.finish_storing,
    ("act", c.UsePlace): by_verb(USE),
    ("act", c.RecruitFollower): at_place("recruit", recruit.recruit),
    ("act", c.Travel): at_place("travel", travel.travel),
    ("act", c.BuyDevelopment): at_place("pharmacy", pharmacy.buy),
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
    **family.LEGAL,
    "keep": followers.legal_keep,
    "store": followers.legal_store,
    "harvest": events.legal_harvest,
    "torture": torture.legal_torture,
}
"""Which function lists the commands of a decision."""


class OrleansPlay(BoundPlay[Orleans, Board]):
    """The rules of Orléans on one table (see :class:`boardkeeper.table.title.Play`)."""

    __slots__ = ()

    desk = Desk(DECIDE, LEGAL, lambda t: known_ids(t.data))

    rules = Rules(setup.set_up, offered, board_of, scoring.lines, lambda t: standings(scoring.results(t)))
