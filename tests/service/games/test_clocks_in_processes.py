"""Expiries of clocks while processes die: each is declared once, by a process that still runs."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import grpc
import pytest
from tests.databases.servers import Server
from tests.service.api_server import Api
from tests.service.clocked_process import AFTER, BEFORE, DURING
from tests.service.feeds import kind_names, watch_items
from tests.waiting import SECONDS, until

from boardkeeper.v1 import event_pb2, feed_pb2, game_pb2, games_pb2, history_pb2

pytestmark = [pytest.mark.postgres, pytest.mark.socket]

SEAT = games_pb2.SeatRequest
RESIGN = event_pb2.TimeControl(kind="move", seconds=600, on_expiry="resign")
BOT = event_pb2.TimeControl(kind="game", seconds=600, on_expiry="bot")
HOUR = 3_600_000


class ClockedProcess:
    """A server process whose clock the test sets."""

    def __init__(self, url: str, folder: Path, name: str) -> None:
        self._ahead = folder / f"{name}.ahead"
        self.set_ahead(0)
        program = (sys.executable, "-m", "tests.service.clocked_process", url, str(folder), name)
        self.process = subprocess.Popen(program, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        assert self.address, "the server did not start"

    def set_ahead(self, milliseconds: int) -> None:
        """Set how far the process's clock is ahead; the file is replaced atomically, as the process may read it."""
        next_file = self._ahead.with_suffix(".next")
        next_file.write_text(str(milliseconds))
        next_file.replace(self._ahead)

    def kill(self) -> None:
        """Kill the process with SIGKILL, if it still runs."""
        self.process.kill()
        self.process.wait()


@contextmanager
def start_process(url: str, folder: Path, name: str) -> Iterator[ClockedProcess]:
    process = ClockedProcess(url, folder, name)
    try:
        yield process
    finally:
        process.kill()
        assert process.process.stdout is not None
        process.process.stdout.close()


async def until_ended(api: Api, games: int) -> None:
    """Wait until ``games`` games have ended."""
    request = games_pb2.ListGamesRequest(status=game_pb2.GAME_STATUS_ENDED, page_size=200)
    async with asyncio.timeout(SECONDS):
        while len((await api.games.ListGames(request)).games) < games:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("kill_point", [BEFORE, DURING, AFTER])
async def test_a_process_killed_while_it_declares_expiries_loses_and_repeats_none(
    postgres: Server, tmp_path: Path, kill_point: str
) -> None:
    (tmp_path / "one.stop").write_text(f"3 {kill_point}")
    with ExitStack() as stack:
        url = stack.enter_context(postgres.database())
        one, other = (stack.enter_context(start_process(url, tmp_path, name)) for name in ("one", "other"))
        async with grpc.aio.insecure_channel(one.address) as here, grpc.aio.insecure_channel(other.address) as there:
            expected: dict[str, list[int]] = {}
            for number in range(8):
                api = Api((here, there)[number % 2])
                two, _ = await api.create(time_control=RESIGN)
                three, _ = await api.create(SEAT(), SEAT(), SEAT(), time_control=RESIGN)
                expected |= {two.game_id: [1], three.game_id: [1, 2]}
            with_bot, _ = await Api(here).create(SEAT(), SEAT(bot="random"), time_control=BOT)
            expected[with_bot.game_id] = [1]
            api = Api(there)
            one.set_ahead(HOUR)
            await until((tmp_path / "one.stopped").exists)
            running = games_pb2.ListGamesRequest(status=game_pb2.GAME_STATUS_RUNNING, page_size=200)
            assert len((await api.games.ListGames(running)).games) > 8, "most games are left for the other processes"
            one.kill()
            third = stack.enter_context(start_process(url, tmp_path, "third"))
            for process in (other, third):
                process.set_ahead(HOUR)
            await until_ended(api, len(expected))
            for game, seats in expected.items():
                events = await api.events(game)
                assert [event.version for event in events] == list(range(1, len(events) + 1))
                assert sorted(it.seat for it in events if it.name == "TimeExpired") == seats
                verified = await api.history.VerifyGame(history_pb2.VerifyGameRequest(game_id=game))
                assert not verified.verification.problems
            total = Counter(time_expired=sum(map(len, expected.values())), ended=len(expected))
            kinds = [feed_pb2.FEED_ITEM_KIND_TIME_EXPIRED, feed_pb2.FEED_ITEM_KIND_ENDED]
            items, _ = await watch_items(api, total.total(), kinds=kinds)
            assert Counter(kind_names(items)) == total, "the feed has each item once"
