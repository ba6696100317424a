"""The initial table agrees with the setup of the rulebooks, for every edition and number of players."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.oracle.orleans import setup, totals
from tests.oracle.orleans.differ import new_play, setup_of
from tests.oracle.orleans.sheet import copy, differences
from tests.oracle.orleans.tables import PLAYERS

from boardkeeper.table.visibility import OPERATOR
from boardkeeper.titles.orleans.board import Board

GAMES = [(edition, players) for edition, numbers in PLAYERS.items() for players in numbers]
HOUR_GLASSES = [{"hour_glass": "ungraded"}, *({"hour_glass_split": split} for split in "abc")]


def _initial_board(edition: str, players: int, seed: str, **choices: str) -> tuple[Board, dict[str, str]]:
    chosen = setup_of(edition, players, **choices)
    return new_play(chosen, seed).board(OPERATOR), {**chosen.options, **chosen.readings}


@pytest.mark.parametrize("hour_glass", HOUR_GLASSES, ids=str)
@pytest.mark.parametrize(("edition", "players"), GAMES)
def test_the_initial_table_agrees_with_the_rulebook(edition: str, players: int, hour_glass: dict[str, str]) -> None:
    for seed in range(5):
        board, choices = _initial_board(edition, players, str(seed), **hour_glass)
        found = copy(board, choices)
        expected = setup.initial_sheet(players, choices, board)
        assert differences(expected, found) == []
        assert setup.wrong_ways(found, players) == []
        assert setup.wrong_places(board) == []
        assert totals.wrong_totals(board, edition) == []
        assert totals.wrong_derived_fields(board, found) == []


@pytest.mark.parametrize(("edition", "players"), GAMES)
def test_unused_components_are_in_the_box(edition: str, players: int) -> None:
    board, _ = _initial_board(edition, players, "box")
    assert Counter(board.box) == setup.left_in_box(edition, players, board)


def test_other_numbers_of_players_are_rejected() -> None:
    for edition, numbers in PLAYERS.items():
        for players in range(1, 7):
            if players not in numbers:
                with pytest.raises(ValueError, match=r"\d"):
                    setup_of(edition, players)
