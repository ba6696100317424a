"""Where a PostgreSQL is and who asks it, as libpq reads it from a URL, the environment and a file of passwords."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import psycopg
from psycopg.conninfo import conninfo_to_dict

from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage.postgres.errors import one_line
from boardkeeper.service.storage.postgres.timeouts import STATEMENT_TIMEOUT_SECONDS, TimeoutConnection

_DEFAULTS = {
    "application_name": "boardkeeper",
    "connect_timeout": "5",
    # Of several hosts the one that can be written: after a failover it is another one.
    "target_session_attrs": "read-write",
    # A server whose machine is gone says nothing: who waits for it gives up by itself.
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "15000",
}
_NAME_PARTS = ("user", "host", "port", "dbname")


class Address(NamedTuple):
    """How to connect, and what people are told of it, in which no password is."""

    parameters: dict[str, Any]
    name: str

    @classmethod
    def of(cls, url: str) -> Address:
        """The address that a URL gives; raises :class:`StartupError`, which repeats nothing of the URL."""
        try:
            given = conninfo_to_dict(url)
        except psycopg.Error:
            # What libpq says of it may have the password in it.
            raise StartupError("the database URL is not valid: write postgresql://USER@HOST/NAME") from None
        return cls(_DEFAULTS | given, _display_name(given))

    def connect(self, settings: Sequence[str] = (), **more: Any) -> TimeoutConnection:
        """A connection on which each statement is a transaction, unless one is begun; raises ``psycopg.Error``."""
        connection = TimeoutConnection.connect(**self.parameters | {"autocommit": True} | more)
        try:
            configure(connection, settings)
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def connected(self, doing: str) -> Iterator[TimeoutConnection]:
        """A connection for an operator's work, which may take long; raises ``StartupError``: "cannot", and what."""
        try:
            with self.connect() as connection:
                connection.response_timeout = None  # there is somebody who can interrupt it
                yield connection
        except psycopg.Error as error:
            raise StartupError(f"cannot {doing} {self.name}: {one_line(error)}") from error


def configure(connection: psycopg.Connection[Any], settings: Sequence[str] = ()) -> None:
    """What every connection of a service is set to, in one round trip."""
    limits = (
        f"statement_timeout='{STATEMENT_TIMEOUT_SECONDS}s'",
        f"idle_in_transaction_session_timeout='{STATEMENT_TIMEOUT_SECONDS}s'",
        "default_transaction_isolation='read committed'",  # the guard looks again after it has waited
    )
    script = "; ".join(f"SET {setting}" for setting in (*limits, *settings))
    connection.execute(script.encode(), prepare=False)


def backend_pid(connection: psycopg.Connection[Any]) -> int:
    """The server's process behind a connection; a pooler between tells another number when it is connected to."""
    row: Sequence[int] | None = connection.execute("SELECT pg_backend_pid()", prepare=False).fetchone()
    return row[0] if row is not None else 0


def has_password(url: str) -> bool:
    """Whether a URL has a password in it, which whoever sees the URL sees too."""
    try:
        return bool(conninfo_to_dict(url).get("password"))
    except psycopg.Error:
        return "@" in url and ":" in url.partition("://")[2].partition("@")[0]


def _display_name(given: dict[str, Any]) -> str:
    user, host, port, database = (str(given.get(part) or "") for part in _NAME_PARTS)
    hosts = host.split(",")
    ports = port.split(",") if port else [""]
    ports = ports * len(hosts) if len(ports) == 1 else ports
    where = ",".join(f"{one}:{at}" if at else one for one, at in zip(hosts, ports, strict=False) if one[:1] != "/")
    return f"postgresql://{user}{'@' if user else ''}{where}/{database}"
