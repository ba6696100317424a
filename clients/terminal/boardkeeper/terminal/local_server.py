"""A service of one's own on a database file, for as long as a command runs."""

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
from boardkeeper.terminal.output import USAGE, CommandError
from boardkeeper.terminal.saved_seats import HOME_ADVICE, NO_HOME, data_folder
from boardkeeper.titles.registry import loaded_titles

_MOMENT = 3.0
"""How many seconds to wait for a file whose process does not say (yet) where it serves it: another command, mostly."""
_PAUSE = 0.05
NO_TEMPORARY_FOLDER = "set TMPDIR to a folder that you can write to"
_ANYWHERE = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}  # where such a service is reached from here


class Reached(NamedTuple):
    """A service that has a file: its address, and whether it is ours, so that nobody else is in the file."""

    address: str
    is_own: bool


def database_file(text: str, *, new: bool = False) -> Path:
    """The file that ``--db`` names, whole path; it has to be there unless a ``new`` one may be made."""
    try:
        from boardkeeper.service.errors import StartupError  # noqa: PLC0415
        from boardkeeper.service.storage.database_urls import sqlite_path  # noqa: PLC0415
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
def own_service(database: str, seed: str = "", *, at_rest: bool = False) -> Iterator[str]:
    """Run a service on a file and a free port of this machine; yields its address.

    With a ``seed`` its games are a show: ids and dice follow from the seed. ``at_rest`` no bot moves in its games.
    """
    try:
        from boardkeeper.service.errors import FileInUseError, StartupError  # noqa: PLC0415
        from boardkeeper.service.process.server import running_service  # noqa: PLC0415
        from boardkeeper.service.seeded_ids import Seeded  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise _missing(error) from error
    try:
        titles = ",".join(loaded_titles())
        service = running_service(database, seeded=Seeded(seed) if seed else None, at_rest=at_rest, titles=titles)
        address = service.__enter__()
    except FileInUseError as error:
        raise FileInUse(Path(database), error.process, error.address) from error
    except StartupError as error:
        raise CommandError(f"{error}.") from error
    try:
        yield address
    finally:
        service.__exit__(None, None, None)


class FileInUse(CommandError):  # noqa: N818  # it ends a command, as its base does
    """Another process has the file; ``address`` is where it serves it, empty if it does not say."""

    def __init__(self, file: Path, process: str, address: str) -> None:
        self.address = _from_here(address)
        super().__init__(
            f"{file} is in use by process {process or 'unknown'}. If that is a server, name it with "
            "--server HOST:PORT; otherwise try again when the process has finished."
        )


@contextmanager
def service_on(database: str, *, at_rest: bool = False, tell: Callable[[str], None] | None = None) -> Iterator[Reached]:
    """The service that has the file: the one that serves it already, of which ``tell`` is told, else one of our own."""
    with ExitStack() as stack:
        end = time.monotonic() + _MOMENT
        while True:
            try:
                reached = Reached(stack.enter_context(own_service(database, at_rest=at_rest)), is_own=True)
                break
            except FileInUse as error:
                if error.address:
                    reached = Reached(error.address, is_own=False)
                    if tell is not None:
                        tell(f"{database} is in use by the server at {error.address}; using that server.")
                    break
                if time.monotonic() > end:
                    raise
            time.sleep(_PAUSE)
        yield reached


@contextmanager
def temporary_folder(purpose: str) -> Iterator[Path]:
    """Make a folder that is removed at the end of the block; raises :class:`CommandError`."""
    try:
        folder = TemporaryDirectory(prefix=f"boardkeeper-{purpose}-")
    except OSError as error:
        raise CommandError(f"cannot create a temporary folder: {NO_TEMPORARY_FOLDER}.") from error
    with folder as name:
        yield Path(name)


def own_folder() -> Path | None:
    """Return the folder in which ``play`` keeps games without a service; ``None`` if the user has no home folder."""
    folder = data_folder()
    return None if folder is None else folder.absolute() / "games"


def new_database() -> str:
    """A file for one game, not made yet: two games at a time need two, for one process owns one file.

    What is begun in the same second, before either file is there, has another name, too.
    """
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
    """Remove a file in which there is no game, with all that belongs to it."""
    try:
        from boardkeeper.service.storage.sqlite.database_files import remove_database  # noqa: PLC0415
    except ModuleNotFoundError:  # then it was never made
        return
    remove_database(Path(database))


def _from_here(text: str) -> str:
    try:
        address = Address.parse(text)
    except ValueError:  # it does not say yet
        return ""
    host, _, port = address.target.rpartition(":")
    return str(Address(f"{_ANYWHERE.get(host, host)}:{port}", address.secure))


def _missing(error: ModuleNotFoundError) -> CommandError:
    return CommandError(
        f"a server on this machine needs: pip install 'boardkeeper[service]' (missing: {error.name}). "
        "Or name another server with --server HOST:PORT."
    )
