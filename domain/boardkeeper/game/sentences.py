"""Every event and rejection of a game in plain words: the game's own here, all others by its title."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct
from msgspec.structs import asdict

from boardkeeper.game.events import GAME_EVENTS, GameCreated, GameEnded
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.rules_catalogue import language_or_default, table_rules
from boardkeeper.table.sentences import Words
from boardkeeper.table.sentences import explain as explain_with
from boardkeeper.table.title import Title


@lru_cache(maxsize=4)
def words(language: str) -> Words:
    """The words of a language."""
    return Words.read("boardkeeper.game", language)


def sentence(language: str, title: Title, seat: str, detail: Struct) -> str:
    """An event (past) or a command (imperative) in plain words.

    ``seat`` is the name of the seat it belongs to, empty where it belongs to none. Languages that nobody here speaks
    are answered in the default one.
    """
    if not isinstance(detail, GAME_EVENTS):
        return title.sentence(language, seat, detail)
    language = language_or_default(language)
    values = asdict(detail) | {"seat": seat}
    if isinstance(detail, GameCreated):
        values |= {"title_name": title.meta.text[language], "players": detail.setup.players}
    elif isinstance(detail, GameEnded):
        winners = [seat for seat, rank in enumerate(detail.ranks, 1) if rank == 1]
        values |= {"winner": winners[0] if len(winners) == 1 else 0, "winners": tuple(winners)}
    name = type(detail).__name__
    return words(language).say("events", name, values) or name


def explain(language: str, title: Title, rejection: Rejection) -> str:
    """Why a command was refused: what failed, and the rule."""
    language = language_or_default(language)
    rules = table_rules()
    if rejection.rule in rules:
        return explain_with(words(language), rules, language, rejection)
    return title.explain(language, rejection)
