"""The start of a round: start player, King's Order and Favour, tavern and paladins. Source: paladins.round.*."""

from __future__ import annotations

from boardkeeper.titles.paladins.events import FavourRevealed, OrderRevealed, PaladinsDrawn, RoundBegun, TavernOpened
from boardkeeper.titles.paladins.material import Paladins, Seat
from boardkeeper.titles.paladins.opponent import round as opponent_round

HAND = 3
"""Number of paladins that a seat draws."""


def begin(t: Paladins) -> None:
    """Begin the next round. Source: paladins.round.start_player."""
    number = t.round.value + 1
    t.set(t.phase, "paladins")
    t.set(t.round, number)
    if number > 1:
        t.set(t.start, t.start.value % len(t.people) + 1)
    t.set(t.acting, 0)
    t.emit(None, RoundBegun(number, t.start.value))
    _reveal(t, number)
    _open_tavern(t)
    if t.opponent:
        opponent_round.receive_workers(t, t.opponent)
    for seat in t.people:
        _draw(t, seat)


def _reveal(t: Paladins, number: int) -> None:
    """Reveal the order and the favour of the round. Source: paladins.round.revealed."""
    data = t.data
    if number in data.order_rounds:
        at = data.order_rounds.index(number)
        order = t.recorder.draw(t.orders_box, t.orders[at])[0].removeprefix("order_")
        t.emit(None, OrderRevealed(order, data.order_points[at]))
        if t.opponent:
            opponent_round.receive_workshop(t, t.opponent, order)
    if number in data.favour_rounds:
        at = data.favour_rounds.index(number)
        favour = t.recorder.draw(t.favours_box, t.favours[at])[0]
        t.emit(None, FavourRevealed(favour, at + 1))
        if t.opponent:
            opponent_round.add_favour_scheme(t, t.opponent)


def _open_tavern(t: Paladins) -> None:
    """Reveal one tavern card more than the number of players. Source: paladins.round.tavern, .tavern_reshuffle."""
    wanted = len(t.people) + 1
    shown = t.recorder.draw(t.tavern_deck, t.tavern, min(wanted, t.tavern_deck.total()))
    reshuffled = len(shown) < wanted
    if reshuffled:
        for card in sorted(t.tavern_discard.items):
            t.move(card, t.tavern_discard, t.tavern_deck)
        shown += t.recorder.draw(t.tavern_deck, t.tavern, wanted - len(shown))
    t.emit(None, TavernOpened(tuple(shown), reshuffled))


def _draw(t: Paladins, seat: Seat) -> None:
    """Draw the three topmost paladins: the one put on top, then from the deck, then those put under the deck.

    The cards under the deck have separate zones, because their owner knows their order.
    Source: paladins.round.three_paladins.
    """
    wanted = HAND
    drawn: list[str] = []
    for card in list(seat.again.items):
        t.move(card, seat.again, seat.hand)
        drawn.append(card)
        wanted -= 1
    by_chance = min(wanted, seat.deck.total())  # the deck is empty in the last round
    drawn += t.recorder.draw(seat.deck, seat.hand, by_chance)
    wanted -= by_chance
    for place in seat.under:
        if not wanted:
            break
        for card in list(place.items):
            t.move(card, place, seat.hand)
            drawn.append(card)
            wanted -= 1
    t.ask(seat, "paladin")
    t.emit(seat, PaladinsDrawn(tuple(drawn)))
