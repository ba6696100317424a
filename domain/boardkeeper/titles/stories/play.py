"""The decisions of Orléans Stories with the functions that list and carry out their commands."""

from __future__ import annotations

from boardkeeper.families.followers import play as family
from boardkeeper.families.followers.phases.verbs import bathhouse
from boardkeeper.families.followers.phases.verbs.action import decide_at_place, use_place_by_verb
from boardkeeper.titlekit.bound_title import BoundPlay, Rules
from boardkeeper.titlekit.scores import ScoreLine
from boardkeeper.titlekit.standings import standings
from boardkeeper.titlekit.title import Standing
from boardkeeper.titlekit.turn_flow import CommandDispatcher, Decisions
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import scoring, setup, teams
from boardkeeper.titles.stories.board import Board
from boardkeeper.titles.stories.board_view import board_of
from boardkeeper.titles.stories.material import Stories, known_ids
from boardkeeper.titles.stories.offers import to_offer
from boardkeeper.titles.stories.phases import (
    declarations,
    demands,
    event_choices,
    fame,
    good_choice,
    planning,
    secrets,
    tiles,
    torture,
)
from boardkeeper.titles.stories.phases import technology as acting
from boardkeeper.titles.stories.phases.verbs import (
    USE,
    build,
    construction,
    convert,
    gain,
    market,
    produce,
    territory,
)

DECISIONS: Decisions = {
    "plan": (planning.legal_plan, {c.PlaceFollower: planning.place_follower}),
    "act": (acting.legal_act, {
        c.UsePlace: use_place_by_verb(USE),
        c.RecruitFollower: decide_at_place("choose", gain.recruit),
        c.Expand: decide_at_place("territory", territory.expand),
        c.Conquer: decide_at_place("territory", territory.conquer),
        c.Build: decide_at_place("build", build.build),
        c.TakePlaceCard: decide_at_place("construction", construction.take),
        c.ProduceGoods: decide_at_place("produce", produce.produce_one),
        c.ConvertCoins: decide_at_place("convert", convert.convert),
        c.ExchangeGoods: decide_at_place("exchange", convert.exchange),
        c.PlaceTechnology: acting.place_while_acting,
        c.EnterTown: decide_at_place("territory", territory.enter_town),
    }),
    "trade": (market.legal_trade, {
        c.SellGood: market.sell,
        c.BuyGood: market.buy,
        c.FinishTrading: market.finish,
    }),
    "bathhouse": (bathhouse.legal_bathhouse, {c.PlaceDrawnFollower: planning.place_drawn}),
    "fame_bonus": (fame.legal_bonus, {
        c.UnlockPlace: fame.unlock_place,
        c.AdvanceEra: fame.advance_era,
        c.TakeCitizen: fame.take_citizen,
        c.DeclineBonus: fame.decline,
    }),
    "give": (demands.legal_give, {c.GiveGood: demands.give_good}),
    "torture": (torture.legal_torture, {
        c.SurrenderSettler: torture.surrender_settler,
        c.SurrenderFortress: torture.surrender_fortress,
        c.SurrenderTechnology: torture.surrender_technology,
        c.SurrenderPlaceCard: torture.surrender_place_card,
        c.SurrenderCitizen: torture.surrender_citizen,
    }),
    "choose_good": (good_choice.legal_choice, {c.TakeGood: good_choice.take_good}),
    "message": (secrets.legal_message, {c.KeepMessage: secrets.keep_message}),
    "declare": (declarations.legal_declare, {
        c.DeclareMission: declarations.declare,
        c.KeepSilent: declarations.keep_silent,
    }),
    "unfed": (demands.legal_unfed, {c.ReturnSettler: demands.return_settler}),
}  # fmt: skip
"""For each decision: the function that lists its commands, and the functions that carry them out.

``tiles`` and ``event_choices`` have further decisions. ``plan``, ``act`` and ``bathhouse`` change those of the family.
"""


def _scores(t: Stories) -> tuple[ScoreLine, ...]:
    return teams.lines(t) if t.data.nations else scoring.lines(t)


def _standings(t: Stories) -> list[Standing]:
    return standings((teams if t.data.nations else scoring).ranking_keys(t))


class StoriesPlay(BoundPlay[Stories, Board]):
    """The rules of a story on one table (see :class:`boardkeeper.titlekit.title.Play`)."""

    __slots__ = ()

    dispatcher = CommandDispatcher(
        family.DECISIONS, DECISIONS, tiles.DECISIONS, event_choices.DECISIONS, known_ids=lambda t: known_ids(t.data)
    )

    rules = Rules(setup.set_up, to_offer, board_of, _scores, _standings)
