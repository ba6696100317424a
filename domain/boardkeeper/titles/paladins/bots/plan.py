"""The search for the best combination of actions of a seat in a round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from boardkeeper.titles.paladins.bots.valuation import Valuation, required_workers
from boardkeeper.titles.paladins.commands import BeginAction, UseFavour
from boardkeeper.titles.paladins.data import ANY, CRIMINAL, LEFT, WORKERS
from boardkeeper.titles.paladins.material import Seat

_MAX_COMBINATIONS = 400
"""Maximum number of combinations that the search visits. It visits combinations of valuable actions first."""

_CLERIC = "cleric"


class PlannedAction(NamedTuple):
    """A possible action: its first command, the workers that it needs, and its value less its costs.

    ``place`` is the area or card that it occupies. ``silver``, ``provisions`` and ``criminals`` are gains, or costs if
    negative.
    """

    begin: BeginAction | UseFavour
    place: str
    slots: Sequence[str]
    worth: float
    silver: int = 0
    provisions: int = 0
    criminals: int = 0

    @property
    def colours(self) -> list[str]:
        """The colours of workers that it needs."""
        return [slot for slot in self.slots if slot != ANY]

    @property
    def is_source(self) -> bool:
        """True if it gains silver, provisions or criminals, which other actions cost."""
        return self.silver > 0 or self.provisions > 0 or self.criminals > 0


def list_actions(valuation: Valuation) -> list[PlannedAction]:
    """Return the actions that a seat can plan for this round, by value per worker; sources come last."""
    found: list[PlannedAction] = []
    for action in (*_left_actions(valuation), *_right_actions(valuation), *_favour_actions(valuation)):
        costs = len(action.slots) * valuation.kept_worker()
        gains = action.silver * valuation.good("silver") + action.provisions * valuation.good("provision")
        found.append(action._replace(worth=action.worth + gains - costs))
    found = [action for action in found if action.worth > 0 or action.is_source]
    return sorted(found, key=lambda action: (action.is_source, -action.worth / len(action.slots)))


def _right_actions(valuation: Valuation) -> Iterator[PlannedAction]:
    """Yield each possible action of the right side; for an occupied area, Pray followed by the action."""
    prayer = valuation.me.areas["pray"]
    for area in valuation.me.right:
        slots = required_workers(area)
        if not slots or not valuation.is_possible(area):
            continue
        silver, provisions = valuation.price(area)
        gain = valuation.action(area)
        if area.is_open():
            yield PlannedAction(BeginAction(area.id, len(slots)), area.id, slots, gain, -silver, -provisions)
        elif prayer.is_open():
            silver += valuation.price(prayer)[0]
            yield PlannedAction(BeginAction("pray", 1), "pray", [_CLERIC, *slots], gain, -silver, -provisions)


def _left_actions(valuation: Valuation) -> Iterator[PlannedAction]:
    paladin = valuation.paladin
    for action in LEFT:
        area = valuation.me.areas[action]
        if not area.is_open():
            continue
        one, two = BeginAction(action, 1), BeginAction(action, 2)
        more = len(paladin.bonus_gain.immediate) if paladin.bonus_action == action else 0
        match action:
            case "develop" if valuation.me.workshops.items:
                yield PlannedAction(two, action, [ANY, ANY], valuation.developing(), -valuation.price(area)[0])
            case "hunt":
                yield PlannedAction(one, action, [ANY], 0.0, 0, 1 + more)
                yield PlannedAction(two, action, [ANY, "scout"], 0.0, 0, 3 + more)
            case "trade":
                yield PlannedAction(one, action, [ANY], 0.0, 1 + more)
                yield PlannedAction(two, action, [ANY, "merchant"], 0.0, 3 + more)
            case "conspire":
                yield PlannedAction(one, action, [ANY], valuation.criminals(1) + valuation.kept_worker(), more, 0, 1)
            case "recruit":
                yield from _recruit_actions(valuation)
            case _:
                pass


def _recruit_actions(valuation: Valuation) -> Iterator[PlannedAction]:
    """Yield the best affordable townsfolk to discard and to hire."""
    costs = zip(valuation.t.townsfolk, valuation.paladin.recruiting, strict=True)
    prices = {id: cost for place, cost in costs for id in place.items if cost <= valuation.silver}
    for slots, value in (([ANY], valuation.discarding), ([ANY, "fighter"], valuation.hiring)):
        gains = {id: value(id) for id in prices}
        if gains:
            best = max(gains, key=lambda id: gains[id] - prices[id] * valuation.good("silver"))
            yield PlannedAction(BeginAction("recruit", len(slots)), "recruit", slots, gains[best], -prices[best])


def _favour_actions(valuation: Valuation) -> Iterator[PlannedAction]:
    for place, worker in zip(valuation.t.favours, valuation.t.favour_workers, strict=True):
        for id in () if worker.items else place.items:
            card = valuation.data.favours[id]
            gain = valuation.gain(card.gain)
            gain += max(map(valuation.gain, card.choice.gains)) if card.choice else 0.0
            yield PlannedAction(UseFavour(id), id, [card.worker], gain, -card.silver, -card.provisions)


# --- search -----------------------------------------------------------------------------------------------------------


class Plan(NamedTuple):
    """Actions that a seat can carry out together, and their total value."""

    worth: float
    actions: tuple[PlannedAction, ...]


def best_plan(choices: Sequence[PlannedAction], me: Seat, workers: Mapping[str, int]) -> Plan:
    """Return the combination of actions with the highest value for the goods of a seat and some workers."""
    search = _Search(choices, workers)
    search.extend(0, sum(workers.values()), workers.get(CRIMINAL, 0), me.silver.value, me.provisions.value, 0.0)
    return search.best


class _Search:
    """A branch-and-bound search that takes or skips each action.

    A combination may lack goods or criminals while later actions can gain them. Only one that lacks none is a plan.
    """

    def __init__(self, choices: Sequence[PlannedAction], workers: Mapping[str, int]) -> None:
        self.choices = choices
        self.spare = {colour: workers.get(colour, 0) for colour in WORKERS} | {CRIMINAL: 0}
        """Unused workers by colour; a negative number counts the criminals that replace the colour."""
        self.most_silver = sum(max(0, action.silver) for action in choices)
        self.most_provisions = sum(max(0, action.provisions) for action in choices)
        self.most_criminals = sum(action.criminals for action in choices)
        self.bounds = [0.0]
        """For each action, the sum of its positive value and those of all later actions."""
        for action in reversed(choices):
            self.bounds.insert(0, self.bounds[0] + max(0.0, action.worth))
        self.best = Plan(0.0, ())
        self.visited = 0
        self.taken: list[PlannedAction] = []
        self.places: set[str] = set()

    def extend(self, at: int, workers: int, criminals: int, silver: int, provisions: int, value: float) -> None:
        """Try to add each action from index ``at`` on, with the remaining workers and goods."""
        self.visited += 1
        if value > self.best.worth and criminals >= 0 and silver >= 0 and provisions >= 0:
            self.best = Plan(value, tuple(self.taken))
        for index in range(at, len(self.choices)):
            if value + self.bounds[index] <= self.best.worth or self.visited >= _MAX_COMBINATIONS:
                return
            action = self.choices[index]
            if (
                len(action.slots) > workers
                or action.place in self.places
                or silver + action.silver + self.most_silver < 0
                or provisions + action.provisions + self.most_provisions < 0
            ):
                continue
            left = criminals + action.criminals - self._add(action)
            if left + self.most_criminals >= 0:
                workers_left = workers - len(action.slots) + action.criminals
                goods = silver + action.silver, provisions + action.provisions
                self.extend(index + 1, workers_left, left, *goods, value + action.worth)
            self._remove(action)

    def _add(self, action: PlannedAction) -> int:
        """Add an action; return how many criminals replace other workers."""
        self.taken.append(action)
        self.places.add(action.place)
        criminals = 0
        for colour in action.slots:
            if colour != ANY:
                criminals += self.spare[colour] <= 0
                self.spare[colour] -= 1
        return criminals

    def _remove(self, action: PlannedAction) -> None:
        self.taken.pop()
        self.places.discard(action.place)
        for colour in action.slots:
            if colour != ANY:
                self.spare[colour] += 1
