"""Phase 3: drawing followers, taking followers back, and storing them on the Gunpowder Tower."""

from __future__ import annotations

from msgspec import Struct
from tests.oracle.chance import Chance
from tests.oracle.orleans import tables
from tests.oracle.orleans.sheet import Sheet, Side

from boardkeeper.titles.orleans import commands as c

TOWER = "gunpowder_tower"


def allowance(side: Side) -> int:
    """Return the number at the seat's marker on the knights track."""
    return tables.KNIGHTS_DRAW[side.tracks["knights"]]


def room(side: Side) -> int:
    """Return the number of free spaces of the market, including the Gunpowder Tower."""
    return tables.MARKET_SPACES + len(side.free(TOWER)) - side.market.total()


def draws(sheet: Sheet, side: Side) -> int:
    """Return the maximum number of followers that the seat can draw now."""
    return max(0, min(remaining(sheet, side), room(side), side.bag.total()))


def remaining(sheet: Sheet, side: Side) -> int:
    """Return the number of draws that are neither made nor declined. In one reading an empty bag reduces it."""
    most = allowance(side)
    if sheet.choices["taking_back"] == "possible_draws":
        most = min(most, side.bag.total() + side.made)
    return most - side.made - side.declined


def begin(sheet: Sheet, side: Side, chance: Chance) -> None:
    """Ask a seat, unless it can neither draw nor take back a follower."""
    side.declined = side.made = 0
    side.choice = "draw"
    if draw_options(sheet, side) == {c.DrawFollowers(0)}:
        _after_followers(sheet, side, chance)


def draw_options(sheet: Sheet, side: Side) -> set[Struct]:
    """Return every number of draws, and every follower that the seat can take back instead of a draw."""
    most = draws(sheet, side)
    found: set[Struct] = {
        c.DrawFollowers(count) for count in range(most + 1) if count == most or sheet.choices["draw_amount"] == "up_to"
    }
    return found | _back(sheet, side)


def take_back_options(sheet: Sheet, side: Side) -> set[Struct]:
    """Return the choices after the draw: take back a follower, or finish."""
    return {c.FinishTakingBack(), *_back(sheet, side)}


def _back(sheet: Sheet, side: Side) -> set[Struct]:
    found: set[Struct] = set()
    if remaining(sheet, side) > 0 and room(side) > 0:
        for (place, space), who in side.spaces.items():
            # The tower belongs to the market: followers cannot be taken back from it.
            if who and who != tables.TECHNOLOGY and place != TOWER:
                found.add(c.TakeBackFollower(place, space))
    return found


def take_back(sheet: Sheet, side: Side, place: str, space: str, chance: Chance) -> None:
    """Move a follower from an action space to the market. After the draw, end if no other follower can be taken."""
    side.market[side.spaces[place, space]] += 1
    side.spaces[place, space] = ""
    side.declined += 1
    if side.choice == "take_back" and not _back(sheet, side):
        _after_followers(sheet, side, chance)


def finish_taking_back(sheet: Sheet, side: Side, chance: Chance) -> None:
    _after_followers(sheet, side, chance)


def draw(sheet: Sheet, side: Side, count: int, chance: Chance) -> None:
    """Draw followers from the bag to the market, and continue."""
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
    """Continue with the passive Bathhouse, then with the tower."""
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
    """Return the choices of the passive Bathhouse: one of the drawn followers."""
    return {c.KeepFollower(follower) for follower in side.drawn if side.drawn[follower]}


def keep(side: Side, follower: str) -> None:
    """Move one follower to the market, and return the rest to the bag."""
    side.drawn[follower] -= 1
    side.market[follower] += 1
    side.bag.update(side.drawn)
    side.drawn.clear()
    ask_to_store(side)


def ask_to_store(side: Side) -> None:
    """Ask the seat if it has a tower with a free space and a follower on the market."""
    side.choice = "store" if side.free(TOWER) and side.market.total() else ""


def store_options(side: Side) -> set[Struct]:
    """Return the choices: any follower of the market can go to the tower. One that exceeds the market must."""
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
    """Move a follower from the market to the tower."""
    side.market[follower] -= 1
    side.spaces[TOWER, space] = follower
    ask_to_store(side)


def _bag(side: Side) -> str:
    return f"seat.{side.seat}.bag"
