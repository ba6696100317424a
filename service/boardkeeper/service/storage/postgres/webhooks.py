"""Webhooks, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, LiteralString

import msgspec

from boardkeeper.service.storage.postgres.access import Statement
from boardkeeper.service.storage.postgres.readers import Readers
from boardkeeper.service.storage.rows import encode
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

MIGRATION: LiteralString = """
CREATE TABLE webhook_endpoints (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    endpoint_id text NOT NULL UNIQUE,
    platform text NOT NULL,
    url text NOT NULL,
    title text NOT NULL,
    kinds bytea NOT NULL,
    secrets bytea NOT NULL,
    create_time bigint NOT NULL,
    disable_time bigint,
    problem text NOT NULL,
    position bigint NOT NULL,
    owner text NOT NULL,
    lease_until bigint NOT NULL DEFAULT 0
);
CREATE TABLE webhook_deliveries (
    endpoint_id text NOT NULL,
    number bigint NOT NULL,
    game uuid NOT NULL,
    tries integer NOT NULL,
    next_time bigint NOT NULL,
    dead_time bigint,
    problem text NOT NULL,
    PRIMARY KEY (endpoint_id, number)
);
CREATE INDEX webhook_deliveries_by_game ON webhook_deliveries (game);
"""
"""What they are kept in, beside what was there before."""

_COLUMNS: LiteralString = (
    "endpoint_id, platform, url, title, kinds, secrets, create_time, disable_time, problem, position, owner"
)
_OF_A_DELIVERY: LiteralString = "endpoint_id, number, game, tries, next_time, dead_time, problem"
_NOW: LiteralString = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
_IN_ITS_PLACE: LiteralString = (
    " ON CONFLICT (endpoint_id, number) DO UPDATE SET tries = excluded.tries, next_time = excluded.next_time,"
    " dead_time = excluded.dead_time, problem = excluded.problem"
)
_OWNS: LiteralString = "EXISTS (SELECT 1 FROM webhook_endpoints WHERE endpoint_id = %b AND owner = %b)"
_LOCK = Statement("SELECT pg_advisory_xact_lock(%b::bigint)", (0x626B_7768,))  # "bkwh"
"""Transactions that count endpoints take turns, so that each counts the endpoints of the ones before."""

_decode_kinds = msgspec.json.Decoder(tuple[str, ...]).decode


class PostgresWebhooks:
    """Reads them (:class:`~boardkeeper.service.storage.webhooks.WebhookTables`)."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers

    def endpoints(self) -> list[EndpointRow]:
        """All endpoints, in the order in which they were made."""
        rows = self._readers.rows("SELECT " + _COLUMNS + " FROM webhook_endpoints ORDER BY number")
        return [_endpoint(*row) for row in rows]

    def endpoint(self, endpoint_id: str) -> EndpointRow | None:
        """One of them."""
        select: LiteralString = "SELECT " + _COLUMNS + " FROM webhook_endpoints WHERE endpoint_id = %b"
        rows = self._readers.rows(select, (endpoint_id,))
        return _endpoint(*rows[0]) if rows else None

    def deliveries(self, endpoint_id: str, *, dead: bool, limit: int, after: int = 0) -> list[DeliveryRow]:
        """What is to be tried again, or is dead, the oldest items first, from behind one on."""
        select: LiteralString = "SELECT " + _OF_A_DELIVERY + " FROM webhook_deliveries WHERE endpoint_id = %b"
        select += " AND number > %b::bigint"
        select += " AND dead_time IS NOT NULL" if dead else " AND dead_time IS NULL"
        select += " ORDER BY number LIMIT %b::int"
        return [DeliveryRow(*row) for row in self._readers.rows(select, (endpoint_id, after, limit))]

    def backlog(self) -> Backlog:
        """What has not been sent."""
        rows = self._readers.rows(
            "SELECT (SELECT count(*) FROM webhook_deliveries JOIN webhook_endpoints USING (endpoint_id)"
            " WHERE dead_time IS NOT NULL),"
            " (SELECT min(position) FROM webhook_endpoints WHERE disable_time IS NULL),"
            " (SELECT min(d.number) FROM webhook_deliveries d JOIN webhook_endpoints USING (endpoint_id)"
            " WHERE dead_time IS NULL AND disable_time IS NULL)"
        )
        return Backlog(*rows[0])


def _endpoint(id: str, platform: str, url: str, title: str, kinds: bytes, secrets: bytes, *more: Any) -> EndpointRow:
    return EndpointRow(id, platform, url, title, _decode_kinds(bytes(kinds)), bytes(secrets), *more)


# --- writing ------------------------------------------------------------------------------------------------


def _new(it: NewEndpoint) -> list[Statement]:
    row = it.row
    # An id cannot be null, so the insert conflicts if the platform has its number of endpoints.
    sql: LiteralString = (
        "INSERT INTO webhook_endpoints (" + _COLUMNS + ") VALUES (CASE WHEN %b::bigint IS NULL"
        " OR (SELECT count(*) FROM webhook_endpoints WHERE platform = %b) < %b::bigint THEN %b::text END,"
        " %b, %b, %b, %b, %b, %b, %b, %b, %b, %b)"
    )
    counted = (it.most, row.platform, it.most, row.endpoint_id)
    values = (row.platform, row.url, row.title, encode(row.kinds), row.secrets, row.create_time)
    insert = Statement(sql, (*counted, *values, row.disable_time, row.problem, row.position, ""))
    return [insert] if it.most is None else [_LOCK, insert]


def _secrets(it: PutSecrets) -> list[Statement]:
    sql: LiteralString = "UPDATE webhook_endpoints SET secrets = %b WHERE endpoint_id = %b"
    return [Statement(sql, (it.secrets, it.endpoint_id))]


def _remove(it: RemoveEndpoint) -> list[Statement]:
    # The endpoint first: whoever delivers for it waits for its row, and then owns it no more.
    return [
        Statement("DELETE FROM webhook_endpoints WHERE endpoint_id = %b", (it.endpoint_id,)),
        Statement("DELETE FROM webhook_deliveries WHERE endpoint_id = %b", (it.endpoint_id,)),
    ]


def _switch(it: SwitchEndpoint) -> list[Statement]:
    sql: LiteralString = "UPDATE webhook_endpoints SET disable_time = %b::bigint, problem = %b WHERE endpoint_id = %b"
    return [Statement(sql, (it.disable_time, it.problem, it.endpoint_id))]


def _take(it: TakeLease) -> list[Statement]:
    sql: LiteralString = (
        "UPDATE webhook_endpoints SET owner = %b, lease_until = " + _NOW + " + %b::bigint WHERE endpoint_id = %b"
        " AND disable_time IS NULL AND (owner = %b OR lease_until < " + _NOW + ")"
    )
    return [Statement(sql, (it.owner, it.duration, it.endpoint_id, it.owner))]


def _end(it: EndLease) -> list[Statement]:
    sql: LiteralString = (
        "UPDATE webhook_endpoints SET owner = '', lease_until = 0 WHERE endpoint_id = %b AND owner = %b"
    )
    return [Statement(sql, (it.endpoint_id, it.owner))]


def _deliver(it: Deliver) -> list[Statement]:
    ours = (it.endpoint_id, it.owner)
    move: LiteralString = (
        "UPDATE webhook_endpoints SET position = greatest(position, %b::bigint) WHERE endpoint_id = %b AND owner = %b"
    )
    done: LiteralString = (
        "DELETE FROM webhook_deliveries WHERE endpoint_id = %b AND number = ANY(%b::bigint[]) AND " + _OWNS
    )
    put: LiteralString = (
        "INSERT INTO webhook_deliveries (" + _OF_A_DELIVERY + ") SELECT %b::text, %b::bigint, %b::uuid, %b::int,"
        " %b::bigint, %b::bigint, %b::text WHERE " + _OWNS + _IN_ITS_PLACE
    )
    return [
        Statement(move, (it.position, *ours)),
        *([Statement(done, (it.endpoint_id, list(it.done), *ours))] if it.done else ()),
        *(Statement(put, (*_values(row), *ours)) for row in it.put),
    ]


def _values(row: DeliveryRow) -> tuple[object, ...]:
    return row.endpoint_id, row.number, row.game, row.tries, row.next_time, row.dead_time, row.problem


def _put(it: PutDeliveries) -> list[Statement]:
    values: LiteralString = ") VALUES (%b, %b, %b, %b, %b, %b, %b)"
    put: LiteralString = "INSERT INTO webhook_deliveries (" + _OF_A_DELIVERY + values + _IN_ITS_PLACE
    return [Statement(put, _values(row)) for row in it.rows]


def _resend(it: Resend) -> list[Statement]:
    sql: LiteralString = (
        "UPDATE webhook_deliveries SET tries = 0, next_time = 0, dead_time = NULL"
        " WHERE endpoint_id = %b AND dead_time IS NOT NULL"
    )
    if not it.numbers:
        return [Statement(sql, (it.endpoint_id,))]
    return [Statement(sql + " AND number = ANY(%b::bigint[])", (it.endpoint_id, list(it.numbers)))]


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
