"""The event of the round: what compares seats first, then seat by seat what it brings or takes."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Any

from boardkeeper.families.followers.events import PhaseBegun
from boardkeeper.families.followers.phases import sacristy
from boardkeeper.titles.stories import control
from boardkeeper.titles.stories.data import KNIGHT
from boardkeeper.titles.stories.events import EventCarriedOut, FollowersLost
from boardkeeper.titles.stories.material import Seat, Stories
from boardkeeper.titles.stories.phases import demands, offers
from boardkeeper.titles.stories.phases.declaring import comes_before_bonus
from boardkeeper.titles.stories.phases.fame import gain_fame

NEGATIVE = frozenset(
    {
        *("pay_food", "pay_coins", "pay_wood", "coins_from_sole_fewest_areas"),
        *("lose_random_followers", "lose_goods"),
    }
)
"""The words of what a Sacristy shields from."""


def begin(t: Stories) -> None:
    """Carry out what compares the seats (stories.events.compared), and begin with the start player."""
    if not t.data.events:
        t.enter("declaring" if comes_before_bonus(t) else "round_bonus")
        return
    t.set(t.phase, "event")
    t.set(t.cursor, 0)
    t.emit(None, PhaseBegun("event"))
    for word, value in t.card().items():
        if word in COMPARED:
            COMPARED[word](t, value)


def proceed(t: Stories) -> None:
    """The next seat, clockwise from the start player; after the last comes the round bonus."""
    order = t.clockwise()
    at = t.cursor.value
    if at == len(order):
        t.enter("round_bonus")
        return
    t.set(t.cursor, at + 1)
    if takes_from(t, order[at]):
        sacristy.strike(t, order[at])
    else:
        suffer(t, order[at])


def takes_from(t: Stories, seat: Seat) -> bool:
    """Whether the event takes something from the seat, so that it may be shielded (stories.sacristy.only_losses)."""
    effect = t.card()
    if "coins_from_sole_fewest_areas" in effect:
        return _is_last(t, seat)
    if "lose_goods" in effect:
        return bool(seat.goods.items) and not _averts(t, seat)
    if "lose_random_followers" in effect:
        return bool(seat.bag.items)
    for asked in ("pay_food", "pay_coins"):
        if asked in effect:
            return amount(t, seat, effect[asked]) > 0
    return not NEGATIVE.isdisjoint(effect)


def suffer(t: Stories, seat: Seat) -> None:
    """The event does to a seat what it does. Source: stories.events.*."""
    for word, value in t.card().items():
        if word in EACH:
            EACH[word](t, seat, value)


def amount(t: Stories, seat: Seat, each: int) -> int:
    """A number, or that number for so many goods or areas, rounded as the card says."""
    effect = t.card()
    if "per_goods" in effect:
        parts = seat.goods.total() / effect["per_goods"]
    elif "per_areas" in effect:
        parts = control.count_areas(t, seat) / effect["per_areas"]
    else:
        return each
    count = each * (ceil(parts) if effect["round"] == "up" else int(parts))
    most: int = effect.get("most", count)
    return min(count, most)


# --- what compares the seats -------------------------------------------------------------------------------


def _fame_to_lowest(t: Stories, steps: int) -> None:
    lowest = min(seat.fame.value for seat in t.seats)
    for seat in [seat for seat in t.clockwise() if seat.fame.value == lowest]:
        _bring(t, seat, fame=steps)


def _most_of(t: Stories, what: str) -> None:
    seat, effect = control.sole_leader(t, {seat.number: MEASURES[what](seat) for seat in t.seats}), t.card()
    if seat:
        _bring(t, seat, fame=effect.get("fame", 0), citizens=effect.get("citizens", 0))


def _sole_most_areas(t: Stories, coins: int) -> None:
    seat = control.sole_leader(t, control.areas_by_seat(t))
    if seat:
        _bring(t, seat, coins=coins)


def _is_last(t: Stories, seat: Seat) -> bool:
    return len(t.seats) >= t.card().get("from_players", 2) and control.sole_last(t, control.areas_by_seat(t)) is seat


MEASURES: dict[str, Callable[[Seat], int]] = {
    "knights": lambda seat: control.count_followers(seat, KNIGHT),
    "fame": lambda seat: seat.fame.value,
}

COMPARED: dict[str, Callable[[Stories, Any], None]] = {
    "fame_to_lowest": _fame_to_lowest,
    "most_of": _most_of,
    "coins_to_sole_most_areas": _sole_most_areas,
}


# --- what each seat gets or gives --------------------------------------------------------------------------


def _bring(t: Stories, seat: Seat, *, coins: int = 0, fame: int = 0, citizens: int = 0) -> None:
    if coins:
        t.gain(seat, coins)
    if citizens:
        t.set(seat.citizens, seat.citizens.value + citizens)
    if coins or fame or citizens:
        t.emit(seat, EventCarriedOut(t.event.value, coins, fame, citizens))
    gain_fame(t, seat, fame)


def _coins_per_village(t: Stories, seat: Seat, each: int) -> None:
    _bring(t, seat, coins=each * control.count_villages(t, seat))


def _fame_per_church(t: Stories, seat: Seat, each: int) -> None:
    _bring(t, seat, fame=each * control.count_churches(t, seat))


def _controls(t: Stories, seat: Seat, landscape: str) -> bool:
    return any(control.landscape_of(t, area) == landscape for area in control.areas_of(t, seat))


def _gain_good(t: Stories, seat: Seat, good: str) -> None:
    effect, count = t.card(), 1
    if "only_if_controls" in effect and not _controls(t, seat, effect["only_if_controls"]):
        count = 0
    if "plus_if_controls" in effect and _controls(t, seat, effect["plus_if_controls"]):
        count += 1
    _take_goods(t, seat, {good: count})


def _good_of_each_landscape(t: Stories, seat: Seat, each: int) -> None:
    found = {control.landscape_of(t, area) for area in control.areas_of(t, seat)} - {""}
    _take_goods(t, seat, {t.data.landscape_goods[landscape]: each for landscape in sorted(found)})


def _take_goods(t: Stories, seat: Seat, goods: dict[str, int]) -> None:
    """Goods from the market, as far as it has them."""
    there = t.goods_market.items
    taken = {good: min(count, there.get(good, 0)) for good, count in goods.items()}
    taken = {good: count for good, count in taken.items() if count}
    for good, count in taken.items():
        t.move(good, t.goods_market, seat.goods, count)
    if taken:
        t.emit(seat, EventCarriedOut(t.event.value, goods=taken))


def _pay_food(t: Stories, seat: Seat, each: int) -> None:
    demands.demand_food(t, seat, amount(t, seat, each))


def _pay_coins(t: Stories, seat: Seat, each: int) -> None:
    if "else_lose" in t.card():
        offers.ask_to_pay(t, seat)
    else:
        demands.demand_coins(t, seat, amount(t, seat, each))


def _last_pays(t: Stories, seat: Seat, coins: int) -> None:
    if _is_last(t, seat):
        demands.demand_coins(t, seat, coins)


def _averts(t: Stories, seat: Seat) -> bool:
    word = "unless_fortresses_at_least"
    return word in t.card() and control.count_fortresses(t, seat) >= t.card()[word]


def _lose_goods(t: Stories, seat: Seat, count: int) -> None:
    """Nothing is demanded, so who has fewer loses what there is, without torture (stories.events.lost_goods)."""
    if not _averts(t, seat):
        demands.demand_goods(t, seat, min(count, seat.goods.total()))


def _lose_followers(t: Stories, seat: Seat, count: int) -> None:
    lost = t.recorder.draw(seat.bag, t.supply, min(count, seat.bag.total()))
    t.emit(seat, FollowersLost(tuple(lost)))


EACH: dict[str, Callable[[Stories, Seat, Any], None]] = {
    "coins_per_village": _coins_per_village,
    "fame_per_church": _fame_per_church,
    "gain_good": _gain_good,
    "gain_good_per_distinct_landscape": _good_of_each_landscape,
    "pay_food": _pay_food,
    "pay_coins": _pay_coins,
    "pay_wood": lambda t, seat, _: offers.ask_to_pay(t, seat),
    "coins_from_sole_fewest_areas": _last_pays,
    "lose_goods": _lose_goods,
    "lose_random_followers": _lose_followers,
    "may_pay": lambda t, seat, _: offers.ask(t, seat, "invest"),
    "gain_follower": lambda t, seat, _: offers.ask(t, seat, "newcomer"),
    "sell_up_to": offers.begin_fair,
    "free_expansion": lambda t, seat, _: offers.ask(t, seat, "trek"),
}
"""What an event does to each seat, by the word of its effect; words that say more of another stand beside it."""
