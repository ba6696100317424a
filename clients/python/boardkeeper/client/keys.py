"""Administration of a server's API keys."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from boardkeeper.client.client import Client
from boardkeeper.client.requests import to_duration
from boardkeeper.v1 import access_pb2


class KeyClient:
    """Manages the API keys of all platforms, for the operator of a server.

    ``token`` is the operator token. Without it, the client's API key must be valid for all platforms. Every method
    raises a :class:`~boardkeeper.client.errors.BoardkeeperError` if it fails. If a response is lost and the call is
    retried, :meth:`create` may create two keys, one of them with a secret that is lost.
    """

    def __init__(self, client: Client, token: str = "") -> None:
        self._call = client._connection.call
        self._access = client._connection.stubs.access
        self._token = token

    def create(
        self,
        name: str,
        scopes: Sequence[str],
        *,
        platform: str = "",
        expires: datetime | None = None,
        certificate: str = "",
    ) -> access_pb2.CreateAccessKeyResponse:
        """Create a key. Only this response contains the whole key. ``expires`` needs a time zone."""
        request = access_pb2.CreateAccessKeyRequest(
            name=name, platform=platform, scopes=scopes, certificate=certificate
        )
        if expires is not None:
            request.expire_time.FromDatetime(expires)
        return self._call(self._access.CreateAccessKey, request, self._token)

    def all_keys(self) -> Sequence[access_pb2.AccessKey]:
        """Return all keys, the oldest first."""
        return self._call(self._access.ListAccessKeys, access_pb2.ListAccessKeysRequest(), self._token).keys

    def rotate(self, key_id: str, overlap: timedelta = timedelta(0)) -> access_pb2.RotateAccessKeyResponse:
        """Replace a key by a new one. The old key stays valid for ``overlap``."""
        request = access_pb2.RotateAccessKeyRequest(key_id=key_id, overlap=to_duration(overlap))
        return self._call(self._access.RotateAccessKey, request, self._token)

    def revoke(self, key_id: str) -> access_pb2.AccessKey:
        """Revoke a key at once."""
        return self._call(
            self._access.RevokeAccessKey, access_pb2.RevokeAccessKeyRequest(key_id=key_id), self._token
        ).key

    def limit(self, key_id: str, limits: str) -> access_pb2.AccessKey:
        """Replace the limits of a key, for example with ``reads=2k/s games=50k``; an empty string removes them."""
        request = access_pb2.LimitAccessKeyRequest(key_id=key_id, limits=limits)
        return self._call(self._access.LimitAccessKey, request, self._token).key


KeyOffice = KeyClient
"""Deprecated name of :class:`KeyClient`."""
