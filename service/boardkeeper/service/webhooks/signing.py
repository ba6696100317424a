"""What is sent: body and headers after the Standard Webhooks specification; and secrets, which are kept sealed.

A secret has to be kept, for everything is signed with it. It is sealed with a key that follows from the service's own,
which is in a file and not in the database, and bound to its endpoint.
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
    """A secret, and until when it signs (milliseconds since 1970; ``None``: for ever)."""

    value: str
    until: int | None = None

    def __repr__(self) -> str:
        """Without the secret: it may come into a trace."""
        return "Secret(…)"


def new_secret() -> Secret:
    """A random one."""
    return Secret(PREFIX + base64.b64encode(os.urandom(_SECRET_BYTES)).decode())


class Safe:
    """Seals secrets."""

    def __init__(self, key: ServiceKey) -> None:
        self._sealing = AESGCM(key.derive("boardkeeper webhook secrets"))
        self._decode = decoder(tuple[Secret, ...]).decode

    def seal(self, endpoint_id: str, secrets: Sequence[Secret]) -> bytes:
        """Secrets as they are stored, the newest first."""
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + self._sealing.encrypt(nonce, encode(tuple(secrets)), endpoint_id.encode())

    def open(self, endpoint_id: str, sealed: bytes) -> tuple[Secret, ...]:
        """What was sealed; raises ``DamagedRowError``."""
        try:
            plain = self._sealing.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], endpoint_id.encode())
            return self._decode(plain)
        except (InvalidTag, ValueError, msgspec.MsgspecError) as error:
            raise DamagedRowError(f"the secrets of endpoint {endpoint_id} cannot be read") from error


def message_id(endpoint_id: str, item_id: bytes) -> str:
    """The id of an item for an endpoint: the same each time that it is sent there."""
    digest = hashlib.sha256(endpoint_id.encode() + b":" + item_id).digest()
    return "msg_" + digest[:_ID_BYTES].hex()


def body(row: FeedRow, cursor: str) -> bytes:
    """What is told of an item, in JSON; the same each time."""
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
    return event(f"game.{row.kind}", row.time, data)


def event(kind: str, time: int, data: dict[str, Any]) -> bytes:
    """An event of a kind at a time (milliseconds since 1970)."""
    moment = datetime.fromtimestamp(time / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return encode({"type": kind, "timestamp": moment, "data": data})


def headers(secrets: Sequence[Secret], id: str, content: bytes, now: int) -> list[tuple[bytes, bytes]]:
    """The headers of a message that is sent now (milliseconds since 1970), signed with every secret that holds."""
    from standardwebhooks import Webhook  # noqa: PLC0415  # an extra of its own

    at = datetime.fromtimestamp(now // 1000, UTC)
    held = [secret for secret in secrets if secret.until is None or secret.until > now]
    signatures = " ".join(Webhook(secret.value).sign(id, at, content.decode()) for secret in held)
    return [
        (b"content-type", b"application/json"),
        (b"user-agent", b"Boardkeeper"),
        (b"webhook-id", id.encode()),
        (b"webhook-timestamp", str(now // 1000).encode()),
        (b"webhook-signature", signatures.encode()),
    ]
