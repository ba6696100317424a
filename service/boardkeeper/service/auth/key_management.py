"""Creation, rotation, revocation and limits of API keys, as changes for the storage."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from boardkeeper.service.auth import key_secrets
from boardkeeper.service.auth.scopes import OPERATE, SCOPES
from boardkeeper.service.limits.limits import NAMES, InvalidLimitError, parse_figures
from boardkeeper.service.storage.access import EndKey, KeyRow, NewKey, SetKeyLimits
from boardkeeper.service.storage.sql import Change

ALL_PLATFORMS = "*"
"""In place of a platform's id: the key is an operator's, and games that it creates belong to no platform."""

MAX_NAME_LENGTH = 64
MAX_OVERLAP = 366 * 24 * 3_600_000
"""Milliseconds for which a rotated key can stay valid."""

_LATEST = 253_402_300_800_000
"""The end of the year 9999, in milliseconds since 1970."""
_PLATFORM = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_CERTIFICATE = re.compile(r"(?:dns|uri|email|ip|subject):[ -~]{1,253}")
_HOST = re.compile(r"[0-9A-Za-z*][0-9A-Za-z.-]{0,252}")


class InvalidKeyRequestError(ValueError):
    """A key cannot be created or ended as requested; ``problem`` continues the sentence that ``field`` begins."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"the {field.replace('_', ' ')} {problem}")
        self.field = field
        self.problem = problem


class CreatedKey(Struct, frozen=True):
    """A new or changed key and the changes to store. ``secret`` is that of a new key, except for a certificate."""

    row: KeyRow
    secret: str
    changes: Sequence[Change]

    def __repr__(self) -> str:
        """Omit the secret, because this text can get into a trace."""
        return f"CreatedKey({self.row.key_id!r}, {self.row.name!r})"


def create_key(
    name: str,
    scopes: Iterable[str],
    now: int,
    *,
    platform: str = "",
    expire_time: int | None = None,
    certificate: str = "",
    limits: str = "",
) -> CreatedKey:
    """Return a new key, created at ``now`` (milliseconds since 1970). Raises :class:`InvalidKeyRequestError`.

    The default ``platform`` is the key's name. A key for a ``certificate`` has no secret: it names a host, or a name
    with its kind before it (``dns:``, ``uri:``, ``email:``, ``ip:`` or ``subject:``). ``limits`` are those of the key.
    """
    if not (name.isprintable() and name.strip() and len(name) <= MAX_NAME_LENGTH):
        raise InvalidKeyRequestError("name", f"must be 1 to {MAX_NAME_LENGTH} printable characters")
    platform = platform or name
    if platform != ALL_PLATFORMS and not _PLATFORM.fullmatch(platform):
        raise InvalidKeyRequestError(
            "platform", f"must be 1 to 64 of a-z, 0-9, '.', '_' and '-', or '*' for all platforms, not {platform!r}"
        )
    wanted = tuple(scope for scope in SCOPES if scope in set(scopes))
    unknown = set(scopes) - set(SCOPES)
    if unknown or not wanted:
        raise InvalidKeyRequestError("scopes", f"must be one or more of: {', '.join(SCOPES)}")
    if platform == ALL_PLATFORMS and OPERATE not in wanted:
        raise InvalidKeyRequestError("platform", f"can be '*', for all platforms, only with the scope {OPERATE!r}")
    if expire_time is not None and not now < expire_time < _LATEST:
        raise InvalidKeyRequestError("expire_time", "must be in the future, before the year 10000")
    if _HOST.fullmatch(certificate):
        certificate = f"dns:{certificate}"
    if certificate and not _CERTIFICATE.fullmatch(certificate):
        raise InvalidKeyRequestError(
            "certificate", "must be a host name, or begin with dns:, uri:, email:, ip: or subject:"
        )
    id = key_secrets.new_key_id()
    secret = "" if certificate else key_secrets.new_key(id)
    hashed = key_secrets.hash_key(secret) if secret else None
    row = KeyRow(id, name, platform, wanted, hashed, certificate, now, expire_time, limits=limits)
    return CreatedKey(row, secret, [NewKey(row)])


def rotate_key(rows: Iterable[KeyRow], key_id: str, now: int, overlap: int) -> CreatedKey:
    """Replace a key; the old one stays valid for ``overlap`` milliseconds. Raises :class:`InvalidKeyRequestError`."""
    old = find_key(rows, key_id)
    if not is_valid(old, now):
        raise InvalidKeyRequestError(
            "key_id", f"{old.key_id} is that of a key that was revoked or has expired: create a new key"
        )
    if not 0 <= overlap <= MAX_OVERLAP:
        raise InvalidKeyRequestError("overlap", f"must be 0 seconds to {MAX_OVERLAP // 86_400_000} days")
    if old.certificate:
        raise InvalidKeyRequestError("key_id", f"{old.key_id} is that of a certificate: renew it where it was issued")
    new = create_key(old.name, old.scopes, now, platform=old.platform, expire_time=old.expire_time, limits=old.limits)
    end = EndKey(old.key_id, expire_time=now + overlap) if overlap > 0 else EndKey(old.key_id, revoke_time=now)
    return CreatedKey(new.row, new.secret, [*new.changes, end])


def revoke_key(rows: Iterable[KeyRow], key_id: str, now: int) -> CreatedKey:
    """Revoke a key at once, if it is not revoked already. Raises :class:`InvalidKeyRequestError`."""
    row = find_key(rows, key_id)
    return CreatedKey(row, "", [] if row.revoke_time is not None else [EndKey(row.key_id, revoke_time=now)])


def limit_key(rows: Iterable[KeyRow], key_id: str, limits: str) -> CreatedKey:
    """Change the limits of a key; empty: the default limits. Raises :class:`InvalidKeyRequestError`."""
    row = find_key(rows, key_id)
    try:
        figures = parse_figures(limits)
    except InvalidLimitError as error:
        raise InvalidKeyRequestError("limits", f"must be valid: {error}") from error
    text = " ".join(f"{name}={figures[name]}" for name in NAMES if name in figures)
    return CreatedKey(replace(row, limits=text), "", [SetKeyLimits(row.key_id, text)])


def find_key(rows: Iterable[KeyRow], key_id: str) -> KeyRow:
    """Return the key with an id. ``key_id`` can also be a complete key.

    Raises :class:`InvalidKeyRequestError`, whose message never contains the complete key.
    """
    for row in rows:
        if row.key_id in (key_id, key_secrets.key_id_of(key_id)):
            return row
    raise InvalidKeyRequestError(
        "key_id", "must be that of an existing key: 'boardkeeper access list' shows all of them"
    )


def is_valid(row: KeyRow, now: int) -> bool:
    """Return whether a key is neither revoked nor expired at a time (milliseconds since 1970)."""
    return row.revoke_time is None and (row.expire_time is None or now < row.expire_time)


def key_state(row: KeyRow, now: int) -> str:
    """Return the state of a key: ``active``, ``expired`` or ``revoked``."""
    if row.revoke_time is not None:
        return "revoked"
    return "active" if is_valid(row, now) else "expired"
