"""Commands on a database on PostgreSQL, as far as they come without one."""

from __future__ import annotations

from typing import Any

import pytest

SECRET = "geheim"
URL = f"postgresql://ada:{SECRET}@localhost:1/games"


@pytest.mark.parametrize(
    "arguments",
    [("serve",), ("check",), ("rebuild",), ("migrate",), ("erase", "--name", "Ada"), ("remove", "4f1c")],
    ids=lambda arguments: arguments[0],
)
def test_a_password_as_an_argument_is_refused_and_not_repeated(boardkeeper: Any, arguments: tuple[str, ...]) -> None:
    ran = boardkeeper(*arguments, "--db", URL)
    assert ran.status == (5 if arguments[0] in ("check", "rebuild") else 1)
    assert "PGPASSFILE" in ran.err
    assert SECRET not in ran.err + ran.out


def test_a_password_in_a_variable_is_taken_and_not_told(boardkeeper: Any) -> None:
    ran = boardkeeper("check", BOARDKEEPER_DATABASE=URL)
    assert ran.status == 5
    assert "cannot check postgresql://ada@localhost:1/games" in ran.err
    assert SECRET not in ran.err + ran.out


def test_only_a_postgresql_is_prepared(boardkeeper: Any) -> None:
    ran = boardkeeper("migrate", "--db", "games.db")
    assert ran.status == 1
    assert "only for PostgreSQL" in ran.err
