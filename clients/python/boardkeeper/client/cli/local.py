"""A service of one's own, for as long as a command runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from boardkeeper.client.cli.output import CommandError


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
