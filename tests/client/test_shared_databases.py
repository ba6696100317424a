"""Commands with PostgreSQL addresses, up to the connection to a server."""

from __future__ import annotations

import pytest
from tests.client.conftest import RunCommand

SECRET = "geheim"
URL = f"postgresql://ada:{SECRET}@localhost:1/games"


@pytest.mark.parametrize(
    "arguments",
    [("serve",), ("check",), ("rebuild",), ("migrate",), ("erase", "--name", "Ada"), ("remove", "4f1c")],
    ids=lambda arguments: arguments[0],
)
def test_a_password_in_an_argument_is_rejected_and_not_printed(
    run_program: RunCommand, arguments: tuple[str, ...]
) -> None:
    result = run_program(*arguments, "--db", URL)
    assert result.status == (5 if arguments[0] in ("check", "rebuild") else 1)
    assert "PGPASSFILE" in result.err
    assert SECRET not in result.err + result.out


def test_a_password_in_a_variable_is_accepted_and_not_printed(run_program: RunCommand) -> None:
    result = run_program("check", BOARDKEEPER_DATABASE=URL)
    assert result.status == 5
    assert "cannot check postgresql://ada@localhost:1/games" in result.err
    assert SECRET not in result.err + result.out


def test_migrate_is_only_for_postgresql(run_program: RunCommand) -> None:
    result = run_program("migrate", "--db", "games.db")
    assert result.status == 1
    assert "only for PostgreSQL" in result.err
