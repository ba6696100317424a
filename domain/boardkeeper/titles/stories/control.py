"""Control of areas, and the rules for entering and conquering them.

A seat controls an area, with its village and its church, if it has a settler there. Several seats at peace can control
the same area. Source: stories.map.*.
"""

from __future__ import annotations

from fractions import Fraction

from boardkeeper.table.rejections import Rejection
from boardkeeper.table.zones import Pile
from boardkeeper.titles.stories.data import MANOR, NO_SEAT
from boardkeeper.titles.stories.material import Area, Seat, Stories


def areas_of(t: Stories, seat: Seat) -> list[Area]:
    """Return the areas on which the seat has a settler."""
    settler = seat.settler
    return [area for area in t.areas.values() if settler in area.pile.items]


def landscape_of(t: Stories, area: Area) -> str:
    """Return the visible landscape of an area; empty for a village."""
    return "" if area.is_village() else tile_of(t, area)


def tile_of(t: Stories, area: Area) -> str:
    """Return the landscape tile of an area, even if its village side is up; empty for none."""
    return next((tile for tile in area.pile.items if tile in t.data.landscape_goods), "")


def villages_of(t: Stories, seat: Seat) -> list[Area]:
    """Return the villages that the seat controls."""
    return [area for area in areas_of(t, seat) if area.is_village()]


def count_areas(t: Stories, seat: Seat) -> int:
    """Return the number of areas that the seat controls (see :func:`counts_as_area` and :func:`count_shares`)."""
    return count_shares(t, [area for area in areas_of(t, seat) if counts_as_area(t, area)])


def counts_as_area(t: Stories, area: Area) -> bool:
    """Return whether a space counts as an area. A village does if the reading ``village_is_area`` is ``yes``."""
    return t.data.chosen.village_is_area == "yes" or not area.is_village()


def count_villages(t: Stories, seat: Seat) -> int:
    """Return the number of villages that the seat controls (see :func:`count_shares`)."""
    return count_shares(t, villages_of(t, seat))


def count_churches(t: Stories, seat: Seat) -> int:
    """Return the number of churches that the seat controls (see :func:`count_shares`)."""
    return count_shares(t, [area for area in areas_of(t, seat) if area.has_church()])


def count_fortresses(t: Stories, seat: Seat) -> int:
    """Return the number of the seat's fortresses on the map."""
    return sum(1 for area in t.areas.values() if seat.fortress in area.pile.items)


def count_settlers(t: Stories, seat: Seat) -> int:
    """Return the number of the seat's settlers on the map."""
    return sum(area.pile.items.get(seat.settler, 0) for area in (*t.areas.values(), *t.towns.values()))


def areas_by_seat(t: Stories) -> dict[int, int]:
    """Return the number of areas that each seat controls."""
    return {seat.number: count_areas(t, seat) for seat in t.seats}


def count_followers(seat: Seat, follower: str) -> int:
    """Return the number of a seat's followers of a kind: in its bag, on its green, on its places and just drawn."""
    placed = sum(1 for space in seat.estate().spaces.values() if follower in space.pile.items)
    return placed + sum(pile.items.get(follower, 0) for pile in (seat.bag, seat.market, seat.drawn))


def manors_of(t: Stories, seat: Seat) -> list[Area]:
    """Return the manor farms that the seat controls."""
    return [area for area in areas_of(t, seat) if MANOR in area.pile.items]


def towns_of(t: Stories, seat: Seat) -> list[Area]:
    """Return the towns in which the seat has settlers."""
    return [town for town in t.towns.values() if seat.settler in town.pile.items]


def count_shares(t: Stories, areas: list[Area]) -> int:
    """Return the number of areas for one of their seats.

    An area of several seats counts fully if the reading ``joint_control`` is ``full_each``, else as a share. The sum is
    rounded down.
    """
    if t.data.chosen.joint_control == "full_each":
        return len(areas)
    return int(sum(Fraction(1, len(list(area.settled_by()))) for area in areas))


def sole_leader(t: Stories, counts: dict[int, int]) -> Seat | None:
    """Return the seat with the highest count, or ``None`` if several have it."""
    return _sole_seat_with(t, counts, max(counts.values()))


def sole_last(t: Stories, counts: dict[int, int]) -> Seat | None:
    """Return the seat with the lowest count, or ``None`` if several have it."""
    return _sole_seat_with(t, counts, min(counts.values()))


def _sole_seat_with(t: Stories, counts: dict[int, int], count: int) -> Seat | None:
    there = [number for number, each in counts.items() if each == count]
    return t.seats[there[0] - 1] if len(there) == 1 else None


# --- entering and conquering areas ---------------------------------------------------------------------------


def other_seats_on(t: Stories, seat: Seat, area: Area) -> list[Seat]:
    """Return the other seats that have a settler on an area."""
    return [t.seats[number - 1] for number in area.settled_by() if number != seat.number]


def settler_origins(t: Stories, seat: Seat) -> list[str]:
    """Return where settlers can come from: the ids of towns, or an empty id for the supply."""
    return [town.id for town in towns_of(t, seat)] if t.data.from_towns else [""]


def settler_source(t: Stories, seat: Seat, town: str) -> Pile:
    """Return the pile with the settlers of a town or, for an empty id, of the supply."""
    return t.towns[town].pile if town else seat.settlers


def find_settler_rejection(t: Stories, seat: Seat, town: str) -> Rejection | None:
    """Return a rejection if the town (empty: the supply) has no settler of the seat, or ``None``.

    Source: stories.expansion.supply, .from_town.
    """
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


def reachable_spaces(t: Stories, seat: Seat, town: str) -> set[str]:
    """Return the ids of the spaces to which the seat can expand.

    From a town, these are the spaces adjacent to the town and to the seat's areas connected to it. From the supply,
    they are the spaces adjacent to its areas, or all if ``general_expansion`` is ``anywhere_from_supply``.
    Source: stories.expansion.adjacent, .chain.
    """
    if not t.data.from_towns:
        if t.data.chosen.general_expansion == "anywhere_from_supply":
            return set(t.areas)
        return {id for area in areas_of(t, seat) for id in area.neighbours}
    reached: set[str] = set()
    connected = [t.towns[town]]
    for here in connected:
        for id in here.neighbours:
            if id not in reached:
                reached.add(id)
                if id in t.areas and seat.settler in t.areas[id].pile.items:
                    connected.append(t.areas[id])
    return reached


def find_entry_rejection(t: Stories, seat: Seat, area: Area, town: str = "") -> Rejection | None:
    """Return why the seat cannot expand to an area, or ``None``. Source: stories.expansion.*."""
    values = {"area": area.id}
    rejection = find_settler_rejection(t, seat, town)
    if rejection:
        return rejection
    if seat.settler in area.pile.items:
        return Rejection("ALREADY_THERE", "stories.expansion.one_settler", values)
    if area.id not in reachable_spaces(t, seat, town):
        return Rejection("NOT_ADJACENT", "stories.expansion.adjacent", values)
    if not _can_pass_fortress(t, seat, area):
        return Rejection("FORTRESS_THERE", "stories.expansion.fortress", values)
    others = other_seats_on(t, seat, area)
    peaceful = sum(1 for other in others if other.peace.value)
    if peaceful == len(others) or seat.peace.value:
        return None
    if peaceful:
        return Rejection("AREA_TAKEN", "stories.peace.all_there", values)
    return Rejection("AREA_TAKEN", "stories.expansion.free_area", values)


def _can_pass_fortress(t: Stories, seat: Seat, area: Area) -> bool:
    """Return whether no fortress of another seat blocks the area.

    If the reading ``peace_fortress`` is ``blocks_the_peaceful_only``, the fortress of a seat at peace blocks only seats
    at peace.
    """
    owner = area.fortified_by()
    if owner in (NO_SEAT, seat.number):
        return True
    peaceful_only = t.data.chosen.peace_fortress == "blocks_the_peaceful_only"
    return peaceful_only and bool(t.seats[owner - 1].peace.value) and not seat.peace.value


def find_conquest_rejection(
    t: Stories, seat: Seat, area: Area, strength: int, *, areas_only: bool, town: str
) -> Rejection | None:
    """Return why the seat cannot conquer an area with a strength (of knights or of a card), or ``None``.

    ``areas_only``: it cannot conquer villages. ``town``: the town that the settler comes from; empty: the supply.
    Source: stories.conquest.*.
    """
    values = {"area": area.id, "knights": str(strength)}
    others = other_seats_on(t, seat, area)
    if t.forbids("conquest"):
        return Rejection("FORBIDDEN_NOW", "stories.conquest.forbidden", values)
    rejection = find_settler_rejection(t, seat, town)
    if rejection:
        return rejection
    if not others or seat.settler in area.pile.items:
        return Rejection("NOBODY_TO_CONQUER", "stories.conquest.foreign_area", values)
    if area.id not in reachable_spaces(t, seat, town):
        return Rejection("NOT_ADJACENT", "stories.expansion.adjacent", values)
    if area.fortified_by():
        return Rejection("FORTRESS_THERE", "stories.conquest.fortress", values)
    at_peace = _find_peace_rejection(t, seat, others, values)
    if at_peace:
        return at_peace
    if area.is_village() and areas_only:
        return Rejection("AREAS_ONLY", "stories.conquest.areas_only", values)
    needed = t.data.knights_for_village if area.is_village() else t.data.knights_for_area
    if strength < needed:
        return Rejection("TOO_FEW_KNIGHTS", "stories.conquest.knights", values | {"needed": str(needed)})
    return None


def _find_peace_rejection(t: Stories, seat: Seat, others: list[Seat], values: dict[str, str]) -> Rejection | None:
    """Return a rejection if the peace of a seat prevents the conquest, or ``None``. Source: stories.peace.*.

    If the reading ``peace_conquest`` is ``none``, seats at peace neither conquer nor are conquered. If it is
    ``may_not_conquer``, they do not conquer. No seat conquers an area of several seats.
    """
    reading = t.data.chosen.peace_conquest
    if seat.peace.value and reading != "as_before":
        return Rejection("AT_PEACE", "stories.peace.conquers_nobody", values)
    if len(others) > 1:
        return Rejection("AT_PEACE", "stories.peace.shared_area", values)
    if reading == "none" and others[0].peace.value:
        return Rejection("AT_PEACE", "stories.peace.conquered_by_nobody", values)
    return None
