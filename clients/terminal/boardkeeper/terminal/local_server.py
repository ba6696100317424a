"""A server on a database file, which runs while the command runs."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from boardkeeper.client.addresses import Address
from boardkeeper.terminal.errors import USAGE, CommandError
from boardkeeper.terminal.saved_seats import HOME_ADVICE, NO_HOME, data_folder
from boardkeeper.titles.registry import loaded_titles

_MOMENT = 3.0
"""Seconds to wait for a file if another process uses it but has not published the address of a server."""
_PAUSE = 0.05
NO_TEMPORARY_FOLDER = "set TMPDIR to a folder that you can write to"
_ANYWHERE = {
    "0.0.0.0": "127.0.0.1",
    "[::]": "[::1]",
}  # listen addresses, and addresses that reach them from this machine


class RunningServer(NamedTuple):
    """The address of the server of a file. If ``is_own`` is true, this command runs it, and no other client uses it."""

    address: str
    is_own: bool


def database_file(text: str, *, new: bool = False) -> Path:
    """Return the absolute path of ``--db``. Raises :class:`CommandError` if it does not exist and ``new`` is false."""
    try:
        from boardkeeper.service.errors import StartupError
        from boardkeeper.service.storage.database_urls import sqlite_path
    except ModuleNotFoundError as error:
        raise _missing(error) from error
    try:
        path = sqlite_path(text).absolute()
    except StartupError as error:
        raise CommandError(f"{error}.", USAGE) from error
    try:
        if not new and not path.exists():
            raise CommandError(f"the file {path} does not exist.")
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror}.") from error
    return path


@contextmanager
def run_server(database: str, seed: str = "", *, at_rest: bool = False) -> Iterator[str]:
    """Run a server on a file and a free port of this machine, and yield its address.

    With a ``seed``, all ids and dice are derived from it. With ``at_rest``, bots do not move.
    """
    try:
        from boardkeeper.service.errors import FileInUseError, StartupError
        from boardkeeper.service.process.server import running_service
        from boardkeeper.service.seeded_ids import Seeded
    except ModuleNotFoundError as error:
        raise _missing(error) from error
    try:
        titles = ",".join(loaded_titles())
        service = running_service(database, seeded=Seeded(seed) if seed else None, read_only=at_rest, titles=titles)
        address = service.__enter__()
    except FileInUseError as error:
        raise DatabaseInUseError(Path(database), error.process, error.address) from error
    except StartupError as error:
        raise CommandError(f"{error}.") from error
    try:
        yield address
    finally:
        service.__exit__(None, None, None)


class DatabaseInUseError(CommandError):
    """Another process uses the file. ``address`` is the address of its server; empty if it is unknown."""

    def __init__(self, file: Path, process: str, address: str) -> None:
        self.address = _from_here(address)
        super().__init__(
            f"{file} is in use by process {process or 'unknown'}. If that is a server, name it with "
            "--server HOST:PORT; otherwise try again when the process has finished."
        )


@contextmanager
def server_of_file(
    database: str, *, at_rest: bool = False, report: Callable[[str], None] | None = None
) -> Iterator[RunningServer]:
    """Yield the server that already uses a file, or run a server on the file.

    ``report`` is called with a sentence if another process runs the server.
    """
    with ExitStack() as stack:
        end = time.monotonic() + _MOMENT
        while True:
            try:
                reached = RunningServer(stack.enter_context(run_server(database, at_rest=at_rest)), is_own=True)
                break
            except DatabaseInUseError as error:
                if error.address:
                    reached = RunningServer(error.address, is_own=False)
                    if report is not None:
                        report(f"{database} is in use by the server at {error.address}; using that server.")
                    break
                if time.monotonic() > end:
                    raise
            time.sleep(_PAUSE)
        yield reached


@contextmanager
def temporary_folder(purpose: str) -> Iterator[Path]:
    """Create a folder that is removed at the end of the block. Raises :class:`CommandError`."""
    try:
        folder = TemporaryDirectory(prefix=f"boardkeeper-{purpose}-")
    except OSError as error:
        raise CommandError(f"cannot create a temporary folder: {NO_TEMPORARY_FOLDER}.") from error
    with folder as name:
        yield Path(name)


def own_folder() -> Path | None:
    """Return the folder in which ``play`` stores games without a server; ``None`` without a home folder."""
    folder = data_folder()
    return None if folder is None else folder.absolute() / "games"


def new_database() -> str:
    """Return the path of a new database file. Each game has a file, because a process locks the file that it uses."""
    folder = own_folder()
    if folder is None:
        raise CommandError(f"cannot store games of your own: {NO_HOME}. {HOME_ADVICE}")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(f"cannot store games in {folder}: {error.strerror}. {HOME_ADVICE}") from error
    now = datetime.now().astimezone()
    return str(folder / f"{now:%Y-%m-%d_%H-%M-%S}_{secrets.token_hex(4)}.db")


def remove_database(database: str) -> None:
    """Remove a database file without games, and its companion files."""
    try:
        from boardkeeper.service.storage.sqlite.database_files import remove_database as remove_files
    except ModuleNotFoundError:  # then no file was created
        return
    remove_files(Path(database))


def _from_here(text: str) -> str:
    try:
        address = Address.parse(text)
    except ValueError:  # not published yet
        return ""
    host, _, port = address.target.rpartition(":")
    return str(Address(f"{_ANYWHERE.get(host, host)}:{port}", address.secure))


def _missing(error: ModuleNotFoundError) -> CommandError:
    return CommandError(
        f"a server on this machine needs: pip install 'boardkeeper[service]' (missing: {error.name}). "
        "Or name another server with --server HOST:PORT."
    )
