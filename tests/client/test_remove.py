"""``boardkeeper remove``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.client.conftest import RunCommand
from tests.service.keys import create_key_in

from boardkeeper.client import Client, bot
from boardkeeper.client.errors import NotFound
from boardkeeper.service.process.server import running_service

TOKEN = "an operator's token of forty characters!"

pytestmark = pytest.mark.socket


def test_a_game_is_removed_on_a_server_and_from_a_file(run_program: RunCommand, tmp_path: Path) -> None:
    with running_service(tmp_path / "games.db", operator_token=TOKEN) as address, Client(address) as client:
        first, second = (client.create_game("orleans", [bot("random"), bot("random")]).game.game_id for _ in range(2))
        for token, problem in (("", "set BOARDKEEPER_OPERATOR_TOKEN"), ("x" * 40, "is not the operator token")):
            result = run_program("remove", first, "--server", address, BOARDKEEPER_OPERATOR_TOKEN=token)
            assert result.status == 1
            assert problem in result.err
        result = run_program("remove", first[:13], "--server", address, "--json", BOARDKEEPER_OPERATOR_TOKEN=TOKEN)
        assert result.status == 0
        assert json.loads(result.out)["game"] == first
        with pytest.raises(NotFound, match="removed"):
            client.game(first)
        result = run_program("show", first, "--server", address)
        assert (result.status, result.err) == (1, "boardkeeper: The operator of this server has removed this game.\n")
        result = run_program("remove", second, "--db", "games.db")
        assert result.status == 1
        assert "nothing was removed" in result.err
    result = run_program("remove", second[:13], "--db", "games.db")
    assert (result.status, result.out) == (0, f"removed: game {second}\n")
    result = run_program("remove", second, "--db", "games.db")
    assert (result.status, result.err) == (
        1,
        f"boardkeeper: nothing was removed: the game {second} was removed before\n",
    )
    with running_service(tmp_path / "games.db") as address, Client(address) as client:
        assert list(client.games()) == []


@pytest.mark.parametrize("length", [36, 13])
def test_the_operator_token_is_sufficient_if_keys_are_required(
    run_program: RunCommand, tmp_path: Path, length: int
) -> None:
    key = create_key_in(tmp_path / "games.db", "lobby", "create").secret
    with running_service(tmp_path / "games.db", operator_token=TOKEN, need_keys=True) as address:
        with Client(address, key=key) as client:
            game = client.create_game("orleans", [bot("random"), bot("random")]).game.game_id
        result = run_program("remove", game[:length], "--server", address, BOARDKEEPER_OPERATOR_TOKEN="x" * 40)
        assert result.status == 1
        assert "is not the operator token" in result.err
        result = run_program("remove", game[:length], "--server", address, BOARDKEEPER_OPERATOR_TOKEN=TOKEN)
    assert (result.status, result.out) == (0, f"removed: game {game}\n")
