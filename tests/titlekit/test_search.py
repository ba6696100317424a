"""The levels of bots: they play legal commands, know only what their seat sees, and beat chance."""

from __future__ import annotations

from random import Random

import pytest
from liars_cards import TITLE as LIARS_CARDS
from tests.engine.playing import play
from tests.engine.test_determinised import create_secretive

from boardkeeper import engine
from boardkeeper.testkit.bot_games import play_bot_game
from boardkeeper.titlekit.bots import LEVELS, ask_bot
from boardkeeper.titlekit.search import SearchLimits
from boardkeeper.titles.registry import load_title

FEW = SearchLimits(rollouts=8, candidates=2)


@pytest.mark.parametrize(
    ("title", "edition", "players"), [("orleans", "", 2), ("paladins", "", 3), ("stories", "england-vs-france", 4)]
)
def test_a_level_chooses_by_what_its_seat_sees(title: str, edition: str, players: int) -> None:
    """Two tables that look equal to a seat give the same command, and the game does not change."""
    random = Random(title)
    game = create_secretive(title, edition or engine.title(title).default_edition, players, 1)
    assert game is not None
    rules, differing = load_title(title), 0
    for _ in range(5):
        play(game, random, 15)
        if game.is_over:
            break
        seat = random.choice(game.to_move)
        twin = game.determinised(seat, random.random().hex())
        before, legal = game.save(), game.legal(seat)
        assert list(twin.legal(seat)) == list(legal)
        differing += twin.digest() != game.digest()
        for level in LEVELS:
            chosen = [
                ask_bot(rules, game.setup, table._game.table, level, seat, legal, 0.5, FEW) for table in (game, twin)
            ]
            assert chosen[0] == chosen[1]
            assert chosen[0] in legal
        assert game.save() == before
    assert differing


def test_a_search_beats_random_in_a_title_without_a_policy() -> None:
    won = 0
    for game in range(6):
        bots = ["medium", "random"] if game % 2 else ["random", "medium"]
        play, _ = play_bot_game(LIARS_CARDS, bots, f"game {game}")
        won += bots[play.standings()[0].seat - 1] == "medium"
    assert won >= 5
