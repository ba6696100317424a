"""Keys: how a client shows that of its platform, and how an operator makes and ends them at a service."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from boardkeeper.client.client import Client
from boardkeeper.v1 import access_pb2, access_pb2_grpc


class KeyOffice:
    """The keys of platforms at the service of a client, for its operator.

    ``token`` is the operator's; without one the client's own key has to be for all platforms. Every method raises a
    :class:`~boardkeeper.client.errors.BoardkeeperError` if it fails. A key that is asked for while the connection is
    bad may be made twice: then the list has one that nobody knows.
    """

    def __init__(self, client: Client, token: str = "") -> None:
        self._connection = client._connection
        self._token = token
        self._access = access_pb2_grpc.AccessStub(self._connection.channel)

    def create(
        self,
        name: str,
        scopes: Sequence[str],
        *,
        platform: str = "",
        expires: datetime | None = None,
        certificate: str = "",
    ) -> access_pb2.CreateAccessKeyResponse:
        """Make a key; the answer has all of it, this once. ``expires`` has a time zone."""
        request = access_pb2.CreateAccessKeyRequest(
            name=name, platform=platform, scopes=scopes, certificate=certificate
        )
        if expires is not None:
            request.expire_time.FromDatetime(expires)
        return self._connection.call(self._access.CreateAccessKey, request, self._token)

    def all_keys(self) -> Sequence[access_pb2.AccessKey]:
        """All keys, in the order in which they were made."""
        request = access_pb2.ListAccessKeysRequest()
        return self._connection.call(self._access.ListAccessKeys, request, self._token).keys

    def rotate(self, key_id: str, overlap: timedelta = timedelta(0)) -> access_pb2.RotateAccessKeyResponse:
        """Make a key in place of another one, which holds on for a while."""
        request = access_pb2.RotateAccessKeyRequest(key_id=key_id)
        request.overlap.FromTimedelta(overlap)
        return self._connection.call(self._access.RotateAccessKey, request, self._token)

    def revoke(self, key_id: str) -> access_pb2.AccessKey:
        """End a key at once."""
        request = access_pb2.RevokeAccessKeyRequest(key_id=key_id)
        return self._connection.call(self._access.RevokeAccessKey, request, self._token).key

    def limit(self, key_id: str, limits: str) -> access_pb2.AccessKey:
        """Give a key figures of its own, as in ``reads=2k/s games=50k``, in place of those it had; empty: none."""
        request = access_pb2.LimitAccessKeyRequest(key_id=key_id, limits=limits)
        return self._connection.call(self._access.LimitAccessKey, request, self._token).key
