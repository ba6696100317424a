"""Actions of places, one module per kind of action."""

from __future__ import annotations

from boardkeeper.families.followers.phases.verbs import bathhouse
from boardkeeper.families.followers.phases.verbs import deeds as sending
from boardkeeper.families.followers.phases.verbs.action import PlaceHandler
from boardkeeper.families.followers.table import CommandLister
from boardkeeper.titles.stories.phases.verbs import build, construction, convert, gain, market, produce, territory

LEGAL: dict[str, CommandLister] = {
    "bathhouse": bathhouse.legal,
    "build": build.legal,
    "choose": gain.legal_choice,
    "construction": construction.legal,
    "convert": convert.legal_convert,
    "deeds": sending.legal,
    "exchange": convert.legal_exchange,
    "gain": gain.legal,
    "market": market.legal,
    "produce": produce.legal,
    "territory": territory.legal,
}
"""Functions that list the commands of an activated place, by :attr:`cards.Place.verb`."""

USE: dict[str, PlaceHandler] = {
    "bathhouse": bathhouse.use,
    "gain": gain.use,
    "market": market.use,
    "produce": produce.use,
}
"""Functions that carry out ``UsePlace``, by :attr:`cards.Place.verb`."""
