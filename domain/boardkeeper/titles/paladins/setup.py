"""The setup of the game. Source: paladins.setup.*."""

from __future__ import annotations

from boardkeeper.titles.paladins.data import WORKSHOP
from boardkeeper.titles.paladins.events import OpponentPrepared, TableLaid
from boardkeeper.titles.paladins.material import Paladins
from boardkeeper.titles.paladins.opponent import track


def set_up(t: Paladins) -> None:
    """Set up the table and advance to the first decision. Source: paladins.setup.*."""
    data = t.data
    for place in t.townsfolk:
        t.recorder.draw(t.townsfolk_deck, place)
    for place in t.outsiders:
        t.recorder.draw(t.outsider_deck, place)
    t.set(t.tax, t.tax_full)
    for seat in t.people:
        t.set(seat.silver, data.start_silver)
        t.set(seat.provisions, data.start_provisions)
    t.set(t.start, _first_seat(t))
    shown = [tuple(t.card_at(row, at) for at in range(len(row))) for row in (t.townsfolk, t.outsiders)]
    t.emit(None, TableLaid(len(t.people), t.tax_full, *shown))
    if t.opponent:
        _prepare_opponent(t)
    t.enter("founding")
    t.advance()


def _first_seat(t: Paladins) -> int:
    """Draw the start player of the first round. Source: paladins.setup.start_player."""
    if len(t.people) == 1:
        return 1
    starter = t.recorder.pick(t.starters)[0]
    return int(starter.removeprefix("starter."))


def _prepare_opponent(t: Paladins) -> None:
    """Stack the opponent's markers and place its first workshops. Source: paladins.opponent.setup.*."""
    opponent = t.opponent
    assert opponent is not None
    track.stack(t, opponent)
    t.set(opponent.field, 1)
    revealed = t.recorder.pick(t.orders_box, t.data.opponent_orders[t.data.options.opponent])
    actions = [order.removeprefix("order_") for order in revealed]
    for action in actions:
        t.move(WORKSHOP, opponent.workshops, opponent.areas[action].spaces[0])
    t.emit(opponent, OpponentPrepared(tuple(actions)))
