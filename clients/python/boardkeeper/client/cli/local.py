"""A service of one's own, for as long as a command runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import chain, count
from pathlib import Path

from boardkeeper.client.cli.output import CommandError
from boardkeeper.client.cli.seat_book import data_folder


@contextmanager
def own_service(database: str, seed: str = "") -> Iterator[str]:
    """Run a service on a file and a free port of this machine; yields its address.

    With a ``seed`` its games are a show: ids and dice follow from the seed.
    """
    try:
        from boardkeeper.service.errors import StartupError  # noqa: PLC0415
        from boardkeeper.service.seeded import Seeded  # noqa: PLC0415
        from boardkeeper.service.server import running_service  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise CommandError(
            f"a service of one's own needs pip install 'boardkeeper[service]' (missing: {error.name}). "
            "Or name one that runs elsewhere with --server HOST:PORT."
        ) from error
    try:
        service = running_service(database, seeded=Seeded(seed) if seed else None)
        address = service.__enter__()
    except StartupError as error:
        raise CommandError(str(error)) from error
    try:
        yield address
    finally:
        service.__exit__(None, None, None)


def new_database() -> str:
    """A file for one game, not made yet: two games at a time need two, for one process owns one file."""
    folder = data_folder() / "games"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(
            f"cannot keep games in {folder}: {error.strerror}. Set BOARDKEEPER_HOME to a folder that you may write to."
        ) from error
    now = f"{datetime.now().astimezone():%Y-%m-%d_%H-%M-%S}"
    names = (f"{now}{more}.db" for more in chain([""], (f"-{number}" for number in count(2))))
    return str(next(path for name in names if not (path := folder / name).exists()))


def remove_database(database: str) -> None:
    """Remove a file in which there is no game, with all that belongs to it."""
    try:
        from boardkeeper.service.storage.files import remove  # noqa: PLC0415
    except ModuleNotFoundError:  # then it was never made
        return
    remove(Path(database))
