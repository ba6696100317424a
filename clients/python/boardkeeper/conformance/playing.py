"""A stream ``Play``: what is asked on it is written down command by command, and harmed like calls of their own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, NoReturn

from google.protobuf.message import DecodeError

from boardkeeper.conformance.scenarios import Harm
from boardkeeper.conformance.sightings import Seen, Sighting
from boardkeeper.service.transport.call import Context
from boardkeeper.v1 import games_pb2
from boardkeeper.wire.serialized import serialized

COMMANDS = "PlayCommands"
"""What scenarios call the commands of these streams."""

CarriedOut = Callable[[Sighting, games_pb2.PlayOutcome], Awaitable[list[Harm]]]


class Playing:
    """One such stream, between a client and the service.

    ``carried_out`` is told of each outcome before the client is, and gives what is to be done to it.
    """

    def __init__(
        self,
        call: Sighting,
        harm: Sequence[Harm],
        context: Context,
        seen: Seen,
        carried_out: CarriedOut,
        hang_up: Callable[[], None],
    ) -> None:
        self._call = call
        self._harm = [it for it in harm if it.call == COMMANDS]
        self._context = context
        self._seen = seen
        self._carried_out = carried_out
        self._hang_up = hang_up
        self._open: dict[str, Sighting] = {}
        """The commands without an outcome, by their ids."""

    async def read(self, requests: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """What the client sends, as the service hears of it."""
        async for data in requests:
            try:
                request = games_pb2.PlayRequest.FromString(data)
            except DecodeError:
                yield data
                continue
            if request.WhichOneof("request") == "commands":
                await self._note(request.commands)
            yield data

    async def _note(self, commands: games_pb2.PlayCommands) -> None:
        number = len(self._seen.of(COMMANDS)) + 1
        command = Sighting(COMMANDS, number, self._call.metadata, None, request=commands)
        self._seen.calls.append(command)
        self._open[commands.command_id] = command
        for each in self._harm:
            if each.what == "drop" and each.is_due(number):
                await self._lose(command, each)

    async def write(self, part: Any) -> None:
        """What the service answers, as the client hears of it."""
        answer = games_pb2.PlayResponse.FromString(part if isinstance(part, bytes) else serialized(part))
        kind = answer.WhichOneof("response")
        if kind == "outcome":
            command = self._ended(answer.outcome.command_id, "OK")
            for each in await self._carried_out(command, answer.outcome) if command is not None else ():
                if command is not None and each.what == "lose":
                    await self._lose(command, each)
        elif kind == "rejection":
            self._ended(answer.rejection.command_id, "REJECTED")
        await self._context.write(part)

    def _ended(self, id: str, code: str) -> Sighting | None:
        command = self._open.pop(id, None)
        if command is not None:
            command.code, command.ended = code, time.monotonic()
        return command

    async def _lose(self, command: Sighting, each: Harm) -> NoReturn:
        """Hang up before anything is told of a command."""
        command.harms.append(each)
        command.code, command.ended = "LOST", time.monotonic()
        self._hang_up()
        await asyncio.sleep(3600)  # it is cancelled with its connection
        raise AssertionError("a stream outlives its connection")
