"""What places do: one module a kind of action, each with its predicate, its listing and its carrying out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from boardkeeper.titles.orleans.bindings import BoundPlace, Orleans, Seat
from boardkeeper.titles.orleans.commands import Command
from boardkeeper.titles.orleans.phases.verbs import bathhouse, deeds, gain, pharmacy, recruit, station, travel

LEGAL: dict[str, Callable[[Orleans, Seat, BoundPlace], Sequence[Command]]] = {
    "bathhouse": bathhouse.legal,
    "deeds": deeds.legal,
    "gain": gain.legal,
    "pharmacy": pharmacy.legal,
    "recruit": recruit.legal,
    "station": station.legal,
    "travel": travel.legal,
}
"""How to list the actions of an activated place, by the place's verb (see :attr:`data.Place.verb`)."""
