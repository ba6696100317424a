"""What things of Orléans Stories give and take, in a few words made from the facts of the catalogue.

An effect stands in the facts as words with their values, ``pay_food: 1, per_areas: 2``. The caption ``gives.pay_food``
says a word, or ``gives.pay_food.1`` if it is said in another way with that value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from boardkeeper.client.drawing.families.followers.gives import filled, spaces_of, wanted
from boardkeeper.client.drawing.look import Look

Pair = tuple[str, str]

_VERBS = (
    "recruit", "good", "coins", "fame", "technology", "choose", "produce", "trades", "territory", "conquest_strength",
    "build", "take_place_card", "send_to_deeds", "convert_coins", "exchange_most", "bathhouse", "coins_per_village",
    "coins_per_follower", "fame_from", "green_spaces", "fame_on_build", "stands_for", "cancels_event",
)  # fmt: skip
"""What places do, in the order in which it is said; numbers that belong to another of these are said with that."""

_COMPOSED = {"exchange_most": ("exchange_from", "exchange_to"), "fame_from": ("fame_bonus",)}
"""What takes further facts to be said."""


def gives(place: str, look: Look) -> str:
    """The action of a place; empty if the catalogue says nothing of it."""
    facts = look.facts.get(place, {})
    return _joined(_say_of_place(verb, facts, look) for verb in _VERBS if verb in facts)


def describe(place: str, look: Look) -> str:
    """A place in a few words: what it asks for and what it gives."""
    return ": ".join(part for part in (spaces_of(place, look), gives(place, look)) if part)


def about(id: str, look: Look) -> str:
    """What a place or a deed does; empty for what is neither."""
    return describe(id, look) or deed_gives(id, look)


def effect(fact: str, look: Look) -> str:
    """An effect as the catalogue has it: ``pay 1 food, for every 2 areas``."""
    return _joined(_say(verb, value, look) for verb, value in pairs(fact))


def effect_of(id: str, look: Look) -> str:
    """The effect of an event card, a tile of the fame track or a bonus tile."""
    facts = look.facts.get(id, {})
    return effect(facts.get("effect", ""), look)


def deed_gives(deed: str, look: Look) -> str:
    """What each follower brings that is sent to a deed: ``1 coin: Farmer, Trader; 2 fame: Monk``."""
    facts = look.facts.get(deed, {})
    rewards: dict[Pair, list[str]] = {}
    for kind in ("coins", "fame"):
        for who, amount in pairs(facts.get(kind, "")):
            rewards.setdefault((kind, amount), []).append(look.name(who))
    return "; ".join(f"{_say(*reward, look)}: {', '.join(who)}" for reward, who in rewards.items())


def needs(mission: str, look: Look) -> str:
    """What a mission asks for: areas, and goods to give up."""
    facts = look.facts.get(mission, {})
    areas = [f"{count} × {look.name(kind)}" for kind, count in pairs(facts.get("areas", ""))]
    return ", ".join([*areas, look.amounts({good: int(count) for good, count in pairs(facts.get("goods", ""))})])


def era_does(era: int, hunger: bool, look: Look) -> str:
    """What the round bonus of an era brings, and building in it; ``hunger``: its malus still strikes."""
    facts = look.facts.get(f"era_{era}", {})
    said = []
    if "malus" in facts and hunger:
        until = look.word("until_deed").format(look.name(facts.get("malus_until_deed", "")))
        said.append(f"{effect(facts['malus'], look)} ({until})")
    else:
        said.append(effect(facts.get("bonus", ""), look))
    built = [f"{look.name(building)} {fame}" for building, fame in pairs(facts.get("build_fame", ""))]
    if built:
        said.append(look.word("building_fame").format(", ".join(built)))
    return _joined(said)


def pairs(fact: str) -> list[Pair]:
    """The words of an effect with their values; a value that is a list keeps its commas."""
    found: list[Pair] = []
    for entry in fact.split(", ") if fact else ():
        key, colon, value = entry.partition(": ")
        if colon and ";" not in key:
            found.append((key, value))
        elif found:
            found[-1] = (found[-1][0], f"{found[-1][1]}, {entry}")
    return found


def options(fact: str) -> list[list[Pair]]:
    """Gains of which one is chosen: each begins with the word with which the first begins."""
    found: list[list[Pair]] = []
    for verb, value in pairs(fact):
        if not found or verb == found[0][0][0]:
            found.append([])
        found[-1].append((verb, value))
    return found


def _say_of_place(verb: str, facts: Mapping[str, str], look: Look) -> str:
    if verb == "choose":
        either = (_joined(_say(*pair, look) for pair in option) for option in options(facts[verb]))
        return f" {look.word('or')} ".join(either)
    if verb == "build":
        wood = look.facts.get(f"build_{facts[verb]}", {}).get("wood", "0")
        return f"{_say(verb, facts[verb], look)} ({wood} {look.name('wood')})"
    further = [_named(facts.get(key, ""), look) for key in _COMPOSED.get(verb, ())]
    return _say(verb, facts[verb], look, further)


def _say(verb: str, value: str, look: Look, further: Sequence[str] = ()) -> str:
    """One thing: ``2 coins``; a word that nobody has a caption for as it is."""
    said = look.words.get(f"gives.{verb}.{value}") or look.words.get(f"gives.{verb}")
    if said is None:
        return f"{look.name(verb)}: {_named(value, look)}"
    return filled(said, _bands(value, look) if ";" in value else _named(value, look), further)


def _bands(value: str, look: Look) -> str:
    """So much, and more from so many on: ``0, 1; 4, 2`` is "1, 2 from 4 on"."""
    bands = [band.partition(", ") for band in value.split("; ")]
    return ", ".join(
        amount if least == "0" else look.word("from_on").format(least, amount) for least, _, amount in bands
    )


def _named(value: str, look: Look) -> str:
    """A value with the names of what it lists: ``Scholar: Farmer, Knight`` or ``2``."""
    return ", ".join(
        ": ".join(part if part.isdigit() else wanted(part, look) for part in entry.split(": "))
        for entry in value.split(", ")
    )


def _joined(parts: Iterable[str]) -> str:
    """What is said, with commas, but for what ends in a colon."""
    return ", ".join(part for part in parts if part).replace(":, ", ": ")
