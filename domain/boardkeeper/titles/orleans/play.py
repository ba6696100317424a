"""The decisions of Orléans, and its rules bound to a table."""

from __future__ import annotations

from boardkeeper.families.followers import play as family
from boardkeeper.families.followers.phases import actions, followers
from boardkeeper.families.followers.phases.verbs.action import decide_at_place, use_place_by_verb
from boardkeeper.titlekit.bound_title import BoundPlay, Rules
from boardkeeper.titlekit.standings import standings
from boardkeeper.titlekit.turn_flow import CommandDispatcher, Decisions
from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import scoring, setup
from boardkeeper.titles.orleans.board import Board
from boardkeeper.titles.orleans.board_view import board_of
from boardkeeper.titles.orleans.material import Orleans, known_ids
from boardkeeper.titles.orleans.offers import to_offer
from boardkeeper.titles.orleans.phases import events, torture
from boardkeeper.titles.orleans.phases.verbs import USE, pharmacy, recruit, travel

DECISIONS: Decisions = {
    "keep": (followers.legal_keep, {c.KeepFollower: followers.keep_follower}),
    "store": (followers.legal_store, {
        c.StoreFollower: followers.store_follower,
        c.FinishStoring: followers.finish_storing,
    }),
    "act": (actions.legal_act, {
        c.UsePlace: use_place_by_verb(USE),
        c.RecruitFollower: decide_at_place("recruit", recruit.recruit),
        c.Travel: decide_at_place("travel", travel.travel),
        c.BuyDevelopment: decide_at_place("pharmacy", pharmacy.buy),
    }),
    "harvest": (events.legal_harvest, {c.GiveFood: events.give_food, c.PayForFood: events.pay_for_food}),
    "torture": (torture.legal_torture, {
        c.SurrenderTradingStation: torture.surrender_trading_station,
        c.SurrenderFollower: torture.surrender_follower,
        c.SurrenderDevelopment: torture.surrender_development,
        c.SurrenderGood: torture.surrender_good,
        c.SurrenderPlaceTile: torture.surrender_place_tile,
        c.SurrenderTechnology: torture.surrender_technology,
    }),
}  # fmt: skip
"""For each decision: the function that lists its commands, and the functions that carry them out.

It extends the decisions of the family: ``act`` replaces the function that lists commands, and adds commands.
"""


class OrleansPlay(BoundPlay[Orleans, Board]):
    """The rules of Orléans on one table (see :class:`boardkeeper.titlekit.title.Play`)."""

    __slots__ = ()

    dispatcher = CommandDispatcher(family.DECISIONS, DECISIONS, known_ids=lambda t: known_ids(t.data))

    rules = Rules(setup.set_up, to_offer, board_of, scoring.lines, lambda t: standings(scoring.ranking_keys(t)))
