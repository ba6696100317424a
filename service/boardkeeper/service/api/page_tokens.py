"""Page tokens: where the next page of a list begins, sealed with the service's key.

A place in a list may be a number that counts what happens in the games of all platforms. A sealed token does not reveal
it, and no client can make a token up. A token belongs to one list with its filters and is rejected anywhere else, also
if it is from a release that did not seal its tokens.
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

_LONGEST = 1024
_NUMBER_BYTES = 8

Listed = Sequence[str]
"""What a token belongs to: the list and its filters."""


class PageTokens:
    """Writes and reads page tokens. Reading raises ``InvalidRequestError`` for a token that is not of the list."""

    def __init__(self, key: ServiceKey) -> None:
        self._sealing = AESSIV(key.derive("boardkeeper page tokens"))

    def write(self, listed: Listed, *numbers: int) -> str:
        """Return the token for the page after the entry with these numbers; the same each time."""
        return self._seal(listed, b"".join(number.to_bytes(_NUMBER_BYTES, signed=True) for number in numbers))

    def write_id(self, listed: Listed, id: str) -> str:
        """Return the token for the page after the entry with this id; the same each time."""
        return self._seal(listed, id.encode())

    def number(self, token: str, listed: Listed, field: str = "page_token") -> int | None:
        """Return the number of the last entry before the page, or ``None`` for the first page."""
        return self.numbers(token, listed, field)[0] if token else None

    def numbers(self, token: str, listed: Listed, field: str = "page_token") -> tuple[int, ...]:
        """Return the numbers of the last entry before the page, or nothing for the first page."""
        plain = self._open(token, listed, field)
        parts = (plain[at : at + _NUMBER_BYTES] for at in range(0, len(plain), _NUMBER_BYTES))
        return tuple(int.from_bytes(part, signed=True) for part in parts)

    def id(self, token: str, listed: Listed) -> str:
        """Return the id of the last entry before the page, or an empty text for the first page."""
        return self._open(token, listed, "page_token").decode()

    def _seal(self, listed: Listed, plain: bytes) -> str:
        sealed = self._sealing.encrypt(plain, [msgspec.json.encode(listed)])
        return base64.urlsafe_b64encode(sealed).rstrip(b"=").decode()

    def _open(self, token: str, listed: Listed, field: str) -> bytes:
        if not token:
            return b""
        try:
            if len(token) > _LONGEST:
                raise ValueError
            sealed = base64.b64decode(token + "=" * (-len(token) % 4), b"-_", validate=True)
            return self._sealing.decrypt(sealed, [msgspec.json.encode(listed)])
        except (binascii.Error, InvalidTag, ValueError) as error:
            raise invalid(field, "page_token") from error
