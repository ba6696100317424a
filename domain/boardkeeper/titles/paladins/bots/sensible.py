"""The sensible bot: it plans what it can do together in the round, and begins with what is worth most.

After each action it plans anew, so that it makes use of what the action has brought.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins.bots import plan
from boardkeeper.titles.paladins.bots.outlook import Outlook
from boardkeeper.titles.paladins.data import CRIMINAL, RIGHT
from boardkeeper.titles.paladins.material import Seat
from boardkeeper.titles.paladins.play import PaladinsPlay

_SOME_TAVERN = ("labourer", "labourer", "criminal", "criminal")
"""What stands for the tavern card that is still to be chosen: half of it is of the colours that are missing."""
_NEXT_ROUND = 0.4
"""How much the paladin counts that is put back for the next round."""
_CONTESTED = 0.6
"""How much more urgent it is to do what others could spoil."""
_FOR_ALL = ("commission", "garrison", "attack", "convert", "recruit")
"""The actions whose targets all seats share."""


def choose(play: PaladinsPlay, seat: int, commands: Sequence[Struct]) -> Struct:
    """The most promising command of a seat; the first of several that are alike."""
    t = play.t
    me = t.seats[seat - 1]
    assert isinstance(me, Seat)
    outlook = Outlook(t, me)
    value = _action if t.table.decisions[seat] == "act" else _PLANNED.get(type(commands[0]))
    if value is not None:
        return max(commands, key=value(outlook))
    return max(commands, key=lambda command: _value(outlook, command))


# --- what is planned -------------------------------------------------------------------------------------------------


def _paladin(outlook: Outlook) -> Callable[[Any], float]:
    """With whom most can be done in this round, and who is put back for the next."""
    t, me = outlook.t, outlook.me
    values = {}
    for id in me.hand.items:
        workers = Counter(me.workers.items) + Counter(outlook.data.paladins[id].workers) + Counter(_SOME_TAVERN)
        values[id] = plan.best(plan.deeds(Outlook(t, me, id)), me, workers).worth
    return lambda command: values[command.paladin] + _NEXT_ROUND * values[command.top]


def _tavern(outlook: Outlook) -> Callable[[Any], float]:
    """The card with whose workers most can be done."""
    deeds = plan.deeds(outlook)

    def value(command: c.TakeTavernCard) -> float:
        card = outlook.data.tavern[command.tavern]
        planned = plan.best(deeds, outlook.me, Counter(outlook.me.workers.items) + Counter(card))
        return planned.worth + outlook.criminals(card.count(CRIMINAL))

    return value


def _action(outlook: Outlook) -> Callable[[Any], float]:
    """What is planned, if it is possible already; passing if nothing is."""
    urgency = {deed.begin: deed.worth + _CONTESTED * _is_contested(deed) for deed in _planned(outlook)}
    return lambda command: -99.0 if isinstance(command, c.Pass) else urgency.get(command, -100.0)


def _planned(outlook: Outlook) -> Sequence[plan.Deed]:
    return plan.best(plan.deeds(outlook), outlook.me, outlook.me.workers.items).deeds


def _is_contested(deed: plan.Deed) -> bool:
    return deed.place in _FOR_ALL or isinstance(deed.begin, c.UseFavour)


def _worker(outlook: Outlook) -> Callable[[Any], tuple[bool, int, float]]:
    """Who is least needed for the rest of the plan, criminals last."""
    needed = Counter(colour for deed in _planned(outlook) for colour in deed.colours)

    def value(command: c.PlaceWorker) -> tuple[bool, int, float]:
        worker = command.worker
        return worker != CRIMINAL, outlook.me.workers.items[worker] - needed[worker], -outlook.worker(worker)

    return value


_PLANNED: Mapping[type[Struct], Callable[[Outlook], Callable[[Any], Any]]] = {
    c.ChoosePaladin: _paladin,
    c.TakeTavernCard: _tavern,
    c.PlaceWorker: _worker,
}


# --- what is worth most ----------------------------------------------------------------------------------------------


def _value(outlook: Outlook, command: Struct) -> float:
    match command:
        case c.ReturnWorker():
            return -1.0 - outlook.worker(command.worker)
        case c.HireTownsfolk():
            return outlook.hiring(command.townsfolk) - _payment(outlook, command)
        case c.DiscardTownsfolk():
            return outlook.discarding(command.townsfolk) - _payment(outlook, command)
        case c.PlaceWorkshop():  # on the left space rather, which asks for a colour
            return outlook.workshop(outlook.me.areas[command.action]) + (0.2 if command.slot == 1 else 0.0)
        case c.ClearArea():
            area = outlook.me.areas[command.action]
            if command.action not in RIGHT:
                return 0.1
            return outlook.action(area) if outlook.is_possible(area) else 0.0
        case c.PlaceMonk() | c.PlaceOutpost():  # far away rather: the near spaces are for later, with low attributes
            space, _ = outlook.t.space[command.space]
            return outlook.all(space.gains) + 0.01 * space.region
        case c.PlaceJar():
            return outlook.all(outlook.data.jar_kinds[command.space].gains)
        case c.AttackOutsider():
            return outlook.attack(command.outsider)
        case c.ConvertOutsider():
            return outlook.conversion(command.outsider)
        case c.TakeReward():  # get rid of suspicion before anything that may call the inquisition
            early = {"discard_suspicion": 3.0, "destroy_debt": 2.5, "pay_debt": 2.6}
            return early.get(command.reward, 0.5) if outlook.reward(command.reward) >= 0 else 0.4
        case c.ChooseReward():
            return 1.0 + outlook.gain(outlook.data.choices[command.reward].gains[command.option - 1])
        case c.UseTownsfolk():  # those that want suspicion first, then who discards it, then those that want none
            condition = outlook.data.townsfolk[command.townsfolk].condition
            return {"suspicion_2": 2.0, "": 1.0}.get(condition, 0.0)
        case _:  # keeping workers, or forgoing a reward
            return 0.0


def _payment(outlook: Outlook, command: c.HireTownsfolk | c.DiscardTownsfolk) -> float:
    if command.payment == "debt":
        return -outlook.reward("take_debt")
    t = outlook.t
    at = t.place_of(t.townsfolk, command.townsfolk)
    return t.data.row_silver[at] * outlook.good("silver") if command.payment else 0.0
