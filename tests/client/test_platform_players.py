"""Commands for the players of a platform: games, results, standings and invitations."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from boardkeeper.client import Client, bot, open_seat, person
from boardkeeper.service.process.server import running_service
from boardkeeper.terminal.main import main

pytestmark = pytest.mark.socket


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0
    return capsys.readouterr().out


def records(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[Any]:
    return [json.loads(line) for line in run(capsys, *arguments, "--json").splitlines()]


def test_games_results_and_standings_of_players_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with running_service(tmp_path / "games.db") as address, Client(address) as client:
        running = client.create_game("orleans", [person("Ada", player_id="p-1"), person("Bob")]).game
        finished = client.create_game("orleans", [bot("random"), bot("random")]).game
        for _ in client.watch(finished.game_id):
            pass
        at = ("--server", address)
        assert [it["game_id"] for it in records(capsys, "games", "--player", "p-1", "--turn", *at)] == [running.game_id]
        assert records(capsys, "games", "--player", "p-1", "--outcome", "won", *at) == []
        assert [it["game_id"] for it in records(capsys, "games", "--status", "ended", *at)] == [finished.game_id]
        assert main(["games", "--outcome", "won", *at]) == 2
        capsys.readouterr()
        result, last = records(capsys, "results", *at)
        assert result["game"]["game_id"] == finished.game_id
        *_, end = records(capsys, "results", "--after", "start", *at)
        (nothing_new,) = records(capsys, "results", f"--after={end['next_cursor']}", *at)
        assert nothing_new["more"] is last["more"] is False
        assert finished.game_id in run(capsys, "results", "--title", "orleans", *at)
        assert "No finished game of orleans with a player id." in run(capsys, "standings", "orleans", *at)


def test_invitations(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with running_service(tmp_path / "games.db") as address, Client(address) as client:
        client.create_game("orleans", [person("Ada"), open_seat()])
        new = client.create_game("orleans", [person("Ada"), open_seat()], by_invitation=True)
        (token,) = [seat.token for seat in new.seats]
        code = client.invite(new.game.game_id, token=token).code
        assert client.join(new.game.game_id, "Bob", invitation=code).number == 2
        (used,) = client.invitations(new.game.game_id, token=token)
        assert used.used_seat == 2
        at = (new.game.game_id[:8], "--server", address)
        assert main(["invite", *at]) == 1
        assert re.search("token", capsys.readouterr().err)
        assert main(["invite", *at, "--expires", "soon"]) == 2
