"""Estimated values of rewards and actions for a seat, in points at the end of the game.

The numbers of the estimates are in ``worth.toml``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from boardkeeper.titlekit.bots import Numbers
from boardkeeper.titlekit.title_files import read_toml
from boardkeeper.titles.paladins.data import (
    ATTRIBUTES,
    BIT,
    CRIMINAL,
    LAST_LEVEL,
    RIGHT,
    WORKERS,
    WORKSHOP,
    Data,
    Gain,
    Paladin,
)
from boardkeeper.titles.paladins.material import Area, Paladins, Seat

ROUNDS = 7
_TIMES = 7
"""How often a seat can carry out an action of the right side, except Attack."""
_MOST_GOODS = 60
_SUITS = frozenset({"saracen", "byzantine", "viking"})

FILE = read_toml("boardkeeper.titles.paladins", "worth.toml")

Rewards = tuple[str, ...]


def _flat(gain: Gain) -> Rewards:
    """Return all rewards of a gain."""
    return (*gain.immediate, *(kind for kind, count in gain.pending for _ in range(count)))


class Worth:
    """A set of numbers from ``worth.toml``, with the values that follow from it for the data of a setup.

    Lists are by the number of rounds after the current one.
    """

    def __init__(self, name: str, data: Data) -> None:
        table = FILE[name]
        self.n = n = Numbers(table["numbers"])
        self.workers: dict[str, float] = table["workers"]
        self.uses: dict[str, float] = table["townsfolk_uses"]
        self.risks: list[float] = FILE["risks"]
        self._choices = tuple(data.choices)
        lefts = range(ROUNDS + 1)
        self.action = [shrunk(table["actions"], left) for left in lefts]
        self._fixed = [shrunk(table["rewards"], left) for left in lefts]
        self.kept = [n.kept_worker if left else 0.0 for left in lefts]
        self.silver = [_goods(left, n.silver, n.silver_less, n.goods_at_the_end) for left in lefts]
        self.provision = [_goods(left, n.provision, n.provision_less, n.goods_at_the_end) for left in lefts]
        self.rewards = [self._rewards(left) for left in lefts]
        self.step = [{it: self._steps(data, it, left) for it in ATTRIBUTES} for left in lefts]
        self.next_time = [
            {(id, order): self._next_time(data, id, order, left) for id in RIGHT for order in (0, *data.order_points)}
            for left in lefts
        ]
        table_ = data.points["develop"]
        self.develop = [[_best_average(table_, done, left + 1) for done in range(len(table_))] for left in lefts]
        self.bonus = {id: _flat(paladin.bonus_gain) for id, paladin in data.paladins.items()} | {"": ()}
        self.attack = {id: _flat(card.attack) for id, card in data.outsiders.items()}
        self.reward = {id: _flat(card.reward) for id, card in data.townsfolk.items()}
        self.instant = {id: _flat(card.instant) for id, card in data.townsfolk.items()}
        self.discard = {id: _flat(card.discard) for id, card in data.townsfolk.items()}
        self.favour = {id: _flat(card.gain) for id, card in data.favours.items()}
        self.options = {id: tuple(map(_flat, choice.gains)) for id, choice in data.choices.items()}
        self.orders = {f"order_{id}": id for id in data.orders}
        self.colours = [[it for it in WORKERS if mask & BIT[it]] for mask in range(1 << len(WORKERS))]
        """The colours of workers in each mask."""

    def _rewards(self, left: int) -> dict[str, float]:
        """Return the values of rewards that do not depend on the table."""
        share = 1.0 if left else self.n.last_worker
        fixed = self._fixed[left] | {"pay_debt": 0.0, "destroy_debt": 0.0, "pray_action": self._fixed[left]["pray"]}
        return {it: share * worth for it, worth in self.workers.items()} | fixed | dict.fromkeys(self._choices, 0.0)

    def _steps(self, data: Data, attribute: str, left: int) -> list[float]:
        """Return the value of the next step on a track at each level."""
        n, points = self.n, data.attribute_points
        more = n.step_early * left / ROUNDS + self._fixed[left][attribute]
        steps = [
            n.step * _best_average(points, now, 2 + round(n.steps_a_round * left)) + more for now in range(LAST_LEVEL)
        ]
        return [*steps, 0.0]

    def _next_time(self, data: Data, id: str, order: int, left: int) -> list[float]:
        """Return the value of the next time of an action after each number of times, for its table and its order."""
        table = list(data.points.get(id) or [0] * (_TIMES + 1))
        points = [it + (order if times >= data.order_needs else 0) for times, it in enumerate(table)]
        more = self.action[left][id]
        values = [self.n.next_time * _best_average(points, it, 1 + left, self.n.sure) + more for it in range(_TIMES)]
        return values + [more] * len(data.outsiders)


def shrunk(table: Mapping[str, Sequence[float]], left: int) -> dict[str, float]:
    """Return the sum of each pair of numbers, of which the second shrinks with the number of rounds left."""
    return {id: constant + shrinking * left / ROUNDS for id, (constant, shrinking) in table.items()}


def _goods(left: int, first: float, less: float, end: float) -> list[float]:
    """Return the value of one more silver or provision, by how many a seat has."""
    return [max(end, first - less * has) if left else end for has in range(_MOST_GOODS)]


def _best_average(points: Sequence[int], now: int, far: int, sure: float = 1.0) -> float:
    """Return the highest average of points per step over the next steps, at most ``far``; later ones are discounted."""
    last = min(len(points) - 1, now + far)
    return max(
        (max(0.0, (points[to] - points[now]) / (to - now) * sure ** (to - now - 1)) for to in range(now + 1, last + 1)),
        default=0.0,
    )


worth_of = lru_cache(maxsize=64)(Worth)


class Valuation:
    """Values for one seat in the current state, with the paladin of this round or with another one."""

    def __init__(self, worth: Worth, t: Paladins, me: Seat) -> None:
        self.worth, self.n, self.t, self.me = worth, worth.n, t, me
        self.left = left = ROUNDS - t.round.value
        """Number of rounds after this one."""
        self.remaining = left / ROUNDS
        self.silver, self.provisions = me.silver.value, me.provisions.value
        values = worth.rewards[left].copy()
        self.values: dict[str, float] = values
        """The value of each reward."""
        values["silver"] = values["tax"] = self.one_silver = silver = worth.silver[left][self.silver]
        values["tax_2"] = 2 * silver
        values["provision"] = self.one_provision = worth.provision[left][self.provisions]
        self.level = {}
        for attribute, marker in me.attributes.items():
            self.level[attribute] = level = marker.value
            values[attribute] = worth.step[left][attribute][level]
        mine, others = len(me.suspicion.order), 0
        for side in t.seats:
            if side is not me and len(side.suspicion.order) > others:
                others = len(side.suspicion.order)
        risk = self._risk(mine, others)
        values["suspicion"] = more = risk - self._risk(mine + 1, others)
        values["discard_suspicion"] = risk - self._risk(mine - 1, others)
        values[CRIMINAL] += more + self.n.tax * silver
        if me.unpaid.items:
            values["pay_debt"], values["destroy_debt"] = self.n.pay_debt, self.n.destroy_debt
        self.follow: dict[str, float] = {}
        """The value of the rewards of the seat's townsfolk for each trigger."""
        for id in me.townsfolk.items:
            trigger = t.data.townsfolk[id].trigger
            self.follow[trigger] = self.follow.get(trigger, 0.0) + self.all(worth.reward[id])
        self.scored: dict[str, int] = {}
        """How many converted outsiders score for each thing."""
        for id in me.converted.items:
            scores = t.data.outsiders[id].scores
            self.scored[scores] = self.scored.get(scores, 0) + 1
        self.orders = {
            worth.orders[id]: at for place, at in zip(t.orders, t.data.order_points, strict=True) for id in place.items
        }
        self.spaces: dict[Rewards, float] = {}
        self.use_paladin(me.active_paladin())

    def use_paladin(self, paladin: Paladin) -> None:
        """Value actions with another paladin."""
        self.paladin = paladin
        bonus = paladin.bonus
        self.reach = {attribute: level + bonus[attribute] for attribute, level in self.level.items()}
        self.actions: dict[str, float | None] = {}
        self.prices: dict[str, tuple[int, int]] = {}

    def _risk(self, cards: int, others: int) -> float:
        """Return the expected loss in an inquisition; ``others`` is the highest number of cards of another seat."""
        if cards <= 0:
            return 0.0
        soon = 1.0 if self.left else 1.0 - 0.6 * self.t.tax.value / max(1, self.t.tax_full)
        lead = cards - others
        chance = self.worth.risks[0 if lead <= -2 else 3 if lead >= 1 else lead + 2]
        return self.n.condemned * chance * soon + self.n.suspicion_card * cards

    def all(self, rewards: Iterable[str]) -> float:
        """Return the sum of the values of rewards."""
        return sum(map(self.values.__getitem__, rewards))

    # --- actions of the right side ------------------------------------------------------------------------------------

    def uses(self) -> list[tuple[float, int]]:
        """Return the positive values of actions of the right side, less price and workers, with the mask of colours."""
        kept, found = self.worth.kept[self.left], []
        for area in self.me.right:
            value = self.action(area)
            if value is not None:
                filling = area.action.fillings[workshops(area)][0]
                silver, provisions = self.prices[area.id]
                value -= silver * self.one_silver + provisions * self.one_provision + kept * filling.workers
                if value > 0:
                    found.append((value, filling.colour_mask))
        return found

    def action(self, area: Area) -> float | None:
        """Return the value of an action of the right side with its best target, without its price.

        ``None``: attributes or targets do not allow it.
        """
        id = area.id
        if id not in self.actions:
            self.actions[id] = self._action(area)
        return self.actions[id]

    def _action(self, area: Area) -> float | None:
        id, t, done = area.id, self.t, self.me.times(area.id)
        self.prices[id] = self.paladin.price(id, done)
        if done >= _TIMES and id != "attack":
            return None
        value: float | None = None
        match id:
            case "absolve":
                if self.reach["influence"] >= t.data.jar_numbers[done]:
                    value = self._jar()
            case "fortify":
                if self.reach["influence"] >= area.action.thresholds[done] and t.walls.items:
                    value = self.values["strength"] + self.n.wall
            case "attack":
                value = max((self.attack(id, at) for id, at in self._row("strength", 2 * self.silver)), default=None)
            case "convert":
                value = max((self.conversion(id) for id, _ in self._row("faith")), default=None)
            case _:
                value = self._space(area.action.needs, "influence" if id == "commission" else "faith")
        if value is None:
            return None
        value += self.worth.next_time[self.left][id, self.orders.get(id, 0)][done] + self.follow.get(id, 0.0)
        if self.paladin.bonus_action == id:
            value += self.all(self.worth.bonus[self.paladin.id])
        return value + 0.5 * self.scored.get(id, 0)

    def _row(self, attribute: str, more: int = 0) -> Iterable[tuple[str, int]]:
        """Yield each outsider that an attribute reaches, and its place."""
        flags, reach = self.t.data.flags[attribute], self.reach[attribute] + more
        for at, place in enumerate(self.t.outsiders):
            if flags[at] > reach:
                return
            for id in place.items:
                yield id, at

    def _jar(self) -> float:
        jars, kinds = self.me.jar_spaces, self.t.data.jar_kinds.values()
        best = max([self.all(kind.gains) for kind in kinds if jars[kind.id].total() < kind.spaces], default=0.0)
        return best + self.values["faith"] + self.values["discard_suspicion"]

    def _space(self, attribute: str, raised: str) -> float | None:
        """Return the value of a monk or an outpost on the best free space, and of the attribute that it raises."""
        flags, reach, best, spaces = self.t.data.flags[attribute], self.reach[attribute], -1.0, self.spaces
        for space, pile in self.t.spaces:
            if flags[space.region - 1] > reach:
                break
            if not pile.items:
                value = spaces.get(space.gains)
                if value is None:
                    value = spaces[space.gains] = self.all(space.gains)
                if value > best:
                    best = value
        return best + self.values[raised] if best >= 0 else None

    def attack(self, outsider: str, at: int) -> float:
        """Return the value of attacking an outsider: its reward and the points for its suit, less the silver."""
        missing = self.t.data.flags["strength"][at] - self.reach["strength"]
        value = self.all(self.worth.attack[outsider]) + self.scored.get(self.t.data.outsiders[outsider].suit, 0)
        return value - self.one_silver * ((missing + 1) // 2) if missing > 0 else value

    def conversion(self, outsider: str) -> float:
        """Return the value of converting an outsider: strength and an estimate of its score."""
        card = self.t.data.outsiders[outsider]
        return self.all(card.conversion.immediate) + self.n.conversion * self._scoring(card.scores)

    def _scoring(self, scores: str) -> float:
        me, remaining = self.me, self.remaining
        if scores in ATTRIBUTES:
            return min(float(LAST_LEVEL), self.level[scores] + 7 * remaining) / 4
        if scores in _SUITS:
            return sum(1 for id in me.attacked.items if self.t.data.outsiders[id].suit == scores) + remaining
        match scores:
            case "paid_debts":
                return me.paid.total() + 0.5 * remaining
            case "unpaid_debts":
                return me.unpaid.total() + 0.2
            case "suspicion":
                return 0.7 * me.suspicion.total()
            case "orders":
                return 1.8
            case "mercenaries":
                return 2.0 + 2 * self.scored.get(scores, 0)
            case "hired":
                return (me.townsfolk.total() + 1.5 * remaining) / 2
            case "develop":
                return (8 - me.workshops.total() + 3 * remaining) / 2
            case _:
                return min(7.0, me.times(scores) + 4 * remaining) / 2

    # --- actions of the left side -------------------------------------------------------------------------------------

    def developing(self) -> float:
        """Return the value of Develop: the worker under the workshop, its best space and the points of the table."""
        row, kept = self.t.data.workshop_row, self.me.workshops.total()
        best = max((self.workshop(area) for area in self.me.right if workshops(area) < 3), default=0.0)
        done = len(row) - kept
        return self.worth.develop[self.left][done] + self.values[row[done]] + best + self.follow.get("develop", 0.0)

    def workshop(self, area: Area) -> float:
        """Return the value of a workshop on an action, which saves a worker at each expected use."""
        n = self.n
        still = _TIMES if area.id == "attack" else _TIMES - self.me.times(area.id)
        uses = min(still, n.workshop_uses * self.remaining + 0.5 * area.is_open())
        first = 1.0 if not workshops(area) else 0.9
        value = self.action(area)
        silver, provisions = self.prices[area.id]
        worthy = (n.unreachable if value is None else value) - 0.5 * (silver + provisions)
        return uses * (n.saved_worker * first + n.worthy_action * worthy)

    def hiring(self, townsfolk: str) -> float:
        """Return the value of hiring one of the townsfolk, without its price."""
        card, worth = self.t.data.townsfolk[townsfolk], self.worth
        uses = worth.uses.get(card.trigger, worth.uses["other"]) * self.remaining
        uses += self.n.use_at_once if self.left else 0.0
        hired = self.n.hired * self.scored.get("hired", 0)
        return uses * self.all(worth.reward[townsfolk]) + self.all(worth.instant[townsfolk]) + hired


def workshops(area: Area) -> int:
    """Return a bit mask of the spaces with a workshop."""
    return sum([1 << at for at, space in enumerate(area.spaces) if WORKSHOP in space.items])
