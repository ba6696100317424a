"""The order of the phases, in one place."""

from __future__ import annotations

from boardkeeper.titles.orleans.bindings import Phase
from boardkeeper.titles.orleans.phases import actions, census, events, followers, hour_glass, planning

PHASES: dict[str, Phase] = {
    "hour_glass": Phase(hour_glass.begin),
    "census": Phase(census.begin, census.proceed, suffer=census.charge),
    "followers": Phase(followers.begin, followers.proceed),
    "planning": Phase(planning.begin, planning.proceed),
    "actions": Phase(actions.begin, actions.proceed),
    "event": Phase(events.begin, events.proceed, suffer=events.suffer, resume=events.ask_for_food),
}
"""The phases of a round. The seventh, the change of the start player, is how the event phase ends."""
