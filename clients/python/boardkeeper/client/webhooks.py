"""Administration of a platform's webhooks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import timedelta

from boardkeeper.client.client import Client
from boardkeeper.client.feed import numbers_of
from boardkeeper.client.requests import to_duration
from boardkeeper.v1 import webhooks_pb2


class WebhookClient:
    """Manages the webhooks of the platform that the client's API key belongs to.

    With an operator's ``token`` it manages the operator's webhooks, which receive the events of all games. Every method
    raises a :class:`~boardkeeper.client.errors.BoardkeeperError` if it fails. If a response is lost and the call is
    retried, :meth:`create` may create two webhooks, one of them with a secret that is lost.
    """

    def __init__(self, client: Client, token: str = "") -> None:
        self._call = client._connection.call
        self._webhooks = client._connection.stubs.webhooks
        self._token = token

    def create(self, url: str, *, title: str = "", kinds: Collection[str] = ()) -> webhooks_pb2.CreateWebhookResponse:
        """Create a webhook. Only this response contains its secret. Raises ``ValueError`` for unknown kinds."""
        request = webhooks_pb2.CreateWebhookRequest(url=url, title=title, kinds=numbers_of(kinds))
        return self._call(self._webhooks.CreateWebhook, request, self._token)

    def all_webhooks(self) -> Sequence[webhooks_pb2.Webhook]:
        """Return all webhooks, the oldest first."""
        return self._call(self._webhooks.ListWebhooks, webhooks_pb2.ListWebhooksRequest(), self._token).webhooks

    def rotate(self, webhook_id: str, overlap: timedelta = timedelta(hours=24)) -> str:
        """Replace the secret and return the new one. During ``overlap``, messages are signed with both."""
        request = webhooks_pb2.RotateWebhookSecretRequest(webhook_id=webhook_id, overlap=to_duration(overlap))
        return self._call(self._webhooks.RotateWebhookSecret, request, self._token).secret

    def remove(self, webhook_id: str) -> None:
        """Remove a webhook."""
        self._call(self._webhooks.DeleteWebhook, webhooks_pb2.DeleteWebhookRequest(webhook_id=webhook_id), self._token)

    def enable(self, webhook_id: str) -> webhooks_pb2.Webhook:
        """Enable a disabled webhook."""
        request = webhooks_pb2.EnableWebhookRequest(webhook_id=webhook_id)
        return self._call(self._webhooks.EnableWebhook, request, self._token).webhook

    def test(self, webhook_id: str) -> webhooks_pb2.TestWebhookResponse:
        """Send a test message now and return the result. This can take 15 seconds."""
        return self._call(
            self._webhooks.TestWebhook, webhooks_pb2.TestWebhookRequest(webhook_id=webhook_id), self._token
        )

    def dead_letters(self, webhook_id: str) -> Sequence[webhooks_pb2.DeadLetter]:
        """Return the messages that could not be delivered."""
        request = webhooks_pb2.ListDeadLettersRequest(webhook_id=webhook_id)
        return self._call(self._webhooks.ListDeadLetters, request, self._token).letters

    def resend(self, webhook_id: str, numbers: Collection[int] = ()) -> None:
        """Send dead letters again: those with these numbers, by default all."""
        request = webhooks_pb2.ResendDeadLettersRequest(webhook_id=webhook_id, numbers=numbers)
        self._call(self._webhooks.ResendDeadLetters, request, self._token)


WebhookDesk = WebhookClient
"""Deprecated name of :class:`WebhookClient`."""
