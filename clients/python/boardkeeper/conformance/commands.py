"""Clients that are commands: any program, in any language."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping, Sequence

from boardkeeper.conformance.kit import Client
from boardkeeper.conformance.sightings import Ran

ADDRESS = "{address}"
WEB = "{web}"
MOST = 1 << 22
"""So many bytes are kept of what a command writes, the last ones: a whole game has a hundredth of that."""
_LOCAL_HOSTS = ("localhost", "127.0.0.1")
_TO_HEAR = 2.0
"""So many seconds what a command wrote last has to arrive, once it has ended."""


class Tail:
    """The end of what comes out of a pipe."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept = bytearray()

    async def read(self, pipe: asyncio.StreamReader) -> None:
        """Read until there is no more."""
        while data := await pipe.read(1 << 16):
            self._kept += data
            del self._kept[: -self._most]

    def __str__(self) -> str:
        return self._kept.decode(errors="replace")


def client_of(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Client:
    """A command as a client: it is started once for each scenario, with addresses where these placeholders stand.

    It has ended once its first process has; what that has started and left behind is ended too.
    """

    async def run(address: str, web: str) -> Ran:
        process = await asyncio.create_subprocess_exec(
            *(word.replace(ADDRESS, address).replace(WEB, web) for word in command),
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=PIPE,
            env=_without_proxy(os.environ if environment is None else environment),
            start_new_session=True,  # so that what it has started can be ended with it
        )
        assert process.stdout is not None
        assert process.stderr is not None
        out, err = Tail(), Tail()
        reading = [asyncio.create_task(out.read(process.stdout)), asyncio.create_task(err.read(process.stderr))]
        try:
            await process.wait()
        finally:
            _end(process)
            # Whoever has left the group of the command may hold its pipes for ever.
            await asyncio.wait(reading, timeout=_TO_HEAR)
            for task in reading:
                task.cancel()
            await process.wait()
        return Ran(process.returncode, str(out), str(err))

    return run


def _without_proxy(environment: Mapping[str, str]) -> Mapping[str, str]:
    """Return the environment with the kit's addresses, which are local, excepted from every proxy."""
    excepted = {
        name: ",".join(filter(None, (environment.get(name), *_LOCAL_HOSTS)))
        for name in ("no_proxy", "NO_PROXY", "no_grpc_proxy")
        if name in environment or name != "no_grpc_proxy"  # where it is set, gRPC does not read no_proxy
    }
    return {**environment, **excepted}


def _end(process: Process) -> None:
    """End a command, and all that it has started, whether it has ended itself or not."""
    with contextlib.suppress(ProcessLookupError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        elif process.returncode is None:
            process.kill()
