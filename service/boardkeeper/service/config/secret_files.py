"""Files with secrets, which other users must not be able to read."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from boardkeeper.service.errors import SettingError

_MAX_BYTES = 4096
_OTHER_USERS = stat.S_IRWXO
_GROUP = stat.S_IRWXG


def check_private(path: Path, description: str) -> None:
    """Raise :class:`SettingError` if other users have any permission on a file.

    ``description`` appears in the message before the path, for example "the key file". The group may read a file that
    root owns: Debian shares certificates and containers share secrets this way. Raises ``OSError`` if the file cannot
    be inspected.
    """
    if os.name == "nt":  # Windows does not use POSIX permission bits
        return
    status = path.stat()
    forbidden = _OTHER_USERS | (stat.S_IWGRP | stat.S_IXGRP if status.st_uid == 0 else _GROUP)
    if status.st_mode & forbidden:
        raise SettingError(f"other users have access to {description} {path}: run chmod 600 {path}")


def read_secret(path: Path, source: str) -> str:
    """Return the secret in a file without white space around it; ``source`` is the setting that named the file.

    Raises :class:`SettingError`.
    """
    try:
        check_private(path, "the secret in")
        with path.open("rb") as file:
            text = file.read(_MAX_BYTES + 1)
        secret = text.decode().strip()
    except OSError as error:
        raise SettingError(f"cannot read {path} (from {source}): {error.strerror}") from error
    except ValueError as error:  # a path with a zero byte, or bytes that are not text
        raise SettingError(
            f"{str(path)!r} (from {source}) is not a valid path or does not contain UTF-8 text"
        ) from error
    if len(text) > _MAX_BYTES:
        raise SettingError(f"{path} (from {source}) is too long: a secret has at most {_MAX_BYTES} bytes")
    if not secret:
        raise SettingError(f"{path} (from {source}) is empty")
    return secret
