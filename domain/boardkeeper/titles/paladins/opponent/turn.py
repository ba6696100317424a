"""The turn of the opponent, which a scheme card decides. Source: paladins.opponent.turn.*."""

from __future__ import annotations

from collections.abc import Iterator

from boardkeeper.titles.paladins.events import Attempt, OpponentFinished, SchemeTurned
from boardkeeper.titles.paladins.material import LEFT_OF_OPPONENT, Opponent, Paladins
from boardkeeper.titles.paladins.opponent import actions, targets

_REST = "rest"


def play(t: Paladins, opponent: Opponent) -> None:
    """Play one turn; without workers the opponent passes. Source: paladins.opponent.turn.until_no_workers."""
    if not opponent.workers.items:
        actions.pass_round(t, opponent)
        t.emit(opponent, OpponentFinished())
        return
    scheme, reshuffled = _reveal_scheme(t)
    tried: list[Attempt] = []
    if not scheme:
        action, order = _REST, ""
    else:
        action, order = _choose_action(t, opponent, scheme, tried)
    t.emit(opponent, SchemeTurned(scheme, action, tuple(tried), order, reshuffled))
    actions.carry_out(t, opponent, action)


def _reveal_scheme(t: Paladins) -> tuple[str, bool]:
    """Reveal the next scheme; return its action and whether the deck was reshuffled.

    If the deck is empty and the reading ``ai_empty_scheme_deck`` is ``rest``, return an empty action instead.
    Source: paladins.opponent.turn.scheme, .empty_deck.
    """
    deck = t.scheme_deck
    reshuffled = not deck.items
    if reshuffled:
        if t.data.readings.ai_empty_scheme_deck == _REST:
            return "", False
        for card, count in sorted(t.scheme_discard.items.items()):
            t.move(card, t.scheme_discard, deck, count)
    card = t.recorder.draw(deck, t.scheme_discard)[0]
    t.set(t.scheme, card)
    return card.removeprefix("scheme_"), reshuffled


def _choose_action(t: Paladins, opponent: Opponent, scheme: str, tried: list[Attempt]) -> tuple[str, str]:
    """Return the action to carry out and the order that it follows, if any; add failed attempts to ``tried``."""
    if scheme == "order":
        for action in _orders(t, opponent, tried):
            if _try_action(t, opponent, action, tried):
                return action, action
    elif _try_action(t, opponent, scheme, tried):
        return scheme, ""
    for action in LEFT_OF_OPPONENT:  # paladins.opponent.turn.otherwise
        if action != scheme and _try_action(t, opponent, action, tried):
            return action, ""
    return _REST, ""


def _try_action(t: Paladins, opponent: Opponent, action: str, tried: list[Attempt]) -> bool:
    obstacle = targets.find_obstacle(t, opponent, action)
    if obstacle:
        tried.append(Attempt(action, obstacle))
    return not obstacle


def _orders(t: Paladins, opponent: Opponent, tried: list[Attempt]) -> Iterator[str]:
    """Yield the orders to try: the unfulfilled ones from the right, or the rightmost if all are fulfilled.

    If the reading ``ai_orders_rest_blocked`` is ``fulfilled_too``, the fulfilled orders follow; each one that is tried
    is removed from ``tried``. If all are fulfilled and ``ai_orders_all_fulfilled_blocked`` is ``next_left``, the orders
    to the left of the rightmost follow. Source: paladins.opponent.actions.order, .order_rest.
    """
    revealed = [t.card_at(t.orders, at).removeprefix("order_") for at in range(len(t.orders) - 1, -1, -1)]
    revealed = [order for order in revealed if order]
    open_orders = [order for order in revealed if opponent.times(order) < t.data.order_needs]
    if open_orders:
        passed_over = [Attempt(order, "already_fulfilled") for order in revealed if order not in open_orders]
        tried += passed_over
        yield from open_orders
        if t.data.readings.ai_orders_rest_blocked == "fulfilled_too":
            for attempt in passed_over:
                tried.remove(attempt)
                yield attempt.action
    elif t.data.readings.ai_orders_all_fulfilled_blocked == "next_left":
        yield from revealed
    else:
        yield from revealed[:1]
