"""Torture: each command replaces one missing coin (see :mod:`boardkeeper.families.followers.debts`)."""

from __future__ import annotations

from boardkeeper.families.followers import debts
from boardkeeper.families.followers.data import TECHNOLOGY, is_marked
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.orleans.commands import (
    Command,
    SurrenderDevelopment,
    SurrenderFollower,
    SurrenderGood,
    SurrenderPlaceTile,
    SurrenderTechnology,
    SurrenderTradingStation,
)
from boardkeeper.titles.orleans.data import GOODS
from boardkeeper.titles.orleans.events import (
    DevelopmentSurrendered,
    FollowerSurrendered,
    GoodSurrendered,
    PlaceTileSurrendered,
    TechnologySurrendered,
    TradingStationSurrendered,
)
from boardkeeper.titles.orleans.material import Orleans, Seat


def surrender_trading_station(t: Orleans, seat: Seat, command: SurrenderTradingStation) -> Rejection | None:
    """Give up a trading station. Source: orleans.torture.station_built, orleans.torture.station_supply."""
    if command.town and command.town not in t.towns:
        return Rejection("UNKNOWN_TOWN", "orleans.torture.own_station", {"town": command.town})
    source = t.towns[command.town] if command.town else seat.stations
    if seat.station not in source.items:
        return Rejection("NO_STATION", "orleans.torture.own_station", {"town": command.town})
    t.move(seat.station, source, t.removed)
    debts.replace(t, seat, TradingStationSurrendered, command.town)
    return None


def has_neutral_follower(seat: Seat) -> bool:
    """Return whether the bag has a follower to lose. Source: orleans.torture.neutral_follower_needed."""
    return any(not is_marked(follower) for follower in seat.bag.items)


def surrender_follower(t: Orleans, seat: Seat, command: SurrenderFollower) -> Rejection | None:
    """Give up a random neutral follower; marked ones return to the bag. Source: orleans.torture.follower."""
    if not has_neutral_follower(seat):
        return Rejection("NO_NEUTRAL_FOLLOWER", "orleans.torture.neutral_follower_needed")
    spared = 0
    (follower,) = t.recorder.pick(seat.bag)
    while is_marked(follower):
        spared += 1
        (follower,) = t.recorder.pick(seat.bag)
    t.move(follower, seat.bag, t.removed)
    debts.replace(t, seat, FollowerSurrendered, follower, spared)
    return None


def can_move_back(t: Orleans, seat: Seat) -> bool:
    """Return whether the development marker may move back: not onto a space with coins.

    It may leave such a space only if the reading ``torture_from_coin_space`` is ``open``.
    """
    position = seat.development.value
    coins = t.data.development_coins
    if position == 0 or position - 1 in coins:
        return False
    return position not in coins or t.data.readings.torture_from_coin_space == "open"


def surrender_development(t: Orleans, seat: Seat, command: SurrenderDevelopment) -> Rejection | None:
    """Move back one space on the development track. Source: orleans.torture.development."""
    position = seat.development.value
    if not can_move_back(t, seat):
        values = {"position": str(position)}
        if position in t.data.development_coins:
            return Rejection("COIN_SPACE_HOLDS", "orleans.torture.coin_space_holds", values)
        return Rejection("NO_STEP_BACK", "orleans.torture.coin_spaces_stop", values)
    t.set(seat.best_development, seat.furthest_development())
    t.set(seat.development, position - 1)
    debts.replace(t, seat, DevelopmentSurrendered, position - 1, seat.status())
    return None


def surrender_good(t: Orleans, seat: Seat, command: SurrenderGood) -> Rejection | None:
    """Remove a goods tile from the game. Source: orleans.torture.good."""
    if command.good not in seat.goods.items:
        return Rejection("NO_SUCH_GOOD", "orleans.torture.own_good", {"good": command.good})
    t.move(command.good, seat.goods, t.removed)
    debts.replace(t, seat, GoodSurrendered, command.good)
    return None


def surrender_place_tile(t: Orleans, seat: Seat, command: SurrenderPlaceTile) -> Rejection | None:
    """Give up a place tile; its followers go to the bag, technology is lost. Source: orleans.torture.place_tile."""
    if command.place not in seat.place_tiles.items:
        return Rejection("NO_SUCH_PLACE_TILE", "orleans.torture.own_place_tile", {"place": command.place})
    loses_neutral = t.data.readings.torture_place_followers == "lost"
    debts.remove_place(t, seat, t.tiles[command.place], loses_neutral=loses_neutral)
    debts.replace(t, seat, PlaceTileSurrendered, command.place)
    return None


def surrender_technology(t: Orleans, seat: Seat, command: SurrenderTechnology) -> Rejection | None:
    """Give up a technology tile, placed or not. Source: orleans.torture.technology."""
    pile = debts.find_technology(seat, command.place, command.space)
    if pile is None:
        values = {"place": command.place, "space": command.space}
        return Rejection("NO_TECHNOLOGY", "orleans.torture.own_technology", values)
    t.move(TECHNOLOGY, pile, t.removed)
    if not command.place:
        # Unplaced tiles are equal, so the seat gives up the least valuable: one that can replace only a farmer.
        t.set(seat.farmer_only, 0)
    debts.replace(t, seat, TechnologySurrendered, command.place, command.space)
    return None


def legal_torture(t: Orleans, seat: Seat) -> list[Command]:
    """Return a command for each thing that the seat can give up for one missing coin."""
    station = seat.station
    commands: list[Command] = []
    if seat.stations.items:
        commands.append(SurrenderTradingStation())
    commands += [SurrenderTradingStation(town) for town, pile in t.towns.items() if station in pile.items]
    if has_neutral_follower(seat):
        commands.append(SurrenderFollower())
    if can_move_back(t, seat):
        commands.append(SurrenderDevelopment())
    commands += [SurrenderGood(good) for good in GOODS if good in seat.goods.items]
    commands += [SurrenderPlaceTile(tile) for tile in sorted(seat.place_tiles.items)]
    return commands + [SurrenderTechnology(*key) for key in debts.list_technology(seat)]
