"""The readings and options that the family's rules use. The ``choices.toml`` of a title explains the values."""

from __future__ import annotations

from boardkeeper.titlekit.choices import Chosen


class FollowersReadings(Chosen, frozen=True):
    """The readings of rules that the rulebooks leave open, with default values."""

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
    """The options. ``planning``: ``open``, ``sealed`` behind screens, or ``in_turn``."""

    planning: str = "open"
