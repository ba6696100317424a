"""What a command says where what it needs of the service is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from boardkeeper.terminal.output import CommandError


@contextmanager
def from_the_service() -> Iterator[None]:
    """Around imports of the service, which a client may do without; raises ``CommandError`` where there is none."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise CommandError(
            f"this command needs the server, which is not installed: pip install 'boardkeeper[service]' ({error})"
        ) from error
