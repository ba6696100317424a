"""Starting, running and stopping the service."""

from __future__ import annotations

import asyncio
import faulthandler
import gc
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import grpc
import msgspec
import structlog
from grpc_health.v1 import health, health_pb2

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
from boardkeeper.service.process.chain_check import ChainCheck
from boardkeeper.service.process.draining import wait_until_idle
from boardkeeper.service.process.parent_process import READY, STOPPING, WorkerLink, notify_manager
from boardkeeper.service.process.periodic import delete_old_invitations, watch_last_backup
from boardkeeper.service.process.service_metrics import ServiceMetrics
from boardkeeper.service.process.storage_health import StorageHealth
from boardkeeper.service.process.warm_up import warm_up
from boardkeeper.service.requests import errors
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.seeded_ids import Seeded
from boardkeeper.service.served_titles import ServedTitles
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.transport.application import Application
from boardkeeper.service.transport.connections import Connections
from boardkeeper.service.transport.grpcio_server import bind_grpcio, channel_options, grpc_handler
from boardkeeper.service.transport.guard import AnyServiceDescriptor, Rpc, guarded_rpcs
from boardkeeper.service.transport.http2 import MOST_CALLS
from boardkeeper.service.transport.listeners import Listener, close
from boardkeeper.service.transport.origins import Origins
from boardkeeper.service.transport.reflection import SERVICE_NAMES, reflection_rpcs
from boardkeeper.service.transport.static_files import StaticFiles
from boardkeeper.service.transport.tls import Certificates, certificates_of, log_security
from boardkeeper.service.transport.web_application import WebApplication
from boardkeeper.service.webhooks import dispatcher as webhooks
from boardkeeper.service.webhooks.dispatcher import WebhookDispatcher
from boardkeeper.table import zones
from boardkeeper.v1 import access_pb2, catalog_pb2, feed_pb2, games_pb2, history_pb2, players_pb2, webhooks_pb2

if TYPE_CHECKING:
    from boardkeeper.service.observability.tracing import Tracing

_T = TypeVar("_T")
_log = structlog.get_logger("boardkeeper.server")

_SWEEP_SECONDS = 30.0
_GC_THRESHOLDS = 2_000, 20, 250
"""Thresholds of the garbage collector: frequent short collections of young objects.

A full collection runs after ten million objects: games have no reference cycles, and it takes a second with thousands
of games in memory.
"""
_STALL_FACTOR = 2.0
"""A slow reader gets an error when it reads again; a connection without reads is closed after this factor."""

_CONNECTION_SECONDS = 300.0
"""The time for which a connection accepts new calls if processes share a port, so that clients spread over them."""

_SWITCH_SECONDS = 0.001
"""The time after which a thread must give the interpreter to the event loop (Python's default: 5 ms)."""


class Service:
    """One server, from :meth:`start` to :meth:`stop`.

    While it runs, ``address`` is its address, ``web_address`` the URL for browsers, ``metrics_address`` that of the
    metrics.
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
        self._shares_port = shares_port
        self._middleware = middleware
        self._notify = notify
        self._application: GameApplication | None = None
        self._background: list[asyncio.Task[None]] = []
        self._exposition: MetricsServer | None = None
        self._tracing: Tracing | None = None
        self._server: grpc.aio.Server | None = None
        self._listeners: list[Listener] = []
        self._connections: Connections | None = None
        self._is_healthy = False
        self._calls = CallCounters()
        self.address = ""
        self.web_address = ""
        self.metrics_address = ""

    async def start(self) -> None:
        """Open the database and listen. Raises :class:`StartupError` with nothing left open."""
        config = self._config
        certificates = certificates_of(config)
        metrics = config.metrics_address
        self._admission = Admission(config, accepts_anonymous=requires_keys(config))
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
            self._bind(certificates)
            if metrics is not None:
                self._exposition = MetricsServer(*metrics)
            if config.tracing:
                self._tracing = start_tracing(config.tracing, config.trace_share, server_build())
        except BaseException:
            await self._close_front(0.0)
            application.discard()
            self._close_telemetry()
            raise
        try:
            self._registry = GameRegistry(
                application,
                limit=config.games_in_memory,
                most_bytes=config.memory_for_games * 1_000_000,
                idle_seconds=config.idle_seconds,
                most_watchers=config.watchers_of_a_game,
            )
            reference = await asyncio.to_thread(application.database.expiries.now)
            self._clock = GameClock(reference)
            self._handler = CommandHandler(self._registry, clock=self._clock)
            self._bots = Bots(self._handler)
            self._clock_expiry = ClockExpiry(self._handler, self._clock)
            self._feed = Feed(application, self._registry.drained.is_set)
            self._handler.writer.on_feed_items = self._feed.wake
            self._webhooks = WebhookDispatcher(application, self._feed, insecure=config.webhooks_insecure)
            self._registry.peer_sync.on_changes = self._feed.receive
            self._create_rpcs(Records(self._handler, titles.load, application.database.key))
            self._serve_metrics()
            await self._set_health(True)
            await self._open_front(certificates)
            if not self._read_only:
                is_secure = certificates is not None and not self.address.startswith("unix:")
                application.database.record_address(f"https://{self.address}" if is_secure else self.address)
                self._registry.peer_sync.start()
                self._bots.start()
        except BaseException:
            await self._close_front(0.0)
            application.close()
            self._close_telemetry()
            raise
        self._application = application
        background = [
            self._sweep(),
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
        if not application.database.is_shared:  # or each of the processes would check everything
            background.append(self._check_chains(application))
        self._background = [asyncio.create_task(one) for one in background]
        if application.database.checkpoint_problem:
            _log.error("older than its checkpoint", problem=application.database.checkpoint_problem)
            if self._notify is not None:
                self._notify(f"{application.database.checkpoint_problem}.")
        all_ = dict.fromkeys([*(listener.address for listener in self._listeners), self.address])
        optional = {
            "addresses": " ".join(all_) if len(all_) > 1 else "",
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
            await self._health.enter_graceful_shutdown()
            await self._bots.stop()
            self._registry.drain()
            self._feed.drain()
            self._admission.release()
            left = await wait_until_idle(self._calls, self._config.drain_seconds, self._config.grace_seconds)
            await self._close_front(left)
        except asyncio.CancelledError:
            await self._close_front(0.0)
            raise
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, application.close)
        await loop.run_in_executor(None, self._close_telemetry)
        _log.info("stopped")

    def _serve_metrics(self) -> None:
        """Serve the metrics, if the settings ask for it."""
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

    def _bind(self, certificates: Certificates | None) -> None:
        """Bind all addresses; the server accepts no connection yet. Raises :class:`StartupError`."""
        config = self._config
        for endpoint in config.front_endpoints:
            self._listeners.append(Listener(endpoint, certificates, shares_port=self._shares_port))
        self.address = self._listeners[-1].address
        if config.has_web and not self._read_only:
            self._origins = Origins(config.web_origin, local=all(each.is_local for each in config.front_endpoints))
            self.web_address = self._listeners[0].url
        if config.grpcio_endpoint is not None:
            options = channel_options(config.connections, shares_port=self._shares_port)
            self._server = grpc.aio.server(options=options, maximum_concurrent_rpcs=MOST_CALLS)
            self.address = bind_grpcio(self._server, config.grpcio_endpoint, certificates)
        log_security(config, certificates)

    async def _open_front(self, certificates: Certificates | None) -> None:
        """Accept calls on all addresses."""
        config = self._config
        site = None
        if self.web_address:
            files = await asyncio.to_thread(StaticFiles)
            site = WebApplication(self._rpcs, self._origins, files, self._accepts_calls, self._calls)
        self._connections = Connections(
            Application(self._all_rpcs, site, self._calls),
            self._calls.web,
            self._admission.connections_per_address,
            most=config.connections,
            stall_timeout=_STALL_FACTOR * config.slow_reader_seconds,
            most_seconds=_CONNECTION_SECONDS if self._shares_port else None,
            asks_certificates=certificates is not None and certificates.client_ca is not None,
        )
        for listener in self._listeners:
            listener.listen(self._connections)
        if self._server is not None:
            self._server.add_generic_rpc_handlers((grpc_handler(self._all_rpcs, self._calls),))
            await self._server.start()

    async def _close_front(self, seconds: float) -> None:
        """Accept no new calls; open ones have ``seconds`` to end."""
        listeners, self._listeners = self._listeners, []
        server, self._server = self._server, None
        ends = [server.stop(seconds or None)] if server is not None else []
        if self._connections is not None:
            ends.append(close(listeners, self._connections, seconds))
        else:
            for listener in listeners:
                listener.close()
        await asyncio.gather(*ends)

    def _accepts_calls(self) -> bool:
        return self._is_healthy and not self._registry.draining

    def _close_telemetry(self) -> None:
        exposition, self._exposition = self._exposition, None
        if exposition is not None:
            exposition.close()
        tracing, self._tracing = self._tracing, None
        if tracing is not None:
            tracing.close()

    def _create_rpcs(self, records: Records) -> None:
        """Create the RPCs."""
        config, registry = self._config, self._registry
        access_control = AccessControl(
            registry.application,
            config.operator_token,
            required=requires_keys(config),
            takes_certificates=bool(config.tls_client_ca),
        )
        seeded = self._seeded
        seat_manager = (
            SeatManager(self._handler)
            if seeded is None
            else SeatManager(self._handler, random_bytes=seeded.random_bytes)
        )
        own: dict[AnyServiceDescriptor, object] = {
            access_pb2.DESCRIPTOR.services_by_name["Access"]: AccessServicer(registry.application, access_control),
            catalog_pb2.DESCRIPTOR.services_by_name["Catalog"]: CatalogServicer(self._titles.metas, self._titles.load),
            feed_pb2.DESCRIPTOR.services_by_name["Feed"]: FeedServicer(
                registry,
                self._feed,
                heartbeat_seconds=config.heartbeat_seconds,
                slow_reader_seconds=config.slow_reader_seconds,
            ),
            games_pb2.DESCRIPTOR.services_by_name["Games"]: GamesServicer(
                self._handler,
                self._game_creator(),
                seat_manager,
                heartbeat_seconds=config.heartbeat_seconds,
                slow_reader_seconds=config.slow_reader_seconds,
                wait_seconds=config.wait_seconds,
            ),
            history_pb2.DESCRIPTOR.services_by_name["History"]: HistoryServicer(
                registry, records, wait_seconds=config.wait_seconds
            ),
            players_pb2.DESCRIPTOR.services_by_name["Players"]: PlayersServicer(self._handler, seat_manager),
            webhooks_pb2.DESCRIPTOR.services_by_name["Webhooks"]: WebhooksServicer(
                registry.application, self._webhooks
            ),
        }
        self._health = health.aio.HealthServicer()
        health_service: AnyServiceDescriptor = health_pb2.DESCRIPTOR.services_by_name["Health"]
        names = [descriptor.full_name for descriptor in (*own, health_service)]
        self._rpcs = [
            self._middleware(rpc)
            for descriptor, servicer in own.items()
            for rpc in guarded_rpcs(
                descriptor,
                servicer,
                access_control=access_control,
                counters=self._calls,
                admission=self._admission,
                draining=registry.drained.is_set,
                tracing=self._tracing,
            )
        ]
        self._all_rpcs = [
            *self._rpcs,
            *guarded_rpcs(health_service, self._health, own=False, admission=self._admission),
        ]
        if config.reflection:
            names += SERVICE_NAMES
            self._all_rpcs += reflection_rpcs(names, self._admission)
        self._services = ("", *names)

    async def _set_health(self, works: bool) -> None:
        self._is_healthy = works
        status = health_pb2.HealthCheckResponse.SERVING if works else health_pb2.HealthCheckResponse.NOT_SERVING
        for service in self._services:
            await self._health.set(service, status)

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

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(_SWEEP_SECONDS)
            try:
                self._registry.sweep()
                await asyncio.to_thread(self._registry.application.database.save_checkpoint)
            except Exception:  # noqa: BLE001  # the next sweep tries again
                _log.exception("sweeping failed")

    async def _check_chains(self, application: GameApplication) -> None:
        try:
            check = ChainCheck(application)
            await check.run()
            if check.damaged and self._notify is not None:
                self._notify(check.summary(application.database.name))
        except Exception:  # noqa: BLE001  # games are checked again when they are loaded
            _log.exception("the check of the chains failed")


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

    ``notify`` is called with sentences for the person at the terminal. With a ``link`` it is one of
    several workers, and ends with its supervisor. Returns an exit status; raises
    :class:`StartupError`.
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

    ``settings`` are fields of :class:`Config`; for ``seeded`` and ``read_only`` see
    :class:`Service`. Raises :class:`StartupError`.
    """
    with running(database, seeded=seeded, read_only=read_only, **settings) as service:
        yield service.address


@contextmanager
def running(
    database: Path | str, *, seeded: Seeded | None = None, read_only: bool = False, **settings: Any
) -> Iterator[Service]:
    """Do the same as :func:`running_service`, but yield the service, whose loop belongs to another thread."""
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
    """Return a runner with a loop of uvloop, which does not exist for Windows."""
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
    """Return ``compiled`` (docs/running.md) or ``interpreted``, as the rules run in this process."""
    return "interpreted" if zones.__file__.endswith(".py") else "compiled"
