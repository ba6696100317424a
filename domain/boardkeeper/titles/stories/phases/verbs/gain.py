"""Places that give what they show: a follower, goods, coins, fame, technology."""

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


def why_not(t: Stories, place: BoundPlace, recruit: str, good: str) -> Rejection | None:
    """Whether what it would give has run out (stories.running_out.tiles)."""
    if recruit and recruit not in t.supply.items:
        return Rejection("NO_FOLLOWER_LEFT", "stories.running_out.tiles", {"place": place.id, "character": recruit})
    if good and good not in t.goods_market.items:
        return Rejection("GOOD_SOLD_OUT", "stories.running_out.tiles", {"place": place.id, "good": good})
    return None


def why_not_use(t: Stories, place: BoundPlace) -> Rejection | None:
    """Whether what it gives has run out, or nobody is there.

    A place that counts its followers needs one: technology alone would let its owner act for ever.
    """
    gives = place.place
    rejection = why_not(t, place, gives.recruit, gives.good)
    if rejection:
        return rejection
    if gives.technology and not t.technology.items:
        return Rejection("NO_TECHNOLOGY_LEFT", "stories.running_out.tiles", {"place": place.id})
    if gives.coins_per_follower and not count_different(place):
        return Rejection("NOT_ACTIVATED", "stories.places.one_follower", {"place": place.id})
    return None


def count_different(place: BoundPlace) -> int:
    """How many different followers stand on the place; technology is none."""
    return len({space.occupant() for space in place.spaces} - {"", TECHNOLOGY})


def use(t: Stories, seat: Seat, place: BoundPlace) -> Rejection | None:
    """Receive what the place gives. Source: stories.places.*."""
    rejection = why_not_use(t, place)
    if rejection:
        return rejection
    gives, different = place.place, count_different(place)
    coins = gives.coins + gives.coins_per_village * count_villages(t, seat) + gives.coins_per_follower * different
    fame = gives.fame + (gives.fame_bonus if gives.fame_from and different >= gives.fame_from else 0)
    _give(t, seat, place, gives.recruit, gives.good, coins, fame, gives.technology)
    return None


def recruit(t: Stories, seat: Seat, command: RecruitFollower, place: BoundPlace) -> Rejection | None:
    """Take one of the followers between which the place leaves the choice (stories.places.choice)."""
    values = {"place": place.id, "character": command.character}
    gives = next((each for each in place.place.choose if each.recruit == command.character), None)
    if gives is None:
        return Rejection("WRONG_CHARACTER", "stories.places.choice", values)
    rejection = why_not(t, place, command.character, gives.good)
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
        t.gain(seat, coins)
    if technology:
        t.move(TECHNOLOGY, t.technology, seat.technology)
    t.emit(seat, PlaceUsed(place.id, follower, {good: 1} if good else {}, coins, fame, technology))
    gain_fame(t, seat, fame)
    action.end(t, seat)


def legal(t: Stories, seat: Seat, place: BoundPlace) -> Sequence[Command]:
    """Using the place, unless what it gives has run out.

    Without villages, or at the end of the fame track, it may give nothing: its followers go to the bag all the same.
    """
    return () if why_not_use(t, place) else (UsePlace(place.id),)


def legal_choice(t: Stories, seat: Seat, place: BoundPlace) -> Sequence[Command]:
    """Every follower between which the place leaves the choice."""
    return [
        RecruitFollower(place.id, gives.recruit)
        for gives in place.place.choose
        if not why_not(t, place, gives.recruit, gives.good)
    ]
