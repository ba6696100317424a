"""Bodies and signed headers of messages, as in the Standard Webhooks specification, and their secrets.

Secrets are stored because messages are signed with them. They are encrypted with a key derived from the server's key,
which is in a file outside the database, and each is bound to its endpoint.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from msgspec import Struct

from boardkeeper.service.storage.feed import FeedRow
from boardkeeper.service.storage.rows import DamagedRowError, encode
from boardkeeper.service.storage.service_key import ServiceKey
from boardkeeper.table.decoding import decoder

PREFIX = "whsec_"
_SECRET_BYTES = 32
_NONCE_BYTES = 12
_ID_BYTES = 16


class Secret(Struct, frozen=True):
    """A secret, and the time until which messages are signed with it (milliseconds since 1970; ``None``: no end)."""

    value: str
    until: int | None = None

    def __repr__(self) -> str:
        """Return a text without the secret, for traces."""
        return "Secret(…)"


def new_secret() -> Secret:
    """Return a random secret."""
    return Secret(PREFIX + base64.b64encode(os.urandom(_SECRET_BYTES)).decode())


class SecretSealer:
    """Encrypts and decrypts secrets."""

    def __init__(self, key: ServiceKey) -> None:
        self._sealing = AESGCM(key.derive("boardkeeper webhook secrets"))
        self._decode = decoder(tuple[Secret, ...]).decode

    def seal(self, endpoint_id: str, secrets: Sequence[Secret]) -> bytes:
        """Return the stored form of secrets, the newest first."""
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + self._sealing.encrypt(nonce, encode(tuple(secrets)), endpoint_id.encode())

    def open(self, endpoint_id: str, sealed: bytes) -> tuple[Secret, ...]:
        """Return decrypted secrets. Raises ``DamagedRowError``."""
        try:
            plain = self._sealing.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], endpoint_id.encode())
            return self._decode(plain)
        except (InvalidTag, ValueError, msgspec.MsgspecError) as error:
            raise DamagedRowError(f"the secrets of endpoint {endpoint_id} cannot be read") from error


def message_id(endpoint_id: str, item_id: bytes) -> str:
    """Return the id of an item's message to an endpoint; the same for every try."""
    digest = hashlib.sha256(endpoint_id.encode() + b":" + item_id).digest()
    return "msg_" + digest[:_ID_BYTES].hex()


def message_body(row: FeedRow, cursor: str) -> bytes:
    """Return the JSON body of an item's message; the same for every try."""
    data: dict[str, Any] = {
        "cursor": cursor,
        "game_id": str(row.game),
        "title": row.title,
        "version": row.version,
        "platform": row.platform,
    }
    if row.content.seats:
        data["seats"] = row.content.seats
    if row.content.standings:
        data["standings"] = row.content.standings
    if row.content.bot:
        data["bot"] = row.content.bot
    return encode_event(f"game.{row.kind}", row.time, data)


def encode_event(kind: str, time: int, data: dict[str, Any]) -> bytes:
    """Encode an event of a kind at a time (milliseconds since 1970)."""
    moment = datetime.fromtimestamp(time / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return encode({"type": kind, "timestamp": moment, "data": data})


def signed_headers(secrets: Sequence[Secret], id: str, content: bytes, now: int) -> list[tuple[bytes, bytes]]:
    """Return the headers of a message sent at ``now`` (milliseconds since 1970), signed with each valid secret."""
    from standardwebhooks import Webhook  # noqa: PLC0415  # needs the packages of an extra

    time = datetime.fromtimestamp(now // 1000, UTC)
    valid = [secret for secret in secrets if secret.until is None or secret.until > now]
    signatures = " ".join(Webhook(secret.value).sign(id, time, content.decode()) for secret in valid)
    return [
        (b"content-type", b"application/json"),
        (b"user-agent", b"Boardkeeper"),
        (b"webhook-id", id.encode()),
        (b"webhook-timestamp", str(now // 1000).encode()),
        (b"webhook-signature", signatures.encode()),
    ]
