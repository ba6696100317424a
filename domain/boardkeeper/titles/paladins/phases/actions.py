"""The action phase: one action per turn until all seats have passed. Source: paladins.actions.*, paladins.pass.*."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.paladins.commands import BeginAction, KeepWorkers, Pass, ReturnWorker, UseFavour
from boardkeeper.titles.paladins.data import MAX_KEPT_WORKERS
from boardkeeper.titles.paladins.events import Passed, WorkerReturned, WorkersKept
from boardkeeper.titles.paladins.material import Paladins, Seat, Side
from boardkeeper.titles.paladins.opponent import turn as opponent_turn
from boardkeeper.titles.paladins.phases import workers
from boardkeeper.titles.paladins.phases.fillings import find_filling, is_possible, possible_fillings
from boardkeeper.titles.paladins.phases.verbs import VERBS, favour

PASS = Pass()
KEEP = KeepWorkers()


def begin(t: Paladins) -> None:
    """Begin the phase with the start player. Source: paladins.actions.in_turn."""
    t.set(t.phase, "actions")
    _start_turn(t, t.clockwise()[0])


def proceed(t: Paladins) -> None:
    """Start the turn of the next seat that has not passed, or end the round."""
    for side in t.after(t.acting.value):
        if not side.passed.value:
            _start_turn(t, side)
            return
    t.enter("dusk")


def _start_turn(t: Paladins, side: Side) -> None:
    t.set(t.acting, side.number)
    t.set(t.action, "")
    if isinstance(side, Seat):
        t.ask(side, "act")
    elif t.opponent:
        opponent_turn.play(t, t.opponent)


# --- beginning an action ----------------------------------------------------------------------------------------------


def begin_action(t: Paladins, seat: Seat, command: BeginAction) -> Rejection | None:
    """Begin an action of the player board. Source: paladins.actions.*, paladins.workers.*."""
    area = seat.areas.get(command.action)
    if area is None:
        return Rejection("NO_SUCH_ACTION", "paladins.actions.twelve", _rejection_values(command))
    workshops = area.workshop_mask()
    if workshops < 0:
        return Rejection("AREA_OCCUPIED", "paladins.actions.once", _rejection_values(command))
    filling = find_filling(area.action, workshops, command.workers)
    if filling is None:
        needs = " ".join(str(each.workers) for each in area.action.fillings[workshops])
        return Rejection(
            "WRONG_NUMBER_OF_WORKERS", "paladins.workers.all_spaces", _rejection_values(command) | {"needs": needs}
        )
    if not is_possible(filling, seat.workers.items):
        return Rejection("NOT_ENOUGH_WORKERS", "paladins.workers.colours", _rejection_values(command))
    rejection = VERBS[area.id].find_rejection(t, seat, command.workers)
    if rejection is not None:
        return rejection
    workers.begin(t, seat, area.id, filling.order, area.spaces)
    return None


def _rejection_values(command: BeginAction) -> dict[str, str]:
    """Return the values of a rejection about an action."""
    return {"action": command.action, "workers": str(command.workers)}


def use_favour(t: Paladins, seat: Seat, command: UseFavour) -> Rejection | None:
    """Begin the action of a King's Favour. Source: paladins.favours.*."""
    rejection = favour.find_rejection(t, seat, command.favour)
    if rejection is not None:
        return rejection
    card = t.data.favours[command.favour]
    if not workers.has_worker_for(seat, card):
        return Rejection("NOT_ENOUGH_WORKERS", "paladins.workers.colours", {"favour": card.id})
    workers.begin(t, seat, card.id, *workers.favour_space(t, card))
    return None


def legal_act(t: Paladins, seat: Seat) -> Sequence[Struct]:
    """Return every action that the seat can begin, and passing."""
    commands: list[Struct] = []
    workers_held = seat.workers.items
    if workers_held:
        areas, free = seat.areas, seat.free_spaces.mask
        for id, fillings in possible_fillings(t.data, workers_held):
            area = areas[id]
            mask = area.action.mask
            workshops = 0 if free & mask == mask else area.workshop_mask()
            if workshops < 0:
                continue
            for filling in fillings[workshops]:
                if VERBS[id].find_rejection(t, seat, filling.workers) is None:
                    commands.append(filling.begin)  # noqa: PERF401  # a comprehension is slower
        for at, place in enumerate(t.favours):
            if t.favour_workers[at].items:
                continue
            for id in place.items:
                card = t.data.favours[id]
                if workers.has_worker_for(seat, card) and favour.find_price_rejection(seat, card) is None:
                    commands.append(UseFavour(id))
    commands.append(PASS)
    return commands


# --- passing ----------------------------------------------------------------------------------------------------------


def pass_turn(t: Paladins, seat: Seat, command: Pass) -> Rejection | None:
    """Clear the player board and pass for the round. Source: paladins.pass.clears_board, .final."""
    cleared: list[str] = []
    for space, worker in seat.placed_workers():
        t.move(worker, space, t.supply)
        cleared.append(worker)
    t.set(seat.passed, 1)
    t.ask(seat, "keep" if seat.workers.items else "")
    t.emit(seat, Passed(tuple(cleared)))
    t.advance()
    return None


def return_worker(t: Paladins, seat: Seat, command: ReturnWorker) -> Rejection | None:
    """Return an unused worker to the supply. Source: paladins.pass.keeps_three."""
    if command.worker not in seat.workers.items:
        return Rejection("NO_SUCH_WORKER", "paladins.workers.own", {"worker": command.worker})
    t.move(command.worker, seat.workers, t.supply)
    t.ask(seat, "keep" if seat.workers.items else "")
    t.emit(seat, WorkerReturned(command.worker))
    t.advance()
    return None


def keep_workers(t: Paladins, seat: Seat, command: KeepWorkers) -> Rejection | None:
    """Keep the unused workers, at most three. Source: paladins.pass.keeps_three."""
    held = seat.workers.total()
    if held > MAX_KEPT_WORKERS:
        values = {"workers": str(held), "most": str(MAX_KEPT_WORKERS)}
        return Rejection("TOO_MANY_WORKERS", "paladins.pass.keeps_three", values)
    t.ask(seat, "")
    kept = tuple(worker for worker, count in seat.workers.items.items() for _ in range(count))
    t.emit(seat, WorkersKept(kept))
    t.advance()
    return None


def legal_keep(t: Paladins, seat: Seat) -> Sequence[Struct]:
    """Return the commands to return a worker, and to keep the workers if they are at most three."""
    commands: list[Struct] = [ReturnWorker(worker) for worker in sorted(seat.workers.items)]
    if seat.workers.total() <= MAX_KEPT_WORKERS:
        commands.append(KEEP)
    return commands
