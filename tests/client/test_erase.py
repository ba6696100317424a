"""``boardkeeper erase``, started as an operator starts it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.client.conftest import Ran

from boardkeeper.client import Client, bot
from boardkeeper.service.process.server import running_service

Run = Callable[..., Ran]

pytestmark = pytest.mark.socket


def test_a_name_is_erased_and_sentences_say_the_seat(inside: Run, tmp_path: Path) -> None:
    with running_service(tmp_path / "games.db") as address, Client(address) as client:
        game = client.create_game("orleans", [bot("random", "Anna"), bot("random", "Bruno")]).game.game_id
        assert any("Anna" in event.sentence for event in client.watch(game))
        refused = inside("erase", "--db", "games.db", "--name", "Anna")
        assert refused.status == 1
        assert "is in use by process" in refused.err
    ran = inside("erase", "--db", "games.db", "--name", "Anna")
    assert (ran.status, ran.out) == (0, f"erased: the name of seat 1 in game {game}\n")
    ran = inside("erase", "--game", game[:8], "--seat", "2", BOARDKEEPER_DATABASE="games.db")
    assert (ran.status, ran.out) == (0, f"erased: the name of seat 2 in game {game}\n")
    with running_service(tmp_path / "games.db") as address, Client(address) as client:
        sentences = [event.sentence for event in client.watch(game)]
        assert not any("Anna" in sentence or "Bruno" in sentence for sentence in sentences)
        assert any("Bot 1" in sentence for sentence in sentences)


def test_a_player_without_a_platform_is_not_silently_missed(inside: Run, tmp_path: Path) -> None:
    with running_service(tmp_path / "games.db"):
        pass
    for more, warns in ((), True), (("--platform", "lobby"), False):
        ran = inside("erase", "--db", "games.db", "--player", "p-ada", *more)
        assert (ran.status, ran.out) == (0, "erased: the player's id, name and token on 0 seats\n")
        assert ("name it with --platform" in ran.err) is warns


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (("--name", "Nobody"), 1, "does not exist"),
        ((), 2, "--game GAME --seat N, --name NAME, or --player ID"),
        (("--game", "4f1c"), 2, "--game GAME --seat N, --name NAME, or --player ID"),
        (("--game", "4f1c", "--seat", "1", "--name", "Ada"), 2, "--game GAME --seat N, --name NAME, or --player ID"),
    ],
)
def test_wrong_usage_is_one_line(inside: Run, arguments: tuple[str, ...], status: int, says: str) -> None:
    ran = inside("erase", *arguments)
    assert ran.status == status
    assert says in ran.err
    assert len(ran.err.splitlines()) == 1
