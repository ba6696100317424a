"""Phase 2: the census of the farmers."""

from __future__ import annotations

from boardkeeper.families.followers import debts
from boardkeeper.families.followers.phases import sacristy
from boardkeeper.titles.orleans.events import CensusHeld, CensusPaid
from boardkeeper.titles.orleans.material import Orleans, Seat


def leader(t: Orleans) -> Seat | None:
    """The seat that is alone furthest ahead on the farmers track."""
    return _only_seat_at(t, max(seat.track["farmers"].value for seat in t.seats))


def last(t: Orleans) -> Seat | None:
    """The seat that is alone furthest behind and has to pay; nobody pays in a game of two."""
    if len(t.seats) == 2:
        return None
    return _only_seat_at(t, min(seat.track["farmers"].value for seat in t.seats))


def _only_seat_at(t: Orleans, position: int) -> Seat | None:
    seats = [seat for seat in t.seats if seat.track["farmers"].value == position]
    return seats[0] if len(seats) == 1 else None


def begin(t: Orleans) -> None:
    """Hold the census. Source: orleans.census.*."""
    t.set(t.phase, "census")
    first, final = leader(t), last(t)
    if first:
        t.gain(first, 1)
    t.emit(None, CensusHeld(first.number if first else 0, final.number if final else 0))
    if final and t.data.readings.sacristy_scope == "census_too":
        sacristy.apply_unless_shielded(t, final)
    elif final:
        charge(t, final)


def charge(t: Orleans, seat: Seat) -> None:
    """The seat with the fewest farmers pays one coin (orleans.census.last)."""
    paid, missing = debts.pay(t, seat, 1)
    t.emit(seat, CensusPaid(paid, missing))
    debts.begin(t, seat, missing)


def proceed(t: Orleans) -> None:
    """The census is over once nobody is tortured for it."""
    t.enter("followers")
