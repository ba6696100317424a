"""Landed Estate and Shipyard: goods of the seat's areas."""

from __future__ import annotations

from collections.abc import Sequence

from boardkeeper.families.followers.phases.verbs import action
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.stories.commands import Command, ProduceGoods, UsePlace
from boardkeeper.titles.stories.control import areas_of, count_shares, landscape_of, manors_of
from boardkeeper.titles.stories.events import PlaceUsed
from boardkeeper.titles.stories.material import Area, BoundPlace, Seat, Stories
from boardkeeper.titles.stories.phases import good_choice

AREAS = "areas"
ONE_LANDSCAPE = "one_landscape"


def harvest(t: Stories, seat: Seat, landscape: str) -> dict[str, int]:
    """Return the goods of the seat's areas with a landscape (empty: with any), as many as the market has."""
    own: dict[str, list[Area]] = {}
    for area in areas_of(t, seat):
        own.setdefault(landscape_of(t, area), []).append(area)
    market, goods = t.goods_market.items, t.data.landscape_goods
    wanted = (each for each in own if each and landscape in ("", each))
    found = {goods[each]: min(count_shares(t, own[each]), market.get(goods[each], 0)) for each in wanted}
    return {good: count for good, count in found.items() if count}


def find_rejection(t: Stories, seat: Seat, place: BoundPlace, landscape: str = "") -> Rejection | None:
    """Return a rejection if the seat's areas yield no good, or ``None``. Source: stories.places.landed_estate."""
    if not harvest(t, seat, landscape) and (landscape or not good_choice.has_manor_goods(t, seat)):
        return Rejection("NOTHING_TO_HARVEST", "stories.places.landed_estate", {"place": place.id})
    return None


def use(t: Stories, seat: Seat, place: BoundPlace) -> Rejection | None:
    """Gain a good of each controlled area. Source: stories.places.landed_estate."""
    if place.place.produce != AREAS:
        return Rejection("WRONG_COMMAND", "stories.actions.matching_command", {"place": place.id})
    return _take(t, seat, place, "")


def produce_one(t: Stories, seat: Seat, command: ProduceGoods, place: BoundPlace) -> Rejection | None:
    """Gain a good of each controlled area of one landscape. Source: stories.places.one_landscape."""
    values = {"place": place.id, "landscape": command.landscape}
    if place.place.produce != ONE_LANDSCAPE:
        return Rejection("WRONG_COMMAND", "stories.actions.matching_command", values)
    if command.landscape not in t.data.landscape_goods:
        return Rejection("UNKNOWN_LANDSCAPE", "stories.places.one_landscape", values)
    return _take(t, seat, place, command.landscape)


def _take(t: Stories, seat: Seat, place: BoundPlace, landscape: str) -> Rejection | None:
    rejection = find_rejection(t, seat, place, landscape)
    if rejection:
        return rejection
    goods = harvest(t, seat, landscape)
    manors = 0 if landscape else len(manors_of(t, seat))
    if not manors:
        action.return_followers(t, seat, place)
    for good, count in goods.items():
        t.move(good, t.goods_market, seat.goods, count)
    t.emit(seat, PlaceUsed(place.id, goods=goods))
    if manors:
        t.set(t.action_place, place.id)
        good_choice.begin(t, seat, manors)
        if t.decides(seat) and t.table.decisions[seat.number] == good_choice.CHOOSE:
            return None
        t.set(t.action_place, "")
        action.return_followers(t, seat, place)
    action.end(t, seat)
    return None


def legal(t: Stories, seat: Seat, place: BoundPlace) -> Sequence[Command]:
    """Return the command to harvest, or one for each landscape that yields a good."""
    if place.place.produce == AREAS:
        return () if find_rejection(t, seat, place) else (UsePlace(place.id),)
    landscapes = (each for each in t.data.landscape_goods if not find_rejection(t, seat, place, each))
    return [ProduceGoods(place.id, landscape) for landscape in landscapes]
