"""Example values of the fields of commands, events and offers, for tests of sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from boardkeeper.families.followers.events import Placement
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e
from boardkeeper.titles.stories.tables import tables_of

TABLES = tables_of("settlers")
NATIONS = tables_of("england-vs-france")
OTHER_PLACES = tables_of("settlers", "reconstructed-2")["places"]

PLACES = tuple({**TABLES["places"], **OTHER_PLACES, **TABLES["base_places"], **TABLES["place_cards"]})
SPACES = (
    *("farmer", "farmer_2", "fisherman", "fisherman_2", "craftsman", "trader", "knight"),
    *("scholar", "scholar_2", "monk", "any", "any_2"),
)

VALUES: Mapping[str, Sequence[Any]] = {
    "follower": tuple(TABLES["characters"]),
    "followers": [(), ("monk",), ("farmer", "trader", "farmer"), tuple(TABLES["characters"])],
    "character": tuple(TABLES["characters"]),
    "place": PLACES,
    "card": tuple(TABLES["place_cards"]),
    "space": SPACES,
    "area": tuple(TABLES["map"]["spaces"]),
    "town": tuple(NATIONS["map"]["towns"].values()),
    "landscape": tuple(TABLES["landscapes"]),
    "landscapes": [{}, {"c1r1": "field", "c4r5": "hill"}],
    "good": tuple(TABLES["goods"]),
    "given": tuple(TABLES["goods"]),
    "received": tuple(TABLES["goods"]),
    "goods": [{}, {"grain": 1}, {"grain": 2, "wine": 1, "brocade": 3}],
    "deed": tuple(TABLES["deeds"]),
    "reward": ("coins",),
    "building": ("village", "fortress", "church"),
    "event": (*TABLES["events"], "round_bonus"),
    "RoundBegun.event": ("", *TABLES["events"]),
    "EventCarriedOut.event": tuple(TABLES["events"]),
    "bonus": ("fame_bonus", *TABLES["events"], *NATIONS["fame_tiles"]),
    "source": (*NATIONS["fame_tiles"], "manor_farm", "round_bonus"),
    "BathhouseVisited.place": ("bathhouse", "4"),
    "tile": tuple(NATIONS["bonus_tiles"]),
    "nation": tuple(NATIONS["nations"]),
    "mission": tuple(NATIONS["missions"]),
    "NationScored.mission": (50, 0),
    "message": tuple(NATIONS["messages"]),
    "missions": [{"england": "m1", "france": "m2"}],
    "nations": [("england", "france", "france", "england")],
    "CardsDealt.messages": [("s1", "s12"), ("s2", "s3")],
    "MessagesRevealed.messages": [("s1", "s2", "s3", "s12")],
    "phase": ("followers", "planning", "actions", "event", "round_bonus", "declaring"),
    "era": (1, 2, 3, 4, 5),
    "placements": [(), (Placement("monk", "farm", "craftsman"), Placement("knight", "territory", "farmer"))],
    "start_seat": (1, 4),
    "loser": (2, 3),
    "owner": (2, 3),
    "of": (2, 3),
}
"""By the name of the field, or by ``Struct.field`` for exceptions."""

EXAMPLES: tuple[Struct, ...] = (
    c.Expand("", "c4r2"),
    c.TakePlaceCard("", "pub"),
    c.Build("", "c4r2"),
    c.SurrenderSettler(),
    c.SurrenderFortress(),
    c.SurrenderTechnology(),
    e.AreaEntered("", "c4r2"),
    e.NationSeen(0),
    e.Built("", "c4r2", "church", 1, 0),
    e.PlaceCardTaken("", "pub"),
    e.EventCarriedOut("A1"),
    e.SettlerSurrendered("", 0),
    e.FortressSurrendered("", 0),
    e.TechnologySurrendered("", "", 1),
)
"""Structs with empty fields, which single values of the fields do not cover."""
