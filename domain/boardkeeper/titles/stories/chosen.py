"""What can be chosen when a game is created: readings and options by name, with their defaults.

What the choices mean says ``choices.toml``.
"""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.families.followers.readings import FollowersOptions


class Readings(Struct, frozen=True):
    """How open rules are read; each field is a named reading, each value one of its choices."""

    start_player: str = "host_or_random"
    draw_amount: str = "up_to"
    taking_back: str = "allowed_draws"
    taking_back_time: str = "before_or_after"
    technology_timing: str = "after_pass_or_planning"
    technology_on_open_spaces: str = "closed"
    technology_on_occupied: str = "free_only"
    bathhouse_short_bag: str = "draws_fewer"
    bathhouse_activator: str = "after_draw"
    bathhouse_town_hall: str = "allowed"
    sacristy_use: str = "choice"
    village_is_area: str = "yes"
    emptied_area: str = "buildings_stay_unowned"
    loire_adjacency: str = "no_obstacle"
    monk_as_knight: str = "yes"
    fame_beyond_end: str = "stop"
    paid_food: str = "out_of_game"
    deeds_flip: str = "no"
    era_one_gate: str = "open"
    executed_without_effect: str = "yes"
    one_round_bonus_per_round: str = "yes"
    general_expansion: str = "adjacent_from_supply"
    peace_fortress: str = "blocks_all"
    peace_conquest: str = "none"
    joint_control: str = "full_each"
    torture_unit: str = "missing"
    torture_empty: str = "rest_void"
    tie_settlers: str = "fame_then_shared"
    look_is_public: str = "yes"
    worth5_mix: str = "allowed"
    tile_church_gives_fame: str = "yes"
    carpentry_in_evf: str = "plus_1"
    manor_fortress_fame: str = "yes"
    deed_completion_evf: str = "none"
    forest_edge: str = "map_border"
    message_built: str = "controlled"
    message_goods: str = "with_missions"
    message_tie: str = "nobody"
    round_end_check: str = "after_bonus_before_shift"
    fame_end: str = "immediate"
    declare_order: str = "from_start_player"
    failed_declaration_reveals_messages: str = "no"
    tie_evf: str = "shared"
    fame_tile_moment: str = "at_once"


class Options(FollowersOptions, frozen=True):
    """What a game is played with; ``data_set`` names the file below ``data_sets`` that says what cards and tiles do."""

    data_set: str = "reconstructed-1"
