"""What a place gives, in a few words made from the facts of the catalogue."""

from __future__ import annotations

from boardkeeper.client.drawing.look import Look

_VERBS = (
    "recruit",
    "travel",
    "build_station",
    "send_to_deeds",
    "good",
    "coins",
    "development",
    "technology",
    "coins_per_status",
    "coins_per_station",
    "development_for_coins",
    "bathhouse",
    "cancels_event",
    "stands_for",
    "market_extension",
)


def gives(place: str, look: Look) -> str:
    """The action of a place; empty if the catalogue says nothing of it."""
    facts = look.facts.get(place, {})
    return ", ".join(say(verb, facts[verb], look) for verb in _VERBS if verb in facts)


def say(verb: str, fact: str, look: Look) -> str:
    """One thing that is given: ``2 coins``."""
    one = look.words.get(f"gives.{verb}.1")
    return one if fact == "1" and one is not None else look.word(f"gives.{verb}").format(_named(fact, look))


def describe_tile(tile: str, look: Look) -> str:
    """A place tile in a few words: what it asks for and what it gives."""
    return ": ".join(part for part in (spaces_of(tile, look), gives(tile, look)) if part)


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
