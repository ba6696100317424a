"""What commands advise fits what went wrong."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.client.conftest import Ran

from boardkeeper.service.process.server import running_service
from boardkeeper.terminal.errors import count_noun

Run = Callable[..., Ran]

pytestmark = [pytest.mark.socket, pytest.mark.timeout(300)]


def test_without_a_key_the_variable_is_named(inside: Run, tmp_path: Path) -> None:
    wrong = "bk_0123456789ab_" + "0" * 49
    with running_service(tmp_path / "games.db", need_keys=True) as address:
        for command in (("games",), ("results",), ("standings", "orleans"), ("show", "4f1c")):
            ran = inside(*command, "--server", address, BOARDKEEPER_KEY="")
            needed = f"the server at {address} requires an API key: set BOARDKEEPER_KEY."
            assert (ran.status, ran.err) == (1, f"boardkeeper: {needed}\n")
        ran = inside("games", "--server", address, BOARDKEEPER_KEY=wrong)
        assert ran.err.endswith("Check the key in BOARDKEEPER_KEY.\n")
        assert wrong not in ran.err


def test_serve_advises_an_address_for_a_busy_port_alone(boardkeeper: Run, tmp_path: Path) -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        ran = boardkeeper(
            "serve", "--listen", f"127.0.0.1:{port}", "--no-web", "--db", "games.db", "--log-format", "off"
        )
    assert ran.status == 1
    assert "choose another with --listen" in ran.err
    (tmp_path / "games.txt").write_text("no database")
    for settings in (("--db", "games.txt"), ("--db", "nowhere/games.db"), ("--tracing", "nonsense")):
        ran = boardkeeper("serve", "--listen", "127.0.0.1:0", "--no-web", "--log-format", "off", *settings)
        assert ran.status == 1
        assert "--listen" not in ran.err


@pytest.mark.parametrize(
    ("number", "plural", "text"),
    [(0, "games", "0 games"), (1, "games", "1 game"), (2, "games", "2 games"), (1, "damaged", "1 damaged")],
)
def test_one_game_is_no_plural(number: int, plural: str, text: str) -> None:
    assert count_noun(number, plural) == text
