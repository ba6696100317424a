"""Places that give a follower, goods, coins, fame or technology."""

from __future__ import annotations

from collections.abc import Sequence

from boardkeeper.families.followers.data import TECHNOLOGY
from boardkeeper.families.followers.phases.verbs import action
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.stories.commands import Command, RecruitFollower, UsePlace
from boardkeeper.titles.stories.control import count_villages
from boardkeeper.titles.stories.events import PlaceUsed
from boardkeeper.titles.stories.material import BoundPlace, Seat, Stories
from boardkeeper.titles.stories.phases.fame import gain_fame


def find_supply_rejection(t: Stories, place: BoundPlace, recruit: str, good: str) -> Rejection | None:
    """Return a rejection if the supply lacks a follower or a good (empty: none is needed), or ``None``.

    Source: stories.running_out.tiles.
    """
    if recruit and recruit not in t.supply.items:
        return Rejection("NO_FOLLOWER_LEFT", "stories.running_out.tiles", {"place": place.id, "character": recruit})
    if good and good not in t.goods_market.items:
        return Rejection("GOOD_SOLD_OUT", "stories.running_out.tiles", {"place": place.id, "good": good})
    return None


def find_rejection(t: Stories, place: BoundPlace) -> Rejection | None:
    """Return why the place cannot be used, or ``None``. Source: stories.places.one_follower.

    A place that gives coins per follower needs a follower: with technology only, it would stay activated after its use.
    """
    gives = place.place
    rejection = find_supply_rejection(t, place, gives.recruit, gives.good)
    if rejection:
        return rejection
    if gives.technology and not t.technology.items:
        return Rejection("NO_TECHNOLOGY_LEFT", "stories.running_out.tiles", {"place": place.id})
    if gives.coins_per_follower and not count_different(place):
        return Rejection("NOT_ACTIVATED", "stories.places.one_follower", {"place": place.id})
    return None


def count_different(place: BoundPlace) -> int:
    """Return the number of different followers on the place."""
    return len({space.occupant() for space in place.spaces} - {"", TECHNOLOGY})


def use(t: Stories, seat: Seat, place: BoundPlace) -> Rejection | None:
    """Grant the rewards of the place. Source: stories.places.*."""
    rejection = find_rejection(t, place)
    if rejection:
        return rejection
    gives, different = place.place, count_different(place)
    coins = gives.coins + gives.coins_per_village * count_villages(t, seat) + gives.coins_per_follower * different
    fame = gives.fame + (gives.fame_bonus if gives.fame_from and different >= gives.fame_from else 0)
    _give(t, seat, place, gives.recruit, gives.good, coins, fame, gives.technology)
    return None


def recruit(t: Stories, seat: Seat, command: RecruitFollower, place: BoundPlace) -> Rejection | None:
    """Recruit one of the followers that the place offers. Source: stories.places.choice."""
    values = {"place": place.id, "character": command.character}
    gives = next((each for each in place.place.choose if each.recruit == command.character), None)
    if gives is None:
        return Rejection("WRONG_CHARACTER", "stories.places.choice", values)
    rejection = find_supply_rejection(t, place, command.character, gives.good)
    if rejection:
        return rejection
    _give(t, seat, place, command.character, gives.good, gives.coins, 0, 0)
    return None


def _give(
    t: Stories, seat: Seat, place: BoundPlace, follower: str, good: str, coins: int, fame: int, technology: int
) -> None:
    action.return_followers(t, seat, place)
    if follower:
        t.move(follower, t.supply, seat.bag)
    if good:
        t.move(good, t.goods_market, seat.goods)
    if coins:
        t.give_coins(seat, coins)
    if technology:
        t.move(TECHNOLOGY, t.technology, seat.technology)
    t.emit(seat, PlaceUsed(place.id, follower, {good: 1} if good else {}, coins, fame, technology))
    gain_fame(t, seat, fame)
    action.end(t, seat)


def legal(t: Stories, seat: Seat, place: BoundPlace) -> Sequence[Command]:
    """Return the command to use the place, if it can be used.

    A seat may also use a place that gives nothing, such as coins per village for a seat without villages.
    """
    return () if find_rejection(t, place) else (UsePlace(place.id),)


def legal_choice(t: Stories, seat: Seat, place: BoundPlace) -> Sequence[Command]:
    """Return a command for each follower that the place offers."""
    return [
        RecruitFollower(place.id, gives.recruit)
        for gives in place.place.choose
        if not find_supply_rejection(t, place, gives.recruit, gives.good)
    ]
