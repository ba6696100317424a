"""The processes that think for bots (:mod:`boardkeeper.service.games.bot_worker`): they start when a bot needs one."""

from __future__ import annotations

import asyncio
import pickle
import sys
from asyncio.subprocess import PIPE, Process

import structlog

from boardkeeper.service.games import bot_worker
from boardkeeper.service.games.bot_worker import LENGTH_BYTES, Answer, Decision, encode

_log = structlog.get_logger()


class BotProcessError(Exception):
    """A process failed to think; the message has its reason."""


class BotProcesses:
    """Up to ``count`` processes. ``titles`` is the setting of this name."""

    def __init__(self, count: int, titles: str) -> None:
        self._titles = titles
        self._idle: asyncio.LifoQueue[Process | None] = asyncio.LifoQueue()  # the last one is warm
        for _ in range(count):
            self._idle.put_nowait(None)
        self._processes: set[Process] = set()

    async def choose(self, decision: Decision) -> int:
        """Return the index of the command that a bot chooses. Raises :class:`BotProcessError`.

        If a process ends while it thinks, another one tries again.
        """
        message = encode(decision)
        process = await self._idle.get()
        try:
            try:
                process = process or await self._start()
                answer = await self._ask(process, message)
            except (OSError, asyncio.IncompleteReadError) as error:
                _log.warning("bot process ended", status=process.returncode if process else None, error=str(error))
                self._end(process)
                process = await self._start()
                answer = await self._ask(process, message)
        except BaseException as error:
            self._end(process)  # its answer may still come
            process = None
            if isinstance(error, OSError | asyncio.IncompleteReadError):
                raise BotProcessError(f"the process ended: {error}") from error
            raise
        finally:
            self._idle.put_nowait(process)
        if answer.error:
            raise BotProcessError(answer.error)
        return answer.index

    async def _start(self) -> Process:
        command = (sys.executable, "-c", f"from {bot_worker.__name__} import main; main()", self._titles)
        process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE)
        self._processes.add(process)
        return process

    @staticmethod
    async def _ask(process: Process, message: bytes) -> Answer:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(message)
        await process.stdin.drain()
        length = int.from_bytes(await process.stdout.readexactly(LENGTH_BYTES), "big")
        answer = pickle.loads(await process.stdout.readexactly(length))
        assert isinstance(answer, Answer)
        return answer

    def _end(self, process: Process | None) -> None:
        if process is not None:
            self._processes.discard(process)
            if process.returncode is None:
                process.kill()

    async def close(self) -> None:
        """End all processes."""
        ended = list(self._processes)
        for process in ended:
            self._end(process)
        await asyncio.gather(*(process.wait() for process in ended))
