"""Actions of places, one module per kind of action."""

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
"""Functions that list the commands of an activated place, by :attr:`data.Place.verb`."""

USE: dict[str, PlaceHandler] = {
    "bathhouse": bathhouse.use,
    "gain": gain.use,
    "station": station.use,
}
"""Functions that carry out ``UsePlace``, by :attr:`data.Place.verb`."""
