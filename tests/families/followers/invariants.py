"""Invariants of all tables of the family, for all readings."""

from __future__ import annotations

from boardkeeper.families.followers.data import MONK, TECHNOLOGY, is_marked
from boardkeeper.families.followers.table import AnySeat, AnyTable

DRAWING = ("draw", "take_back", "keep", "store")
"""The decisions in which a market may also contain followers for spaces that extend it."""

PLACING = ("bathhouse", "keep", "drawn")
"""The decisions in which a seat has drawn followers that it still has to place or keep."""


def check_followers(t: AnyTable) -> None:
    """Check the invariants of all seats, of the turn and of the deeds.

    Room for the market is counted for each seat, because a seat may have lost the place tile that made the room.
    """
    for seat in t.seats:
        _check_seat(t, seat)
    assert bool(t.acting.value) == (t.phase.value == "actions"), f"seat {t.acting.value} acts in {t.phase.value}"
    for deed in t.data.deeds.values():
        followers = t.deeds[deed.id].counts()
        assert all(followers.get(character, 0) <= count for character, count in deed.spaces.items()), deed.id


def _check_seat(t: AnyTable, seat: AnySeat) -> None:
    name = f"seat {seat.number}"
    decision = t.table.decisions[seat.number]
    estate = seat.estate()
    limit = t.data.market_size + (len(estate.storage) if decision in DRAWING else 0)
    limit += sum(place.market_spaces for place in t.data.places.values())
    assert seat.market.total() <= limit, f"the market of {name}"
    for place in estate.places.values():
        for space in place.spaces:
            assert sum(space.pile.items.values()) <= 1, f"{name} has {space.pile.items} on {space.place}.{space.id}"
            occupant = space.occupant()
            if occupant == TECHNOLOGY:
                assert space.requires != MONK, f"{name} has technology for a monk"
            elif occupant and space.requires == MONK:
                assert occupant == MONK, f"{name} has {occupant} for a monk"
            if place.place.neutral_only:
                assert not is_marked(occupant), f"{name} has an own follower at {place.id}"
        assert sum(TECHNOLOGY in space.pile.items for space in place.spaces) <= 1, f"{name}, technology at {place.id}"
    assert seat.coins.value >= 0, f"coins of {name}"
    assert (seat.debt.value > 0) == (decision == "torture"), f"debt of {name}"
    assert seat.drawn.total() == 0 or decision in PLACING, f"drawn followers of {name}"
