"""Helpers for games in a PostgreSQL database, without a service."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
from eventsourcing.persistence import StoredEvent
from tests.service.storage.test_databases import SECRET, lobby_row
from tests.service.storage.test_recorder import make_event

from boardkeeper.service.storage.changes import NewGame, encode_progress
from boardkeeper.service.storage.database_urls import open_database
from boardkeeper.service.storage.errors import UnreachableError
from boardkeeper.service.storage.postgres.database import PostgresDatabase
from boardkeeper.service.storage.writer import Append, Batch, Failed, Outcome

WAIT = 100.0


def open_postgres(url: str, key: Path, **settings: Any) -> PostgresDatabase:
    database = open_database(url, key_file=key, **settings)
    assert isinstance(database, PostgresDatabase)
    return database


def new_game(game: UUID) -> Append:
    """Return an append that creates a game with one event."""
    return Append([make_event(game, 1)], [NewGame(lobby_row(game), SECRET)])


def new_event(game: UUID, version: int, text: str = "c") -> Append:
    """Return an append of one event to an existing game."""
    line = encode_progress(game, version, 9, "running", [text, ""], [])
    return Append([StoredEvent(game, version, "game.Test", text.encode())], (), line)


def store(database: PostgresDatabase, *appends: Append) -> list[Outcome]:
    """Submit appends in one batch and return their outcomes."""
    found: list[Outcome] = []
    done = threading.Event()

    def finish(outcomes: list[Outcome]) -> None:
        found.extend(outcomes)
        done.set()

    database.log.writer.submit(Batch(appends, finish))
    assert done.wait(WAIT)
    return found


def select(url: str, query: str, *parameters: object) -> list[Any]:
    with psycopg.connect(url, autocommit=True) as connection:
        return connection.execute(query.encode(), parameters).fetchall()


@contextmanager
def temporary_role(url: str) -> Iterator[tuple[str, str]]:
    """Create a role for a while; provide its name and its URL of the database."""
    role = f"role_{uuid4().hex[:12]}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {role} LOGIN".encode())
        try:
            yield role, url.replace("//postgres@", f"//{role}@")
        finally:
            connection.execute(f"DROP OWNED BY {role}".encode())
            connection.execute(f"DROP ROLE {role}".encode())


def is_reachable(database: PostgresDatabase) -> bool:
    """Return whether the database stores a probe."""
    try:
        database.log.writer.probe()
    except UnreachableError:
        return False
    return True


def is_unreachable(outcome: Outcome) -> bool:
    """Return whether an append failed because the database was unreachable."""
    return isinstance(outcome, Failed) and isinstance(outcome.error, UnreachableError)
