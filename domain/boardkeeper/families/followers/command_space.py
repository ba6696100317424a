"""The commands of the family that can be legal with the data of an edition (see :mod:`titlekit.command_space`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from boardkeeper.families.followers import commands as c
from boardkeeper.families.followers.data import FollowersData, Place, Space
from boardkeeper.titlekit.command_space import each_of


class SpacesOfAllPlaces:
    """The spaces of a seat that owns every place: the union of what any seat can have."""

    def __init__(self, data: FollowersData) -> None:
        self.data = data
        self.places = tuple(data.places.values())
        self.spaces = tuple(space for place in self.places for space in place.spaces)
        self.index = data.space_index(tuple(id for id in data.places if id not in data.board_places))
        self.storage = self.among(self.index.storage)
        self.technology = self.among(self.index.technology)

    def among(self, mask: int) -> tuple[Space, ...]:
        """Return the spaces of a mask."""
        return tuple(space for space in self.spaces if space.bit & mask)

    def with_verb(self, *verbs: str) -> tuple[Place, ...]:
        """Return the places with spaces whose action is one of these."""
        return tuple(it for it in self.places if it.spaces and it.verb in verbs and not it.cancels_event)


def family_commands(every: SpacesOfAllPlaces, draw_limit: int, *, draws_one: bool = False) -> Iterator[Struct]:
    """Yield the family's commands, except :class:`UsePlace` and :class:`SurrenderTechnology`.

    ``draw_limit`` is the highest draw limit. ``draws_one``: the title draws a follower that its seat places or keeps.
    """
    yield from _drawing(every, draw_limit, keeps=draws_one or any(place.extra_draw for place in every.places))
    yield from _planning(every)
    yield from _deeds(every)
    yield from _bathhouse(every, draws_one=draws_one)
    yield c.Pass()
    yield from (c.PlaceTechnology(*space.key) for space in every.technology)
    yield c.KeepTechnology()
    if any(place.cancels_event for place in every.places):
        yield from (c.UseSacristy(), c.SufferEvent())


def use_places(places: Iterable[Place]) -> Iterator[Struct]:
    """Yield the command to use each place."""
    return (c.UsePlace(place.id) for place in places)


def surrender_technology(every: SpacesOfAllPlaces) -> Iterator[Struct]:
    """Yield the commands to give up a technology tile, placed or not."""
    yield c.SurrenderTechnology()
    yield from (c.SurrenderTechnology(*space.key) for space in every.technology)


def _drawing(every: SpacesOfAllPlaces, draw_limit: int, *, keeps: bool) -> Iterator[Struct]:
    data, storage = every.data, every.index.storage
    room = data.market_size + every.index.market_spaces + len(every.storage)
    yield from (space.take_back for space in every.spaces if not space.bit & storage)
    yield from each_of(c.DrawFollowers, range(min(draw_limit, room) + 1))
    yield c.FinishTakingBack()
    if keeps:
        yield from each_of(c.KeepFollower, data.followers)
    if every.storage:
        yield from each_of(c.StoreFollower, data.followers, (space.id for space in every.storage))
        yield c.FinishStoring()


def _planning(every: SpacesOfAllPlaces) -> Iterator[Struct]:
    fits = every.index.fits
    for from_tower in (False, True) if every.storage else (False,):
        for follower in every.data.followers:
            for space in every.among(fits[follower]):
                yield c.PlaceFollower(follower, space.place, space.id, from_tower)
    placed = 0
    for mask in fits.values():
        placed |= mask
    yield from (space.withdraw for space in every.among(placed))
    yield c.FinishPlanning()


def _deeds(every: SpacesOfAllPlaces) -> Iterator[Struct]:
    places = [place for place in every.places if place.send_to_deeds]
    for space in (space for place in places for space in place.spaces):
        for deed in every.data.deeds.values():
            yield from each_of(c.SendToDeed, (space.place,), (space.id,), (deed.id,), deed.rewards)
    if places:
        yield c.FinishDeeds()


def _bathhouse(every: SpacesOfAllPlaces, *, draws_one: bool) -> Iterator[Struct]:
    """Yield the placements of drawn followers: on spaces that fit, but not on the Bathhouse that drew them."""
    baths, readings = [place for place in every.places if place.bathhouse], every.data.readings
    if not baths and not draws_one:
        return
    forbidden = baths[0].mask if len(baths) == 1 and not draws_one else 0
    if readings.bathhouse_town_hall == "forbidden" and not draws_one:
        forbidden |= sum(it.mask for it in every.places if it.send_to_deeds and not it.market_extension)
    extra = every.index.storage if readings.bathhouse_tower == "allowed" else 0
    for follower in every.data.followers:
        for space in every.among((every.index.fits[follower] & ~forbidden) | extra):
            yield c.PlaceDrawnFollower(follower, *space.key)
