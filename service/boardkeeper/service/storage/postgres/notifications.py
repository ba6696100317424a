"""Hints from process to process: what one has stored, the others hear of at once, unless the hint is lost.

They go through NOTIFY in the transaction of the append, so that nobody hears of what was not stored. Who listens needs
a connection of its own; what was told while it was away is made up for by looking at everything (``missed``).
"""

from __future__ import annotations

import os
import selectors
import threading
from collections.abc import Callable, Iterable
from contextlib import closing
from typing import Any, LiteralString
from uuid import UUID

import psycopg
import structlog

from boardkeeper.service.storage.database import PeerChanges
from boardkeeper.service.storage.postgres.address import Address

_log = structlog.get_logger()

CHANNEL: LiteralString = "boardkeeper"
_CHANGED_MARK = "!"
FEED_MARK: LiteralString = "+"
"""Stands before the games that were moved if there are new items in the feed."""

_GAME, _VERSION = 32, 8
"""How many hexadecimal digits the game has, and the version to which it was moved."""
_QUIET_SECONDS = 30.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 2.0


def notify_changed(game: UUID) -> tuple[LiteralString, tuple[str]]:
    """SQL and its parameters that tell of a game of which more is otherwise than its events."""
    return "SELECT pg_notify('boardkeeper', %b)", (f"{_CHANGED_MARK}{game.hex}",)


def notify_versions(versions: Iterable[tuple[UUID, int]], *, is_fed: bool) -> tuple[LiteralString, tuple[str]]:
    """Return SQL with parameters that notifies other processes of new versions of games and of new items in the feed.

    The guard's statement builds the same text.
    """
    games = "".join(f"{game.hex}{version:0{_VERSION}x}" for game, version in versions)
    return "SELECT pg_notify('boardkeeper', %b)", (f"{FEED_MARK if is_fed else ''}{games}",)


def notify_feed() -> tuple[LiteralString, tuple[str]]:
    """SQL and its parameters that tell of new items in the feed."""
    return "SELECT pg_notify('boardkeeper', %b)", (FEED_MARK,)


def parse_payload(payload: str) -> PeerChanges:
    """What a notification says: games that were moved, or with a mark before it one that was changed."""
    try:
        if payload.startswith(_CHANGED_MARK):
            return PeerChanges(changed_games=(UUID(payload.removeprefix(_CHANGED_MARK)),))
        is_fed = payload.startswith(FEED_MARK)
        begins = len(FEED_MARK) if is_fed else 0
        new_versions: dict[UUID, int] = {}
        for at in range(begins, len(payload), _GAME + _VERSION):
            version = at + _GAME
            new_versions[UUID(payload[at:version])] = int(payload[version : version + _VERSION], 16)
        return PeerChanges(new_versions=new_versions, has_feed_items=is_fed)
    except ValueError:  # not from us, or from a later release
        return PeerChanges(has_gap=True)


class Listener:
    """Has ``hear`` called on its thread with what other connections than that of the process ``own`` tell."""

    def __init__(self, address: Address, hear: Callable[[PeerChanges], None], own: Callable[[], int]) -> None:
        self._address = address
        self._hear = hear
        self._own = own
        self._closing = threading.Event()
        self._woken, self._wake = os.pipe()
        self._thread = threading.Thread(target=self._run, name="boardkeeper-listener", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Hear nothing any more."""
        if not self._closing.is_set():
            self._closing.set()
            os.write(self._wake, b".")
            self._thread.join()
            os.close(self._wake)
            os.close(self._woken)

    def _run(self) -> None:
        pause = _FIRST_PAUSE
        while not self._closing.is_set():
            try:
                with closing(self._address.connect()) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    pause = _FIRST_PAUSE
                    self._tell(PeerChanges(has_gap=True))
                    self._follow(connection)
            except (psycopg.Error, OSError) as error:
                _log.warning("hints of other processes are not heard", problem=str(error))
                self._closing.wait(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)

    def _follow(self, connection: psycopg.Connection[Any]) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(connection.fileno(), selectors.EVENT_READ)
            selector.register(self._woken, selectors.EVENT_READ)
            while not self._closing.is_set():
                if not selector.select(_QUIET_SECONDS):
                    connection.execute("")  # a server that is frozen would be listened to for ever
                for notice in connection.notifies(timeout=0):
                    if notice.pid != self._own():
                        self._tell(parse_payload(notice.payload))

    def _tell(self, news: PeerChanges) -> None:
        try:
            self._hear(news)
        except Exception:  # noqa: BLE001  # the next hint may be heard
            _log.exception("hearing of other processes failed")
