"""Cursors: what a reader keeps to go on with the feed where it was.

A cursor names an item by its number and a part of its random id, sealed with the service's key. So nobody learns from
it how much goes on in games that are none of his, nobody can make one up, and one from another database, or from after
the moment to which a database was set back, is found out.
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
    """Behind which item somebody is: its number and the beginning of its id. Number 0 is before the first of all."""

    number: int
    id: bytes = bytes(_ID_BYTES)

    @property
    def is_checked(self) -> bool:
        """Whether it knows the id of its item: before the first that is kept there is none."""
        return any(self.id)

    def fits(self, id: bytes) -> bool:
        """Whether the item of that number has this id."""
        return id[:_ID_BYTES] == self.id


class CursorError(ValueError):
    """This is no cursor of a service with this key."""


class Cursors:
    """Writes and reads cursors."""

    def __init__(self, key: ServiceKey) -> None:
        self._sealing = AESSIV(key.derive("boardkeeper feed cursors"))

    def write(self, number: int, id: bytes) -> str:
        """The cursor behind an item; the same each time."""
        plain = number.to_bytes(_NUMBER_BYTES) + id[:_ID_BYTES].ljust(_ID_BYTES, b"\0")
        return base64.urlsafe_b64encode(self._sealing.encrypt(plain, None)).rstrip(b"=").decode()

    def read(self, cursor: str) -> Place:
        """Which item a cursor is behind; raises :class:`CursorError`."""
        if len(cursor) != LENGTH:
            raise CursorError
        try:
            sealed = base64.b64decode(cursor.encode("ascii") + b"=", altchars=b"-_", validate=True)
            plain = self._sealing.decrypt(sealed, None)
        except (UnicodeEncodeError, binascii.Error, InvalidTag, ValueError) as error:
            raise CursorError from error
        return Place(int.from_bytes(plain[:_NUMBER_BYTES]), plain[_NUMBER_BYTES:])
