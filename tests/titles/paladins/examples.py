"""Possible values of the fields of commands and events of Paladins, and examples with fields that belong together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins import events as e
from boardkeeper.titles.paladins.data import ACTIONS, ATTRIBUTES, WORKERS, data_for

DATA = data_for(Setup("schwerkraft-2019", 4))

_TOWNSFOLK = tuple(DATA.townsfolk)
_OUTSIDERS = tuple(DATA.outsiders)
_SPACES = tuple(space.id for space, _ in DATA.all_spaces)
_JARS = tuple(DATA.jar_kinds)
_SCHEMES = tuple(DATA.schemes)
_GAINS = [("silver", "provision"), ("labourer", "labourer", "criminal"), ("faith",), ("strength", "influence")]
_LISTS_OF_WORKERS = [("scout", "cleric"), ("labourer", "labourer"), ()]
_SOURCES = (
    "commission", "hunt", "develop", "conspire", "attack", "favour", "free_recruit",
    *_SPACES[:3], *(f"jar_{jar}" for jar in _JARS), *_TOWNSFOLK, *_OUTSIDERS,
    *DATA.walls, *DATA.favours, *DATA.paladins, *DATA.choices,
)  # fmt: skip
_ATTEMPTS = [
    (e.Attempt("recruit", "occupied"), e.Attempt("commission", "workers"), e.Attempt("fortify", "attribute")),
    (e.Attempt("absolve", "no_piece"), e.Attempt("attack", "no_target"), e.Attempt("convert", "already_fulfilled")),
    (),
]
_PASSED_OVER = [(e.Attempt("favour_01", "used"), e.Attempt("3", "not_there")), ()]

VALUES: Mapping[str, Sequence[Any]] = {
    "action": ACTIONS,
    "worker": WORKERS,
    "paladin": tuple(DATA.paladins),
    "top": tuple(DATA.paladins),
    "tavern": tuple(DATA.tavern),
    "favour": tuple(DATA.favours),
    "townsfolk": _TOWNSFOLK,
    "outsider": _OUTSIDERS,
    "space": (*_SPACES, *_JARS),
    "PlaceJar.space": _JARS,
    "Absolved.space": _JARS,
    "PlaceMonk.space": _SPACES,
    "PlaceOutpost.space": _SPACES,
    "MonkSent.space": _SPACES,
    "OutpostBuilt.space": _SPACES,
    "WorkerPlaced.space": (1, 2, 3),
    "Developed.space": (1, 2),
    "payment": ("silver", "debt", ""),
    "reward": DATA.reward_kinds,
    "RewardForgone.reward": tuple(kind for kind in DATA.reward_kinds if kind not in ("suspicion", "tax", "tax_2")),
    # --- events ---
    "TableLaid.townsfolk": [_TOWNSFOLK[:5]],
    "TableLaid.outsiders": [_OUTSIDERS[:6]],
    "actions": [("commission", "attack", "absolve"), ("fortify",)],
    "start_seat": (1, 2),
    "order": ("commission", "convert", ""),
    "OrderRevealed.order": DATA.orders,
    "TavernOpened.tavern": [("tavern_01", "tavern_02", "tavern_24")],
    "paladins": [("anseis", "ivon", "roland")],
    "under": ("samson", "oliver"),
    "PaladinRevealed.workers": _LISTS_OF_WORKERS[:2],
    "TavernCardTaken.workers": _LISTS_OF_WORKERS[:2],
    "AreaCleared.workers": _LISTS_OF_WORKERS[:2],
    "Passed.workers": _LISTS_OF_WORKERS,
    "WorkersKept.workers": _LISTS_OF_WORKERS,
    "OpponentRested.workers": _LISTS_OF_WORKERS,
    "cleared": _LISTS_OF_WORKERS,
    "sent_back": ("scout", ""),
    "wall": tuple(DATA.walls),
    "gains": _GAINS,
    "TownsfolkUsed.gains": [("discard_suspicion",), ("silver", "silver"), ()],
    "RewardChosen.gains": [option for choice in DATA.choices.values() for option in choice.options],
    "source": _SOURCES,
    "ResourceMarkerMoved.source": ("trade", "rest", "tax", "suspicion_1", *_TOWNSFOLK, *_OUTSIDERS, *DATA.choices),
    "lost": [(), ("faith",), ("labourer", "criminal")],
    "OpponentAdvanced.lost": (False, True),
    "SuspicionTaken.suspicion": tuple(DATA.suspicion),
    "SuspicionDiscarded.suspicion": tuple(DATA.suspicion),
    "SeatCondemned.discarded": [("suspicion_2", "suspicion_0"), ()],
    "InquisitionBegun.reason": ("tax", "suspicion"),
    "RowsMoved.discarded": [("abbot_1", "archer_viking"), ()],
    "RowsMoved.townsfolk": [_TOWNSFOLK[:5], ("", "abbot_1", "", "", "squire_1"), ("",) * 5],
    "RowsMoved.outsiders": [_OUTSIDERS[:6], ("archer_viking", "", "", "", "", ""), ("",) * 6],
    "orders": [{"commission": 4, "convert": 8}, {}],
    "outsiders": [{"archer_viking": 2, "thief_viking": 1}, {}],
    "unpaid_debts": (-3, 0),
    "scheme": _SCHEMES,
    "SchemeTurned.action": (*ACTIONS[1:2], *ACTIONS[3:], "favour", "rest"),
    "tried": _ATTEMPTS,
    "target": (*_SPACES, *_TOWNSFOLK, *_OUTSIDERS, *DATA.favours, "faith", "pay_debt", "silver+silver"),
    "TargetChosen.reason": ("marker", "priority", "lowest", "left_option", "right_option", "none"),
    "passed_over": _PASSED_OVER,
    "attribute": ATTRIBUTES,
    "tied": [("faith", "strength"), ("influence",)],
    "TaxRemoved.reason": ("tax", "discard_suspicion", "destroy_debt"),
}
"""Values by the name of the field, or of the struct and the field."""

EXAMPLES = (
    c.HireTownsfolk("abbot_1"),
    e.Absolved("", 2, 0),
)
"""Structs with fields that belong together."""
