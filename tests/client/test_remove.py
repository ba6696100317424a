"""``boardkeeper remove``, started as an operator starts it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.client.conftest import Ran
from tests.service.keys import create_key_in

from boardkeeper.client import Client, bot
from boardkeeper.client.errors import NotFound
from boardkeeper.service.process.server import running_service

Run = Callable[..., Ran]
TOKEN = "an operator's token of forty characters!"

pytestmark = pytest.mark.socket


def test_a_game_is_removed_at_a_service_and_from_a_file(boardkeeper: Run, tmp_path: Path) -> None:
    with running_service(tmp_path / "games.db", operator_token=TOKEN) as address, Client(address) as client:
        first, second = (client.create_game("orleans", [bot("random"), bot("random")]).game.game_id for _ in range(2))
        for token, says in (("", "set BOARDKEEPER_OPERATOR_TOKEN"), ("x" * 40, "is not the operator token")):
            ran = boardkeeper("remove", first, "--server", address, BOARDKEEPER_OPERATOR_TOKEN=token)
            assert ran.status == 1
            assert says in ran.err
        ran = boardkeeper("remove", first[:13], "--server", address, "--json", BOARDKEEPER_OPERATOR_TOKEN=TOKEN)
        assert ran.status == 0
        assert json.loads(ran.out)["game"] == first
        with pytest.raises(NotFound, match="removed"):
            client.game(first)
        ran = boardkeeper("show", first, "--server", address)
        assert (ran.status, ran.err) == (1, "boardkeeper: The operator of this server has removed this game.\n")
        ran = boardkeeper("remove", second, "--db", "games.db")
        assert ran.status == 1
        assert "nothing was removed" in ran.err
    ran = boardkeeper("remove", second[:13], "--db", "games.db")
    assert (ran.status, ran.out) == (0, f"removed: game {second}\n")
    ran = boardkeeper("remove", second, "--db", "games.db")
    assert (ran.status, ran.err) == (1, f"boardkeeper: nothing was removed: the game {second} was removed before\n")
    with running_service(tmp_path / "games.db") as address, Client(address) as client:
        assert list(client.games()) == []


@pytest.mark.parametrize("typed", [36, 13])
def test_the_operator_token_is_enough_where_keys_are_required(boardkeeper: Run, tmp_path: Path, typed: int) -> None:
    key = create_key_in(tmp_path / "games.db", "lobby", "create").secret
    with running_service(tmp_path / "games.db", operator_token=TOKEN, need_keys=True) as address:
        with Client(address, key=key) as client:
            game = client.create_game("orleans", [bot("random"), bot("random")]).game.game_id
        ran = boardkeeper("remove", game[:typed], "--server", address, BOARDKEEPER_OPERATOR_TOKEN="x" * 40)
        assert ran.status == 1
        assert "is not the operator token" in ran.err
        ran = boardkeeper("remove", game[:typed], "--server", address, BOARDKEEPER_OPERATOR_TOKEN=TOKEN)
    assert (ran.status, ran.out) == (0, f"removed: game {game}\n")
