"""The bots of every title."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec import Struct
from tests.kit.adapters import EACH_TITLE

from boardkeeper.table.dice import Dice
from boardkeeper.table.forking import hidden_markers, layout_of, redeal_hidden
from boardkeeper.table.table import Table
from boardkeeper.table.visible_table import visible_table
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.bot_games import play_bot_game
from boardkeeper.testkit.playouts import Playout, playout
from boardkeeper.testkit.setups import random_setup
from boardkeeper.titlekit.bots import RANDOM, ask_bot
from boardkeeper.titlekit.redaction import redact_table, table_from_visible
from boardkeeper.titlekit.title import DeterminisableTitle, Play


@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_choose_is_a_pure_function_of_the_redacted_table(adapter: Adapter) -> None:
    title, calls = adapter.title, 0

    def watch(play: Any, seat: int, legal: Sequence[Struct]) -> None:
        nonlocal calls
        calls += 1
        if calls % 10:
            return
        before = play.table.contents()
        for bot in title.meta.bots:
            one, other = (title.play(redact_table(play.table, seat), Dice(key), setup) for key in (b"1", b"2"))
            chosen = title.choose(bot.id, one, seat, legal, 0.37)
            assert chosen in legal
            assert title.choose(bot.id, one, seat, list(legal), 0.37) == chosen
            assert title.choose(bot.id, other, seat, list(legal), 0.37) == chosen
            assert ask_bot(title, setup, play.table, bot.id, seat, legal, 0.37) == chosen
            assert one.table.contents() == other.table.contents()
        assert play.table.contents() == before

    best = title.meta.bots[0].id
    setup = random_setup(title, 0, 2)
    play_bot_game(title, (best, best), "pure", watch, setup.edition, setup.options, setup.readings)
    assert calls > 100


@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_bots_ignore_contents_hidden_from_their_seat(adapter: Adapter) -> None:
    compare_twins_in_games(adapter, 4)


@pytest.mark.soak
@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_soak_bots_ignore_contents_hidden_from_their_seat(adapter: Adapter) -> None:
    compare_twins_in_games(adapter, 40)


def compare_twins_in_games(adapter: Adapter, games: int) -> None:
    """Compare the choices of bots on true tables and on their twins, in a number of random games."""
    differing = 0
    for seed in range(games):
        setup = random_setup(adapter.title, seed, adapter.players[-1 - seed % 2])
        with playout(adapter, seed, setup) as game:
            while not game.play.is_over():
                if game.random.random() < 0.1:
                    for seat in game.table.deciding():
                        differing += compare_twin(game, seat)
                game.step()
    assert differing > 10 or adapter.open_draws


def compare_twin(game: Playout[Play], seat: int) -> bool:
    """Check that bots choose the same on a twin: a table that looks the same to the seat.

    Return whether the twin differs at all.
    """
    title, setup = game.adapter.title, game.setup
    # Create both from a layout: it sorts piles.
    one, twin = Table(layout_of(game.table)), Table(layout_of(game.table))
    if isinstance(title, DeterminisableTitle) and game.adapter.simultaneous(game.play, setup) is not None:
        title.determinise(title.play(twin, Dice(b"twin"), setup), seat, Dice(b"twin"))
    else:
        groups = title.exchangeable_zones(twin, seat)
        if groups is None or hidden_markers(twin, seat):
            return False
        redeal_hidden(twin, seat, groups, Dice(b"twin"))
    redacted = redact_table(one, seat)
    assert redact_table(twin, seat).contents() == redacted.contents()
    assert table_from_visible(title.layout(setup), visible_table(one, seat)).contents() == redacted.contents()
    legal = title.play(one, Dice(b"one"), setup).legal(seat)
    for bot in title.meta.bots:
        if bot.id != RANDOM:
            chosen = [ask_bot(title, setup, table, bot.id, seat, legal, 0.37) for table in (one, twin, redacted)]
            assert chosen == chosen[:1] * 3, chosen
    return one.contents() != twin.contents()
