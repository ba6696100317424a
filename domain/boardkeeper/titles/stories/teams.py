"""Nations: their seats, missions, secret messages and points.

Except for the points of single seats in :func:`lines`, rules use this module only after the nation cards are revealed:
earlier, its results would reveal the nations. Source: stories.secrets.nation.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial

from msgspec.structs import asdict

from boardkeeper.families.followers.data import TECHNOLOGY
from boardkeeper.titlekit.scores import ScoreLine, score_lines
from boardkeeper.titlekit.standings import ranks
from boardkeeper.titles.stories import control
from boardkeeper.titles.stories.data import KNIGHT, WOOD
from boardkeeper.titles.stories.events import MissionJudged, NationScored
from boardkeeper.titles.stories.material import Area, Seat, Stories
from boardkeeper.titles.stories.meta import WORDS

BROCADE = "brocade"


def nation_of(seat: Seat) -> str:
    """Return the nation of a seat."""
    (nation,) = seat.nation.items
    return nation


def team(t: Stories, nation: str) -> list[Seat]:
    """Return the seats of a nation."""
    return [seat for seat in t.seats if nation_of(seat) == nation]


def nation_areas(t: Stories, nation: str) -> list[Area]:
    """Return the areas of a nation, including villages; towns belong to no nation."""
    return [area for seat in team(t, nation) for area in control.areas_of(t, seat)]


def count_nation_areas(t: Stories, nation: str) -> int:
    """Return the number of areas of a nation for the majority (see :func:`control.counts_as_area`)."""
    return sum(1 for area in nation_areas(t, nation) if control.counts_as_area(t, area))


# --- missions ------------------------------------------------------------------------------------------------


def is_fulfilled(t: Stories, nation: str) -> bool:
    """Return whether a nation has the areas and goods of its mission. Source: stories.missions.fulfilled."""
    mission = t.data.missions[mission_of(t, nation)]
    enough = all(count_for_mission(t, nation, kind) >= least for kind, least in mission.areas.items())
    return enough and all(_count_goods(t, nation, good) >= count for good, count in mission.goods.items())


def mission_of(t: Stories, nation: str) -> str:
    """Return the mission of a nation."""
    return next(card for card in t.mission[nation].items if card in t.data.missions)


def count_for_mission(t: Stories, nation: str, kind: str) -> int:
    """Return the number of a nation's areas of a kind; manor farms count as any landscape.

    Source: stories.manors.joker.
    """
    areas = nation_areas(t, nation)
    if kind in t.data.landscape_goods:
        manors = sum(len(control.manors_of(t, seat)) for seat in team(t, nation))
        return sum(1 for area in areas if control.landscape_of(t, area) == kind) + manors
    return sum(1 for area in areas if AREA_KINDS[kind](t, area))


def _is_at_forest_edge(t: Stories, area: Area) -> bool:
    """Return whether an area is at the edge of the woods.

    That is the edge of the map if the reading ``forest_edge`` is ``map_border``, else any space next to a forest.
    """
    if not control.counts_as_area(t, area):
        return False
    if t.data.chosen.forest_edge == "map_border":
        return area.id in t.data.edge
    return any(id in t.areas and control.landscape_of(t, t.areas[id]) == "forest" for id in area.neighbours)


AREA_KINDS: dict[str, Callable[[Stories, Area], bool]] = {
    "village": lambda _, area: area.is_village(),
    "north": lambda t, area: area.cell.side == "north" and control.counts_as_area(t, area),
    "south": lambda t, area: area.cell.side == "south" and control.counts_as_area(t, area),
    "forest_edge": _is_at_forest_edge,
}
"""Kinds of areas in missions, besides landscapes, with the function that checks an area."""


def _count_goods(t: Stories, nation: str, good: str) -> int:
    return sum(seat.goods.items.get(good, 0) for seat in team(t, nation))


def judge_mission(t: Stories, nation: str) -> bool:
    """Return whether the mission of a nation is fulfilled. If it is, put its goods on the mission card.

    Source: stories.missions.goods.
    """
    fulfilled, card = is_fulfilled(t, nation), mission_of(t, nation)
    if fulfilled:
        for good, count in t.data.missions[card].goods.items():
            left = count
            for seat in team(t, nation):
                taken = min(left, seat.goods.items.get(good, 0))
                if taken:
                    t.move(good, seat.goods, t.mission[nation], taken)
                    left -= taken
        t.set(t.fulfilled[nation], 1)
    t.emit(None, MissionJudged(nation, card, fulfilled))
    return fulfilled


# --- messages ------------------------------------------------------------------------------------------------


def _count_churches(t: Stories, seat: Seat) -> int:
    """Return the number of churches for a message: controlled if ``message_built`` is ``controlled``, else built."""
    if t.data.chosen.message_built == "controlled":
        return sum(1 for area in control.areas_of(t, seat) if area.has_church())
    return seat.churches_built.value


def _count_technology(t: Stories, seat: Seat) -> int:
    placed = sum(1 for space in seat.estate().spaces.values() if TECHNOLOGY in space.pile.items)
    return placed + seat.technology.total()


def _count_place_cards(t: Stories, seat: Seat) -> int:
    return sum(1 for card in seat.place_tiles.items if card in t.data.place_cards)


MESSAGE_GOODS: dict[str, Callable[[Stories], Collection[str]]] = {
    "food_goods": lambda t: t.data.food,
    "wood": lambda _: (WOOD,),
    "brocade": lambda _: (BROCADE,),
}
"""For each subject of a message that is about goods, the goods that it counts."""


def _count_message_goods(what: str, t: Stories, seat: Seat) -> int:
    return sum(seat.goods.items.get(good, 0) for good in MESSAGE_GOODS[what](t))


def _count_areas_on(t: Stories, seat: Seat, side: str) -> int:
    return sum(1 for area in control.areas_of(t, seat) if AREA_KINDS[side](t, area))


MESSAGE_COUNTS: dict[str, Callable[[Stories, Seat], int]] = {
    "churches_built": _count_churches,
    "fortresses": control.count_fortresses,
    "villages": lambda t, seat: len(control.villages_of(t, seat)),
    "coins": lambda _, seat: seat.coins.value,
    "place_cards": _count_place_cards,
    "technology": _count_technology,
    **{what: partial(_count_message_goods, what) for what in MESSAGE_GOODS},
    "areas_north": lambda t, seat: _count_areas_on(t, seat, "north"),
    "areas_south": lambda t, seat: _count_areas_on(t, seat, "south"),
    "knights": lambda _, seat: control.count_followers(seat, KNIGHT),
}
"""For each subject of a secret message, the function that counts it for a seat."""


def count_for_message(t: Stories, nation: str, what: str) -> int:
    """Return the count of a nation for the subject of a message, including goods on its mission card."""
    return sum(MESSAGE_COUNTS[what](t, seat) for seat in team(t, nation)) + _count_mission_goods(t, nation, what)


def _count_mission_goods(t: Stories, nation: str, what: str) -> int:
    """Return the number of goods on the mission card of a nation that count for a message.

    None count if the reading ``message_goods`` is ``without_missions``.
    """
    if t.data.chosen.message_goods == "without_missions" or what not in MESSAGE_GOODS:
        return 0
    return sum(t.mission[nation].items.get(good, 0) for good in MESSAGE_GOODS[what](t))


def message_points(t: Stories, nation: str) -> int:
    """Return the points of all messages that a nation wins. In a tie, both win if ``message_tie`` is ``both``.

    A seat that has not chosen its message yet has none. Source: stories.messages.scored.
    """
    points = 0
    for message in (message for seat in t.seats if len(seat.message.items) == 1 for message in seat.message.items):
        counts = {each: count_for_message(t, each, t.data.messages[message]) for each in t.data.nations}
        best = [each for each, count in counts.items() if count == max(counts.values())]
        if nation in best and (len(best) == 1 or t.data.chosen.message_tie == "both"):
            points += t.data.points["message"]
    return points


# --- points --------------------------------------------------------------------------------------------------


def sheet(t: Stories, nation: str) -> NationScored:
    """Return the score of a nation if the game ended now, without its rank. Source: stories.team_scoring.*."""
    points = t.data.points
    areas = {each: count_nation_areas(t, each) for each in t.data.nations}
    most = [each for each, count in areas.items() if count == max(areas.values())]
    mission = points["mission"] if t.fulfilled[nation].value else 0
    majority = points["area_majority"] if most == [nation] else 0
    held = _possessions(t, team(t, nation))
    messages = message_points(t, nation)
    built = held["villages"] * points["village"] + held["churches"] * points["church"]
    return NationScored(
        nation=nation,
        mission=mission,
        messages=messages,
        majority=majority,
        areas=areas[nation],
        **held,
        total=mission + messages + majority + built + held["coins"] * points["coin"] + held["goods_points"],
        rank=0,
    )


def _possessions(t: Stories, seats: Sequence[Seat]) -> dict[str, int]:
    """Return the fields of :class:`NationScored` that do not depend on the nations, for some seats."""
    return {
        "villages": sum(len(control.villages_of(t, seat)) for seat in seats),
        "churches": sum(1 for seat in seats for area in control.areas_of(t, seat) if area.has_church()),
        "coins": sum(seat.coins.value for seat in seats),
        "goods_points": sum(
            t.data.good_values[good] * count for seat in seats for good, count in seat.goods.items.items()
        ),
    }


_LINES = {
    "mission": "mission",
    "messages": "messages",
    "majority": "majority",
    "nation_villages": "village_points",
    "nation_churches": "church_points",
    "coins": "coin_points",
    "nation_goods": "goods_points",
}


def lines(t: Stories) -> tuple[ScoreLine, ...]:
    """Return the score sheet: each seat has the score of its nation. Empty if a declaration failed.

    Before the end, each seat has only the points that do not depend on nations and messages.
    """
    if t.is_over():
        sheets = {nation: asdict(sheet(t, nation)) for nation in t.data.nations} if not t.lost.value else {}
        seats = [sheets[nation_of(seat)] for seat in t.seats] if sheets else []
    else:
        seats = [_possessions(t, (seat,)) for seat in t.seats]
    points = t.data.points
    for each in seats:
        each["village_points"] = each["villages"] * points["village"]
        each["church_points"] = each["churches"] * points["church"]
        each["coin_points"] = each["coins"] * points["coin"]
    return score_lines(WORDS, _LINES, seats) if seats else ()


def ranking_keys(t: Stories) -> dict[int, tuple[int, ...]]:
    """Return the ranking key of each seat: the points of its nation or, after a failed declaration, 0 or 1.

    If the reading ``tie_evf`` is ``most_areas``, the number of areas breaks ties.
    """
    lost = t.lost.value.split()
    if lost:
        return {seat.number: (0, int(nation_of(seat) not in lost)) for seat in t.seats}
    sheets = {nation: sheet(t, nation) for nation in t.data.nations}
    areas_too = t.data.chosen.tie_evf == "most_areas"
    points = {each: (line.total, *((line.areas,) if areas_too else ())) for each, line in sheets.items()}
    return {seat.number: points[nation_of(seat)] for seat in t.seats}


def rank(t: Stories, nation: str) -> int:
    """Return the rank of a nation: 1 or 2; equal nations share rank 1."""
    rank_of = ranks(ranking_keys(t))
    best = min(rank_of[seat.number] for seat in team(t, nation))
    return 1 if best == 1 else 2
