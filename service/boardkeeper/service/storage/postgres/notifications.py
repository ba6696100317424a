"""Notifications between processes, so that each learns at once what others have stored. They may get lost.

NOTIFY is part of the transaction of an append, so it reports committed data only. The listener has its own connection.
After losing it, the listener reports a gap, and the process reads all data again.
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
"""The prefix of a notification if the feed has new items."""

_GAME_DIGITS, _VERSION_DIGITS = 32, 8
"""The numbers of hexadecimal digits of a game's id and of its version."""
_CHECK_SECONDS = 30.0
_MIN_RETRY_DELAY, _MAX_RETRY_DELAY = 0.1, 2.0


def notify_changed(game: UUID) -> tuple[LiteralString, tuple[str]]:
    """Return SQL with parameters that notifies other processes of changes of a game in other rows than events."""
    return "SELECT pg_notify('boardkeeper', %b)", (f"{_CHANGED_MARK}{game.hex}",)


def notify_versions(versions: Iterable[tuple[UUID, int]], *, has_feed_items: bool) -> tuple[LiteralString, tuple[str]]:
    """Return SQL with parameters that notifies other processes of new versions of games and of new feed items.

    The statements of the version guard build the text of this notification in SQL.
    """
    games = "".join(f"{game.hex}{version:0{_VERSION_DIGITS}x}" for game, version in versions)
    return "SELECT pg_notify('boardkeeper', %b)", (f"{FEED_MARK if has_feed_items else ''}{games}",)


def notify_feed() -> tuple[LiteralString, tuple[str]]:
    """Return SQL with parameters that notifies other processes of new feed items."""
    return "SELECT pg_notify('boardkeeper', %b)", (FEED_MARK,)


def parse_payload(payload: str) -> PeerChanges:
    """Return the changes that a notification reports; an unknown format counts as a gap."""
    try:
        if payload.startswith(_CHANGED_MARK):
            return PeerChanges(changed_games=(UUID(payload.removeprefix(_CHANGED_MARK)),))
        has_feed_items = payload.startswith(FEED_MARK)
        begins = len(FEED_MARK) if has_feed_items else 0
        new_versions: dict[UUID, int] = {}
        for at in range(begins, len(payload), _GAME_DIGITS + _VERSION_DIGITS):
            version = at + _GAME_DIGITS
            new_versions[UUID(payload[at:version])] = int(payload[version : version + _VERSION_DIGITS], 16)
        return PeerChanges(new_versions=new_versions, has_feed_items=has_feed_items)
    except ValueError:  # from another program or a later release
        return PeerChanges(has_gap=True)


class Listener:
    """Calls ``on_change`` on its own thread with the changes of other processes.

    ``own`` returns the id of the server process whose notifications are ignored.
    """

    def __init__(self, address: Address, on_change: Callable[[PeerChanges], None], own: Callable[[], int]) -> None:
        self._address = address
        self._on_change = on_change
        self._own = own
        self._closing = threading.Event()
        self._woken, self._wake = os.pipe()
        self._thread = threading.Thread(target=self._run, name="boardkeeper-listener", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        if not self._closing.is_set():
            self._closing.set()
            os.write(self._wake, b".")
            self._thread.join()
            os.close(self._wake)
            os.close(self._woken)

    def _run(self) -> None:
        delay = _MIN_RETRY_DELAY
        while not self._closing.is_set():
            try:
                with closing(self._address.connect()) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    delay = _MIN_RETRY_DELAY
                    self._report(PeerChanges(has_gap=True))
                    self._follow(connection)
            except (psycopg.Error, OSError) as error:
                _log.warning("notifications of other processes are not received", problem=str(error))
                self._closing.wait(delay)
                delay = min(2 * delay, _MAX_RETRY_DELAY)

    def _follow(self, connection: psycopg.Connection[Any]) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(connection.fileno(), selectors.EVENT_READ)
            selector.register(self._woken, selectors.EVENT_READ)
            while not self._closing.is_set():
                if not selector.select(_CHECK_SECONDS):
                    connection.execute("")  # detects a frozen server
                for notification in connection.notifies(timeout=0):
                    if notification.pid != self._own():
                        self._report(parse_payload(notification.payload))

    def _report(self, changes: PeerChanges) -> None:
        try:
            self._on_change(changes)
        except Exception:  # noqa: BLE001  # the next notification may succeed
            _log.exception("processing a notification failed")
