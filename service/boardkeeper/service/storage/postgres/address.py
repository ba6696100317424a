"""The address of a PostgreSQL server, parsed by libpq from a URL, the environment and the password file."""

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
    # With several hosts, connect to the writable one, which changes after a failover.
    "target_session_attrs": "read-write",
    # Detect a host that is down.
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "15000",
}
_NAME_PARTS = ("user", "host", "port", "dbname")


class Address(NamedTuple):
    """Connection parameters, and a name without a password for messages."""

    parameters: dict[str, Any]
    name: str

    @classmethod
    def of(cls, url: str) -> Address:
        """Parse a URL. Raises :class:`StartupError`, whose message does not contain the URL."""
        try:
            parameters = conninfo_to_dict(url)
        except psycopg.Error:
            # The message of libpq may contain the password.
            raise StartupError("the database URL is not valid: write postgresql://USER@HOST/NAME") from None
        return cls(_DEFAULTS | parameters, _display_name(parameters))

    def connect(self, settings: Sequence[str] = (), **more: Any) -> TimeoutConnection:
        """Open a connection in autocommit mode. Raises ``psycopg.Error``."""
        connection = TimeoutConnection.connect(**self.parameters | {"autocommit": True} | more)
        try:
            configure(connection, settings)
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def operator_connection(self, verb: str) -> Iterator[TimeoutConnection]:
        """Open a connection without a response timeout, for an operator command. Raises ``StartupError``.

        ``verb`` is used in the error message: "cannot ``verb`` postgresql://...".
        """
        try:
            with self.connect() as connection:
                connection.response_timeout = None  # the operator can interrupt the command
                yield connection
        except psycopg.Error as error:
            raise StartupError(f"cannot {verb} {self.name}: {one_line(error)}") from error


def configure(connection: psycopg.Connection[Any], settings: Sequence[str] = ()) -> None:
    """Apply the settings of all the server's connections, in one round trip."""
    limits = (
        f"statement_timeout='{STATEMENT_TIMEOUT_SECONDS}s'",
        f"idle_in_transaction_session_timeout='{STATEMENT_TIMEOUT_SECONDS}s'",
        "default_transaction_isolation='read committed'",  # the version guard must see commits of other transactions
    )
    script = "; ".join(f"SET {setting}" for setting in (*limits, *settings))
    connection.execute(script.encode(), prepare=False)


def backend_pid(connection: psycopg.Connection[Any]) -> int:
    """Return the id of the server process of a connection. Behind a connection pooler it may change."""
    row: Sequence[int] | None = connection.execute("SELECT pg_backend_pid()", prepare=False).fetchone()
    return row[0] if row is not None else 0


def has_password(url: str) -> bool:
    """Return whether a URL contains a password, which other users could see in the process list."""
    try:
        return bool(conninfo_to_dict(url).get("password"))
    except psycopg.Error:
        return "@" in url and ":" in url.partition("://")[2].partition("@")[0]


def _display_name(parameters: dict[str, Any]) -> str:
    user, host, port, database = (str(parameters.get(part) or "") for part in _NAME_PARTS)
    hosts = host.split(",")
    ports = port.split(",") if port else [""]
    ports = ports * len(hosts) if len(ports) == 1 else ports
    where = ",".join(f"{one}:{at}" if at else one for one, at in zip(hosts, ports, strict=False) if one[:1] != "/")
    return f"postgresql://{user}{'@' if user else ''}{where}/{database}"
