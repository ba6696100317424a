"""Torture: the things that a seat can give for a missing coin, and where they go."""

from __future__ import annotations

from msgspec import Struct
from tests.oracle.chance import Chance
from tests.oracle.orleans import tables
from tests.oracle.orleans.development import can_step_back
from tests.oracle.orleans.sheet import Sheet, Side

from boardkeeper.titles.orleans import commands as c


def options(sheet: Sheet, side: Side) -> set[Struct]:
    """Return everything that the seat can give."""
    found: set[Struct] = {c.SurrenderTradingStation(town) for town in side.stations}
    if side.stations_left:
        found.add(c.SurrenderTradingStation())
    if any(side.bag[follower] for follower in tables.CHARACTERS):
        found.add(c.SurrenderFollower())
    if can_step_back(sheet, side):
        found.add(c.SurrenderDevelopment())
    found |= {c.SurrenderGood(good) for good in tables.GOODS if side.goods[good]}
    found |= {c.SurrenderPlaceTile(tile) for tile in side.tiles}
    if side.technology:
        found.add(c.SurrenderTechnology())
    found |= {c.SurrenderTechnology(*where) for where, who in side.spaces.items() if who == tables.TECHNOLOGY}
    return found


def surrender(sheet: Sheet, side: Side, command: Struct, chance: Chance) -> None:
    """Remove one thing from the game instead of one coin."""
    if isinstance(command, c.SurrenderTradingStation):
        if command.town:
            side.stations.remove(command.town)
        else:
            side.stations_left -= 1
        sheet.removed[f"station.{side.seat}"] += 1
    elif isinstance(command, c.SurrenderFollower):
        drawn = chance.draw(f"seat.{side.seat}.bag", side.bag)
        while drawn in tables.OWN:
            drawn = chance.draw(f"seat.{side.seat}.bag", side.bag)
        side.bag[drawn] -= 1
        sheet.removed[drawn] += 1
    elif isinstance(command, c.SurrenderDevelopment):
        side.development -= 1
    elif isinstance(command, c.SurrenderGood):
        side.goods[command.good] -= 1
        sheet.removed[command.good] += 1
    elif isinstance(command, c.SurrenderPlaceTile):
        _lose_tile(sheet, side, command.place)
    elif isinstance(command, c.SurrenderTechnology):
        if command.place:
            side.spaces[command.place, command.space] = ""
        else:
            side.technology -= 1
            side.farmer_only = min(side.farmer_only, side.technology)
        sheet.removed[tables.TECHNOLOGY] += 1
    else:
        raise TypeError(command)
    side.debt -= 1


def _lose_tile(sheet: Sheet, side: Side, tile: str) -> None:
    for who in side.occupants(tile).values():
        if who in tables.OWN:
            side.bag[who] += 1
        elif who == tables.TECHNOLOGY or sheet.choices["torture_place_followers"] == "lost":
            sheet.removed[who] += 1
        else:
            side.bag[who] += 1
    side.spaces = {where: who for where, who in side.spaces.items() if where[0] != tile}
    side.tiles.remove(tile)
    sheet.removed[tile] += 1


def settle(sheet: Sheet, side: Side) -> None:
    """Ask for the next thing to give. If nothing is left, the debt ends or is carried."""
    if side.choice == "torture":
        side.choice = ""
    if not side.debt:
        return
    if options(sheet, side):
        side.choice = "torture"
        return
    if sheet.choices["torture_nothing_left"] == "carried":
        side.arrears += side.debt
    side.debt = 0
