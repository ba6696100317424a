"""What a registered title owes its tests, and which of it is missing."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from tests.kit.adapters import adapter_of, adapters

from boardkeeper.game.choices import ChoiceError, complete
from boardkeeper.testkit import packed_files
from boardkeeper.testkit.coverage import find_untested, names_of_tests
from boardkeeper.testkit.golden import created, decode, game_id
from boardkeeper.testkit.golden import files as golden_files
from boardkeeper.testkit.mutants import read_settings
from boardkeeper.testkit.setups import has_automata, player_counts
from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titlekit.sentences import Words
from boardkeeper.titlekit.title import Setup, Title

FEWEST_POSITIONS = 8
"""So many positions of each edition have their perft counted at least, if there are as many decisions."""


def lacking(title: Title, package: str, tests: Path) -> Iterator[str]:
    """Everything that a title of that package lacks below a folder of tests."""
    id = title.meta.id
    home = tests / "titles" / id
    for name in ("adapter.py", "mutants.toml", "rejections.toml"):
        if not (home / name).exists():
            yield f"titles/{id}/{name}"
    yield from (f"titles/{id}/{name}" for name in _slow(home) if not (home / name).exists())
    yield from _golden(title, tests / "golden" / id)
    fewest = min(FEWEST_POSITIONS, len(adapter_of(id).decisions)) if id in _adapted() else FEWEST_POSITIONS
    for edition in title.meta.editions:
        counted = len(packed_files.find(tests / "perft" / id / edition.id, "*.json"))
        if counted < fewest:
            yield f"perft of {edition.id}: {counted} of {fewest} positions"
    if not (tests / "stability" / "layouts" / f"{id}.json").exists():
        yield f"stability/layouts/{id}.json"
    for rule in sorted(find_untested((rule.id for rule in title.rules()), names_of_tests(tests))):
        yield f"a test for {rule}"
    for language in LANGUAGES:
        yield from _words(title, package, language)


def _adapted() -> set[str]:
    return {adapter.id for adapter in adapters()}


def _slow(home: Path) -> list[str]:
    """The tests that the mutation tests of a title leave out because they take long."""
    return list(read_settings(home).slow)


def _golden(title: Title, folder: Path) -> Iterator[str]:
    """Golden games of each edition with each number of players, alone against the rules among them."""
    setups = [_setup(path) for path in golden_files(folder)]
    played = {(it.edition, it.players - len(title.automata(title.meta.with_legacy_choices(it)))) for it in setups}
    for edition in title.meta.editions:
        for players in player_counts(title.meta):
            try:
                complete(title.meta, Setup(edition.id, players))
            except ChoiceError:
                continue  # some other edition is for so many
            if (edition.id, players) not in played:
                yield f"a golden game of {edition.id} with {players}"


def _setup(path: Path) -> Setup:
    first, _, _ = packed_files.read(path).partition(b"\n")
    return created([decode(game_id(path), first)]).setup


def _words(title: Title, package: str, language: str) -> Iterator[str]:
    if not (files(package) / "words" / f"{language}.toml").is_file():
        yield f"words in {language}"
        return
    words = Words.read(package, language)
    if has_automata(title) and not words.automaton:
        yield f"words for a seat that the rules play in {language}"
    templates = words.templates
    for group, structs in (("commands", title.commands), ("events", title.events)):
        for name in structs:
            if name not in templates.get(group, {}):
                yield f"words for {name} in {language}"
