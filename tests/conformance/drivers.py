"""Our SDKs in Python as clients of the kit: play a game, follow it, and print it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

from boardkeeper.client import Client, Seat, VersionConflict, bot, person
from boardkeeper.client.aio import AsyncClient, AsyncSeat
from boardkeeper.client.errors import BadRequest, Rejected
from boardkeeper.v1 import event_pb2

Say = Callable[[str], None]


def blocking(address: str, say: Say) -> None:
    """With the blocking SDK."""
    with Client(address, timeout=2.0) as client:
        seat = client.create_game("orleans", [person("Anna"), bot("sensible")]).seats[0]
        _play(seat)
        for event in seat.watch():
            say(_line(event))
            if _asked(event, seat.number):
                _play(seat)
        for standing in seat.game().standings:
            say(f"rank {standing.rank}: seat {standing.seat}")


def _play(seat: Seat) -> None:
    while (legal := seat.legal_commands()).commands:
        try:
            seat.submit(random.choice(legal.commands), expected_version=legal.version)
        except (VersionConflict, Rejected, BadRequest):
            continue  # the board has changed, or it is told otherwise: look again


async def with_asyncio(address: str, say: Say) -> None:
    """With the SDK for asyncio; it watches while it plays."""
    async with AsyncClient(address, timeout=2.0) as client:
        seat = (await client.create_game("orleans", [person("Anna"), bot("sensible")])).seats[0]
        asked = asyncio.Event()
        asked.set()

        async def play() -> None:
            while True:
                await asked.wait()
                asked.clear()
                await _play_async(seat)

        playing = asyncio.create_task(play())
        async for event in seat.watch():
            say(_line(event))
            if _asked(event, seat.number):
                asked.set()
            if playing.done():
                playing.result()
        playing.cancel()
        for standing in (await seat.game()).standings:
            say(f"rank {standing.rank}: seat {standing.seat}")


async def _play_async(seat: AsyncSeat) -> None:
    while (legal := await seat.legal_commands()).commands:
        try:
            await seat.submit(random.choice(legal.commands), expected_version=legal.version)
        except (VersionConflict, Rejected, BadRequest):
            continue


def _line(event: event_pb2.Event) -> str:
    return f"{event.version:5}  {event.sentence}"


def _asked(event: event_pb2.Event, seat: int) -> bool:
    return any(effect.ask.seat == seat and effect.ask.after for effect in event.effects)
