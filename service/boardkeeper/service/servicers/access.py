"""``boardkeeper.v1.Access``: the keys of platforms, for the operator."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from eventsourcing.persistence import IntegrityError, PersistenceError

from boardkeeper.service.access import making
from boardkeeper.service.access.gate import Gate
from boardkeeper.service.answers.fields import message_of
from boardkeeper.service.edge.call import Call
from boardkeeper.service.reading.reads import read
from boardkeeper.service.requests.errors import ApiError, InvalidRequestError
from boardkeeper.service.storage.access import KeyRow
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.sql import Change
from boardkeeper.v1 import access_pb2


class AccessServicer:
    """Makes and ends keys. ``now`` gives milliseconds since 1970."""

    def __init__(
        self,
        application: GameApplication,
        gate: Gate,
        now: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        self._application = application
        self._gate = gate
        self._now = now

    async def CreateAccessKey(
        self, request: access_pb2.CreateAccessKeyRequest, call: Call
    ) -> access_pb2.CreateAccessKeyResponse:
        """A new key, which is told once."""
        call.check_operator_of_all()
        with _mistakes_refused():
            made = making.make(
                request.name,
                request.scopes,
                self._now(),
                platform=request.platform,
                expire_time=request.expire_time.ToMilliseconds() if request.HasField("expire_time") else None,
                certificate=request.certificate,
            )
        call.notes["subject"] = made.row.key_id
        await self._store(made.changes)
        return access_pb2.CreateAccessKeyResponse(key=_message(made.row), secret=made.secret)

    async def ListAccessKeys(
        self, request: access_pb2.ListAccessKeysRequest, call: Call
    ) -> access_pb2.ListAccessKeysResponse:
        """All keys."""
        call.check_operator_of_all()
        return access_pb2.ListAccessKeysResponse(keys=map(_message, await self._rows()))

    async def RotateAccessKey(
        self, request: access_pb2.RotateAccessKeyRequest, call: Call
    ) -> access_pb2.RotateAccessKeyResponse:
        """A new key in place of another one."""
        call.check_operator_of_all()
        with _mistakes_refused():
            rows = await self._rows()
            made = making.rotate(rows, request.key_id, self._now(), request.overlap.ToMilliseconds())
        call.notes["subject"] = made.row.key_id
        await self._store(made.changes)
        return access_pb2.RotateAccessKeyResponse(key=_message(made.row), secret=made.secret)

    async def RevokeAccessKey(
        self, request: access_pb2.RevokeAccessKeyRequest, call: Call
    ) -> access_pb2.RevokeAccessKeyResponse:
        """A key ends."""
        call.check_operator_of_all()
        with _mistakes_refused():
            row, changes = making.revoke(await self._rows(), request.key_id, self._now())
        call.notes["subject"] = row.key_id
        await self._store(changes)
        return access_pb2.RevokeAccessKeyResponse(key=_message(row))

    async def LimitAccessKey(
        self, request: access_pb2.LimitAccessKeyRequest, call: Call
    ) -> access_pb2.LimitAccessKeyResponse:
        """A key gets figures of its own."""
        call.check_operator_of_all()
        with _mistakes_refused():
            row, changes = making.limit(await self._rows(), request.key_id, request.limits)
        call.notes["subject"] = row.key_id
        await self._store(changes)
        return access_pb2.LimitAccessKeyResponse(key=_message(row))

    async def _rows(self) -> list[KeyRow]:
        return await read(self._application, self._application.database.access.all_keys)

    async def _store(self, changes: Sequence[Change]) -> None:
        if changes:
            try:
                await asyncio.to_thread(partial(self._application.writer.store, list(changes)))
            except IntegrityError as error:
                raise ApiError("CERTIFICATE_TAKEN") from error
            except PersistenceError as error:
                raise ApiError("STORAGE_FAILED") from error
        await self._gate.keys.refresh()


@contextmanager
def _mistakes_refused() -> Iterator[None]:
    try:
        yield
    except making.KeyMistake as mistake:
        raise InvalidRequestError({mistake.field: mistake.problem}) from mistake


def _message(row: KeyRow) -> access_pb2.AccessKey:
    return message_of(access_pb2.AccessKey, row)
