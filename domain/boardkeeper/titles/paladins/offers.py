"""Commands as they are offered to a seat: with what they cost and bring, where the command alone would not say it.

A command names an action or a card; the person who chooses wants to know the price and the gain.
"""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins.data import ANY, RIGHT, UNDER_PIECES, Gain
from boardkeeper.titles.paladins.material import Paladins, Seat, Side
from boardkeeper.titles.paladins.phases import workers
from boardkeeper.titles.paladins.phases.verbs import attack


class ActionOffer(Struct, frozen=True, gc=False):
    """``BeginAction``: its price, and what is certain to come of it.

    ``kind`` is the number of workers for Recruit, where they decide what is done, else empty.
    """

    action: str
    workers: int
    kind: str
    silver: int
    provisions: int
    gains: tuple[str, ...]


class FavourOffer(Struct, frozen=True, gc=False):
    """``UseFavour``: the worker that it asks for, and its price."""

    favour: str
    worker: str
    silver: int
    provisions: int


class WorkerOffer(Struct, frozen=True, gc=False):
    """``PlaceWorker``: in place of which colour, if the worker is not of it (else empty)."""

    worker: str
    instead_of: str


class HireOffer(Struct, frozen=True, gc=False):
    """``HireTownsfolk``: the price, what the card brings and when, and what it brings at once."""

    townsfolk: str
    silver: int
    debt: bool
    free: bool
    gains: tuple[str, ...]
    trigger: str
    condition: str
    instant: tuple[str, ...]


class DiscardOffer(Struct, frozen=True, gc=False):
    """``DiscardTownsfolk``: the price and the reward."""

    townsfolk: str
    silver: int
    debt: bool
    free: bool
    gains: tuple[str, ...]


class AttackOffer(Struct, frozen=True, gc=False):
    """``AttackOutsider``: the silver for missing strength, and the reward."""

    outsider: str
    silver: int
    gains: tuple[str, ...]


class ConvertOffer(Struct, frozen=True, gc=False):
    """``ConvertOutsider``: the strength that it brings, and what it counts for at the end."""

    outsider: str
    gains: tuple[str, ...]
    scores: str


class OptionOffer(Struct, frozen=True, gc=False):
    """``ChooseReward``: what the option gives."""

    gains: tuple[str, ...]


class ClearOffer(Struct, frozen=True, gc=False):
    """``ClearArea``: the workers that would go."""

    action: str
    workers: tuple[str, ...]


OFFERS: tuple[type[Struct], ...] = (
    ActionOffer, FavourOffer, WorkerOffer, HireOffer, DiscardOffer, AttackOffer, ConvertOffer, OptionOffer, ClearOffer,
)  # fmt: skip
"""Every offer that is told in words of its own."""


def offered(t: Paladins, seat: Side, command: Struct) -> Struct:
    """A legal command as it is offered to a seat; itself if it says everything."""
    if not isinstance(seat, Seat):
        return command
    match command:
        case c.BeginAction():
            return _action(t, seat, command)
        case c.UseFavour():
            favour = t.data.favours[command.favour]
            return FavourOffer(favour.id, favour.worker, favour.silver, favour.provisions)
        case c.PlaceWorker():
            return WorkerOffer(command.worker, _instead_of(t, seat, command.worker))
        case c.HireTownsfolk():
            card = t.data.townsfolk[command.townsfolk]
            when = (card.trigger, card.condition, _printed(card.instant))
            return HireOffer(card.id, *_price(t, seat, command), card.rewards, *when)
        case c.DiscardTownsfolk():
            card = t.data.townsfolk[command.townsfolk]
            return DiscardOffer(card.id, *_price(t, seat, command), _printed(card.discard))
        case c.AttackOutsider():
            at = t.place_of(t.outsiders, command.outsider)
            gains = _printed(t.data.outsiders[command.outsider].attack)
            return AttackOffer(command.outsider, attack.cost(t, seat.level("strength"), at), gains)
        case c.ConvertOutsider():
            outsider = t.data.outsiders[command.outsider]
            return ConvertOffer(outsider.id, _printed(outsider.conversion), outsider.scores)
        case c.ChooseReward():
            return OptionOffer(t.data.choices[command.reward].options[command.option - 1])
        case c.ClearArea():
            return ClearOffer(command.action, tuple(worker for _, worker in seat.areas[command.action].workers()))
        case _:
            return command


def _action(t: Paladins, seat: Seat, command: c.BeginAction) -> ActionOffer:
    id = command.action
    times = seat.times(id) if id in RIGHT else 0
    silver, provisions = seat.card().price(id, times)
    kind = str(command.workers) if id == "recruit" else ""
    return ActionOffer(id, command.workers, kind, silver, provisions, _gains(t, id, command.workers))


def _gains(t: Paladins, id: str, count: int) -> tuple[str, ...]:
    """What an action brings whatever its target, apart from paladin and townsfolk."""
    match id:
        case "hunt":
            return t.data.hunt[count].plain
        case "trade":
            return t.data.trade[count].plain
        case "conspire":
            return ("criminal",)
        case _:
            return _printed(t.data.action_gains[id]) if id in UNDER_PIECES else ()


def _instead_of(t: Paladins, seat: Seat, worker: str) -> str:
    left, _ = workers.left_to_fill(t, seat)
    asked = left[0][1]
    return "" if asked in (worker, ANY) else asked


def _price(t: Paladins, seat: Seat, command: c.HireTownsfolk | c.DiscardTownsfolk) -> tuple[int, bool, bool]:
    """The silver that townsfolk cost, whether a debt does, and whether nothing does."""
    if command.payment == "debt":
        return 0, True, False
    at = t.place_of(t.townsfolk, command.townsfolk)
    silver = seat.card().recruiting[at] if command.payment else 0
    return silver, False, not silver


def _printed(gain: Gain) -> tuple[str, ...]:
    """All that a reward gives, one entry each."""
    dues = [kind for kind, count in gain.dues for _ in range(count)]
    return (*gain.plain, *(id for kind in dues for id in (("tax", "tax") if kind == "tax_2" else (kind,))))
