"""Our Python SDKs as clients of the kit: they play a game, watch it and print its events."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

from tests.conformance.faulty_client import TIMEOUT

from boardkeeper.client import Client, Seat, VersionConflict, bot, open_seat, person
from boardkeeper.client.aio import AsyncClient, AsyncSeat
from boardkeeper.client.errors import BadRequest, Rejected
from boardkeeper.v1 import event_pb2

Say = Callable[[str], None]


def blocking(address: str, say: Say, entry: str = "", seconds: float = TIMEOUT) -> None:
    """Play with the blocking SDK. ``entry`` is the RPC by which the client gets its game."""
    with Client(address, timeout=seconds, retry_timeout=2 * TIMEOUT) as client:
        seat = _seat(client, entry)
        _play(seat)
        for event in seat.watch():
            say(_line(event))
            if _asked(event, seat.number):
                _play(seat)
        for standing in seat.game().standings:
            say(f"rank {standing.rank}: seat {standing.seat}")


def _seat(client: Client, entry: str) -> Seat:
    if entry == "JoinGame":
        game = client.create_game("orleans", [person("Anna"), open_seat()], by_invitation=True)
        anna = game.seats[0]
        code = client.invite(anna.game_id, 2, token=anna.token).code
        seat = client.join(anna.game_id, "Ben", invitation=code)
        anna.hand_to_bot()
        return seat
    seats = [person("Anna"), bot("sensible")]
    made = client.create_game("orleans", seats)
    if entry == "ForkGame":
        made = client.fork(made.game.game_id, seats, version=1, token=made.seats[0].token)
    return made.seats[0]


def _play(seat: Seat) -> None:
    while (legal := seat.legal_commands()).commands:
        try:
            seat.submit(random.choice(legal.commands), expected_version=legal.version)
        except (VersionConflict, Rejected, BadRequest):
            continue  # the board has changed, or the kit pretends so: read it again


async def with_asyncio(address: str, say: Say, entry: str = "", seconds: float = TIMEOUT) -> None:
    """Play with the asyncio SDK, and watch at the same time."""
    async with AsyncClient(address, timeout=seconds, retry_timeout=2 * TIMEOUT) as client:
        seat = await _seat_async(client, entry)
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


async def _seat_async(client: AsyncClient, entry: str) -> AsyncSeat:
    if entry == "JoinGame":
        made = await client.create_game("orleans", [open_seat(), bot("sensible")])
        return await client.join(made.game.game_id, "Anna")
    seats = [person("Anna"), bot("sensible")]
    made = await client.create_game("orleans", seats)
    if entry == "ForkGame":
        made = await client.fork(made.game.game_id, seats, version=1, token=made.seats[0].token)
    return made.seats[0]


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
