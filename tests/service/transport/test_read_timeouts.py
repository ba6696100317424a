"""Whoever waits too long for a message is given up, each at his own time, by one timer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from boardkeeper.service.transport import read_timeouts
from boardkeeper.service.transport.read_timeouts import ReadTimeouts


class Loop:
    """A loop whose time is told, and which has one timer."""

    def __init__(self) -> None:
        self.now = 0.0
        self.due: tuple[float, Callable[[], None]] | None = None

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, function: Callable[..., None], *arguments: object) -> object:
        assert self.due is None, "one timer is enough"
        self.due = when, lambda: function(*arguments)
        return object()

    def call_later(self, seconds: float, function: Callable[..., None], *arguments: object) -> object:
        return self.call_at(self.now + seconds, function, *arguments)

    def go_on_to(self, now: float) -> None:
        """Let the time pass; the timer is called when it is due."""
        while self.due is not None and self.due[0] <= now:
            self.now, call = self.due
            self.due = None
            call()
        self.now = now


class Waiting:
    """A task that waits."""

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self.given_up_at: float | None = None

    def get_loop(self) -> Any:
        return self._loop

    def cancel(self) -> None:
        assert self.given_up_at is None
        self.given_up_at = self._loop.now


def test_each_is_given_up_at_his_own_time_and_who_was_answered_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_timeouts, "REQUEST_SECONDS", 20.0)
    loop, waits = Loop(), ReadTimeouts()
    tasks: list[Any] = [Waiting(loop) for _ in range(6)]
    for at, task in enumerate(tasks):
        loop.go_on_to(float(at))
        waits.begin(task)
    waits.end(tasks[0])  # the first, for whom the timer was set
    waits.end(tasks[3])
    loop.go_on_to(19.9)
    assert not any(task.given_up_at for task in tasks)
    loop.go_on_to(60.0)
    assert [task.given_up_at for task in tasks] == [None, 21.0, 22.0, None, 24.0, 25.0]
    assert [waits.is_over(task) for task in tasks] == [True] * 6
    assert loop.due is None, "nobody waits, and no timer is left"
    waits.begin(tasks[0])
    loop.go_on_to(80.0)
    assert tasks[0].given_up_at == 80.0


async def test_who_is_cancelled_for_another_reason_was_not_given_up() -> None:
    waits = ReadTimeouts()
    waiting = asyncio.Event()

    async def wait() -> bool:
        task = asyncio.current_task()
        assert task is not None
        waits.begin(task)
        try:
            waiting.set()
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return waits.is_over(task)
        finally:
            waits.end(task)
        return True

    task = asyncio.create_task(wait())
    await waiting.wait()
    task.cancel()
    assert await task is False
