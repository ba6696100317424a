"""Who controls what on the map, and who may go where.

Whoever has a settler on an area controls it, its village and its church; in peace several may. Source: stories.map.*.
"""

from __future__ import annotations

from fractions import Fraction

from boardkeeper.table.rejections import Rejection
from boardkeeper.table.zones import Pile
from boardkeeper.titles.stories.data import MANOR, NOBODY
from boardkeeper.titles.stories.material import Area, Seat, Stories


def areas_of(t: Stories, seat: Seat) -> list[Area]:
    """Every space of the map on which the seat has a settler."""
    settler = seat.settler
    return [area for area in t.areas.values() if settler in area.pile.items]


def landscape_of(t: Stories, area: Area) -> str:
    """The landscape that shows here; empty once it is a village."""
    return "" if area.is_village() else tile_of(t, area)


def tile_of(t: Stories, area: Area) -> str:
    """The landscape tile that lies here, whichever side of it shows; empty for none."""
    return next((tile for tile in area.pile.items if tile in t.data.landscape_goods), "")


def villages_of(t: Stories, seat: Seat) -> list[Area]:
    """The villages that the seat controls."""
    return [area for area in areas_of(t, seat) if area.is_village()]


def count_areas(t: Stories, seat: Seat) -> int:
    """How many areas the seat controls (readings ``village_is_area`` and ``joint_control``)."""
    return count_shares(t, [area for area in areas_of(t, seat) if counts_as_area(t, area)])


def counts_as_area(t: Stories, area: Area) -> bool:
    """Whether whoever controls it has an area there (reading ``village_is_area``)."""
    return t.data.chosen.village_is_area == "yes" or not area.is_village()


def count_villages(t: Stories, seat: Seat) -> int:
    """How many villages the seat controls (reading ``joint_control``)."""
    return count_shares(t, villages_of(t, seat))


def count_churches(t: Stories, seat: Seat) -> int:
    """How many churches the seat controls (reading ``joint_control``)."""
    return count_shares(t, [area for area in areas_of(t, seat) if area.has_church()])


def count_fortresses(t: Stories, seat: Seat) -> int:
    """How many of the seat's fortresses stand on the map."""
    return sum(1 for area in t.areas.values() if seat.fortress in area.pile.items)


def count_settlers(t: Stories, seat: Seat) -> int:
    """How many of the seat's settlers stand on the map."""
    return sum(area.pile.items.get(seat.settler, 0) for area in (*t.areas.values(), *t.towns.values()))


def areas_by_seat(t: Stories) -> dict[int, int]:
    """How many areas each seat controls."""
    return {seat.number: count_areas(t, seat) for seat in t.seats}


def count_followers(seat: Seat, follower: str) -> int:
    """How many of a follower a seat has, wherever they are: in the bag, on the green or on its places."""
    placed = sum(1 for space in seat.estate().spaces.values() if follower in space.pile.items)
    return placed + sum(pile.items.get(follower, 0) for pile in (seat.bag, seat.market, seat.drawn))


def manors_of(t: Stories, seat: Seat) -> list[Area]:
    """The manor farms that the seat controls."""
    return [area for area in areas_of(t, seat) if MANOR in area.pile.items]


def towns_of(t: Stories, seat: Seat) -> list[Area]:
    """The towns in which the seat has settlers."""
    return [town for town in t.towns.values() if seat.settler in town.pile.items]


def count_shares(t: Stories, areas: list[Area]) -> int:
    """Each area in full, or, what is shared, divided among all who stand there and rounded down in sum."""
    if t.data.chosen.joint_control == "full_each":
        return len(areas)
    return int(sum(Fraction(1, len(list(area.settled_by()))) for area in areas))


def sole_leader(t: Stories, counts: dict[int, int]) -> Seat | None:
    """The seat whose number is larger than everybody else's."""
    return _alone(t, counts, max(counts.values()))


def sole_last(t: Stories, counts: dict[int, int]) -> Seat | None:
    """The seat whose number is smaller than everybody else's."""
    return _alone(t, counts, min(counts.values()))


def _alone(t: Stories, counts: dict[int, int], count: int) -> Seat | None:
    there = [number for number, each in counts.items() if each == count]
    return t.seats[there[0] - 1] if len(there) == 1 else None


# --- going somewhere ---------------------------------------------------------------------------------------


def others_on(t: Stories, seat: Seat, area: Area) -> list[Seat]:
    """The other seats that have a settler there."""
    return [t.seats[number - 1] for number in area.settled_by() if number != seat.number]


def origins(t: Stories, seat: Seat) -> list[str]:
    """Where settlers can come from: towns with one of the seat's, or the supply (empty), as the story has it."""
    return [town.id for town in towns_of(t, seat)] if t.data.from_towns else [""]


def source(t: Stories, seat: Seat, town: str) -> Pile:
    """The settlers of that origin."""
    return t.towns[town].pile if town else seat.settlers


def why_no_settler(t: Stories, seat: Seat, town: str) -> Rejection | None:
    """Why no settler can come from there (stories.expansion.supply, stories.expansion.from_town)."""
    values = {"town": town}
    if t.data.from_towns:
        if town not in t.towns:
            return Rejection("UNKNOWN_TOWN", "stories.expansion.from_town", values)
        if seat.settler not in t.towns[town].pile.items:
            return Rejection("NO_SETTLER", "stories.expansion.from_town", values)
        return None
    if town:
        return Rejection("UNKNOWN_TOWN", "stories.expansion.supply", values)
    return None if seat.settlers.items else Rejection("NO_SETTLER", "stories.expansion.supply", values)


def within_reach(t: Stories, seat: Seat, town: str) -> set[str]:
    """The spaces beside what the seat controls, or, from a town, beside it and one's areas that hang together with it.

    Source: stories.expansion.adjacent, stories.expansion.chain; reading ``general_expansion``.
    """
    if not t.data.from_towns:
        if t.data.chosen.general_expansion == "anywhere_from_supply":
            return set(t.areas)
        return {id for area in areas_of(t, seat) for id in area.neighbours}
    reached: set[str] = set()
    ways = [t.towns[town]]
    for here in ways:
        for id in here.neighbours:
            if id not in reached:
                reached.add(id)
                if id in t.areas and seat.settler in t.areas[id].pile.items:
                    ways.append(t.areas[id])
    return reached


def why_not_enter(t: Stories, seat: Seat, area: Area, town: str = "") -> Rejection | None:
    """Why the seat cannot put a settler there without driving anybody away."""
    values = {"area": area.id}
    rejection = why_no_settler(t, seat, town)
    if rejection:
        return rejection
    if seat.settler in area.pile.items:
        return Rejection("ALREADY_THERE", "stories.expansion.one_settler", values)
    if area.id not in within_reach(t, seat, town):
        return Rejection("NOT_ADJACENT", "stories.expansion.adjacent", values)
    if not _gets_past_fortress(t, seat, area):
        return Rejection("FORTRESS_THERE", "stories.expansion.fortress", values)
    others = others_on(t, seat, area)
    peaceful = sum(1 for other in others if other.peace.value)
    if peaceful == len(others) or seat.peace.value:
        return None
    if peaceful:
        return Rejection("AREA_TAKEN", "stories.peace.all_there", values)
    return Rejection("AREA_TAKEN", "stories.expansion.free_area", values)


def _gets_past_fortress(t: Stories, seat: Seat, area: Area) -> bool:
    """Whether no fortress keeps the seat out: another seat's does, even one at peace (reading ``peace_fortress``)."""
    owner = area.fortified_by()
    if owner in (NOBODY, seat.number):
        return True
    peaceful_only = t.data.chosen.peace_fortress == "blocks_the_peaceful_only"
    return peaceful_only and bool(t.seats[owner - 1].peace.value) and not seat.peace.value


def why_not_conquer(
    t: Stories, seat: Seat, area: Area, strength: int, *, areas_only: bool, town: str
) -> Rejection | None:
    """Why so many knights do not suffice to drive away who stands there. Source: stories.conquest.*."""
    values = {"area": area.id, "knights": str(strength)}
    others = others_on(t, seat, area)
    if t.forbids("conquest"):
        return Rejection("FORBIDDEN_NOW", "stories.conquest.forbidden", values)
    rejection = why_no_settler(t, seat, town)
    if rejection:
        return rejection
    if not others or seat.settler in area.pile.items:
        return Rejection("NOBODY_TO_CONQUER", "stories.conquest.foreign_area", values)
    if area.id not in within_reach(t, seat, town):
        return Rejection("NOT_ADJACENT", "stories.expansion.adjacent", values)
    if area.fortified_by():
        return Rejection("FORTRESS_THERE", "stories.conquest.fortress", values)
    at_peace = _why_peace(t, seat, others, values)
    if at_peace:
        return at_peace
    if area.is_village() and areas_only:
        return Rejection("AREAS_ONLY", "stories.conquest.areas_only", values)
    needed = t.data.knights_for_village if area.is_village() else t.data.knights_for_area
    if strength < needed:
        return Rejection("TOO_FEW_KNIGHTS", "stories.conquest.knights", values | {"needed": str(needed)})
    return None


def _why_peace(t: Stories, seat: Seat, others: list[Seat], values: dict[str, str]) -> Rejection | None:
    """Whether somebody's peace stands against a conquest (reading ``peace_conquest``)."""
    reading = t.data.chosen.peace_conquest
    if seat.peace.value and reading != "as_before":
        return Rejection("AT_PEACE", "stories.peace.conquers_nobody", values)
    if len(others) > 1:
        return Rejection("AT_PEACE", "stories.peace.shared_area", values)
    if reading == "none" and others[0].peace.value:
        return Rejection("AT_PEACE", "stories.peace.conquered_by_nobody", values)
    return None
