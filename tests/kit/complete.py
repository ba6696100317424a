"""The tests, files and texts that every registered title must have."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from tests.kit.adapters import adapter_of, adapters
from tests.kit.families import names_of_rule_tests

from boardkeeper.game.choices import ChoiceError, complete
from boardkeeper.testkit import packed_files
from boardkeeper.testkit.coverage import find_untested
from boardkeeper.testkit.golden import creation_of, decode, game_id
from boardkeeper.testkit.golden import files as golden_files
from boardkeeper.testkit.mutants import read_settings
from boardkeeper.testkit.setups import has_automata, player_counts
from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titlekit.sentences import Words
from boardkeeper.titlekit.title import Setup, Title

FEWEST_POSITIONS = 8
"""The number of perft files that each edition needs, or the number of its decisions if that is smaller."""


def find_missing(title: Title, package: str, tests: Path) -> Iterator[str]:
    """Describe everything that a title in ``package`` lacks, in a folder of tests and in the package."""
    id = title.meta.id
    home = tests / "titles" / id
    slow_tests = read_settings(home).slow  # must exist if they are listed
    for name in ("adapter.py", "mutants.toml", "rejections.toml", *slow_tests):
        if not (home / name).exists():
            yield f"titles/{id}/{name}"
    yield from _missing_golden_games(title, tests / "golden" / id)
    has_adapter = id in {adapter.id for adapter in adapters()}
    fewest = min(FEWEST_POSITIONS, len(adapter_of(id).decisions)) if has_adapter else FEWEST_POSITIONS
    for edition in title.meta.editions:
        counted = len(packed_files.find(tests / "perft" / id / edition.id, "*.json"))
        if counted < fewest:
            yield f"perft of {edition.id}: {counted} of {fewest} positions"
    if not (tests / "stability" / "layouts" / f"{id}.json").exists():
        yield f"stability/layouts/{id}.json"
    for rule in sorted(find_untested((rule.id for rule in title.rules()), names_of_rule_tests(tests))):
        yield f"a test for {rule}"
    for language in LANGUAGES:
        yield from _missing_words(title, package, language)


def _missing_golden_games(title: Title, folder: Path) -> Iterator[str]:
    """Require a golden game of each edition with each number of players, including solo games."""
    setups = [_setup(path) for path in golden_files(folder)]
    played = {(it.edition, it.players - len(title.automata(title.meta.with_legacy_choices(it)))) for it in setups}
    for edition in title.meta.editions:
        for players in player_counts(title.meta):
            try:
                complete(title.meta, Setup(edition.id, players))
            except ChoiceError:
                continue  # only other editions allow this number of players
            if (edition.id, players) not in played:
                yield f"a golden game of {edition.id} with {players}"


def _setup(path: Path) -> Setup:
    first, _, _ = packed_files.read(path).partition(b"\n")
    return creation_of([decode(game_id(path), first)]).setup


def _missing_words(title: Title, package: str, language: str) -> Iterator[str]:
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
