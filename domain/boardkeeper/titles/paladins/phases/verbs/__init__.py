"""What actions do, one module an action (those that only bring something share one, as do commission and garrison)."""

from __future__ import annotations

from functools import partial

from boardkeeper.titles.paladins.phases.verbs import (
    absolve,
    attack,
    board_pieces,
    convert,
    develop,
    fortify,
    gather,
    pray,
    recruit,
)
from boardkeeper.titles.paladins.phases.verbs.verb import Verb

VERBS: dict[str, Verb] = {
    "develop": Verb(develop.why_not),
    "recruit": Verb(recruit.why_not),
    "hunt": Verb(gather.why_not, gather.hunt),
    "trade": Verb(gather.why_not, gather.trade),
    "pray": Verb(pray.why_not, pray.carry_out),
    "conspire": Verb(gather.why_not, gather.conspire),
    "commission": Verb(partial(board_pieces.why_not, "commission")),
    "fortify": Verb(fortify.why_not, fortify.carry_out),
    "garrison": Verb(partial(board_pieces.why_not, "garrison")),
    "absolve": Verb(absolve.why_not),
    "attack": Verb(attack.why_not),
    "convert": Verb(convert.why_not),
}
"""The actions of the player board by their ids."""
