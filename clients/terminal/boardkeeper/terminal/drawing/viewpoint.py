"""The viewer of a table, the language, and the catalogue of the title."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from google.protobuf import struct_pb2

from boardkeeper.terminal.drawing.captions import captions
from boardkeeper.terminal.drawing.phrases import Phrases, is_number
from boardkeeper.v1 import catalog_pb2

SEAT_STYLES = ("", "red", "blue", "green", "yellow", "white", "magenta", "cyan")
OWNER = "seat"
"""The key of a component's values for the seat that owns it. For example, a seat owns its trading stations."""
ANY = "any"
"""The symbol of a space for any component, and the key of its caption."""
SHORT = 2
"""The number of letters of a short name."""


@dataclass(frozen=True)
class Viewpoint:
    """The viewer of a table, and the texts of its title.

    ``viewer`` is a seat (0: a spectator); ``seats`` has the names of the seats. ``names``, ``kinds`` and
    ``values`` contain the names, kinds and values of the catalogue's components by id. ``words`` are the captions. All
    texts are in the viewer's language.
    """

    words: Mapping[str, str]
    names: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    seats: Mapping[int, str] = field(default_factory=dict)
    viewer: int = 0
    title: catalog_pb2.GetTitleResponse = field(default_factory=catalog_pb2.GetTitleResponse)
    phrases: Phrases = field(default_factory=Phrases)

    @classmethod
    def of(
        cls,
        title: catalog_pb2.GetTitleResponse,
        language: str,
        seats: Mapping[int, str],
        viewer: int = 0,
        phrases: Phrases | None = None,
    ) -> Viewpoint:
        """Create a viewpoint from the catalogue of a title for one setup."""
        phrases = Phrases() if phrases is None else phrases
        words = captions(language)
        names = {it.id: it.text for it in title.components}
        ranks = {it.id: rank for rank, it in enumerate(title.components)}
        for component in title.components:  # copies such as wall.1 and wall.2 share a name
            names.setdefault(component.id.partition(".")[0], component.text)
        return cls(
            words=words,
            names={ANY: words[ANY], **phrases.words, **names},
            kinds={it.id: it.kind for it in title.components},
            values={it.id: _plain(it.values, ranks) for it in title.components},
            seats=seats,
            viewer=viewer,
            title=title,
            phrases=phrases,
        )

    @cached_property
    def zones(self) -> Mapping[str, catalog_pb2.ZoneEntry]:
        """The catalogue entries of the zones, by id."""
        return {it.id: it for it in self.title.zones}

    @cached_property
    def markers(self) -> Mapping[str, catalog_pb2.MarkerEntry]:
        """The catalogue entries of the markers, by id."""
        return {it.id: it for it in self.title.markers}

    @cached_property
    def decisions(self) -> Mapping[str, str]:
        """The texts of the decisions, by id."""
        return {it.id: it.text for it in self.title.decisions}

    @cached_property
    def rounds(self) -> int:
        """The number of rounds of a game; 0 if the catalogue does not contain it."""
        counts = (it.get("rounds") for it in self.values.values())
        return next((rounds for rounds in counts if isinstance(rounds, int)), 0)

    def word(self, key: str) -> str:
        """Return a caption; raises ``KeyError`` for an unknown key."""
        return self.words[key]

    def name(self, id: str) -> str:
        """Return the name of a component, or a readable form of the id if it has no name."""
        kind = id.partition(".")[0]
        return self.names.get(id) or self.names.get(kind) or (kind[:1].upper() + kind[1:]).replace("_", " ")

    def describe(self, id: str, *, at: int = 0, times: int | None = None, without: Container[str] = ()) -> str:
        """Return the values of a component as a phrase.

        With ``at``, the phrase only contains the entries of lists at this position, counted from 1. With ``times``, a
        list of numbers is replaced by its entry for the next use of a place that was used ``times`` times.
        """
        values = {key: value for key, value in self.values.get(id, {}).items() if key not in without}
        if times is not None:
            for key, value in values.items():
                if isinstance(value, list) and all(map(is_number, value)):
                    values[key] = value[min(times, len(value) - 1)]
        text = self.phrases.describe(values, self._phrase_name, kind=self.kinds.get(id, ""), at=at)
        details = (self.describe(of.format(values[key])) for key, of in self.phrases.details.items() if key in values)
        return " ".join([text, *(f"({detail})" for detail in details if detail)])

    def _phrase_name(self, id: str) -> str:
        return self.phrases.words.get(id) or self.name(id)

    def piece(self, id: str) -> str:
        """Return the name of a component, with the seat that owns it."""
        owner = self.owner(id)
        return f"{self.name(id)} ({self.seat(owner)})" if owner else self.name(id)

    def short(self, id: str) -> str:
        """Return the first letters of a name, with the number of the seat that owns the component."""
        return self.name(id)[:SHORT] + str(self.owner(id) or "")

    def owner(self, id: str) -> int:
        """Return the seat that owns a component; 0 if none does."""
        seat = self.values.get(id, {}).get(OWNER)
        return seat if isinstance(seat, int) else 0

    def value(self, marker: catalog_pb2.MarkerEntry, value: str) -> str:
        """Return the text of a marker's value."""
        if marker.kind == "seat":
            return self.seat(int(value)) if value.isdecimal() else value
        if marker.kind == "round" and self.rounds:
            return f"{value}/{self.rounds}"
        if value.lstrip("-").isdecimal():
            return value
        return next((it.text for it in marker.words if it.id == value), "") or self.name(value)

    def sorted(self, ids: Iterable[str]) -> list[str]:
        """Sort components in the order of the catalogue."""
        return sorted(ids, key=lambda id: (self._ranks.get(id, len(self._ranks)), id))

    @cached_property
    def _ranks(self) -> dict[str, int]:
        return {it.id: rank for rank, it in enumerate(self.title.components)}

    def seat(self, seat: int) -> str:
        """Return the name of a seat."""
        return self.seats.get(seat) or f"{self.word('seat')} {seat}"

    def style(self, seat: int) -> str:
        """Return the colour of a seat."""
        return SEAT_STYLES[seat % len(SEAT_STYLES)]

    def amounts(self, counts: Mapping[str, int], *, owners: bool = False, nothing: str = "–") -> str:
        """Return components with their numbers: ``2× Monk, Farmer``."""
        name = self.piece if owners else self.name
        return ", ".join(_times(counts[id], name(id)) for id in self.sorted(counts) if counts[id]) or nothing


def _times(count: int, name: str) -> str:
    return name if count == 1 else f"{count}× {name}"


def _plain(values: struct_pb2.Struct, ranks: Mapping[str, int]) -> dict[str, Any]:
    """Return values as Python objects. A Struct has no order: sort ids as in the catalogue, and numbers by size."""
    fields = values.fields
    keys = sorted(fields, key=lambda key: (ranks.get(key, len(ranks)), len(key) if key.isdecimal() else 0, key))
    return {key: _plain_value(fields[key], ranks) for key in keys}


def _plain_value(value: struct_pb2.Value, ranks: Mapping[str, int]) -> Any:
    match value.WhichOneof("kind"):
        case "struct_value":
            return _plain(value.struct_value, ranks)
        case "list_value":
            return [_plain_value(it, ranks) for it in value.list_value.values]
        case "number_value":
            number = value.number_value
            return int(number) if number.is_integer() else number
        case "string_value":
            return value.string_value
        case "bool_value":
            return value.bool_value
    return None
