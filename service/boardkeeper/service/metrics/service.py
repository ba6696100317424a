"""All metrics of one service; docs/monitoring.md lists them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prometheus_client.metrics_core import InfoMetricFamily, Metric

from boardkeeper.service.feed.feed import Feed
from boardkeeper.service.games.acting import Acting
from boardkeeper.service.games.bots import Bots
from boardkeeper.service.games.expiring import Expiring
from boardkeeper.service.games.game_clock import GameClock
from boardkeeper.service.games.hub import Hub
from boardkeeper.service.limits.admission import Admission
from boardkeeper.service.metrics.families import PREFIX, counter, counters, gauge, gauges, histogram
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.tallies import CallTallies, Spread
from boardkeeper.service.webhooks.office import WebhookOffice

_APPENDS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


class ServiceMetrics:
    """Reads the numbers of one service; on its event loop."""

    def __init__(
        self,
        build: str,
        calls: CallTallies,
        acting: Acting,
        bots: Bots,
        expiring: Expiring,
        clock: GameClock,
        admission: Admission,
        feed: Feed,
        webhooks: WebhookOffice,
    ) -> None:
        self._build = build
        self._calls = calls
        self._hub = acting.hub
        self._acting = acting
        self._feed = feed
        self._webhooks = webhooks
        self._bots = bots
        self._expiring = expiring
        self._clock = clock
        self._admission = admission
        self._commits = Commits(acting.hub.application)

    def collect(self) -> Iterator[Metric]:
        """Every metric as it is now."""
        yield InfoMetricFamily(PREFIX + "build", "Version of the server.", {"version": self._build.rpartition(" ")[2]})
        yield from _of_calls(self._calls)
        yield from _of_browsers(self._calls)
        yield from _of_games(self._hub)
        yield from _of_bots(self._bots)
        yield counter("clocks_expired", "Expired clocks that this process declared.", self._expiring.declared)
        yield counter("clock_jumps", "Jumps of the game clock.", self._clock.jumps)
        yield counter("process_pauses", "Pauses of this process of more than 5 seconds.", self._clock.pauses)
        yield from _of_limits(self._admission)
        yield from _of_feed(self._feed, self._acting)
        yield from _of_webhooks(self._webhooks)
        yield from self._commits.collect()


class Commits:
    """Counts the commits of an application from now on, each as the writer tells of it on its own thread."""

    def __init__(self, application: GameApplication) -> None:
        self._application = application
        self._seconds = Spread()
        self._appends = Spread(_APPENDS)
        application.event_log.writer.on_commit = self._note

    def _note(self, appends: int, seconds: float) -> None:
        self._appends.note(appends)
        self._seconds.note(seconds)

    def collect(self) -> Iterator[Metric]:
        """What the storage does."""
        application = self._application
        yield histogram("commit_seconds", "Duration of commits, including the flush to disk.", {(): self._seconds})
        yield histogram("commit_appends", "Appends (commands and similar) per commit.", {(): self._appends})
        yield counter(
            "conflicts",
            "Appends that failed because another process had changed the game.",
            application.event_log.writer.conflicts,
        )
        yield gauge("append_queue", "Pending appends.", application.waiting)
        yield gauge("append_queue_limit", "Pending appends above which calls are rejected.", application.queue_limit)
        yield gauge(
            "appends_blocked",
            "Appends that have waited for at least a second because another transaction holds a lock.",
            application.blocked,
        )
        yield gauge(
            "storage_trouble",
            "1 while nothing can be stored (disk full, files lost).",
            application.trouble is not None,
        )
        yield gauge(
            "last_backup_timestamp_seconds",
            "Time of the last 'boardkeeper backup'; 0 if unknown.",
            application.last_backup / 1000,
        )
        yield counter(
            "archive_failures",
            "Failed reads of archived games.",
            application.event_log.failures,
        )
        yield gauge("games_damaged", "Games with damaged stored events.", len(application.damages))


def _of_calls(calls: CallTallies) -> Iterator[Metric]:
    rpcs = sorted(calls.rpcs, key=lambda rpc: rpc.name)
    streams = [rpc for rpc in rpcs if rpc.streams]
    single = [rpc for rpc in rpcs if not rpc.streams]
    yield counters(
        "calls",
        "Finished calls and streams, by gRPC code.",
        ("rpc", "code"),
        (((rpc.name, code), number) for rpc in rpcs for code, number in rpc.codes.items()),
    )
    yield histogram(
        "call_seconds",
        "Duration of unary calls, from the headers to the response.",
        {(rpc.name,): rpc.seconds for rpc in single},
        ("rpc",),
    )
    yield histogram(
        "play_command_seconds",
        "Duration of commands on Play streams, from the message to its response.",
        {(): calls.play},
    )
    yield gauges("calls_open", "Open unary calls.", "rpc", {rpc.name: rpc.open for rpc in single})
    yield gauges("streams_open", "Open streams.", "rpc", {rpc.name: rpc.open for rpc in streams})
    yield counters(
        "stream_messages", "Messages sent on streams.", ("rpc",), (((rpc.name,), rpc.messages) for rpc in streams)
    )
    yield counters("stream_bytes", "Bytes sent on streams.", ("rpc",), (((rpc.name,), rpc.bytes) for rpc in streams))
    yield counters(
        "refusals",
        "Errors by reason (docs/errors.md), also within streams; RULES counts commands that the rules rejected.",
        ("reason",),
        (((reason,), number) for reason, number in sorted(calls.refusals.items())),
    )


def _of_browsers(calls: CallTallies) -> Iterator[Metric]:
    web = calls.web
    yield counters(
        "web_calls",
        "Finished calls of Connect and gRPC-Web, by protocol and codec.",
        ("protocol", "codec"),
        calls.web_calls.items(),
    )
    yield gauge("web_connections", "Open connections of all clients.", web.open)
    yield counters(
        "web_connections_refused",
        "Connections that were closed at once because of a limit: of the server, or of one address.",
        ("by",),
        (((by,), number) for by, number in web.refused.items()),
    )


def _of_games(hub: Hub) -> Iterator[Metric]:
    behind = hub.behind()
    yield gauge("games_in_memory", "Games in memory.", len(hub))
    yield gauge("games_in_memory_limit", "Maximum number of games in memory.", hub.limit)
    yield gauge("games_in_memory_bytes", "Approximate memory of games in memory.", hub.bytes)
    yield gauge("games_in_memory_bytes_limit", "Maximum memory of unused games.", hub.most_bytes)
    yield gauge("snapshots_bytes", "Memory of snapshots of earlier versions.", hub.snapshots_bytes)
    yield gauge("games_loading", "Games that are being read from storage, or wait for it.", hub.loading)
    yield histogram("game_load_seconds", "Duration of reading a game from storage.", {(): hub.load_seconds})
    yield gauge("watchers", "Watchers of games; a Play stream counts once for each game it watches.", len(behind))
    yield gauge("watchers_behind", "Watchers that have not been sent the newest event.", sum(map(bool, behind)))
    yield gauge("watcher_lag_events", "Number of events that the slowest watcher is behind.", max(behind, default=0))
    yield gauge("draining", "1 while the server shuts down.", hub.draining)


def _of_bots(bots: Bots) -> Iterator[Metric]:
    waiting: Mapping[str, float] = {"people": bots.waiting, "bots": bots.waiting_alone}
    yield gauges(
        "bot_games_waiting", "Games in which a bot must decide: with people, or with bots only.", "kind", waiting
    )
    yield counter("bot_decisions", "Decisions of bots.", bots.decisions)
    yield counter("bot_failures", "Decisions of bots that failed or were rejected.", bots.failures)


def _of_limits(admission: Admission) -> Iterator[Metric]:
    yield counters(
        "limited",
        "Calls that a limit rejected, and streams that a limit slowed down, by limit and kind of caller.",
        ("limit", "by"),
        admission.reached.items(),
    )
    yield gauges(
        "limit_callers",
        "Callers with stored usage, by key or address.",
        "by",
        {"key": len(admission.keys), "address": len(admission.addresses)},
    )
    yield gauge(
        "limit_callers_limit", "Maximum number of callers of each kind with stored usage.", admission.addresses.most
    )
    yield gauge("streams_limit", "Maximum number of open streams of all callers.", admission.most_streams)


def _of_feed(feed: Feed, acting: Acting) -> Iterator[Metric]:
    yield counter("feed_items", "Feed items written by this process.", acting.news)
    yield gauge("feed_watchers", "Clients that follow the feed.", feed.followers)
    yield gauge("feed_lag_items", "Number of items that the slowest client is behind.", feed.lag)


def _of_webhooks(office: WebhookOffice) -> Iterator[Metric]:
    delivered, failed, dead = office.counts
    yield counter("webhooks_delivered", "Messages that webhook endpoints accepted.", delivered)
    yield counter("webhooks_failed", "Failed delivery attempts.", failed)
    yield counter("webhooks_dead", "Items that became dead letters.", dead)
    yield gauge("webhooks", "Webhook endpoints that this process delivers to.", office.endpoints)
    yield gauge("webhooks_waiting", "Items that wait for a retry.", office.aside)
    waiting = office.waiting
    yield gauge("webhooks_dead_letters", "Dead letters that have not been sent again.", waiting.dead)
    yield gauge("webhooks_behind_items", "Number of feed items that the slowest endpoint is behind.", waiting.items)
    yield gauge("webhooks_behind_seconds", "Age of the oldest of these items.", waiting.seconds)
    yield gauge(
        "webhooks_failed_seconds",
        "Age of the oldest failed item that is being retried.",
        waiting.failed_seconds,
    )
