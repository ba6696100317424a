"""Helpers of the operators' commands: imports of the server, settings, progress, and SIGTERM."""

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
    """Allow imports of the server in the block. Raises :class:`CommandError` if its packages are not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise CommandError(
            f"this command needs the server, which is not installed: pip install 'boardkeeper[service]' ({error})"
        ) from error


def read_config(database: str | None, key_file: str | None = None) -> Config:
    """Read the settings of a database from flags and variables. Raises ``StartupError``."""
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
    """Let SIGTERM interrupt the work as Ctrl-C does, so that partial results are removed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class Progress:
    """A callback for long work that prints a remark every few seconds. ``unit`` is the plural of the counted things."""

    def __init__(self, output: Output, unit: str = "games") -> None:
        self._output = output
        self._unit = unit
        self._printed = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        """Print a remark about the progress, unless the last one was printed only moments ago."""
        if time.monotonic() - self._printed > _PROGRESS_SECONDS:
            self._printed = time.monotonic()
            self._output.remark(f"{done} of {max(done, total)} {self._unit}")
