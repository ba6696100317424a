"""The text of API keys: ``bk_``, the id, ``_``, 256 random bits and a checksum.

Secret scanners can find keys with ``bk_[0-9a-f]{12}_[0-9A-Za-z]{49}``, and verify the checksum without the server.

The server stores a plain SHA-256 of a key: 256 random bits need no slow hash. The id is not secret: it appears in
lists of keys and in the log.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import zlib
from collections.abc import Callable

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_ID_BYTES = 6
_RANDOM_BYTES = 32
_RANDOM_DIGITS = 43
_CHECK_DIGITS = 6
_PATTERN = re.compile(
    rf"bk_([0-9a-f]{{{2 * _ID_BYTES}}})_([0-9A-Za-z]{{{_RANDOM_DIGITS}}})([0-9A-Za-z]{{{_CHECK_DIGITS}}})"
)

PREFIX = "bk_"
"""The first characters of each key."""

LENGTH = len(PREFIX) + 2 * _ID_BYTES + 1 + _RANDOM_DIGITS + _CHECK_DIGITS
"""The length of each key; seat tokens are shorter."""


def new_key_id(random_bytes: Callable[[int], bytes] = secrets.token_bytes) -> str:
    """Return a new random id."""
    return random_bytes(_ID_BYTES).hex()


def new_key(key_id: str, random_bytes: Callable[[int], bytes] = secrets.token_bytes) -> str:
    """Return a new key with this id."""
    begin = f"{PREFIX}{key_id}_{_digits(int.from_bytes(random_bytes(_RANDOM_BYTES)), _RANDOM_DIGITS)}"
    return begin + _checksum(begin)


def looks_like_key(text: str) -> bool:
    """Return whether a text has the length and the prefix of a key. Seat tokens are shorter."""
    return len(text) == LENGTH and text.startswith(PREFIX)


def key_id_of(text: str) -> str:
    """Return the id in a key; empty if the text is not a valid key."""
    found = _PATTERN.fullmatch(text)
    if found is None or _checksum(text[:-_CHECK_DIGITS]) != found[3]:
        return ""
    return found[1]


def hash_key(key: str) -> bytes:
    """Return the hash of a key, which the server stores."""
    return hashlib.sha256(key.encode()).digest()


def _checksum(text: str) -> str:
    return _digits(zlib.crc32(text.encode()), _CHECK_DIGITS)


def _digits(number: int, count: int) -> str:
    digits = []
    for _ in range(count):
        number, digit = divmod(number, len(_DIGITS))
        digits.append(_DIGITS[digit])
    return "".join(reversed(digits))
