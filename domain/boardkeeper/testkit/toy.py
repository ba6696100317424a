"""Tests that every title passes, however small. They need nothing but the title.

Derive a class in your test module::

    from boardkeeper.testkit import toy

    from my_game import TITLE


    class TestMyGame(toy.TitleTests):
        title = TITLE

They play random games with every number of players, each with a fixed seed. A failure prints its own reproduction: the
setup, the seed and all commands. :class:`ToyGame` is for tests of single rules.
"""

from __future__ import annotations

from random import Random
from typing import Any, ClassVar

import pytest
from msgspec import Struct

from boardkeeper.table.effects import Event
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.visibility import PUBLIC
from boardkeeper.testkit import properties
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.bot_games import play_bot_game
from boardkeeper.testkit.checks import check_changes, check_values
from boardkeeper.testkit.histories import eager_history
from boardkeeper.testkit.playouts import playout, with_seed_note
from boardkeeper.testkit.preview_checks import PreviewCounts, check_previews, check_previews_hide_secrets
from boardkeeper.testkit.scenario_game import ScenarioGame
from boardkeeper.testkit.setups import mixed_setup
from boardkeeper.testkit.suite import AdapterTests
from boardkeeper.testkit.twin_games import EditionGroup, edition_groups, find_twins
from boardkeeper.titlekit.title import Setup, Title


class TitleTests(AdapterTests):
    """The tests of one title: set ``title``, and ``games`` for more or fewer games of each kind."""

    title: ClassVar[Title]
    games: ClassVar[int] = 4
    """The number of random games for each test and number of players."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "adapters" not in cls.__dict__ and hasattr(cls, "title"):
            cls.adapters = (Adapter(cls.title),)

    def setups(self, adapter: Adapter, players: int) -> list[tuple[int, Setup]]:
        """Return seeds and setups: the standard one, and others with editions, options and readings."""
        return [(seed, mixed_setup(adapter.title, seed, players)) for seed in range(self.games)]

    # --- rules -------------------------------------------------------------------------------------------------------

    def test_random_games_end(self, adapter: Adapter, players: int) -> None:
        """Every random game ends, and its standings have all seats."""
        for seed, setup in self.setups(adapter, players):
            properties.check_ends(adapter, seed, setup)

    def test_no_event_makes_or_loses_a_component(self, adapter: Adapter, players: int) -> None:
        """Components only move between zones."""
        for seed, setup in self.setups(adapter, players):
            properties.check_conservation(adapter, seed, setup)

    def test_legal_and_decide_agree(self, adapter: Adapter, players: int) -> None:
        """Listed commands are accepted, others are rejected with a known rule, and trying changes nothing."""
        tried = 0
        for seed, setup in self.setups(adapter, players):
            tried += properties.check_legal_commands(adapter, seed, setup)
        assert tried, "no command was tried"

    def test_bots_choose_legal_commands(self, adapter: Adapter, players: int) -> None:
        """Every kind of bot plays games to their end, and sees only what its seat sees."""
        for bot in adapter.title.meta.bots:
            play, _ = play_bot_game(adapter.title, [bot.id] * players, "bots")
            assert play.is_over()

    # --- history -----------------------------------------------------------------------------------------------------

    def test_histories_fold_forwards_and_backwards(self, adapter: Adapter, players: int) -> None:
        """Applying the stored effects gives every table of the game, and reverting them gives the first one."""
        for seed, setup in self.setups(adapter, players):
            properties.check_replay_and_revert(adapter, seed, setup)

    def test_loaded_games_continue_alike(self, adapter: Adapter, players: int) -> None:
        """A loaded game lists the same commands in the same order, and draws the same."""
        for seed, setup in self.setups(adapter, players):
            properties.check_loaded_game_continues(adapter, seed, setup)

    def test_undo_and_record(self, adapter: Adapter, players: int) -> None:
        """A game with undos can be loaded, and replaying its record gives the same events."""
        for seed, setup in self.setups(adapter, players):
            with with_seed_note(adapter, seed, setup):
                properties.check_undo_and_record(adapter, seed, setup)

    def test_forks(self, adapter: Adapter, players: int) -> None:
        """A fork shows its viewer the same table, and can be played to the end."""
        for seed, setup in self.setups(adapter, players):
            with with_seed_note(adapter, seed, setup):
                properties.check_fork_and_record(adapter, seed, setup)

    # --- hidden information ------------------------------------------------------------------------------------------

    def test_hidden_information_changes_no_answer(self, adapter: Adapter) -> None:
        """Two games that differ only in what a viewer cannot see give that viewer the same answers."""
        differing: dict[int, bool] = {}
        for kind in edition_groups(adapter.title, adapter.open_draws):
            hides = _hides(kind)
            for viewer in kind.viewers()[:2] if hides else ():
                for seed in range(2 * self.games):
                    twins = find_twins(kind, viewer, seed, length=40, lasting=seed % 2 == 1, by_draw=True)
                    differing[viewer] = differing.get(viewer, False) or twins.differ
                    properties.check_twins(twins)
        assert all(differing.values()), f"no two games were found that differ for these viewers: {differing}"

    def test_hidden_components_change_no_legal_command_or_preview(self, adapter: Adapter, players: int) -> None:
        """The legal commands and previews of a seat do not change when the hidden components are dealt again."""
        for seed, setup in self.setups(adapter, players):
            with playout(adapter, seed, setup) as game:
                while not game.play.is_over():
                    if game.random.random() < 0.2:
                        check_previews(game, PreviewCounts())
                        check_previews_hide_secrets(game, f"otherwise {seed}".encode())
                    game.step()

    def test_hidden_changes_have_their_own_event(self, adapter: Adapter, players: int) -> None:
        """No event that is hidden from a viewer changes anything public: public changes need a separate event."""
        for seed, setup in self.setups(adapter, players):
            with with_seed_note(adapter, seed, setup):
                for hidden in properties.hidden_events(eager_history(adapter, setup, Random(seed))):
                    properties.check_own_event(hidden)

    def test_clients_can_follow_without_rules(self, adapter: Adapter, players: int) -> None:
        """A client that applies the effects that it receives has the table as its viewer sees it."""
        for seed, setup in self.setups(adapter, players):
            with with_seed_note(adapter, seed, setup):
                properties.check_client_tables(eager_history(adapter, setup, Random(seed)))

    # --- words -------------------------------------------------------------------------------------------------------

    def test_every_sentence_reads_well(self, adapter: Adapter, players: int) -> None:
        """Events, legal commands and rejections have sentences without holes, in every language."""
        for seed, setup in self.setups(adapter, players):
            properties.check_sentences(adapter, seed, setup)

    def test_every_command_and_event_occurs(self, adapter: Adapter) -> None:
        """Random games reach every command and event of the title."""
        missing = properties.find_unplayed(adapter, range(60))
        assert not missing, f"no random game has {sorted(missing)}"

    # --- API ---------------------------------------------------------------------------------------------------------

    def test_field_numbers_are_up_to_date(self, adapter: Adapter) -> None:
        """The file ``wire.binpb`` of the title's package, if there is one, has a number for each field."""
        pytest.importorskip("google.protobuf", reason="the messages of titles need protobuf")
        from boardkeeper.wire.numbers import numbers_of  # noqa: PLC0415
        from boardkeeper.wire.schema import fixed_schema  # noqa: PLC0415

        id, title = adapter.title.meta.id, adapter.title
        changes = numbers_of(title).changes if fixed_schema(title) is not None else []
        assert not changes, f"wire.binpb is older than the structs: run boardkeeper title-numbers {id}; new: {changes}"


class ToyGame(ScenarioGame[Any]):
    """A game in a position that a test arranges: ``exactly`` and ``at`` set zones and markers, ``do`` gives commands.

    >>> game = ToyGame(TITLE, players=2)                        # doctest: +SKIP
    >>> game.exactly(game.t.seats[0].hand, card_6=4)            # doctest: +SKIP
    >>> game.do(1, Bid(count=1, value=6))                       # doctest: +SKIP
    >>> game.reject(2, Bid(count=1, value=5), "liars_cards.bid.is_higher")  # doctest: +SKIP

    ``do`` also checks that the command is listed, that reverting its effects restores the table, and that no component
    is made or lost. ``reject`` checks that a command is rejected for a rule.
    """

    def __init__(self, title: Title, players: int, seed: str = "seed", **choices: str) -> None:
        self.adapter = Adapter(title)
        super().__init__(players, seed=seed, **choices)
        self.t = self.play.t
        self.away = next((id for id in self.table.zones if not id.startswith("seat.")), "")
        self.stores = (self.away,) if self.away else ()

    def check_events(self, events: list[Event]) -> None:
        """Check that events can be stored and change something."""
        check_changes(self.adapter, self.table, events)

    def check_rejection(self, command: Struct, rejection: Rejection) -> None:
        """Check that the values of a rejection are those of the command."""
        check_values(command, rejection)


def _hides(kind: EditionGroup) -> bool:
    """Return whether a layout hides anything from a viewer."""
    layout = kind.title.layout(mixed_setup(kind.title, 0, kind.players()[-1]))
    return any(it.visibility != PUBLIC for it in layout.zones) or any(it.visibility != PUBLIC for it in layout.markers)
