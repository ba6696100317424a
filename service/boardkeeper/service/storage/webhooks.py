"""Webhooks, as a database keeps them: where platforms want their feed sent, how far each has got, and what failed.

One process at a time delivers for an endpoint: it holds a lease, by the database's clock, and whatever it writes of
what it delivered counts only while the lease is its own.
"""

from __future__ import annotations

from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from boardkeeper.service.storage.rows import Int32
from boardkeeper.service.storage.sql import NOW, Change, Statement, Tables, columns, stored_values


class EndpointRow(Struct, frozen=True):
    """An endpoint. Times are milliseconds since 1970, those that are ``None`` are not set.

    ``platform`` is whose games it is told of; ``*`` are all. ``kinds`` and ``title`` narrow it, empty is all.
    ``secrets`` are sealed. It has been told everything up to ``position``, but for what stands among its deliveries.
    ``problem`` says why it was disabled. ``owner`` is the process that delivers, as long as its lease holds.
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
    """An item that could not be delivered yet, by its number: it is tried again, or dead, or waits its turn.

    ``problem`` is what was wrong last. A dead one is tried again only if somebody says so.
    """

    endpoint_id: str
    number: int
    game: UUID
    tries: Int32 = 0
    next_time: int = 0
    dead_time: int | None = None
    problem: str = ""


class Backlog(Struct, frozen=True):
    """What has not been sent. ``dead`` are dead letters, of all endpoints; the others are of those that are in use.

    Nobody has been left behind before ``position``, ``None`` if there is no such endpoint. ``oldest_pending`` is the
    number of the oldest item that is to be tried again, or stands behind such a one, ``None`` if there is none.
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
"""Transactions that count endpoints run one after the other, so that each counts the endpoints of the ones before."""


class NewEndpoint(Change, frozen=True):
    """A new endpoint. It conflicts if its id exists, or if its platform has ``most`` endpoints already."""

    row: EndpointRow
    most: int | None = None

    def statements(self) -> list[Statement]:
        id, *values = stored_values(replace(self.row, owner=""))
        # An id cannot be null, so the insert conflicts if the platform has its number of endpoints.
        sql = (
            f"INSERT INTO webhook_endpoints ({columns(EndpointRow)}) VALUES (CASE WHEN ?::bigint IS NULL"
            " OR (SELECT count(*) FROM webhook_endpoints WHERE platform = ?) < ?::bigint THEN ?::text END,"
            f" {', '.join('?' * len(values))})"
        )
        insert = Statement(sql, (self.most, self.row.platform, self.most, id, *values))
        return [insert] if self.most is None else [_LOCK, insert]


class PutSecrets(Change, frozen=True):
    """An endpoint has other secrets, sealed."""

    endpoint_id: str
    secrets: bytes

    def statements(self) -> list[Statement]:
        sql = "UPDATE webhook_endpoints SET secrets = ? WHERE endpoint_id = ?"
        return [Statement(sql, (self.secrets, self.endpoint_id))]


class RemoveEndpoint(Change, frozen=True):
    """An endpoint is deleted, with its deliveries."""

    endpoint_id: str

    def statements(self) -> list[Statement]:
        # The endpoint first: a process that delivers for it waits for its row, and then no longer owns it.
        tables = ("webhook_endpoints", "webhook_deliveries")
        return [Statement(f"DELETE FROM {table} WHERE endpoint_id = ?", (self.endpoint_id,)) for table in tables]


class SetDisabled(Change, frozen=True):
    """An endpoint is disabled at a time because of a problem, or (``None``) is used again."""

    endpoint_id: str
    disable_time: int | None
    problem: str = ""

    def statements(self) -> list[Statement]:
        sql = "UPDATE webhook_endpoints SET disable_time = ?::bigint, problem = ? WHERE endpoint_id = ?"
        return [Statement(sql, (self.disable_time, self.problem, self.endpoint_id))]


class TakeLease(Change, frozen=True):
    """A process delivers for an endpoint for so long (milliseconds), or continues to, unless another one does."""

    endpoint_id: str
    owner: str
    duration: int

    def statements(self) -> list[Statement]:
        sql = (
            f"UPDATE webhook_endpoints SET owner = ?, lease_until = {NOW} + ?::bigint WHERE endpoint_id = ?"
            f" AND disable_time IS NULL AND (owner = ? OR lease_until < {NOW})"
        )
        return [Statement(sql, (self.owner, self.duration, self.endpoint_id, self.owner))]


class EndLease(Change, frozen=True):
    """A process no longer delivers for an endpoint."""

    endpoint_id: str
    owner: str

    def statements(self) -> list[Statement]:
        sql = "UPDATE webhook_endpoints SET owner = '', lease_until = 0 WHERE endpoint_id = ? AND owner = ?"
        return [Statement(sql, (self.endpoint_id, self.owner))]


class SaveDeliveries(Change, frozen=True):
    """The owner's progress with an endpoint: ``done`` were delivered, ``put`` are to be tried again, or are dead.

    Nothing of it is written for a process that is not the owner any more.
    """

    endpoint_id: str
    owner: str
    position: int
    done: tuple[int, ...] = ()
    put: tuple[DeliveryRow, ...] = ()

    def statements(self) -> list[Statement]:
        owned = (self.endpoint_id, self.owner)
        move = (
            "UPDATE webhook_endpoints SET position = greatest(position, ?::bigint) WHERE endpoint_id = ? AND owner = ?"
        )
        done = f"DELETE FROM webhook_deliveries WHERE endpoint_id = ? AND number = ANY(?::bigint[]) AND {_OWNS}"
        put = (
            f"INSERT INTO webhook_deliveries ({columns(DeliveryRow)}) SELECT ?::text, ?::bigint, ?::uuid, ?::int,"
            f" ?::bigint, ?::bigint, ?::text WHERE {_OWNS}{_REPLACE}"
        )
        return [
            Statement(move, (self.position, *owned)),
            *([Statement(done, (self.endpoint_id, list(self.done), *owned))] if self.done else ()),
            *(Statement(put, (*stored_values(row), *owned)) for row in self.put),
        ]


class RetryDeadLetters(Change, frozen=True):
    """Dead deliveries of an endpoint are tried again: these, or all of them."""

    endpoint_id: str
    numbers: tuple[int, ...] = ()

    def statements(self) -> list[Statement]:
        sql = (
            "UPDATE webhook_deliveries SET tries = 0, next_time = 0, dead_time = NULL"
            " WHERE endpoint_id = ? AND dead_time IS NOT NULL"
        )
        if not self.numbers:
            return [Statement(sql, (self.endpoint_id,))]
        return [Statement(f"{sql} AND number = ANY(?::bigint[])", (self.endpoint_id, list(self.numbers)))]


class WebhookTables(Tables):
    """Reads webhooks."""

    def endpoints(self) -> list[EndpointRow]:
        """Return all endpoints, in the order in which they were made."""
        return self._reader.fetch_structs(
            EndpointRow, f"SELECT {columns(EndpointRow)} FROM webhook_endpoints ORDER BY number"
        )

    def endpoint(self, endpoint_id: str) -> EndpointRow | None:
        """Return one endpoint."""
        select = f"SELECT {columns(EndpointRow)} FROM webhook_endpoints WHERE endpoint_id = ?"
        return self._reader.fetch_first(EndpointRow, select, endpoint_id)

    def backlog(self) -> Backlog:
        """Return what has not been sent. It reads every delivery, so it is for rare calls."""
        deliveries = "webhook_deliveries d JOIN webhook_endpoints USING (endpoint_id) WHERE dead_time"
        select = (
            f"SELECT (SELECT count(*) FROM {deliveries} IS NOT NULL),"
            " (SELECT min(position) FROM webhook_endpoints WHERE disable_time IS NULL),"
            f" (SELECT min(d.number) FROM {deliveries} IS NULL AND disable_time IS NULL)"
        )
        (backlog,) = self._reader.fetch_structs(Backlog, select)
        return backlog

    def deliveries(self, endpoint_id: str, *, dead: bool, limit: int, after: int = 0) -> list[DeliveryRow]:
        """Return deliveries that are tried again, or are dead, the oldest first, behind a number."""
        select = (
            f"SELECT {columns(DeliveryRow)} FROM webhook_deliveries WHERE endpoint_id = ? AND number > ?::bigint"
            f" AND dead_time IS {'NOT NULL' if dead else 'NULL'} ORDER BY number LIMIT ?::int"
        )
        return self._reader.fetch_structs(DeliveryRow, select, endpoint_id, after, limit)
