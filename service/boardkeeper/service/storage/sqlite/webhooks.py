"""Webhooks, in a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from eventsourcing.sqlite import SQLiteDatastore

from boardkeeper.service.storage.rows import DamagedLineError, encode
from boardkeeper.service.storage.sqlite.typed import fitting
from boardkeeper.service.storage.webhooks import (
    Backlog,
    Deliver,
    DeliveryRow,
    EndLease,
    EndpointRow,
    NewEndpoint,
    PutDeliveries,
    PutSecrets,
    RemoveEndpoint,
    Resend,
    SwitchEndpoint,
    TakeLease,
)

Statement = tuple[str, tuple[object, ...]]

TABLES = """
CREATE TABLE IF NOT EXISTS webhook_endpoints (
    number INTEGER PRIMARY KEY,
    endpoint_id TEXT NOT NULL UNIQUE,
    platform TEXT NOT NULL,
    url TEXT NOT NULL,
    title TEXT NOT NULL,
    kinds BLOB NOT NULL,
    secrets BLOB NOT NULL,
    create_time INTEGER NOT NULL,
    disable_time INTEGER,
    problem TEXT NOT NULL,
    position INTEGER NOT NULL,
    owner TEXT NOT NULL,
    lease_until INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS webhook_deliveries (
    endpoint_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    game_id TEXT NOT NULL,
    tries INTEGER NOT NULL,
    next_time INTEGER NOT NULL,
    dead_time INTEGER,
    problem TEXT NOT NULL,
    PRIMARY KEY (endpoint_id, number)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS webhook_deliveries_by_game ON webhook_deliveries (game_id);
"""

_COLUMNS = "endpoint_id, platform, url, title, kinds, secrets, create_time, disable_time, problem, position, owner"
_OF_A_DELIVERY = "endpoint_id, number, game_id, tries, next_time, dead_time, problem"
_NOW = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
_decode_kinds = msgspec.json.Decoder(tuple[str, ...]).decode


class SqliteWebhooks:
    """Reads them (:class:`~boardkeeper.service.storage.webhooks.WebhookTables`)."""

    def __init__(self, datastore: SQLiteDatastore) -> None:
        self._datastore = datastore

    def endpoints(self) -> list[EndpointRow]:
        """All endpoints, in the order in which they were made."""
        return [_endpoint(*row) for row in self._rows(f"SELECT {_COLUMNS} FROM webhook_endpoints ORDER BY number")]

    def endpoint(self, endpoint_id: str) -> EndpointRow | None:
        """One of them."""
        rows = self._rows(f"SELECT {_COLUMNS} FROM webhook_endpoints WHERE endpoint_id=?", (endpoint_id,))
        return _endpoint(*rows[0]) if rows else None

    def deliveries(self, endpoint_id: str, *, dead: bool, limit: int, after: int = 0) -> list[DeliveryRow]:
        """What is to be tried again, or is dead, the oldest items first, from behind one on."""
        where = f"endpoint_id=? AND number>? AND dead_time IS {'NOT ' if dead else ''}NULL"
        select = f"SELECT {_OF_A_DELIVERY} FROM webhook_deliveries WHERE {where} ORDER BY number LIMIT ?"
        rows = self._rows(select, (endpoint_id, after, limit))
        return [fitting(DeliveryRow, *row) for row in rows]

    def backlog(self) -> Backlog:
        """What has not been sent."""
        in_use = "SELECT endpoint_id FROM webhook_endpoints WHERE disable_time IS NULL"
        rows = self._rows(
            "SELECT (SELECT count(*) FROM webhook_deliveries WHERE dead_time IS NOT NULL"
            " AND endpoint_id IN (SELECT endpoint_id FROM webhook_endpoints)),"
            " (SELECT min(position) FROM webhook_endpoints WHERE disable_time IS NULL),"
            f" (SELECT min(number) FROM webhook_deliveries WHERE dead_time IS NULL AND endpoint_id IN ({in_use}))"
        )
        return fitting(Backlog, *rows[0])

    def _rows(self, sql: str, parameters: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        with self._datastore.transaction(commit=False) as cursor:
            cursor.execute(sql, parameters)
            return [tuple(row) for row in cursor.fetchall()]


def _endpoint(id: str, platform: str, url: str, title: str, kinds: bytes, secrets: bytes, *more: Any) -> EndpointRow:
    try:
        named = _decode_kinds(kinds)
    except (msgspec.MsgspecError, TypeError) as error:
        raise DamagedLineError(f"an endpoint of webhooks cannot be read: {error}") from error
    return fitting(EndpointRow, id, platform, url, title, named, secrets, *more)


# --- writing ------------------------------------------------------------------------------------------------


def _new(it: NewEndpoint) -> list[Statement]:
    row = it.row
    values = (row.endpoint_id, row.platform, row.url, row.title, encode(row.kinds), row.secrets, row.create_time)
    more = (row.disable_time, row.problem, row.position, "")
    # An id cannot be null, so the insert conflicts if the platform has its number of endpoints.
    insert = (
        f"INSERT INTO webhook_endpoints ({_COLUMNS}) SELECT"
        " CASE WHEN ?12 IS NULL OR (SELECT count(*) FROM webhook_endpoints WHERE platform=?2)<?12 THEN ?1 END,"
        " ?2,?3,?4,?5,?6,?7,?8,?9,?10,?11"
    )
    return [(insert, (*values, *more, it.most))]


def _secrets(it: PutSecrets) -> list[Statement]:
    return [("UPDATE webhook_endpoints SET secrets=? WHERE endpoint_id=?", (it.secrets, it.endpoint_id))]


def _remove(it: RemoveEndpoint) -> list[Statement]:
    tables = ("webhook_deliveries", "webhook_endpoints")
    return [(f"DELETE FROM {table} WHERE endpoint_id=?", (it.endpoint_id,)) for table in tables]


def _switch(it: SwitchEndpoint) -> list[Statement]:
    update = "UPDATE webhook_endpoints SET disable_time=?, problem=? WHERE endpoint_id=?"
    return [(update, (it.disable_time, it.problem, it.endpoint_id))]


def _take(it: TakeLease) -> list[Statement]:
    update = (
        f"UPDATE webhook_endpoints SET owner=?1, lease_until={_NOW}+?2 WHERE endpoint_id=?3 AND disable_time IS NULL"
        f" AND (owner=?1 OR lease_until<{_NOW})"
    )
    return [(update, (it.owner, it.duration, it.endpoint_id))]


def _end(it: EndLease) -> list[Statement]:
    update = "UPDATE webhook_endpoints SET owner='', lease_until=0 WHERE endpoint_id=? AND owner=?"
    return [(update, (it.endpoint_id, it.owner))]


def _deliver(it: Deliver) -> list[Statement]:
    owns = "EXISTS (SELECT 1 FROM webhook_endpoints WHERE endpoint_id=? AND owner=?)"
    ours = (it.endpoint_id, it.owner)
    put = f"INSERT OR REPLACE INTO webhook_deliveries ({_OF_A_DELIVERY}) SELECT ?, ?, ?, ?, ?, ?, ? WHERE {owns}"
    return [
        (
            "UPDATE webhook_endpoints SET position=max(position, ?) WHERE endpoint_id=? AND owner=?",
            (it.position, *ours),
        ),
        *(
            (f"DELETE FROM webhook_deliveries WHERE endpoint_id=? AND number=? AND {owns}", (ours[0], number, *ours))
            for number in it.done
        ),
        *((put, (*_values(row), *ours)) for row in it.put),
    ]


def _values(row: DeliveryRow) -> tuple[object, ...]:
    return row.endpoint_id, row.number, row.game.hex, row.tries, row.next_time, row.dead_time, row.problem


def _put(it: PutDeliveries) -> list[Statement]:
    put = f"INSERT OR REPLACE INTO webhook_deliveries ({_OF_A_DELIVERY}) VALUES (?, ?, ?, ?, ?, ?, ?)"
    return [(put, _values(row)) for row in it.rows]


def _resend(it: Resend) -> list[Statement]:
    where = "endpoint_id=? AND dead_time IS NOT NULL"
    update = f"UPDATE webhook_deliveries SET tries=0, next_time=0, dead_time=NULL WHERE {where}"
    if not it.numbers:
        return [(update, (it.endpoint_id,))]
    return [(f"{update} AND number=?", (it.endpoint_id, number)) for number in it.numbers]


WAYS: dict[type[Any], Callable[[Any], Sequence[Statement]]] = {
    NewEndpoint: _new,
    PutSecrets: _secrets,
    RemoveEndpoint: _remove,
    SwitchEndpoint: _switch,
    TakeLease: _take,
    EndLease: _end,
    Deliver: _deliver,
    Resend: _resend,
    PutDeliveries: _put,
}
"""How each of these changes is written."""
