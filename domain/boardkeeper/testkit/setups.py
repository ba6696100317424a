"""Setups for tests, with default or random choices.

A game with one player, if the title has one, has two seats: the second one is played by the rules.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from random import Random

from boardkeeper.game.choices import SOLO_SEATS, ChoiceError, complete
from boardkeeper.titlekit.title import OptionMeta, Setup, Title, TitleMeta


def player_counts(meta: TitleMeta) -> tuple[int, ...]:
    """Return the numbers of players of all editions, and 1 if the title has a solo game."""
    counts = {count for it in meta.editions for count in range(it.players[0], it.players[1] + 1)}
    return tuple(sorted(counts | ({1} if meta.alone else set())))


def default_setup(title: Title, players: int, edition: str = "") -> Setup:
    """Return the setup of an edition with all defaults; without ``edition``, of the default edition."""
    return complete(title.meta, Setup(edition, players))


def random_setup(title: Title, seed: int, players: int, editions: Collection[str] = ()) -> Setup:
    """Return a random setup: an edition (one of ``editions``; empty: any), options and readings for ``players``."""
    meta = title.meta
    random = Random(f"setup {seed}")
    alone = players == 1 and bool(meta.alone)
    seats = SOLO_SEATS if alone else players
    offered = [it for it in meta.editions if not editions or it.id in editions]
    edition = random.choice([it for it in offered if it.players[0] <= seats <= it.players[1]])
    options = {option.id: _random_choice(random, option, seats) for option in meta.options if option.is_for(edition.id)}
    readings = {
        reading.id: _random_choice(random, reading, seats) for reading in meta.readings if reading.is_for(edition.id)
    }
    setup = complete(meta, Setup(edition.id, seats, options, readings))
    if alone and not title.automata(setup):
        return complete(meta, Setup(edition.id, seats, options | meta.alone, readings))
    return setup


def has_automata(title: Title) -> bool:
    """Return whether the rules play a seat in a game with default choices, or with another choice for one option."""
    meta = title.meta
    offered = ((option.id, choice.id) for option in meta.options for choice in option.choices)
    choices: list[dict[str, str]] = [{}, *({option: choice} for option, choice in offered)]
    for players in player_counts(meta):
        for options in choices:
            with suppress(ChoiceError):  # this choice is for other numbers of players
                if title.automata(complete(meta, Setup("", players, options))):
                    return True
    return False


def _random_choice(random: Random, option: OptionMeta, seats: int) -> str:
    return random.choice([it.id for it in option.choices if not it.players or seats in it.players])


def mixed_setup(title: Title, seed: int, players: int) -> Setup:
    """Return default choices (seeds 0, 3, …), another edition's default choices (1, 4, …), or random ones (2, 5, …)."""
    if seed % 3 == 2:
        return random_setup(title, seed, players)
    playable = [it.id for it in title.meta.editions if it.players[0] <= players <= it.players[1]]
    return default_setup(title, players, playable[seed // 3 % len(playable)] if seed % 3 and playable else "")
