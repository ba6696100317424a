"""Values of components as phrases: each title has all of them, and without phrases the keys are shown."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boardkeeper.terminal.drawing.captions import LANGUAGES
from boardkeeper.terminal.drawing.phrases import Phrases, phrases_of
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.registry import TITLES, load_title
from boardkeeper.titles.stories.cards import BonusEffect, EventEffect, Place


def name(id: str) -> str:
    return id.replace("_", " ").capitalize()


PHRASES = Phrases(
    facts={
        "recruit": "recruit {}",
        "cancels": "cancels the event",
        "stands_for": "{} in place of {}",
        "food": "from {} areas on {} food",
        "effect": "{}",
        "winner": "most {}:",
        "pay.1": "pay 1 coin",
        "pay.n": "pay {} coins",
        "pay": "pay {}",
        "build.church": "build a church",
        "build": "build: {}",
        "guest.pay": "asks for {}",
        "hire": "hire {} for {price}",
        "coins": "1 coin|{} coins",
        "*_per_*": "{} per {}",
        "lose_*": "lose {}",
    }
)


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"recruit": ["knight", "farmer|monk", "knight"]}, "recruit 2× Knight, Farmer/Monk"),
        ({"cancels": True, "recruit": ""}, "cancels the event"),
        ({"cancels": False, "pay": 0, "recruit": [], "build": [0]}, ""),
        ({"stands_for": {"monk": ["farmer", "knight"]}}, "Monk in place of Farmer, Knight"),
        ({"food": [[0, 1], [4, 2]]}, "from 0 areas on 1 food, from 4 areas on 2 food"),
        ({"effect": {"pay": 2, "recruit": ["monk", "knight"]}}, "recruit Monk, Knight, pay 2 coins"),
        ({"effect": [{"pay": 2}, {"pay": 1}]}, "pay 2 coins / pay 1 coin"),
        ({"effect": {"pay": 2, "winner": "areas"}}, "most Areas: pay 2 coins"),
        ({"recruit": [["monk"], ["knight", "knight"]]}, "recruit Monk / 2× Knight"),
        ({"effect": {"monk": 2, "4": 1}}, "Monk 2, 4: 1"),
        ({"pay": [3, 2, 0]}, "pay 3, 2, 0"),
        ({"pay": [2], "recruit": ["monk"]}, "recruit Monk, pay 2 coins"),
        ({"build": "church"}, "build a church"),
        ({"build": "village"}, "build: Village"),
        ({"unknown": 3}, ""),
        ({"hire": "monk", "price": 3}, "hire Monk for 3"),
        ({"hire": "monk"}, ""),
        ({"coins": 1}, "1 coin"),
        ({"coins": {"monk": 2}}, "coins Monk 2"),
        ({"coins_per_knight": 2, "pay": 1}, "pay 1 coin, 2 coins per Knight"),
        ({"lose_coins": 1}, "lose 1 coin"),
        ({"effect": {"lose_knights": 2}}, "lose knights: 2"),
    ],
)
def test_values_are_described_by_their_phrases(values: dict[str, Any], text: str) -> None:
    assert PHRASES.describe(values, name) == text


def test_a_kind_of_component_can_have_its_own_phrase() -> None:
    assert PHRASES.describe({"pay": 2}, name, kind="guest") == "asks for 2"
    assert PHRASES.describe({"pay": 2}, name, kind="host") == "pay 2 coins"


def test_lists_by_position_are_described_for_one_position() -> None:
    values = {"pay": [3, 1, 0], "build": ["village", "church", ""], "recruit": "monk"}
    assert [PHRASES.describe(values, name, at=it) for it in (1, 2, 3, 4)] == [
        "pay 3 coins, build: Village",
        "pay 1 coin, build a church",
        "",
        "",
    ]


def test_values_without_phrases_are_described_by_their_keys() -> None:
    values = {"needs_wood": 2, "in_box": 4, "en_provenance": "rulebook", "free": True, "gives": "wine"}
    values["dry"] = [True, False]
    assert Phrases().describe(values, name) == "dry: ✓, –, free, gives: Wine, needs wood: 2"


@pytest.mark.parametrize("id", ["a title to come", "", "..", "unknown", "os", "registry", "orléans", "Orleans"])
def test_a_title_that_is_not_installed_has_no_phrases(id: str) -> None:
    """A server can have titles with any ids that this installation does not have."""
    assert phrases_of(id, "en") == Phrases()


def keys_in(values: Any) -> Iterator[str]:
    """Yield all keys of an object and of the objects in it."""
    if isinstance(values, dict):
        for key, value in values.items():
            yield from (key, f"{key}.{value}", *keys_in(value))
    elif isinstance(values, list):
        for value in values:
            yield from keys_in(value)


def terminal_file(repository: Path, title: str) -> Path:
    return repository / "domain/boardkeeper/titles" / title / "terminal.toml"


@pytest.mark.parametrize("title", TITLES)
def test_the_terminal_data_of_a_title_is_small(title: str, repository: Path) -> None:
    lines = terminal_file(repository, title).read_text("utf-8").splitlines()
    assert sum(bool(it) and it[0] not in "#[" for it in lines) <= 80


@pytest.mark.parametrize("title", TITLES)
def test_every_phrase_belongs_to_a_value_and_is_in_both_languages(title: str, repository: Path) -> None:
    loaded = tomllib.loads(terminal_file(repository, title).read_text("utf-8"))
    rules = load_title(title)
    keys: set[str] = set()
    for edition in rules.meta.editions:
        for component in rules.components(Setup(edition.id, max(edition.players))):
            keys |= {f"{component.kind}.{key}" for key in component.values} | {*keys_in(component.values)}
    for key, texts in loaded["facts"].items():
        part = key.strip("*")
        assert key in keys or key.partition(".")[0] in keys or (part != key and any(part in it for it in keys)), key
        if isinstance(texts, list):
            assert len(texts) == len(LANGUAGES)
            assert len({it.count("{}") for it in texts}) == 1, key
    assert all(len(texts) == len(LANGUAGES) and all(texts) for texts in loaded["words"].values())


def test_every_field_of_stories_data_sets_has_a_phrase() -> None:
    """Also fields that our own data sets do not use."""
    without_phrase = {"id", "mask", "category", "filled_at_least", "neutral_only", "extra_draw", "market_extension"}
    for language in LANGUAGES:
        facts = phrases_of("stories", language).facts
        known = {key.partition(".")[0] for key in facts} | {
            it for text in facts.values() for it in re.findall(r"{(\w+)}", text)
        }
        used = {*Place.__struct_encode_fields__, *EventEffect.__annotations__, *BonusEffect.__annotations__}
        assert {
            it
            for it in used - without_phrase - known
            if "_per_" not in it and not it.startswith(("pay_", "per_", "lose_"))
        } == set()


def test_phrases_import_no_title() -> None:
    code = (
        "import sys; from boardkeeper.terminal.drawing.phrases import phrases_of\n"
        "assert phrases_of('orleans', 'de').facts\n"
        "print([it for it in sys.modules if it.startswith('boardkeeper.titles.')])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["[]"]
