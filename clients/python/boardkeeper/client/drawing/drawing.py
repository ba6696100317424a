"""How the board of each title is drawn: titles with a drawing of their own, and a listing for all others.

A title's drawing is a package beside this module that is called by the title's id and has a :class:`Drawing` by the
name ``DRAWING``. It is imported when a board of the title is met.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

from msgspec import Struct
from rich.console import RenderableType

from boardkeeper.client.drawing.listing import draw_listing
from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.menu import Section, numbered, plain_menu
from boardkeeper.client.drawing.words import LANGUAGES, captions
from boardkeeper.titles.registry import TITLES, load_module

Withdrawal = Callable[[Sequence[Struct], Sequence[Any]], int | None]
View = Callable[[Any, Look], RenderableType]
Grouping = Callable[[Sequence[Struct], Sequence[str], Any, Look], Sequence[Section]]
Texts = Mapping[str, Mapping[str, str]]
"""Texts by language or component, then by what they are called by."""


@dataclass(frozen=True)
class Drawing:
    """What the command line can show of a title.

    ``glance`` is the part of the table that a seat needs to decide, ``overview`` the same in few lines, with what
    matters most first, for a terminal that has no room for it. ``views`` are further looks at it by the key that a
    player types, each with the caption that names it. ``withdrawal`` finds the command that takes back what the seat's
    events did last. ``plurals`` gives, for a language, what several of a component are called.
    ``round_event`` opens a round in the log; ``quiet_events`` are left out of a short log. ``turns`` are the decisions
    before which a seat sees the glance each time, since others have acted; before any other it sees it once in a row.

    ``captions`` are those that the title has beside everybody's: its own, and ``legend`` and ``examples`` for the help
    of the command line. ``names`` are of what is no component, such as phases. ``own`` begins the ids of components
    that belong to a seat's own colour and are called as the others of their kind. ``altered`` gives, for the options
    and readings of a game, the facts by component that are not as the catalogue says. ``about`` says what a component
    does, by its id: empty if there is nothing to say.
    """

    table: View
    glance: View | None = None
    overview: View | None = None
    score: View | None = None
    views: Mapping[str, tuple[str, View]] = field(default_factory=dict)
    group: Grouping | None = None
    withdrawal: Withdrawal | None = None
    plurals: Callable[[str], Mapping[str, str]] | None = None
    round_event: str = ""
    quiet_events: frozenset[str] = frozenset()
    turns: frozenset[str] = frozenset()
    captions: Texts = field(default_factory=dict)
    names: Texts = field(default_factory=dict)
    own: str = ""
    altered: Callable[[Mapping[str, str]], Texts] | None = None
    about: Callable[[str, Look], str] | None = None

    def words(self, language: str) -> dict[str, str]:
        """The captions in a language, English if it has none."""
        return captions(language) | _spoken(self.captions, language)

    def extra_names(self, language: str) -> dict[str, str]:
        """Names of phases and the like, which are no components."""
        return _spoken(self.names, language)

    def several(self, language: str) -> Mapping[str, str]:
        """What several of a component are called, for those of which it is known."""
        return {} if self.plurals is None else self.plurals(language)

    def facts(self, told: Mapping[str, Mapping[str, str]], choices: Mapping[str, str]) -> Texts:
        """What components are in a game with these options and readings; ``told`` is what the catalogue says."""
        changes = {} if self.altered is None else self.altered(choices)
        return {**told, **{id: {**told.get(id, {}), **changed} for id, changed in changes.items()}}

    def sections(
        self, commands: Sequence[Struct], sentences: Sequence[str], board: Struct, look: Look
    ) -> Sequence[Section]:
        """The legal commands as a menu."""
        grouped = plain_menu(sentences) if self.group is None else self.group(commands, sentences, board, look)
        return numbered(grouped)


def _spoken(texts: Texts, language: str) -> dict[str, str]:
    """The texts of a language, English if there are none of it."""
    return dict(texts.get(language) or texts.get(LANGUAGES[0], {}))


PLAIN = Drawing(table=draw_listing)
"""The drawing of titles that have none of their own."""


def drawing_of(title: str) -> Drawing:
    """The drawing of a title, a plain listing if it has none.

    The id may come from a service that has titles of which nobody here has heard: those have none here.
    """
    package = str(__package__)
    if title not in TITLES or find_spec(f"{package}.{title}") is None:
        return PLAIN
    drawing: Drawing = load_module(package, title).DRAWING
    return drawing
