"""What every drawing needs beside the board: who looks, in which language, and what things are called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

SEAT_STYLES = ("", "red", "blue", "green", "yellow", "white", "magenta", "cyan")


@dataclass(frozen=True)
class Look:
    """A way of looking at a board.

    ``viewer`` is the seat that looks (0: a spectator), ``seats`` its and the others' names by seat. ``names`` is
    the display name of each component id, ``plurals`` what two and more of it are called, ``facts`` what the catalogue
    says of it, and ``words`` the captions, all in the viewer's language. ``own`` begins the ids of components that
    belong to a seat's own colour: they are called as the others of their kind, with an asterisk.
    ``choices`` are the options and readings of the game.
    """

    words: Mapping[str, str]
    names: Mapping[str, str] = field(default_factory=dict)
    plurals: Mapping[str, str] = field(default_factory=dict)
    facts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    seats: Mapping[int, str] = field(default_factory=dict)
    viewer: int = 0
    own: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)

    def word(self, key: str) -> str:
        """A caption; raises ``KeyError`` for one that no language has."""
        return self.words[key]

    def name(self, id: str) -> str:
        """What a component is called; an id that has no name is made readable."""
        if self._is_own(id):
            return self.name(id.removeprefix(self.own)) + "*"
        found = self.names.get(id)
        return found if found is not None else id.replace("_", " ").capitalize()

    def many(self, id: str) -> str:
        """What several of a component are called; as one of them, if nobody says otherwise."""
        if self._is_own(id):
            return self.many(id.removeprefix(self.own)) + "*"
        return self.plurals.get(id) or self.name(id)

    def _is_own(self, id: str) -> bool:
        return bool(self.own) and id.startswith(self.own)

    def short(self, id: str) -> str:
        """The first two letters of a name, for narrow columns; the asterisk stays."""
        name = self.name(id)
        return name[:2] + ("*" if name.endswith("*") else "")

    def sorted(self, ids: Iterable[str]) -> list[str]:
        """Components in the order of the catalogue: messages have none."""
        return sorted(ids, key=self._rank)

    def _rank(self, id: str) -> tuple[int, str]:
        """Where a component stands in the catalogue; what is not there comes last."""
        return self._ranks.get(id.removeprefix(self.own), len(self._ranks)), id

    @cached_property
    def _ranks(self) -> dict[str, int]:
        return {id: rank for rank, id in enumerate(self.names)}

    def seat(self, seat: int) -> str:
        """The name of a seat."""
        return self.seats.get(seat) or f"{self.word('seat')} {seat}"

    def style(self, seat: int) -> str:
        """The colour in which a seat is drawn."""
        return SEAT_STYLES[seat % len(SEAT_STYLES)]

    def amounts(self, counts: Mapping[str, int], *, short: bool = False, nothing: str = "–") -> str:
        """Components and how many: ``2 Monks, 1 Farmer``; with ``short`` ``2 Mo 1 Fa``."""
        parts = [f"{counts[id]} {self._counted(id, counts[id], short)}" for id in self.sorted(counts) if counts[id]]
        return (" " if short else ", ").join(parts) or nothing

    def _counted(self, id: str, count: int, short: bool) -> str:
        if short:
            return self.short(id)
        return self.name(id) if count == 1 else self.many(id)
