"""The databases and gRPC servers of the service's tests.

Tests marked ``databases`` run on SQLite and on PostgreSQL. With ``--database postgresql`` all tests except those marked
``sqlite_only`` run on PostgreSQL. There, each file name stands for a new database until the end of the test.

With ``--grpc-server grpcio`` the servers in the process of a test use the server of gRPC's library.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests import randomness
from tests.databases import database_access, servers
from tests.service.api_server import Api, run_server
from tests.service.paused_reads import PausedReads
from tests.service.platforms import PlatformServer, run_platform_server
from tests.waiting import SECONDS

from boardkeeper.service.config import Config
from boardkeeper.service.process.server import Service
from boardkeeper.service.storage import application
from boardkeeper.service.storage.database import Database
from boardkeeper.service.storage.database_urls import is_postgres, open_database, sqlite_path
from boardkeeper.service.storage.postgres import address, reader

_POSTGRES = "postgresql"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Seed the randomness before any fixture runs."""
    randomness.seed_randomness(item.nodeid)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--database", choices=["sqlite", _POSTGRES], help="run all tests of the service on this database")
    parser.addoption(
        "--grpc-server",
        choices=["uvicorn", "grpcio"],
        default="uvicorn",
        help="the server of gRPC in tests",
    )


@pytest.fixture(autouse=True, scope="session")
def grpc_server(request: pytest.FixtureRequest) -> Iterator[str]:
    """Let grpcio's server answer gRPC on the address of a test, with ``--grpc-server grpcio``."""
    chosen: str = request.config.getoption("--grpc-server")
    with pytest.MonkeyPatch.context() as patch:
        if chosen == "grpcio":
            patch.setattr(Service, "__init__", _with_grpcio(Service.__init__))
        yield chosen


@pytest.fixture(scope="session")
def uvicorn_only(grpc_server: str) -> None:
    """Skip tests of the default server with ``--grpc-server grpcio``."""
    if grpc_server != "uvicorn":
        pytest.skip("tests the default server")


def _with_grpcio(init: Callable[..., None]) -> Callable[..., None]:
    def init_with_grpcio(self: Service, config: Config, *arguments: Any, **more: Any) -> None:
        changes: dict[str, Any] = {"grpc_server": "grpcio"}
        if config.web in ("auto", "off") and config.grpc_listen == "auto":
            changes |= {"grpc_listen": config.listen, "listen": "127.0.0.1:0"}
        init(self, replace(config, **changes), *arguments, **more)

    return init_with_grpcio


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "database_kind" not in metafunc.fixturenames:
        return
    only = metafunc.config.getoption("--database", default=None)
    if metafunc.definition.get_closest_marker("sqlite_only"):
        kinds = [] if only == _POSTGRES else ["sqlite"]
    elif only is not None:
        kinds = [only]
    else:
        kinds = ["sqlite", _POSTGRES] if metafunc.definition.get_closest_marker("databases") else ["sqlite"]
    marks = {_POSTGRES: [pytest.mark.postgres]}
    if kinds != ["sqlite"]:
        parameters = [pytest.param(kind, marks=marks.get(kind, ())) for kind in kinds]
        metafunc.parametrize("database_kind", parameters, indirect=True)


@pytest.fixture(scope="session")
def postgres() -> Iterator[servers.Server]:
    """A PostgreSQL server."""
    missing = servers.missing_reason()
    if missing and not os.environ.get("CI"):
        pytest.skip(missing)
    server = servers.start_server()
    yield server
    server.close()


@pytest.fixture
def empty_database(postgres: servers.Server) -> Iterator[str]:
    """The URL of an empty database."""
    with postgres.database(empty=True) as url:
        yield url


@pytest.fixture(autouse=True)
def database_kind(request: pytest.FixtureRequest) -> Iterator[str]:
    """The kind of database of the test."""
    kind: str = getattr(request, "param", "sqlite")
    if kind == "sqlite":
        yield kind
        return
    server: servers.Server = request.getfixturevalue("postgres")
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        urls = database_access.URLS
        stack.callback(urls.clear)

        def open_instead(name: str | Path, **settings: Any) -> Database:
            if is_postgres(name):
                return open_database(name, **settings)
            path = sqlite_path(name).absolute()
            if path not in urls:
                urls[path] = stack.enter_context(server.database())
            return open_database(urls[path], **settings | {"key_file": database_access.key_path(path)})

        patch.setattr(application, "open_database", open_instead)
        # Separate tests cover timeouts of the database. Here a busy machine must not fail a test.
        patch.setattr(reader, "_WAIT_SECONDS", SECONDS)
        patch.setattr(address, "STATEMENT_TIMEOUT_SECONDS", round(SECONDS))
        yield kind


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    """A server with the default settings."""
    async with run_server(tmp_path / "games.db") as api:
        yield api


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[PlatformServer]:
    """A server with two platforms."""
    async with run_platform_server(tmp_path / "games.db") as server:
        yield server


@pytest.fixture
async def strict_server(tmp_path: Path) -> AsyncIterator[PlatformServer]:
    """Like ``server``, but calls need a key."""
    async with run_platform_server(tmp_path / "games.db", need_keys=True, address_limits="failures=off") as server:
        yield server


@pytest.fixture
def paused(monkeypatch: pytest.MonkeyPatch) -> Iterator[PausedReads]:
    """Pause every read with ``min_version``."""
    reads = PausedReads()
    monkeypatch.setattr("boardkeeper.service.api.games.GamesServicer._wait_for_version", reads.wait)
    yield reads
    reads.may_end.set()
