"""The choice of goods from manor farms or as a round bonus. Source: stories.manors.choice."""

from __future__ import annotations

from boardkeeper.families.followers.phases.verbs import action
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.stories.commands import Command, TakeGood
from boardkeeper.titles.stories.control import areas_of, landscape_of, manors_of
from boardkeeper.titles.stories.data import MANOR
from boardkeeper.titles.stories.events import TileUsed
from boardkeeper.titles.stories.material import Seat, Stories

CHOOSE = "choose_good"


def begin(t: Stories, seat: Seat, count: int) -> None:
    """Let the seat choose ``count`` goods, if any is available."""
    t.set(seat.owed, count)
    if list_choices(t, seat):
        t.ask(seat, CHOOSE)
    else:
        t.set(seat.owed, 0)


def has_manor_goods(t: Stories, seat: Seat) -> bool:
    """Return whether the market has a good of the seat's manor farms."""
    return bool(manors_of(t, seat)) and any(good in t.goods_market.items for good in t.data.manor_goods)


def list_choices(t: Stories, seat: Seat) -> list[str]:
    """Return the goods on the market that the seat can choose.

    During an action these are goods of manor farms, otherwise also those of its other areas.
    """
    goods = set(t.data.manor_goods) if manors_of(t, seat) else set()
    if not t.action_place.value:
        goods |= {t.data.landscape_goods[each] for area in areas_of(t, seat) if (each := landscape_of(t, area))}
    return [good for good in t.data.good_values if good in goods and good in t.goods_market.items]


def take_good(t: Stories, seat: Seat, command: TakeGood) -> Rejection | None:
    """Take a good. Source: stories.manors.choice."""
    if command.good not in list_choices(t, seat):
        return Rejection("NOT_OFFERED", "stories.manors.choice", {"good": command.good})
    t.move(command.good, t.goods_market, seat.goods)
    t.set(seat.owed, seat.owed.value - 1)
    place = t.action_place.value
    t.emit(seat, TileUsed(MANOR if place else "round_bonus", goods={command.good: 1}))
    if seat.owed.value and list_choices(t, seat):
        return None
    t.set(seat.owed, 0)
    t.ask(seat, "")
    if place:
        action.return_followers(t, seat, seat.estate().places[place])
        t.set(t.action_place, "")
    t.advance()
    return None


def legal_choice(t: Stories, seat: Seat) -> list[Command]:
    """Return a command for each good that the seat can choose."""
    return [TakeGood(good) for good in list_choices(t, seat)]
