"""A made-up title of the family, so far as it is drawn: plain messages with the fields that are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from boardkeeper.client.drawing.families.followers.words import CAPTIONS, NAMES
from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.words import captions

SEATS = {1: "Anna", 2: "Bruno"}
COMPONENTS = {"monk": "Monk", "farmer": "Farmer", "knight": "Knight", "grain": "Grain", "wood": "Wood"}
PLURALS = {"monk": "Monks", "farmer": "Farmers"}
FACTS = {
    "mill": {"spaces": "farmer, knight, any", "coins": "2", "good": "grain", "recruit": "monk: farmer, knight"},
    "well": {"spaces": "farmer", "coins": "1", "fame": "3"},
}
OWN = "our_"
"""How ids of followers begin that a seat's colour marks."""


@dataclass(frozen=True)
class SpaceView:
    space: str
    requires: str
    occupant: str = ""


@dataclass(frozen=True)
class PlaceView:
    place: str
    spaces: tuple[SpaceView, ...] = ()
    active: bool = False


@dataclass(frozen=True)
class DeedView:
    deed: str
    followers: dict[str, int] = field(default_factory=dict)
    free: dict[str, int] = field(default_factory=dict)
    citizen: bool = False


@dataclass(frozen=True)
class SeatView:
    """A seat with a field, ``fame``, of which the family knows nothing."""

    seat: int
    coins: int = 0
    fame: int = 0
    goods: dict[str, int] = field(default_factory=dict)
    market: dict[str, int] = field(default_factory=dict)
    drawn: dict[str, int] = field(default_factory=dict)
    bag: dict[str, int] = field(default_factory=dict)
    bag_count: int = 0
    technology: int = 0
    places: tuple[PlaceView, ...] = ()
    passed: bool = False
    planning_finished: bool = False


@dataclass(frozen=True)
class Board:
    seats: tuple[SeatView, ...]
    phase: str = "planning"
    start_seat: int = 1
    deciding: tuple[int, ...] = ()


def look(
    language: str = "en", viewer: int = 0, own: str = OWN, words: Mapping[str, str] = MappingProxyType({})
) -> Look:
    """How somebody looks at such a board; ``words`` are the title's own captions."""
    return Look(
        words={**captions(language), **CAPTIONS[language], **words},
        names={**NAMES[language], **COMPONENTS},
        plurals=PLURALS,
        facts=FACTS,
        seats=SEATS,
        viewer=viewer,
        own=own,
    )
