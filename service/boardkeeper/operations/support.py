"""Helpers of the operators' commands: they import the server, read settings, print progress and handle SIGTERM."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from boardkeeper.terminal.errors import CommandError
from boardkeeper.terminal.output import Output

if TYPE_CHECKING:
    from boardkeeper.service.config import Config
    from boardkeeper.service.config.sources import SettingValue

PASSWORD_VISIBLE = (
    "--db contains a password, which other users of this machine can see: set the URL as BOARDKEEPER_DATABASE,"
    " or the password as PGPASSWORD or in the file that PGPASSFILE names"
)
_PROGRESS_SECONDS = 2.0


@contextmanager
def server_imports() -> Iterator[None]:
    """Raise :class:`CommandError` if an import in the block fails because the server's packages are not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise CommandError(
            f"this command needs the server, which is not installed: pip install 'boardkeeper[service]' ({error})"
        ) from error


def read_config(database: str | None, key_file: str | None = None) -> Config:
    """Read the settings. The arguments are the values of ``--db`` and ``--key-file``; ``None`` if not set.

    Raises ``StartupError`` for invalid settings, and if ``--db`` contains a password.
    """
    from boardkeeper.service.config import Config

    found = Config.resolve({"database": database, "key_file": key_file})
    check_password(found["database"])
    return Config.from_values(found)


def check_password(database: SettingValue) -> None:
    """Raise ``SettingError`` if the database URL comes from a flag and contains a password."""
    from boardkeeper.service.errors import SettingError
    from boardkeeper.service.storage.database_urls import has_password

    if database.source == "flag" and has_password(database.value):
        raise SettingError(PASSWORD_VISIBLE)


@contextmanager
def interrupted_by_sigterm() -> Iterator[None]:
    """In the block, SIGTERM raises ``KeyboardInterrupt`` as Ctrl-C does, so that partial results are removed.

    Has no effect outside the main thread.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class Progress:
    """A callback for long work that prints the progress every few seconds. ``unit`` is a plural, such as "games"."""

    def __init__(self, output: Output, unit: str = "games") -> None:
        self._output = output
        self._unit = unit
        self._printed = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        """Print the progress, unless it was printed less than two seconds ago."""
        if time.monotonic() - self._printed > _PROGRESS_SECONDS:
            self._printed = time.monotonic()
            self._output.remark(f"{done} of {max(done, total)} {self._unit}")
