"""Webhooks: where a platform wants its feed sent."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import timedelta

from boardkeeper.client.client import Client
from boardkeeper.client.feed import numbers_of
from boardkeeper.v1 import webhooks_pb2, webhooks_pb2_grpc


class WebhookDesk:
    """The endpoints of the platform whose key a client has.

    ``token`` is an operator's, whose endpoints are told of all games. Every method raises a
    :class:`~boardkeeper.client.errors.BoardkeeperError` if it fails. An endpoint that is asked for while the connection
    is bad may be made twice: then the list has one whose secret nobody knows.
    """

    def __init__(self, client: Client, token: str = "") -> None:
        self._connection = client._connection
        self._token = token
        self._webhooks = webhooks_pb2_grpc.WebhooksStub(self._connection.channel)

    def create(self, url: str, *, title: str = "", kinds: Collection[str] = ()) -> webhooks_pb2.CreateWebhookResponse:
        """Make an endpoint; the answer has its secret, this once. Raises ``ValueError`` for unknown kinds."""
        request = webhooks_pb2.CreateWebhookRequest(url=url, title=title, kinds=numbers_of(kinds))
        return self._connection.call(self._webhooks.CreateWebhook, request, self._token)

    def all_webhooks(self) -> Sequence[webhooks_pb2.Webhook]:
        """The endpoints, in the order in which they were made."""
        request = webhooks_pb2.ListWebhooksRequest()
        return self._connection.call(self._webhooks.ListWebhooks, request, self._token).webhooks

    def rotate(self, webhook_id: str, overlap: timedelta = timedelta(hours=24)) -> str:
        """Another secret, this once; for a while messages are signed with both."""
        request = webhooks_pb2.RotateWebhookSecretRequest(webhook_id=webhook_id)
        request.overlap.FromTimedelta(overlap)
        return self._connection.call(self._webhooks.RotateWebhookSecret, request, self._token).secret

    def remove(self, webhook_id: str) -> None:
        """Remove an endpoint."""
        request = webhooks_pb2.DeleteWebhookRequest(webhook_id=webhook_id)
        self._connection.call(self._webhooks.DeleteWebhook, request, self._token)

    def enable(self, webhook_id: str) -> webhooks_pb2.Webhook:
        """Use an endpoint again that was disabled."""
        request = webhooks_pb2.EnableWebhookRequest(webhook_id=webhook_id)
        return self._connection.call(self._webhooks.EnableWebhook, request, self._token).webhook

    def test(self, webhook_id: str) -> webhooks_pb2.TestWebhookResponse:
        """Send a message now, and tell what became of it; that may take a quarter of a minute."""
        request = webhooks_pb2.TestWebhookRequest(webhook_id=webhook_id)
        return self._connection.call(self._webhooks.TestWebhook, request, self._token)

    def dead_letters(self, webhook_id: str) -> Sequence[webhooks_pb2.DeadLetter]:
        """What could not be delivered."""
        request = webhooks_pb2.ListDeadLettersRequest(webhook_id=webhook_id)
        return self._connection.call(self._webhooks.ListDeadLetters, request, self._token).letters

    def resend(self, webhook_id: str, numbers: Collection[int] = ()) -> None:
        """Have dead letters sent again: these, or all."""
        request = webhooks_pb2.ResendDeadLettersRequest(webhook_id=webhook_id, numbers=numbers)
        self._connection.call(self._webhooks.ResendDeadLetters, request, self._token)
