"""Conformance clients that are started as external commands, so they can be written in any language."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping, Sequence

from boardkeeper.conformance.kit import Client
from boardkeeper.conformance.observations import ClientExit

ADDRESS_PLACEHOLDER = "{address}"
WEB_ADDRESS_PLACEHOLDER = "{web}"
MAX_OUTPUT_BYTES = 1 << 22
"""The number of last bytes of a command's output that are stored; about 100 times the output for a whole game."""
_LOCAL_HOSTS = ("localhost", "127.0.0.1")
_OUTPUT_SECONDS = 2.0
"""The time to read the remaining output after a command has exited."""


class OutputTail:
    """The end of the output of a pipe."""

    def __init__(self, max_bytes: int = MAX_OUTPUT_BYTES) -> None:
        self._max_bytes = max_bytes
        self._buffer = bytearray()

    async def read(self, pipe: asyncio.StreamReader) -> None:
        """Read until the pipe is closed."""
        while data := await pipe.read(1 << 16):
            self._buffer += data
            del self._buffer[: -self._max_bytes]

    def __str__(self) -> str:
        return self._buffer.decode(errors="replace")


def command_client(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Client:
    """Return a client that starts a command for each scenario.

    In its arguments, ``{address}`` is replaced with the gRPC address and ``{web}`` with the web address of the session.
    The client ends when the process of the command exits. On POSIX, processes that the command leaves in its process
    group are killed.
    """

    async def run(address: str, web_address: str) -> ClientExit:
        process = await asyncio.create_subprocess_exec(
            *(
                word.replace(ADDRESS_PLACEHOLDER, address).replace(WEB_ADDRESS_PLACEHOLDER, web_address)
                for word in command
            ),
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=PIPE,
            env=_without_proxy(os.environ if environment is None else environment),
            start_new_session=True,  # a process group, which can be killed as a whole
        )
        assert process.stdout is not None
        assert process.stderr is not None
        out, err = OutputTail(), OutputTail()
        reading = [asyncio.create_task(out.read(process.stdout)), asyncio.create_task(err.read(process.stderr))]
        try:
            await process.wait()
        finally:
            _kill(process)
            # A process that left the group may keep the pipes open.
            await asyncio.wait(reading, timeout=_OUTPUT_SECONDS)
            for task in reading:
                task.cancel()
            await process.wait()
        return ClientExit(process.returncode, str(out), str(err))

    return run


def _without_proxy(environment: Mapping[str, str]) -> Mapping[str, str]:
    """Return the environment with local addresses, such as the kit's, excluded from proxies."""
    exclusions = {
        name: ",".join(filter(None, (environment.get(name), *_LOCAL_HOSTS)))
        for name in ("no_proxy", "NO_PROXY", "no_grpc_proxy")
        if name in environment or name != "no_grpc_proxy"  # if no_grpc_proxy is set, gRPC ignores no_proxy
    }
    return {**environment, **exclusions}


def _kill(process: Process) -> None:
    """Kill a command and its process group, even if the command has exited."""
    with contextlib.suppress(ProcessLookupError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        elif process.returncode is None:
            process.kill()
