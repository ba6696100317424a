"""Files with secrets, which other users must not be able to read."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from boardkeeper.service.errors import SettingError

_LONGEST = 4096
_OTHER_USERS = stat.S_IRWXO
_GROUP = stat.S_IRWXG


def check_private(path: Path, what: str) -> None:
    """Raise :class:`SettingError` if other users can read a file; ``what`` describes it, for example "the key file".

    The group may read a file of root: Debian shares certificates this way, containers secrets. Raises ``OSError`` if
    the file cannot be inspected.
    """
    if os.name == "nt":  # Windows has other permissions
        return
    status = path.stat()
    forbidden = _OTHER_USERS | (stat.S_IWGRP | stat.S_IXGRP if status.st_uid == 0 else _GROUP)
    if status.st_mode & forbidden:
        raise SettingError(f"other users can read {what} {path}: run chmod 600 {path}")


def read_secret(path: Path, source: str) -> str:
    """Return the secret in a file without white space around it; ``source`` is the setting that named the file.

    Raises :class:`SettingError`.
    """
    try:
        check_private(path, "the secret in")
        with path.open("rb") as file:
            text = file.read(_LONGEST + 1)
        secret = text.decode().strip()
    except OSError as error:
        raise SettingError(f"cannot read {path} (from {source}): {error.strerror}") from error
    except ValueError as error:  # a path with a zero byte, or bytes that are not text
        raise SettingError(f"{str(path)!r} (from {source}) does not contain text") from error
    if len(text) > _LONGEST:
        raise SettingError(f"{path} (from {source}) is too long: a secret has at most {_LONGEST} bytes")
    if not secret:
        raise SettingError(f"{path} (from {source}) is empty")
    return secret
