"""Webhook endpoints of platforms, their progress in the feed, and pending deliveries.

One process at a time delivers to an endpoint: it holds a lease, measured by the database's clock. Its progress is
stored only while it holds the lease.
"""

from __future__ import annotations

from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from boardkeeper.service.storage.rows import Int32
from boardkeeper.service.storage.sql import NOW, Change, Statement, Tables, bind, columns, stored_values


class EndpointRow(Struct, frozen=True):
    """A webhook endpoint. Times are milliseconds since 1970; ``None`` means "not set".

    It receives the items of the games of ``platform`` (``*``: all platforms), limited to ``kinds`` and ``title`` if
    these are not empty. ``secrets`` are encrypted. All items up to the number ``position`` have been sent, except those
    in ``webhook_deliveries``. ``problem`` is why it was disabled. ``owner`` is the process with the lease.
    """

    endpoint_id: str
    platform: str
    url: str
    title: str
    kinds: tuple[str, ...]
    secrets: bytes
    create_time: int
    disable_time: int | None = None
    problem: str = ""
    position: int = 0
    owner: str = ""


class DeliveryRow(Struct, frozen=True):
    """A feed item that could not be delivered yet, identified by its number.

    It is pending or, with ``dead_time``, a dead letter, which is retried on request only. ``problem`` is the last
    error.
    """

    endpoint_id: str
    number: int
    game: UUID
    tries: Int32 = 0
    next_time: int = 0
    dead_time: int | None = None
    problem: str = ""


class Backlog(Struct, frozen=True):
    """The number of dead letters of all endpoints, and the progress of the enabled ones.

    ``position`` is the lowest position, ``oldest_pending`` the number of the oldest pending delivery; ``None`` if there
    is none.
    """

    dead: int
    position: int | None
    oldest_pending: int | None


_OWNS = "EXISTS (SELECT 1 FROM webhook_endpoints WHERE endpoint_id = ? AND owner = ?)"
_REPLACE = (
    " ON CONFLICT (endpoint_id, number{postgres:, game}) DO UPDATE SET tries = excluded.tries,"
    " next_time = excluded.next_time, dead_time = excluded.dead_time, problem = excluded.problem"
)
_LOCK = Statement("{postgres:SELECT pg_advisory_xact_lock(?::bigint)}", (0x626B_7768,))  # "bkwh"
"""Serializes the transactions that count endpoints, so that each counts those of the previous ones."""


class NewEndpoint(Change, frozen=True):
    """Insert an endpoint. Conflicts if its id exists, or if its platform has ``max_endpoints`` endpoints."""

    row: EndpointRow
    max_endpoints: int | None = None

    def statements(self) -> list[Statement]:
        id, *values = stored_values(replace(self.row, owner=""))
        # The id becomes NULL, which is a conflict, if the platform has its maximum number of endpoints.
        sql = (
            f"INSERT INTO webhook_endpoints ({columns(EndpointRow)}) VALUES (CASE WHEN ?::bigint IS NULL"
            " OR (SELECT count(*) FROM webhook_endpoints WHERE platform = ?) < ?::bigint THEN ?::text END,"
            f" {', '.join('?' * len(values))})"
        )
        insert = Statement(sql, (self.max_endpoints, self.row.platform, self.max_endpoints, id, *values))
        return [insert] if self.max_endpoints is None else [_LOCK, insert]


class PutSecrets(Change, frozen=True):
    """Replace the encrypted secrets of an endpoint."""

    endpoint_id: str
    secrets: bytes

    def statements(self) -> list[Statement]:
        return bind(self, "UPDATE webhook_endpoints SET secrets = ?secrets WHERE endpoint_id = ?endpoint_id")


class RemoveEndpoint(Change, frozen=True):
    """Delete an endpoint and its deliveries."""

    endpoint_id: str

    def statements(self) -> list[Statement]:
        # The endpoint comes first: a process that delivers to it waits for the row, and then no longer has the lease.
        tables = ("webhook_endpoints", "webhook_deliveries")
        return bind(self, *(f"DELETE FROM {table} WHERE endpoint_id = ?endpoint_id" for table in tables))


class SetDisabled(Change, frozen=True):
    """Disable an endpoint because of a problem, or enable it (``disable_time`` is ``None``)."""

    endpoint_id: str
    disable_time: int | None
    problem: str = ""

    def statements(self) -> list[Statement]:
        update = "UPDATE webhook_endpoints SET disable_time = ?disable_time::bigint, problem = ?problem"
        return bind(self, f"{update} WHERE endpoint_id = ?endpoint_id")


class TakeLease(Change, frozen=True):
    """Take or renew the lease of an endpoint, for a duration in milliseconds, unless another process holds it."""

    endpoint_id: str
    owner: str
    duration: int

    def statements(self) -> list[Statement]:
        update = (
            f"UPDATE webhook_endpoints SET owner = ?owner, lease_until = {NOW} + ?duration::bigint"
            f" WHERE endpoint_id = ?endpoint_id AND disable_time IS NULL AND (owner = ?owner OR lease_until < {NOW})"
        )
        return bind(self, update)


class EndLease(Change, frozen=True):
    """Give up the lease of an endpoint."""

    endpoint_id: str
    owner: str

    def statements(self) -> list[Statement]:
        update = "UPDATE webhook_endpoints SET owner = '', lease_until = 0"
        return bind(self, f"{update} WHERE endpoint_id = ?endpoint_id AND owner = ?owner")


class SaveDeliveries(Change, frozen=True):
    """Store the progress of an endpoint's owner. ``done`` are delivered numbers, ``put`` pending or dead deliveries.

    Nothing is stored if the process no longer holds the lease.
    """

    endpoint_id: str
    owner: str
    position: int
    done: tuple[int, ...] = ()
    put: tuple[DeliveryRow, ...] = ()

    def statements(self) -> list[Statement]:
        owned = (self.endpoint_id, self.owner)
        move = (
            "UPDATE webhook_endpoints SET position = greatest(position, ?position::bigint)"
            " WHERE endpoint_id = ?endpoint_id AND owner = ?owner"
        )
        done = f"DELETE FROM webhook_deliveries WHERE endpoint_id = ? AND number = ANY(?::bigint[]) AND {_OWNS}"
        put = (
            f"INSERT INTO webhook_deliveries ({columns(DeliveryRow)}) SELECT ?::text, ?::bigint, ?::uuid, ?::int,"
            f" ?::bigint, ?::bigint, ?::text WHERE {_OWNS}{_REPLACE}"
        )
        return [
            *bind(self, move),
            *([Statement(done, (self.endpoint_id, list(self.done), *owned))] if self.done else ()),
            *(Statement(put, (*stored_values(row), *owned)) for row in self.put),
        ]


class RetryDeadLetters(Change, frozen=True):
    """Make dead letters of an endpoint pending again: those with ``numbers``, or all if ``numbers`` is empty."""

    endpoint_id: str
    numbers: tuple[int, ...] = ()

    def statements(self) -> list[Statement]:
        update = (
            "UPDATE webhook_deliveries SET tries = 0, next_time = 0, dead_time = NULL"
            " WHERE endpoint_id = ?endpoint_id AND dead_time IS NOT NULL"
        )
        return bind(self, f"{update} AND number = ANY(?numbers::bigint[])" if self.numbers else update)


class WebhookTables(Tables):
    """Reads webhooks."""

    def endpoints(self) -> list[EndpointRow]:
        """Return all endpoints in the order of their creation."""
        return self._reader.fetch_structs(
            EndpointRow, f"SELECT {columns(EndpointRow)} FROM webhook_endpoints ORDER BY number"
        )

    def endpoint(self, endpoint_id: str) -> EndpointRow | None:
        """Return an endpoint; ``None`` if it does not exist."""
        select = f"SELECT {columns(EndpointRow)} FROM webhook_endpoints WHERE endpoint_id = ?"
        return self._reader.fetch_first(EndpointRow, select, endpoint_id)

    def backlog(self) -> Backlog:
        """Return the backlog of all endpoints. This reads all deliveries, so call it rarely."""
        deliveries = "webhook_deliveries d JOIN webhook_endpoints USING (endpoint_id) WHERE dead_time"
        select = (
            f"SELECT (SELECT count(*) FROM {deliveries} IS NOT NULL),"
            " (SELECT min(position) FROM webhook_endpoints WHERE disable_time IS NULL),"
            f" (SELECT min(d.number) FROM {deliveries} IS NULL AND disable_time IS NULL)"
        )
        (backlog,) = self._reader.fetch_structs(Backlog, select)
        return backlog

    def deliveries(self, endpoint_id: str, *, dead: bool, limit: int, after: int = 0) -> list[DeliveryRow]:
        """Return pending deliveries or dead letters with numbers above ``after``, oldest first."""
        select = (
            f"SELECT {columns(DeliveryRow)} FROM webhook_deliveries WHERE endpoint_id = ? AND number > ?::bigint"
            f" AND dead_time IS {'NOT NULL' if dead else 'NULL'} ORDER BY number LIMIT ?::int"
        )
        return self._reader.fetch_structs(DeliveryRow, select, endpoint_id, after, limit)
