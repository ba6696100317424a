"""What a place gives, in a few words made from the facts of the catalogue.

A fact is called by what is given, its *verb* (``coins`` or ``recruit``), and the caption ``gives.coins`` says it:
``{} coins``, and ``gives.coins.1`` where it is one.
"""

from __future__ import annotations

from collections.abc import Iterable

from boardkeeper.client.drawing.look import Look


def gives(place: str, verbs: Iterable[str], look: Look) -> str:
    """What a place gives, in the order of ``verbs``; empty if the catalogue says nothing of it."""
    facts = look.facts.get(place, {})
    return ", ".join(say(verb, facts[verb], look) for verb in verbs if verb in facts)


def say(verb: str, fact: str, look: Look) -> str:
    """One thing that is given: ``2 coins``."""
    one = look.words.get(f"gives.{verb}.1")
    return one if fact == "1" and one is not None else look.word(f"gives.{verb}").format(_named(fact, look))


def spaces_of(place: str, look: Look) -> str:
    """The followers that a place asks for."""
    wanted = look.facts.get(place, {}).get("spaces", "")
    return ", ".join(look.name(space) for space in wanted.split(", ") if space)


def _named(fact: str, look: Look) -> str:
    """A fact with the names of what it lists: ``boatman: craftsman, trader`` or ``2``."""
    return ", ".join(
        ": ".join(part if part.isdigit() else look.name(part) for part in entry.split(": "))
        for entry in fact.split(", ")
    )
