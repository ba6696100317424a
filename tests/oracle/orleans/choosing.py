"""The choices of a seat in phases 4 and 5: placing followers and technology, and carrying out actions."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from tests.oracle.orleans import tables

from boardkeeper.families.followers.board import SpaceView
from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans.board import Board, SeatView

TOWER = "gunpowder_tower"
TOWN_HALL = "town_hall"
BATHHOUSE = "bathhouse"
LEADING_TO_DEEDS = (TOWN_HALL, TOWER)
RECRUITS = {
    "farm_house": ("farmer",),
    "village": ("boatman", "craftsman", "trader"),
    "university": ("scholar",),
    "castle": ("knight",),
    "monastery": ("monk",),
}
TRAVELS = {"ship": "water", "wagon": "road", "horse_wagon": "road"}
DEVELOPMENT_ALONE = ("scriptorium", "library", "shipping_line", "pharmacy")
Key = tuple[str, str]


class Estate:
    """The places of one seat on the board. ``spaces`` has each space by place and id."""

    def __init__(self, board: Board, seat: int, choices: Mapping[str, str]) -> None:
        self.board = board
        self.choices = choices
        self.seat: SeatView = board.seats[seat - 1]
        self.tiles = {place.place for place in self.seat.places} - set(tables.PLAYER_BOARD)
        self.spaces: dict[Key, SpaceView] = {
            (place.place, space.space): space for place in self.seat.places for space in place.spaces
        }

    def of(self, place: str) -> list[Key]:
        """Return the spaces of one place."""
        return [key for key in self.spaces if key[0] == place]

    def free(self) -> list[Key]:
        """Return the free spaces."""
        return [key for key, space in self.spaces.items() if not space.occupant]

    def is_activated(self, place: str) -> bool:
        """Return whether a place can be used. Places with deeds need one follower, other places need all."""
        filled = [bool(self.spaces[key].occupant) for key in self.of(place)]
        return any(filled) if place in LEADING_TO_DEEDS else bool(filled) and all(filled)

    def fits(self, follower: str, key: Key) -> bool:
        """Return whether a follower is allowed on a space outside phase 3, even if the space is not free."""
        asked = self.spaces[key].requires
        own, character = follower.startswith("own_"), follower.removeprefix("own_")
        if key[0] == TOWER:
            return False
        if key[0] == TOWN_HALL:
            return not own
        if asked in ("any", character) or character == "monk":
            return True
        if asked == "monk":
            return False
        by_garden = character == "boatman" and asked in ("farmer", "craftsman", "trader")
        return (by_garden and "herb_garden" in self.tiles) or (character == "scholar" and "school" in self.tiles)


def options(board: Board, seat: int, choices: Mapping[str, str]) -> set[Struct] | None:
    """Return all choices of the seat; ``None`` for a decision of another phase."""
    estate = Estate(board, seat, choices)
    decision = estate.seat.decision
    if decision == "plan":
        return _plan(estate)
    if decision == "act":
        return _act(estate)
    if decision == "deed":
        return {*_deeds(estate, board.action_place), c.FinishDeeds()}
    if decision == "bathhouse":
        return _from_bathhouse(estate)
    if decision == "technology":
        return {*_technology(estate), c.KeepTechnology()}
    return None


# --- phase 4 ---


def _plan(estate: Estate) -> set[Struct]:
    found: set[Struct] = {c.FinishPlanning()}
    stored = {estate.spaces[key].occupant for key in estate.of(TOWER)} - {"", tables.TECHNOLOGY}
    for followers, from_tower in ((set(estate.seat.market), False), (stored, True)):
        for follower in followers:
            found |= {
                c.PlaceFollower(follower, *key, from_tower) for key in estate.free() if estate.fits(follower, key)
            }
    found |= {c.WithdrawFollower(*key) for key, space in estate.spaces.items() if space.placed_now and space.occupant}
    if estate.choices["technology_window"] == "after_passing_and_planning":
        found |= _technology(estate)
    return found


def _technology(estate: Estate) -> set[Struct]:
    """Allow one tile per place, not for a monk, and not on a single space. The first tile must replace a farmer."""
    seat, choices = estate.seat, estate.choices
    if not seat.technology:
        return set()
    bound = seat.technology == 1 and seat.farmer_only_technology == 1
    if choices["first_technology"] == "first_placed":
        bound = not seat.technology_placed
    found: set[Struct] = set()
    for key, space in estate.spaces.items():
        occupants = [estate.spaces[other].occupant for other in estate.of(key[0])]
        if len(occupants) == 1 or tables.TECHNOLOGY in occupants or space.requires == "monk":
            continue
        if space.requires == "any" and choices["technology_on_open_spaces"] == "closed":
            continue
        if space.occupant and choices["technology_on_occupied"] == "free_only":
            continue
        if key[0] == TOWER and not space.occupant and not _tower_has_another(estate):
            continue
        if space.requires == "farmer" or not bound:
            found.add(c.PlaceTechnology(*key))
    return found


def _tower_has_another(estate: Estate) -> bool:
    """Return whether followers that left the tower during planning can still be withdrawn to it."""
    if estate.board.phase != "planning":
        return True
    gone = sum(space.placed_now and space.from_tower for space in estate.spaces.values())
    return gone < sum(not estate.spaces[key].occupant for key in estate.of(TOWER))


# --- phase 5 ---


def _act(estate: Estate) -> set[Struct]:
    found: set[Struct] = {c.Pass()}
    for place in {place for place, _ in estate.spaces}:
        if estate.is_activated(place) and place != "sacristy" and not _is_at_end(estate, place):
            found |= _action(estate, place)
    return found


def _is_at_end(estate: Estate, place: str) -> bool:
    closes = estate.choices["development_end"] == "closes_actions"
    return closes and place in DEVELOPMENT_ALONE and estate.seat.development == tables.DEVELOPMENT_END


def _action(estate: Estate, place: str) -> set[Struct]:
    board, seat = estate.board, estate.seat
    if place in LEADING_TO_DEEDS:
        return _deeds(estate, place)
    if place in TRAVELS:
        return _travels(estate, place)
    if place in RECRUITS:
        return {command for character in RECRUITS[place] for command in _recruits(estate, place, character)}
    if place == "pharmacy":
        return {c.BuyDevelopment(place, coins) for coins in (1, 2, 3) if coins <= seat.coins}
    usable = True
    if place in tables.GIVES_GOOD:
        usable = bool(board.goods_market.get(tables.GIVES_GOOD[place]))
    elif place == "laboratory":
        usable = board.technology > 0
    elif place == "guildhall":
        usable = _may_build(estate)
    elif place == BATHHOUSE and estate.choices["bathhouse_short_bag"] == "needs_all":
        usable = sum(seat.bag.values()) + (estate.choices["bathhouse_activator"] == "before_draw") >= 2
    return {c.UsePlace(place)} if usable else set()


def _may_build(estate: Estate) -> bool:
    town = estate.seat.merchant
    owners = {seat.seat for seat in estate.board.seats if town in seat.stations}
    taken = estate.seat.seat in owners if town == tables.HOME else bool(owners)
    return not taken and estate.seat.stations_in_supply > 0


def _travels(estate: Estate, place: str) -> set[Struct]:
    found: set[Struct] = set()
    for way in estate.board.ways:
        if way.kind != TRAVELS[place] or estate.seat.merchant not in way.towns:
            continue
        (town,) = set(way.towns) - {estate.seat.merchant}
        found |= {c.Travel(place, town, good) for good in way.goods}
        if not (way.goods and place == "horse_wagon" and estate.choices["horse_wagon_good"] == "must"):
            found.add(c.Travel(place, town))
    return found


def _recruits(estate: Estate, place: str, character: str) -> set[Struct]:
    board = estate.board
    if not board.supply.get(character):
        return set()
    if character == "monk":
        return set() if board.hour_glass.event == "pilgrimage" else {c.RecruitFollower(place, character)}
    track = tables.TRACK_OF[character]
    position = estate.seat.tracks[track]
    if position == tables.TRACK_LENGTH[track]:
        return set()
    if character == "farmer" and not board.goods_market.get(tables.FARMERS_GOODS[position]):
        return set()
    if character == "craftsman" and not board.technology:
        return set()
    if character == "trader":
        open_stacks = (*board.place_tiles_1, *(board.place_tiles_2 if position else ()))
        return {c.RecruitFollower(place, character, tile) for tile in open_stacks}
    return {c.RecruitFollower(place, character)}


def _deeds(estate: Estate, place: str) -> set[Struct]:
    """Allow neutral followers with exactly the right character. The canalization has a choice of the reward."""
    found: set[Struct] = set()
    for key in estate.of(place):
        follower = estate.spaces[key].occupant
        for deed in estate.board.deeds:
            if tables.DEEDS[deed.deed][1].get(follower, 0) > deed.followers.get(follower, 0):
                rewards = ("coins", "development") if deed.deed == "canalization" else ("coins",)
                found |= {c.SendToDeed(*key, deed.deed, reward) for reward in rewards}
    return found


def _from_bathhouse(estate: Estate) -> set[Struct]:
    """Allow all fitting spaces except the Bathhouse. The Town Hall and the tower depend on readings."""
    closed = {BATHHOUSE}
    if estate.choices["bathhouse_town_hall"] == "forbidden":
        closed.add(TOWN_HALL)
    found: set[Struct] = set()
    for key in estate.free():
        for follower in estate.seat.drawn:
            stored = key[0] == TOWER and estate.choices["bathhouse_tower"] == "allowed"
            if stored or (key[0] not in closed and estate.fits(follower, key)):
                found.add(c.PlaceDrawnFollower(follower, *key))
    return found
