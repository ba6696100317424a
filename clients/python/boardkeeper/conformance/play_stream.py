"""Observation of ``Play`` streams: each command on the stream is treated as a call."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, NoReturn

from google.protobuf.message import DecodeError

from boardkeeper.conformance.observations import Observations, ObservedCall
from boardkeeper.conformance.scenarios import Fault
from boardkeeper.service.transport.call import Context
from boardkeeper.v1 import games_pb2
from boardkeeper.wire.convert import serialize

COMMANDS = "PlayCommands"
"""The name of commands on ``Play`` streams in scenarios."""

OnOutcome = Callable[[ObservedCall, games_pb2.PlayOutcome], Awaitable[list[Fault]]]


class PlayStream:
    """A ``Play`` stream between a client and the server.

    ``on_outcome`` is called with each outcome before the client gets it, and returns the faults to inject.
    """

    def __init__(
        self,
        call: ObservedCall,
        faults: Sequence[Fault],
        context: Context,
        observations: Observations,
        on_outcome: OnOutcome,
        disconnect: Callable[[], None],
    ) -> None:
        self._call = call
        self._faults = [it for it in faults if it.call == COMMANDS]
        self._context = context
        self._seen = observations
        self._on_outcome = on_outcome
        self._disconnect = disconnect
        self._running: dict[str, ObservedCall] = {}
        """The commands without an outcome, by their ids."""

    async def read(self, requests: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """Yield the client's messages for the server."""
        async for data in requests:
            try:
                request = games_pb2.PlayRequest.FromString(data)
            except DecodeError:
                yield data
                continue
            if request.WhichOneof("request") == "commands":
                await self._observe(request.commands)
            yield data

    async def _observe(self, commands: games_pb2.PlayCommands) -> None:
        number = len(self._seen.of(COMMANDS)) + 1
        command = ObservedCall(COMMANDS, number, self._call.metadata, None, request=commands)
        self._seen.calls.append(command)
        self._running[commands.command_id] = command
        for fault in self._faults:
            if fault.kind == "lose_command" and fault.is_due(number):
                await self._lose(command, fault)

    async def write(self, message: Any) -> None:
        """Send a message of the server to the client."""
        response = games_pb2.PlayResponse.FromString(message if isinstance(message, bytes) else serialize(message))
        kind = response.WhichOneof("response")
        if kind == "outcome":
            command = self._end(response.outcome.command_id, "OK")
            if command is not None:
                for fault in await self._on_outcome(command, response.outcome):
                    if fault.kind == "lose_response":
                        await self._lose(command, fault)
        elif kind == "rejection":
            self._end(response.rejection.command_id, "REJECTED")
        await self._context.write(message)

    def _end(self, id: str, code: str) -> ObservedCall | None:
        command = self._running.pop(id, None)
        if command is not None:
            command.code, command.end = code, time.monotonic()
        return command

    async def _lose(self, command: ObservedCall, fault: Fault) -> NoReturn:
        """Break the connection before the client gets the outcome of a command."""
        command.faults.append(fault)
        command.code, command.end = "LOST", time.monotonic()
        self._disconnect()
        await asyncio.sleep(3600)  # cancelled with its connection
        raise AssertionError("a stream outlives its connection")
