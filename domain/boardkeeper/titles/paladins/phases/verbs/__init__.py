"""The actions of the player board."""

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
    "develop": Verb(develop.find_rejection),
    "recruit": Verb(recruit.find_rejection),
    "hunt": Verb(gather.find_rejection, gather.hunt),
    "trade": Verb(gather.find_rejection, gather.trade),
    "pray": Verb(pray.find_rejection, pray.carry_out),
    "conspire": Verb(gather.find_rejection, gather.conspire),
    "commission": Verb(partial(board_pieces.find_rejection, "commission")),
    "fortify": Verb(fortify.find_rejection, fortify.carry_out),
    "garrison": Verb(partial(board_pieces.find_rejection, "garrison")),
    "absolve": Verb(absolve.find_rejection),
    "attack": Verb(attack.find_rejection),
    "convert": Verb(convert.find_rejection),
}
"""The rules of each action, by its id."""
