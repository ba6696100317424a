"""Sampling hidden information: nations, messages and looks that a viewer does not know."""

from __future__ import annotations

from collections.abc import Sequence

from boardkeeper.table.dice import Dice
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import sees
from boardkeeper.titles.stories.material import Stories
from boardkeeper.titles.stories.teams import nation_of

_GROUPS = (("nation", "nations"), ("dealt", "message", "returned", "messages"))


def hidden_groups(table: Table, viewer: int) -> Sequence[Sequence[str]]:
    """Return the groups of zones whose cards a viewer does not know and that can be dealt again among each other."""
    own = table.markers.get(f"seat.{viewer}.noted")
    noted = {f"seat.{note.partition(':')[0]}.nation" for note in own.value.split()} if own is not None else set()
    zones = (zone for zone in table.zones.values() if zone.total() and not sees(table, zone, viewer))
    hidden = [zone.id for zone in zones if zone.id not in noted]
    groups = ([id for id in hidden if id.rpartition(".")[2] in kinds] for kinds in _GROUPS)
    return tuple(group for group in groups if len(group) > 1)


def sample_looks(t: Stories, viewer: int, dice: Dice) -> None:
    """Replace the hidden notes of other seats by random ones: as many looks, at random seats.

    With the reading ``look_is_public`` = ``no``, a viewer knows how often a seat looked, but not at which card.
    """
    for seat in t.seats:
        noted = t.table.markers.get(f"seat.{seat.number}.noted")
        if noted is None or sees(t.table, noted, viewer):
            continue
        others = [other for other in t.seats if other is not seat]
        looks = len(noted.value.split())
        chosen = [others[dice.number(noted.id, look, len(others))] for look in range(looks)]
        noted.value = " ".join(f"{other.number}:{nation_of(other)}" for other in chosen)
