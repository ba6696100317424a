"""Read timeouts: one timer cancels each waiting task at its own time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from boardkeeper.service.transport import read_timeouts
from boardkeeper.service.transport.read_timeouts import ReadTimeouts


class FakeLoop:
    """A loop whose time a test sets, with a single timer."""

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

    def advance_to(self, now: float) -> None:
        """Advance the time. Calls the timer when it is due."""
        while self.due is not None and self.due[0] <= now:
            self.now, call = self.due
            self.due = None
            call()
        self.now = now


class FakeTask:
    """A waiting task that records when it is cancelled."""

    def __init__(self, loop: FakeLoop) -> None:
        self._loop = loop
        self.cancelled_at: float | None = None

    def get_loop(self) -> Any:
        return self._loop

    def cancel(self) -> None:
        assert self.cancelled_at is None
        self.cancelled_at = self._loop.now


def test_each_task_is_cancelled_at_its_own_time_unless_it_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_timeouts, "REQUEST_SECONDS", 20.0)
    loop, waits = FakeLoop(), ReadTimeouts()
    tasks: list[Any] = [FakeTask(loop) for _ in range(6)]
    for at, task in enumerate(tasks):
        loop.advance_to(float(at))
        waits.begin(task)
    waits.end(tasks[0])  # the timer was set for this task
    waits.end(tasks[3])
    loop.advance_to(19.9)
    assert not any(task.cancelled_at for task in tasks)
    loop.advance_to(60.0)
    assert [task.cancelled_at for task in tasks] == [None, 21.0, 22.0, None, 24.0, 25.0]
    assert [waits.is_over(task) for task in tasks] == [True] * 6
    assert loop.due is None, "without waiting tasks there is no timer"
    waits.begin(tasks[0])
    loop.advance_to(80.0)
    assert tasks[0].cancelled_at == 80.0


async def test_a_cancellation_for_another_reason_is_not_a_timeout() -> None:
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
