"""The policy of Paladins: scores of legal commands, on which the sensible bot and the rollouts of searches are built.

A score is an estimate of the gain in points. The scores of actions are relative to passing, per worker. As logits, they
fit temperatures of 0.2 (nearly the best play) to 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from boardkeeper.titlekit.policies import CommandPolicy
from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins.bots.evaluation import evaluate
from boardkeeper.titles.paladins.bots.valuation import Valuation, Worth, workshops, worth_of
from boardkeeper.titles.paladins.data import ANY, BIT, CRIMINAL, MAX_KEPT_WORKERS, RIGHT, WORKERS, colour_mask
from boardkeeper.titles.paladins.material import Seat
from boardkeeper.titles.paladins.play import PaladinsPlay

_SHARED = frozenset({"commission", "garrison", "attack", "convert"})
"""Actions of the right side whose targets other seats can take."""
_SECOND_COLOUR = {"hunt": "scout", "trade": "merchant", "recruit": "fighter"}
"""The worker for the second space of an action of the left side."""


def scores(play: PaladinsPlay, seat: int, commands: Sequence[Struct]) -> list[float]:
    """Return the score of each command with the tuned numbers."""
    return _scores("policy", play, seat, commands)


def choose(play: PaladinsPlay, seat: int, commands: Sequence[Struct]) -> Struct:
    """Return the command that the sensible bot scores highest; if several have this score, the first."""
    found = _scores("sensible", play, seat, commands)
    return commands[found.index(max(found))]


def _scores(numbers: str, play: PaladinsPlay, seat: int, commands: Sequence[Struct]) -> list[float]:
    t = play.t
    me = t.seats[seat - 1]
    assert isinstance(me, Seat)
    worth, kind = worth_of(numbers, t.data), type(commands[0])
    if kind is c.PlaceWorker:
        return _workers(worth, me, t.action.value, commands)
    valuation = Valuation(worth, t, me)
    if t.table.decisions[seat] == "act":
        turn = _Turn(valuation, can_pray=any(isinstance(it, c.BeginAction) and it.action == "pray" for it in commands))
        return [turn.score(command) for command in commands]
    if kind is c.ChoosePaladin:
        return _paladins(valuation, commands)
    if kind is c.TakeTavernCard:
        return _tavern(valuation, commands)
    return [_target(valuation, command) for command in commands]


# --- actions ----------------------------------------------------------------------------------------------------------


class _Turn:
    """The scores of actions of a seat in turn."""

    def __init__(self, valuation: Valuation, *, can_pray: bool) -> None:
        self.v, self.n = valuation, valuation.n
        self.workers = held = valuation.me.workers.items
        self.total, self.criminals = sum(held.values()), held.get(CRIMINAL, 0)
        self.kept = valuation.worth.kept[valuation.left]
        self.bias = valuation.worth.action[valuation.left]
        self.open: dict[str, float] = {}
        """The values of the possible actions of the right side."""
        self.again = 0.0
        """The value of the best action that is possible again after praying."""
        self.short_of = {"silver": (0.0, 0), "provision": (0.0, 0)}
        """The value of the best action that lacks only silver or provisions, and how many it lacks."""
        self.lacking_criminal = 0.0
        """The value of the best action that lacks one criminal."""
        not_held = ~colour_mask(held)
        for area in valuation.me.right:
            mask = area.workshop_mask()
            if mask < 0 and not can_pray:
                continue
            filling = area.action.fillings[mask if mask >= 0 else workshops(area)][0]
            missing = (filling.colour_mask & not_held).bit_count()
            if filling.workers <= self.total and missing <= self.criminals + 1:
                value = valuation.action(area)
                if value is not None:
                    self._add(area.id, value, filling.workers, missing, is_open=mask >= 0)

    def _add(self, id: str, value: float, workers: int, missing: int, *, is_open: bool) -> None:
        """Add an action of the right side for which the seat has enough workers, but perhaps not the colours."""
        v = self.v
        silver, provisions = v.prices[id]
        value -= silver * v.one_silver + provisions * v.one_provision + self.kept * workers
        value -= self.n.criminal_used * missing
        if is_open and id in _SHARED:
            value += self.n.contested
        if value <= 0:
            return
        if not is_open:
            is_payable = silver + v.paladin.silver["pray"][0] <= v.silver and provisions <= v.provisions
            if is_payable and workers < self.total and missing <= self.criminals:
                self.again = max(self.again, value)
        elif missing > self.criminals:
            self.lacking_criminal = max(self.lacking_criminal, value)
        elif silver > v.silver:
            self._lack("silver", value, workers, silver - v.silver)
        elif provisions > v.provisions:
            self._lack("provision", value, workers, provisions - v.provisions)
        else:
            self.open[id] = value / workers**self.n.crowding

    def _lack(self, good: str, value: float, workers: int, count: int) -> None:
        if workers < self.total and value / count > self.short_of[good][0]:
            self.short_of[good] = value / count, count

    def score(self, command: Struct) -> float:
        if isinstance(command, c.BeginAction):
            value = self.open.get(command.action)
            if value is not None:
                return value
            workers = command.workers
            value = self._left(command.action, workers) - self.kept * workers
            return value / workers**self.n.crowding if value > 0 else value
        if isinstance(command, c.UseFavour):
            return self._favour(command.favour) - self.kept
        return 0.0 if self.total <= MAX_KEPT_WORKERS else -self.kept

    def _left(self, id: str, workers: int) -> float:
        """Return the value of an action of the left side, less its price."""
        v = self.v
        more = len(v.worth.bonus[v.paladin.id]) if v.paladin.bonus_action == id else 0
        value = self.bias.get(id if workers == 1 else f"{id}_2", 0.0)
        if workers == 2 and _SECOND_COLOUR.get(id, CRIMINAL) not in self.workers:
            value -= self.n.criminal_used
        match id:
            case "hunt":
                return value + self._goods("provision", v.worth.provision[v.left], v.provisions, 2 * workers - 1 + more)
            case "trade":
                return value + self._goods("silver", v.worth.silver[v.left], v.silver, 2 * workers - 1 + more)
            case "conspire":
                enabled = self.n.blocked * self.lacking_criminal
                return value + v.values[CRIMINAL] + more * v.one_silver + enabled if v.left else enabled or -1.0
            case "recruit":
                return value + self.n.contested + self._best_townsfolk(workers)
            case "develop":
                return value + v.developing() - v.paladin.silver[id][0] * v.one_silver
            case "pray":
                value -= 0.0 if "cleric" in self.workers else self.n.criminal_used
                return value + self.again - v.paladin.silver[id][0] * v.one_silver
            case _:
                return -1.0

    def _goods(self, good: str, values: Sequence[float], has: int, gained: int) -> float:
        """Return the value of silver or provisions, more if an action needs them."""
        each, count = self.short_of[good]
        enough = 1.0 if gained >= count else 0.5
        return sum(values[has : has + gained]) + self.n.blocked * each * min(gained, count) * enough

    def _best_townsfolk(self, workers: int) -> float:
        v, best = self.v, -5.0
        for place, price in zip(v.t.townsfolk, v.paladin.recruiting, strict=True):
            for id in place.items if price <= v.silver else ():
                value = v.hiring(id) if workers == 2 else v.all(v.worth.discard[id])
                best = max(best, value - price * v.one_silver)
        return best

    def _favour(self, id: str) -> float:
        v, card = self.v, self.v.t.data.favours[id]
        value = self.bias["favour"] + self.n.contested + v.all(v.worth.favour[id])
        if card.choice:
            value += max(map(v.all, v.worth.options[card.choice.id]))
        if card.worker != ANY and card.worker not in self.workers:
            value -= self.n.criminal_used
        return value - card.silver * v.one_silver - card.provisions * v.one_provision


def _workers(worth: Worth, me: Seat, action: str, commands: Sequence[Any]) -> list[float]:
    """Score those workers highest that the other actions of the right side need least."""
    held, needed = me.workers.items, dict.fromkeys(WORKERS, 0)
    for area in me.right:
        mask = area.workshop_mask()
        if mask >= 0 and area.id != action:
            for colour in worth.colours[area.action.fillings[mask][0].colour_mask]:
                needed[colour] += 1
    spare = worth.n.spare_worker
    return [
        -worth.workers[it] + (-2.0 if it == CRIMINAL else spare * (held[it] - needed[it]))
        for it in (command.worker for command in commands)
    ]


# --- start of the round -----------------------------------------------------------------------------------------------


def _paladins(v: Valuation, commands: Sequence[Any]) -> list[float]:
    """Score paladins by the actions that they allow and their workers, and the one for the next round."""
    n, values = v.n, {}
    for id in v.me.hand.items:
        paladin = v.t.data.paladins[id]
        v.use_paladin(paladin)
        uses = sorted(v.uses(), reverse=True)
        value = sum(worth * n.lesser_action**at for at, (worth, _) in enumerate(uses))
        for worker in paladin.workers:
            needed = sum(worth for worth, colours in uses if colours & BIT[worker])
            value += 0.5 * v.values[worker] + n.paladin_colour * needed
        values[id] = value
    return [values[command.paladin] + n.next_paladin * values[command.top] for command in commands]


def _tavern(v: Valuation, commands: Sequence[Any]) -> list[float]:
    """Score tavern cards by the actions that need their workers."""
    n, needed = v.n, dict.fromkeys(WORKERS, 0.0)
    for worth, colours in v.uses():
        for colour in v.worth.colours[colours]:
            needed[colour] += worth
    needed[CRIMINAL] = max(needed.values())
    found = []
    for command in commands:
        value, has = 0.0, dict(v.me.workers.items)
        for worker in v.t.data.tavern[command.tavern]:
            before = has.get(worker, 0)
            value += v.values[worker] + n.tavern_colour * needed[worker] * n.further_worker**before
            has[worker] = before + 1
        found.append(value)
    return found


# --- targets and rewards ----------------------------------------------------------------------------------------------


def _recruit(v: Valuation, command: c.HireTownsfolk | c.DiscardTownsfolk) -> float:
    id = command.townsfolk
    value = v.hiring(id) if isinstance(command, c.HireTownsfolk) else v.all(v.worth.discard[id])
    if command.payment == "debt":
        return value + v.values["take_debt"]
    price = v.paladin.recruiting[v.t.index_in(v.t.townsfolk, id)] if command.payment else 0
    return value - price * v.one_silver


def _space(v: Valuation, command: c.PlaceMonk | c.PlaceOutpost) -> float:
    space, _ = v.t.space[command.space]  # prefer far regions: near ones need low attributes
    return v.all(space.gains) + 0.01 * space.region


_EARLY = {"discard_suspicion": 3.0, "pay_debt": 2.6, "destroy_debt": 2.5}
"""Rewards to take before others cause an inquisition."""

_CONDITIONS = {"suspicion_2": 2.0, "": 1.0, "no_suspicion": 0.0}
"""First the townsfolk whose condition is suspicion, last those whose condition is none."""

_TARGETS: Mapping[type[Struct], Callable[[Valuation, Any], float]] = {
    c.HireTownsfolk: _recruit,
    c.DiscardTownsfolk: _recruit,
    c.PlaceWorkshop: lambda v, it: v.workshop(v.me.areas[it.action]) + (0.2 if it.slot == 1 else 0.0),  # left: a colour
    c.ClearArea: lambda v, it: (v.action(v.me.areas[it.action]) or 0.0) if it.action in RIGHT else 0.1,
    c.PlaceMonk: _space,
    c.PlaceOutpost: _space,
    c.PlaceJar: lambda v, it: v.all(v.t.data.jar_kinds[it.space].gains),
    c.AttackOutsider: lambda v, it: v.attack(it.outsider, v.t.index_in(v.t.outsiders, it.outsider)),
    c.ConvertOutsider: lambda v, it: v.conversion(it.outsider),
    c.TakeReward: lambda v, it: _EARLY.get(it.reward, 0.5) if v.values[it.reward] >= 0 else 0.4,
    c.ChooseReward: lambda v, it: 1.0 + v.all(v.worth.options[it.reward][it.option - 1]),
    c.UseTownsfolk: lambda v, it: _CONDITIONS[v.t.data.townsfolk[it.townsfolk].condition],
    c.ReturnWorker: lambda v, it: -1.0 - v.worth.workers[it.worker],
}
"""The score of each target and reward; 0 for others: keeping workers, or declining a reward."""


def _target(v: Valuation, command: Struct) -> float:
    score = _TARGETS.get(type(command))
    return score(v, command) if score else 0.0


BOTS = {"sensible": choose}
POLICY = CommandPolicy(scores, evaluate, lambda play: play.t.round.value)
