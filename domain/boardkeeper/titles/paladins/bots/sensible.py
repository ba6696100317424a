"""The sensible bot: it does what promises most points for its workers, looking one action ahead."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins.board import AreaView, Board, SeatView
from boardkeeper.titles.paladins.bots import worth
from boardkeeper.titles.paladins.data import ATTRIBUTES, RIGHT

_WORKER = 0.75
"""What a worker that is not used could still bring in this round."""


def choose(board: Board, seat: int, commands: Sequence[Struct]) -> Struct:
    """The most promising command of a seat; the first of several that are alike."""
    me = board.seats[seat - 1]
    return max(commands, key=lambda command: _VALUES[type(command)](board, me, command))


def _area(me: SeatView, action: str) -> AreaView:
    return next(area for area in me.areas if area.action == action)


# --- the round begins ------------------------------------------------------------------------------------------------


def _paladin(board: Board, me: SeatView, command: c.ChoosePaladin) -> float:
    return _of_paladin(board, me, command.paladin) + 0.4 * _of_paladin(board, me, command.top)


def _of_paladin(board: Board, me: SeatView, id: str) -> float:
    card = worth.facts().paladins[id]
    value = worth.of_all(board, me, card.workers)
    for attribute, points in card.bonus.items():
        lacking = max(0, 2 + board.round - worth.level(me, attribute))
        value += 0.5 * min(points, lacking) + 0.15 * points
    return value + (1.2 if card.free in RIGHT else 0.8)


def _tavern(board: Board, me: SeatView, command: c.TakeTavernCard) -> float:
    workers = worth.facts().tavern[command.tavern]
    colours = len(set(workers))
    risk = workers.count("criminal") * 0.15 * len(me.suspicion)
    return worth.of_all(board, me, workers) + 0.5 * workers.count("criminal") + 0.1 * colours - risk


# --- actions ---------------------------------------------------------------------------------------------------------


def _begin(board: Board, me: SeatView, command: c.BeginAction) -> float:
    area = _area(me, command.action)
    price = _WORKER * command.workers
    if area.action in RIGHT:
        goods = 0.4 * _price(me, area)
        return 2.6 + worth.of_next_time(board, me, area) + _best_target(board, me, area) - goods - price
    return _LEFT[area.action](board, me, command) - price


def _price(me: SeatView, area: AreaView) -> int:
    card = worth.facts().paladins.get(me.paladin)
    return 0 if card is not None and card.free == area.action else area.silver + area.provisions


def _best_target(board: Board, me: SeatView, area: AreaView) -> float:
    match area.action:
        case "commission" | "garrison":
            gained = worth.of_reward(board, me, "influence" if area.action == "commission" else "faith")
            return gained + 0.8
        case "fortify":
            return worth.of_reward(board, me, "strength") + 1.0
        case "absolve":
            return worth.of_all(board, me, ("faith", "discard_suspicion")) + 0.8
        case "attack":
            return worth.of_reward(board, me, "influence") + 0.9
        case _:
            return worth.of_reward(board, me, "strength") + 1.6


def _develop(board: Board, me: SeatView, command: c.BeginAction) -> float:
    done = 8 - len(me.workshops)
    return 2.0 + 6.0 * worth.left(board) + (1.5 if done >= 5 else 0.0) - 4 * 0.35


def _recruit(board: Board, me: SeatView, command: c.BeginAction) -> float:
    return 0.9 if command.workers == 1 else 1.0 + 2.4 * worth.left(board)


def _gather(board: Board, me: SeatView, command: c.BeginAction) -> float:
    reward = "provision" if command.action == "hunt" else "silver"
    return worth.of_reward(board, me, reward) * (3 if command.workers == 2 else 1) + 0.3


def _pray(board: Board, me: SeatView, command: c.BeginAction) -> float:
    ready = max((_worth_clearing(board, me, area) for area in me.areas if not area.open), default=0.0)
    spare = sum(me.workers.values()) >= 4
    return ready - 0.8 if spare else 0.0


def _worth_clearing(board: Board, me: SeatView, area: AreaView) -> float:
    if area.action in RIGHT:
        return 1.0 + worth.of_next_time(board, me, area)
    return 0.6


def _conspire(board: Board, me: SeatView, command: c.BeginAction) -> float:
    return 0.9 - 0.25 * len(me.suspicion) + 0.2 * worth.left(board)


_LEFT: Mapping[str, Callable[[Board, SeatView, c.BeginAction], float]] = {
    "develop": _develop,
    "recruit": _recruit,
    "hunt": _gather,
    "trade": _gather,
    "pray": _pray,
    "conspire": _conspire,
}


def _favour(board: Board, me: SeatView, command: c.UseFavour) -> float:
    card = worth.facts().favours[command.favour]
    value = worth.of_gain(board, me, card.gain)
    if card.choice:
        value += max(worth.of_gain(board, me, gain) for gain in card.choice.gains)
    return value - _WORKER - 0.4 * (card.silver + card.provisions)


def _place_worker(board: Board, me: SeatView, command: c.PlaceWorker) -> float:
    """What is held most often goes first, criminals last."""
    return (
        me.workers[command.worker]
        - worth.of_reward(board, me, command.worker) * (command.worker != "criminal")
        - (5 if command.worker == "criminal" else 0)
    )


def _pass(board: Board, me: SeatView, command: c.Pass) -> float:
    """Worth doing when nothing is left that brings more than keeping its workers would."""
    return 0.25 if sum(me.workers.values()) <= 3 else -0.5


def _return_worker(board: Board, me: SeatView, command: c.ReturnWorker) -> float:
    return -1.0 - worth.of_reward(board, me, command.worker)


def _keep(board: Board, me: SeatView, command: c.KeepWorkers) -> float:
    return 0.0


# --- targets ---------------------------------------------------------------------------------------------------------


def _hire(board: Board, me: SeatView, command: c.HireTownsfolk) -> float:
    card = worth.facts().townsfolk[command.townsfolk]
    uses = 0.6 if card.trigger in ("inquisition", "pay_debt") else 1.0
    often = 1.0 + 4.0 * worth.left(board) * uses
    lasting = often * 0.6 * worth.of_gain(board, me, card.reward)
    return lasting + worth.of_gain(board, me, card.instant) - _payment(board, command.townsfolk, command.payment)


def _discard(board: Board, me: SeatView, command: c.DiscardTownsfolk) -> float:
    card = worth.facts().townsfolk[command.townsfolk]
    return worth.of_gain(board, me, card.discard) - _payment(board, command.townsfolk, command.payment)


def _payment(board: Board, townsfolk: str, payment: str) -> float:
    if payment == "debt":
        return 2.5
    return 0.4 * next(place.silver for place in board.townsfolk if place.townsfolk == townsfolk) if payment else 0.0


def _workshop(board: Board, me: SeatView, command: c.PlaceWorkshop) -> float:
    area = _area(me, command.action)
    there = sum(1 for space in area.spaces if space.occupant == "workshop")
    wanted = sum(order.points for order in board.orders if order.order == command.action)
    return worth.of_next_time(board, me, area) + 0.15 * wanted - 0.8 * there + (0.3 if command.slot == 1 else 0.0)


def _clear(board: Board, me: SeatView, command: c.ClearArea) -> float:
    return _worth_clearing(board, me, _area(me, command.action))


def _space(board: Board, me: SeatView, command: c.PlaceMonk | c.PlaceOutpost) -> float:
    space = next(space for space in board.spaces if space.space == command.space)
    return worth.of_all(board, me, space.gains) + 0.01 * space.region


def _jar(board: Board, me: SeatView, command: c.PlaceJar) -> float:
    return worth.of_all(board, me, worth.facts().jar_kinds[command.space].gains)


def _attack(board: Board, me: SeatView, command: c.AttackOutsider) -> float:
    card = worth.facts().outsiders[command.outsider]
    at = next(at for at, place in enumerate(board.outsiders) if place.outsider == command.outsider)
    missing = max(0, board.outsiders[at].strength - worth.strength_of(me, "strength"))
    hunted = sum(1 for id in me.converted if worth.facts().outsiders[id].scores == card.suit)
    return worth.of_gain(board, me, card.attack) + hunted - 0.4 * ((missing + 1) // 2)


def _convert(board: Board, me: SeatView, command: c.ConvertOutsider) -> float:
    card = worth.facts().outsiders[command.outsider]
    return worth.of_gain(board, me, card.conversion) + _of_conversion(board, me, card.scores)


def _of_conversion(board: Board, me: SeatView, scores: str) -> float:
    """What a converted outsider will have scored at the end, as far as one can tell."""
    if scores in ATTRIBUTES:
        return (worth.level(me, scores) + 3 * worth.left(board)) / 4
    facts = worth.facts()
    match scores:
        case "saracen" | "byzantine" | "viking":
            return sum(1 for id in me.attacked if facts.outsiders[id].suit == scores) + 0.8 * worth.left(board)
        case "paid_debts":
            return me.paid_debts + 0.3
        case "unpaid_debts":
            return me.unpaid_debts + 0.2
        case "suspicion":
            return 0.7 * len(me.suspicion)
        case "orders":
            return 1.8
        case "mercenaries":
            return 2.0 + 2 * sum(1 for id in me.converted if facts.outsiders[id].scores == scores)
        case "hired":
            return (len(me.townsfolk) + 2 * worth.left(board)) / 2
        case "develop":
            return (8 - len(me.workshops) + 3 * worth.left(board)) / 2
        case _:
            return (_area(me, scores).times + 3 * worth.left(board)) / 2


# --- rewards ---------------------------------------------------------------------------------------------------------


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
    c.ChoosePaladin: _paladin,
    c.TakeTavernCard: _tavern,
    c.BeginAction: _begin,
    c.UseFavour: _favour,
    c.PlaceWorker: _place_worker,
    c.Pass: _pass,
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
