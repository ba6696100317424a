"""All commands of a game (see :class:`boardkeeper.titlekit.command_space.EnumerableTitle`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from msgspec import Struct

from boardkeeper.titlekit.command_space import each_of
from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins.data import ACTIONS, DEBT, RIGHT, WORKERS, Data
from boardkeeper.titles.paladins.phases.rewards import MANDATORY, TARGETED
from boardkeeper.titles.paladins.phases.verbs.develop import WORKSHOP_SPACES
from boardkeeper.titles.paladins.phases.verbs.recruit import SILVER


def command_space(data: Data, players: int) -> Sequence[Struct]:
    """Return every command of a game with this data and number of seats."""
    return [
        *(c.ChoosePaladin(*pair) for pair in permutations(data.paladins, 2)),
        *each_of(c.TakeTavernCard, data.tavern),
        *_begin_actions(data),
        *each_of(c.UseFavour, data.favours),
        *data.place.values(),
        c.Pass(),
        *each_of(c.ReturnWorker, WORKERS),
        c.KeepWorkers(),
        *_recruit(data),
        *each_of(c.PlaceWorkshop, RIGHT, WORKSHOP_SPACES),
        *each_of(c.ClearArea, ACTIONS),
        *_place_pieces(data, 1 if data.is_solo else players),
        *each_of(c.AttackOutsider, data.outsiders),
        *each_of(c.ConvertOutsider, data.outsiders),
        *_rewards(data),
        *(c.UseTownsfolk(id) for id, card in data.townsfolk.items() if card.trigger == "inquisition"),
    ]


def _begin_actions(data: Data) -> Iterator[Struct]:
    """Yield each action with each number of workers: workshops reduce the number."""
    for action in data.actions.values():
        yield from dict.fromkeys(filling.begin for each in action.fillings.values() for filling in each)


def _recruit(data: Data) -> Iterator[Struct]:
    """Yield hiring and discarding with each payment; an empty one is for free recruits and the first townsfolk."""
    yield from each_of(c.HireTownsfolk, data.townsfolk, (SILVER, DEBT, ""))
    payments = [SILVER]
    if data.readings.debt_for_discard == "allowed":
        payments.append(DEBT)
    if data.readings.free_recruit == "hire_or_discard":
        payments.append("")
    yield from each_of(c.DiscardTownsfolk, data.townsfolk, payments)


def _place_pieces(data: Data, people: int) -> Iterator[Struct]:
    spaces = [space.id for space in data.spaces(people)]
    yield from each_of(c.PlaceMonk, spaces)
    yield from each_of(c.PlaceOutpost, spaces)
    yield from each_of(c.PlaceJar, data.jar_kinds)


def _rewards(data: Data) -> Iterator[Struct]:
    kinds = [kind for kind in data.reward_kinds if kind not in data.choices]
    yield from (c.TakeReward(kind) for kind in kinds if kind not in TARGETED and kind != "suspicion")
    for choice in data.choices.values():
        yield from each_of(c.ChooseReward, (choice.id,), range(1, len(choice.options) + 1))
    yield from (c.ForgoReward(kind) for kind in kinds if kind not in MANDATORY)
