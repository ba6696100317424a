"""What Orléans says: a sentence for every command, event and rejection, in every language of ``words/``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import asdict

from boardkeeper.table.rejections import Rejection
from boardkeeper.table.rules_catalogue import language_or_default
from boardkeeper.table.sentences import Words
from boardkeeper.table.sentences import explain as explain_with
from boardkeeper.titles.orleans.rules_catalogue import rules

_PACKAGE = "boardkeeper.titles.orleans"


@lru_cache(maxsize=4)
def words(language: str) -> Words:
    """The words of a language."""
    return Words.read(_PACKAGE, language)


def sentence(language: str, names: Sequence[str], seat: int, detail: Struct) -> str:
    """A command (imperative), also as it is offered, or an event in plain words.

    ``names`` are those of all seats, ``seat`` is the one it belongs to, 0 for an event of the whole table. Languages
    that Orléans does not speak are answered in the default one.
    """
    chosen = words(language_or_default(language))
    name = type(detail).__name__
    values = asdict(detail) | {"seat": chosen.seat(seat, names)}
    for group in ("events", "commands", "offers"):
        text = chosen.say(group, name, values, names)
        if text:
            return text
    return chosen.name(name)


def explain(language: str, names: Sequence[str], rejection: Rejection) -> str:
    """Why a command was refused: what failed, and the rule."""
    language = language_or_default(language)
    return explain_with(words(language), rules(), language, rejection, names)
