"""The decisions of Paladins with the functions that list and carry out their commands."""

from __future__ import annotations

from boardkeeper.titlekit.bound_title import BoundPlay, Rules
from boardkeeper.titlekit.turn_flow import CommandDispatcher, Decisions
from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins import offers, scoring, setup
from boardkeeper.titles.paladins.board import Board
from boardkeeper.titles.paladins.board_view import board_of
from boardkeeper.titles.paladins.material import Paladins, known_ids
from boardkeeper.titles.paladins.phases import actions, inquisition, paladins, rewards, tavern, workers
from boardkeeper.titles.paladins.phases.verbs import absolve, attack, board_pieces, convert, develop, pray, recruit

DECISIONS: Decisions = {
    "first_townsfolk": (recruit.legal_first_townsfolk, {c.HireTownsfolk: recruit.hire_first_townsfolk}),
    "paladin": (paladins.legal, {c.ChoosePaladin: paladins.choose}),
    "tavern": (tavern.legal, {c.TakeTavernCard: tavern.take}),
    "act": (actions.legal_act, {
        c.BeginAction: actions.begin_action,
        c.UseFavour: actions.use_favour,
        c.Pass: actions.pass_turn,
    }),
    "keep": (actions.legal_keep, {c.ReturnWorker: actions.return_worker, c.KeepWorkers: actions.keep_workers}),
    "workers": (workers.legal, {c.PlaceWorker: workers.place}),
    "develop": (develop.legal, {c.PlaceWorkshop: develop.place}),
    "recruit": (recruit.legal, {c.HireTownsfolk: recruit.recruit, c.DiscardTownsfolk: recruit.recruit}),
    "commission": (board_pieces.legal, {c.PlaceMonk: board_pieces.place}),
    "garrison": (board_pieces.legal, {c.PlaceOutpost: board_pieces.place}),
    "absolve": (absolve.legal, {c.PlaceJar: absolve.place}),
    "attack": (attack.legal, {c.AttackOutsider: attack.attack}),
    "convert": (convert.legal, {c.ConvertOutsider: convert.convert}),
    "reward": (rewards.legal, {
        c.TakeReward: rewards.take,
        c.ForgoReward: rewards.forgo,
        c.ChooseReward: rewards.choose,
        c.ClearArea: pray.clear,
        c.HireTownsfolk: recruit.take_for_free,
        c.DiscardTownsfolk: recruit.take_for_free,
        c.PlaceWorkshop: develop.place,
    }),
    "inquisition": (inquisition.legal, {c.UseTownsfolk: inquisition.use}),
}  # fmt: skip
"""For each decision: the function that lists its commands, and the functions that carry them out."""


class PaladinsPlay(BoundPlay[Paladins, Board]):
    """The rules of Paladins on one table (see :class:`boardkeeper.titlekit.title.Play`)."""

    __slots__ = ()

    dispatcher = CommandDispatcher(DECISIONS, known_ids=lambda t: known_ids(t.data))

    rules = Rules(setup.set_up, offers.to_offer, board_of, scoring.lines, scoring.standings)
