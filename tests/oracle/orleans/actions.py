"""Phase 5: the results of actions, and the return of their followers.

This module does not check whether an action is legal, or whose turn it is.
"""

from __future__ import annotations

from msgspec import Struct
from tests.oracle.orleans import tables
from tests.oracle.orleans.development import advance, status
from tests.oracle.orleans.money import receive
from tests.oracle.orleans.setup import spaces
from tests.oracle.orleans.sheet import Sheet, Side

from boardkeeper.titles.orleans import commands as c


def carry_out(sheet: Sheet, side: Side, command: Struct) -> bool:
    """Apply an action to the sheet. Return ``False`` for an action that the oracle does not know."""
    if isinstance(command, c.Pass | c.KeepTechnology):
        return True
    if isinstance(command, c.PlaceTechnology):
        _place_technology(sheet, side, command)
    elif isinstance(command, c.RecruitFollower):
        _recruit(sheet, side, command)
        _go_home(side, command.place)
    elif isinstance(command, c.Travel):
        _travel(sheet, side, command)
        _go_home(side, command.place)
    elif isinstance(command, c.SendToDeed):
        _send(sheet, side, command)
    elif isinstance(command, c.BuyDevelopment):
        side.coins -= command.coins
        advance(sheet, side, command.coins)
        _go_home(side, command.place)
    elif isinstance(command, c.UsePlace) and command.place != "bathhouse":
        _use(sheet, side, command.place)
        _go_home(side, command.place)
    else:
        return False
    return True


def _go_home(side: Side, place: str) -> None:
    for space, who in side.occupants(place).items():
        if who != tables.TECHNOLOGY:
            side.bag[who] += 1
            side.spaces[place, space] = ""


def _place_technology(sheet: Sheet, side: Side, command: c.PlaceTechnology) -> None:
    side.technology -= 1
    occupant = side.spaces[command.place, command.space]
    if occupant:
        side.bag[occupant] += 1
    side.spaces[command.place, command.space] = tables.TECHNOLOGY
    side.technology_placed += 1
    required = command.space.removesuffix("_2")
    if required == "farmer" and side.farmer_only:
        side.farmer_only -= 1


def _recruit(sheet: Sheet, side: Side, command: c.RecruitFollower) -> None:
    character = command.character
    sheet.supply[character] -= 1
    side.bag[character] += 1
    if character == "monk":
        return
    track = tables.TRACK_OF[character]
    side.tracks[track] += 1
    space = side.tracks[track]
    if character == "farmer":
        _take_good(sheet, side, tables.FARMERS_GOODS[space - 1])
    elif character == "boatman":
        receive(side, tables.BOATMEN_COINS[space - 1])
        if space == tables.BOATMEN_CITIZEN_SPACE:
            _take_citizen(sheet, side, "boatmen")
    elif character == "craftsman":
        sheet.technology -= 1
        side.technology += 1
        if space == 1 and sheet.choices["first_technology"] == "from_first_craftsmen_space":
            side.farmer_only += 1
    elif character == "trader":
        tile = command.place_tile
        (sheet.stack_1 if tile in sheet.stack_1 else sheet.stack_2).remove(tile)
        side.tiles.append(tile)
        side.spaces.update(dict.fromkeys(spaces(tile, sheet.choices), ""))
    elif character == "knight" and space == tables.KNIGHTS_CITIZEN_SPACE:
        _take_citizen(sheet, side, "knights")
    elif character == "scholar":
        advance(sheet, side, tables.SCHOLARS_POINTS[space - 1])


def _take_good(sheet: Sheet, side: Side, good: str) -> None:
    sheet.goods_market[good] -= 1
    side.goods[good] += 1


def _take_citizen(sheet: Sheet, side: Side, where: str) -> None:
    if where in sheet.citizens:
        sheet.citizens.remove(where)
        side.citizens += 1


def _travel(sheet: Sheet, side: Side, command: c.Travel) -> None:
    kind = "water" if command.place == "ship" else "road"
    way = sheet.ways[frozenset((side.merchant, command.town)), kind]
    side.merchant = command.town
    if command.good:
        way[command.good] -= 1
        side.goods[command.good] += 1


def _send(sheet: Sheet, side: Side, command: c.SendToDeed) -> None:
    follower = side.spaces[command.place, command.space]
    side.spaces[command.place, command.space] = ""
    coins, spaces = tables.DEEDS[command.deed]
    there, citizen = sheet.deeds[command.deed]
    there[follower] += 1
    if command.reward == "development":
        advance(sheet, side, 1)
    else:
        receive(side, coins)
    if citizen and there == spaces:
        side.citizens += 1
        citizen = False
    sheet.deeds[command.deed] = there, citizen


def _use(sheet: Sheet, side: Side, place: str) -> None:
    if place in tables.GIVES_GOOD:
        _take_good(sheet, side, tables.GIVES_GOOD[place])
    elif place == "guildhall":
        side.stations_left -= 1
        side.stations.append(side.merchant)
    elif place in ("scriptorium", "shipping_line"):
        advance(sheet, side, 1)
    elif place == "library":
        advance(sheet, side, 2)
    elif place == "windmill":
        receive(side, 2)
        advance(sheet, side, 1)
    elif place == "brewery":
        receive(side, 2)
    elif place == "cellar":
        receive(side, 4)
    elif place == "hospital":
        receive(side, status(sheet, side))
    elif place == "office":
        receive(side, len(side.stations))
    elif place == "laboratory":
        sheet.technology -= 1
        side.technology += 1
    else:
        raise KeyError(place)
