"""One table of a story being played: from an open decision to the function that takes it."""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.families.followers import play as family
from boardkeeper.families.followers.phases.verbs.use_place import at_place, by_verb
from boardkeeper.table.course import Decide, Desk, Legal
from boardkeeper.table.scores import ScoreLine
from boardkeeper.table.standings import standings
from boardkeeper.table.title import Standing
from boardkeeper.titlekit.bound import BoundPlay, Rules
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

DECIDE: dict[tuple[str, type[Struct]], Decide] = {
    **family.DECIDE,
    ("plan", c.PlaceFollower): planning.place_follower,
    ("act", c.UsePlace): by_verb(USE),
    ("act", c.RecruitFollower): at_place("choose", gain.recruit),
    ("act", c.Expand): at_place("territory", territory.expand),
    ("act", c.Conquer): at_place("territory", territory.conquer),
    ("act", c.Build): at_place("build", build.build),
    ("act", c.TakePlaceCard): at_place("construction", construction.take),
    ("act", c.ProduceGoods): at_place("produce", produce.produce_one),
    ("act", c.ConvertCoins): at_place("convert", convert.convert),
    ("act", c.ExchangeGoods): at_place("exchange", convert.exchange),
    ("act", c.PlaceTechnology): acting.place_while_acting,
    ("act", c.EnterTown): at_place("territory", territory.enter_town),
    ("choose_good", c.TakeGood): choosing.take_good,
    ("message", c.KeepMessage): secrets.keep_message,
    ("declare", c.DeclareMission): declaring.declare,
    ("declare", c.KeepSilent): declaring.keep_silent,
    ("unfed", c.ReturnSettler): demands.return_settler,
    ("offer", c.TakeBonus): tiles.accept,
    ("look", c.LookAtNation): tiles.look,
    ("card", c.TakePlaceCard): tiles.take_card,
    ("drawn", c.PlaceDrawnFollower): tiles.place_drawn,
    ("drawn", c.KeepFollower): tiles.keep_drawn,
    ("worth", c.TakeGood): tiles.take_good,
    ("worth", c.TakeCoins): tiles.take_coins,
    ("raze", c.RazeFortress): tiles.raze,
    ("church", c.Build): tiles.build_church,
    **{(decision, c.DeclineBonus): tiles.decline for decision in ("offer", "look", "card", "worth", "raze", "church")},
    ("trade", c.SellGood): market.sell,
    ("trade", c.BuyGood): market.buy,
    ("trade", c.FinishTrading): market.finish,
    ("bathhouse", c.PlaceDrawnFollower): planning.place_drawn,
    ("fame_bonus", c.UnlockPlace): fame.unlock_place,
    ("fame_bonus", c.AdvanceEra): fame.advance_era,
    ("fame_bonus", c.TakeCitizen): fame.take_citizen,
    ("fame_bonus", c.DeclineBonus): fame.decline,
    ("give", c.GiveGood): demands.give_good,
    ("pay", c.GiveGood): offers.give_wood,
    ("pay", c.PayCoins): offers.pay_coins,
    ("pay", c.SurrenderTechnology): offers.lose_technology,
    ("pay", c.SurrenderSettler): offers.lose_settler,
    ("invest", c.GiveGood): offers.invest,
    ("invest", c.DeclineBonus): offers.decline,
    ("newcomer", c.TakeFollower): offers.take_follower,
    ("newcomer", c.DeclineBonus): offers.decline,
    ("fair", c.SellGood): offers.sell,
    ("fair", c.FinishTrading): offers.finish_fair,
    ("trek", c.Expand): offers.trek,
    ("trek", c.DeclineBonus): offers.decline,
    ("torture", c.SurrenderSettler): torture.surrender_settler,
    ("torture", c.SurrenderFortress): torture.surrender_fortress,
    ("torture", c.SurrenderTechnology): torture.surrender_technology,
    ("torture", c.SurrenderPlaceCard): torture.surrender_place_card,
    ("torture", c.SurrenderCitizen): torture.surrender_citizen,
}
"""Which function carries out a command, by the decision that is open and the kind of command."""

LEGAL: dict[str, Legal] = {
    **family.LEGAL,
    "plan": planning.legal_plan,
    "act": acting.legal_act,
    "trade": market.legal_trade,
    "fame_bonus": fame.legal_bonus,
    "give": demands.legal_give,
    "torture": torture.legal_torture,
    "choose_good": choosing.legal_choice,
    "message": secrets.legal_message,
    "declare": declaring.legal_declare,
    "unfed": demands.legal_unfed,
    **tiles.LEGAL,
    **offers.LEGAL,
}
"""Which function lists the commands of a decision."""


def _scores(t: Stories) -> tuple[ScoreLine, ...]:
    return teams.lines(t) if t.data.nations else scoring.lines(t)


def _standings(t: Stories) -> list[Standing]:
    return standings((teams if t.data.nations else scoring).results(t))


class StoriesPlay(BoundPlay[Stories, Board]):
    """The rules of a story on one table (see :class:`boardkeeper.table.title.Play`)."""

    __slots__ = ()

    desk = Desk(DECIDE, LEGAL, lambda t: known_ids(t.data))

    rules = Rules(setup.set_up, offered, board_of, _scores, _standings)
