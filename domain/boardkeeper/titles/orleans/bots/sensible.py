"""The sensible bot: takes the command that promises most points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from boardkeeper.families.followers.data import MONK, character
from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans.board import Board
from boardkeeper.titles.orleans.bots.outlook import FOLLOWER, Outlook
from boardkeeper.titles.orleans.bots.plan import next_step

Worth = Callable[[Outlook, Any], float]


def choose(board: Board, seat: int, commands: Sequence[Struct]) -> Struct:
    """The command of most worth; the first of equals."""
    outlook = Outlook(board, seat)
    if any(isinstance(command, c.FinishPlanning) for command in commands):
        return next_step(outlook, commands)
    return max(commands, key=lambda command: WORTH[type(command)](outlook, command))


def _nothing(outlook: Outlook, command: Struct) -> float:
    """Ending a decision brings nothing and costs nothing."""
    return 0.0


# --- followers -------------------------------------------------------------------------------------------------


def _draw(outlook: Outlook, command: c.DrawFollowers) -> float:
    return float(command.count)


def _take_back(outlook: Outlook, command: c.TakeBackFollower) -> float:
    """Followers that wait in vain are freed, and others too while there are more draws than followers to draw."""
    if outlook.is_dead(command.place):
        return 100.0
    draws = outlook.me.draw_limit - outlook.me.draws_made - outlook.me.given_up_draws
    return 50.0 if draws > outlook.me.bag_count and not outlook.places[command.place].active else -1.0


def _keep(outlook: Outlook, command: c.KeepFollower) -> float:
    """Monks, and else whoever the market has fewest of."""
    who = character(command.follower)
    alike = sum(count for follower, count in outlook.me.market.items() if character(follower) == who)
    return (2.0 if who == MONK else 0.0) - alike


def _store(outlook: Outlook, command: c.StoreFollower) -> float:
    return outlook.best_deed(command.follower) - (1.0 if character(command.follower) == MONK else 0.0)


# --- actions ---------------------------------------------------------------------------------------------------


def _use(outlook: Outlook, command: c.UsePlace) -> float:
    if outlook.data.places[command.place].build_station:
        return outlook.station() + 10.0  # before the merchant travels on, or somebody else builds there
    return outlook.use(command.place)


def _recruit(outlook: Outlook, command: c.RecruitFollower) -> float:
    return outlook.recruit(command.character, command.place_tile)


def _travel(outlook: Outlook, command: c.Travel) -> float:
    will_build = outlook.places["guildhall"].active
    return outlook.travel(command.town, command.good, will_build=will_build)


def _send(outlook: Outlook, command: c.SendToDeed) -> float:
    place = outlook.places[command.place]
    follower = next(space.occupant for space in place.spaces if space.space == command.space)
    deed = next(deed for deed in outlook.board.deeds if deed.deed == command.deed)
    return outlook.deed(deed, follower, command.reward)


def _buy(outlook: Outlook, command: c.BuyDevelopment) -> float:
    return outlook.development(command.coins) - command.coins


def _place_drawn(outlook: Outlook, command: c.PlaceDrawnFollower) -> float:
    place = outlook.places[command.place]
    missing = sum(1 for space in place.spaces if not space.occupant)
    if command.place == "town_hall":
        return outlook.best_deed(command.follower)
    worth = outlook.use(command.place) / missing**2
    return worth - (FOLLOWER if character(command.follower) == MONK else 0.0)


def _place_technology(outlook: Outlook, command: c.PlaceTechnology) -> float:
    """A tile saves the more, the more often its place is used."""
    place = outlook.places[command.place]
    if outlook.is_dead(command.place):
        return -1.0
    return LIKED.get(command.place, 1.0) + 0.3 / len(place.spaces)


LIKED = {
    "university": 2.0,
    "farm_house": 3.0,
    "village": 2.5,
    "castle": 2.4,
    "wagon": 2.6,
    "guildhall": 2.8,
    "ship": 2.2,
}
"""How often a place is likely to be used."""


# --- events and torture ----------------------------------------------------------------------------------------------


def _sacristy(outlook: Outlook, command: c.UseSacristy) -> float:
    """What the event would cost, less what the monk may save another time."""
    event = outlook.board.hour_glass.event
    kept = 1.0 if outlook.left else 0.0
    if outlook.board.phase == "census":
        return 1.0 - 2.0 * kept
    if event == "plague":
        return outlook.missed("farmer") - kept
    strength = outlook.strength(event, outlook.board.hour_glass.strength)
    if event == "taxes":
        return sum(outlook.me.goods.values()) // max(1, strength) - kept
    return 2.0 * strength - kept


def _give_food(outlook: Outlook, command: c.GiveFood) -> float:
    return -float(outlook.data.good_points[command.good])


def _surrender_station(outlook: Outlook, command: c.SurrenderTradingStation) -> float:
    if command.town:
        return -outlook.station()
    return -0.2 if outlook.me.stations_in_supply > 1 + outlook.left // 3 else -outlook.station() / 2


def _surrender_development(outlook: Outlook, command: c.SurrenderDevelopment) -> float:
    falls = outlook.data.status_at[outlook.me.development] - outlook.data.status_at[outlook.me.development - 1]
    return -(outlook.holdings / 5) - falls * outlook.holdings * 0.3


def _surrender_place_tile(outlook: Outlook, command: c.SurrenderPlaceTile) -> float:
    return -outlook.tile(command.place) - 0.3


WORTH: dict[type[Struct], Worth] = {
    c.DrawFollowers: _draw,
    c.TakeBackFollower: _take_back,
    c.FinishTakingBack: _nothing,
    c.KeepFollower: _keep,
    c.StoreFollower: _store,
    c.FinishStoring: _nothing,
    c.UsePlace: _use,
    c.RecruitFollower: _recruit,
    c.Travel: _travel,
    c.SendToDeed: _send,
    c.FinishDeeds: _nothing,
    c.BuyDevelopment: _buy,
    c.PlaceDrawnFollower: _place_drawn,
    c.Pass: _nothing,
    c.PlaceTechnology: _place_technology,
    c.KeepTechnology: _nothing,
    c.UseSacristy: _sacristy,
    c.SufferEvent: _nothing,
    c.GiveFood: _give_food,
    c.PayForFood: lambda outlook, _: -float(outlook.data.coins_per_food),
    c.SurrenderTradingStation: _surrender_station,
    c.SurrenderFollower: lambda outlook, _: -1.0 - outlook.missed("farmer"),
    c.SurrenderDevelopment: _surrender_development,
    c.SurrenderGood: lambda outlook, command: -float(outlook.data.good_points[command.good]),
    c.SurrenderPlaceTile: _surrender_place_tile,
    c.SurrenderTechnology: lambda outlook, _: -0.5 - outlook.technology(),
}
"""What a command is worth; commands of one decision are compared with each other only."""
