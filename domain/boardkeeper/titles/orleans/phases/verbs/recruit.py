"""Recruiting: a follower for the bag, a step on its track, and the reward of the track."""

from __future__ import annotations

from collections.abc import Sequence

from boardkeeper.families.followers.data import CITIZEN, MONK, TECHNOLOGY
from boardkeeper.families.followers.phases import screens
from boardkeeper.families.followers.phases.verbs import action
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.orleans.commands import Command, RecruitFollower
from boardkeeper.titles.orleans.events import FollowerRecruited
from boardkeeper.titles.orleans.material import BoundPlace, Orleans, Seat
from boardkeeper.titles.orleans.phases.development import advance_development

TRADER = "trader"


def find_rejection(t: Orleans, seat: Seat, character: str) -> Rejection | None:
    """Return why the seat cannot recruit a character now, apart from the place tile, or ``None``."""
    values = {"character": character}
    if character == MONK and t.event.value == "pilgrimage":
        return Rejection("PILGRIMAGE", "orleans.monastery.not_during_pilgrimage", values)
    if character not in t.supply.items:
        return Rejection("NO_FOLLOWER_LEFT", "orleans.recruiting.supply", values)
    track = t.data.track_of.get(character)
    if track is None:
        return None
    position = seat.track[track].value
    if position == t.data.track_length[track]:
        return Rejection("TRACK_END", "orleans.recruiting.track_end", values)
    if track == "farmers" and t.data.farmers_goods[position] not in t.goods_market.items:
        good = t.data.farmers_goods[position]
        return Rejection("GOOD_SOLD_OUT", "orleans.farm_house.good_available", values | {"good": good})
    if track == "craftsmen" and not t.technology.items:
        return Rejection("NO_TECHNOLOGY_LEFT", "orleans.village.technology_available", values)
    return None


def place_tiles(t: Orleans, seat: Seat) -> list[str]:
    """Return the place tiles that the seat may take with its next trader. Source: orleans.village.first_trader."""
    categories = t.data.traders_tiles[seat.track["traders"].value]
    return [tile for category in categories for tile in sorted(t.place_tiles[category].items)]


def find_tile_rejection(t: Orleans, seat: Seat, command: RecruitFollower) -> Rejection | None:
    """Return why the seat cannot take the place tile of the command, or ``None``."""
    tile = command.place_tile
    values = {"character": command.character, "place_tile": tile}
    if command.character != TRADER:
        return Rejection("NO_PLACE_TILE", "orleans.village.place_tile_only_for_traders", values) if tile else None
    if tile in place_tiles(t, seat):
        return None
    if any(tile in pile.items for pile in t.place_tiles.values()):
        return Rejection("WRONG_CATEGORY", "orleans.village.first_trader", values)
    return Rejection("PLACE_TILE_GONE", "orleans.village.place_tile_available", values)


def recruit(t: Orleans, seat: Seat, command: RecruitFollower, place: BoundPlace) -> Rejection | None:
    """Recruit a follower. Source: orleans.recruiting.*, orleans.village.* and others."""
    character = command.character
    if character not in place.place.recruit:
        values = {"place": place.id, "character": character}
        return Rejection("WRONG_CHARACTER", "orleans.actions.matching_command", values)
    rejection = find_rejection(t, seat, character) or find_tile_rejection(t, seat, command)
    if rejection:
        return rejection
    action.return_followers(t, seat, place)
    t.move(character, t.supply, seat.bag)
    detail, development = _reward(t, seat, command)
    t.emit(seat, detail)
    advance_development(t, seat, development)
    action.end(t, seat)
    return None


def _reward(t: Orleans, seat: Seat, command: RecruitFollower) -> tuple[FollowerRecruited, int]:
    """Advance on the track and give its reward; return the event and the development points still to give."""
    data = t.data
    track = data.track_of.get(command.character)
    if track is None:
        return FollowerRecruited(command.place, command.character, 0), 0
    position = seat.track[track].value + 1
    t.set(seat.track[track], position)
    good, coins, development = "", 0, 0
    if track == "farmers":
        good = data.farmers_goods[position - 1]
        t.move(good, t.goods_market, seat.goods)
    elif track == "boatmen":
        coins = data.boatmen_coins[position - 1]
        if coins:
            t.give_coins(seat, coins)
    elif track == "craftsmen":
        _receive_technology(t, seat, position)
    elif track == "traders":
        t.move(command.place_tile, t.place_tiles[data.places[command.place_tile].category], seat.place_tiles)
        screens.hide_place(t, seat, command.place_tile)
    elif track == "scholars":
        development = data.scholars_development[position - 1]
    citizen = data.track_citizens.get(track) == position and bool(t.track_citizens[track].items)
    if citizen:
        t.move(CITIZEN, t.track_citizens[track], seat.citizens)
    detail = FollowerRecruited(
        place=command.place,
        character=command.character,
        position=position,
        good=good,
        coins=coins,
        technology=track == "craftsmen",
        place_tile=command.place_tile,
        development=development,
        citizen=citizen,
    )
    return detail, development


def _receive_technology(t: Orleans, seat: Seat, position: int) -> None:
    t.move(TECHNOLOGY, t.technology, seat.technology)
    if t.data.craftsmen_farmer_only[position - 1] and t.data.readings.first_technology == "from_first_craftsmen_space":
        t.set(seat.farmer_only, 1)


def legal(t: Orleans, seat: Seat, place: BoundPlace) -> Sequence[Command]:
    """Return a command for each character that the place can recruit now, for a trader with each place tile."""
    commands: list[Command] = []
    for character in place.place.recruit:
        if find_rejection(t, seat, character):
            continue
        if character == TRADER:
            commands += [RecruitFollower(place.id, character, tile) for tile in place_tiles(t, seat)]
        else:
            commands.append(RecruitFollower(place.id, character))
    return commands
