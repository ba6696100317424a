"""Nations once their cards are opened: who plays for which, what they have together, and what they score.

Nothing here is asked before: rules that hang on teams would tell who is in them (stories.secrets.nation).
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
from boardkeeper.titles.stories.sentences import WORDS

BROCADE = "brocade"


def nation_of(seat: Seat) -> str:
    """The nation for which a seat plays."""
    (nation,) = seat.nation.items
    return nation


def team(t: Stories, nation: str) -> list[Seat]:
    """The seats of a nation."""
    return [seat for seat in t.seats if nation_of(seat) == nation]


def nation_areas(t: Stories, nation: str) -> list[Area]:
    """The areas that a nation occupies, with their villages; towns are nobody's."""
    return [area for seat in team(t, nation) for area in control.areas_of(t, seat)]


def count_nation_areas(t: Stories, nation: str) -> int:
    """How many areas a nation has in the majority (reading ``village_is_area``)."""
    return sum(1 for area in nation_areas(t, nation) if control.counts_as_area(t, area))


# --- missions ----------------------------------------------------------------------------------------------


def is_fulfilled(t: Stories, nation: str) -> bool:
    """Whether a nation has the areas and the goods that its mission asks for (stories.missions.fulfilled)."""
    mission = t.data.missions[mission_of(t, nation)]
    enough = all(count_for_mission(t, nation, kind) >= least for kind, least in mission.areas.items())
    return enough and all(_goods(t, nation, good) >= count for good, count in mission.goods.items())


def mission_of(t: Stories, nation: str) -> str:
    """The mission of a nation."""
    return next(card for card in t.mission[nation].items if card in t.data.missions)


def count_for_mission(t: Stories, nation: str, kind: str) -> int:
    """The areas of a kind; manor farms stand for any landscape (stories.manors.joker)."""
    areas = nation_areas(t, nation)
    if kind in t.data.landscape_goods:
        manors = sum(len(control.manors_of(t, seat)) for seat in team(t, nation))
        return sum(1 for area in areas if control.landscape_of(t, area) == kind) + manors
    return sum(1 for area in areas if KINDS[kind](t, area))


def _is_at_forest_edge(t: Stories, area: Area) -> bool:
    """Reading ``forest_edge``."""
    if not control.counts_as_area(t, area):
        return False
    if t.data.chosen.forest_edge == "map_border":
        return area.id in t.data.edge
    return any(id in t.areas and control.landscape_of(t, t.areas[id]) == "forest" for id in area.neighbours)


KINDS: dict[str, Callable[[Stories, Area], bool]] = {
    "village": lambda _, area: area.is_village(),
    "north": lambda t, area: area.cell.side == "north" and control.counts_as_area(t, area),
    "south": lambda t, area: area.cell.side == "south" and control.counts_as_area(t, area),
    "forest_edge": _is_at_forest_edge,
}
"""What missions ask for besides landscapes."""


def _goods(t: Stories, nation: str, good: str) -> int:
    return sum(seat.goods.items.get(good, 0) for seat in team(t, nation))


def fulfil(t: Stories, nation: str) -> bool:
    """Let a nation put the goods on its mission if it can; whether it could (stories.missions.goods)."""
    fulfilled, card = is_fulfilled(t, nation), mission_of(t, nation)
    if fulfilled:
        for good, count in t.data.missions[card].goods.items():
            left = count
            for seat in team(t, nation):
                given = min(left, seat.goods.items.get(good, 0))
                if given:
                    t.move(good, seat.goods, t.mission[nation], given)
                    left -= given
        t.set(t.fulfilled[nation], 1)
    t.emit(None, MissionJudged(nation, card, fulfilled))
    return fulfilled


# --- messages ----------------------------------------------------------------------------------------------


def _churches_built(t: Stories, seat: Seat) -> int:
    """Reading ``message_built``."""
    if t.data.chosen.message_built == "controlled":
        return sum(1 for area in control.areas_of(t, seat) if area.has_church())
    return seat.churches_built.value


def _technology(t: Stories, seat: Seat) -> int:
    placed = sum(1 for space in seat.estate().spaces.values() if TECHNOLOGY in space.pile.items)
    return placed + seat.technology.total()


def _cards(t: Stories, seat: Seat) -> int:
    return sum(1 for card in seat.place_tiles.items if card in t.data.place_cards)


GOODS_OF: dict[str, Callable[[Stories], Collection[str]]] = {
    "food_goods": lambda t: t.data.food,
    "wood": lambda _: (WOOD,),
    "brocade": lambda _: (BROCADE,),
}
"""Which goods they count, where it is goods."""


def _goods_of(what: str, t: Stories, seat: Seat) -> int:
    return sum(seat.goods.items.get(good, 0) for good in GOODS_OF[what](t))


def _areas(t: Stories, seat: Seat, side: str) -> int:
    return sum(1 for area in control.areas_of(t, seat) if KINDS[side](t, area))


MOST: dict[str, Callable[[Stories, Seat], int]] = {
    "churches_built": _churches_built,
    "fortresses": control.count_fortresses,
    "villages": lambda t, seat: len(control.villages_of(t, seat)),
    "coins": lambda _, seat: seat.coins.value,
    "place_cards": _cards,
    "technology": _technology,
    **{what: partial(_goods_of, what) for what in GOODS_OF},
    "areas_north": lambda t, seat: _areas(t, seat, "north"),
    "areas_south": lambda t, seat: _areas(t, seat, "south"),
    "knights": lambda _, seat: control.count_followers(seat, KNIGHT),
}
"""What secret messages compare, as far as a seat has it."""


def count_for_message(t: Stories, nation: str, what: str) -> int:
    """What both seats of a nation have of what a message compares, with what they gave for their mission."""
    return sum(MOST[what](t, seat) for seat in team(t, nation)) + _given(t, nation, what)


def _given(t: Stories, nation: str, what: str) -> int:
    """The goods of that kind on the mission of a nation, where they count (reading ``message_goods``)."""
    if t.data.chosen.message_goods == "without_missions" or what not in GOODS_OF:
        return 0
    return sum(t.mission[nation].items.get(good, 0) for good in GOODS_OF[what](t))


def message_points(t: Stories, nation: str) -> int:
    """The points of all messages that a nation leads (stories.messages.scored, reading ``message_tie``)."""
    points = 0
    for seat in t.seats:
        (message,) = seat.message.items
        counts = {each: count_for_message(t, each, t.data.messages[message]) for each in t.data.nations}
        best = [each for each, count in counts.items() if count == max(counts.values())]
        if nation in best and (len(best) == 1 or t.data.chosen.message_tie == "both"):
            points += t.data.points["message"]
    return points


# --- points ------------------------------------------------------------------------------------------------


def sheet(t: Stories, nation: str) -> NationScored:
    """One line of the score sheet, from the table as it lies (stories.team_scoring.*)."""
    points = t.data.points
    areas = {each: count_nation_areas(t, each) for each in t.data.nations}
    most = [each for each, count in areas.items() if count == max(areas.values())]
    mission = points["mission"] if t.fulfilled[nation].value else 0
    majority = points["area_majority"] if most == [nation] else 0
    held = _held(t, team(t, nation))
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


def _held(t: Stories, seats: Sequence[Seat]) -> dict[str, int]:
    """What seats have that counts whatever the nations are."""
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
    """The score sheet of all seats, each with what its nation has; empty if a declaration failed.

    Before the end each seat has what it brings to its nation. What depends on nations and messages is unknown then.
    """
    if t.is_over():
        sheets = {nation: asdict(sheet(t, nation)) for nation in t.data.nations} if not t.lost.value else {}
        seats = [sheets[nation_of(seat)] for seat in t.seats] if sheets else []
    else:
        seats = [_held(t, (seat,)) for seat in t.seats]
    points = t.data.points
    for each in seats:
        each["village_points"] = each["villages"] * points["village"]
        each["church_points"] = each["churches"] * points["church"]
        each["coin_points"] = each["coins"] * points["coin"]
    return score_lines(WORDS, _LINES, seats) if seats else ()


def results(t: Stories) -> dict[int, tuple[int, ...]]:
    """What ranks each seat: its nation's points, or nothing but having lost where a declaration failed."""
    lost = t.lost.value.split()
    if lost:
        return {seat.number: (0, int(nation_of(seat) not in lost)) for seat in t.seats}
    sheets = {nation: sheet(t, nation) for nation in t.data.nations}
    areas_too = t.data.chosen.tie_evf == "most_areas"
    points = {each: (line.total, *((line.areas,) if areas_too else ())) for each, line in sheets.items()}
    return {seat.number: points[nation_of(seat)] for seat in t.seats}


def rank(t: Stories, nation: str) -> int:
    """1 for the better nation and for both if they are equal, as seats share it."""
    rank_of = ranks(results(t))
    best = min(rank_of[seat.number] for seat in team(t, nation))
    return 1 if best == 1 else 2
