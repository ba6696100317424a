"""What places, place tiles and deeds of Orléans give, in a few words made from the facts of the catalogue."""

from __future__ import annotations

from boardkeeper.client.drawing.families.followers import gives as family
from boardkeeper.client.drawing.families.followers.gives import say, spaces_of
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
    return family.gives(place, _VERBS, look)


def describe_tile(tile: str, look: Look) -> str:
    """A place tile in a few words: what it asks for and what it gives."""
    return ": ".join(part for part in (spaces_of(tile, look), gives(tile, look)) if part)


def about(id: str, look: Look) -> str:
    """What a place or a deed does; empty for what is neither."""
    return describe_tile(id, look) or deed_gives(id, look)


def deed_gives(deed: str, look: Look) -> str:
    """What each follower brings that is sent to a deed."""
    facts = look.facts.get(deed, {})
    rewards = [say(kind, facts[kind], look) for kind in ("coins", "development") if facts.get(kind, "0") != "0"]
    return f" {look.word('or')} ".join(rewards)
