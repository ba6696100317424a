"""The sensible bot. It plans the actions of the round and begins with the most valuable one.

It plans again at each decision.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins.bots import plan
from boardkeeper.titles.paladins.bots.valuation import Valuation
from boardkeeper.titles.paladins.data import CRIMINAL, RIGHT
from boardkeeper.titles.paladins.material import Seat
from boardkeeper.titles.paladins.play import PaladinsPlay

_EXPECTED_TAVERN_CARD = ("labourer", "labourer", "criminal", "criminal")
"""Workers of the tavern card that the seat will take, as an estimate: criminals stand for any colour."""
_NEXT_ROUND = 0.4
"""Weight of the paladin put on top of the deck for the next round."""
_CONTESTED = 0.6
"""Added value of actions whose targets other seats can take."""
_FOR_ALL = ("commission", "garrison", "attack", "convert", "recruit")
"""Actions whose targets all seats share."""


def choose(play: PaladinsPlay, seat: int, commands: Sequence[Struct]) -> Struct:
    """Return the command with the highest value; if several have it, the first."""
    t = play.t
    me = t.seats[seat - 1]
    assert isinstance(me, Seat)
    valuation = Valuation(t, me)
    value = _action if t.table.decisions[seat] == "act" else _PLANNED.get(type(commands[0]))
    if value is not None:
        return max(commands, key=value(valuation))
    return max(commands, key=lambda command: _value(valuation, command))


# --- planned decisions ------------------------------------------------------------------------------------------------


def _paladin(valuation: Valuation) -> Callable[[Any], float]:
    """Value paladins by the best plan of this round, and the one put back for the next round."""
    t, me = valuation.t, valuation.me
    values = {}
    for id in me.hand.items:
        gained = (*valuation.data.paladins[id].workers, *_EXPECTED_TAVERN_CARD)
        workers = Counter(me.workers.items) + Counter(gained)
        values[id] = plan.best_plan(plan.list_actions(Valuation(t, me, id)), me, workers).worth
    return lambda command: values[command.paladin] + _NEXT_ROUND * values[command.top]


def _tavern(valuation: Valuation) -> Callable[[Any], float]:
    """Value tavern cards by the best plan with their workers."""
    actions = plan.list_actions(valuation)

    def value(command: c.TakeTavernCard) -> float:
        card = valuation.data.tavern[command.tavern]
        planned = plan.best_plan(actions, valuation.me, Counter(valuation.me.workers.items) + Counter(card))
        return planned.worth + valuation.criminals(card.count(CRIMINAL))

    return value


def _action(valuation: Valuation) -> Callable[[Any], float]:
    """Value actions by the plan; pass if no planned action is possible."""
    urgency = {action.begin: action.worth + _CONTESTED * _is_contested(action) for action in _planned(valuation)}
    return lambda command: -99.0 if isinstance(command, c.Pass) else urgency.get(command, -100.0)


def _planned(valuation: Valuation) -> Sequence[plan.PlannedAction]:
    return plan.best_plan(plan.list_actions(valuation), valuation.me, valuation.me.workers.items).actions


def _is_contested(action: plan.PlannedAction) -> bool:
    return action.place in _FOR_ALL or isinstance(action.begin, c.UseFavour)


def _worker(valuation: Valuation) -> Callable[[Any], tuple[bool, int, float]]:
    """Value the workers most that the rest of the plan needs least, and criminals least of all."""
    needed = Counter(colour for action in _planned(valuation) for colour in action.colours)

    def value(command: c.PlaceWorker) -> tuple[bool, int, float]:
        worker = command.worker
        return worker != CRIMINAL, valuation.me.workers.items[worker] - needed[worker], -valuation.worker(worker)

    return value


_PLANNED: Mapping[type[Struct], Callable[[Valuation], Callable[[Any], Any]]] = {
    c.ChoosePaladin: _paladin,
    c.TakeTavernCard: _tavern,
    c.PlaceWorker: _worker,
}


# --- other decisions --------------------------------------------------------------------------------------------------


def _value(valuation: Valuation, command: Struct) -> float:
    match command:
        case c.ReturnWorker():
            return -1.0 - valuation.worker(command.worker)
        case c.HireTownsfolk():
            return valuation.hiring(command.townsfolk) - _payment(valuation, command)
        case c.DiscardTownsfolk():
            return valuation.discarding(command.townsfolk) - _payment(valuation, command)
        case c.PlaceWorkshop():  # prefer the left space, which needs a colour
            return valuation.workshop(valuation.me.areas[command.action]) + (0.2 if command.slot == 1 else 0.0)
        case c.ClearArea():
            area = valuation.me.areas[command.action]
            if command.action not in RIGHT:
                return 0.1
            return valuation.action(area) if valuation.is_possible(area) else 0.0
        case c.PlaceMonk() | c.PlaceOutpost():  # prefer far regions: near ones need low attributes
            space, _ = valuation.t.space[command.space]
            return valuation.all(space.gains) + 0.01 * space.region
        case c.PlaceJar():
            return valuation.all(valuation.data.jar_kinds[command.space].gains)
        case c.AttackOutsider():
            return valuation.attack(command.outsider)
        case c.ConvertOutsider():
            return valuation.conversion(command.outsider)
        case c.TakeReward():  # discard suspicion before a reward causes an inquisition
            early = {"discard_suspicion": 3.0, "destroy_debt": 2.5, "pay_debt": 2.6}
            return early.get(command.reward, 0.5) if valuation.reward(command.reward) >= 0 else 0.4
        case c.ChooseReward():
            return 1.0 + valuation.gain(valuation.data.choices[command.reward].gains[command.option - 1])
        case c.UseTownsfolk():  # first the townsfolk whose condition is suspicion, last those whose condition is none
            condition = valuation.data.townsfolk[command.townsfolk].condition
            return {"suspicion_2": 2.0, "": 1.0}.get(condition, 0.0)
        case _:  # keep workers, or decline a reward
            return 0.0


def _payment(valuation: Valuation, command: c.HireTownsfolk | c.DiscardTownsfolk) -> float:
    if command.payment == "debt":
        return -valuation.reward("take_debt")
    t = valuation.t
    at = t.index_in(t.townsfolk, command.townsfolk)
    return t.data.row_silver[at] * valuation.good("silver") if command.payment else 0.0
