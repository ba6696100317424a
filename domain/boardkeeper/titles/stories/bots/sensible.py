"""The sensible bot: takes the command that promises most points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from boardkeeper.families.followers import bots
from boardkeeper.families.followers.bots import Worth, decide, nothing
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories.bots import missions
from boardkeeper.titles.stories.bots.outlook import Outlook
from boardkeeper.titles.stories.bots.plan import next_step
from boardkeeper.titles.stories.control import landscape_of
from boardkeeper.titles.stories.data import CHURCH
from boardkeeper.titles.stories.play import StoriesPlay


def choose(play: StoriesPlay, seat: int, commands: Sequence[Struct]) -> Struct:
    """The command of most worth; the first of equals."""
    return decide(Outlook(play.t, play.t.seats[seat - 1]), commands, WORTH, next_step)


# --- actions ---------------------------------------------------------------------------------------------------


def _recruit(outlook: Outlook, command: c.RecruitFollower) -> float:
    choices = outlook.data.places[command.place].choose
    return 0.1 + outlook.recruited(next(each for each in choices if each.recruit == command.character))


def _build(outlook: Outlook, command: c.Build) -> float:
    building = outlook.data.places[command.place].build if command.place else CHURCH
    return outlook.built(building, outlook.areas[command.area])


def _produce(outlook: Outlook, command: c.ProduceGoods) -> float:
    good = outlook.data.landscape_goods[command.landscape]
    return outlook.good(good) * sum(1 for area in outlook.own if landscape_of(outlook.t, area) == command.landscape)


def _exchange(outlook: Outlook, command: c.ExchangeGoods) -> float:
    place = outlook.data.places[command.place]
    return command.count * (outlook.good(place.exchange_to) - outlook.good(place.exchange_from))


def _sell(outlook: Outlook, command: c.SellGood) -> float:
    bonus = outlook.t.card().get("price_bonus", 0) if outlook.t.phase.value == "event" else 0
    return float(outlook.data.good_values[command.good] + bonus - outlook.good(command.good))


def _send(outlook: Outlook, command: c.SendToDeed) -> float:
    return outlook.deed(command.deed, outlook.spaces[command.place, command.space].occupant())


def _place_drawn(outlook: Outlook, command: c.PlaceDrawnFollower) -> float:
    return outlook.gains(outlook.data.places[command.place]) / outlook.missing(command.place) ** 2


# --- what is asked for -----------------------------------------------------------------------------------------------


def _look(outlook: Outlook, command: c.LookAtNation) -> float:
    """A nation that is not known yet is worth a look."""
    return 0.0 if command.of in missions.known_nations(outlook) else 1.0


def _declare(outlook: Outlook, command: c.DeclareMission) -> float:
    """Only what is certain from what the seat has seen: a wrong declaration loses the game."""
    return 1.0 if missions.is_surely_fulfilled(outlook) else -1.0


def _give(outlook: Outlook, command: c.GiveGood) -> float:
    is_invested = outlook.t.table.decisions[outlook.me.number] == "invest"
    return (outlook.technology() if is_invested else 0.0) - outlook.good(command.good)


def _surrender_settler(outlook: Outlook, command: c.SurrenderSettler) -> float:
    if command.area:
        return -outlook.site(command.area)
    return -0.3 if outlook.me.settlers.total() > outlook.left // 2 else -0.5 * outlook.area()


def _surrender_technology(outlook: Outlook, command: c.SurrenderTechnology) -> float:
    return -0.2 - outlook.technology() * (1.0 if command.place else 0.8)


WORTH: Mapping[type[Struct], Worth] = {
    **bots.WORTH,
    c.TakeBackFollower: lambda *_: -1.0,
    c.UsePlace: lambda outlook, command: 0.1 + outlook.gains(outlook.data.places[command.place]),
    c.RecruitFollower: _recruit,
    c.Expand: lambda outlook, command: 10.0 + outlook.site(command.area),  # before another seat is there
    c.Conquer: lambda outlook, command: 11.0 + outlook.site(command.area),
    c.EnterTown: lambda outlook, _: 0.0 if outlook.towns else 1.0,  # an area is worth more than a way to it
    c.Build: _build,
    c.TakePlaceCard: lambda outlook, command: 0.1 + outlook.card(command.card),
    c.ProduceGoods: _produce,
    c.ConvertCoins: lambda outlook, command: outlook.fame(command.coins) - command.coins,
    c.ExchangeGoods: _exchange,
    c.SellGood: _sell,
    c.BuyGood: lambda outlook, command: outlook.good(command.good) - outlook.data.good_values[command.good],
    c.FinishTrading: nothing,
    c.SendToDeed: _send,
    c.PlaceDrawnFollower: _place_drawn,
    c.KeepFollower: lambda *_: 0.5,
    c.PlaceTechnology: lambda outlook, command: outlook.mechanized(command),
    c.UnlockPlace: lambda outlook, command: outlook.card(command.place),
    c.AdvanceEra: lambda outlook, _: outlook.next_era(),
    c.TakeCitizen: lambda outlook, _: outlook.citizen(),
    c.TakeGood: lambda outlook, command: outlook.good(command.good),
    c.TakeCoins: lambda outlook, _: float(outlook.me.owed.value),
    c.RazeFortress: lambda outlook, command: outlook.razed(command.area),
    c.LookAtNation: _look,
    c.TakeBonus: lambda *_: 1.0,
    c.DeclineBonus: nothing,
    c.UseSacristy: lambda outlook, _: 1.0 if outlook.left else 0.5,
    c.GiveGood: _give,
    c.PayCoins: lambda outlook, _: -float(outlook.t.card().get("pay_coins", 0)),
    c.ReturnSettler: lambda outlook, command: 0.0 if command.area in outlook.t.towns else -outlook.site(command.area),
    c.KeepMessage: nothing,
    c.DeclareMission: _declare,
    c.KeepSilent: nothing,
    c.TakeFollower: lambda outlook, command: outlook.follower(command.character),
    c.SurrenderSettler: _surrender_settler,
    c.SurrenderFortress: lambda _, command: -0.5 if command.area else -0.1,
    c.SurrenderTechnology: _surrender_technology,
    c.SurrenderPlaceCard: lambda outlook, command: -outlook.card(command.place) - 0.3,
    c.SurrenderCitizen: lambda outlook, _: -outlook.citizen(),
}
