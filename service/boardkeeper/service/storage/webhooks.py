"""Webhooks, as a database keeps them: where platforms want their feed sent, how far each has got, and what failed.

One process at a time delivers for an endpoint: it holds a lease, by the database's clock, and whatever it writes of
what it delivered counts only while the lease is its own.
"""

from __future__ import annotations

from typing import Protocol
from uuid import UUID

from msgspec import Struct

from boardkeeper.service.storage.rows import Small


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
    tries: Small = 0
    next_time: int = 0
    dead_time: int | None = None
    problem: str = ""


class Backlog(Struct, frozen=True):
    """What has not been sent. ``dead`` are dead letters, of all endpoints; the others are of those that are in use.

    Nobody has been left behind before ``position``, ``None`` if there is no such endpoint. ``oldest_aside`` is the
    number of the oldest item that is to be tried again, or stands behind such a one, ``None`` if there is none.
    """

    dead: int
    position: int | None
    oldest_aside: int | None


class NewEndpoint(Struct, frozen=True):
    """A new endpoint. It conflicts if its id exists, or if its platform has ``most`` endpoints already."""

    row: EndpointRow
    most: int | None = None


class PutSecrets(Struct, frozen=True):
    """An endpoint has other secrets, sealed."""

    endpoint_id: str
    secrets: bytes


class RemoveEndpoint(Struct, frozen=True):
    """An endpoint goes, with its deliveries."""

    endpoint_id: str


class SwitchEndpoint(Struct, frozen=True):
    """An endpoint is disabled at a time because of a problem, or (``None``) is used again."""

    endpoint_id: str
    disable_time: int | None
    problem: str = ""


class TakeLease(Struct, frozen=True):
    """A process delivers for an endpoint for so long (milliseconds), or goes on to, unless another one does."""

    endpoint_id: str
    owner: str
    duration: int


class EndLease(Struct, frozen=True):
    """A process delivers for an endpoint no more."""

    endpoint_id: str
    owner: str


class Deliver(Struct, frozen=True):
    """How far the owner has got with an endpoint: ``done`` need no more, ``put`` are to be tried, or are dead.

    Nothing of it is written for who is not the owner any more.
    """

    endpoint_id: str
    owner: str
    position: int
    done: tuple[int, ...] = ()
    put: tuple[DeliveryRow, ...] = ()


class Resend(Struct, frozen=True):
    """Dead deliveries of an endpoint are tried again: these, or all of them."""

    endpoint_id: str
    numbers: tuple[int, ...] = ()


class PutDeliveries(Struct, frozen=True):
    """Deliveries as they were in another database, in place of those that are there."""

    rows: tuple[DeliveryRow, ...]


WebhookChange = (
    NewEndpoint | PutSecrets | RemoveEndpoint | SwitchEndpoint | TakeLease | EndLease | Deliver | Resend | PutDeliveries
)


class WebhookTables(Protocol):
    """The ways to ask a database for them; they block."""

    def endpoints(self) -> list[EndpointRow]:
        """All endpoints, in the order in which they were made."""

    def endpoint(self, endpoint_id: str) -> EndpointRow | None:
        """One of them."""

    def backlog(self) -> Backlog:
        """What has not been sent. It takes a look at every delivery, so ask now and then only."""

    def deliveries(self, endpoint_id: str, *, dead: bool, limit: int, after: int = 0) -> list[DeliveryRow]:
        """What is to be tried again, or is dead, the oldest items first, from behind one on."""
