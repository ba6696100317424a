"""Files that nobody else may read: secrets lie there, and not in arguments or variables that others can look at."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from boardkeeper.service.errors import SettingError

_LONGEST = 4096
_OTHERS = stat.S_IRWXO
_GROUP = stat.S_IRWXG


def check_private(path: Path, what: str) -> None:
    """Raises :class:`SettingError` if others can read a file; ``what`` says what it is, as in "the key file".

    The group may read what belongs to root, who alone decides who is in it: so certificates are handed out on Debian,
    and secrets in containers. Raises ``OSError`` for a file that cannot be looked at.
    """
    if os.name == "nt":  # where permissions are another matter
        return
    found = path.stat()
    forbidden = _OTHERS | (stat.S_IWGRP | stat.S_IXGRP if found.st_uid == 0 else _GROUP)
    if found.st_mode & forbidden:
        raise SettingError(f"other users can read {what} {path}: run chmod 600 {path}")


def read_secret(path: Path, source: str) -> str:
    """The secret in a file, without the white space around it; ``source`` is what has named the file.

    Raises :class:`SettingError`.
    """
    try:
        check_private(path, "the secret in")
        with path.open("rb") as file:
            text = file.read(_LONGEST + 1)
        secret = text.decode().strip()
    except OSError as error:
        raise SettingError(f"cannot read {path} (from {source}): {error.strerror}") from error
    except ValueError as error:  # a path with a zero byte, or bytes that are no text
        raise SettingError(f"{str(path)!r} (from {source}) does not contain text") from error
    if len(text) > _LONGEST:
        raise SettingError(f"{path} (from {source}) is too long: a secret has at most {_LONGEST} bytes")
    if not secret:
        raise SettingError(f"{path} (from {source}) is empty")
    return secret
