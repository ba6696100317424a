"""Tests for a title that is finished: the toy level, and files and lists that show that nothing was forgotten.

Derive a class, and name the adapter of the title::

    from pathlib import Path

    from boardkeeper.testkit import full
    from boardkeeper.testkit.adapters import Adapter

    from my_game import TITLE

    ADAPTER = Adapter(title=TITLE, folder=Path(__file__).parent, decisions=("turn",))


    class TestMyGame(full.TitleTests):
        adapter = ADAPTER

``python -m boardkeeper.testkit MODULE`` writes the golden games and perft files that a title lacks into the folders
``golden`` and ``perft`` beside the module that has ``ADAPTER``. Never edit them: if changed rules decide
a golden game differently, they need a new reading. ``python -m boardkeeper.testkit mutants PACKAGE`` finds rules that
no test covers (:mod:`boardkeeper.testkit.mutants`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from msgspec.structs import fields

from boardkeeper.testkit import golden as golden_games
from boardkeeper.testkit import perft as perft_files
from boardkeeper.testkit import properties, toy
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.checks import PUBLISHED, check_rejection, words_of
from boardkeeper.testkit.coverage import find_untested, names_of_tests
from boardkeeper.testkit.legal_checks import mutations
from boardkeeper.testkit.playouts import playout
from boardkeeper.testkit.sentence_checks import NAMES, check_sentence, examples, structs, structs_by_group
from boardkeeper.testkit.setups import default_setup
from boardkeeper.testkit.suite import AdapterTests
from boardkeeper.titlekit.rules_catalogue import LANGUAGES, kernel_rules


class WordsTests(AdapterTests):
    """Tests of ``words/*.toml`` of a title's package. A title whose words are derived needs none of them."""

    def test_every_struct_has_a_template_with_existing_fields(self, adapter: Adapter, language: str) -> None:
        """Commands and events have templates, and these name only fields that exist."""
        templates = words_of(adapter.package, language).templates
        for group, found in structs_by_group(adapter).items():
            assert set(templates[group]) == set(found)
            for name, template in templates[group].items():
                known = {field.name for field in fields(found[name])} | {"seat"}
                assert {field.name for field in template.fields()} <= known, name

    def test_every_value_of_every_field_has_a_sentence(self, adapter: Adapter, language: str) -> None:
        """Sentences are complete for all values of the fields. Report the first failure of each command and event."""
        failures = []
        for struct in structs(adapter):
            ends = "." if struct in adapter.title.events.values() else ""
            try:
                for example in examples(adapter, struct):
                    check_sentence(adapter.title.sentence(language, NAMES, 1, example), ends=ends)
            except AssertionError as failure:
                failures.append(f"{struct.__name__}: {failure}")
        assert not failures, "\n".join(failures)

    def test_languages_have_the_same_templates_and_numbers(self, adapter: Adapter) -> None:
        """No language lacks a template, a number or a name that another one has."""
        first, *others = (words_of(adapter.package, language) for language in LANGUAGES)
        for other in others:
            assert set(first.numbers) == set(other.numbers)
            assert set(first.forms["name"]) == set(other.forms["name"])
            assert set(first.templates) == set(other.templates)
            for group in first.templates:
                assert set(first.templates[group]) == set(other.templates[group]), group


class TitleTests(toy.TitleTests):
    """The tests of one finished title: set ``adapter``."""

    adapter: ClassVar[Adapter]
    games: ClassVar[int] = 8

    def __init_subclass__(cls, **options: Any) -> None:
        if "adapter" in cls.__dict__:
            cls.title = cls.adapter.title
            cls.adapters = (cls.adapter,)
        super().__init_subclass__(**options)

    def test_every_choice_is_played(self, adapter: Adapter) -> None:
        """Random games reach each edition, option and reading."""
        assert properties.find_unplayed_choices(adapter) == set()

    def test_golden_game(self, adapter: Adapter, golden: Path) -> None:
        """The rules decide a recorded game as they did when it was recorded."""
        golden_games.check_replay_and_revert(golden, adapter.title)
        golden_games.check_decisions(golden, adapter.title)

    def test_golden_games_show_everything(self, adapter: Adapter) -> None:
        """Together they have every command, event, edition, number of players, option and reading."""
        games = [golden_games.read(path, adapter.title) for path in golden_games.files(adapter.golden)]
        shown = set().union(*(golden_games.features(adapter, events) for events in games))
        missing = golden_games.find_missing_features(adapter, shown)
        assert not missing, f"record them with: python -m boardkeeper.testkit MODULE ({sorted(missing)})"

    def test_perft(self, adapter: Adapter, perft: Path) -> None:
        """A position has as many continuations as were counted."""
        file = perft_files.read(perft)
        assert perft_files.split(perft_files.bind_position(adapter.title, file), len(file.counts)) == file.split

    def test_every_decision_has_a_perft_file(self, adapter: Adapter) -> None:
        """Each decision has a perft file for some position."""
        files = [perft_files.read(path) for path in perft_files.files(adapter.perft)]
        counted = {it for file in files for it in perft_files.bind_position(adapter.title, file).table.decisions}
        assert counted >= set(adapter.decisions)

    def test_every_rule_has_a_test(self, adapter: Adapter) -> None:
        """The test of the rule ``title.topic.rule`` is named ``test_title_topic_rule``, with ``__`` before more."""
        assert adapter.folder is not None
        rules = [rule.id for rule in adapter.title.rules()]
        assert find_untested(rules, names_of_tests(adapter.folder)) == set()

    def test_rejections_are_published(self, adapter: Adapter, players: int) -> None:
        """Every rejection that random games meet is in ``rejections.toml``, with the names of its values."""
        assert adapter.folder is not None
        assert (adapter.folder / PUBLISHED).exists(), f"{PUBLISHED} lists the rejections that clients may rely on"
        with playout(adapter, 1, default_setup(adapter.title, players)) as game:
            while not game.play.is_over():
                seat = game.table.deciding()[0]
                for command in mutations(game.random, adapter, game.play.legal(seat)):
                    rejection = game.play.decide(seat, command)
                    game.play.recorder.rollback()
                    if rejection is not None and rejection.rule not in kernel_rules():
                        check_rejection(adapter, command, rejection)
                game.step()
