"""What places do: one module a kind of action, each with its predicate, its listing and its carrying out."""

from __future__ import annotations

from boardkeeper.families.followers.phases.verbs import bathhouse
from boardkeeper.families.followers.phases.verbs import deeds as sending
from boardkeeper.families.followers.phases.verbs.action import PlaceHandler
from boardkeeper.families.followers.table import CommandLister
from boardkeeper.titles.orleans.phases.verbs import gain, pharmacy, recruit, station, travel

LEGAL: dict[str, CommandLister] = {
    "bathhouse": bathhouse.legal,
    "deeds": sending.legal,
    "gain": gain.legal,
    "pharmacy": pharmacy.legal,
    "recruit": recruit.legal,
    "station": station.legal,
    "travel": travel.legal,
}
"""How to list the actions of an activated place, by the place's verb (see :attr:`data.Place.verb`)."""

USE: dict[str, PlaceHandler] = {
    "bathhouse": bathhouse.use,
    "gain": gain.use,
    "station": station.use,
}
"""How to use an activated place whose action leaves nothing to choose, or begins one."""
