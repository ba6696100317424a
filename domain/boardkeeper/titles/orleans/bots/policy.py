"""The policy of Orléans: the estimated value of each legal command, on which the sensible bot is built."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from boardkeeper.families.followers import bots
from boardkeeper.families.followers.bots import ValueFunction, score_commands
from boardkeeper.families.followers.data import MONK, character
from boardkeeper.families.followers.phases.followers import unused_draws
from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans.bots.plan import GUILDHALL, TOWN_HALL, score_placements
from boardkeeper.titles.orleans.bots.valuation import FOLLOWER, Valuation
from boardkeeper.titles.orleans.play import OrleansPlay


def scores(play: OrleansPlay, seat: int, commands: Sequence[Struct]) -> list[float]:
    """Return the value of each command, in points (see :class:`boardkeeper.titlekit.policies.CommandPolicy`)."""
    return score_commands(Valuation, play.t, play.t.seats[seat - 1], commands, VALUE_FUNCTIONS, score_placements)


# --- followers -------------------------------------------------------------------------------------------------


def _take_back(valuation: Valuation, command: c.TakeBackFollower) -> float:
    """Value the followers on exhausted places most; others have a value if the bag has fewer followers than draws."""
    if valuation.is_exhausted(command.place):
        return 100.0
    is_spare = unused_draws(valuation.t, valuation.me) > valuation.me.bag.total()
    return 50.0 if is_spare and not valuation.is_active(command.place) else -1.0


def _keep(valuation: Valuation, command: c.KeepFollower) -> float:
    """Prefer monks, then the character that is rarest on the market."""
    who = character(command.follower)
    alike = sum(count for follower, count in valuation.market.items() if character(follower) == who)
    return (2.0 if who == MONK else 0.0) - alike


def _store(valuation: Valuation, command: c.StoreFollower) -> float:
    return valuation.best_deed(command.follower) - (1.0 if character(command.follower) == MONK else 0.0)


# --- actions ---------------------------------------------------------------------------------------------------


def _use(valuation: Valuation, command: c.UsePlace) -> float:
    if valuation.data.places[command.place].build_station:
        return valuation.station + 10.0  # before the merchant travels on, or another seat builds there
    return valuation.use(command.place)


def _travel(valuation: Valuation, command: c.Travel) -> float:
    return valuation.travel(command.town, command.good, will_build=valuation.is_active(GUILDHALL))


def _send(valuation: Valuation, command: c.SendToDeed) -> float:
    follower = valuation.spaces[command.place, command.space].occupant()
    return valuation.deed(command.deed, follower, command.reward)


def _place_drawn(valuation: Valuation, command: c.PlaceDrawnFollower) -> float:
    if command.place == TOWN_HALL:
        return valuation.best_deed(command.follower)
    worth = valuation.use(command.place) / valuation.count_empty_spaces(command.place) ** 2
    return worth - (FOLLOWER if character(command.follower) == MONK else 0.0)


def _place_technology(valuation: Valuation, command: c.PlaceTechnology) -> float:
    """Prefer places that are used often and have few spaces."""
    if valuation.is_exhausted(command.place):
        return -1.0
    return PLACE_USES.get(command.place, 1.0) + 0.3 / len(valuation.places[command.place].spaces)


PLACE_USES = {
    "university": 2.0,
    "farm_house": 3.0,
    "village": 2.5,
    "castle": 2.4,
    "wagon": 2.6,
    "guildhall": 2.8,
    "ship": 2.2,
}
"""Value of a technology tile on a place, by how often the place is used."""


# --- events and torture ----------------------------------------------------------------------------------------------


def _use_sacristy(valuation: Valuation, command: c.UseSacristy) -> float:
    """Return the cost of the event, less the value of the monk for a later event."""
    t, kept = valuation.t, 1.0 if valuation.left else 0.0
    if t.phase.value == "census":
        return 1.0 - 2.0 * kept
    event = t.event.value
    if event == "plague":
        return valuation.lost_follower("farmer") - kept
    strength = valuation.strength(event, t.strength.value)
    if event == "taxes":
        return valuation.me.goods.total() // max(1, strength) - kept
    return 2.0 * strength - kept


def _give_good(valuation: Valuation, command: c.GiveFood | c.SurrenderGood) -> float:
    return -float(valuation.data.good_points[command.good])


def _surrender_station(valuation: Valuation, command: c.SurrenderTradingStation) -> float:
    if command.town:
        return -valuation.station
    return -0.2 if valuation.me.stations.total() > 1 + valuation.left // 3 else -valuation.station / 2


def _surrender_development(valuation: Valuation, command: c.SurrenderDevelopment) -> float:
    status_at, here = valuation.data.status_at, valuation.me.development.value
    return -(valuation.holdings / 5) - (status_at[here] - status_at[here - 1]) * valuation.holdings * 0.3


VALUE_FUNCTIONS: Mapping[type[Struct], ValueFunction] = {
    **bots.VALUE_FUNCTIONS,
    c.TakeBackFollower: _take_back,
    c.KeepFollower: _keep,
    c.StoreFollower: _store,
    c.UsePlace: _use,
    c.RecruitFollower: lambda valuation, command: valuation.recruit(command.character, command.place_tile),
    c.Travel: _travel,
    c.SendToDeed: _send,
    c.BuyDevelopment: lambda valuation, command: valuation.development(command.coins) - command.coins,
    c.PlaceDrawnFollower: _place_drawn,
    c.PlaceTechnology: _place_technology,
    c.UseSacristy: _use_sacristy,
    c.GiveFood: _give_good,
    c.PayForFood: lambda valuation, _: -float(valuation.data.coins_per_food),
    c.SurrenderTradingStation: _surrender_station,
    c.SurrenderFollower: lambda valuation, _: -1.0 - valuation.lost_follower("farmer"),
    c.SurrenderDevelopment: _surrender_development,
    c.SurrenderGood: _give_good,
    c.SurrenderPlaceTile: lambda valuation, command: -valuation.tile(command.place) - 0.3,
    c.SurrenderTechnology: lambda valuation, _: -0.5 - valuation.technology(),
}
