"""The service ``boardkeeper.v1.Access``: operators manage the API keys of platforms."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from eventsourcing.persistence import IntegrityError, PersistenceError

from boardkeeper.service.api.struct_messages import message_of
from boardkeeper.service.auth import key_management
from boardkeeper.service.auth.access_control import AccessControl
from boardkeeper.service.requests.errors import ApiError, InvalidRequestError
from boardkeeper.service.storage.access import KeyRow
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage_reads import read
from boardkeeper.service.transport.call import Call
from boardkeeper.service.wall_clock import wall_milliseconds
from boardkeeper.v1 import access_pb2 as pb


class AccessServicer:
    """Creates, changes and revokes keys. ``now`` returns milliseconds since 1970."""

    def __init__(
        self,
        application: GameApplication,
        access_control: AccessControl,
        now: Callable[[], int] = wall_milliseconds,
    ) -> None:
        self._application = application
        self._access_control = access_control
        self._now = now

    async def CreateAccessKey(self, request: pb.CreateAccessKeyRequest, call: Call) -> pb.CreateAccessKeyResponse:
        created = await self._change(
            call,
            lambda _: key_management.create_key(
                request.name,
                request.scopes,
                self._now(),
                platform=request.platform,
                expire_time=request.expire_time.ToMilliseconds() if request.HasField("expire_time") else None,
                certificate=request.certificate,
            ),
        )
        return pb.CreateAccessKeyResponse(key=_message(created.row), secret=created.secret)

    async def ListAccessKeys(self, request: pb.ListAccessKeysRequest, call: Call) -> pb.ListAccessKeysResponse:
        call.caller.check_operator_of_all()
        return pb.ListAccessKeysResponse(keys=map(_message, await self._rows()))

    async def RotateAccessKey(self, request: pb.RotateAccessKeyRequest, call: Call) -> pb.RotateAccessKeyResponse:
        overlap = request.overlap.ToMilliseconds()
        created = await self._change(
            call, lambda rows: key_management.rotate_key(rows, request.key_id, self._now(), overlap)
        )
        return pb.RotateAccessKeyResponse(key=_message(created.row), secret=created.secret)

    async def RevokeAccessKey(self, request: pb.RevokeAccessKeyRequest, call: Call) -> pb.RevokeAccessKeyResponse:
        created = await self._change(call, lambda rows: key_management.revoke_key(rows, request.key_id, self._now()))
        return pb.RevokeAccessKeyResponse(key=_message(created.row))

    async def LimitAccessKey(self, request: pb.LimitAccessKeyRequest, call: Call) -> pb.LimitAccessKeyResponse:
        created = await self._change(call, lambda rows: key_management.limit_key(rows, request.key_id, request.limits))
        return pb.LimitAccessKeyResponse(key=_message(created.row))

    async def _rows(self) -> list[KeyRow]:
        return await read(self._application, self._application.database.access.all_keys)

    async def _change(
        self, call: Call, change: Callable[[Sequence[KeyRow]], key_management.CreatedKey]
    ) -> key_management.CreatedKey:
        """Store a change of the keys, if the caller is an operator, and use it at once in this process."""
        call.caller.check_operator_of_all()
        rows = await self._rows()
        try:
            created = change(rows)
        except key_management.InvalidKeyRequestError as error:
            raise InvalidRequestError({error.field: error.problem}) from error
        call.log_fields["subject"] = created.row.key_id
        if created.changes:
            try:
                await asyncio.to_thread(self._application.writer.store, list(created.changes))
            except IntegrityError as error:
                raise ApiError("CERTIFICATE_TAKEN") from error
            except PersistenceError as error:
                raise ApiError("STORAGE_FAILED") from error
        await self._access_control.keys.refresh()
        return created


def _message(row: KeyRow) -> pb.AccessKey:
    return message_of(pb.AccessKey, row)
