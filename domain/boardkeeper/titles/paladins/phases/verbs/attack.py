"""Attack: take an outsider for strength; silver replaces missing strength. Source: paladins.attack.*."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.paladins.commands import AttackOutsider
from boardkeeper.titles.paladins.events import OutsiderAttacked
from boardkeeper.titles.paladins.material import Paladins, Seat
from boardkeeper.titles.paladins.phases import gains
from boardkeeper.titles.paladins.phases.verbs.verb import finish, short_of_silver


def cost(t: Paladins, level: int, at: int) -> int:
    """Return the silver that an attack costs at a place of the row (from 0) with a level of strength.

    If the reading ``attack_top_up`` is ``by_flag``: 1 silver for each 2 missing strength. Otherwise: 1 silver for each
    card from the first that the strength does not reach to the target. Source: paladins.attack.silver_for_strength.
    """
    flags = t.data.flags["strength"]
    if t.data.readings.attack_top_up == "by_flag":
        return max(0, (flags[at] - level + 1) // 2)
    reach = sum(1 for flag in flags if flag <= level)
    return sum(1 for place in t.outsiders[reach : at + 1] if place.items)


def _affordable(t: Paladins, seat: Seat) -> list[str]:
    level, silver = seat.level("strength"), seat.silver.value
    return [card for at, place in enumerate(t.outsiders) for card in place.items if cost(t, level, at) <= silver]


def find_rejection(t: Paladins, seat: Seat, workers: int) -> Rejection | None:
    """Return a rejection if the seat cannot pay for the leftmost outsider, which costs least.

    Source: paladins.attack.silver_for_strength, .on_display.
    """
    silver = seat.silver.value
    for at, place in enumerate(t.outsiders):
        if place.items:
            needs = cost(t, seat.level("strength"), at)
            return short_of_silver(silver, needs, "paladins.attack.silver_for_strength") if silver < needs else None
    return Rejection("NOBODY_ON_DISPLAY", "paladins.attack.on_display")


def legal(t: Paladins, seat: Seat) -> Sequence[Struct]:
    """Return a command for each outsider that the seat can attack."""
    return [AttackOutsider(card) for card in _affordable(t, seat)]


def attack(t: Paladins, seat: Seat, command: AttackOutsider) -> Rejection | None:
    """Pay, keep the card and grant its reward. Source: paladins.attack.reward, .keeps_card."""
    at = t.index_in(t.outsiders, command.outsider)
    if at < 0:
        return Rejection("NOT_ON_DISPLAY", "paladins.attack.on_display", {"outsider": command.outsider})
    silver = cost(t, seat.level("strength"), at)
    if seat.silver.value < silver:
        return short_of_silver(seat.silver.value, silver, "paladins.attack.silver_for_strength")
    t.pay(seat, silver)
    t.move(command.outsider, t.outsiders[at], seat.attacked)
    t.emit(seat, OutsiderAttacked(command.outsider, silver))
    gains.grant(t, seat, t.data.outsiders[command.outsider].attack, command.outsider)
    finish(t, seat, "attack")
    return None
