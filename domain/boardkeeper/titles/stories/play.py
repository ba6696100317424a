"""One table of a story being played: from an open decision to the function that takes it."""

from __future__ import annotations

from boardkeeper.families.followers import play as family
from boardkeeper.families.followers.phases.verbs import bathhouse
from boardkeeper.families.followers.phases.verbs.use_place import at_place, by_verb
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
from boardkeeper.titles.stories.offers import offered
from boardkeeper.titles.stories.phases import (
    choosing,
    declaring,
    demands,
    fame,
    offers,
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
        c.UsePlace: by_verb(USE),
        c.RecruitFollower: at_place("choose", gain.recruit),
        c.Expand: at_place("territory", territory.expand),
        c.Conquer: at_place("territory", territory.conquer),
        c.Build: at_place("build", build.build),
        c.TakePlaceCard: at_place("construction", construction.take),
        c.ProduceGoods: at_place("produce", produce.produce_one),
        c.ConvertCoins: at_place("convert", convert.convert),
        c.ExchangeGoods: at_place("exchange", convert.exchange),
        c.PlaceTechnology: acting.place_while_acting,
        c.EnterTown: at_place("territory", territory.enter_town),
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
    "choose_good": (choosing.legal_choice, {c.TakeGood: choosing.take_good}),
    "message": (secrets.legal_message, {c.KeepMessage: secrets.keep_message}),
    "declare": (declaring.legal_declare, {c.DeclareMission: declaring.declare, c.KeepSilent: declaring.keep_silent}),
    "unfed": (demands.legal_unfed, {c.ReturnSettler: demands.return_settler}),
}  # fmt: skip
"""The decisions that the family, fame tiles and offers of events do not have, and more commands of the family's."""


def _scores(t: Stories) -> tuple[ScoreLine, ...]:
    return teams.lines(t) if t.data.nations else scoring.lines(t)


def _standings(t: Stories) -> list[Standing]:
    return standings((teams if t.data.nations else scoring).results(t))


class StoriesPlay(BoundPlay[Stories, Board]):
    """The rules of a story on one table (see :class:`boardkeeper.titlekit.title.Play`)."""

    __slots__ = ()

    dispatcher = CommandDispatcher(
        family.DECISIONS, DECISIONS, tiles.DECISIONS, offers.DECISIONS, known_ids=lambda t: known_ids(t.data)
    )

    rules = Rules(setup.set_up, offered, board_of, _scores, _standings)
