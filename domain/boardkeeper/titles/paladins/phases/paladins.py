"""The simultaneous secret choice of a paladin, and its reveal. Source: paladins.paladins.*."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from msgspec import Struct

from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.paladins.commands import ChoosePaladin
from boardkeeper.titles.paladins.events import PaladinLaid, PaladinRevealed, PaladinsSorted
from boardkeeper.titles.paladins.material import Paladins, Seat
from boardkeeper.titles.paladins.phases import gains


def choose(t: Paladins, seat: Seat, command: ChoosePaladin) -> Rejection | None:
    """Choose a paladin face down, put one on top of the deck and the third under it.

    The secret part is a separate event, so that other viewers still receive ``PaladinLaid``.
    Source: paladins.paladins.one_for_the_round, .one_on_top, .one_under.
    """
    hand = seat.hand.items
    values = {"paladin": command.paladin, "top": command.top}
    if command.paladin not in hand or command.top not in hand:
        return Rejection("NOT_ON_HAND", "paladins.paladins.from_the_hand", values)
    if command.paladin == command.top:
        return Rejection("SAME_PALADIN", "paladins.paladins.one_on_top", values)
    under = next(card for card in hand if card not in (command.paladin, command.top))
    t.move(command.paladin, seat.hand, seat.chosen)
    t.move(command.top, seat.hand, seat.again)
    t.move(under, seat.hand, seat.under[t.round.value - 1])
    t.emit(seat, PaladinsSorted(command.paladin, command.top, under))
    t.ask(seat, "")
    t.emit(seat, PaladinLaid())
    t.advance()
    return None


def legal(t: Paladins, seat: Seat) -> Sequence[Struct]:
    """Return every way to sort the hand."""
    return [ChoosePaladin(paladin, top) for paladin, top in permutations(sorted(seat.hand.items), 2)]


def proceed(t: Paladins) -> None:
    """Reveal the chosen paladins and gain their workers. Source: paladins.round.revealing."""
    for seat in t.clockwise():
        if isinstance(seat, Seat):
            for card in list(seat.chosen.items):
                t.move(card, seat.chosen, seat.paladin)
                workers = t.data.paladins[card].workers
                received = tuple(worker for worker in workers if gains.receive_worker(t, seat, worker))
                t.emit(seat, PaladinRevealed(card, received))
    t.enter("tavern")
