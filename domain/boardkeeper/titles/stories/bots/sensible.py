"""The sensible bot: takes the command that promises most points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories.board import Board
from boardkeeper.titles.stories.bots import missions
from boardkeeper.titles.stories.bots.outlook import Outlook
from boardkeeper.titles.stories.bots.plan import next_step
from boardkeeper.titles.stories.data import CHURCH

Worth = Callable[[Outlook, Any], float]


def choose(board: Board, seat: int, commands: Sequence[Struct]) -> Struct:
    """The command of most worth; the first of equals."""
    outlook = Outlook(board, seat)
    if any(isinstance(command, c.FinishPlanning) for command in commands):
        return next_step(outlook, commands)
    return max(commands, key=lambda command: WORTH[type(command)](outlook, command))


def _nothing(outlook: Outlook, command: Struct) -> float:
    """Ending a decision, or going without, brings nothing and costs nothing."""
    return 0.0


# --- actions ---------------------------------------------------------------------------------------------------


def _use(outlook: Outlook, command: c.UsePlace) -> float:
    return 0.1 + outlook.gains(outlook.data.places[command.place])


def _recruit(outlook: Outlook, command: c.RecruitFollower) -> float:
    choices = outlook.data.places[command.place].choose
    return 0.1 + outlook.recruited(next(each for each in choices if each.recruit == command.character))


def _expand(outlook: Outlook, command: c.Expand) -> float:
    return 10.0 + outlook.site(command.area)  # before somebody else is there


def _conquer(outlook: Outlook, command: c.Conquer) -> float:
    return 11.0 + outlook.site(command.area)


def _build(outlook: Outlook, command: c.Build) -> float:
    building = outlook.data.places[command.place].build if command.place else CHURCH
    return outlook.built(building, outlook.areas[command.area])


def _enter_town(outlook: Outlook, command: c.EnterTown) -> float:
    """Only if there is nobody in the towns to go on from: an area is worth more than a way to it."""
    return 0.0 if outlook.towns else 1.0


def _take_card(outlook: Outlook, command: c.TakePlaceCard) -> float:
    return 0.1 + outlook.card(command.card)


def _produce(outlook: Outlook, command: c.ProduceGoods) -> float:
    good = outlook.data.landscape_goods[command.landscape]
    areas = [area for area in outlook.own if area.landscape == command.landscape and not area.village]
    return outlook.good(good) * len(areas)


def _convert(outlook: Outlook, command: c.ConvertCoins) -> float:
    return outlook.fame(command.coins) - command.coins


def _exchange(outlook: Outlook, command: c.ExchangeGoods) -> float:
    place = outlook.data.places[command.place]
    return command.count * (outlook.good(place.exchange_to) - outlook.good(place.exchange_from))


def _sell(outlook: Outlook, command: c.SellGood) -> float:
    event = outlook.data.events.get(outlook.board.events.event)
    fair = outlook.board.phase == "event" and event is not None
    bonus = event.effect.get("price_bonus", 0) if fair and event else 0
    return outlook.data.good_values[command.good] + bonus - outlook.good(command.good)


def _buy(outlook: Outlook, command: c.BuyGood) -> float:
    return outlook.good(command.good) - outlook.data.good_values[command.good]


def _send(outlook: Outlook, command: c.SendToDeed) -> float:
    place = outlook.places[command.place]
    follower = next(space.occupant for space in place.spaces if space.space == command.space)
    deed = next(deed for deed in outlook.board.deeds if deed.deed == command.deed)
    return outlook.deed(deed, follower)


def _place_drawn(outlook: Outlook, command: c.PlaceDrawnFollower) -> float:
    place = outlook.places[command.place]
    missing = sum(1 for space in place.spaces if not space.occupant)
    return outlook.gains(outlook.data.places[command.place]) / missing**2


# --- fame ----------------------------------------------------------------------------------------------------------


def _unlock(outlook: Outlook, command: c.UnlockPlace) -> float:
    return outlook.card(command.place)


# --- what is asked for -----------------------------------------------------------------------------------------------


def _look(outlook: Outlook, command: c.LookAtNation) -> float:
    """Whoever is not known yet is worth a look."""
    return 0.0 if command.of in missions.known_nations(outlook) else 1.0


def _declare(outlook: Outlook, command: c.DeclareMission) -> float:
    """Only what is certain from what the seat has seen: a wrong declaration loses the game."""
    return 1.0 if missions.is_surely_fulfilled(outlook) else -1.0


def _give(outlook: Outlook, command: c.GiveGood) -> float:
    bonus = outlook.technology() if outlook.me.decision == "invest" else 0.0
    return bonus - outlook.good(command.good)


def _pay(outlook: Outlook, command: c.PayCoins) -> float:
    return -float(outlook.data.events[outlook.board.events.event].effect.get("pay_coins", 0))


def _surrender_settler(outlook: Outlook, command: c.SurrenderSettler) -> float:
    if command.area:
        return -outlook.site(command.area)
    return -0.3 if outlook.me.settlers_in_supply > outlook.left // 2 else -0.5 * outlook.area()


def _surrender_fortress(outlook: Outlook, command: c.SurrenderFortress) -> float:
    return -0.5 if command.area else -0.1


def _surrender_technology(outlook: Outlook, command: c.SurrenderTechnology) -> float:
    return -0.2 - outlook.technology() * (1.0 if command.place else 0.8)


WORTH: dict[type[Struct], Worth] = {
    c.DrawFollowers: lambda _, command: float(command.count),
    c.TakeBackFollower: lambda *_: -1.0,
    c.FinishTakingBack: _nothing,
    c.UsePlace: _use,
    c.RecruitFollower: _recruit,
    c.Expand: _expand,
    c.Conquer: _conquer,
    c.EnterTown: _enter_town,
    c.Build: _build,
    c.TakePlaceCard: _take_card,
    c.ProduceGoods: _produce,
    c.ConvertCoins: _convert,
    c.ExchangeGoods: _exchange,
    c.SellGood: _sell,
    c.BuyGood: _buy,
    c.FinishTrading: _nothing,
    c.SendToDeed: _send,
    c.FinishDeeds: _nothing,
    c.PlaceDrawnFollower: _place_drawn,
    c.KeepFollower: lambda *_: 0.5,
    c.Pass: _nothing,
    c.PlaceTechnology: lambda outlook, command: outlook.mechanized(command),
    c.KeepTechnology: _nothing,
    c.UnlockPlace: _unlock,
    c.AdvanceEra: lambda outlook, _: outlook.next_era(),
    c.TakeCitizen: lambda outlook, _: outlook.citizen(),
    c.TakeGood: lambda outlook, command: outlook.good(command.good),
    c.TakeCoins: lambda outlook, _: float(outlook.me.owed),
    c.RazeFortress: lambda outlook, command: outlook.razed(command.area),
    c.LookAtNation: _look,
    c.TakeBonus: lambda *_: 1.0,
    c.DeclineBonus: _nothing,
    c.UseSacristy: lambda outlook, _: 1.0 if outlook.left else 0.5,
    c.SufferEvent: _nothing,
    c.GiveGood: _give,
    c.PayCoins: _pay,
    c.ReturnSettler: lambda outlook, command: 0.0 if outlook.areas[command.area].town else -outlook.site(command.area),
    c.KeepMessage: _nothing,
    c.DeclareMission: _declare,
    c.KeepSilent: _nothing,
    c.TakeFollower: lambda outlook, command: outlook.follower(command.character),
    c.SurrenderSettler: _surrender_settler,
    c.SurrenderFortress: _surrender_fortress,
    c.SurrenderTechnology: _surrender_technology,
    c.SurrenderPlaceCard: lambda outlook, command: -outlook.card(command.place) - 0.3,
    c.SurrenderCitizen: lambda outlook, _: -outlook.citizen(),
}
"""What a command is worth; commands of one decision are compared with each other only."""
