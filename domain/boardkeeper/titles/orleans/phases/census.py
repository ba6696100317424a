"""Phase 2: the census of the farmers."""

from __future__ import annotations

from boardkeeper.families.followers import debts
from boardkeeper.families.followers.phases import sacristy
from boardkeeper.titles.orleans.events import CensusHeld, CensusPaid
from boardkeeper.titles.orleans.material import Orleans, Seat


def leader(t: Orleans) -> Seat | None:
    """Return the only seat that is furthest on the farmers track, or ``None`` if several are."""
    return _only_seat_at(t, max(seat.track["farmers"].value for seat in t.seats))


def last(t: Orleans) -> Seat | None:
    """Return the only seat that is last on the farmers track, or ``None`` if several are or there are two players."""
    if len(t.seats) == 2:
        return None
    return _only_seat_at(t, min(seat.track["farmers"].value for seat in t.seats))


def _only_seat_at(t: Orleans, position: int) -> Seat | None:
    seats = [seat for seat in t.seats if seat.track["farmers"].value == position]
    return seats[0] if len(seats) == 1 else None


def begin(t: Orleans) -> None:
    """Give the leader a coin and make the last seat pay one. Source: orleans.census.*."""
    t.set(t.phase, "census")
    first, final = leader(t), last(t)
    if first:
        t.give_coins(first, 1)
    t.emit(None, CensusHeld(first.number if first else 0, final.number if final else 0))
    if final and t.data.readings.sacristy_scope == "census_too":
        sacristy.apply_unless_shielded(t, final)
    elif final:
        charge(t, final)


def charge(t: Orleans, seat: Seat) -> None:
    """Make the seat with the fewest farmers pay one coin. Source: orleans.census.last."""
    paid, missing = debts.pay(t, seat, 1)
    t.emit(seat, CensusPaid(paid, missing))
    debts.begin(t, seat, missing)


def proceed(t: Orleans) -> None:
    """Begin the followers phase."""
    t.enter("followers")
