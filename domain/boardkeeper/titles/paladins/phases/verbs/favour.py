"""The King's Favours: shared actions, each used once per round. Source: paladins.favours.*."""

from __future__ import annotations

from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.paladins.data import Favour
from boardkeeper.titles.paladins.events import FavourBegun
from boardkeeper.titles.paladins.material import Paladins, Seat
from boardkeeper.titles.paladins.phases import gains
from boardkeeper.titles.paladins.phases.verbs.verb import short_of_provisions, short_of_silver


def find_rejection(t: Paladins, seat: Seat, id: str) -> Rejection | None:
    """Return a rejection if a favour is not revealed, is used, or costs too much, or ``None``.

    Source: paladins.favours.revealed, .once_a_round.
    """
    at = t.index_in(t.favours, id)
    if at < 0:
        return Rejection("NOT_REVEALED", "paladins.favours.revealed", {"favour": id})
    if t.favour_workers[at].items:
        return Rejection("FAVOUR_USED", "paladins.favours.once_a_round", {"favour": id})
    return find_price_rejection(seat, t.data.favours[id])


def find_price_rejection(seat: Seat, favour: Favour) -> Rejection | None:
    """Return a rejection if the seat cannot pay the price, or ``None``. Source: paladins.favours.price."""
    if seat.silver.value < favour.silver:
        return short_of_silver(seat.silver.value, favour.silver, "paladins.favours.price")
    if seat.provisions.value < favour.provisions:
        return short_of_provisions(seat.provisions.value, favour.provisions, "paladins.favours.price")
    return None


def carry_out(t: Paladins, seat: Seat) -> None:
    """Pay and grant the reward. Source: paladins.favours.price, .gain."""
    favour = t.data.favours[t.action.value]
    t.pay(seat, favour.silver, favour.provisions)
    t.emit(seat, FavourBegun(favour.id, favour.silver, favour.provisions))
    gains.grant(t, seat, favour.gain, favour.id)
