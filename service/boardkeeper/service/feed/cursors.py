"""Cursors: strings with which a client continues to read the feed.

A cursor contains the number of an item and a part of its random id, encrypted with the server's key. So it does not
reveal the number of items of other platforms and cannot be forged. The id shows whether the cursor is from another
database, or from this database before a restore.
"""

from __future__ import annotations

import base64
import binascii
from typing import NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from boardkeeper.service.storage.service_key import ServiceKey

_ID_BYTES = 8
_NUMBER_BYTES = 8
LENGTH = 43
"""Characters of a cursor."""


class Place(NamedTuple):
    """A point in the feed, after an item: its number and the beginning of its id. Number 0 is before the first item."""

    number: int
    id: bytes = bytes(_ID_BYTES)

    @property
    def has_id(self) -> bool:
        """Return whether the place contains the id of its item. A place before the oldest stored item does not."""
        return any(self.id)

    def matches(self, id: bytes) -> bool:
        """Return whether the item with that number has this id."""
        return id[:_ID_BYTES] == self.id


class CursorError(ValueError):
    """A string is not a cursor of a server with this key."""


class Cursors:
    """Encrypts and decrypts cursors."""

    def __init__(self, key: ServiceKey) -> None:
        self._sealing = AESSIV(key.derive("boardkeeper feed cursors"))

    def write(self, number: int, id: bytes) -> str:
        """Return the cursor after an item. It depends only on the arguments."""
        plain = number.to_bytes(_NUMBER_BYTES) + id[:_ID_BYTES].ljust(_ID_BYTES, b"\0")
        return base64.urlsafe_b64encode(self._sealing.encrypt(plain, None)).rstrip(b"=").decode()

    def read(self, cursor: str) -> Place:
        """Return the place of a cursor. Raises :class:`CursorError`."""
        if len(cursor) != LENGTH:
            raise CursorError
        try:
            sealed = base64.b64decode(cursor.encode("ascii") + b"=", altchars=b"-_", validate=True)
            plain = self._sealing.decrypt(sealed, None)
        except (UnicodeEncodeError, binascii.Error, InvalidTag, ValueError) as error:
            raise CursorError from error
        return Place(int.from_bytes(plain[:_NUMBER_BYTES]), plain[_NUMBER_BYTES:])
