"""Every name that the log of a golden game needs exists in both languages."""

from __future__ import annotations

import pytest
from tests.golden.games import files

from boardkeeper.game.sentences import sentence
from boardkeeper.testkit.golden import read
from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titlekit.sentences import Words
from boardkeeper.titles.registry import TITLES, load_title

NAMES = ("Anna", "Ben", "Clara", "Dora", "Emil")


@pytest.mark.parametrize("id", TITLES)
def test_no_sentence_of_a_log_contains_a_bare_id(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    title = load_title(id)
    missing: set[tuple[str, str]] = set()
    name_of = Words.name

    def name(words: Words, id: str, form: str = "name") -> str:
        if id not in words.forms.get(form, {}):
            missing.add((form, id))
        return name_of(words, id, form)

    monkeypatch.setattr(Words, "name", name)
    events = {repr((event.seat, event.detail)): event for path in files(id) for event in read(path)}
    for event in events.values():
        for language in LANGUAGES:
            text = sentence(language, title, NAMES, event.seat, event.detail)
            assert "_" not in text, text
    assert not missing
