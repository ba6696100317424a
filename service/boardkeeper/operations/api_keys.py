"""Management of API keys in a database or on a server."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol

from boardkeeper.client.connection import KEY_VARIABLE
from boardkeeper.client.errors import PermissionDenied, Unauthenticated
from boardkeeper.client.keys import KeyClient
from boardkeeper.operations.support import server_imports
from boardkeeper.terminal.command_line import Arguments
from boardkeeper.terminal.connections import connect
from boardkeeper.terminal.environment import OPERATOR_TOKEN
from boardkeeper.terminal.errors import DONE, USAGE, CommandError
from boardkeeper.terminal.output import Output
from boardkeeper.terminal.paths import exists
from boardkeeper.v1 import access_pb2

if TYPE_CHECKING:
    from boardkeeper.service.storage.access import KeyRow
    from boardkeeper.service.storage.database import Database

_HOUR = 3_600_000
_DURATION = re.compile(r"(\d{1,5})([hdwy])")
_HOURS = {"h": 1, "d": 24, "w": 168, "y": 8766}

_NewKey = tuple["KeyRow", str]
"""A new key and its secret."""


def run_action(arguments: Arguments, output: Output) -> int:
    """Run an action of ``boardkeeper access``. Return the exit status."""
    with server_imports():
        from boardkeeper.service.auth.key_management import InvalidKeyRequestError
    with _open_store(arguments, output) as store:
        try:
            return _ACTIONS[arguments.action](store, arguments, output)
        except InvalidKeyRequestError as error:
            raise CommandError(f"{error}.", USAGE) from error


# --- stores of keys -----------------------------------------------------------------------------------------


class _KeyStore(Protocol):
    """A store of API keys: a database, or a server. Times are in milliseconds."""

    def rows(self) -> Sequence[KeyRow]: ...

    def create(self, name: str, platform: str, scopes: Sequence[str], expires: int | None, certificate: str) -> _NewKey:
        """Create a key. ``expires`` is in milliseconds since 1970; ``None`` for never."""

    def rotate(self, key: str, overlap: int) -> _NewKey:
        """Replace a key by a new one. The old key stays valid for ``overlap`` milliseconds."""

    def revoke(self, key: str) -> KeyRow: ...

    def limit(self, key: str, limits: str) -> KeyRow: ...


class _DatabaseKeys:
    """Keys in a database that this process has opened."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def rows(self) -> Sequence[KeyRow]:
        return self._database.access.all_keys()

    def create(self, name: str, platform: str, scopes: Sequence[str], expires: int | None, certificate: str) -> _NewKey:
        from boardkeeper.service.auth import key_management

        created = key_management.create_key(
            name, scopes, _now(), platform=platform, expire_time=expires, certificate=certificate
        )
        self._database.log.writer.store(created.changes)
        return created.row, created.secret

    def rotate(self, key: str, overlap: int) -> _NewKey:
        from boardkeeper.service.auth import key_management

        created = key_management.rotate_key(self.rows(), key, _now(), overlap)
        self._database.log.writer.store(created.changes)
        return created.row, created.secret

    def revoke(self, key: str) -> KeyRow:
        from boardkeeper.service.auth import key_management

        revoked = key_management.revoke_key(self.rows(), key, _now())
        if revoked.changes:
            self._database.log.writer.store(revoked.changes)
        return revoked.row

    def limit(self, key: str, limits: str) -> KeyRow:
        from boardkeeper.service.auth import key_management

        limited = key_management.limit_key(self.rows(), key, limits)
        self._database.log.writer.store(limited.changes)
        return limited.row


class _ServerKeys:
    """Keys on a server that has the database open."""

    def __init__(self, client: KeyClient) -> None:
        self._client = client

    def rows(self) -> Sequence[KeyRow]:
        return [_row(key) for key in self._client.all_keys()]

    def create(self, name: str, platform: str, scopes: Sequence[str], expires: int | None, certificate: str) -> _NewKey:
        until = None if expires is None else datetime.fromtimestamp(expires / 1000, UTC)
        answer = self._client.create(name, scopes, platform=platform, expires=until, certificate=certificate)
        return _row(answer.key), answer.secret

    def rotate(self, key: str, overlap: int) -> _NewKey:
        answer = self._client.rotate(key, timedelta(milliseconds=overlap))
        return _row(answer.key), answer.secret

    def revoke(self, key: str) -> KeyRow:
        return _row(self._client.revoke(key))

    def limit(self, key: str, limits: str) -> KeyRow:
        return _row(self._client.limit(key, limits))


@contextmanager
def _open_store(arguments: Arguments, output: Output) -> Iterator[_KeyStore]:
    from boardkeeper.operations.support import read_config
    from boardkeeper.service.errors import FileInUseError, StartupError
    from boardkeeper.service.storage.database_urls import is_postgres, open_database, sqlite_path

    if arguments.server:
        with _open_server(arguments.server) as store:
            yield store
        return
    database: Database | None = None
    try:
        config = read_config(arguments.db, arguments.key_file)
        if not (arguments.action == "create" or is_postgres(config.database) or exists(sqlite_path(config.database))):
            raise CommandError(f"the file {sqlite_path(config.database)} does not exist.")
        database = open_database(config.database, key_file=config.key_file)
    except FileInUseError as error:
        address = error.address
        if not address:
            raise CommandError(f"{error}.") from error
    except StartupError as error:
        raise CommandError(f"{error}.") from error
    if database is None:
        output.remark(f"The database is in use by the server at {address}; using that server.")
        with _open_server(address) as store:
            yield store
        return
    try:
        yield _DatabaseKeys(database)
    finally:
        database.close()


@contextmanager
def _open_server(server: str) -> Iterator[_KeyStore]:
    token = os.environ.get(OPERATOR_TOKEN, "")
    if not token and not os.environ.get(KEY_VARIABLE):
        raise CommandError(
            f"managing API keys on the server at {server} needs its operator token: set {OPERATOR_TOKEN}."
        )
    with connect(server, "en") as client:
        try:
            yield _ServerKeys(KeyClient(client, token))
        except (PermissionDenied, Unauthenticated) as error:
            raise CommandError(f"{OPERATOR_TOKEN} is not the operator token of the server at {server}.") from error


# --- actions ------------------------------------------------------------------------------------------------


def _create(store: _KeyStore, arguments: Arguments, output: Output) -> int:
    expires = expire_time(arguments.expires, _now())
    _print_key(
        *store.create(arguments.name, arguments.platform, arguments.scopes, expires, arguments.certificate), output
    )
    return DONE


def _rotate(store: _KeyStore, arguments: Arguments, output: Output) -> int:
    overlap = round(arguments.overlap * _HOUR)
    row, secret = store.rotate(arguments.key, overlap)
    _print_key(row, secret, output)
    output.line(
        f"The old key is valid for {arguments.overlap:g} more hours." if overlap else "The old key is no longer valid."
    )
    return DONE


def _revoke(store: _KeyStore, arguments: Arguments, output: Output) -> int:
    row = store.revoke(arguments.key)
    output.record({"key_id": row.key_id, "state": "revoked"})
    output.line(f"revoked: key {row.key_id} ({row.name})")
    return DONE


def _limit(store: _KeyStore, arguments: Arguments, output: Output) -> int:
    row = store.limit(arguments.key, " ".join(arguments.limits))
    output.record({"key_id": row.key_id, "limits": row.limits})
    output.line(f"key {row.key_id} ({row.name}): {row.limits or 'default limits'}")
    return DONE


def _list(store: _KeyStore, _: Arguments, output: Output) -> int:
    from boardkeeper.service.auth import key_management

    rows, now = store.rows(), _now()
    for row in rows:
        output.record(record(row, now))
        until = f", until {_day(row.expire_time)}" if row.expire_time is not None else ""
        used = f", last used {_day(row.use_time)}" if row.use_time is not None else ", never used"
        certificate = f", certificate {row.certificate}" if row.certificate else ""
        limits = f", limits {row.limits}" if row.limits else ""
        state, may = key_management.key_state(row, now), ",".join(row.scopes)
        output.line(
            f"{row.key_id}  {state:<7}  {row.platform}  {may}  {row.name}{certificate}{until}{used}{limits}",
            "" if state == "active" else "dim",
        )
    if not rows:
        output.remark("There are no keys. Create one with: boardkeeper access create NAME --scopes create,play,watch")
    return DONE


def _print_key(row: KeyRow, secret: str, output: Output) -> None:
    output.record(record(row, row.create_time) | ({"key": secret} if secret else {}))
    output.line(f"key {row.key_id} for platform {row.platform}: {', '.join(row.scopes)}")
    if secret:
        output.command(secret)
        output.remark(
            f"Copy the key now: it is not stored and cannot be shown again. Our clients read it from {KEY_VARIABLE}."
        )
    else:
        output.line(
            f"Clients need a certificate for {row.certificate}, signed by an authority in the server's tls_client_ca."
        )


def record(row: KeyRow, now: int) -> dict[str, Any]:
    """Return a key as JSON values without secrets."""
    from boardkeeper.service.auth import key_management

    times = {"create_time": row.create_time, "expire_time": row.expire_time, "use_time": row.use_time}
    return {
        "key_id": row.key_id,
        "name": row.name,
        "platform": row.platform,
        "scopes": list(row.scopes),
        "certificate": row.certificate,
        "limits": row.limits,
        "state": key_management.key_state(row, now),
        **{name: None if at is None else _moment(at) for name, at in times.items()},
    }


def _row(key: access_pb2.AccessKey) -> KeyRow:
    """Convert a key of the API. It does not contain the secret."""
    from boardkeeper.service.storage.access import KeyRow

    expire, revoke, use = (
        getattr(key, field).ToMilliseconds() if key.HasField(field) else None
        for field in ("expire_time", "revoke_time", "use_time")
    )
    created, scopes = key.create_time.ToMilliseconds(), tuple(key.scopes)
    return KeyRow(
        key.key_id, key.name, key.platform, scopes, None, key.certificate, created, expire, revoke, use, key.limits
    )


def expire_time(text: str, now: int) -> int | None:
    """Return the expiry time in milliseconds since 1970; ``None`` for an empty text.

    ``text`` is a time such as ``90d``, or a date, at whose end (UTC) the key expires. ``now`` is in milliseconds since
    1970. Raises :class:`CommandError`.
    """
    if not text:
        return None
    found = _DURATION.fullmatch(text)
    if found is not None:
        return now + int(found[1]) * _HOURS[found[2]] * _HOUR
    try:
        day = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC) + timedelta(days=1)
    except (ValueError, OverflowError) as error:
        raise CommandError(
            f"--expires {text!r} must be a time such as 12h, 90d or 1y, or a date such as 2031-12-31", USAGE
        ) from error
    return round(day.timestamp() * 1000)


def _now() -> int:
    return time.time_ns() // 1_000_000


def _moment(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _day(at: int) -> str:
    return _moment(at)[:10]


_ACTIONS = {"create": _create, "list": _list, "rotate": _rotate, "revoke": _revoke, "limit": _limit}
