"""Placing workers: coloured spaces first, one worker after the other, so that the rest can always still be filled.

Where only one kind of worker can go to a space, it goes there by itself. Source: paladins.workers.*.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from boardkeeper.table.rejections import Rejection
from boardkeeper.table.zones import Pile
from boardkeeper.titles.paladins.commands import PlaceWorker
from boardkeeper.titles.paladins.data import ANY, CRIMINAL, WORKERS, Favour
from boardkeeper.titles.paladins.events import ActionBegun, WorkerPlaced
from boardkeeper.titles.paladins.material import Paladins, Seat
from boardkeeper.titles.paladins.phases.verbs import VERBS, favour

Order = Sequence[tuple[int, str]]
"""Spaces (from 0) and what they ask for, in the order of placing."""


def for_favour(seat: Seat, card: Favour) -> bool:
    """Whether a seat has the worker that a favour asks for. Source: paladins.workers.colours, .criminals."""
    held = seat.workers.items
    return card.worker in held or CRIMINAL in held or (card.worker == ANY and bool(held))


def fitting(workers: Mapping[str, int], order: Order) -> list[str]:
    """The workers that can go to the first of the spaces so that the others can still be filled."""
    asked = order[0][1]
    if asked == ANY:  # all that follow ask for any, too
        return [worker for worker in WORKERS if worker in workers]
    if asked not in workers:
        return [CRIMINAL]
    if asked == CRIMINAL or CRIMINAL not in workers:
        return [asked]
    needed = sum(1 for _, colour in order[1:] if colour != ANY and colour not in workers)
    return [asked, CRIMINAL] if workers[CRIMINAL] > needed else [asked]


def left_to_fill(t: Paladins, seat: Seat) -> tuple[Order, Sequence[Pile]]:
    """What is still to be filled for the action that was begun, in the order of placing; and its spaces.

    An action of the right side takes all its spaces: those with a workshop are filled already.
    """
    id = t.action.value
    card = t.data.favours.get(id)
    if card is not None:
        return of_favour(t, card)
    area = seat.areas[id]
    filling = area.action.filling(0, t.action_workers.value) or area.action.fillings[0][-1]
    return [space for space in filling.order if not area.spaces[space[0]].items], area.spaces


def of_favour(t: Paladins, card: Favour) -> tuple[Order, Sequence[Pile]]:
    """The one space of a favour, and what it asks for."""
    return [(0, card.worker)], (t.favour_workers[t.place_of(t.favours, card.id)],)


def begin(t: Paladins, seat: Seat, id: str, left: Order, spaces: Sequence[Pile]) -> None:
    """Begin an action, and to place its workers."""
    t.set(t.action, id)
    t.set(t.action_workers, len(left))
    t.emit(seat, ActionBegun(id, len(left)))
    _go_on(t, seat, left, spaces)
    t.advance()


def _go_on(t: Paladins, seat: Seat, left: Order, spaces: Sequence[Pile]) -> None:
    """Place what leaves no choice; ask for the rest; when all stand, carry the action out."""
    while left:
        workers = fitting(seat.workers.items, left)
        if len(workers) > 1:
            t.ask(seat, "workers")
            return
        _put(t, seat, workers[0], spaces, left[0][0])
        left = left[1:]
    id = t.action.value
    carry_out = favour.carry_out if id in t.data.favours else VERBS[id].carry_out
    if carry_out is not None:
        carry_out(t, seat)
    t.ask(seat, "" if carry_out else id)


def _put(t: Paladins, seat: Seat, worker: str, spaces: Sequence[Pile], at: int) -> None:
    t.move(worker, seat.workers, spaces[at])
    t.emit(seat, WorkerPlaced(t.action.value, at + 1, worker))


def place(t: Paladins, seat: Seat, command: PlaceWorker) -> Rejection | None:
    """Put a worker on the next space. Source: paladins.workers.colours, .criminals, .any."""
    left, spaces = left_to_fill(t, seat)
    at, asked = left[0]
    held = seat.workers.items
    if command.worker not in fitting(held, left):
        values = {"worker": command.worker, "requires": asked}
        if command.worker not in held:
            return Rejection("NO_SUCH_WORKER", "paladins.workers.own", values)
        return Rejection("WRONG_COLOUR", "paladins.workers.colours", values)  # whoever is asked can choose
    _put(t, seat, command.worker, spaces, at)
    _go_on(t, seat, left[1:], spaces)
    t.advance()
    return None


def legal(t: Paladins, seat: Seat) -> Sequence[Struct]:
    """The workers that can go to the next space."""
    left, _ = left_to_fill(t, seat)
    return [t.data.place[worker] for worker in fitting(seat.workers.items, left)]
