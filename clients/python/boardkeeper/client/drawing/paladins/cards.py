"""What cards say, made from the facts of the catalogue."""

from __future__ import annotations

import re

from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.paladins.gains import ATTRIBUTES, NOTHING, either, gains, price

_BONUS = re.compile(r"action: (\w+), gain: (.+)")
_CHEAPER = re.compile(r"action: (\w+), silver: (\d+)")


def fact(id: str, key: str, look: Look) -> str:
    """A fact of the catalogue; empty if it says nothing of that."""
    return look.facts.get(id, {}).get(key, "")


def listed(id: str, key: str, look: Look) -> list[str]:
    """A fact that is a list."""
    return [entry for entry in fact(id, key, look).split(", ") if entry]


def number(id: str, key: str, look: Look) -> int:
    """A fact that is a number; 0 if the catalogue does not say it."""
    said = fact(id, key, look)
    return int(said) if said.isdecimal() else 0


def options(id: str, look: Look) -> list[list[str]]:
    """What a card lets choose."""
    return [option.split(", ") for option in fact(id, "choice", look).split("; ") if option]


# --- paladins --------------------------------------------------------------------------------------------------


def paladin_adds(id: str, look: Look) -> str:
    """What a paladin adds to the attributes: ``+3 Influence, +1 Faith``."""
    levels = [(number(id, attribute, look), attribute) for attribute in ATTRIBUTES]
    return ", ".join(f"+{level} {look.name(attribute)}" for level, attribute in levels if level) or NOTHING


def paladin_ability(id: str, look: Look) -> str:
    """What a paladin does in its round."""
    free = fact(id, "free", look)
    if free:
        return look.word("ability.free").format(look.name(free))
    if (bonus := _BONUS.fullmatch(fact(id, "bonus", look))) is not None:
        return look.word("ability.bonus").format(look.name(bonus[1]), gains(bonus[2].split(", "), look))
    if (cheaper := _CHEAPER.fullmatch(fact(id, "cheaper", look))) is not None:
        return look.word("ability.cheaper").format(look.name(cheaper[1]), price(int(cheaper[2]), 0, look))
    return NOTHING


def paladin_workers(id: str, look: Look) -> str:
    """The workers that come with a paladin."""
    return gains(listed(id, "workers", look), look)


def paladin(id: str, look: Look) -> str:
    """All of a paladin in a line."""
    return "; ".join((paladin_workers(id, look), paladin_adds(id, look), paladin_ability(id, look)))


# --- townsfolk, outsiders, favours, walls ------------------------------------------------------------------------


def townsfolk_ability(id: str, look: Look) -> str:
    """What townsfolk give whenever their action is done: ``Absolve: 1 Labourer``."""
    trigger, condition = fact(id, "trigger", look), fact(id, "condition", look)
    when = look.words.get(f"trigger.{trigger}") or look.name(trigger)
    if condition:
        when = f"{when} ({look.word(f'condition.{condition}')})"
    return f"{when}: {gains(listed(id, 'reward', look), look)}"


def outsider(id: str, look: Look) -> str:
    """An outsider with its people: ``Archer (Viking)``."""
    suit = fact(id, "suit", look)
    return f"{look.name(id)} ({look.name(suit)})" if suit else look.name(id)


def attack_gains(id: str, look: Look) -> str:
    """What an attack on an outsider brings."""
    return gains(listed(id, "attack", look), look)


def convert_gains(id: str, look: Look) -> str:
    """What the conversion of an outsider brings at once."""
    return gains(["strength"] * number(id, "strength", look), look)


def scores(id: str, look: Look) -> str:
    """What a converted outsider is worth at the end."""
    counted = fact(id, "scores", look)
    return look.words.get(f"scores.{counted}", counted)


def favour_worker(id: str, look: Look) -> str:
    """The worker that a King's Favour asks for."""
    return look.name(fact(id, "worker", look))


def favour_price(id: str, look: Look) -> str:
    """What a King's Favour costs besides."""
    return price(number(id, "silver", look), number(id, "provision", look), look, nothing="")


def favour_gives(id: str, look: Look) -> str:
    """What a King's Favour gives."""
    return _gives(id, look)


def wall(id: str, look: Look) -> str:
    """What a wall gives, and its points."""
    points = number(id, "points", look)
    return _gives(id, look) + (f", {look.word('points').format(points)}" if points else "")


def _gives(id: str, look: Look) -> str:
    given = listed(id, "gain", look)
    parts = [gains(given, look)] if given else []
    if chosen := options(id, look):
        parts.append(either(chosen, look))
    return ", ".join(parts) or NOTHING


# --- any card ----------------------------------------------------------------------------------------------------


def about(id: str, look: Look) -> str:
    """What a card does, whatever it is; empty for what is no card."""
    facts = look.facts.get(id, {})
    if "trigger" in facts:
        return townsfolk_ability(id, look)
    if "attack" in facts:
        parts = [(look.name("attack"), attack_gains(id, look)), (look.name("convert"), convert_gains(id, look))]
        return "; ".join(f"{name}: {gained}" for name, gained in parts)
    if "gain" in facts or "choice" in facts:
        return wall(id, look)
    return paladin(id, look) if "free" in facts or "bonus" in facts or "cheaper" in facts else ""
