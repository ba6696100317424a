"""Fixtures of the tests on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.databases.servers import Server
from tests.service.storage.postgres_games import open_postgres

from boardkeeper.service.storage.postgres.database import PostgresDatabase


@pytest.fixture
def url(postgres: Server) -> Iterator[str]:
    """The URL of a new database with all tables."""
    with postgres.database() as url:
        yield url


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """The path of the key file."""
    return tmp_path / "key"


@pytest.fixture
def database(url: str, key: Path) -> Iterator[PostgresDatabase]:
    """The open database at ``url``."""
    database = open_postgres(url, key)
    yield database
    database.close()
