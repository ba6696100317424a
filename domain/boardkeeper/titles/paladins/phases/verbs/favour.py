"""The King's Favours: actions that lie open for everybody, each once a round. Source: paladins.favours.*."""

from __future__ import annotations

from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.paladins.data import Favour
from boardkeeper.titles.paladins.events import FavourBegun
from boardkeeper.titles.paladins.material import Paladins, Seat
from boardkeeper.titles.paladins.phases import supply
from boardkeeper.titles.paladins.phases.verbs.verb import short_of_provisions, short_of_silver


def why_not(t: Paladins, seat: Seat, id: str) -> Rejection | None:
    """It must lie open without a worker, and be paid for. Source: paladins.favours.revealed, .once_a_round."""
    at = t.place_of(t.favours, id)
    if at < 0:
        return Rejection("NOT_REVEALED", "paladins.favours.revealed", {"favour": id})
    if t.favour_workers[at].items:
        return Rejection("FAVOUR_USED", "paladins.favours.once_a_round", {"favour": id})
    return too_dear(seat, t.data.favours[id])


def too_dear(seat: Seat, favour: Favour) -> Rejection | None:
    """It must be paid for. Source: paladins.favours.price."""
    if seat.silver.value < favour.silver:
        return short_of_silver(seat.silver.value, favour.silver, "paladins.favours.price")
    if seat.provisions.value < favour.provisions:
        return short_of_provisions(seat.provisions.value, favour.provisions, "paladins.favours.price")
    return None


def carry_out(t: Paladins, seat: Seat) -> None:
    """Pay and take what the favour gives. Source: paladins.favours.price, .gain."""
    favour = t.data.favours[t.action.value]
    t.pay(seat, favour.silver, favour.provisions)
    t.emit(seat, FavourBegun(favour.id, favour.silver, favour.provisions))
    supply.grant(t, seat, favour.gain, favour.id)
