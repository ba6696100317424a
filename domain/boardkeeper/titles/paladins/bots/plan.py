"""What a seat could do with its workers in a round, and the best of it together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from boardkeeper.titles.paladins.bots.outlook import Outlook, slots_asked
from boardkeeper.titles.paladins.commands import BeginAction, UseFavour
from boardkeeper.titles.paladins.data import ANY, CRIMINAL, LEFT, WORKERS
from boardkeeper.titles.paladins.material import Seat

_LOOKS = 400
"""How many combinations are looked at, at most; the best ones come early."""

_CLERIC = "cleric"


class Deed(NamedTuple):
    """Something to do: how it is begun, the workers that it asks for, and what it is worth beyond all that it costs.

    ``place`` is where its workers stand, so that nothing else can be done there. Silver, provisions and criminals are
    what it brings, or, if negative, what it costs.
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
        """The colours of workers that it asks for."""
        return [slot for slot in self.slots if slot != ANY]

    @property
    def is_source(self) -> bool:
        """Whether it brings what others cost."""
        return self.silver > 0 or self.provisions > 0 or self.criminals > 0


def deeds(outlook: Outlook) -> list[Deed]:
    """All that a seat could do in this round, if workers and goods suffice: the best for each worker first.

    What only brings something for others comes last.
    """
    found: list[Deed] = []
    for deed in (*_of_left_side(outlook), *_of_right_side(outlook), *_of_favours(outlook)):
        costs = len(deed.slots) * outlook.kept_worker()
        gains = deed.silver * outlook.good("silver") + deed.provisions * outlook.good("provision")
        found.append(deed._replace(worth=deed.worth + gains - costs))
    found = [deed for deed in found if deed.worth > 0 or deed.is_source]
    return sorted(found, key=lambda deed: (deed.is_source, -deed.worth / len(deed.slots)))


def _of_right_side(outlook: Outlook) -> Iterator[Deed]:
    """Each action, or a prayer for its area and the action after it."""
    prayer = outlook.me.areas["pray"]
    for area in outlook.me.right:
        slots = slots_asked(area)
        if not slots or not outlook.is_possible(area):
            continue
        silver, provisions = outlook.price(area)
        gain = outlook.action(area)
        if area.is_open():
            yield Deed(BeginAction(area.id, len(slots)), area.id, slots, gain, -silver, -provisions)
        elif prayer.is_open():
            silver += outlook.price(prayer)[0]
            yield Deed(BeginAction("pray", 1), "pray", [_CLERIC, *slots], gain, -silver, -provisions)


def _of_left_side(outlook: Outlook) -> Iterator[Deed]:
    paladin = outlook.paladin
    for action in LEFT:
        area = outlook.me.areas[action]
        if not area.is_open():
            continue
        one, two = BeginAction(action, 1), BeginAction(action, 2)
        more = len(paladin.bonus_gain.plain) if paladin.bonus_action == action else 0
        match action:
            case "develop" if outlook.me.workshops.items:
                yield Deed(two, action, [ANY, ANY], outlook.developing(), -outlook.price(area)[0])
            case "hunt":
                yield Deed(one, action, [ANY], 0.0, 0, 1 + more)
                yield Deed(two, action, [ANY, "scout"], 0.0, 0, 3 + more)
            case "trade":
                yield Deed(one, action, [ANY], 0.0, 1 + more)
                yield Deed(two, action, [ANY, "merchant"], 0.0, 3 + more)
            case "conspire":
                yield Deed(one, action, [ANY], outlook.criminals(1) + outlook.kept_worker(), more, 0, 1)
            case "recruit":
                yield from _recruiting(outlook)
            case _:
                pass


def _recruiting(outlook: Outlook) -> Iterator[Deed]:
    """The best of the townsfolk that can be paid for, to discard and to hire."""
    costs = zip(outlook.t.townsfolk, outlook.paladin.recruiting, strict=True)
    prices = {id: cost for place, cost in costs for id in place.items if cost <= outlook.silver}
    for slots, value in (([ANY], outlook.discarding), ([ANY, "fighter"], outlook.hiring)):
        gains = {id: value(id) for id in prices}
        if gains:
            best = max(gains, key=lambda id: gains[id] - prices[id] * outlook.good("silver"))
            yield Deed(BeginAction("recruit", len(slots)), "recruit", slots, gains[best], -prices[best])


def _of_favours(outlook: Outlook) -> Iterator[Deed]:
    for place, worker in zip(outlook.t.favours, outlook.t.favour_workers, strict=True):
        for id in () if worker.items else place.items:
            card = outlook.data.favours[id]
            gain = outlook.gain(card.gain)
            gain += max(map(outlook.gain, card.choice.gains)) if card.choice else 0.0
            yield Deed(UseFavour(id), id, [card.worker], gain, -card.silver, -card.provisions)


# --- the best together -----------------------------------------------------------------------------------------------


class Plan(NamedTuple):
    """Deeds for which workers and goods suffice, and what they are worth together."""

    worth: float
    deeds: tuple[Deed, ...]


def best(choices: Sequence[Deed], me: Seat, workers: Mapping[str, int]) -> Plan:
    """The most rewarding of what a seat can do together with its goods and so many workers."""
    search = _Search(choices, workers)
    search.go_on(0, sum(workers.values()), workers.get(CRIMINAL, 0), me.silver.value, me.provisions.value, 0.0)
    return search.found


class _Search:
    """Takes or leaves one deed after the other, and gives up where the rest cannot better what was found.

    What is lacking may be brought by a source that comes later; only what lacks nothing in the end is a plan.
    """

    def __init__(self, choices: Sequence[Deed], workers: Mapping[str, int]) -> None:
        self.choices = choices
        self.spare = {colour: workers.get(colour, 0) for colour in WORKERS} | {CRIMINAL: 0}
        """Workers of each colour that are left, or, if negative, how many criminals stand in for it."""
        self.most_silver = sum(max(0, deed.silver) for deed in choices)
        self.most_provisions = sum(max(0, deed.provisions) for deed in choices)
        self.most_criminals = sum(deed.criminals for deed in choices)
        self.hopes = [0.0]
        """What all deeds from one on are worth."""
        for deed in reversed(choices):
            self.hopes.insert(0, self.hopes[0] + max(0.0, deed.worth))
        self.found = Plan(0.0, ())
        self.looks = 0
        self.taken: list[Deed] = []
        self.places: set[str] = set()

    def go_on(self, at: int, workers: int, criminals: int, silver: int, provisions: int, value: float) -> None:
        """Look at all that can be added from a deed on to what is taken; so many workers and goods are left."""
        self.looks += 1
        if value > self.found.worth and criminals >= 0 and silver >= 0 and provisions >= 0:
            self.found = Plan(value, tuple(self.taken))
        for index in range(at, len(self.choices)):
            if value + self.hopes[index] <= self.found.worth or self.looks >= _LOOKS:
                return
            deed = self.choices[index]
            if (
                len(deed.slots) > workers
                or deed.place in self.places
                or silver + deed.silver + self.most_silver < 0
                or provisions + deed.provisions + self.most_provisions < 0
            ):
                continue
            left = criminals + deed.criminals - self._take(deed)
            if left + self.most_criminals >= 0:
                workers_left = workers - len(deed.slots) + deed.criminals
                goods = silver + deed.silver, provisions + deed.provisions
                self.go_on(index + 1, workers_left, left, *goods, value + deed.worth)
            self._put_back(deed)

    def _take(self, deed: Deed) -> int:
        """Take a deed; how many criminals have to stand in for others."""
        self.taken.append(deed)
        self.places.add(deed.place)
        criminals = 0
        for colour in deed.slots:
            if colour != ANY:
                criminals += self.spare[colour] <= 0
                self.spare[colour] -= 1
        return criminals

    def _put_back(self, deed: Deed) -> None:
        self.taken.pop()
        self.places.discard(deed.place)
        for colour in deed.slots:
            if colour != ANY:
                self.spare[colour] += 1
