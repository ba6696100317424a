"""The keys of platforms as they are sent: ``bk_``, the id, ``_``, 256 random bits and a checksum.

The form is there for programs that look for secrets in places where none belong: ``bk_[0-9a-f]{12}_[0-9A-Za-z]{49}``.
The checksum lets them, and a person who has copied half of it, tell a key from what looks like one without asking.

What is stored is a plain SHA-256. Slow hashes, with salt, are for what people can remember; nobody tries out 2**256.
The id is no secret: it stands in lists and in the log.
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
_FORM = re.compile(
    rf"bk_([0-9a-f]{{{2 * _ID_BYTES}}})_([0-9A-Za-z]{{{_RANDOM_DIGITS}}})([0-9A-Za-z]{{{_CHECK_DIGITS}}})"
)

PREFIX = "bk_"
"""How every key begins."""

LENGTH = len(PREFIX) + 2 * _ID_BYTES + 1 + _RANDOM_DIGITS + _CHECK_DIGITS
"""How long every key is; no token of a seat is as long."""


def new_key_id(random_bytes: Callable[[int], bytes] = secrets.token_bytes) -> str:
    """A name for a key, which no other has."""
    return random_bytes(_ID_BYTES).hex()


def new_secret(key_id: str, random_bytes: Callable[[int], bytes] = secrets.token_bytes) -> str:
    """The whole key of that id."""
    begin = f"{PREFIX}{key_id}_{_digits(int.from_bytes(random_bytes(_RANDOM_BYTES)), _RANDOM_DIGITS)}"
    return begin + _checksum(begin)


def looks_like_key(text: str) -> bool:
    """Whether a text can be meant as a key; no seat's token can."""
    return len(text) == LENGTH and text.startswith(PREFIX)


def key_id_of(text: str) -> str:
    """The id in a key; empty if it is none."""
    found = _FORM.fullmatch(text)
    if found is None or _checksum(text[:-_CHECK_DIGITS]) != found[3]:
        return ""
    return found[1]


def hash_key(secret: str) -> bytes:
    """What is stored of a key."""
    return hashlib.sha256(secret.encode()).digest()


def _checksum(text: str) -> str:
    return _digits(zlib.crc32(text.encode()), _CHECK_DIGITS)


def _digits(number: int, count: int) -> str:
    made = []
    for _ in range(count):
        number, digit = divmod(number, len(_DIGITS))
        made.append(_DIGITS[digit])
    return "".join(reversed(made))
