"""Goods and coins that an event or an era demands, and torture for what is missing."""

from __future__ import annotations

from boardkeeper.families.followers import debts
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.stories.commands import Command, GiveGood, ReturnSettler
from boardkeeper.titles.stories.events import CoinsPaid, GoodGiven, GoodsMissing, SettlerReturned
from boardkeeper.titles.stories.material import Seat, Stories
from boardkeeper.titles.stories.phases.torture import remove_abandoned_buildings

GIVE = "give"
"""Decision: which good to give."""

UNFED = "unfed"
"""Decision: which settlers to return, in stories without torture."""


def demand_food(t: Stories, seat: Seat, count: int) -> None:
    """Demand a number of food goods. Source: stories.food.what_counts."""
    _demand(t, seat, count, t.data.food)


def count_food(t: Stories, seat: Seat) -> int:
    """Return the number of food goods of the seat."""
    return sum(seat.goods.items.get(good, 0) for good in t.data.food)


def demand_goods(t: Stories, seat: Seat, count: int) -> None:
    """Demand a number of goods of any kind. Source: stories.events.lost_goods."""
    _demand(t, seat, count, tuple(t.data.good_values))


def _demand(t: Stories, seat: Seat, count: int, goods: tuple[str, ...]) -> None:
    had = sum(seat.goods.items.get(good, 0) for good in goods)
    if t.data.chosen.torture_unit == "demanded" and had < count:
        _handle_missing_goods(t, seat, count)
        return
    t.set(seat.owed, count)
    _continue_giving(t, seat, goods)


def _continue_giving(t: Stories, seat: Seat, goods: tuple[str, ...]) -> None:
    """Take goods of the seat until it has a choice between goods, or until none is owed or left."""
    while seat.owed.value:
        kinds = [good for good in goods if good in seat.goods.items]
        had = sum(seat.goods.items[good] for good in kinds)
        if len(kinds) > 1 and had > seat.owed.value:
            t.ask(seat, GIVE)
            return
        if not kinds:
            missing = seat.owed.value
            t.set(seat.owed, 0)
            t.ask(seat, "")
            _handle_missing_goods(t, seat, missing)
            return
        _give(t, seat, kinds[0])
    t.ask(seat, "")


def _handle_missing_goods(t: Stories, seat: Seat, missing: int) -> None:
    """Start torture or, in stories without torture, ask which settlers the seat returns."""
    t.emit(seat, GoodsMissing(missing))
    if t.data.tortures:
        debts.begin(t, seat, missing)
    else:
        t.set(seat.owed, missing)
        t.ask(seat, UNFED)


def _give(t: Stories, seat: Seat, good: str) -> None:
    """Remove a good from the game. If ``paid_food`` is ``back_to_market``, return demanded food to the market.

    An event card with ``out_of_game`` removes its goods in any case. Source: stories.food.of_the_card.
    """
    is_removed_by_card = t.phase.value == "event" and "out_of_game" in t.event_effect()
    is_food = demanded_goods(t) == t.data.food
    returns = is_food and t.data.chosen.paid_food == "back_to_market" and not is_removed_by_card
    t.move(good, seat.goods, t.goods_market if returns else t.removed)
    t.set(seat.owed, seat.owed.value - 1)
    t.emit(seat, GoodGiven(good))


def demanded_goods(t: Stories) -> tuple[str, ...]:
    """Return the goods that are demanded: any good for an event that takes goods, otherwise food."""
    any_good = t.phase.value == "event" and "lose_goods" in t.event_effect()
    return tuple(t.data.good_values) if any_good else t.data.food


def give_good(t: Stories, seat: Seat, command: GiveGood) -> Rejection | None:
    """Give one of the demanded goods. Source: stories.food.what_counts."""
    goods = demanded_goods(t)
    if command.good not in goods:
        return Rejection("NOT_ASKED_FOR", "stories.food.what_counts", {"good": command.good})
    if command.good not in seat.goods.items:
        return Rejection("NO_SUCH_GOOD", "stories.food.own_goods", {"good": command.good})
    _give(t, seat, command.good)
    _continue_giving(t, seat, goods)
    t.advance()
    return None


def legal_give(t: Stories, seat: Seat) -> list[Command]:
    """Return a command for each demanded good that the seat has."""
    return [GiveGood(good) for good in demanded_goods(t) if good in seat.goods.items]


def return_settler(t: Stories, seat: Seat, command: ReturnSettler) -> Rejection | None:
    """Return a settler that the seat cannot feed to its supply. Source: stories.malus.unfed."""
    spaces = {**t.areas, **t.towns}
    if command.area not in spaces or seat.settler not in spaces[command.area].pile.items:
        return Rejection("NO_SETTLER", "stories.malus.unfed", {"area": command.area})
    t.move(seat.settler, spaces[command.area].pile, seat.settlers)
    remove_abandoned_buildings(t, spaces[command.area])
    t.set(seat.owed, seat.owed.value - 1)
    if not seat.owed.value:
        t.ask(seat, "")
    t.emit(seat, SettlerReturned(command.area))
    t.advance()
    return None


def legal_unfed(t: Stories, seat: Seat) -> list[Command]:
    """Return a command for each area and town with a settler of the seat."""
    spaces = (*t.areas.values(), *t.towns.values())
    return [ReturnSettler(space.id) for space in spaces if seat.settler in space.pile.items]


def demand_coins(t: Stories, seat: Seat, count: int) -> None:
    """Take a number of coins; torture follows for missing ones. Source: stories.torture.what_is_there_first.

    If the reading ``torture_unit`` is ``demanded``, a seat that cannot pay all of them keeps its coins.
    """
    if t.data.chosen.torture_unit == "demanded" and seat.coins.value < count:
        paid, missing = 0, count
    else:
        paid, missing = debts.pay(t, seat, count)
    if count:
        t.emit(seat, CoinsPaid(paid, missing))
    debts.begin(t, seat, missing)
