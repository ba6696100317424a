"""One table of Paladins being played: from an open decision to the function that takes it."""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.table.course import Decide, Desk, Legal
from boardkeeper.titlekit.bound import BoundPlay, Rules
from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins import offers, scoring, setup
from boardkeeper.titles.paladins.board import Board
from boardkeeper.titles.paladins.board_view import board_of
from boardkeeper.titles.paladins.material import Paladins, known_ids
from boardkeeper.titles.paladins.phases import actions, inquisition, paladins, rewards, tavern, workers
from boardkeeper.titles.paladins.phases.verbs import absolve, attack, board_pieces, convert, develop, pray, recruit

DECIDE: dict[tuple[str, type[Struct]], Decide] = {
    ("first_townsfolk", c.HireTownsfolk): recruit.hire_first,
    ("paladin", c.ChoosePaladin): paladins.choose,
    ("tavern", c.TakeTavernCard): tavern.take,
    ("act", c.BeginAction): actions.begin_action,
    ("act", c.UseFavour): actions.use_favour,
    ("act", c.Pass): actions.pass_turn,
    ("keep", c.ReturnWorker): actions.return_worker,
    ("keep", c.KeepWorkers): actions.keep_workers,
    ("workers", c.PlaceWorker): workers.place,
    ("develop", c.PlaceWorkshop): develop.place,
    ("recruit", c.HireTownsfolk): recruit.recruit,
    ("recruit", c.DiscardTownsfolk): recruit.recruit,
    ("commission", c.PlaceMonk): board_pieces.place,
    ("garrison", c.PlaceOutpost): board_pieces.place,
    ("absolve", c.PlaceJar): absolve.place,
    ("attack", c.AttackOutsider): attack.attack,
    ("convert", c.ConvertOutsider): convert.convert,
    ("reward", c.TakeReward): rewards.take,
    ("reward", c.ForgoReward): rewards.forgo,
    ("reward", c.ChooseReward): rewards.choose,
    ("reward", c.ClearArea): pray.clear,
    ("reward", c.HireTownsfolk): recruit.take_for_free,
    ("reward", c.DiscardTownsfolk): recruit.take_for_free,
    ("reward", c.PlaceWorkshop): develop.place,
    ("inquisition", c.UseTownsfolk): inquisition.use,
}
"""Which function carries out a command, by the decision that is open and the kind of command."""

LEGAL: dict[str, Legal] = {
    "first_townsfolk": recruit.legal_first,
    "paladin": paladins.legal,
    "tavern": tavern.legal,
    "act": actions.legal_act,
    "keep": actions.legal_keep,
    "workers": workers.legal,
    "develop": develop.ways,
    "recruit": recruit.legal,
    "commission": board_pieces.legal,
    "garrison": board_pieces.legal,
    "absolve": absolve.legal,
    "attack": attack.legal,
    "convert": convert.legal,
    "reward": rewards.legal,
    "inquisition": inquisition.legal,
}
"""Which function lists the commands of a decision."""


class PaladinsPlay(BoundPlay[Paladins, Board]):
    """The rules of Paladins on one table (see :class:`boardkeeper.table.title.Play`)."""

    __slots__ = ()

    desk = Desk(DECIDE, LEGAL, lambda t: known_ids(t.data))

    rules = Rules(setup.set_up, offers.offered, board_of, scoring.lines, scoring.standings)
