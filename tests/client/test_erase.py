"""``boardkeeper erase``."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.client.conftest import RunCommand

from boardkeeper.client import Client, bot
from boardkeeper.service.process.server import running_service

pytestmark = pytest.mark.socket


def test_an_erased_name_is_replaced_by_the_seat_in_sentences(run_in_process: RunCommand, tmp_path: Path) -> None:
    with running_service(tmp_path / "games.db") as address, Client(address) as client:
        game = client.create_game("orleans", [bot("random", "Anna"), bot("random", "Bruno")]).game.game_id
        assert any("Anna" in event.sentence for event in client.watch(game))
        failed = run_in_process("erase", "--db", "games.db", "--name", "Anna")
        assert failed.status == 1
        assert "is in use by process" in failed.err
    result = run_in_process("erase", "--db", "games.db", "--name", "Anna")
    assert (result.status, result.out) == (0, f"erased: the name of seat 1 in game {game}\n")
    result = run_in_process("erase", "--game", game[:8], "--seat", "2", BOARDKEEPER_DATABASE="games.db")
    assert (result.status, result.out) == (0, f"erased: the name of seat 2 in game {game}\n")
    with running_service(tmp_path / "games.db") as address, Client(address) as client:
        sentences = [event.sentence for event in client.watch(game)]
        assert not any("Anna" in sentence or "Bruno" in sentence for sentence in sentences)
        assert any("Bot 1" in sentence for sentence in sentences)


def test_erasing_an_unknown_player_without_a_platform_prints_a_warning(
    run_in_process: RunCommand, tmp_path: Path
) -> None:
    with running_service(tmp_path / "games.db"):
        pass
    for more, warns in ((), True), (("--platform", "lobby"), False):
        result = run_in_process("erase", "--db", "games.db", "--player", "p-ada", *more)
        assert (result.status, result.out) == (0, "erased: the player's id, name and token on 0 seats\n")
        assert ("name it with --platform" in result.err) is warns


@pytest.mark.parametrize(
    ("arguments", "status", "problem"),
    [
        (("--name", "Nobody"), 1, "does not exist"),
        ((), 2, "--game GAME --seat N, --name NAME, or --player ID"),
        (("--game", "4f1c"), 2, "--game GAME --seat N, --name NAME, or --player ID"),
        (("--game", "4f1c", "--seat", "1", "--name", "Ada"), 2, "--game GAME --seat N, --name NAME, or --player ID"),
    ],
)
def test_wrong_usage_is_one_line(
    run_in_process: RunCommand, arguments: tuple[str, ...], status: int, problem: str
) -> None:
    result = run_in_process("erase", *arguments)
    assert result.status == status
    assert problem in result.err
    assert len(result.err.splitlines()) == 1
