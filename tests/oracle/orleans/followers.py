"""Phase 3: how many followers may be drawn, taken back and put on the Gunpowder Tower."""

from __future__ import annotations

from msgspec import Struct
from tests.oracle.chance import Chance
from tests.oracle.orleans import tables
from tests.oracle.orleans.sheet import Sheet, Side

from boardkeeper.titles.orleans import commands as c

TOWER = "gunpowder_tower"


def allowance(side: Side) -> int:
    """The number at the seat's marker on the knights track."""
    return tables.KNIGHTS_DRAW[side.tracks["knights"]]


def room(side: Side) -> int:
    """The free spaces of the market; the Gunpowder Tower adds its own."""
    return tables.MARKET_SPACES + len(side.free(TOWER)) - side.market.total()


def draws(sheet: Sheet, side: Side) -> int:
    """The most that the seat may draw now."""
    return max(0, min(remaining(sheet, side), room(side), side.bag.total()))


def remaining(sheet: Sheet, side: Side) -> int:
    """Draws that are neither made nor declined nor, in one reading, impossible because nobody is there."""
    most = allowance(side)
    if sheet.choices["taking_back"] == "possible_draws":
        most = min(most, side.bag.total() + side.made)
    return most - side.made - side.declined


def begin(sheet: Sheet, side: Side, chance: Chance) -> None:
    """Ask a seat, unless it can neither draw anybody nor take anybody back."""
    side.declined = side.made = 0
    side.choice = "draw"
    if draw_options(sheet, side) == {c.DrawFollowers(0)}:
        _after_followers(sheet, side, chance)


def draw_options(sheet: Sheet, side: Side) -> set[Struct]:
    """Every number of draws, and every follower that can come back for a draw declined."""
    most = draws(sheet, side)
    found: set[Struct] = {
        c.DrawFollowers(count) for count in range(most + 1) if count == most or sheet.choices["draw_amount"] == "up_to"
    }
    return found | _back(sheet, side)


def take_back_options(sheet: Sheet, side: Side) -> set[Struct]:
    """After the draw: whoever can still come back, or nobody."""
    return {c.FinishTakingBack(), *_back(sheet, side)}


def _back(sheet: Sheet, side: Side) -> set[Struct]:
    found: set[Struct] = set()
    if remaining(sheet, side) > 0 and room(side) > 0:
        for (place, space), who in side.spaces.items():
            # The tower is two more spaces of the market, not a place that one could come back from.
            if who and who != tables.TECHNOLOGY and place != TOWER:
                found.add(c.TakeBackFollower(place, space))
    return found


def take_back(sheet: Sheet, side: Side, place: str, space: str, chance: Chance) -> None:
    """From an action space to the market; after the draw it goes on by itself once nobody else can come."""
    side.market[side.spaces[place, space]] += 1
    side.spaces[place, space] = ""
    side.declined += 1
    if side.choice == "take_back" and not _back(sheet, side):
        _after_followers(sheet, side, chance)


def finish_taking_back(sheet: Sheet, side: Side, chance: Chance) -> None:
    """Nobody else comes back."""
    _after_followers(sheet, side, chance)


def draw(sheet: Sheet, side: Side, count: int, chance: Chance) -> None:
    """That many from the bag to the market, and on to what follows."""
    for _ in range(count):
        follower = chance.draw(_bag(side), side.bag)
        side.bag[follower] -= 1
        side.market[follower] += 1
    side.made = count
    if sheet.choices["taking_back_time"] == "before_or_after" and _back(sheet, side):
        side.choice = "take_back"
    else:
        _after_followers(sheet, side, chance)


def _after_followers(sheet: Sheet, side: Side, chance: Chance) -> None:
    """Passive Bathhouse, then the tower."""
    side.choice = ""
    passive = sheet.choices["bathhouse"] == "passive" and "bathhouse" in side.tiles
    if passive and room(side) > 0 and side.bag.total():
        for _ in range(min(2, side.bag.total())):
            follower = chance.draw(_bag(side), side.bag)
            side.bag[follower] -= 1
            side.drawn[follower] += 1
        side.choice = "keep"
    else:
        ask_to_store(side)


def keep_options(side: Side) -> set[Struct]:
    """Passive Bathhouse: one of the followers drawn."""
    return {c.KeepFollower(follower) for follower in side.drawn if side.drawn[follower]}


def keep(side: Side, follower: str) -> None:
    """One to the market, the rest back into the bag."""
    side.drawn[follower] -= 1
    side.market[follower] += 1
    side.bag.update(side.drawn)
    side.drawn.clear()
    ask_to_store(side)


def ask_to_store(side: Side) -> None:
    """Whoever owns the tower, room on it and somebody to go there, is asked."""
    side.choice = "store" if side.free(TOWER) and side.market.total() else ""


def store_options(side: Side) -> set[Struct]:
    """Anybody from the market may go to the tower; what the market has no space for must."""
    found: set[Struct] = {
        c.StoreFollower(follower, space)
        for follower in side.market
        if side.market[follower]
        for space in side.free(TOWER)
    }
    if side.market.total() <= tables.MARKET_SPACES:
        found.add(c.FinishStoring())
    return found


def store(side: Side, follower: str, space: str) -> None:
    """From the market to the tower."""
    side.market[follower] -= 1
    side.spaces[TOWER, space] = follower
    ask_to_store(side)


def _bag(side: Side) -> str:
    return f"seat.{side.seat}.bag"
