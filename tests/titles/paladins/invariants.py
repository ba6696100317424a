"""Conditions that are true of every table of Paladins."""

from __future__ import annotations

from boardkeeper.titles.paladins.data import ANY, CRIMINAL, RIGHT, WORKERS, WORKSHOP
from boardkeeper.titles.paladins.material import Opponent, Paladins, Seat, Side
from boardkeeper.titles.paladins.play import PaladinsPlay


def check_components(play: PaladinsPlay, people: int) -> None:
    """Check the rulebook's counts of components over all zones."""
    total = play.table.components()
    t = play.t
    assert total["debt"] == 24
    assert sum(total[card] for card in t.data.suspicion) == 24
    assert len(t.data.tavern) == len(t.data.walls) == 24
    assert len(t.data.townsfolk) == 32
    assert len(t.data.outsiders) == 36
    for cards in (t.data.tavern, t.data.walls, t.data.townsfolk, t.data.outsiders, t.data.favours):
        assert all(total[card] == 1 for card in cards)
    assert all(total[paladin] == people for paladin in t.data.paladins)
    for side in t.seats:
        assert total[side.monk] == total[side.outpost] == 7
    assert total["jar"] == 7 * len(t.seats)
    assert total[WORKSHOP] == 8 * len(t.seats)


def check_invariants(play: PaladinsPlay) -> None:
    """Check the conditions that no command and no reading may break."""
    t = play.t
    for side in t.seats:
        _check_side(t, side)
    for row in (t.townsfolk, t.outsiders, t.orders, t.favours, t.favour_workers):
        assert all(place.total() <= 1 for place in row)
    assert all(pile.total() <= 1 for _, pile in t.spaces)
    assert 0 <= t.tax.value <= t.tax_full
    if not t.data.limited:  # with limits, no silver may be left to refill it
        assert t.tax.value > 0 or t.inquisition.value, "the tax supply is empty without an inquisition"
    deciding = [side for side in t.seats if t.table.decisions[side.number] == "reward"]
    assert not deciding or t.due, "a seat has to decide about a reward that is not due"
    assert bool(t.due) == bool(list(t.due))
    if t.phase.value == "over":
        assert not t.due
        assert not t.inquisition.value


def _check_side(t: Paladins, side: Side) -> None:
    name = f"seat {side.number}"
    for marker in side.attributes.values():
        assert 0 <= marker.value <= 12, f"{marker.id} is {marker.value}"
    for area in side.areas.values():
        for space, slot in zip(area.spaces, area.action.slots, strict=False):
            assert space.total() <= 1, f"{name} has {space.items} on {space.id}"
            for occupant in space.items:
                if occupant == WORKSHOP:
                    assert area.id in RIGHT
                    assert space is not area.spaces[2], f"{name} has a workshop on the last space of {area.id}"
                elif isinstance(side, Seat):
                    assert slot == ANY or occupant in (slot, CRIMINAL), f"{name} has {occupant} on {space.id}"
    assert set(side.workers.items) <= set(WORKERS)
    assert side.converted.total() <= 7
    assert side.walls.total() <= 7
    if isinstance(side, Seat):
        _check_seat(t, side)
    elif isinstance(side, Opponent):
        assert 1 <= side.field.value <= 5
        assert len({marker.value for marker in side.moved.values()}) == 3, "two markers were moved at the same time"


def _check_seat(t: Paladins, seat: Seat) -> None:
    assert seat.silver.value >= 0
    assert seat.provisions.value >= 0
    own = [seat.deck, seat.again, *seat.under, seat.hand, seat.chosen, seat.paladin, seat.retired]
    assert sum(pile.total() for pile in own) == 12
    for pile in (*seat.under, seat.again, seat.chosen, seat.paladin):
        assert pile.total() <= 1, pile.id
    assert seat.hand.total() in (0, 3)
    for kind in t.data.jar_kinds.values():
        assert seat.jar_spaces[kind.id].total() <= kind.spaces
    assert not seat.inquiry.items or t.inquisition.value
