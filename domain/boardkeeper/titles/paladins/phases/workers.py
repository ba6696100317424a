"""Placing workers on an action, one by one, first on the spaces that need a colour.

A worker is placed automatically if only one kind can go to the space. Source: paladins.workers.*.
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
from boardkeeper.titles.paladins.phases.fillings import find_filling
from boardkeeper.titles.paladins.phases.verbs import VERBS, favour

Order = Sequence[tuple[int, str]]
"""Spaces in the order of placing: the index (from 0) and the worker that the space needs."""


def has_worker_for(seat: Seat, card: Favour) -> bool:
    """Return whether a seat has the worker that a favour needs. Source: paladins.workers.colours, .criminals."""
    own_workers = seat.workers.items
    return card.worker in own_workers or CRIMINAL in own_workers or (card.worker == ANY and bool(own_workers))


def placeable_workers(workers: Mapping[str, int], order: Order) -> list[str]:
    """Return the kinds of workers that can go to the first space so that the other spaces can still be filled."""
    requires = order[0][1]
    if requires == ANY:  # all later spaces need no colour either
        return list(filter(workers.__contains__, WORKERS))
    if requires not in workers:
        return [CRIMINAL]
    if requires == CRIMINAL or CRIMINAL not in workers:
        return [requires]
    needed = sum(1 for _, colour in order[1:] if colour != ANY and colour not in workers)
    return [requires, CRIMINAL] if workers[CRIMINAL] > needed else [requires]


def open_spaces(t: Paladins, seat: Seat) -> tuple[Order, Sequence[Pile]]:
    """Return the free spaces of the action in progress in the order of placing, and all its spaces.

    Spaces with a workshop need no worker.
    """
    id = t.action.value
    card = t.data.favours.get(id)
    if card is not None:
        return favour_space(t, card)
    area = seat.areas[id]
    filling = find_filling(area.action, 0, t.action_workers.value) or area.action.fillings[0][-1]
    return [space for space in filling.order if not area.spaces[space[0]].items], area.spaces


def favour_space(t: Paladins, card: Favour) -> tuple[Order, Sequence[Pile]]:
    """Return the space of a favour in the form of :func:`open_spaces`."""
    return [(0, card.worker)], (t.favour_workers[t.index_in(t.favours, card.id)],)


def begin(t: Paladins, seat: Seat, id: str, remaining: Order, spaces: Sequence[Pile]) -> None:
    """Begin an action and start to place its workers."""
    t.set(t.action, id)
    t.set(t.action_workers, len(remaining))
    t.emit(seat, ActionBegun(id, len(remaining)))
    _continue_placing(t, seat, remaining, spaces)
    t.advance()


def _continue_placing(t: Paladins, seat: Seat, remaining: Order, spaces: Sequence[Pile]) -> None:
    """Place workers until the seat has a choice. After the last one, carry out the action or ask for its target."""
    while remaining:
        workers = placeable_workers(seat.workers.items, remaining)
        if len(workers) > 1:
            t.ask(seat, "workers")
            return
        _place_worker(t, seat, workers[0], spaces, remaining[0][0])
        remaining = remaining[1:]
    id = t.action.value
    carry_out = favour.carry_out if id in t.data.favours else VERBS[id].carry_out
    if carry_out is not None:
        carry_out(t, seat)
    t.ask(seat, "" if carry_out else id)


def _place_worker(t: Paladins, seat: Seat, worker: str, spaces: Sequence[Pile], at: int) -> None:
    t.move(worker, seat.workers, spaces[at])
    t.emit(seat, WorkerPlaced(t.action.value, at + 1, worker))


def place(t: Paladins, seat: Seat, command: PlaceWorker) -> Rejection | None:
    """Place a worker on the next space. Source: paladins.workers.colours, .criminals, .any."""
    remaining, spaces = open_spaces(t, seat)
    at, requires = remaining[0]
    own_workers = seat.workers.items
    if command.worker not in placeable_workers(own_workers, remaining):
        values = {"worker": command.worker, "requires": requires}
        if command.worker not in own_workers:
            return Rejection("NO_SUCH_WORKER", "paladins.workers.own", values)
        return Rejection("WRONG_COLOUR", "paladins.workers.colours", values)
    _place_worker(t, seat, command.worker, spaces, at)
    _continue_placing(t, seat, remaining[1:], spaces)
    t.advance()
    return None


def legal(t: Paladins, seat: Seat) -> Sequence[Struct]:
    """Return a command for each kind of worker that can go to the next space."""
    remaining, _ = open_spaces(t, seat)
    return [t.data.place[worker] for worker in placeable_workers(seat.workers.items, remaining)]
