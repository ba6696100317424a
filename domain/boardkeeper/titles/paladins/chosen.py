"""What a game is played with, chosen when it is created.

The values here are the defaults; ``choices.toml`` says what each means, ``alternatives.toml`` what facts it changes.
"""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.table import choices_file
from boardkeeper.table.title import Setup
from boardkeeper.titles.paladins.meta import META


class Readings(Struct, frozen=True):
    """How open rules are read; each field is a named reading, each value one of its choices."""

    first_strength_flag: str = "2"
    debt_for_discard: str = "allowed"
    free_recruit: str = "hire"
    attack_top_up: str = "by_flag"
    pray_action_target: str = "not_pray_area"
    void_choice: str = "allowed_without_effect"
    new_townsfolk_trigger: str = "from_next_action"
    free_develop_triggers_architect: str = "yes"
    workers_gained_after_pass: str = "kept"
    refill_after_empty_suspicion: str = "full"
    second_traitor: str = "each_counts"
    supply_limits: str = "unlimited"
    ai_left_option_void: str = "right_option"
    ai_orders_all_fulfilled_blocked: str = "next_left"
    ai_empty_scheme_deck: str = "reshuffle_discard"
    suspicion_kept_for: str = "any_reason"
    ai_orders_rest_blocked: str = "fallback"
    debts_kept: str = "allowed"


class Options(Struct, frozen=True):
    """Whether an opponent plays along, and facts of boards and cards that no source settles."""

    opponent: str = "off"
    tax_supply: str = "rising"
    suspicion_cards: str = "more_twos"
    jar_numbers: str = "even"
    jar_spaces: str = "two_for_suspicion"
    workshop_row: str = "in_turn"
    squires: str = "three_attributes"
    transcription: str = "second"
    vigilante: str = "destroy_debt"
    barbarian: str = "two"
    scheme_deck: str = "three_orders"


def chosen(setup: Setup) -> tuple[Readings, Options]:
    """What holds in a game; raises ``ValueError`` for an unknown edition, reading or option."""
    return choices_file.chosen(META, setup, Readings, Options)
