"""Reads of the storage in threads, with errors of the API for errors of the storage."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import copy_context
from functools import partial
from typing import TypeVar
from uuid import UUID

import structlog

from boardkeeper.service.requests.errors import ApiError, api_error_of, is_reason
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.archive.folder import ArchiveError
from boardkeeper.service.storage.chain import Damage
from boardkeeper.service.storage.errors import FilesLostError, is_file_damage, is_unavailable
from boardkeeper.service.storage.rows import DamagedLobbyError, DamagedRowError
from boardkeeper.titlekit.title_guard import IncompatibleTitleError

_T = TypeVar("_T")
_log = structlog.get_logger()

MAX_PAGE_BYTES = 1 << 20
"""The maximum size in bytes of the items in a page; a larger item is alone in its page. gRPC clients accept 4 MiB."""


@contextmanager
def translate_errors() -> Iterator[None]:
    """Raise an error of the API for an error of the storage."""
    try:
        yield
    except FilesLostError as error:
        raise ApiError("STORAGE_LOST") from error
    except ArchiveError as error:
        raise ApiError("ARCHIVE_UNREADABLE", game=error.game) from error
    except IncompatibleTitleError as error:
        raise api_error_of(error) from error
    except DamagedLobbyError as error:
        raise ApiError("LOBBY_DAMAGED") from error
    except Exception as error:
        if is_unavailable(error):
            raise ApiError("READ_FAILED") from error
        if is_file_damage(error) or isinstance(error, DamagedRowError):
            _log.error("stored data is damaged", problem=str(error))
            raise ApiError("STORAGE_DAMAGED") from error
        raise


async def read(application: GameApplication, function: Callable[[], _T]) -> _T:
    """Run a blocking read in a reader thread. Raises errors of the API for errors of the storage."""
    with translate_errors():
        return await asyncio.wrap_future(application.submit_read(partial(copy_context().run, function)))


@asynccontextmanager
async def translate_damage(application: GameApplication, game: UUID) -> AsyncIterator[None]:
    """Raise ``GAME_DAMAGED`` for errors caused by damage of the game, or ``GAME_REMOVED`` if it was removed."""
    try:
        yield
    except Exception as error:
        cause = error.__cause__ if is_reason(error, "STORAGE_DAMAGED") else error
        if not isinstance(cause, Exception) or isinstance(cause, ApiError):
            raise
        removed = await read(application, partial(application.removal_time, game))
        if removed is not None:
            raise ApiError("GAME_REMOVED", game=game, time=removed) from error
        damage = await read(application, partial(application.diagnose, game, cause))
        if damage is None:
            raise
        log_damage(game, damage)
        raise ApiError("GAME_DAMAGED", version=damage.version) from error


async def read_game(application: GameApplication, game: UUID, function: Callable[[], _T]) -> _T:
    """Run a blocking read of one game: see :func:`read`. Raises ``GAME_DAMAGED`` if the game is damaged."""
    async with translate_damage(application, game):
        return await read(application, function)


def log_damage(game: UUID, damage: Damage) -> None:
    """Log the damage of a game."""
    _log.error(
        "game damaged, served read-only up to there",
        game=str(game),
        version=damage.version,
        problem=damage.problem,
    )
