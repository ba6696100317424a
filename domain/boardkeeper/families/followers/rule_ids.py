"""The rules that a title needs: all that the family cites, except those that the title cannot break.

For example, a title may have no place that extends the market, or may not offer the choice of a reading. No command can
break the rules about it, so the title need not define them.
"""

from __future__ import annotations

NEEDS: dict[str, tuple[str, ...]] = {
    "MARKED_FOLLOWER": ("neutral_only",),
    "MARKET_OVERFULL": ("market_extension",),
    "bathhouse.drawn_follower": ("bathhouse or extra_draw",),
    "bathhouse.full_draw": ("bathhouse", "bathhouse_short_bag=needs_all"),
    "bathhouse.must_place": ("bathhouse",),
    "bathhouse.not_there": ("bathhouse",),
    "bathhouse.not_tower": ("bathhouse", "market_extension", "bathhouse_tower=forbidden"),
    "bathhouse.not_town_hall": ("bathhouse", "send_to_deeds", "bathhouse_town_hall=forbidden"),
    "bathhouse.passive": ("extra_draw",),
    "bathhouse.short_bag": ("bathhouse",),
    "deeds.exact_character": ("send_to_deeds",),
    "deeds.follower_there": ("send_to_deeds",),
    "deeds.free_space": ("send_to_deeds",),
    "deeds.no_own_followers": ("send_to_deeds",),
    "deeds.reward_choice": ("send_to_deeds",),
    "deeds.same_place": ("send_to_deeds",),
    "drawing.full": ("draw_amount=fixed",),
    "gunpowder_tower.free_space": ("market_extension",),
    "gunpowder_tower.owned": ("market_extension",),
    "gunpowder_tower.phase_three": ("market_extension",),
    "sacristy.choice": ("cancels_event", "sacristy_use=choice"),
    "sacristy.not_an_action": ("cancels_event",),
    "sacristy.shields": ("cancels_event",),
    "taking_back.after_drawing": ("taking_back_time=before_or_after",),
    "taking_back.not_from_tower": ("market_extension",),
    "taking_back.possible_draws": ("taking_back=possible_draws",),
    "technology.after_passing": ("technology_window=after_passing",),
    "technology.after_passing_and_planning": ("technology_window=after_passing_and_planning",),
    "technology.craftsmen_space_replaces_farmer": ("first_technology=from_first_craftsmen_space",),
    "technology.first_replaces_farmer": ("first_technology=first_placed",),
    "technology.fixed_character": ("filled_at_least", "technology_on_open_spaces=closed"),
    "technology.free_space": ("technology_on_occupied=free_only",),
    "technology.tower_space_kept": ("market_extension", "technology_window=after_passing_and_planning"),
    "town_hall.no_own_followers": ("neutral_only",),
    "town_hall.one_or_two": ("send_to_deeds",),
}
"""The conditions under which a relative rule id, or a rejection code, can be cited; all must hold.

A condition is a field of ``Place`` that a place of the title sets, or a value of a reading that is fixed or can be
chosen. Every title needs the ids that are not listed.
"""
