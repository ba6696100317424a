"""What a place gives, in a few words made from the facts of the catalogue.

A fact is called by what is given, its *verb* (``coins`` or ``recruit``), and the caption ``gives.coins`` says it:
``{} coins``, and ``gives.coins.1`` where it is one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from boardkeeper.client.drawing.look import Look

EITHER = "|"
"""Stands between the characters of a space that asks for one of several."""


def gives(place: str, verbs: Iterable[str], look: Look) -> str:
    """What a place gives, in the order of ``verbs``; empty if the catalogue says nothing of it."""
    facts = look.facts.get(place, {})
    return ", ".join(say(verb, facts[verb], look) for verb in verbs if verb in facts)


def say(verb: str, fact: str, look: Look) -> str:
    """One thing that is given: ``2 coins``."""
    one = look.words.get(f"gives.{verb}.1")
    return one if fact == "1" and one is not None else filled(look.word(f"gives.{verb}"), _named(fact, look))


def filled(caption: str, named: str, further: Sequence[str] = ()) -> str:
    """A caption with what is named; one with room for two says separately what stands before and after the colon."""
    parts = named.split(": ", 1) if caption.count("{}") > 1 + len(further) else [named]
    return caption.format(*parts, *further)


def spaces_of(place: str, look: Look) -> str:
    """The followers that a place asks for."""
    spaces = look.facts.get(place, {}).get("spaces", "")
    return ", ".join(wanted(space, look) for space in spaces.split(", ") if space)


def wanted(requires: str, look: Look) -> str:
    """Whom a space asks for: one character, or whichever of several (``farmer|knight``)."""
    return "/".join(map(look.name, requires.split(EITHER)))


def takes(requires: str, follower: str, look: Look) -> bool:
    """Whether a space asks for this follower by its character, and not for another that it stands for."""
    return follower.removeprefix(look.own) in requires.split(EITHER)


def _named(fact: str, look: Look) -> str:
    """A fact with the names of what it lists: ``boatman: craftsman, trader`` or ``2``."""
    return ", ".join(
        ": ".join(part if part.isdigit() else look.name(part) for part in entry.split(": "))
        for entry in fact.split(", ")
    )
