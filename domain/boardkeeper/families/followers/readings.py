"""How the family's rules are read where a rulebook is open, and how plans are made.

A title's own options and readings are added to these. Its ``choices.toml`` says what the choices mean.
"""

from __future__ import annotations

from boardkeeper.titlekit.choices import Chosen


class FollowersReadings(Chosen, frozen=True):
    """How open rules are read; each field is a named reading, the values here are the defaults."""

    first_technology: str = "first_placed"
    draw_amount: str = "up_to"
    technology_window: str = "after_passing"
    technology_on_open_spaces: str = "closed"
    technology_on_occupied: str = "free_only"
    bathhouse_short_bag: str = "draws_fewer"
    bathhouse_activator: str = "after_draw"
    bathhouse_town_hall: str = "allowed"
    bathhouse_tower: str = "forbidden"
    sacristy_use: str = "choice"
    torture_nothing_left: str = "lapses"
    taking_back: str = "allowed_draws"
    taking_back_time: str = "before_or_after"


class FollowersOptions(Chosen, frozen=True):
    """What a game is played with: plans made ``open``, ``sealed`` behind screens, or ``in_turn``."""

    planning: str = "open"
