"""How the board of each title is drawn: titles with a drawing of their own, and a listing for all others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct, structs
from rich.console import RenderableType
from rich.tree import Tree

from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.menu import Section, numbered, plain_menu
from boardkeeper.client.drawing.orleans import menu as orleans_menu
from boardkeeper.client.drawing.orleans.deeds import draw_deeds
from boardkeeper.client.drawing.orleans.map import draw_map, draw_ways
from boardkeeper.client.drawing.orleans.plurals import plurals as orleans_plurals
from boardkeeper.client.drawing.orleans.score import draw_score
from boardkeeper.client.drawing.orleans.table import (
    draw_all_seats,
    draw_all_tracks,
    draw_glance,
    draw_supplies,
    draw_table,
)

Withdrawal = Callable[[Sequence[Struct], Sequence[Any]], int | None]
View = Callable[[Any, Look], RenderableType]
Grouping = Callable[[Sequence[Struct], Sequence[str], Any, Look], Sequence[Section]]


@dataclass(frozen=True)
class Drawing:
    """What the command line can show of a title.

    ``glance`` is the part of the table that a seat needs to decide, ``views`` are further looks at it by the key
    that a player types, each with the word that names it. ``withdrawal`` finds the command that takes back what the
    seat's events did last. ``plurals`` gives, for a language, what several of a component are called.
    ``round_event`` opens a round in the log; ``quiet_events`` are left out of a short log.
    """

    table: View
    glance: View | None = None
    score: View | None = None
    views: Mapping[str, tuple[str, View]] = field(default_factory=dict)
    group: Grouping | None = None
    withdrawal: Withdrawal | None = None
    plurals: Callable[[str], Mapping[str, str]] | None = None
    round_event: str = ""
    quiet_events: frozenset[str] = frozenset()

    def several(self, language: str) -> Mapping[str, str]:
        """What several of a component are called, for those of which it is known."""
        return {} if self.plurals is None else self.plurals(language)

    def sections(
        self, commands: Sequence[Struct], sentences: Sequence[str], board: Struct, look: Look
    ) -> Sequence[Section]:
        """The legal commands as a menu."""
        grouped = plain_menu(sentences) if self.group is None else self.group(commands, sentences, board, look)
        return numbered(grouped)


def draw_anything(board: Struct, look: Look) -> RenderableType:
    """A board of any title, field by field."""
    tree = Tree(type(board).__name__)
    _grow(tree, board, look)
    return tree


def _grow(tree: Tree, value: object, look: Look) -> None:
    if isinstance(value, Struct):
        items: list[tuple[str, object]] = list(structs.asdict(value).items())
    elif isinstance(value, dict):
        items = [(look.name(str(key)), item) for key, item in value.items()]
    elif isinstance(value, tuple):
        items = [(str(index), item) for index, item in enumerate(value, 1)]
    else:
        return
    for key, item in items:
        if isinstance(item, Struct | dict | tuple) and item:
            _grow(tree.add(key), item, look)
        elif not isinstance(item, Struct | dict | tuple):
            tree.add(f"{key}: {look.name(item) if isinstance(item, str) and item else item}")


PLAIN = Drawing(table=draw_anything)

ORLEANS = Drawing(
    table=draw_table,
    glance=draw_glance,
    score=draw_score,
    views={
        "m": ("map", draw_map),
        "w": ("ways", draw_ways),
        "o": ("all_seats", draw_all_seats),
        "d": ("deeds", draw_deeds),
        "t": ("tracks", draw_all_tracks),
        "s": ("supplies", draw_supplies),
    },
    group=orleans_menu.group,
    withdrawal=orleans_menu.withdrawal,
    plurals=orleans_plurals,
    round_event="HourGlassTurned",
    quiet_events=frozenset(
        {"FollowerPlaced", "FollowerWithdrawn", "PlanningFinished", "StoringFinished", "PhaseBegun"}
        | {"TechnologyKept", "TakingBackFinished", "GameCreated"}
    ),
)

_DRAWINGS = {"orleans": ORLEANS}


def drawing_of(title: str) -> Drawing:
    """The drawing of a title, a plain listing if it has none."""
    return _DRAWINGS.get(title, PLAIN)
