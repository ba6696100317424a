"""Check the sentences of a title, and make example values for them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, get_type_hints

from msgspec import Struct

from boardkeeper.game.sentences import offered_command
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.bot_games import play_bot_game
from boardkeeper.titlekit.rules_catalogue import LANGUAGES

NAMES = ("Anna", "Ben", "Clara", "Dora", "Emil")
"""The names of seats."""


def structs_by_group(adapter: Adapter) -> dict[str, dict[str, type[Struct]]]:
    """Return the structs with templates, by group and name."""
    offers = {offer.__name__: offer for offer in adapter.offers}
    groups = {"commands": dict(adapter.title.commands), "events": dict(adapter.title.events), "offers": offers}
    return {group: structs for group, structs in groups.items() if structs}


def structs(adapter: Adapter) -> list[type[Struct]]:
    """Return all structs with templates."""
    return [struct for group in structs_by_group(adapter).values() for struct in group.values()]


def samples(adapter: Adapter, struct: type[Struct], name: str, kind: object) -> Sequence[Any]:
    """Return example values of a field. The first one is not empty, so that optional parts appear."""
    if kind is bool:
        return (True, False)
    values = adapter.values_of(struct, name)
    if kind is int and not (values and isinstance(values[0], int)):
        return (1, 0, 4)
    assert values, f"give an example for {struct.__name__}.{name}"
    return values


def examples(adapter: Adapter, struct: type[Struct]) -> Iterator[Struct]:
    """Yield structs in which each field has each of its example values at least once."""
    yield from (example for example in adapter.examples if isinstance(example, struct))
    kinds = get_type_hints(struct)
    values = {name: samples(adapter, struct, name, kind) for name, kind in kinds.items()}
    first = {name: each[0] for name, each in values.items()}
    yield struct(**first)
    yield struct(**{name: each[-1] for name, each in values.items()})
    for name, each in values.items():
        for value in each[1:]:
            yield struct(**{**first, name: value})


def check_sentence(text: str, *, ends: str) -> None:
    """Check that a sentence is complete, and has no raw ids and no stray blanks."""
    assert text, "the sentence is empty"
    assert not re.search(r"[{}\[\]<>|_]", text), text
    assert "  " not in text, text
    assert not re.search(r" [.,;:]|[,;:]\.|\(\)", text), text
    assert text[0].isupper(), text
    assert text.endswith(ends), text
    assert not text.endswith(".."), text


def check_sentences(
    adapter: Adapter,
    bots: Sequence[str],
    edition: str = "",
    options: dict[str, str] | None = None,
    readings: dict[str, str] | None = None,
) -> None:
    """Check the sentences of a game of bots; those of the legal commands of a decision must differ."""
    say = adapter.title.sentence

    def watch(play: Any, seat: int, legal: Sequence[Struct]) -> None:
        language = LANGUAGES[seat % len(LANGUAGES)]
        texts = [say(language, NAMES, 1, offered_command(play, seat, command)) for command in legal]
        assert len(set(texts)) == len(texts), texts
        for text in texts:
            check_sentence(text, ends="")

    _, events = play_bot_game(adapter.title, bots, "words", watch, edition, options, readings)
    for event in events:
        for language in LANGUAGES:
            check_sentence(say(language, NAMES, 1 if event.seat else 0, event.detail), ends=".")
