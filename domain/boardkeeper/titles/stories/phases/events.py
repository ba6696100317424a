"""The event of the round: first the effects that compare seats, then those on each seat."""

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
from boardkeeper.titles.stories.phases import demands, event_choices
from boardkeeper.titles.stories.phases.declarations import is_before_bonus
from boardkeeper.titles.stories.phases.fame import gain_fame

LOSSES = frozenset(
    {
        *("pay_food", "pay_coins", "pay_wood", "coins_from_sole_fewest_areas"),
        *("lose_random_followers", "lose_goods"),
    }
)
"""Words of effects that the Sacristy prevents."""


def begin(t: Stories) -> None:
    """Begin the phase with the effects that compare seats. Source: stories.events.compared."""
    if not t.data.events:
        t.enter("declaring" if is_before_bonus(t) else "round_bonus")
        return
    t.set(t.phase, "event")
    t.set(t.cursor, 0)
    t.emit(None, PhaseBegun("event"))
    for word, value in t.event_effect().items():
        if word in COMPARING_EFFECTS:
            COMPARING_EFFECTS[word](t, value)


def proceed(t: Stories) -> None:
    """Apply the event to the next seat, clockwise from the start player. After the last, begin the round bonus."""
    order = t.clockwise()
    at = t.cursor.value
    if at == len(order):
        t.enter("round_bonus")
        return
    t.set(t.cursor, at + 1)
    if takes_something_from(t, order[at]):
        sacristy.apply_unless_shielded(t, order[at])
    else:
        apply_event(t, order[at])


def takes_something_from(t: Stories, seat: Seat) -> bool:
    """Return whether the event takes something from the seat. Source: stories.sacristy.only_losses."""
    effect = t.event_effect()
    if "coins_from_sole_fewest_areas" in effect:
        return _has_sole_fewest_areas(t, seat)
    if "lose_goods" in effect:
        return bool(seat.goods.items) and not _is_averted(t, seat)
    if "lose_random_followers" in effect:
        return bool(seat.bag.items)
    for word in ("pay_food", "pay_coins"):
        if word in effect:
            return scaled_amount(t, seat, effect[word]) > 0
    return not LOSSES.isdisjoint(effect)


def apply_event(t: Stories, seat: Seat) -> None:
    """Apply the event to a seat. Source: stories.events.*."""
    for word, value in t.event_effect().items():
        if word in SEAT_EFFECTS:
            SEAT_EFFECTS[word](t, seat, value)


def scaled_amount(t: Stories, seat: Seat, each: int) -> int:
    """Return the amount of an effect for a seat: ``each``, or ``each`` for every few of its goods or areas.

    The card says how many goods or areas (``per_goods``, ``per_areas``), how to round, and a maximum (``most``).
    """
    effect = t.event_effect()
    if "per_goods" in effect:
        parts = seat.goods.total() / effect["per_goods"]
    elif "per_areas" in effect:
        parts = control.count_areas(t, seat) / effect["per_areas"]
    else:
        return each
    count = each * (ceil(parts) if effect["round"] == "up" else int(parts))
    most: int = effect.get("most", count)
    return min(count, most)


# --- effects that compare seats ------------------------------------------------------------------------------


def _fame_to_lowest(t: Stories, steps: int) -> None:
    lowest = min(seat.fame.value for seat in t.seats)
    for seat in [seat for seat in t.clockwise() if seat.fame.value == lowest]:
        _grant(t, seat, fame=steps)


def _most_of(t: Stories, what: str) -> None:
    seat, effect = control.sole_leader(t, {seat.number: MEASURES[what](seat) for seat in t.seats}), t.event_effect()
    if seat:
        _grant(t, seat, fame=effect.get("fame", 0), citizens=effect.get("citizens", 0))


def _sole_most_areas(t: Stories, coins: int) -> None:
    seat = control.sole_leader(t, control.areas_by_seat(t))
    if seat:
        _grant(t, seat, coins=coins)


def _has_sole_fewest_areas(t: Stories, seat: Seat) -> bool:
    return (
        len(t.seats) >= t.event_effect().get("from_players", 2)
        and control.sole_last(t, control.areas_by_seat(t)) is seat
    )


MEASURES: dict[str, Callable[[Seat], int]] = {
    "knights": lambda seat: control.count_followers(seat, KNIGHT),
    "fame": lambda seat: seat.fame.value,
}

COMPARING_EFFECTS: dict[str, Callable[[Stories, Any], None]] = {
    "fame_to_lowest": _fame_to_lowest,
    "most_of": _most_of,
    "coins_to_sole_most_areas": _sole_most_areas,
}


# --- effects on each seat ------------------------------------------------------------------------------------


def _grant(t: Stories, seat: Seat, *, coins: int = 0, fame: int = 0, citizens: int = 0) -> None:
    if coins:
        t.give_coins(seat, coins)
    if citizens:
        t.set(seat.citizens, seat.citizens.value + citizens)
    if coins or fame or citizens:
        t.emit(seat, EventCarriedOut(t.event.value, coins, fame, citizens))
    gain_fame(t, seat, fame)


def _coins_per_village(t: Stories, seat: Seat, each: int) -> None:
    _grant(t, seat, coins=each * control.count_villages(t, seat))


def _fame_per_church(t: Stories, seat: Seat, each: int) -> None:
    _grant(t, seat, fame=each * control.count_churches(t, seat))


def _controls(t: Stories, seat: Seat, landscape: str) -> bool:
    return any(control.landscape_of(t, area) == landscape for area in control.areas_of(t, seat))


def _gain_good(t: Stories, seat: Seat, good: str) -> None:
    effect, count = t.event_effect(), 1
    if "only_if_controls" in effect and not _controls(t, seat, effect["only_if_controls"]):
        count = 0
    if "plus_if_controls" in effect and _controls(t, seat, effect["plus_if_controls"]):
        count += 1
    _take_goods(t, seat, {good: count})


def _good_of_each_landscape(t: Stories, seat: Seat, each: int) -> None:
    found = {control.landscape_of(t, area) for area in control.areas_of(t, seat)} - {""}
    _take_goods(t, seat, {t.data.landscape_goods[landscape]: each for landscape in sorted(found)})


def _take_goods(t: Stories, seat: Seat, goods: dict[str, int]) -> None:
    """Give a seat goods from the market, as many as the market has."""
    market = t.goods_market.items
    taken = {good: min(count, market.get(good, 0)) for good, count in goods.items()}
    taken = {good: count for good, count in taken.items() if count}
    for good, count in taken.items():
        t.move(good, t.goods_market, seat.goods, count)
    if taken:
        t.emit(seat, EventCarriedOut(t.event.value, goods=taken))


def _pay_food(t: Stories, seat: Seat, each: int) -> None:
    demands.demand_food(t, seat, scaled_amount(t, seat, each))


def _pay_coins(t: Stories, seat: Seat, each: int) -> None:
    if "else_lose" in t.event_effect():
        event_choices.ask_to_pay(t, seat)
    else:
        demands.demand_coins(t, seat, scaled_amount(t, seat, each))


def _fewest_areas_pays(t: Stories, seat: Seat, coins: int) -> None:
    if _has_sole_fewest_areas(t, seat):
        demands.demand_coins(t, seat, coins)


def _is_averted(t: Stories, seat: Seat) -> bool:
    word = "unless_fortresses_at_least"
    return word in t.event_effect() and control.count_fortresses(t, seat) >= t.event_effect()[word]


def _lose_goods(t: Stories, seat: Seat, count: int) -> None:
    """Take goods of the seat's choice, at most as many as it has. Source: stories.events.lost_goods."""
    if not _is_averted(t, seat):
        demands.demand_goods(t, seat, min(count, seat.goods.total()))


def _lose_followers(t: Stories, seat: Seat, count: int) -> None:
    lost = t.recorder.draw(seat.bag, t.supply, min(count, seat.bag.total()))
    t.emit(seat, FollowersLost(tuple(lost)))


SEAT_EFFECTS: dict[str, Callable[[Stories, Seat, Any], None]] = {
    "coins_per_village": _coins_per_village,
    "fame_per_church": _fame_per_church,
    "gain_good": _gain_good,
    "gain_good_per_distinct_landscape": _good_of_each_landscape,
    "pay_food": _pay_food,
    "pay_coins": _pay_coins,
    "pay_wood": lambda t, seat, _: event_choices.ask_to_pay(t, seat),
    "coins_from_sole_fewest_areas": _fewest_areas_pays,
    "lose_goods": _lose_goods,
    "lose_random_followers": _lose_followers,
    "may_pay": lambda t, seat, _: event_choices.ask(t, seat, "invest"),
    "gain_follower": lambda t, seat, _: event_choices.ask(t, seat, "newcomer"),
    "sell_up_to": event_choices.begin_fair,
    "free_expansion": lambda t, seat, _: event_choices.ask(t, seat, "trek"),
}
"""Effects on each seat, by word. Words that are in no table modify other effects."""
