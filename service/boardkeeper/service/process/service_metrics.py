"""All metrics of one server; ``metrics.toml`` describes them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from prometheus_client.metrics_core import InfoMetricFamily, Metric

from boardkeeper.service.cache.game_registry import GameRegistry
from boardkeeper.service.feed.feed import Feed
from boardkeeper.service.games.bots import Bots
from boardkeeper.service.games.clock_expiry import ClockExpiry
from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.games.game_clock import GameClock
from boardkeeper.service.limits.admission import Admission
from boardkeeper.service.observability.counters import CallCounters, Histogram
from boardkeeper.service.observability.metric_families import PREFIX, entries, histogram, metric
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.webhooks.dispatcher import WebhookDispatcher

_APPENDS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


@dataclass
class ServiceMetrics:
    """Collects the metrics of one server. Call it on the event loop."""

    build: str
    calls: CallCounters
    handler: CommandHandler
    bots: Bots
    clock_expiry: ClockExpiry
    clock: GameClock
    admission: Admission
    feed: Feed
    webhooks: WebhookDispatcher

    def __post_init__(self) -> None:
        self.commits = Commits(self.handler.registry.application)

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics with their present values."""
        version = {"version": self.build.rpartition(" ")[2]}
        yield InfoMetricFamily(PREFIX + "build", entries()["build_info"].help, version)
        yield from _call_metrics(self.calls)
        yield from _browser_metrics(self.calls)
        yield from _game_metrics(self.handler.registry)
        yield from _bot_metrics(self.bots)
        yield metric("clocks_expired", self.clock_expiry.declared)
        yield metric("clock_jumps", self.clock.jumps)
        yield metric("process_pauses", self.clock.pauses)
        yield from _limit_metrics(self.admission)
        yield from _feed_metrics(self.feed, self.handler)
        yield from _webhook_metrics(self.webhooks)
        yield from self.commits.collect()


class Commits:
    """Counts the commits of an application. The writer reports them on its own thread."""

    def __init__(self, application: GameApplication) -> None:
        self._application = application
        self._seconds = Histogram()
        self._appends = Histogram(_APPENDS)
        application.writer.on_commit = self._observe

    def _observe(self, appends: int, seconds: float) -> None:
        self._appends.observe(appends)
        self._seconds.observe(seconds)

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics of the storage."""
        application = self._application
        yield histogram("commit_seconds", {(): self._seconds})
        yield histogram("commit_appends", {(): self._appends})
        yield metric("conflicts", application.writer.conflicts)
        yield metric("append_queue", application.writer.waiting_count)
        yield metric("append_queue_limit", application.writer.limit)
        yield metric("appends_blocked", application.writer.blocked_count)
        yield metric("storage_trouble", application.writer.last_error is not None)
        yield metric("last_backup_timestamp_seconds", application.last_backup / 1000)
        yield metric("archive_failures", application.event_log.failures)
        yield metric("games_damaged", len(application.damages))


def _call_metrics(calls: CallCounters) -> Iterator[Metric]:
    rpcs = sorted(calls.rpcs, key=lambda rpc: rpc.name)
    streams = [rpc for rpc in rpcs if rpc.streams]
    single = [rpc for rpc in rpcs if not rpc.streams]
    yield metric("calls", (((rpc.name, code), number) for rpc in rpcs for code, number in rpc.codes.items()))
    yield histogram("call_seconds", {(rpc.name,): rpc.seconds for rpc in single})
    yield histogram("play_command_seconds", {(): calls.play})
    yield metric("calls_open", (((rpc.name,), rpc.open) for rpc in single))
    yield metric("streams_open", (((rpc.name,), rpc.open) for rpc in streams))
    yield metric("stream_messages", (((rpc.name,), rpc.messages) for rpc in streams))
    yield metric("stream_bytes", (((rpc.name,), rpc.bytes) for rpc in streams))
    yield metric("refusals", (((reason,), number) for reason, number in sorted(calls.errors.items())))


def _browser_metrics(calls: CallCounters) -> Iterator[Metric]:
    yield metric("web_calls", calls.web_calls.items())
    yield metric("web_connections", calls.web.open)
    yield metric("web_connections_refused", (((by,), number) for by, number in calls.web.rejected.items()))


def _game_metrics(registry: GameRegistry) -> Iterator[Metric]:
    behind = registry.watcher_lags()
    yield metric("games_in_memory", len(registry))
    yield metric("games_in_memory_limit", registry.limit)
    yield metric("games_in_memory_bytes", registry.bytes)
    yield metric("games_in_memory_bytes_limit", registry.max_bytes)
    yield metric("snapshots_bytes", registry.timelines.size)
    yield metric("games_loading", len(registry.loader))
    yield histogram("game_load_seconds", {(): registry.loader.seconds})
    yield metric("watchers", len(behind))
    yield metric("watchers_behind", sum(map(bool, behind)))
    yield metric("watcher_lag_events", max(behind, default=0))
    yield metric("draining", registry.draining)


def _bot_metrics(bots: Bots) -> Iterator[Metric]:
    yield metric("bot_games_waiting", ((("people",), bots.waiting), (("bots",), bots.waiting_bot_games)))
    yield metric("bot_decisions", bots.decisions)
    yield metric("bot_failures", bots.failures)


def _limit_metrics(admission: Admission) -> Iterator[Metric]:
    keys, addresses = admission.keys, admission.addresses
    yield metric("limited", admission.reached.items())
    yield metric("limit_callers", ((("key",), len(keys)), (("address",), len(addresses))))
    yield metric("limit_callers_limit", addresses.most)
    yield metric("streams_limit", admission.most_streams)


def _feed_metrics(feed: Feed, handler: CommandHandler) -> Iterator[Metric]:
    yield metric("feed_items", handler.writer.feed_items)
    yield metric("feed_watchers", feed.followers)
    yield metric("feed_lag_items", feed.lag)


def _webhook_metrics(dispatcher: WebhookDispatcher) -> Iterator[Metric]:
    delivered, failed, dead = dispatcher.counts
    yield metric("webhooks_delivered", delivered)
    yield metric("webhooks_failed", failed)
    yield metric("webhooks_dead", dead)
    yield metric("webhooks", dispatcher.endpoints)
    yield metric("webhooks_waiting", dispatcher.pending)
    backlog = dispatcher.backlog
    yield metric("webhooks_dead_letters", backlog.dead)
    yield metric("webhooks_behind_items", backlog.items)
    yield metric("webhooks_behind_seconds", backlog.seconds)
    yield metric("webhooks_failed_seconds", backlog.failed_seconds)
