"""Actions in turn, one at a time, until every seat has passed. Source: paladins.actions.*, paladins.pass.*."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.paladins.commands import BeginAction, KeepWorkers, Pass, ReturnWorker, UseFavour
from boardkeeper.titles.paladins.data import CRIMINAL, FROM_ROUND_TO_ROUND, colours
from boardkeeper.titles.paladins.events import Passed, WorkerReturned, WorkersKept
from boardkeeper.titles.paladins.material import Paladins, Seat, Side, workers_on
from boardkeeper.titles.paladins.opponent import turn as opponent_turn
from boardkeeper.titles.paladins.phases import workers
from boardkeeper.titles.paladins.phases.verbs import VERBS, favour

PASS = Pass()
KEEP = KeepWorkers()


def begin(t: Paladins) -> None:
    """Let the start player act first. Source: paladins.actions.in_turn."""
    t.set(t.phase, "actions")
    _let_act(t, t.clockwise()[0])


def proceed(t: Paladins) -> None:
    """Let the next seat that has not passed act; when all have, the round ends."""
    for side in t.after(t.acting.value):
        if not side.passed.value:
            _let_act(t, side)
            return
    t.enter("dusk")


def _let_act(t: Paladins, side: Side) -> None:
    t.set(t.acting, side.number)
    t.set(t.action, "")
    if isinstance(side, Seat):
        t.ask(side, "act")
    elif t.opponent:
        opponent_turn.play(t, t.opponent)


# --- beginning an action ---------------------------------------------------------------------------------------------


def begin_action(t: Paladins, seat: Seat, command: BeginAction) -> Rejection | None:
    """Begin an action of the own board. Source: paladins.actions.*, paladins.workers.*."""
    area = seat.areas.get(command.action)
    if area is None:
        return Rejection("NO_SUCH_ACTION", "paladins.actions.twelve", _told(command))
    workshops = area.workshops()
    if workshops < 0:
        return Rejection("AREA_OCCUPIED", "paladins.actions.once", _told(command))
    filling = area.action.filling(workshops, command.workers)
    if filling is None:
        needs = " ".join(str(each.workers) for each in area.action.fillings[workshops])
        return Rejection("WRONG_NUMBER_OF_WORKERS", "paladins.workers.all_spaces", _told(command) | {"needs": needs})
    if not filling.possible(seat.workers.items):
        return Rejection("NOT_ENOUGH_WORKERS", "paladins.workers.colours", _told(command))
    refused = VERBS[area.id].why_not(t, seat, command.workers)
    if refused is not None:
        return refused
    workers.begin(t, seat, area.id, filling.order, area.spaces)
    return None


def _told(command: BeginAction) -> dict[str, str]:
    """What a refusal says of the action."""
    return {"action": command.action, "workers": str(command.workers)}


def use_favour(t: Paladins, seat: Seat, command: UseFavour) -> Rejection | None:
    """Begin the action of a King's Favour. Source: paladins.favours.*."""
    refused = favour.why_not(t, seat, command.favour)
    if refused is not None:
        return refused
    card = t.data.favours[command.favour]
    if not workers.for_favour(seat, card):
        return Rejection("NOT_ENOUGH_WORKERS", "paladins.workers.colours", {"favour": card.id})
    workers.begin(t, seat, card.id, *workers.of_favour(t, card))
    return None


def legal_act(t: Paladins, seat: Seat) -> Sequence[Struct]:
    """Every action that the seat can begin, and passing."""
    commands: list[Struct] = []
    workers_held = seat.workers.items
    if workers_held:
        not_held, jokers, total = ~colours(workers_held), workers_held.get(CRIMINAL, 0), sum(workers_held.values())
        for area in seat.areas.values():
            workshops = area.workshops()
            if workshops < 0:
                continue
            for filling in area.action.fillings[workshops]:
                missing = filling.colours & not_held
                possible = total >= filling.workers and (not missing or missing.bit_count() <= jokers)
                if possible and VERBS[area.id].why_not(t, seat, filling.workers) is None:
                    commands.append(filling.begin)
        for at, place in enumerate(t.favours):
            if t.favour_workers[at].items:
                continue
            for id in place.items:
                card = t.data.favours[id]
                if workers.for_favour(seat, card) and favour.too_dear(seat, card) is None:
                    commands.append(UseFavour(id))
    commands.append(PASS)
    return commands


# --- passing ---------------------------------------------------------------------------------------------------------


def pass_turn(t: Paladins, seat: Seat, command: Pass) -> Rejection | None:
    """Clear the own board and do nothing more in this round. Source: paladins.pass.clears_board, .final."""
    cleared: list[str] = []
    for space, worker in workers_on(seat.spaces):
        t.move(worker, space, t.supply)
        cleared.append(worker)
    t.set(seat.passed, 1)
    t.ask(seat, "keep" if seat.workers.items else "")
    t.emit(seat, Passed(tuple(cleared)))
    t.advance()
    return None


def return_worker(t: Paladins, seat: Seat, command: ReturnWorker) -> Rejection | None:
    """Give an unused worker back. Source: paladins.pass.keeps_three."""
    if command.worker not in seat.workers.items:
        return Rejection("NO_SUCH_WORKER", "paladins.workers.own", {"worker": command.worker})
    t.move(command.worker, seat.workers, t.supply)
    t.ask(seat, "keep" if seat.workers.items else "")
    t.emit(seat, WorkerReturned(command.worker))
    t.advance()
    return None


def keep_workers(t: Paladins, seat: Seat, command: KeepWorkers) -> Rejection | None:
    """Take the unused workers along, three at most. Source: paladins.pass.keeps_three."""
    held = seat.workers.total()
    if held > FROM_ROUND_TO_ROUND:
        values = {"workers": str(held), "most": str(FROM_ROUND_TO_ROUND)}
        return Rejection("TOO_MANY_WORKERS", "paladins.pass.keeps_three", values)
    t.ask(seat, "")
    kept = tuple(worker for worker, count in seat.workers.items.items() for _ in range(count))
    t.emit(seat, WorkersKept(kept))
    t.advance()
    return None


def legal_keep(t: Paladins, seat: Seat) -> Sequence[Struct]:
    """Give a worker of any colour back, or keep what is left if that is not too many."""
    commands: list[Struct] = [ReturnWorker(worker) for worker in sorted(seat.workers.items)]
    if seat.workers.total() <= FROM_ROUND_TO_ROUND:
        commands.append(KEEP)
    return commands
