"""Phase 6: the event of the round, for each seat from the start player. Phase 7: the next start player."""

from __future__ import annotations

from boardkeeper.families.followers import debts
from boardkeeper.families.followers.data import is_marked
from boardkeeper.families.followers.phases import sacristy
from boardkeeper.table.rejections import Rejection
from boardkeeper.titlekit.turn_flow import OVER
from boardkeeper.titles.orleans.commands import Command, GiveFood, PayForFood
from boardkeeper.titles.orleans.events import (
    FoodGiven,
    FoodPaidFor,
    IncomeReceived,
    PhaseBegun,
    PlagueStruck,
    TaxesPaid,
    TradingDayHeld,
)
from boardkeeper.titles.orleans.material import Orleans, Seat
from boardkeeper.titles.orleans.scoring import emit_scores


def begin(t: Orleans) -> None:
    """Begin the event phase. Source: orleans.events.order."""
    t.set(t.phase, "event")
    t.set(t.cursor, 0)
    t.emit(None, PhaseBegun("event"))


def proceed(t: Orleans) -> None:
    """Apply the event to the next seat, or to all if the reading ``event_order`` is ``simultaneous``.

    After the last seat, end the round.
    """
    order = t.clockwise()
    at = t.cursor.value
    if at == len(order):
        _end_round(t)
        return
    together = t.data.readings.event_order == "simultaneous"
    for seat in order[at:] if together else order[at : at + 1]:
        t.set(t.cursor, t.cursor.value + 1)
        _apply_to_seat(t, seat)


def strength(t: Orleans) -> int:
    """Return the number on the tile of this round."""
    return t.data.strengths[t.strength.value][t.event.value]


def _apply_to_seat(t: Orleans, seat: Seat) -> None:
    if t.event.value in t.data.negative_events:
        sacristy.apply_unless_shielded(t, seat)
    else:
        apply_event(t, seat)


def apply_event(t: Orleans, seat: Seat) -> None:
    """Apply the event of the round to a seat. Source: orleans.income.*, orleans.harvest.* and others."""
    event = t.event.value
    if event == "income":
        coins = strength(t) * seat.status()
        t.give_coins(seat, coins)
        t.emit(seat, IncomeReceived(coins))
    elif event == "trading_day":
        stations = seat.built_stations()
        if stations:
            t.give_coins(seat, strength(t) * stations)
            t.emit(seat, TradingDayHeld(strength(t) * stations, stations))
    elif event == "taxes":
        _tax(t, seat)
    elif event == "plague":
        _plague(t, seat)
    elif event == "harvest":
        t.set(seat.food_due, strength(t))
        ask_for_food(t, seat)


def _end_round(t: Orleans) -> None:
    if t.round.value == t.data.rounds:
        emit_scores(t)
        t.set(t.phase, OVER)
        return
    t.pass_start_player()
    t.enter("hour_glass")


# --- harvest -----------------------------------------------------------------------------------------------


def ask_for_food(t: Orleans, seat: Seat) -> None:
    """Ask a seat for the next food item. If it has neither food nor enough coins, take its coins; torture follows."""
    while seat.food_due.value:
        if legal_harvest(t, seat):
            t.ask(seat, "harvest")
            return
        _pay_for_food(t, seat)
        if t.decides(seat):
            return
    t.ask(seat, "")


def _reduce_food_due(t: Orleans, seat: Seat) -> None:
    t.set(seat.food_due, seat.food_due.value - 1)


def _pay_for_food(t: Orleans, seat: Seat) -> None:
    paid, missing = debts.pay(t, seat, t.data.coins_per_food)
    _reduce_food_due(t, seat)
    t.ask(seat, "")
    t.emit(seat, FoodPaidFor(paid, missing))
    debts.begin(t, seat, missing)


def give_food(t: Orleans, seat: Seat, command: GiveFood) -> Rejection | None:
    """Return a food item to the goods market. Source: orleans.harvest.food."""
    if command.good not in t.data.food:
        return Rejection("NOT_FOOD", "orleans.harvest.food", {"good": command.good})
    if command.good not in seat.goods.items:
        return Rejection("NO_SUCH_GOOD", "orleans.harvest.own_food", {"good": command.good})
    t.move(command.good, seat.goods, t.goods_market)
    _reduce_food_due(t, seat)
    t.emit(seat, FoodGiven(command.good))
    ask_for_food(t, seat)
    t.advance()
    return None


def can_pay_for_food(t: Orleans, seat: Seat) -> bool:
    """Return whether the seat may pay coins instead of a food item.

    A seat that cannot pay in full may do so only if the reading ``harvest_short_of_coins`` is ``torture_allowed``.
    """
    return seat.coins.value >= t.data.coins_per_food or t.data.readings.harvest_short_of_coins == "torture_allowed"


def pay_for_food(t: Orleans, seat: Seat, command: PayForFood) -> Rejection | None:
    """Pay coins for one food item. Source: orleans.harvest.coins_instead."""
    if not can_pay_for_food(t, seat):
        values = {"coins": str(seat.coins.value), "needed": str(t.data.coins_per_food)}
        return Rejection("NOT_ENOUGH_COINS", "orleans.harvest.food_before_torture", values)
    _pay_for_food(t, seat)
    if not t.decides(seat):
        ask_for_food(t, seat)
    t.advance()
    return None


def legal_harvest(t: Orleans, seat: Seat) -> list[Command]:
    """Return the commands that settle one food item; empty if the seat has neither food nor enough coins."""
    commands: list[Command] = [GiveFood(good) for good in t.data.food if good in seat.goods.items]
    has_choice = bool(commands) or seat.coins.value >= t.data.coins_per_food
    if has_choice and can_pay_for_food(t, seat):
        commands.append(PayForFood())
    return commands


# --- taxes and plague --------------------------------------------------------------------------------------


def _tax(t: Orleans, seat: Seat) -> None:
    """Take one coin for each full group of goods. Source: orleans.taxes.full_groups."""
    goods = seat.goods.total()
    paid, missing = debts.pay(t, seat, goods // strength(t))
    t.emit(seat, TaxesPaid(goods, paid, missing))
    debts.begin(t, seat, missing)


def _plague(t: Orleans, seat: Seat) -> None:
    """Draw a follower from the bag; a neutral one returns to the supply. Source: orleans.plague.*."""
    if not seat.bag.items:
        t.emit(seat, PlagueStruck("", lost=False))
        return
    (follower,) = t.recorder.pick(seat.bag)
    lost = not is_marked(follower)
    if lost:
        t.move(follower, seat.bag, t.supply)
    t.emit(seat, PlagueStruck(follower, lost))
