"""The supervisor of several workers: it starts them, restarts those that die, and stops all of them.

It serves no calls and uses neither gRPC nor a database, so that a fault that ends a worker does not end it. Workers are
processes that share the port by ``SO_REUSEPORT``, so the kernel gives each connection to one of them.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace

import structlog

from boardkeeper.service.config import Config
from boardkeeper.service.config.endpoints import Endpoint
from boardkeeper.service.errors import SettingError, StartupError
from boardkeeper.service.observability.logs import configure_logging
from boardkeeper.service.process.parent_process import READY, STOPPING, WorkerLink, notify_manager

Command = Callable[[int, Sequence[str], WorkerLink], Sequence[str]]
"""Returns the command line of a worker, given its number (from 1), the addresses of all workers, and its link."""

_MIN_WAIT = 0.5
_MAX_WAIT = 30.0
_STABLE_SECONDS = 60.0
"""A worker that ends sooner than this is restarted after a longer wait than before."""

_log = structlog.get_logger("boardkeeper.workers")


def supervise_workers(config: Config, command: Command) -> int:
    """Run ``config.workers`` workers until SIGTERM or SIGINT; a second signal ends them at once.

    Returns 0, or the exit status of the first worker if it cannot start. Raises :class:`StartupError`.
    """
    if sys.platform == "win32":
        raise StartupError("on this operating system, several workers cannot share a port: leave --workers out")
    configure_logging(config.log)
    return asyncio.run(Supervisor(config.workers, command, config.endpoints).run())


class Supervisor:
    """Keeps ``count`` workers running, which share all addresses."""

    def __init__(self, count: int, command: Command, endpoints: Sequence[Endpoint]) -> None:
        self._count = count
        self._command = command
        self._endpoints = endpoints
        self._stopping = asyncio.Event()
        self._stop_signal = signal.SIGTERM
        self._processes: dict[int, asyncio.subprocess.Process] = {}
        self._addresses: list[str] = []
        self._life = -1

    async def run(self) -> int:
        """Run until a signal stops it; return an exit status."""
        with ExitStack() as ports:
            for endpoint in self._endpoints:
                port = ports.enter_context(_reserve_port(endpoint))
                self._addresses.append(endpoint.at(port.getsockname()[1]))
            self._life, life_end = os.pipe()
            loop = asyncio.get_running_loop()
            for number in (signal.SIGTERM, signal.SIGINT):
                loop.add_signal_handler(number, self._stop)
            try:
                return await self._supervise_all()
            finally:
                for number in (signal.SIGTERM, signal.SIGINT):
                    loop.remove_signal_handler(number)
                os.close(life_end)
                os.close(self._life)

    async def _supervise_all(self) -> int:
        # Start one worker first: if it cannot start, because of the database or the settings, no other can.
        first = await self._start(1)
        if not first.is_ready and not self._stopping.is_set():
            return await first.process.wait() or 1
        _log.info("workers", count=self._count, address=self._addresses[-1])
        others = [self._supervise(number, await self._start(number)) for number in range(2, self._count + 1)]
        notify_manager(READY)
        await asyncio.gather(self._supervise(1, first), *others)
        return 0

    async def _supervise(self, number: int, worker: _Worker) -> None:
        wait = 0.0
        while True:
            status = await worker.process.wait()
            if self._stopping.is_set():
                return
            lived = time.monotonic() - worker.since
            wait = _MIN_WAIT if worker.is_ready and lived > _STABLE_SECONDS else _longer_wait(wait)
            _log.error("worker ended, to be started again", worker=number, status=status, seconds=round(wait, 1))
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), wait)
            if self._stopping.is_set():
                return
            worker = await self._start(number)

    async def _start(self, number: int) -> _Worker:
        """Start a worker and wait until it serves or ends."""
        ready, ready_end = os.pipe()
        link = WorkerLink(ready_end, self._life)
        try:
            process = await asyncio.create_subprocess_exec(
                *self._command(number, self._addresses, link),
                stdin=asyncio.subprocess.DEVNULL,
                pass_fds=(link.ready, link.life),
                start_new_session=True,  # Ctrl-C in the terminal reaches only the supervisor, which forwards it once
            )
        finally:
            os.close(ready_end)
        self._processes[number] = process
        if self._stopping.is_set():  # a stop signal came before the process existed
            _signal(process, self._stop_signal)
        is_ready = bool(await asyncio.to_thread(os.read, ready, 1))
        os.close(ready)
        if is_ready:
            _log.info("worker serves", worker=number, process=process.pid)
        return _Worker(process, is_ready)

    def _stop(self) -> None:
        """Stop all workers; kill them at the second call."""
        if self._stopping.is_set():
            self._stop_signal = signal.SIGKILL
        else:
            notify_manager(STOPPING)
        self._stopping.set()
        for process in self._processes.values():
            _signal(process, self._stop_signal)


class _Worker:
    def __init__(self, process: asyncio.subprocess.Process, is_ready: bool) -> None:
        self.process = process
        self.is_ready = is_ready
        self.since = time.monotonic()


def _signal(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        process.send_signal(number)


def _longer_wait(wait: float) -> float:
    return min(_MAX_WAIT, max(_MIN_WAIT, 2 * wait))


def _reserve_port(endpoint: Endpoint) -> socket.socket:
    """Return a socket that reserves the port for the workers. Raises :class:`StartupError`."""
    if endpoint.path is not None:
        raise SettingError(f"several workers cannot share {endpoint}: write HOST:PORT")
    with endpoint.bind() as alone:  # fails if another program already shares the port
        port = alone.getsockname()[1]
    return replace(endpoint, port=port).bind(shares_port=True)
