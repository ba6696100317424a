"""Files for records and other results, written completely or not at all. ``-`` is standard input or output."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from boardkeeper.game.record_reading import describe_conversion
from boardkeeper.terminal.environment import STANDARD
from boardkeeper.terminal.errors import USAGE, CommandError
from boardkeeper.terminal.escaping import escape_json
from boardkeeper.terminal.paths import exists, is_file, is_folder


def check_writable(file: str) -> None:
    """Raise :class:`CommandError` if a file cannot be written. Called before long work."""
    if file == STANDARD:
        return
    path = Path(file)
    if is_folder(path):
        raise CommandError(f"{file} is a folder: name a file.")
    if not os.access(path if exists(path) else path.absolute().parent, os.W_OK):
        raise CommandError(f"cannot write {file}: choose a folder that you can write to.")


def read(file: str, max_bytes: int, what: str) -> bytes:
    """Read a file, which may be a pipe or a device. ``what`` names the expected content.

    Raises :class:`CommandError` if it cannot be read or is larger than ``max_bytes``.
    """
    try:
        with open_input(file) as stream:
            data = stream.read(max_bytes + 1)
    except OSError as error:
        raise CommandError(f"cannot read {file}: {error.strerror}.") from error
    if len(data) > max_bytes:
        raise CommandError(f"{file} is not a {what}: it is too large.")
    return data


def read_record(file: str, max_bytes: int) -> bytes:
    """Read a record. Raises :class:`CommandError`, also for a compressed or re-encoded file."""
    data = read(file, max_bytes, "record")
    converted = describe_conversion(data[: 1 << 16])
    if converted:
        raise CommandError(f"{file} {converted}.")
    return data


@contextlib.contextmanager
def open_input(file: str) -> Iterator[BinaryIO]:
    """Open a file, or standard input, to read its bytes. Raises ``OSError``."""
    if file == STANDARD:
        yield sys.stdin.buffer
    else:
        with Path(file).open("rb") as stream:
            yield stream


def check_one_output(*files: str | None) -> None:
    """Raise :class:`CommandError` if more than one result goes to standard output."""
    if files.count(STANDARD) > 1:
        raise CommandError("only one result can go to standard output: name a file for the other one.", USAGE)


def save(record: bytes, file: str, *, private: bool = False) -> None:
    """Write a file, replacing an existing one atomically. Raises :class:`CommandError`.

    A ``private`` file contains hidden information of a running game: only its owner can read it.
    """
    if file == STANDARD:
        show(record)
        return
    path = Path(file)
    if exists(path) and not is_file(path):  # /dev/stdout, a pipe
        _write(path, record)
        return
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        _write(unfinished, record, 0o600 if private else 0o666)
        unfinished.replace(path)
    except OSError as error:
        raise CommandError(f"cannot write {file}: {error.strerror}.") from error
    finally:
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)


def _write(path: Path, record: bytes, mode: int = 0o666) -> None:
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), mode)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(_for_terminal(record) if stream.isatty() else record)
    except OSError as error:
        raise CommandError(f"cannot write {path}: {error.strerror}.") from error


def _for_terminal(record: bytes) -> bytes:
    return escape_json(record.decode(errors="replace")).encode()


def show(record: bytes) -> None:
    """Write a record to standard output. If that is a terminal, control characters are escaped."""
    sys.stdout.flush()
    sys.stdout.buffer.write(_for_terminal(record) if sys.stdout.isatty() else record)
    sys.stdout.buffer.flush()
