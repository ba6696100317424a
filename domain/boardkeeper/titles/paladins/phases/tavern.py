"""The tavern phase: in turn order, each seat takes a card and its workers. Source: paladins.tavern.*."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.paladins.commands import TakeTavernCard
from boardkeeper.titles.paladins.data import CRIMINAL
from boardkeeper.titles.paladins.events import TavernCardTaken
from boardkeeper.titles.paladins.material import Paladins, Seat
from boardkeeper.titles.paladins.opponent import round as opponent_round
from boardkeeper.titles.paladins.phases import gains


def begin(t: Paladins) -> None:
    """Begin the phase with the start player. Source: paladins.tavern.in_turn."""
    t.set(t.phase, "tavern")
    _ask(t, t.start.value)


def _ask(t: Paladins, number: int) -> None:
    t.set(t.acting, number)
    t.ask(t.seats[number - 1], "tavern")


def proceed(t: Paladins) -> None:
    """Ask the next seat, or begin the action phase."""
    order = [seat for seat in t.clockwise() if isinstance(seat, Seat)]
    at = [seat.number for seat in order].index(t.acting.value) + 1
    if at < len(order):
        _ask(t, order[at].number)
    else:
        t.enter("actions")


def take(t: Paladins, seat: Seat, command: TakeTavernCard) -> Rejection | None:
    """Take a card and its workers; each criminal adds pending suspicion. Source: paladins.tavern.four_workers."""
    card = command.tavern
    if card not in t.tavern.items:
        return Rejection("NOT_IN_THE_TAVERN", "paladins.tavern.open_card", {"tavern": card})
    workers = t.data.tavern[card]
    t.move(card, t.tavern, t.tavern_discard)
    received = tuple(worker for worker in workers if gains.receive_worker(t, seat, worker))
    t.ask(seat, "")
    t.emit(seat, TavernCardTaken(card, received))
    criminals = received.count(CRIMINAL)
    if criminals:
        seat.due.owe("suspicion", criminals)
    if t.opponent:
        opponent_round.receive_tavern_suspicion(t, t.opponent)
    t.advance()
    return None


def legal(t: Paladins, seat: Seat) -> Sequence[Struct]:
    """Return a command for each card on display."""
    return [TakeTavernCard(card) for card in sorted(t.tavern.items)]
