"""Servers, databases and connections are killed at random moments while clients play; no answered command is lost.

Each campaign prints its seed. ``KILLS_SEED`` repeats its choices, but not the exact moments of the kills.
"""

from __future__ import annotations

import asyncio
import os
import random
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
import pytest
from tests.campaign.clients import Clients, Table, wait_for_any
from tests.campaign.evidence import PLATFORM, check_all, check_answers, copy_answers, open_application
from tests.campaign.processes import ServerProcess, SmallDisk, small_disk
from tests.databases import servers
from tests.databases.faulty_proxy import FaultyProxy
from tests.databases.servers import Server
from tests.service.api_server import Api, bearer
from tests.service.keys import NOW, OPERATOR_TOKEN
from tests.service.outside.conftest import SITE, on_the_path
from tests.service.receivers import Receiver, run_receiver
from tests.waiting import SECONDS, until

from boardkeeper.service.auth.key_management import create_key
from boardkeeper.service.auth.scopes import SCOPES
from boardkeeper.titles import registry
from boardkeeper.v1 import history_pb2, webhooks_pb2

pytestmark = pytest.mark.socket

_PLAYERS = 5
"""The number of games that are played at the same time."""

_BATCHES = 4
_KILLS = 50
"""The number of kills in each batch, in addition to the other faults."""

_SQLITE_DISK, _POSTGRES_DISK = 64, 192
"""Mebibytes."""

_VERIFIED = {history_pb2.VERIFICATION_STATUS_HOLDS, history_pb2.VERIFICATION_STATUS_NOT_YET}
_TITLES = "orleans,pebbles"

Fault = Callable[[], Awaitable[None]]


class Campaign:
    """Servers on one database, their clients, and the faults to inject."""

    def __init__(self, database: str, folder: Path, chance: random.Random, processes: int, *arguments: str) -> None:
        """``arguments`` are options of the servers; ``folder`` is for their logs."""
        token = folder / "operator"
        token.write_text(OPERATOR_TOKEN)
        token.chmod(0o600)
        self.database = database
        self.key = folder / "key"
        self.chance = chance
        settings = (*arguments, "--titles", _TITLES, "--any-webhook", "--operator-token-file", str(token))
        self.processes = [
            ServerProcess(f"server {number}", database, folder / f"server-{number}.log", *settings)
            for number in range(1, processes + 1)
        ]
        self.faults: dict[str, Fault] = {
            "kill a server": self._kill,
            "kill a server that starts": self._kill_while_it_starts,
            "terminate a server": self._terminate,
            "cut clients": self._cut,
            "swallow answers": self._swallow,
        }
        self.done: Counter[str] = Counter()
        self._playing: list[asyncio.Task[None]] = []
        self.clients: Clients

    async def run(self, plan: list[str], *, with_webhook: bool) -> None:
        """Inject these faults while clients play; check the stored data after each fault and at the end.

        A killed process holds its lease on the webhooks until it expires, so deliveries can take almost a minute.
        """
        made = create_key("lobby", tuple(SCOPES), NOW, platform=PLATFORM)
        with open_application(self.database, self.key) as application:
            application.event_log.writer.store(list(made.changes))
        try:
            for process in self.processes:
                await asyncio.to_thread(process.start)
            self.clients = Clients([it.relay.address for it in self.processes], made.secret, self.chance)
            async with run_receiver() as receiver:
                if with_webhook:
                    webhook = webhooks_pb2.CreateWebhookRequest(url=receiver.url)
                    await self.clients.call(
                        lambda api: api.webhooks.CreateWebhook(webhook, metadata=bearer(made.secret))
                    )
                await self._play(plan, receiver if with_webhook else None)
            await self.clients.close()
            for process in self.processes:
                await asyncio.to_thread(process.terminate)
        finally:
            for process in self.processes:
                process.close()
        await asyncio.to_thread(check_all, self.database, self.key, self.clients)

    async def _play(self, plan: list[str], receiver: Receiver | None) -> None:
        clients = self.clients
        self._playing = [asyncio.create_task(clients.play_tables()) for _ in range(_PLAYERS)]
        following = asyncio.create_task(clients.follow_feed())
        try:
            for name in plan:
                await self._progress(self.chance.randint(1, 12))
                await asyncio.sleep(self.chance.random() / 20)  # anywhere in the server's work
                await self.faults[name]()
                self.done[name] += 1
                await self._check_answers()
            await self._progress(20)
            clients.is_enough = True
            await asyncio.gather(*self._playing)
            for table in clients.tables:
                await self._verify(table)
            await self._wait_for_followers(receiver)
        finally:
            for task in (*self._playing, following):
                task.cancel()
            ended = await asyncio.gather(*self._playing, following, return_exceptions=True)
        assert all(it is None or isinstance(it, asyncio.CancelledError) for it in ended), ended

    async def _verify(self, table: Table) -> None:
        """Verify the chain, the dice and the decisions of a game."""
        request = history_pb2.VerifyGameRequest(game_id=table.game)
        answer = await self.clients.call(lambda api: api.history.VerifyGame(request, metadata=bearer(OPERATOR_TOKEN)))
        assert {level.status for level in answer.verification.levels} <= _VERIFIED, answer

    async def _progress(self, commands: int) -> None:
        """Wait until this number of further commands is answered."""
        enough = self.clients.answered + commands
        await wait_for_any(self._playing, lambda: self.clients.answered >= enough)

    async def _check_answers(self) -> None:
        """Check the running games and those that finished recently."""
        for table in self.clients.tables[-2 * _PLAYERS :]:
            if table.game:
                before = copy_answers(table)
                least = max(before[1].values(), default=0)
                read = partial(Api.events, game_id=table.game, token=OPERATOR_TOKEN, min_version=least)
                events = await self.clients.call(read)
                check_answers(before, ((event.version, event.command_id) for event in events))

    async def _wait_for_followers(self, receiver: Receiver | None) -> None:
        """Wait until the client that follows the feed and the webhook receiver have all items, and compare them."""
        items = await self.clients.call(self.clients.read_whole_feed)
        await until(lambda: len(self.clients.items) >= len(items))
        assert self.clients.items == items
        if receiver is None:
            return
        await receiver.wait_until(lambda: len(set(receiver.ids)) >= len(items))
        first = {id: message.json for id, message in reversed(list(zip(receiver.ids, receiver.received, strict=True)))}
        posted: dict[str, list[tuple[int, str]]] = {}
        for body in reversed(first.values()):
            data = body["data"]
            posted.setdefault(data["game_id"], []).append((data["version"], body["type"].removeprefix("game.")))
        expected: dict[str, list[tuple[int, str]]] = {}
        for game, version, kind, _ in items:
            expected.setdefault(game, []).append((version, kind))
        assert posted == expected

    # --- faults -------------------------------------------------------------------------------------------------

    async def _kill(self) -> None:
        process = self.chance.choice(self.processes)
        process.kill()
        if len(self.processes) > 1 and self.chance.random() < 0.5:
            await self._progress(3)  # the other one continues alone
        await asyncio.to_thread(process.start)

    async def _kill_while_it_starts(self) -> None:
        process = self.chance.choice(self.processes)
        process.kill()
        begun = process.begin()
        await asyncio.to_thread(begun.wait, self.chance.random())
        process.kill()
        await asyncio.to_thread(process.start)

    async def _terminate(self) -> None:
        process = self.chance.choice(self.processes)
        await asyncio.to_thread(process.terminate)
        await asyncio.to_thread(process.start)

    async def _cut(self) -> None:
        self.chance.choice(self.processes).relay.cut()

    async def _swallow(self) -> None:
        """Drop the answers of a server for a while; then often kill it."""
        process = self.chance.choice(self.processes)
        relay = process.relay
        before = relay.swallowed
        relay.swallows = True
        await wait_for_any(self._playing, lambda: relay.swallowed > before + 2_000)
        relay.swallows = False
        relay.cut()
        if self.chance.random() < 0.5:
            self.done["kill a server"] += 1
            await self._kill()


class OnSmallDisk(Campaign):
    """A campaign on a disk that sometimes is full."""

    def use_disk(self, disk: SmallDisk) -> None:
        self._disk = disk
        self.faults["fill the disk"] = self._fill

    async def _fill(self) -> None:
        """Fill the disk until a command fails; sometimes kill and start a server while the disk is full."""
        reasons = self.clients.reasons
        before = reasons["STORAGE_FAILED"]
        self._disk.fill()
        await self._exhaust()
        await wait_for_any(self._playing, lambda: reasons["STORAGE_FAILED"] > before or self._is_lost())
        killed = self.chance.choice(self.processes) if self.chance.random() < 0.5 else None
        if killed is not None:
            killed.kill()
            self.done["kill a server"] += 1
            if self.chance.random() < 0.5:
                begun = killed.begin()
                await asyncio.to_thread(begun.wait, SECONDS)
                self.done["starts on a full disk" if killed.relay.target else "does not start on a full disk"] += 1
                killed.kill()
        self._disk.free()
        await self._recover()
        if killed is not None:
            await asyncio.to_thread(killed.start)
        await self._progress(1)

    async def _exhaust(self) -> None:
        """Make the database need more space."""

    def _is_lost(self) -> bool:
        return False

    async def _recover(self) -> None:
        """Start the database again if the full disk stopped it."""


class OnPostgres(OnSmallDisk):
    """A campaign that also restarts the database and cuts connections to it."""

    def use_server(self, server: Server, proxies: list[FaultyProxy]) -> None:
        self._server = server
        self._proxies = proxies
        self.faults["lose a commit's answer"] = self._lose_answer
        self.faults["terminate backends"] = self._terminate_backends
        for name, stop in (
            ("stop PostgreSQL at once", server.stop),
            ("shut PostgreSQL down", server.shut_down),
            ("kill PostgreSQL", server.kill),
        ):
            self.faults[name] = self._restart(stop)

    def _restart(self, stop: Callable[[], None]) -> Fault:
        async def restart() -> None:
            await asyncio.to_thread(stop)
            if self.chance.random() < 0.3:
                self.done["kill a server"] += 1
                process = self.chance.choice(self.processes)
                process.kill()
                await asyncio.to_thread(self._server.start)
                await asyncio.to_thread(process.start)
            else:
                await asyncio.to_thread(self._server.start)
            await self._progress(1)

        return restart

    async def _lose_answer(self) -> None:
        """Close a server's connection to the database after a commit, before its answer arrives."""
        proxy = self.chance.choice(self._proxies)
        before = proxy.losses
        proxy.lost_answer = self.chance.choice([b"SELECT 1\0", b"COMMIT\0"])
        await wait_for_any(self._playing, lambda: proxy.losses > before)
        proxy.lost_answer = b""

    async def _terminate_backends(self) -> None:
        def terminate() -> None:
            with psycopg.connect(self.database, autocommit=True) as connection:
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )

        await asyncio.to_thread(terminate)

    def _is_lost(self) -> bool:
        return not self._server.is_running()

    async def _exhaust(self) -> None:
        """Make PostgreSQL need new files of its write-ahead log: without them it ends and cannot recover."""
        if self.chance.random() < 0.5:
            return

        def write() -> None:
            with suppress(psycopg.Error), psycopg.connect(self.database, autocommit=True) as connection:
                for _ in range(20):
                    connection.execute("SELECT pg_logical_emit_message(true, 'full', 'disk'), pg_switch_wal()")

        await asyncio.to_thread(write)

    async def _recover(self) -> None:
        while True:
            if self._is_lost():
                self.done["PostgreSQL ends on a full disk"] += 1
                await asyncio.to_thread(self._server.start)
            with suppress(psycopg.Error), psycopg.connect(self.database):
                return
            await asyncio.sleep(0.05)


# --- campaigns ---------------------------------------------------------------------------------------------------


@pytest.fixture
def pebbles(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Allow this process and the servers to load a short game of another package."""
    with on_the_path(SITE, monkeypatch):
        registry.allow("pebbles")
        yield


@contextmanager
def seeded_chance(name: str) -> Iterator[random.Random]:
    """Provide the random numbers of a campaign; if it fails, add the seed to the error."""
    seed = os.environ.get("KILLS_SEED") or secrets.token_hex(4)
    try:
        yield random.Random(f"{name} {seed}")
    except BaseException as error:
        test = os.environ.get("PYTEST_CURRENT_TEST", "").partition(" ")[0]
        error.add_note(f"seed {seed}; repeat: KILLS_SEED={seed} python -m pytest '{test}'")
        raise


def make_plan(chance: random.Random, faults: dict[str, int]) -> list[str]:
    """Return these faults in random order, each this number of times."""
    plan = [name for name, times in faults.items() for _ in range(times)]
    chance.shuffle(plan)
    return plan


async def run_on_sqlite(folder: Path, name: str, faults: dict[str, int], *, with_webhook: bool) -> Counter[str]:
    """Run a campaign on a SQLite file; return how often each fault happened."""
    with seeded_chance(name) as chance, small_disk(_SQLITE_DISK) as disk:
        place = disk.folder if disk is not None else folder
        campaign = OnSmallDisk(str(place / "games.db"), folder, chance, 1, "--heartbeat-seconds", "1")
        if disk is not None:
            campaign.use_disk(disk)
        await campaign.run(
            make_plan(chance, {it: faults[it] for it in faults if it in campaign.faults}), with_webhook=with_webhook
        )
        return report(campaign)


async def run_on_postgres(folder: Path, name: str, faults: dict[str, int], *, with_webhook: bool) -> Counter[str]:
    """Run a campaign with two server processes on PostgreSQL; return how often each fault happened."""
    if servers.missing_reason():
        pytest.skip(servers.missing_reason())
    with seeded_chance(name) as chance, ExitStack() as stack:
        disk = stack.enter_context(small_disk(_POSTGRES_DISK))
        settings = ("shared_buffers=32MB", "max_wal_size=64MB", "min_wal_size=32MB")
        server = servers.start_server(*settings, within=disk.folder if disk is not None else None)
        stack.callback(server.close)
        url = stack.enter_context(server.database())
        proxies = [
            FaultyProxy(
                Path(stack.enter_context(TemporaryDirectory(prefix="bkproxy-", dir="/tmp"))),
                f"{server.host}/.s.PGSQL.5432",
            )
            for _ in range(2)
        ]
        campaign = OnPostgres(url, folder, chance, 2, "--heartbeat-seconds", "1", "--key-file", str(folder / "key"))
        for proxy, process in zip(proxies, campaign.processes, strict=True):
            stack.callback(proxy.close)
            process.use_database(url.replace(server.host, str(proxy.folder)))
        campaign.use_server(server, proxies)
        if disk is not None:
            campaign.use_disk(disk)
        await campaign.run(
            make_plan(chance, {it: faults[it] for it in faults if it in campaign.faults}), with_webhook=with_webhook
        )
        return report(campaign)


def report(campaign: Campaign) -> Counter[str]:
    """Print what happened in a campaign; return how often each fault happened."""
    clients = campaign.clients
    counts: dict[str, Any] = {
        "faults": dict(campaign.done),
        "games": len(clients.tables),
        "answered": clients.answered,
        "rejected": sum(len(table.rejected) for table in clients.tables),
        "found stored": clients.repeated,
        "sent again": dict(clients.reasons),
        "items": len(clients.items),
    }
    print(counts)  # noqa: T201  # pytest shows it with -s and for failed tests
    return campaign.done


FEW_SQLITE = {"kill a server": 3, "kill a server that starts": 1, "swallow answers": 1, "fill the disk": 1}
FEW_POSTGRES = {
    "kill a server": 3,
    "swallow answers": 1,
    "lose a commit's answer": 2,
    "kill PostgreSQL": 1,
    "fill the disk": 1,
}
MANY_SQLITE = {
    "kill a server": _KILLS,
    "kill a server that starts": 6,
    "terminate a server": 4,
    "cut clients": 5,
    "swallow answers": 8,
    "fill the disk": 8,
}
MANY_POSTGRES = MANY_SQLITE | {
    "lose a commit's answer": 12,
    "terminate backends": 4,
    "stop PostgreSQL at once": 4,
    "shut PostgreSQL down": 4,
    "kill PostgreSQL": 4,
    "fill the disk": 4,
}


@pytest.mark.usefixtures("pebbles")
async def test_a_few_kills_on_sqlite(tmp_path: Path) -> None:
    await run_on_sqlite(tmp_path, "a few", FEW_SQLITE, with_webhook=False)


@pytest.mark.postgres
@pytest.mark.usefixtures("pebbles")
async def test_a_few_kills_on_postgresql(tmp_path: Path) -> None:
    await run_on_postgres(tmp_path, "a few", FEW_POSTGRES, with_webhook=False)


@pytest.mark.soak
@pytest.mark.usefixtures("pebbles")
@pytest.mark.parametrize("batch", range(_BATCHES))
async def test_soak_kills_on_sqlite(tmp_path: Path, batch: int) -> None:
    done = await run_on_sqlite(tmp_path, f"batch {batch}", MANY_SQLITE, with_webhook=True)
    assert done["kill a server"] >= _KILLS


@pytest.mark.soak
@pytest.mark.postgres
@pytest.mark.usefixtures("pebbles")
@pytest.mark.parametrize("batch", range(_BATCHES))
async def test_soak_kills_on_postgresql(tmp_path: Path, batch: int) -> None:
    done = await run_on_postgres(tmp_path, f"batch {batch}", MANY_POSTGRES, with_webhook=True)
    assert done["kill a server"] >= _KILLS
