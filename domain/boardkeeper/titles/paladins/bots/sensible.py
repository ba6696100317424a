"""The sensible bot: it plans what it can do together in the round, and begins with what is worth most.

After each action it plans anew, so that it makes use of what the action has brought.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins.board import Board, SeatView
from boardkeeper.titles.paladins.bots import plan, worth
from boardkeeper.titles.paladins.data import CRIMINAL, RIGHT

_SOME_TAVERN = ("labourer", "labourer", "criminal", "criminal")
"""What stands for the tavern card that is still to be chosen: half of it is of the colours that are missing."""
_NEXT_ROUND = 0.4
"""How much the paladin counts that is put back for the next round."""
_CONTESTED = 0.6
"""How much more urgent it is to do what others could spoil."""
_FOR_ALL = ("commission", "garrison", "attack", "convert", "recruit")
"""The actions whose targets all seats share."""


def choose(board: Board, seat: int, commands: Sequence[Struct]) -> Struct:
    """The most promising command of a seat; the first of several that are alike."""
    me = board.seats[seat - 1]
    value = _PLANNED.get(type(commands[0]))
    if me.decision == "act":
        value = _action
    if value is not None:
        return max(commands, key=value(board, me))
    return max(commands, key=lambda command: _VALUES[type(command)](board, me, command))


# --- what is planned -------------------------------------------------------------------------------------------------


def _paladin(board: Board, me: SeatView) -> Callable[[Any], float]:
    """With whom most can be done in this round, and who is put back for the next."""
    values = {id: _with_paladin(board, me, id) for id in me.hand}
    return lambda command: values[command.paladin] + _NEXT_ROUND * values[command.top]


def _with_paladin(board: Board, me: SeatView, id: str) -> float:
    card = worth.facts().paladins[id]
    with_card = replace(me, paladin=id, bonus=card.bonus)
    workers = Counter(me.workers) + Counter(card.workers) + Counter(_SOME_TAVERN)
    return plan.best(plan.deeds(board, with_card), me, workers).worth


def _tavern(board: Board, me: SeatView) -> Callable[[Any], float]:
    """The card with whose workers most can be done."""
    deeds = plan.deeds(board, me)

    def value(command: c.TakeTavernCard) -> float:
        card = worth.facts().tavern[command.tavern]
        planned = plan.best(deeds, me, Counter(me.workers) + Counter(card))
        return planned.worth + worth.of_criminals(board, me, card.count(CRIMINAL))

    return value


def _action(board: Board, me: SeatView) -> Callable[[Any], float]:
    """What is planned, if it is possible already; passing if nothing is."""
    planned = plan.best(plan.deeds(board, me), me, me.workers).deeds
    urgency = {deed.begin: deed.worth + _CONTESTED * _is_contested(deed) for deed in planned}
    return lambda command: -99.0 if isinstance(command, c.Pass) else urgency.get(command, -100.0)


def _is_contested(deed: plan.Deed) -> bool:
    return deed.place in _FOR_ALL or isinstance(deed.begin, c.UseFavour)


def _worker(board: Board, me: SeatView) -> Callable[[Any], tuple[bool, int, float]]:
    """Who is least needed for the rest of the plan, criminals last."""
    planned = plan.best(plan.deeds(board, me), me, me.workers).deeds
    needed = Counter(colour for deed in planned for colour in deed.colours)

    def value(command: c.PlaceWorker) -> tuple[bool, int, float]:
        worker = command.worker
        return worker != CRIMINAL, me.workers[worker] - needed[worker], -worth.of_worker(board, worker)

    return value


_PLANNED: Mapping[type[Struct], Callable[[Board, SeatView], Callable[[Any], Any]]] = {
    c.ChoosePaladin: _paladin,
    c.TakeTavernCard: _tavern,
    c.PlaceWorker: _worker,
}


# --- what is worth most ----------------------------------------------------------------------------------------------


def _return_worker(board: Board, me: SeatView, command: c.ReturnWorker) -> float:
    return -1.0 - worth.of_worker(board, command.worker)


def _keep(board: Board, me: SeatView, command: c.KeepWorkers) -> float:
    return 0.0


def _hire(board: Board, me: SeatView, command: c.HireTownsfolk) -> float:
    return worth.of_hiring(board, me, command.townsfolk) - _payment(board, me, command)


def _discard(board: Board, me: SeatView, command: c.DiscardTownsfolk) -> float:
    return worth.of_discarding(board, me, command.townsfolk) - _payment(board, me, command)


def _payment(board: Board, me: SeatView, command: c.HireTownsfolk | c.DiscardTownsfolk) -> float:
    if command.payment == "debt":
        return -worth.of_reward(board, me, "take_debt")
    if not command.payment:
        return 0.0
    price = next(place.silver for place in board.townsfolk if place.townsfolk == command.townsfolk)
    return price * worth.of_good(board, me, "silver")


def _workshop(board: Board, me: SeatView, command: c.PlaceWorkshop) -> float:
    """On the left space rather, which asks for a colour."""
    return worth.of_workshop(board, me, worth.area_of(me, command.action)) + (0.2 if command.slot == 1 else 0.0)


def _clear(board: Board, me: SeatView, command: c.ClearArea) -> float:
    area = worth.area_of(me, command.action)
    if command.action not in RIGHT:
        return 0.1
    return worth.of_action(board, me, area) if worth.possible(board, me, area) else 0.0


def _space(board: Board, me: SeatView, command: c.PlaceMonk | c.PlaceOutpost) -> float:
    """Far away rather, where few come: the near spaces are for later, when attributes are low."""
    space = next(space for space in board.spaces if space.space == command.space)
    return worth.of_all(board, me, space.gains) + 0.01 * space.region


def _jar(board: Board, me: SeatView, command: c.PlaceJar) -> float:
    return worth.of_all(board, me, worth.facts().jar_kinds[command.space].gains)


def _attack(board: Board, me: SeatView, command: c.AttackOutsider) -> float:
    return worth.of_attack(board, me, command.outsider)


def _convert(board: Board, me: SeatView, command: c.ConvertOutsider) -> float:
    return worth.of_conversion(board, me, command.outsider)


def _take(board: Board, me: SeatView, command: c.TakeReward) -> float:
    """Get rid of suspicion before anything that may call the inquisition."""
    early = {"discard_suspicion": 3.0, "destroy_debt": 2.5, "pay_debt": 2.6}
    return early.get(command.reward, 0.5) if worth.of_reward(board, me, command.reward) >= 0 else 0.4


def _choose_reward(board: Board, me: SeatView, command: c.ChooseReward) -> float:
    choice = worth.facts().choices[command.reward]
    return 1.0 + worth.of_gain(board, me, choice.gains[command.option - 1])


def _forgo(board: Board, me: SeatView, command: c.ForgoReward) -> float:
    return 0.0


def _use(board: Board, me: SeatView, command: c.UseTownsfolk) -> float:
    """Those that want suspicion first, then who discards it, then those that want none."""
    card = worth.facts().townsfolk[command.townsfolk]
    return {"suspicion_2": 2.0, "": 1.0}.get(card.condition, 0.0)


_VALUES: Mapping[type[Struct], Callable[[Board, SeatView, Any], float]] = {
    c.ReturnWorker: _return_worker,
    c.KeepWorkers: _keep,
    c.HireTownsfolk: _hire,
    c.DiscardTownsfolk: _discard,
    c.PlaceWorkshop: _workshop,
    c.ClearArea: _clear,
    c.PlaceMonk: _space,
    c.PlaceOutpost: _space,
    c.PlaceJar: _jar,
    c.AttackOutsider: _attack,
    c.ConvertOutsider: _convert,
    c.TakeReward: _take,
    c.ChooseReward: _choose_reward,
    c.ForgoReward: _forgo,
    c.UseTownsfolk: _use,
}
