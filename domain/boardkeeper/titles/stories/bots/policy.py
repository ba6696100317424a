"""The policy of Orléans Stories: the estimated value of each legal command, on which the sensible bot is built."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from boardkeeper.families.followers import bots
from boardkeeper.families.followers.bots import ValueFunction, score_commands, zero_value
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories.bots import missions
from boardkeeper.titles.stories.bots.plan import score_placements
from boardkeeper.titles.stories.bots.valuation import Valuation
from boardkeeper.titles.stories.control import landscape_of
from boardkeeper.titles.stories.data import CHURCH
from boardkeeper.titles.stories.play import StoriesPlay


def scores(play: StoriesPlay, seat: int, commands: Sequence[Struct]) -> list[float]:
    """Return the value of each command, in points (see :class:`boardkeeper.titlekit.policies.CommandPolicy`)."""
    return score_commands(Valuation, play.t, play.t.seats[seat - 1], commands, VALUE_FUNCTIONS, score_placements)


# --- actions -------------------------------------------------------------------------------------------------


def _recruit(valuation: Valuation, command: c.RecruitFollower) -> float:
    choices = valuation.data.places[command.place].choose
    return 0.1 + valuation.choice(next(each for each in choices if each.recruit == command.character))


def _build(valuation: Valuation, command: c.Build) -> float:
    building = valuation.data.places[command.place].build if command.place else CHURCH
    return valuation.building(building, valuation.area_at(command.area))


def _produce(valuation: Valuation, command: c.ProduceGoods) -> float:
    good = valuation.data.landscape_goods[command.landscape]
    return valuation.good(good) * sum(
        1 for area in valuation.own if landscape_of(valuation.t, area) == command.landscape
    )


def _exchange(valuation: Valuation, command: c.ExchangeGoods) -> float:
    place = valuation.data.places[command.place]
    return command.count * (valuation.good(place.exchange_to) - valuation.good(place.exchange_from))


def _sell(valuation: Valuation, command: c.SellGood) -> float:
    bonus = valuation.t.event_effect().get("price_bonus", 0) if valuation.t.phase.value == "event" else 0
    return float(valuation.data.good_values[command.good] + bonus - valuation.good(command.good))


def _send(valuation: Valuation, command: c.SendToDeed) -> float:
    return valuation.deed(command.deed, valuation.spaces[command.place, command.space].occupant())


def _place_drawn(valuation: Valuation, command: c.PlaceDrawnFollower) -> float:
    return valuation.gains(valuation.data.places[command.place]) / valuation.count_empty_spaces(command.place) ** 2


# --- other decisions -----------------------------------------------------------------------------------------


def _look(valuation: Valuation, command: c.LookAtNation) -> float:
    """Value only looks at unknown nation cards."""
    return 0.0 if command.of in missions.known_nations(valuation) else 1.0


def _declare(valuation: Valuation, command: c.DeclareMission) -> float:
    """Declare only a certainly fulfilled mission: a wrong declaration loses the game."""
    return 1.0 if missions.is_surely_fulfilled(valuation) else -1.0


def _give(valuation: Valuation, command: c.GiveGood) -> float:
    is_invested = valuation.t.table.decisions[valuation.me.number] == "invest"
    return (valuation.technology() if is_invested else 0.0) - valuation.good(command.good)


def _surrender_settler(valuation: Valuation, command: c.SurrenderSettler) -> float:
    if command.area:
        return -valuation.site(command.area)
    return -0.3 if valuation.me.settlers.total() > valuation.left // 2 else -0.5 * valuation.area()


def _surrender_technology(valuation: Valuation, command: c.SurrenderTechnology) -> float:
    return -0.2 - valuation.technology() * (1.0 if command.place else 0.8)


VALUE_FUNCTIONS: Mapping[type[Struct], ValueFunction] = {
    **bots.VALUE_FUNCTIONS,
    c.TakeBackFollower: lambda *_: -1.0,
    c.UsePlace: lambda valuation, command: 0.1 + valuation.gains(valuation.data.places[command.place]),
    c.RecruitFollower: _recruit,
    c.Expand: lambda valuation, command: 10.0 + valuation.site(command.area),  # before another seat takes it
    c.Conquer: lambda valuation, command: 11.0 + valuation.site(command.area),
    c.EnterTown: lambda valuation, _: 0.0 if valuation.towns else 1.0,  # an area is worth more than access to it
    c.Build: _build,
    c.TakePlaceCard: lambda valuation, command: 0.1 + valuation.card(command.card),
    c.ProduceGoods: _produce,
    c.ConvertCoins: lambda valuation, command: valuation.fame(command.coins) - command.coins,
    c.ExchangeGoods: _exchange,
    c.SellGood: _sell,
    c.BuyGood: lambda valuation, command: valuation.good(command.good) - valuation.data.good_values[command.good],
    c.FinishTrading: zero_value,
    c.SendToDeed: _send,
    c.PlaceDrawnFollower: _place_drawn,
    c.KeepFollower: lambda *_: 0.5,
    c.PlaceTechnology: lambda valuation, command: valuation.technology_on(command),
    c.UnlockPlace: lambda valuation, command: valuation.card(command.place),
    c.AdvanceEra: lambda valuation, _: valuation.next_era(),
    c.TakeCitizen: lambda valuation, _: valuation.citizen(),
    c.TakeGood: lambda valuation, command: valuation.good(command.good),
    c.TakeCoins: lambda valuation, _: float(valuation.me.owed.value),
    c.RazeFortress: lambda valuation, command: valuation.removed_fortress(command.area),
    c.LookAtNation: _look,
    c.TakeBonus: lambda *_: 1.0,
    c.DeclineBonus: zero_value,
    c.UseSacristy: lambda valuation, _: 1.0 if valuation.left else 0.5,
    c.GiveGood: _give,
    c.PayCoins: lambda valuation, _: -float(valuation.t.event_effect().get("pay_coins", 0)),
    c.ReturnSettler: lambda valuation, command: (
        0.0 if command.area in valuation.t.towns else -valuation.site(command.area)
    ),
    c.KeepMessage: zero_value,
    c.DeclareMission: _declare,
    c.KeepSilent: zero_value,
    c.TakeFollower: lambda valuation, command: valuation.follower(command.character),
    c.SurrenderSettler: _surrender_settler,
    c.SurrenderFortress: lambda _, command: -0.5 if command.area else -0.1,
    c.SurrenderTechnology: _surrender_technology,
    c.SurrenderPlaceCard: lambda valuation, command: -valuation.card(command.place) - 0.3,
    c.SurrenderCitizen: lambda valuation, _: -valuation.citizen(),
}
