"""Error messages advise what to do."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from tests.client.conftest import RunCommand

from boardkeeper.service.process.server import running_service
from boardkeeper.terminal.errors import count_noun

pytestmark = [pytest.mark.socket, pytest.mark.timeout(300)]


def test_an_error_without_a_key_names_the_variable(run_in_process: RunCommand, tmp_path: Path) -> None:
    wrong = "bk_0123456789ab_" + "0" * 49
    with running_service(tmp_path / "games.db", need_keys=True) as address:
        for command in (("games",), ("results",), ("standings", "orleans"), ("show", "4f1c")):
            result = run_in_process(*command, "--server", address, BOARDKEEPER_KEY="")
            needed = f"the server at {address} requires an API key: set BOARDKEEPER_KEY."
            assert (result.status, result.err) == (1, f"boardkeeper: {needed}\n")
        result = run_in_process("games", "--server", address, BOARDKEEPER_KEY=wrong)
        assert result.err.endswith("Check the key in BOARDKEEPER_KEY.\n")
        assert wrong not in result.err


def test_serve_advises_another_address_only_for_a_busy_port(run_program: RunCommand, tmp_path: Path) -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        result = run_program(
            "serve", "--listen", f"127.0.0.1:{port}", "--no-web", "--db", "games.db", "--log-format", "off"
        )
    assert result.status == 1
    assert "choose another with --listen" in result.err
    (tmp_path / "games.txt").write_text("no database")
    for settings in (("--db", "games.txt"), ("--db", "nowhere/games.db"), ("--tracing", "nonsense")):
        result = run_program("serve", "--listen", "127.0.0.1:0", "--no-web", "--log-format", "off", *settings)
        assert result.status == 1
        assert "--listen" not in result.err


@pytest.mark.parametrize(
    ("number", "plural", "text"),
    [(0, "games", "0 games"), (1, "games", "1 game"), (2, "games", "2 games"), (1, "damaged", "1 damaged")],
)
def test_count_noun(number: int, plural: str, text: str) -> None:
    assert count_noun(number, plural) == text
