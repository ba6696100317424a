"""Phase 6: the event of the hour glass tile, seat by seat."""

from __future__ import annotations

from msgspec import Struct
from tests.oracle.chance import Chance
from tests.oracle.orleans import sacristy, tables
from tests.oracle.orleans.development import status
from tests.oracle.orleans.money import pay, receive
from tests.oracle.orleans.sheet import Sheet, Side
from tests.oracle.orleans.torture import settle

from boardkeeper.titles.orleans import commands as c


def _by_letter(sheet: Sheet, graded: dict[str, int], ungraded: int) -> int:
    return ungraded if sheet.choices["hour_glass"] == "ungraded" else graded[sheet.letter]


def resolve(sheet: Sheet, side: Side, chance: Chance) -> None:
    """Resolve the event for a seat, unless its Sacristy protects it."""
    if sheet.event in tables.NEGATIVE and sacristy.is_activated(side):
        if sheet.choices["sacristy_use"] == "automatic":
            sacristy.use(side)
        else:
            side.choice = sacristy.ASKED
        return
    apply_event(sheet, side, chance)


def apply_event(sheet: Sheet, side: Side, chance: Chance) -> None:
    """Apply the event to a seat."""
    if sheet.event == "income":
        receive(side, status(sheet, side) * _by_letter(sheet, tables.INCOME_PER_STATUS, tables.UNGRADED_INCOME))
    elif sheet.event == "trading_day":
        each = _by_letter(sheet, tables.TRADING_DAY_PER_STATION, tables.UNGRADED_PER_STATION)
        receive(side, each * len(side.stations))
    elif sheet.event == "taxes":
        group = _by_letter(sheet, tables.TAXES_GOODS_PER_COIN, tables.UNGRADED_GOODS_PER_COIN)
        pay(side, side.goods.total() // group)
        settle(sheet, side)
    elif sheet.event == "harvest":
        side.food_due = _by_letter(sheet, tables.HARVEST_FOOD, tables.UNGRADED_FOOD)
        next_item(sheet, side)
    elif sheet.event == "plague":
        _plague(sheet, side, chance)


def _plague(sheet: Sheet, side: Side, chance: Chance) -> None:
    if not side.bag.total():
        return
    drawn = chance.draw(f"seat.{side.seat}.bag", side.bag)
    if drawn not in tables.OWN:
        side.bag[drawn] -= 1
        sheet.supply[drawn] += 1


# --- the harvest ---


def harvest_options(sheet: Sheet, side: Side) -> set[Struct]:
    """Return the choices for one item of food."""
    food: set[Struct] = {c.GiveFood(good) for good in tables.FOOD if side.goods[good]}
    can_pay = side.coins >= tables.HARVEST_COINS
    if can_pay or not food or sheet.choices["harvest_short_of_coins"] == "torture_allowed":
        return food | {c.PayForFood()}
    return food


def give_food(sheet: Sheet, side: Side, good: str) -> None:
    """Return one item to the goods market."""
    side.goods[good] -= 1
    sheet.goods_market[good] += 1
    side.food_due -= 1
    next_item(sheet, side)


def pay_for_food(sheet: Sheet, side: Side) -> None:
    """Pay five coins instead of one item."""
    side.food_due -= 1
    pay(side, tables.HARVEST_COINS)
    next_item(sheet, side)


def next_item(sheet: Sheet, side: Side) -> None:
    """Resolve torture for this item, then ask for the next one. Without food and coins a seat has no choice."""
    side.choice = ""
    settle(sheet, side)
    while not side.choice and side.food_due:
        if side.coins < tables.HARVEST_COINS and not any(side.goods[good] for good in tables.FOOD):
            side.food_due -= 1
            pay(side, tables.HARVEST_COINS)
            settle(sheet, side)
        else:
            side.choice = "harvest"
