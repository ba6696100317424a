"""The service ``boardkeeper.v1.Webhooks``: platforms manage the URLs that get their event feed."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from functools import partial
from uuid import uuid4

from eventsourcing.persistence import IntegrityError, PersistenceError

from boardkeeper.service.api import message_limits
from boardkeeper.service.api.feed import KINDS, parse_kinds
from boardkeeper.service.api.struct_messages import message_of
from boardkeeper.service.requests import validation
from boardkeeper.service.requests.errors import ApiError, InvalidRequestError, invalid
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.sql import Change
from boardkeeper.service.storage.webhooks import (
    EndpointRow,
    NewEndpoint,
    PutSecrets,
    RemoveEndpoint,
    RetryDeadLetters,
    SetDisabled,
)
from boardkeeper.service.storage_reads import read, translate_errors
from boardkeeper.service.transport.call import Call
from boardkeeper.service.wall_clock import wall_milliseconds
from boardkeeper.service.webhooks.addresses import AddressError, check_url
from boardkeeper.service.webhooks.dead_letter_ids import DeadLetterIds
from boardkeeper.service.webhooks.dispatcher import WebhookDispatcher, find_missing_package
from boardkeeper.service.webhooks.signing import Secret, SecretSealer, encode_event, new_secret, signed_headers
from boardkeeper.v1 import webhooks_pb2 as pb

MAX_WEBHOOKS = 20
"""The maximum number of endpoints of a platform."""

_ALL = "*"
_MAX_PAGE_SIZE = 200
_OVERLAP = 24 * 3_600_000
_MAX_OVERLAP = 7 * _OVERLAP
_MAX_NUMBERS = 1000
_ID_BYTES = 6


class WebhooksServicer:
    """Creates, changes and tests endpoints. ``now`` returns milliseconds since 1970."""

    def __init__(
        self,
        application: GameApplication,
        dispatcher: WebhookDispatcher,
        now: Callable[[], int] = wall_milliseconds,
    ) -> None:
        self._application = application
        self._tables = application.database.webhooks
        self._dispatcher = dispatcher
        self._sealer = SecretSealer(application.database.key)
        self._dead_letter_ids = DeadLetterIds(application.database.key)
        self._now = now

    async def CreateWebhook(self, request: pb.CreateWebhookRequest, call: Call) -> pb.CreateWebhookResponse:
        platform = _platform(call)
        if find_missing_package():
            raise ApiError("WEBHOOKS_NOT_INSTALLED", package=find_missing_package())
        try:
            check_url(request.url, insecure=self._dispatcher.insecure)
        except AddressError as error:
            raise InvalidRequestError({"url": str(error)}) from error
        title, kinds = validation.parse_id(request.title, "title"), parse_kinds(request.kinds)
        rows = await read(self._application, self._tables.endpoints)
        if sum(row.platform == platform for row in rows) >= MAX_WEBHOOKS:
            raise ApiError("TOO_MANY_WEBHOOKS", most=MAX_WEBHOOKS)
        feed = self._application.database.feed
        _, ends = await read(self._application, lambda: (feed.number_outbox(), feed.bounds()))
        id = f"wh_{secrets.token_hex(_ID_BYTES)}"
        secret = new_secret()
        sealed = self._sealer.seal(id, [secret])
        row = EndpointRow(id, platform, request.url, title, kinds, sealed, self._now(), position=ends.newest)
        call.log_fields["subject"] = id
        try:
            await self._store(NewEndpoint(row, MAX_WEBHOOKS))
        except IntegrityError as error:  # a simultaneous call has created an endpoint
            raise ApiError("TOO_MANY_WEBHOOKS", most=MAX_WEBHOOKS) from error
        return pb.CreateWebhookResponse(webhook=_message(row), secret=secret.value)

    async def ListWebhooks(self, request: pb.ListWebhooksRequest, call: Call) -> pb.ListWebhooksResponse:
        platform = _platform(call)
        rows = await read(self._application, self._tables.endpoints)
        webhooks = [_message(row) for row in rows if platform in (row.platform, _ALL)]
        return pb.ListWebhooksResponse(webhooks=webhooks)

    async def RotateWebhookSecret(
        self, request: pb.RotateWebhookSecretRequest, call: Call
    ) -> pb.RotateWebhookSecretResponse:
        row = await self._row(request.webhook_id, call)
        overlap = request.overlap.ToMilliseconds() if request.HasField("overlap") else _OVERLAP
        if not 0 <= overlap <= _MAX_OVERLAP:
            raise invalid("overlap", "overlap")
        now, secret = self._now(), new_secret()
        present = self._secrets(row)[0]
        before = [Secret(present.value, now + overlap)] if overlap else []
        await self._store(PutSecrets(row.endpoint_id, self._sealer.seal(row.endpoint_id, [secret, *before])))
        return pb.RotateWebhookSecretResponse(secret=secret.value)

    async def DeleteWebhook(self, request: pb.DeleteWebhookRequest, call: Call) -> pb.DeleteWebhookResponse:
        row = await self._row(request.webhook_id, call)
        await self._store(RemoveEndpoint(row.endpoint_id))
        return pb.DeleteWebhookResponse()

    async def EnableWebhook(self, request: pb.EnableWebhookRequest, call: Call) -> pb.EnableWebhookResponse:
        row = await self._row(request.webhook_id, call)
        await self._store(SetDisabled(row.endpoint_id, None))
        return pb.EnableWebhookResponse(webhook=_message(await self._row(request.webhook_id, call)))

    async def TestWebhook(self, request: pb.TestWebhookRequest, call: Call) -> pb.TestWebhookResponse:
        row = await self._row(request.webhook_id, call)
        if find_missing_package():
            raise ApiError("WEBHOOKS_NOT_INSTALLED", package=find_missing_package())
        from boardkeeper.service.webhooks.sender import NotSentError  # noqa: PLC0415  # needs the packages of an extra

        now = self._now()
        content = encode_event("boardkeeper.test", now, {"webhook_id": row.endpoint_id})
        signed = signed_headers(self._secrets(row), f"msg_{uuid4().hex}", content, now)
        sender = await self._dispatcher.sender()
        try:
            answer = await sender.send(row.url, signed, content)
        except NotSentError as error:
            return pb.TestWebhookResponse(problem=str(error))
        finally:
            await sender.close()
        return pb.TestWebhookResponse(status=answer.status)

    async def ListDeadLetters(self, request: pb.ListDeadLettersRequest, call: Call) -> pb.ListDeadLettersResponse:
        row = await self._row(request.webhook_id, call)
        find = partial(self._tables.deliveries, row.endpoint_id, dead=True, limit=_MAX_PAGE_SIZE)
        letters = [
            message_of(
                pb.DeadLetter,
                it,
                number=self._dead_letter_ids.seal(row.endpoint_id, it.number),
                game_id=str(it.game),
                dead_time=message_limits.timestamp(it.dead_time or 0),
            )
            for it in await read(self._application, find)
        ]
        return pb.ListDeadLettersResponse(letters=letters)

    async def ResendDeadLetters(self, request: pb.ResendDeadLettersRequest, call: Call) -> pb.ResendDeadLettersResponse:
        row = await self._row(request.webhook_id, call)
        if len(request.numbers) > _MAX_NUMBERS:
            raise invalid("numbers", "too_many_entries", most=_MAX_NUMBERS)
        numbers: list[int] = []
        for at, sealed in enumerate(request.numbers):
            number = self._dead_letter_ids.open(row.endpoint_id, sealed)
            if number is None:
                raise invalid(f"numbers[{at}]", "dead_letter")
            numbers.append(number)
        await self._store(RetryDeadLetters(row.endpoint_id, tuple(numbers)))
        return pb.ResendDeadLettersResponse()

    async def _row(self, id: str, call: Call) -> EndpointRow:
        """Return an endpoint of the caller's platform. Raises ``WEBHOOK_NOT_FOUND``."""
        platform = _platform(call)
        row = await read(self._application, partial(self._tables.endpoint, id)) if len(id) < 64 else None
        if row is None or platform not in (row.platform, _ALL):
            raise ApiError("WEBHOOK_NOT_FOUND")
        call.log_fields["subject"] = row.endpoint_id
        return row

    def _secrets(self, row: EndpointRow) -> Sequence[Secret]:
        """Return the secrets of an endpoint. Raises ``STORAGE_DAMAGED``."""
        with translate_errors():
            return self._sealer.open(row.endpoint_id, row.secrets)

    async def _store(self, change: Change) -> None:
        try:
            await asyncio.to_thread(self._application.writer.store, [change])
        except IntegrityError:
            raise
        except PersistenceError as error:
            raise ApiError("STORAGE_FAILED") from error
        self._dispatcher.search_now()


def _platform(call: Call) -> str:
    platform = call.caller.listed_platform()
    return _ALL if platform is None else platform


def _message(row: EndpointRow) -> pb.Webhook:
    kinds = [KINDS[kind] for kind in row.kinds]
    return message_of(pb.Webhook, row, webhook_id=row.endpoint_id, kinds=kinds)
