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
        yield InfoMetricFamily(PREFIX + "build", "What runs here.", {"version": self._build.rpartition(" ")[2]})
        yield from _of_calls(self._calls)
        yield from _of_browsers(self._calls)
        yield from _of_games(self._hub)
        yield from _of_bots(self._bots)
        yield counter("clocks_expired", "Clocks that have run out, as declared here.", self._expiring.declared)
        yield counter("clock_jumps", "Jumps of the clock that measures games.", self._clock.jumps)
        yield counter(
            "process_pauses", "Times that this process stood still for more than 5 seconds.", self._clock.pauses
        )
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
        yield histogram("commit_seconds", "How long a commit took, with its flush to the disk.", {(): self._seconds})
        yield histogram("commit_appends", "Appends (commands and the like) in one commit.", {(): self._appends})
        yield counter(
            "conflicts", "Appends that another one had made impossible.", application.event_log.writer.conflicts
        )
        yield gauge("append_queue", "Appends that wait for the disk.", application.waiting)
        yield gauge("append_queue_limit", "How many may wait before calls are refused.", application.queue_limit)
        yield gauge(
            "appends_blocked",
            "Appends that wait for a second or longer because another transaction of the database holds a lock.",
            application.blocked,
        )
        yield gauge(
            "storage_trouble",
            "1 while nothing can be stored: a full disk, lost files.",
            application.trouble is not None,
        )
        yield gauge(
            "last_backup_timestamp_seconds",
            "When 'boardkeeper backup' made the last one; 0 if none is known of.",
            application.last_backup / 1000,
        )
        yield counter(
            "archive_failures",
            "Reads of archived games whose file did not give their events.",
            application.event_log.failures,
        )
        yield gauge("games_damaged", "Games of which stored events are known to be damaged.", len(application.damages))


def _of_calls(calls: CallTallies) -> Iterator[Metric]:
    rpcs = sorted(calls.rpcs, key=lambda rpc: rpc.name)
    streams = [rpc for rpc in rpcs if rpc.streams]
    single = [rpc for rpc in rpcs if not rpc.streams]
    yield counters(
        "calls",
        "Calls that ended, by gRPC code; of streams too.",
        ("rpc", "code"),
        (((rpc.name, code), number) for rpc in rpcs for code, number in rpc.codes.items()),
    )
    yield histogram(
        "call_seconds",
        "How long calls with one answer took, from their headers to their answer.",
        {(rpc.name,): rpc.seconds for rpc in single},
        ("rpc",),
    )
    yield histogram(
        "play_command_seconds",
        "How long commands on Play streams took, from their message to its answer.",
        {(): calls.play},
    )
    yield gauges("calls_open", "Calls with one answer under way.", "rpc", {rpc.name: rpc.open for rpc in single})
    yield gauges("streams_open", "Streams that are open.", "rpc", {rpc.name: rpc.open for rpc in streams})
    yield counters(
        "stream_messages", "Messages sent on streams.", ("rpc",), (((rpc.name,), rpc.messages) for rpc in streams)
    )
    yield counters("stream_bytes", "Bytes sent on streams.", ("rpc",), (((rpc.name,), rpc.bytes) for rpc in streams))
    yield counters(
        "refusals",
        "Refusals by reason (docs/errors.md), also within streams; RULES is what the rules forbid.",
        ("reason",),
        (((reason,), number) for reason, number in sorted(calls.refusals.items())),
    )


def _of_browsers(calls: CallTallies) -> Iterator[Metric]:
    web = calls.web
    yield counters(
        "web_calls",
        "Calls that came by the port for browsers and ended, by protocol and codec; all others came over gRPC.",
        ("protocol", "codec"),
        calls.web_calls.items(),
    )
    yield gauge("web_connections", "Connections of the port for browsers.", web.open)
    yield counters(
        "web_connections_refused",
        "Connections of that port that were closed at once: too many of all together, or of one address.",
        ("by",),
        (((by,), number) for by, number in web.refused.items()),
    )


def _of_games(hub: Hub) -> Iterator[Metric]:
    behind = hub.behind()
    yield gauge("games_in_memory", "Games in memory.", len(hub))
    yield gauge("games_in_memory_limit", "How many stay in memory.", hub.limit)
    yield gauge("games_in_memory_bytes", "What they take in memory, about.", hub.bytes)
    yield gauge("games_in_memory_bytes_limit", "How much they take as far as nobody uses them.", hub.most_bytes)
    yield gauge("snapshots_bytes", "Snapshots of games' pasts in memory.", hub.snapshots_bytes)
    yield gauge("games_loading", "Games that are read from the log now, or wait for it.", hub.loading)
    yield histogram("game_load_seconds", "How long reading a game from the log took.", {(): hub.load_seconds})
    yield gauge("watchers", "Watchers of games; a Play stream counts once for each game it watches.", len(behind))
    yield gauge("watchers_behind", "Watchers that have not been sent the newest event.", sum(map(bool, behind)))
    yield gauge("watcher_lag_events", "So many events the last of all watchers is behind.", max(behind, default=0))
    yield gauge("draining", "1 from the moment on that the service ends.", hub.draining)


def _of_bots(bots: Bots) -> Iterator[Metric]:
    waiting: Mapping[str, float] = {"people": bots.waiting, "bots": bots.waiting_alone}
    yield gauges(
        "bot_games_waiting", "Games in which a bot has to decide: with people, or of bots alone.", "kind", waiting
    )
    yield counter("bot_decisions", "Decisions that bots have taken.", bots.decisions)
    yield counter("bot_failures", "Decisions of bots that failed or were refused.", bots.failures)


def _of_limits(admission: Admission) -> Iterator[Metric]:
    yield counters(
        "limited",
        "Calls that a limit refused, and times that one slowed a stream down, by limit and whom it holds for.",
        ("limit", "by"),
        admission.reached.items(),
    )
    yield gauges(
        "limit_callers",
        "Callers that are remembered for what they have taken, by key or address.",
        "by",
        {"key": len(admission.keys), "address": len(admission.addresses)},
    )
    yield gauge("limit_callers_limit", "How many of each are remembered.", admission.addresses.most)
    yield gauge("streams_limit", "How many streams may be open, of all callers together.", admission.most_streams)


def _of_feed(feed: Feed, acting: Acting) -> Iterator[Metric]:
    yield counter("feed_items", "Items of the feed that were written here.", acting.news)
    yield gauge("feed_watchers", "Readers that follow the feed.", feed.followers)
    yield gauge("feed_lag_items", "So many items the last of them is behind.", feed.lag)


def _of_webhooks(office: WebhookOffice) -> Iterator[Metric]:
    delivered, failed, dead = office.counts
    yield counter("webhooks_delivered", "Messages that endpoints of webhooks took.", delivered)
    yield counter("webhooks_failed", "Tries of messages that failed.", failed)
    yield counter("webhooks_dead", "Items that were given up.", dead)
    yield gauge("webhooks", "Endpoints for which this process delivers.", office.endpoints)
    yield gauge("webhooks_waiting", "Items that wait to be tried again.", office.aside)
    waiting = office.waiting
    yield gauge("webhooks_dead_letters", "Dead letters that nobody has had sent again.", waiting.dead)
    yield gauge("webhooks_behind_items", "So many items of the feed the last endpoint has before it.", waiting.items)
    yield gauge("webhooks_behind_seconds", "How long the oldest of these waits.", waiting.seconds)
    yield gauge(
        "webhooks_failed_seconds",
        "How long the oldest item waits that failed and is tried again.",
        waiting.failed_seconds,
    )
