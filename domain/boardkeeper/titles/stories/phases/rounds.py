"""The start and the end of a round."""

from __future__ import annotations

from boardkeeper.titlekit.turn_flow import OVER
from boardkeeper.titles.stories.events import BonusTilesShifted, RoundBegun
from boardkeeper.titles.stories.material import Stories
from boardkeeper.titles.stories.phases import declarations
from boardkeeper.titles.stories.scoring import emit_scores


def begin_round(t: Stories) -> None:
    """Begin the next round and reveal its event. Source: stories.events.turned.

    The event is a random draw from its pile. Shuffling the piles at setup has equal probabilities, but a secret order.
    """
    t.set(t.round, t.round.value + 1)
    for seat in t.seats:
        t.set(seat.passed, 0)
    event = _reveal_event(t) if t.events else ""
    t.set(t.event, event)
    t.emit(None, RoundBegun(t.round.value, t.start.value, event))
    t.enter("followers")


def _reveal_event(t: Stories) -> str:
    for card in t.turned_now.counts():
        t.move(card, t.turned_now, t.turned)
    letter = t.data.event_letters[(t.round.value - 1) // t.data.events_each]
    (card,) = t.recorder.draw(t.events[letter], t.turned_now)
    return card


def end_round(t: Stories) -> None:
    """Score after the last round, or begin the next one. Stories with nations have other ends of the game."""
    if t.data.nations:
        _end_round_of_nations(t)
    elif t.round.value == t.data.rounds:
        emit_scores(t)
        t.set(t.phase, OVER)
    else:
        change_start_player(t)


def _end_round_of_nations(t: Stories) -> None:
    """Begin the declarations. If they came before the round bonus, check whether its fame ends the game."""
    if not declarations.is_before_bonus(t):
        t.enter("declaring")
    elif declarations.is_end_tile_reached(t):
        declarations.finish(t)
    else:
        t.enter("shift")


def change_start_player(t: Stories) -> None:
    """Pass the start player token and begin the next round. Source: stories.round.start_player."""
    t.pass_start_player()
    t.enter("dawn")


def shift_bonus_tiles(t: Stories) -> None:
    """Move the bonus tiles by one era and reveal a new one. Source: stories.bonus_tiles.shift."""
    piles = list(t.bonus.values())
    before = [t.aside, *piles]
    for at, pile in enumerate(piles):
        for tile in pile.counts():
            t.move(tile, pile, before[at])
    (new,) = t.recorder.draw(t.bonus_stack, piles[-1])
    if not t.bonus_stack.items:
        for tile in t.aside.counts():
            t.move(tile, t.aside, t.bonus_stack)
    t.emit(None, BonusTilesShifted(new))
    change_start_player(t)
