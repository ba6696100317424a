"""Reading from the storage, with refusals for what can go wrong there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from boardkeeper.service.refusals import ReadFailedError, StorageLostError
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.failures import is_of_the_disk
from boardkeeper.service.storage.files import FilesLostError

_T = TypeVar("_T")


@contextmanager
def refusing() -> Iterator[None]:
    """What goes wrong with the storage within is ``StorageLostError`` or ``ReadFailedError``."""
    try:
        yield
    except FilesLostError as error:
        raise StorageLostError from error
    except Exception as error:
        if is_of_the_disk(error):
            raise ReadFailedError from error
        raise


async def read(application: GameApplication, function: Callable[[], _T]) -> _T:
    """Run a blocking read in a reader thread. Raises ``StorageLostError`` or ``ReadFailedError``, or what it raises."""
    with refusing():
        return await application.read(function)
