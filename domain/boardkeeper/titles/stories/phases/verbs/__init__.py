"""What places do: one module a kind of action, each with its predicate, its listing and its carrying out."""

from __future__ import annotations

from boardkeeper.families.followers.phases.verbs import bathhouse
from boardkeeper.families.followers.phases.verbs import deeds as sending
from boardkeeper.families.followers.phases.verbs.use_place import Use
from boardkeeper.families.followers.table import Listing
from boardkeeper.titles.stories.phases.verbs import build, construction, convert, gain, market, produce, territory

LEGAL: dict[str, Listing] = {
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
"""How to list the actions of an activated place, by the place's verb (see :attr:`cards.Place.verb`)."""

USE: dict[str, Use] = {
    "bathhouse": bathhouse.use,
    "gain": gain.use,
    "market": market.use,
    "produce": produce.use,
}
"""How to use an activated place whose action leaves nothing to choose, or begins one."""
