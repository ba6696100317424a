"""Starts, runs and stops the server."""

from __future__ import annotations

import asyncio
import faulthandler
import gc
import secrets
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
import structlog

from boardkeeper.service.api.access import AccessServicer
from boardkeeper.service.api.catalog import CatalogServicer
from boardkeeper.service.api.feed import FeedServicer
from boardkeeper.service.api.games import GamesServicer
from boardkeeper.service.api.history import HistoryServicer
from boardkeeper.service.api.players import PlayersServicer
from boardkeeper.service.api.webhooks import WebhooksServicer
from boardkeeper.service.auth.access_control import AccessControl, check_keys_exist, requires_keys
from boardkeeper.service.cache.game_registry import GameRegistry
from boardkeeper.service.config import Config
from boardkeeper.service.feed.feed import Feed
from boardkeeper.service.games.bot_processes import BotProcesses
from boardkeeper.service.games.bots import Bots
from boardkeeper.service.games.clock_expiry import ClockExpiry
from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.games.game_clock import GameClock
from boardkeeper.service.games.game_creator import GameCreator
from boardkeeper.service.games.records import Records
from boardkeeper.service.games.seat_manager import SeatManager
from boardkeeper.service.limits.admission import Admission
from boardkeeper.service.observability.counters import CallCounters
from boardkeeper.service.observability.logs import configure_logging
from boardkeeper.service.observability.metrics_server import LoopCollector, MetricsServer
from boardkeeper.service.observability.start_tracing import start_tracing
from boardkeeper.service.process.background import (
    check_chains,
    delete_old_invitations,
    sweep_regularly,
    watch_last_backup,
)
from boardkeeper.service.process.front import Front, wait_until_idle
from boardkeeper.service.process.parent_process import READY, STOPPING, WorkerLink, notify_manager
from boardkeeper.service.process.rpcs import Rpcs
from boardkeeper.service.process.service_metrics import ServiceMetrics
from boardkeeper.service.process.storage_health import StorageHealth
from boardkeeper.service.process.warm_up import warm_up
from boardkeeper.service.requests import errors
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.seeded_ids import Seeded
from boardkeeper.service.served_titles import ServedTitles
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.transport.guard import AnyServiceDescriptor, Rpc
from boardkeeper.service.transport.tls import certificates_of
from boardkeeper.service.webhooks import dispatcher as webhooks
from boardkeeper.service.webhooks.dispatcher import WebhookDispatcher
from boardkeeper.table import zones
from boardkeeper.v1 import access_pb2, catalog_pb2, feed_pb2, games_pb2, history_pb2, players_pb2, webhooks_pb2

if TYPE_CHECKING:
    from boardkeeper.service.observability.tracing import Tracing

_T = TypeVar("_T")
_log = structlog.get_logger("boardkeeper.server")

_GC_THRESHOLDS = 2_000, 20, 250
"""Thresholds of the garbage collector: frequent short collections of young objects.

A full collection runs after ten million objects: games have no reference cycles, and it takes a second with thousands
of games in memory.
"""
_SWITCH_SECONDS = 0.001
"""The time after which a thread must give the interpreter to the event loop (Python's default: 5 ms)."""


class Service:
    """One server, from :meth:`start` to :meth:`stop`.

    While it runs, ``metrics_address`` is the address of its metrics, if the settings enable them.
    """

    def __init__(
        self,
        config: Config,
        notify: Callable[[str], None] | None = None,
        seeded: Seeded | None = None,
        *,
        read_only: bool = False,
        shares_port: bool = False,
        middleware: Callable[[Rpc], Rpc] = lambda rpc: rpc,
    ) -> None:
        """``notify`` is called with sentences for the operator, for example about damaged games.

        ``seeded`` makes the games of a demo reproducible. A ``read_only`` server serves a file for one command: bots do
        not move, and it does not store its address. ``shares_port`` lets other processes listen on the same port.
        ``middleware`` wraps each RPC: the conformance kit injects faults with it.
        """
        self._config = config
        self._seeded = seeded
        self._read_only = read_only
        self._middleware = middleware
        self._notify = notify
        self._application: GameApplication | None = None
        self._background: list[asyncio.Task[None]] = []
        self._exposition: MetricsServer | None = None
        self._tracing: Tracing | None = None
        self._is_healthy = False
        self._calls = CallCounters()
        self._front = Front(config, self._calls, has_web=config.has_web and not read_only, shares_port=shares_port)
        self.metrics_address = ""

    @property
    def address(self) -> str:
        """The address for gRPC clients; empty before :meth:`start`."""
        return self._front.address

    @property
    def web_address(self) -> str:
        """The URL for browsers; empty if there is no web client."""
        return self._front.web_address

    async def start(self) -> None:
        """Open the database and listen. Raises :class:`StartupError` with nothing left open."""
        config = self._config
        certificates = certificates_of(config)
        metrics = config.metrics_address
        self._admission = Admission(config, requires_keys=requires_keys(config))
        self._titles = titles = ServedTitles(config.titles)
        # Open the database first, so that its errors are reported even if the port is in use.
        application = GameApplication.open(
            config.database,
            titles.load,
            synchronous=config.synchronous,
            queue_limit=config.queue_limit,
            key_file=config.key_file,
            notify=config.notify,
            archive=config.archive,
            missing=lambda title: ApiError("TITLE_NOT_SERVED", title=title),
        )
        try:
            check_keys_exist(config, application.database)
            webhooks.import_extras()
            warm_up(application, titles.metas(), titles.load)  # before the server listens, so that no call waits for it
            self._front.bind(certificates)
            if metrics is not None:
                self._exposition = MetricsServer(*metrics)
            if config.tracing:
                self._tracing = start_tracing(config.tracing, config.trace_share, server_build())
        except BaseException:
            await self._front.close(0.0)
            application.discard()
            self._close_telemetry()
            raise
        try:
            self._registry = GameRegistry(
                application,
                limit=config.games_in_memory,
                max_bytes=config.memory_for_games * 1_000_000,
                idle_seconds=config.idle_seconds,
                max_watchers=config.watchers_of_a_game,
            )
            reference = await asyncio.to_thread(application.database.expiries.now)
            self._clock = GameClock(reference)
            self._handler = CommandHandler(self._registry, clock=self._clock)
            self._bots = Bots(self._handler, BotProcesses(config.bot_processes, config.titles), config.bot_rollouts)
            self._clock_expiry = ClockExpiry(self._handler, self._clock)
            self._feed = Feed(application, self._registry.drained.is_set)
            self._handler.writer.on_feed_items = self._feed.wake
            self._webhooks = WebhookDispatcher(application, self._feed, insecure=config.webhooks_insecure)
            self._registry.peer_sync.on_changes = self._feed.receive
            self._rpcs = self._create_rpcs(Records(self._handler, titles.load, application.database.key))
            self._serve_metrics()
            await self._set_health(True)
            await self._front.open(self._rpcs, self._admission, self._accepts_calls)
            if not self._read_only:
                application.database.record_address(self._front.public_address)
                self._registry.peer_sync.start()
                self._bots.start()
        except BaseException:
            await self._front.close(0.0)
            application.close()
            self._close_telemetry()
            raise
        self._application = application
        background = [
            sweep_regularly(self._registry),
            self._registry.snapshots.run(),
            self._registry.peer_sync.run(),
            *([] if self._read_only else [self._clock_expiry.run()]),
            self._feed.run(),
            StorageHealth(application, self._set_health).run(),
            watch_last_backup(application),
            asyncio.to_thread(errors.load),
        ]
        if not self._read_only:
            background += [
                self._feed.prune_regularly(config.feed_days, self._handler.clock),
                delete_old_invitations(application, self._handler.clock),
                self._webhooks.run(),
            ]
        if not application.database.is_shared:  # otherwise each process would check all games
            background.append(check_chains(application, self._notify))
        self._background = [asyncio.create_task(one) for one in background]
        if application.database.checkpoint_problem:
            _log.error("older than its checkpoint", problem=application.database.checkpoint_problem)
            if self._notify is not None:
                self._notify(f"{application.database.checkpoint_problem}.")
        addresses = self._front.addresses
        optional = {
            "addresses": " ".join(addresses) if len(addresses) > 1 else "",
            "web": self.web_address,
            "metrics": self.metrics_address,
        }
        _log.info(
            "listening",
            address=self.address,
            database=application.database.name,
            rules=rules_build(),
            **{name: address for name, address in optional.items() if address},
        )

    async def stop(self) -> None:
        """Reject new calls, finish open ones, end the streams, and close the database."""
        application, self._application = self._application, None
        if application is None:
            return
        _log.info("stopping")
        for task in self._background:
            task.cancel()
        try:
            await self._rpcs.shut_down()
            await self._bots.stop()
            self._registry.drain()
            self._feed.drain()
            self._admission.release()
            left = await wait_until_idle(self._calls, self._config.drain_seconds, self._config.grace_seconds)
            await self._front.close(left)
        except asyncio.CancelledError:
            await self._front.close(0.0)
            raise
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, application.close)
        await loop.run_in_executor(None, self._close_telemetry)
        _log.info("stopped")

    def _serve_metrics(self) -> None:
        """Serve the metrics, if the settings enable them."""
        if self._exposition is not None:
            metrics = ServiceMetrics(
                server_build(),
                self._calls,
                self._handler,
                self._bots,
                self._clock_expiry,
                self._clock,
                self._admission,
                self._feed,
                self._webhooks,
            )
            self._exposition.register(LoopCollector(asyncio.get_running_loop(), metrics.collect))
            self.metrics_address = self._exposition.address

    def _close_telemetry(self) -> None:
        exposition, self._exposition = self._exposition, None
        if exposition is not None:
            exposition.close()
        tracing, self._tracing = self._tracing, None
        if tracing is not None:
            tracing.close()

    def _create_rpcs(self, records: Records) -> Rpcs:
        config, registry, seeded = self._config, self._registry, self._seeded
        application = registry.application
        access_control = AccessControl(
            application,
            config.operator_token,
            required=requires_keys(config),
            accepts_certificates=bool(config.tls_client_ca),
        )
        heartbeat, slow_reader = config.heartbeat_seconds, config.slow_reader_seconds
        wait = config.wait_seconds
        seats = SeatManager(self._handler, random_bytes=seeded.random_bytes if seeded else secrets.token_bytes)
        servicers = {
            _descriptor(access_pb2, "Access"): AccessServicer(application, access_control),
            _descriptor(catalog_pb2, "Catalog"): CatalogServicer(self._titles.metas, self._titles.load),
            _descriptor(feed_pb2, "Feed"): FeedServicer(
                registry, self._feed, heartbeat_seconds=heartbeat, slow_reader_seconds=slow_reader
            ),
            _descriptor(games_pb2, "Games"): GamesServicer(
                self._handler,
                self._game_creator(),
                seats,
                heartbeat_seconds=heartbeat,
                slow_reader_seconds=slow_reader,
                wait_seconds=wait,
            ),
            _descriptor(history_pb2, "History"): HistoryServicer(registry, records, wait_seconds=wait),
            _descriptor(players_pb2, "Players"): PlayersServicer(self._handler, seats),
            _descriptor(webhooks_pb2, "Webhooks"): WebhooksServicer(application, self._webhooks),
        }
        return Rpcs(
            servicers,
            access_control,
            self._calls,
            self._admission,
            draining=registry.drained.is_set,
            tracing=self._tracing,
            middleware=self._middleware,
            has_reflection=config.reflection,
        )

    async def _set_health(self, works: bool) -> None:
        self._is_healthy = works
        await self._rpcs.set_health(works)

    def _accepts_calls(self) -> bool:
        return self._is_healthy and not self._registry.draining

    def _game_creator(self) -> GameCreator:
        handler, load, reserve = self._handler, self._titles.load, self._bots.reserve_bot_game
        if self._seeded is None:
            key = self._registry.application.database.key.id
            return GameCreator(handler, load, server_build(), server_key=key, reserve_bot_game=reserve)
        return GameCreator(  # a demo does not depend on the key
            handler,
            load,
            server_build(),
            new_id=self._seeded.new_id,
            random_bytes=self._seeded.random_bytes,
            reserve_bot_game=reserve,
        )


def _descriptor(module: Any, service: str) -> AnyServiceDescriptor:
    return module.DESCRIPTOR.services_by_name[service]


async def serve(
    config: Config,
    stop: asyncio.Event,
    started: Callable[[str], None] | None = None,
    notify: Callable[[str], None] | None = None,
    seeded: Seeded | None = None,
    *,
    read_only: bool = False,
    shares_port: bool = False,
) -> None:
    """Run a service until ``stop`` is set; ``started`` is called with the address.

    ``notify`` is called with sentences for the operator: where to connect, and that games are damaged.

    Raises :class:`StartupError`.
    """
    service = Service(config, notify, seeded, read_only=read_only, shares_port=shares_port)
    await service.start()
    try:
        if started is not None:
            started(service.address)
        if notify is not None and config.log == "console" and not shares_port:
            notify(_welcome(service.address, service.web_address))
        await stop.wait()
    finally:
        await service.stop()


def _welcome(address: str, web_address: str) -> str:
    """Return a sentence with the addresses for browsers and clients."""
    if not web_address:
        where = f"gRPC clients connect to {address}."
    elif web_address == address:  # a Unix socket
        where = f"All clients connect to {address}."
    else:
        where = f"Open {web_address} in a browser. All other clients connect to the same address"
        is_same = web_address.rpartition(":")[2] == address.rpartition(":")[2]
        where += "." if is_same else f"; gRPC clients can also use {address}."
    return f"{where} Press Ctrl-C to stop."


def run(config: Config, notify: Callable[[str], None] | None = None, link: WorkerLink | None = None) -> int:
    """Run a service in the foreground until SIGTERM or SIGINT; a second signal ends it at once.

    ``notify`` is called with sentences for the person at the terminal. With a ``link`` this process is one of several
    workers, and ends with its supervisor. Returns an exit status. Raises :class:`StartupError`.
    """
    faulthandler.enable()  # after a crash, print the stack of each thread
    configure_logging(config.log)
    # Imported modules are never freed: exclude them from garbage collections.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_GC_THRESHOLDS)
    sys.setswitchinterval(_SWITCH_SECONDS)
    return run_loop(_run_until_signal(config, notify, link))


async def _run_until_signal(config: Config, notify: Callable[[str], None] | None, link: WorkerLink | None) -> int:
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    task = asyncio.current_task()

    def on_signal() -> None:
        if stop.is_set() and task is not None:
            task.cancel()
        elif link is None:
            notify_manager(STOPPING)
        stop.set()

    with suppress(NotImplementedError):  # Windows has no signal handlers on loops
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, on_signal)
    if link is not None:
        link.watch(stop)

    def started(_address: str) -> None:
        if link is not None:
            link.report_ready()
        else:
            notify_manager(READY)

    try:
        await serve(config, stop, started, notify, shares_port=link is not None)
    except asyncio.CancelledError:
        return 130
    return 0


@contextmanager
def running_service(
    database: Path | str, *, seeded: Seeded | None = None, read_only: bool = False, **settings: Any
) -> Iterator[str]:
    """Run a service on a free port of this machine, on a thread of this process; yield its address.

    ``settings`` are fields of :class:`Config`; for ``seeded`` and ``read_only`` see :class:`Service`. Raises
    :class:`StartupError`.
    """
    with running(database, seeded=seeded, read_only=read_only, **settings) as service:
        yield service.address


@contextmanager
def running(
    database: Path | str, *, seeded: Seeded | None = None, read_only: bool = False, **settings: Any
) -> Iterator[Service]:
    """Run a service as :func:`running_service` does, and yield it. Its event loop runs on another thread."""
    config = msgspec.structs.replace(
        Config(database=str(database), listen="127.0.0.1:0", log="off", grace_seconds=1.0), **settings
    )
    configure_logging(config.log)
    runner = _new_runner()
    loop = runner.get_loop()

    def run_loop_until_stopped() -> None:
        with runner:  # closes the loop on its own thread
            loop.run_forever()

    thread = threading.Thread(target=run_loop_until_stopped, name="boardkeeper-service")
    thread.start()
    try:
        service = Service(config, seeded=seeded, read_only=read_only)
        asyncio.run_coroutine_threadsafe(service.start(), loop).result()
        try:
            yield service
        finally:
            asyncio.run_coroutine_threadsafe(service.stop(), loop).result()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


def run_loop(main: Coroutine[Any, Any, _T]) -> _T:
    """Run a coroutine on a new loop."""
    with _new_runner() as runner:
        return runner.run(main)


def _new_runner() -> asyncio.Runner:
    """Return a runner with uvloop; on Windows, where uvloop does not exist, with the default loop."""
    if sys.platform == "win32":
        return asyncio.Runner()
    import uvloop  # noqa: PLC0415

    return asyncio.Runner(loop_factory=uvloop.new_event_loop)


def server_build() -> str:
    """Return the name and version of the installed distribution."""
    try:
        return f"boardkeeper {version('boardkeeper')}"
    except PackageNotFoundError:
        return "boardkeeper unknown"


def rules_build() -> str:
    """Return how the rules run in this process: ``compiled`` (docs/running.md) or ``interpreted``."""
    return "interpreted" if zones.__file__.endswith(".py") else "compiled"
