"""The end of a round and of the game. Source: paladins.round_end.*."""

from __future__ import annotations

from boardkeeper.titlekit.turn_flow import OVER
from boardkeeper.titles.paladins import scoring
from boardkeeper.titles.paladins.events import RowsMoved
from boardkeeper.titles.paladins.material import Paladins
from boardkeeper.titles.paladins.phases import rows


def begin(t: Paladins) -> None:
    """Reset the main board, then begin the next round or end the game."""
    number = t.round.value
    t.set(t.acting, 0)
    t.set(t.action, "")
    discarded = rows.discard_place(t, t.townsfolk[-1], t.townsfolk_discard)
    discarded += rows.discard_place(t, t.outsiders[0], t.outsider_discard)
    if t.opponent:  # paladins.opponent.two_of_each_leave
        discarded += rows.discard_place(t, t.townsfolk[-2], t.townsfolk_discard)
        discarded += rows.discard_place(t, t.outsiders[1], t.outsider_discard)
    rows.fill_townsfolk(t)
    rows.fill_outsiders(t)
    for card in sorted(t.tavern.items):
        t.move(card, t.tavern, t.tavern_discard)
    for place in t.favour_workers:
        for worker in list(place.items):
            t.move(worker, place, t.supply)
    for side in t.seats:
        t.set(side.passed, 0)
    for seat in t.people:
        for card in list(seat.paladin.items):
            t.move(card, seat.paladin, seat.retired)
    shown = [tuple(t.card_at(row, at) for at in range(len(row))) for row in (t.townsfolk, t.outsiders)]
    t.emit(None, RowsMoved(number, discarded, *shown))
    if number < t.data.rounds:
        t.enter("dawn")
        return
    t.set(t.phase, OVER)
    for side, line in zip(t.seats, scoring.sheets(t), strict=True):
        t.emit(side, line)
