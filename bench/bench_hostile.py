"""The latency of normal clients during attacks.

    python -m bench.bench_hostile [--seconds 6] [--attacks reads,rejected,…] [--limits on,off] [--extra VARIABLE=VALUE]

A few normal clients play and read their own games, with a call every few milliseconds. Their latency is measured
without other clients, next to a process that only uses CPU, and during each attack, in one run with the same service.
Hostile and normal clients have different addresses, as if behind a trusted proxy: both send ``x-forwarded-for``.

``x`` is the latency of normal calls, divided by the latency next to the process that only uses CPU.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import grpc
import uvloop
from bench import header_bomb
from bench.bench_commands import first_title, kinds_of
from bench.header_bomb import LARGE, SMALL
from bench.servers import Server, service_command

from boardkeeper.client import Client, bot
from boardkeeper.v1 import games_pb2, games_pb2_grpc, history_pb2, history_pb2_grpc

NORMAL_CLIENTS = 4
PAUSE = 0.02
AT_ONCE = 64
SEATS = [games_pb2.SeatRequest(name=name) for name in ("Ada", "Bob")]
TITLE = first_title()
WAY = kinds_of(TITLE)["single"]
HOSTILE, NORMAL = "198.51.100.66", "198.51.100.1"


def metadata(address: str, token: str = "") -> tuple[tuple[str, str], ...]:
    """Return the metadata of a call from an address, with the token of a seat."""
    pairs: tuple[tuple[str, str], ...] = (("x-forwarded-for", address),)
    return (*pairs, ("authorization", f"Bearer {token}")) if token else pairs


# --- attacks ----------------------------------------------------------------------------------------------------


class Attacker:
    """Runs one attack as fast as possible, in a separate process, until the process is killed."""

    def __init__(self, address: str, ended: str, record: str) -> None:
        self.address = address
        self.ended = ended
        self.record = Path(record).read_bytes()
        options = [("grpc.use_local_subchannel_pool", 1)]
        self.channels = [grpc.aio.insecure_channel(address, options) for _ in range(4)]
        self.games: list[Any] = [games_pb2_grpc.GamesStub(channel) for channel in self.channels]
        self.history: list[Any] = [history_pb2_grpc.HistoryStub(channel) for channel in self.channels]
        self.metadata = metadata(HOSTILE)

    async def attack(self, name: str) -> None:
        """Run an attack without an end."""
        await getattr(self, name)()

    async def repeat(self, call: Callable[[int], Awaitable[Any]], at_once: int = AT_ONCE) -> None:
        async def run(number: int) -> None:
            while True:
                try:
                    await call(number)
                except grpc.aio.AioRpcError:
                    await asyncio.sleep(0)
                number += at_once

        await asyncio.gather(*map(run, range(at_once)))

    async def create_game(self) -> tuple[str, str]:
        answer = await self.games[0].CreateGame(
            games_pb2.CreateGameRequest(title=TITLE, seats=SEATS), metadata=self.metadata
        )
        return answer.game.game_id, answer.seat_tokens[0].token

    async def reads(self) -> None:
        """Boards, games and lists."""
        game, _ = await self.create_game()
        requests: list[tuple[str, Any]] = [
            ("GetBoard", games_pb2.GetBoardRequest(game_id=game)),
            ("GetGame", games_pb2.GetGameRequest(game_id=game)),
            ("ListGames", games_pb2.ListGamesRequest(page_size=200)),
        ]

        async def read(number: int) -> None:
            rpc, request = requests[number % 3]
            await getattr(self.games[number % 4], rpc)(request, metadata=self.metadata)

        await self.repeat(read)

    async def rejected(self) -> None:
        """Commands that the rules forbid."""
        game, token = await self.create_game()
        command = games_pb2.SubmitCommandsRequest(game_id=game, seat=1, commands=WAY[1], command_id="c")

        async def submit(number: int) -> None:
            await self.games[number % 4].SubmitCommands(command, metadata=metadata(HOSTILE, token))

        await self.repeat(submit)

    async def streams(self) -> None:
        """Streams of a long game from its beginning, which are never read."""
        request = games_pb2.WatchGameRequest(game_id=self.ended)
        calls: list[Any] = []
        while True:
            calls += [stub.WatchGame(request, metadata=self.metadata) for stub in self.games for _ in range(10)]
            if len(calls) > 900:
                for call in calls[:400]:
                    call.cancel()
                del calls[:400]
            await asyncio.sleep(0.05)

    async def imports(self) -> None:
        """Whole records with an invalid signature in the last line."""
        head, _, seal = self.record.rstrip(b"\n").rpartition(b"\n")
        at = seal.index(b'"signature":"') + 20
        broken = head + b"\n" + seal[:at] + (b"A" if seal[at : at + 1] != b"A" else b"B") + seal[at + 1 :] + b"\n"

        async def import_record(number: int) -> None:
            pieces = (
                history_pb2.ImportRecordRequest(data=broken[at : at + 100_000]) for at in range(0, len(broken), 100_000)
            )
            await self.history[number % 4].ImportRecord(pieces, metadata=self.metadata)

        await self.repeat(import_record, 16)

    async def history_reads(self) -> None:
        """Pages of events, records, verifications, past boards and commands of the longest game."""
        versions = 600
        requests: list[Callable[[int], Any]] = [
            lambda n: self.history[n % 4].ListEvents(
                history_pb2.ListEventsRequest(game_id=self.ended, page_size=500), metadata=self.metadata
            ),
            lambda n: self.history[n % 4].VerifyGame(
                history_pb2.VerifyGameRequest(game_id=self.ended), metadata=self.metadata
            ),
            lambda n: self.games[n % 4].GetBoard(
                games_pb2.GetBoardRequest(game_id=self.ended, version=n * 37 % versions + 1), metadata=self.metadata
            ),
            self.read_record,
        ]

        async def read(number: int) -> None:
            await requests[number // AT_ONCE % len(requests)](number)

        await self.repeat(read)

    async def read_record(self, number: int) -> None:
        request = history_pb2.GetRecordRequest(game_id=self.ended)
        async for _ in self.history[number % 4].GetRecord(request, metadata=self.metadata):
            pass

    async def malformed(self) -> None:
        """The largest messages, malformed or with a title that does not exist."""
        junk = os.urandom(200_000)
        senders: list[Any] = [channel.unary_unary("/boardkeeper.v1.Games/CreateGame") for channel in self.channels]
        fields = games_pb2.CreateGameRequest(title="x" * 250_000).SerializeToString()

        async def send(number: int) -> None:
            await senders[number % 4](junk if number % 2 else fields, metadata=self.metadata)

        await self.repeat(send)

    async def connections(self) -> None:
        """Connections that send nothing, or half of a handshake."""
        host, _, port = self.address.rpartition(":")

        async def hang(number: int) -> None:
            try:
                _, writer = await asyncio.open_connection(host, int(port))
                if number % 2:
                    writer.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
                await asyncio.sleep(1)
                writer.close()
            except OSError:
                await asyncio.sleep(0.01)

        await self.repeat(hang, 700)

    async def guesses(self) -> None:
        """Tokens and keys that do not exist."""
        game, _ = await self.create_game()
        legal = games_pb2.ListLegalCommandsRequest(game_id=game, seat=1)
        key = "bk_0123456789ab_" + "x" * 49

        async def guess(number: int) -> None:
            token = key if number % 2 else f"guess-{number}"
            await self.games[number % 4].ListLegalCommands(legal, metadata=metadata(HOSTILE, token))

        await self.repeat(guess)

    async def header_bombs(self) -> None:
        """Small header blocks that are large after decoding."""
        sizes = [LARGE, SMALL] * 2
        await asyncio.gather(*(asyncio.to_thread(header_bomb.attack, self.address, size) for size in sizes))

    async def spin(self) -> None:
        """No attack: only use CPU."""
        while True:
            sum(range(100_000))


ATTACKS = (
    "reads",
    "rejected",
    "streams",
    "imports",
    "history_reads",
    "malformed",
    "connections",
    "guesses",
    "header_bombs",
)


# --- normal clients ---------------------------------------------------------------------------------------------


class NormalClient:
    """Submits a command, undoes it, and reads, with pauses."""

    def __init__(self, stub: Any, number: int) -> None:
        self._stub = stub
        self._address = f"{NORMAL}{number}"
        self._number = 0

    async def prepare(self) -> None:
        """Create a game."""
        request = games_pb2.CreateGameRequest(title=TITLE, seats=SEATS)
        created = await self._stub.CreateGame(request, metadata=metadata(self._address))
        self._game = created.game.game_id
        self._metadata = metadata(self._address, created.seat_tokens[0].token)

    async def run(self, seconds: float) -> list[float]:
        """Return the milliseconds of each call."""
        took: list[float] = []
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            begun = time.perf_counter()
            await self._call()
            took.append((time.perf_counter() - begun) * 1e3)
            await asyncio.sleep(PAUSE)
        return took

    async def _call(self) -> None:
        self._number += 1
        game, which = self._game, self._number % 4
        if which in (1, 3):
            await self._stub.SubmitCommands(
                games_pb2.SubmitCommandsRequest(
                    game_id=game, seat=1, commands=WAY[which // 2], command_id=f"c{self._number}"
                ),
                metadata=self._metadata,
            )
        elif which == 2:
            await self._stub.GetBoard(games_pb2.GetBoardRequest(game_id=game), metadata=self._metadata)
        else:
            legal = games_pb2.ListLegalCommandsRequest(game_id=game, seat=1)
            await self._stub.ListLegalCommands(legal, metadata=self._metadata)


# --- the run ----------------------------------------------------------------------------------------------------


class Service:
    """A service with a long finished game."""

    def __init__(self, folder: Path, limits: str, extra: Sequence[str]) -> None:
        environment = {
            "BOARDKEEPER_LIMITS": limits,
            "BOARDKEEPER_TRUSTED_PROXIES": "127.0.0.0/8",
            **dict(pair.split("=", 1) for pair in extra),
        }
        self.server = Server(service_command("--db", f"{limits}.db"), folder, environment)
        self.address = self.server.address
        with Client(self.address, retry_timeout=60) as client:
            self.ended = client.create_game(TITLE, [bot("random")] * 4).game.game_id
            for _ in client.watch(self.ended):
                pass
            self.record = folder / f"{limits}.record"
            self.record.write_bytes(client.record(self.ended))


def start_process(command: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, stderr=subprocess.DEVNULL, cwd=Path(__file__).resolve().parent.parent)


async def measure_latency(
    service: Service, attack: str, clients: Sequence[NormalClient], seconds: float
) -> list[float]:
    """Return the milliseconds of normal calls during an attack; an empty name is no attack."""
    attacker: subprocess.Popen[bytes] | None = None
    if attack:
        arguments = [attack, service.address, service.ended, str(service.record)]
        command = [sys.executable, "-m", "bench.bench_hostile", "--attacker", *arguments]
        attacker = await asyncio.to_thread(start_process, command)
        await asyncio.sleep(3)  # let it start and use up its burst allowance
    try:
        return [ms for each in await asyncio.gather(*(one.run(seconds) for one in clients)) for ms in each]
    finally:
        if attacker is not None:
            attacker.kill()
            attacker.wait()
            await asyncio.sleep(1)


def percentiles(took: list[float]) -> tuple[float, float]:
    """Return p50 and p99."""
    cuts = statistics.quantiles(took, n=100)
    return cuts[49], cuts[98]


async def measure(chosen: argparse.Namespace, folder: Path) -> None:
    """Measure each attack with and without limits."""
    for limits in chosen.limits.split(","):
        service = await asyncio.to_thread(Service, folder, limits, chosen.extra)
        try:
            async with grpc.aio.insecure_channel(service.address) as channel:
                stub: Any = games_pb2_grpc.GamesStub(channel)
                clients = [NormalClient(stub, number) for number in range(NORMAL_CLIENTS)]
                for one in clients:
                    await one.prepare()
                await measure_latency(service, "", clients, 1)
                alone = percentiles(await measure_latency(service, "", clients, chosen.seconds))
                usual = percentiles(await measure_latency(service, "spin", clients, chosen.seconds))
                print(f"limits {limits}: alone {alone[0]:.1f} / {alone[1]:.1f} ms (p50 / p99)", flush=True)
                print(f"    {'computing':14} {usual[0]:7.1f} {usual[1]:8.1f} ms", flush=True)
                for attack in chosen.attacks.split(","):
                    p50, p99 = percentiles(await measure_latency(service, attack, clients, chosen.seconds))
                    print(
                        f"    {attack:14} {p50:7.1f} {p99:8.1f} ms   x {p50 / usual[0]:5.1f} {p99 / usual[1]:6.1f}"
                        f"   {service.server.kilobytes() / 1024:6.0f} MB",
                        flush=True,
                    )
        finally:
            service.server.close()


def main() -> int:
    """Print latencies of normal clients during each attack."""
    parser = argparse.ArgumentParser(prog="bench_hostile")
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--attacks", default=",".join(ATTACKS))
    parser.add_argument("--limits", default="off,on")
    parser.add_argument("--extra", action="append", default=[], metavar="VARIABLE=VALUE")
    parser.add_argument("--attacker", nargs=4, metavar=("ATTACK", "ADDRESS", "GAME", "RECORD"), help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.attacker:
        name, address, game, record = chosen.attacker

        async def attack() -> None:
            await Attacker(address, game, record).attack(name)

        uvloop.run(attack())
        return 0
    with TemporaryDirectory() as folder:
        uvloop.run(measure(chosen, Path(folder)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
