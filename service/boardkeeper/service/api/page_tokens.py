"""Page tokens: the place at which the next page of a list begins, encrypted with the server's key.

The numbers in a token can count the games or events of all platforms, so clients must not read them. A token is valid
only for one list with its filters.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from boardkeeper.service.requests.errors import invalid
from boardkeeper.service.storage.service_key import ServiceKey

_MAX_LENGTH = 1024
_NUMBER_BYTES = 8

ListKey = Sequence[str]
"""The name of a list and its filters."""


class PageTokens:
    """Writes and reads page tokens. Reading raises ``InvalidRequestError`` for a token of a different list."""

    def __init__(self, key: ServiceKey) -> None:
        self._cipher = AESSIV(key.derive("boardkeeper page tokens"))

    def write(self, key: ListKey, *numbers: int) -> str:
        """Return the token for the page after the entry with these numbers; equal for equal arguments."""
        return self._encrypt(key, b"".join(number.to_bytes(_NUMBER_BYTES, signed=True) for number in numbers))

    def write_id(self, key: ListKey, id: str) -> str:
        """Return the token for the page after the entry with this id; equal for equal arguments."""
        return self._encrypt(key, id.encode())

    def number(self, token: str, key: ListKey, field: str = "page_token") -> int | None:
        """Return the number of the last entry before the page, or ``None`` for the first page."""
        return self.numbers(token, key, field)[0] if token else None

    def numbers(self, token: str, key: ListKey, field: str = "page_token") -> tuple[int, ...]:
        """Return the numbers of the last entry before the page; empty for the first page."""
        plain = self._decrypt(token, key, field)
        parts = (plain[at : at + _NUMBER_BYTES] for at in range(0, len(plain), _NUMBER_BYTES))
        return tuple(int.from_bytes(part, signed=True) for part in parts)

    def id(self, token: str, key: ListKey) -> str:
        """Return the id of the last entry before the page; empty for the first page."""
        return self._decrypt(token, key, "page_token").decode()

    def _encrypt(self, key: ListKey, plain: bytes) -> str:
        encrypted = self._cipher.encrypt(plain, [msgspec.json.encode(key)])
        return base64.urlsafe_b64encode(encrypted).rstrip(b"=").decode()

    def _decrypt(self, token: str, key: ListKey, field: str) -> bytes:
        if not token:
            return b""
        try:
            if len(token) > _MAX_LENGTH:
                raise ValueError
            encrypted = base64.b64decode(token + "=" * (-len(token) % 4), b"-_", validate=True)
            return self._cipher.decrypt(encrypted, [msgspec.json.encode(key)])
        except (binascii.Error, InvalidTag, ValueError) as error:
            raise invalid(field, "page_token") from error
