"""Estimated values of rewards and actions for a seat, in points at the end of the game.

Most numbers of the estimates are in ``worth.toml``.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from boardkeeper.titlekit.bots import Numbers
from boardkeeper.titlekit.title import Setup
from boardkeeper.titlekit.title_files import read_toml
from boardkeeper.titles.paladins.data import (
    ATTRIBUTES,
    CRIMINAL,
    RIGHT,
    WORKSHOP,
    Data,
    Gain,
    Paladin,
    data_for,
    nth_or_zero,
)
from boardkeeper.titles.paladins.material import Area, Paladins, Seat
from boardkeeper.titles.paladins.meta import META

ROUNDS = 7
_TIMES = 7
"""How often a seat can carry out an action of the right side, except Attack."""

_FILE = read_toml("boardkeeper.titles.paladins", "worth.toml")
_WORTH = Numbers(_FILE["numbers"])
_WORKERS: dict[str, float] = _FILE["workers"]
_GOODS: dict[str, tuple[float, float]] = _FILE["goods"]
_USES: dict[str, float] = _FILE["townsfolk_uses"]
_RISKS: list[float] = _FILE["risks"]


@lru_cache(maxsize=1)
def standard_data() -> Data:
    """Return the data of the default setup, which bots use in all games: other options change values only a little."""
    return data_for(Setup(META.default_edition, 2))


class Valuation:
    """Values for one seat in the current state, with the paladin of this round or with another one."""

    def __init__(self, t: Paladins, me: Seat, paladin: str = "") -> None:
        self.t, self.me, self.data = t, me, standard_data()
        self.paladin: Paladin = self.data.paladins.get(paladin or me.active_paladin().id, self.data.no_paladin)
        bonus = self.paladin.bonus if paladin else me.active_paladin().bonus
        self.level = {attribute: marker.value for attribute, marker in me.attributes.items()}
        self.reach = {attribute: level + bonus.get(attribute, 0) for attribute, level in self.level.items()}
        self.silver = me.silver.value
        self.rounds = ROUNDS - t.round.value
        """Number of rounds after this one."""
        self.remaining = self.rounds / ROUNDS
        """Share of the game after this round, from nearly 1 to 0."""
        self.outsiders = [(id, at) for at, place in enumerate(t.outsiders) for id in place.items]

    def times(self, area: Area) -> int:
        """Return how often the seat has carried out an action; 0 for the left side."""
        return self.me.times(area.id) if area.id in RIGHT else 0

    def price(self, area: Area) -> tuple[int, int]:
        """Return the silver and provisions that an action costs."""
        return self.paladin.price(area.id, self.times(area))

    def _needs(self, area: Area) -> int:
        """Return the attribute level that an action needs, or 0 if it depends on the target."""
        data = self.t.data
        return nth_or_zero(data.jar_numbers if area.id == "absolve" else area.action.thresholds, self.times(area))

    # --- workers, goods, suspicion ------------------------------------------------------------------------------------

    def worker(self, worker: str) -> float:
        """Return the value of a gained worker."""
        return _WORKERS[worker] * (_WORTH.worker if self.rounds else _WORTH.last_worker)

    def kept_worker(self) -> float:
        """Return the value of a worker that is not used in this round."""
        return _WORTH.kept_worker if self.rounds else 0.0

    def good(self, good: str) -> float:
        """Return the value of a silver or a provision."""
        if not self.rounds:
            return _WORTH.goods_at_the_end
        first, less = _GOODS[good]
        has = self.silver if good == "silver" else self.me.provisions.value
        return max(_WORTH.goods_at_the_end, first - less * has)

    def criminals(self, criminals: int) -> float:
        """Return the value of the suspicion cards and taxes that a number of gained criminals cause."""
        return _WORTH.tax * criminals * self.good("silver") + self._suspicion(criminals)

    def _suspicion(self, more: int) -> float:
        """Return the value of ``more`` suspicion cards: negative for more cards, positive for fewer."""
        others = max((side.suspicion.total() for side in self.t.seats if side is not self.me), default=0)
        now = self.me.suspicion.total()
        return self._risk(now, others) - self._risk(now + more, others)

    def _risk(self, cards: int, others: int) -> float:
        """Return the expected loss in an inquisition; ``others`` is the highest number of cards of another seat."""
        if cards <= 0:
            return 0.0
        chance = _RISKS[max(-2, min(1, cards - others)) + 2]
        soon = 1.0 if self.rounds else 1.0 - 0.6 * self.t.tax.value / max(1, self.t.tax_full)
        return _WORTH.condemned * chance * soon + 0.1 * cards

    # --- rewards ------------------------------------------------------------------------------------------------------

    def reward(self, reward: str) -> float:
        """Return the value of one reward."""
        if reward in ATTRIBUTES:
            return self._step(reward)
        if reward in _WORKERS:
            return self.worker(reward) + (self.criminals(1) if reward == CRIMINAL else 0.0)
        match reward:
            case "silver" | "provision":
                return self.good(reward)
            case "tax" | "tax_2":
                return (2 if reward == "tax_2" else 1) * self.good("silver")
            case "suspicion" | "discard_suspicion":
                return self._suspicion(1 if reward == "suspicion" else -1)
            case "pay_debt" | "destroy_debt":
                return (4.0 if reward == "pay_debt" else 3.0) if self.me.unpaid.items else 0.0
            case "take_debt":
                return self.remaining - 2.4
            case "pray" | "pray_action":
                return self._prayer()
            case "free_recruit":
                return 0.4 + 2.4 * self.remaining
            case "free_develop":
                return 0.5 + 3.5 * self.remaining
            case _:
                return 0.0

    def all(self, rewards: Iterable[str]) -> float:
        """Return the sum of the values of rewards."""
        return sum(map(self.reward, rewards))

    def gain(self, gain: Gain) -> float:
        """Return the value of a gain."""
        return self.all(gain.immediate) + sum(count * self.reward(kind) for kind, count in gain.pending)

    def _step(self, attribute: str) -> float:
        """Return the value of a step on a track: its share of the reachable points, and the actions that it enables."""
        points, now = self.data.attribute_points, self.level[attribute]
        far = min(len(points) - 1, now + 2 + round(_WORTH.steps_a_round * self.rounds))
        if now >= far:
            return 0.0
        best = max((points[to] - points[now]) / (to - now) for to in range(now + 1, far + 1))
        next_ = self.reach[attribute] + 1
        areas = (area for area in self.me.right if area.action.needs == attribute and area.is_open())
        in_reach = sum(1 for area in areas if self._needs(area) == next_)
        return _WORTH.step * best + 0.3 * self.remaining + _WORTH.in_reach * in_reach

    def _prayer(self) -> float:
        """Return the value of clearing the best area, if the seat has the workers to use it again."""
        best = 0.0
        for area in self.me.right:
            asked = len(required_workers(area))
            used = not area.is_open() or area.id == self.t.action.value
            if used and asked <= self.me.workers.total() and self.is_possible(area):
                best = max(best, _WORTH.again + self._next_time(area) - asked * self.kept_worker())
        return best

    # --- actions of the right side ------------------------------------------------------------------------------------

    def is_possible(self, area: Area) -> bool:
        """Return whether attributes and targets allow an action of the right side."""
        if area.id != "attack" and self.times(area) >= _TIMES:
            return False
        match area.id:
            case "fortify" | "absolve":
                has_target = area.id == "absolve" or bool(self.t.walls.items)
                return has_target and self.reach[area.action.needs] >= self._needs(area)
            case "attack":
                return bool(self._to_attack())
            case "convert":
                return bool(self._to_convert())
            case _:
                return bool(self._gains_in_reach(area))

    def _to_attack(self) -> list[str]:
        flags, reach = self.t.data.flags["strength"], self.reach["strength"] + 2 * self.silver
        return [id for id, at in self.outsiders if flags[at] <= reach]

    def _to_convert(self) -> list[str]:
        return [id for id, at in self.outsiders if self.t.data.flags["faith"][at] <= self.reach["faith"]]

    def _gains_in_reach(self, area: Area) -> set[tuple[str, ...]]:
        """Return the rewards of the spaces that a monk or an outpost can go to."""
        flags = self.data.flags["faith"] if area.action.needs == "faith" else self.data.flags["strength"]
        return {space.gains for space in self.t.free_spaces(flags, self.reach[area.action.needs])}

    def action(self, area: Area) -> float:
        """Return the value of an action of the right side with its best target, without its price."""
        worth = self._next_time(area) + self._target(area) + self._following(area.id)
        if self.paladin.bonus_action == area.id:
            worth += self.gain(self.paladin.bonus_gain)
        return worth + 0.5 * self._scored_by(area.id)

    def _scored_by(self, scores: str) -> int:
        """Return how many converted outsiders score for ``scores``."""
        return sum(1 for id in self.me.converted.items if self.data.outsiders[id].scores == scores)

    def _following(self, action: str) -> float:
        """Return the value of the rewards of the seat's townsfolk for an action."""
        cards = (self.data.townsfolk[id] for id in sorted(self.me.townsfolk.items))
        return sum(self.gain(card.reward) for card in cards if card.trigger == action)

    def _next_time(self, area: Area) -> float:
        """Return the value of carrying out an action once for its scoring table and its King's Order.

        It is the highest average of points per time over the times that the seat can still reach. Averages over more
        times are discounted.
        """
        done, t = self.times(area), self.t
        at = t.index_in(t.orders, f"order_{area.id}")
        order = t.data.order_points[at] if at >= 0 else 0
        table = self.data.points.get(area.id) or (0,) * (_TIMES + 1)
        best = 0.0
        for times in range(done + 1, min(_TIMES, done + 1 + self.rounds) + 1):
            points = table[times] - table[done] + (order if done < self.data.order_needs <= times else 0)
            best = max(best, points / (times - done) * _WORTH.sure ** (times - done - 1))
        return 0.9 * best

    def _target(self, area: Area) -> float:
        match area.id:
            case "fortify":
                return self.reward("strength") + _WORTH.wall
            case "absolve":
                kinds = self.t.data.jar_kinds.values()
                free = (kind for kind in kinds if self.me.jar_spaces[kind.id].total() < kind.spaces)
                return self.all(("faith", "discard_suspicion")) + max((self.all(it.gains) for it in free), default=0.0)
            case "attack":
                return max(map(self.attack, self._to_attack()), default=0.0)
            case "convert":
                return max(map(self.conversion, self._to_convert()), default=0.0)
            case _:
                raised = self.reward("influence" if area.id == "commission" else "faith")
                return raised + max(map(self.all, self._gains_in_reach(area)), default=0.0)

    def attack(self, outsider: str) -> float:
        """Return the value of attacking an outsider: its reward and the points for its suit, less the silver."""
        card, at = self.data.outsiders[outsider], self.t.index_in(self.t.outsiders, outsider)
        missing = max(0, self.t.data.flags["strength"][at] - self.reach["strength"])
        return self.gain(card.attack) + self._scored_by(card.suit) - self.good("silver") * ((missing + 1) // 2)

    def conversion(self, outsider: str) -> float:
        """Return the value of converting an outsider: strength and an estimate of its score."""
        card = self.data.outsiders[outsider]
        return self.gain(card.conversion) + 1.1 * self._scoring(card.scores)

    def _scoring(self, scores: str) -> float:
        me, remaining = self.me, self.remaining
        if scores in ATTRIBUTES:
            return min(12.0, self.level[scores] + 7 * remaining) / 4
        match scores:
            case "saracen" | "byzantine" | "viking":
                return sum(1 for id in me.attacked.items if self.data.outsiders[id].suit == scores) + remaining
            case "paid_debts":
                return me.paid.total() + 0.5 * remaining
            case "unpaid_debts":
                return me.unpaid.total() + 0.2
            case "suspicion":
                return 0.7 * me.suspicion.total()
            case "orders":
                return 1.8
            case "mercenaries":
                return 2.0 + 2 * self._scored_by(scores)
            case "hired":
                return (me.townsfolk.total() + 1.5 * remaining) / 2
            case "develop":
                return (8 - me.workshops.total() + 3 * remaining) / 2
            case _:
                return min(7.0, me.times(scores) + 4 * remaining) / 2

    # --- actions of the left side -------------------------------------------------------------------------------------

    def developing(self) -> float:
        """Return the value of Develop: the worker under the workshop, its best space and the points of the table."""
        table: tuple[int, ...] = self.data.points["develop"]
        kept, row = self.me.workshops.total(), self.t.data.workshop_row
        done = len(table) - 1 - kept
        far = min(len(table) - 1, done + 1 + self.rounds)
        points: float = max((table[to] - table[done]) / (to - done) for to in range(done + 1, far + 1))
        best = max((self.workshop(area) for area in self.me.right if len(required_workers(area)) > 1), default=0.0)
        return points + self.worker(row[len(row) - kept]) + best + self._following("develop")

    def workshop(self, area: Area) -> float:
        """Return the value of a workshop on an action, which saves a worker at each expected use."""
        still = _TIMES if area.id == "attack" else _TIMES - self.times(area)
        uses = min(still, _WORTH.workshop_uses * self.remaining + 0.5 * area.is_open())
        first = 1.0 if len(required_workers(area)) == len(area.spaces) else 0.9
        action = self.action(area) - 0.5 * sum(self.price(area))
        return uses * (_WORTH.saved_worker * first + _WORTH.worthy_action * action)

    def hiring(self, townsfolk: str) -> float:
        """Return the value of hiring one of the townsfolk, without its price."""
        card = self.data.townsfolk[townsfolk]
        uses = _USES.get(card.trigger, _USES["other"]) * self.remaining + (0.3 if self.rounds else 0.0)
        return uses * self.gain(card.reward) + self.gain(card.instant) + 0.5 * self._scored_by("hired")

    def discarding(self, townsfolk: str) -> float:
        """Return the value of discarding one of the townsfolk, without its price."""
        return self.gain(self.data.townsfolk[townsfolk].discard)


def required_workers(area: Area) -> list[str]:
    """Return the workers that the spaces of an action without a workshop need."""
    slots = zip(area.action.slots, area.spaces, strict=True)
    return [slot for slot, space in slots if WORKSHOP not in space.items]
