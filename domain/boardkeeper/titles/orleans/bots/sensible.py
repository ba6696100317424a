"""The sensible bot: takes the command that promises most points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from boardkeeper.families.followers import bots
from boardkeeper.families.followers.bots import Worth, decide
from boardkeeper.families.followers.data import MONK, character
from boardkeeper.families.followers.phases.followers import draws_unused
from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans.bots.outlook import FOLLOWER, Outlook
from boardkeeper.titles.orleans.bots.plan import GUILDHALL, TOWN_HALL, next_step
from boardkeeper.titles.orleans.play import OrleansPlay


def choose(play: OrleansPlay, seat: int, commands: Sequence[Struct]) -> Struct:
    """The command of most worth; the first of equals."""
    return decide(Outlook(play.t, play.t.seats[seat - 1]), commands, WORTH, next_step)


# --- followers -------------------------------------------------------------------------------------------------


def _take_back(outlook: Outlook, command: c.TakeBackFollower) -> float:
    """Followers that wait in vain are freed, and others too while there are more draws than followers to draw."""
    if outlook.is_dead(command.place):
        return 100.0
    is_spare = draws_unused(outlook.t, outlook.me) > outlook.me.bag.total()
    return 50.0 if is_spare and not outlook.is_active(command.place) else -1.0


def _keep(outlook: Outlook, command: c.KeepFollower) -> float:
    """Monks, and else whoever the market has fewest of."""
    who = character(command.follower)
    alike = sum(count for follower, count in outlook.market.items() if character(follower) == who)
    return (2.0 if who == MONK else 0.0) - alike


def _store(outlook: Outlook, command: c.StoreFollower) -> float:
    return outlook.best_deed(command.follower) - (1.0 if character(command.follower) == MONK else 0.0)


# --- actions ---------------------------------------------------------------------------------------------------


def _use(outlook: Outlook, command: c.UsePlace) -> float:
    if outlook.data.places[command.place].build_station:
        return outlook.station() + 10.0  # before the merchant travels on, or another seat builds there
    return outlook.use(command.place)


def _travel(outlook: Outlook, command: c.Travel) -> float:
    return outlook.travel(command.town, command.good, will_build=outlook.is_active(GUILDHALL))


def _send(outlook: Outlook, command: c.SendToDeed) -> float:
    follower = outlook.spaces[command.place, command.space].occupant()
    return outlook.deed(command.deed, follower, command.reward)


def _place_drawn(outlook: Outlook, command: c.PlaceDrawnFollower) -> float:
    if command.place == TOWN_HALL:
        return outlook.best_deed(command.follower)
    worth = outlook.use(command.place) / outlook.missing(command.place) ** 2
    return worth - (FOLLOWER if character(command.follower) == MONK else 0.0)


def _place_technology(outlook: Outlook, command: c.PlaceTechnology) -> float:
    """A tile saves the more, the more often its place is used."""
    if outlook.is_dead(command.place):
        return -1.0
    return LIKED.get(command.place, 1.0) + 0.3 / len(outlook.places[command.place].spaces)


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
    t, kept = outlook.t, 1.0 if outlook.left else 0.0
    if t.phase.value == "census":
        return 1.0 - 2.0 * kept
    event = t.event.value
    if event == "plague":
        return outlook.missed("farmer") - kept
    strength = outlook.strength(event, t.strength.value)
    if event == "taxes":
        return outlook.me.goods.total() // max(1, strength) - kept
    return 2.0 * strength - kept


def _give_good(outlook: Outlook, command: c.GiveFood | c.SurrenderGood) -> float:
    return -float(outlook.data.good_points[command.good])


def _surrender_station(outlook: Outlook, command: c.SurrenderTradingStation) -> float:
    if command.town:
        return -outlook.station()
    return -0.2 if outlook.me.stations.total() > 1 + outlook.left // 3 else -outlook.station() / 2


def _surrender_development(outlook: Outlook, command: c.SurrenderDevelopment) -> float:
    status_at, here = outlook.data.status_at, outlook.me.development.value
    return -(outlook.holdings / 5) - (status_at[here] - status_at[here - 1]) * outlook.holdings * 0.3


WORTH: Mapping[type[Struct], Worth] = {
    **bots.WORTH,
    c.TakeBackFollower: _take_back,
    c.KeepFollower: _keep,
    c.StoreFollower: _store,
    c.UsePlace: _use,
    c.RecruitFollower: lambda outlook, command: outlook.recruit(command.character, command.place_tile),
    c.Travel: _travel,
    c.SendToDeed: _send,
    c.BuyDevelopment: lambda outlook, command: outlook.development(command.coins) - command.coins,
    c.PlaceDrawnFollower: _place_drawn,
    c.PlaceTechnology: _place_technology,
    c.UseSacristy: _sacristy,
    c.GiveFood: _give_good,
    c.PayForFood: lambda outlook, _: -float(outlook.data.coins_per_food),
    c.SurrenderTradingStation: _surrender_station,
    c.SurrenderFollower: lambda outlook, _: -1.0 - outlook.missed("farmer"),
    c.SurrenderDevelopment: _surrender_development,
    c.SurrenderGood: _give_good,
    c.SurrenderPlaceTile: lambda outlook, command: -outlook.tile(command.place) - 0.3,
    c.SurrenderTechnology: lambda outlook, _: -0.5 - outlook.technology(),
}
