"""Bots: those that a title brings, and the levels that every title has.

A bot of a title gets a play on a redacted table: it does not know the hidden information or the dice of the game. A
level searches in possible worlds (:mod:`boardkeeper.titlekit.search`), which it draws from what the seat sees.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import exp
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from boardkeeper.table.table import Table
from boardkeeper.table.table_values import ValueStore
from boardkeeper.titlekit.policies import CommandPolicy, policy_of
from boardkeeper.titlekit.redaction import redacted_play
from boardkeeper.titlekit.search import Searcher, SearchLimits
from boardkeeper.titlekit.title import BotMeta, Play, Setup, Title, TitleMeta

_MAX_SEARCHERS = 8

RANDOM = "random"
"""The kind of bot that every title has: all legal commands are equally likely."""

HARD = SearchLimits(rollouts=96, candidates=6)
"""The effort of the strongest level."""

LEVELS: Mapping[str, SearchLimits | None] = {
    "easy": None,
    "medium": SearchLimits(rollouts=16, candidates=3),
    "hard": HARD,
}
"""The levels of bots that every title has. Those with limits search; ``easy`` chooses good commands more often."""

LEVEL_BOTS = (
    BotMeta("easy", {"en": "Easy bot: often misses the best move", "de": "Leichter Bot: verpasst oft den besten Zug"}),
    BotMeta("medium", {"en": "Medium bot: thinks ahead a little", "de": "Mittlerer Bot: denkt etwas voraus"}),
    BotMeta("hard", {"en": "Hard bot: thinks ahead", "de": "Schwerer Bot: denkt voraus"}),
)
"""The catalogue entries of the levels."""

EASY_TEMPERATURE = 4.0
"""The easy bot prefers a command to another one by a factor of e for each 4 points of its score."""

Policy = Callable[[Any, int, Sequence[Struct]], Struct]
"""Chooses one of at least two legal commands. Takes a play on the redacted table, the seat and the legal commands."""


def bots_of(meta: TitleMeta) -> tuple[BotMeta, ...]:
    """Return all kinds of bots of a title: its own, then the levels. The first one is the default."""
    return (*meta.bots, *LEVEL_BOTS)


def limits_of(bot: str, rollouts: int) -> SearchLimits | None:
    """Return the limits of a level if ``hard`` plays this number of rollouts; ``None`` for bots that do not search."""
    limits = LEVELS.get(bot)
    return limits and replace(limits, rollouts=max(limits.rollouts * rollouts // HARD.rollouts, 1))


def default_bot(meta: TitleMeta) -> str:
    """Return the kind of bot that plays if a caller names none: the first one of the title."""
    return bots_of(meta)[0].id


class Numbers:
    """The numbers of a TOML table as attributes, for example the weights of a bot."""

    def __init__(self, table: Mapping[str, float]) -> None:
        self.__dict__.update(table)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> float:
            """Return the number with this name."""


def chance_of(key: bytes, version: int) -> float:
    """Return the random number in [0, 1) for a bot's decision at a version; always the same for the same key.

    The key is secret, so that players cannot compute in advance what a bot will do.
    """
    digest = hmac.digest(key, str(version).encode(), "sha256")[:8]
    return (int.from_bytes(digest, "big") >> 11) / (1 << 53)


def ask_bot(
    title: Title,
    setup: Setup,
    table: Table,
    bot: str,
    seat: int,
    commands: Sequence[Struct],
    random: float,
    limits: SearchLimits | None = None,
) -> Struct:
    """Return the command that a bot of this kind chooses for a seat; raises ``ValueError`` for an unknown kind.

    ``commands`` has at least one entry. ``random`` in [0, 1) is the only source of randomness. ``limits`` replaces the
    limits of a level that searches.
    """
    if bot == RANDOM or len(commands) == 1:
        return commands[int(random * len(commands))]
    if bot in LEVELS:
        limits = LEVELS[bot] and (limits or LEVELS[bot])
        if limits is not None:
            with _searcher(title, setup, table) as searcher:
                return commands[searcher.choose(ValueStore(table).save(), seat, commands, int(random * 2**53), limits)]
    with redacted_play(title, setup, table, seat) as play:
        if bot in LEVELS:
            return _choose_softly(policy_of(title), play, seat, commands, random)
        return title.choose(bot, play, seat, commands, random)


def _choose_softly(
    policy: CommandPolicy | None, play: Play, seat: int, commands: Sequence[Struct], random: float
) -> Struct:
    """Return a random command; those with a better score are more likely."""
    if policy is None:
        return commands[int(random * len(commands))]
    scores = policy.scores(play, seat, commands)
    best = max(scores)
    weights = [exp((score - best) / EASY_TEMPERATURE) for score in scores]
    left = random * sum(weights)
    for command, weight in zip(commands, weights, strict=True):
        left -= weight
        if left < 0:
            return command
    return commands[scores.index(best)]


_searchers: dict[tuple[int, bytes], tuple[Title, Searcher]] = {}
"""Searchers that no caller uses, by title and setup. Binding the rules takes about as long as a short search."""


@contextmanager
def _searcher(title: Title, setup: Setup, table: Table) -> Iterator[Searcher]:
    key = (id(title), msgspec.msgpack.encode(setup))
    _, searcher = _searchers.pop(key, (title, None))
    if searcher is None or not searcher.fits(table):
        searcher = Searcher(title, setup, table)
    yield searcher
    if len(_searchers) >= _MAX_SEARCHERS:
        _searchers.clear()
    _searchers[key] = title, searcher


def choose(
    policies: Mapping[str, Policy], bot: str, play: Play, seat: int, commands: Sequence[Struct], random: float
) -> Struct:
    """Implement :meth:`boardkeeper.titlekit.title.TitleRules.choose` with a policy for each kind of bot."""
    if bot == RANDOM:
        return commands[int(random * len(commands))]
    policy = policies.get(bot)
    if policy is None:
        raise ValueError(f"unknown bot {bot!r}")
    return commands[0] if len(commands) == 1 else policy(play, seat, commands)
