"""Who plays a seat, as ``GameCreated.seats`` has it, and what a seat is called that has no name of its own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from boardkeeper.game.sentences import words
from boardkeeper.titlekit.rules_catalogue import language_or_default
from boardkeeper.titlekit.title import Title

PERSON = "person"
BOT = "bot."
"""Begins the kind of a bot."""

AUTOMA = "bot.automa"
"""A seat that the rules play themselves."""


def seat_names(language: str, title: Title | None, kinds: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """What sentences call the seats of a game, that of seat 1 first: by their names, as far as they have any.

    A person without a name is "Seat 1", a bot "Bot 2". What a seat is called that the rules play, the title says; one
    of several has its number besides. Where there is no word for it, or the title is not known here (``None``), it is
    called like a bot.
    """
    return tuple(
        name
        or (_of_the_rules(language, title, kinds, seat) if kind == AUTOMA else default_seat_name(language, kind, seat))
        for seat, (kind, name) in enumerate(zip(kinds, names, strict=True), 1)
    )


@lru_cache(maxsize=256)  # asked for each event that is told
def default_seat_name(language: str, kind: str, seat: int) -> str:
    """What the seat of a person or a bot is called that has no name, whatever the title."""
    said = words(language_or_default(language))
    return said.seat(seat, ()) if kind == PERSON else said.render("seats", "bot", {"seat": seat}) or ""


def _of_the_rules(language: str, title: Title | None, kinds: Sequence[str], seat: int) -> str:
    word = title.automaton_name(language) if title is not None else ""
    if not word:
        return default_seat_name(language, AUTOMA, seat)
    return word if kinds.count(AUTOMA) == 1 else f"{word} {seat}"
