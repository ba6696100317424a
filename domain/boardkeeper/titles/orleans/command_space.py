"""All commands of a game (see :class:`boardkeeper.titlekit.command_space.EnumerableTitle`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from boardkeeper.families.followers.command_space import (
    SpacesOfAllPlaces,
    family_commands,
    surrender_technology,
    use_places,
)
from boardkeeper.titlekit.command_space import each_of
from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans.data import GOODS, Data
from boardkeeper.titles.orleans.phases.verbs import USE
from boardkeeper.titles.orleans.phases.verbs.recruit import TRADER


def command_space(data: Data, players: int) -> Sequence[Struct]:
    """Return every command of a game with this data, for any number of players."""
    every = SpacesOfAllPlaces(data)
    return [
        *family_commands(every, max(data.knights_draw)),
        *use_places(every.with_verb(*USE)),
        *_actions(data),
        *each_of(c.GiveFood, data.food),
        c.PayForFood(),
        *_torture(data, every),
    ]


def _actions(data: Data) -> Iterator[Struct]:
    tiles = [tile for tile in data.place_tiles if any(data.places[tile].category in it for it in data.traders_tiles)]
    for place in data.places.values():
        for character in place.recruit:
            yield from each_of(c.RecruitFollower, (place.id,), (character,), tiles if character == TRADER else ("",))
        if place.travel:
            reached = {route.town for routes in data.routes[place.travel].values() for route in routes}
            towns = [town for town in data.towns if town in reached]
            yield from each_of(c.Travel, (place.id,), towns, (*GOODS, ""))
        yield from each_of(c.BuyDevelopment, (place.id,), range(1, place.development_for_coins + 1))


def _torture(data: Data, every: SpacesOfAllPlaces) -> Iterator[Struct]:
    yield from each_of(c.SurrenderTradingStation, ("", *data.towns))
    yield from (c.SurrenderFollower(), c.SurrenderDevelopment())
    yield from each_of(c.SurrenderGood, GOODS)
    yield from each_of(c.SurrenderPlaceTile, data.place_tiles)
    yield from surrender_technology(every)
