"""Offers: structs that replace legal commands in sentences, because the sentences show prices and rewards."""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins.data import ANY, RIGHT, UNDER_PIECES, Gain
from boardkeeper.titles.paladins.material import Paladins, Seat, Side
from boardkeeper.titles.paladins.phases import workers
from boardkeeper.titles.paladins.phases.verbs import attack


class ActionOffer(Struct, frozen=True, gc=False):
    """``BeginAction`` with its price and the rewards that do not depend on the target.

    ``kind`` is the number of workers for Recruit, where it decides between hiring and discarding; otherwise empty.
    """

    action: str
    workers: int
    kind: str
    silver: int
    provisions: int
    gains: tuple[str, ...]


class FavourOffer(Struct, frozen=True, gc=False):
    """``UseFavour`` with the worker that it needs and its price."""

    favour: str
    worker: str
    silver: int
    provisions: int


class WorkerOffer(Struct, frozen=True, gc=False):
    """``PlaceWorker`` with the colour that the worker replaces; empty if it replaces none."""

    worker: str
    instead_of: str


class HireOffer(Struct, frozen=True, gc=False):
    """``HireTownsfolk`` with the price, the reward and its trigger, and the immediate reward."""

    townsfolk: str
    silver: int
    debt: bool
    free: bool
    gains: tuple[str, ...]
    trigger: str
    condition: str
    instant: tuple[str, ...]


class DiscardOffer(Struct, frozen=True, gc=False):
    """``DiscardTownsfolk`` with the price and the reward."""

    townsfolk: str
    silver: int
    debt: bool
    free: bool
    gains: tuple[str, ...]


class AttackOffer(Struct, frozen=True, gc=False):
    """``AttackOutsider`` with the silver for missing strength, and the reward."""

    outsider: str
    silver: int
    gains: tuple[str, ...]


class ConvertOffer(Struct, frozen=True, gc=False):
    """``ConvertOutsider`` with the strength gained, and what the card scores for."""

    outsider: str
    gains: tuple[str, ...]
    scores: str


class OptionOffer(Struct, frozen=True, gc=False):
    """``ChooseReward`` with the rewards of the option."""

    gains: tuple[str, ...]


class ClearOffer(Struct, frozen=True, gc=False):
    """``ClearArea`` with the workers that would leave."""

    action: str
    workers: tuple[str, ...]


OFFERS: tuple[type[Struct], ...] = (
    ActionOffer, FavourOffer, WorkerOffer, HireOffer, DiscardOffer, AttackOffer, ConvertOffer, OptionOffer, ClearOffer,
)  # fmt: skip
"""All offers. Each has a sentence in ``words/*.toml``."""


def to_offer(t: Paladins, seat: Side, command: Struct) -> Struct:
    """Return the offer for a legal command, or the command if it needs no details."""
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
            when = (card.trigger, card.condition, _all_rewards(card.instant))
            return HireOffer(card.id, *_price(t, seat, command), card.rewards, *when)
        case c.DiscardTownsfolk():
            card = t.data.townsfolk[command.townsfolk]
            return DiscardOffer(card.id, *_price(t, seat, command), _all_rewards(card.discard))
        case c.AttackOutsider():
            at = t.index_in(t.outsiders, command.outsider)
            gains = _all_rewards(t.data.outsiders[command.outsider].attack)
            return AttackOffer(command.outsider, attack.cost(t, seat.level("strength"), at), gains)
        case c.ConvertOutsider():
            outsider = t.data.outsiders[command.outsider]
            return ConvertOffer(outsider.id, _all_rewards(outsider.conversion), outsider.scores)
        case c.ChooseReward():
            return OptionOffer(t.data.choices[command.reward].options[command.option - 1])
        case c.ClearArea():
            return ClearOffer(command.action, tuple(worker for _, worker in seat.areas[command.action].workers()))
        case _:
            return command


def _action(t: Paladins, seat: Seat, command: c.BeginAction) -> ActionOffer:
    id = command.action
    times = seat.times(id) if id in RIGHT else 0
    silver, provisions = seat.active_paladin().price(id, times)
    kind = str(command.workers) if id == "recruit" else ""
    return ActionOffer(id, command.workers, kind, silver, provisions, _certain_gains(t, id, command.workers))


def _certain_gains(t: Paladins, id: str, count: int) -> tuple[str, ...]:
    """Return the rewards of an action that depend neither on its target nor on paladins and townsfolk."""
    match id:
        case "hunt":
            return t.data.hunt[count].immediate
        case "trade":
            return t.data.trade[count].immediate
        case "conspire":
            return ("criminal",)
        case _:
            return _all_rewards(t.data.action_gains[id]) if id in UNDER_PIECES else ()


def _instead_of(t: Paladins, seat: Seat, worker: str) -> str:
    remaining, _ = workers.open_spaces(t, seat)
    requires = remaining[0][1]
    return "" if requires in (worker, ANY) else requires


def _price(t: Paladins, seat: Seat, command: c.HireTownsfolk | c.DiscardTownsfolk) -> tuple[int, bool, bool]:
    """Return the silver that townsfolk cost, whether the payment is a debt, and whether they are free."""
    if command.payment == "debt":
        return 0, True, False
    at = t.index_in(t.townsfolk, command.townsfolk)
    silver = seat.active_paladin().recruiting[at] if command.payment else 0
    return silver, False, not silver


def _all_rewards(gain: Gain) -> tuple[str, ...]:
    """Return all rewards of a gain, one entry each."""
    pending = [kind for kind, count in gain.pending for _ in range(count)]
    return (*gain.immediate, *(id for kind in pending for id in (("tax", "tax") if kind == "tax_2" else (kind,))))
