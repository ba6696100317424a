"""Clocks that run out while processes die: each is declared once, by whoever is left, and no game stands still."""

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


class Clocked:
    """A process whose clock is set by this test."""

    def __init__(self, url: str, folder: Path, name: str) -> None:
        self._ahead = folder / f"{name}.ahead"
        self.set_ahead(0)
        program = (sys.executable, "-m", "tests.service.clocked_process", url, str(folder), name)
        self.process = subprocess.Popen(program, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        assert self.address, "it serves"

    def set_ahead(self, milliseconds: int) -> None:
        """What its clock shows more than this machine's; whole at once, as it may be looking."""
        beside = self._ahead.with_suffix(".next")
        beside.write_text(str(milliseconds))
        beside.replace(self._ahead)

    def kill(self) -> None:
        """Without a word, unless it is dead."""
        self.process.kill()
        self.process.wait()


@contextmanager
def clocked(url: str, folder: Path, name: str) -> Iterator[Clocked]:
    made = Clocked(url, folder, name)
    try:
        yield made
    finally:
        made.kill()
        assert made.process.stdout is not None
        made.process.stdout.close()


async def until_ended(api: Api, games: int) -> None:
    """Wait until all games are over."""
    request = games_pb2.ListGamesRequest(status=game_pb2.GAME_STATUS_ENDED, page_size=200)
    async with asyncio.timeout(SECONDS):
        while len((await api.games.ListGames(request)).games) < games:  # noqa: ASYNC110  # so many streams say no more
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("place", [BEFORE, DURING, AFTER])
async def test_a_process_that_is_killed_while_it_declares_leaves_nothing_twice_and_nothing_out(
    postgres: Server, tmp_path: Path, place: str
) -> None:
    (tmp_path / "one.stop").write_text(f"3 {place}")
    with ExitStack() as stack:
        url = stack.enter_context(postgres.database())
        one, other = (stack.enter_context(clocked(url, tmp_path, name)) for name in ("one", "other"))
        async with grpc.aio.insecure_channel(one.address) as here, grpc.aio.insecure_channel(other.address) as there:
            expected: dict[str, list[int]] = {}
            for number in range(8):
                api = Api((here, there)[number % 2])
                two, _ = await api.create(time_control=RESIGN)
                three, _ = await api.create(SEAT(), SEAT(), SEAT(), time_control=RESIGN)
                expected |= {two.game_id: [1], three.game_id: [1, 2]}
            played_on, _ = await Api(here).create(SEAT(), SEAT(bot="random"), time_control=BOT)
            expected[played_on.game_id] = [1]
            api = Api(there)
            one.set_ahead(HOUR)
            await until((tmp_path / "one.stopped").exists)
            running = games_pb2.ListGamesRequest(status=game_pb2.GAME_STATUS_RUNNING, page_size=200)
            assert len((await api.games.ListGames(running)).games) > 8, "most are left to the others"
            one.kill()
            third = stack.enter_context(clocked(url, tmp_path, "third"))
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
            assert Counter(kind_names(items)) == total, "and each is told once"
