"""Clients that are commands: any program, in any language."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Sequence

from boardkeeper.service.conformance.kit import Client
from boardkeeper.service.conformance.sightings import Ran

ADDRESS = "{address}"
WEB = "{web}"


def client_of(command: Sequence[str]) -> Client:
    """A command as a client: it is started once for each scenario, with addresses where these placeholders stand."""

    async def run(address: str, web: str) -> Ran:
        words = [word.replace(ADDRESS, address).replace(WEB, web) for word in command]
        process = await asyncio.create_subprocess_exec(
            *words,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,  # so that what it has started can be ended with it
        )
        try:
            out, err = await process.communicate()
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    if os.name == "posix":
                        os.killpg(process.pid, signal.SIGKILL)
                    else:
                        process.kill()
                await process.wait()
        return Ran(process.returncode, out.decode(errors="replace"), err.decode(errors="replace"))

    return run
