"""What actions do, one module an action (hunting and trading share one, as do commission and garrison)."""

from __future__ import annotations

from boardkeeper.titles.paladins.phases.verbs import (
    absolve,
    attack,
    board_pieces,
    conspire,
    convert,
    develop,
    fortify,
    gather,
    pray,
    recruit,
)
from boardkeeper.titles.paladins.phases.verbs.verb import Verb

VERBS: dict[str, Verb] = {
    "develop": Verb(develop.why_not, develop.carry_out),
    "recruit": Verb(recruit.why_not, recruit.carry_out),
    "hunt": Verb(gather.why_not, gather.hunt),
    "trade": Verb(gather.why_not, gather.trade),
    "pray": Verb(pray.why_not, pray.carry_out),
    "conspire": Verb(gather.why_not, conspire.carry_out),
    "commission": Verb(board_pieces.commission_why_not, board_pieces.ask_commission),
    "fortify": Verb(fortify.why_not, fortify.carry_out),
    "garrison": Verb(board_pieces.garrison_why_not, board_pieces.ask_garrison),
    "absolve": Verb(absolve.why_not, absolve.carry_out),
    "attack": Verb(attack.why_not, attack.carry_out),
    "convert": Verb(convert.why_not, convert.carry_out),
}
"""The actions of the player board by their ids."""
