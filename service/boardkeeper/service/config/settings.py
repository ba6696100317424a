"""Which settings a service has; docs/running.md has the same as a table."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Struct

from boardkeeper.service.config.about import About, Meaning, settings_of
from boardkeeper.service.config.endpoints import Endpoint, host_and_port
from boardkeeper.service.config.sources import Found, gather
from boardkeeper.service.errors import SettingError, StartupError

DEFAULT_DATABASE = "boardkeeper.db"
SHORTEST_OPERATOR_TOKEN = 32
DEFAULT_LISTEN = "127.0.0.1:50051"
DEFAULT_WEB = "127.0.0.1:8050"
DEFAULT_METRICS = "127.0.0.1:9464"


class Config(Struct, frozen=True, kw_only=True):
    """How one service runs. Times are seconds."""

    database: Annotated[
        str,
        Meaning("a path, `sqlite:///PATH`, or `postgresql://…` ([PostgreSQL](#postgresql))", flag="--db", shape="URL"),
    ] = DEFAULT_DATABASE
    listen: Annotated[
        str,
        Meaning(
            "`HOST:PORT`, port 0 being any free one, or `unix:PATH`; others than this machine need TLS",
            shape="HOST:PORT",
        ),
    ] = DEFAULT_LISTEN
    web: Annotated[
        str,
        Meaning(
            "where [browsers](web.md) are answered: `HOST:PORT`, `unix:PATH` for a proxy, `off`, or `auto`, which is"
            " port 8050 of this machine where `listen` is not set",
            shape="HOST:PORT",
            off="off",
        ),
    ] = "auto"
    web_origin: Annotated[
        str,
        Meaning(
            "pages of other sites that may call ([browsers](web.md)): origins as `https://games.example.org`, or `*`",
            shape="ORIGIN",
            several=True,
        ),
    ] = ""
    log: Annotated[
        Literal["console", "json", "off"],
        Meaning("`console` for people, `json` for machines, `off` for errors only", flag="--log-format"),
    ] = "console"
    tls_certificate: Annotated[
        str, Meaning("the service's certificate and those that sign it, in PEM ([TLS](#tls))", shape="FILE")
    ] = ""
    tls_key: Annotated[str, Meaning("its private key, which nobody else can read", shape="FILE")] = ""
    tls_client_ca: Annotated[str, Meaning("clients need a certificate that one of these has signed", shape="FILE")] = ""
    insecure: Annotated[bool, Meaning("let others than this machine in without TLS: all is in the clear")] = False
    operator_token: Annotated[
        str,
        Meaning(
            "who sends it sees all that is hidden, and removes games; at least 32 characters."
            " Clients read the same variable",
            secret=True,
            shortest=SHORTEST_OPERATOR_TOKEN,
        ),
    ] = ""
    need_keys: Annotated[
        bool, Meaning("everybody needs a platform's key, or a seat's token ([who may do what](access.md))")
    ] = False
    limits: Annotated[
        Literal["auto", "on", "off"],
        Meaning(
            "what one caller may take ([limits](limits.md)): `auto` limits where keys are needed or a proxy is trusted"
        ),
    ] = "auto"
    key_limits: Annotated[
        str, Meaning("other figures for each platform's key, as in `reads=1k/s streams=8k` ([limits](limits.md))")
    ] = ""
    address_limits: Annotated[
        str, Meaning("other figures for each address whose calls have no key, as in `reads=100/s failures=off`")
    ] = ""
    trusted_proxies: Annotated[
        str,
        Meaning(
            "proxies whose `x-forwarded-for` says who calls: addresses, networks, or `unix`, as in `10.0.0.0/8 unix`"
        ),
    ] = ""
    streams: Annotated[int, Meaning("open at once in each process, of all callers together", positive=True)] = 8_000
    watchers_of_a_game: Annotated[int, Meaning("at once in each process", positive=True)] = 2_000
    synchronous: Annotated[
        Literal["FULL", "NORMAL"], Meaning("`FULL`; with `NORMAL` a loss of power may cost the last commands")
    ] = "FULL"
    key_file: Annotated[
        str,
        Meaning(
            "the key that signs records, for PostgreSQL; made if the database has none yet."
            " With SQLite it is beside the database",
            shape="FILE",
        ),
    ] = ""
    archive: Annotated[
        str,
        Meaning("the folder with the events of games that were [archived](operations.md#archive)", shape="FOLDER"),
    ] = ""
    notify: Annotated[
        Literal["listen", "poll"],
        Meaning("how processes on one PostgreSQL hear of each other: `listen` at once, `poll` by looking each second"),
    ] = "listen"
    workers: Annotated[
        int,
        Meaning("processes that serve; more than one need PostgreSQL ([several](#several-processes))", positive=True),
    ] = 1
    connections: Annotated[int, Meaning("open at once, in each process", positive=True)] = 900
    connections_of_an_address: Annotated[
        int,
        Meaning(
            "of these at the port for browsers, where [limits](limits.md) hold; trusted proxies have all",
            positive=True,
        ),
    ] = 200
    games_in_memory: Annotated[int, Meaning("how many games stay in memory", positive=True)] = 5_000
    memory_for_games: Annotated[
        int,
        Meaning(
            "megabytes that games in memory take, as far as nobody uses them ([limits](limits.md#memory))",
            shape="MEGABYTES",
            positive=True,
        ),
    ] = 512
    idle_seconds: Annotated[float, Meaning("how long an unused game stays in memory", shape="SECONDS")] = 900.0
    queue_limit: Annotated[
        int, Meaning("what may wait for the disk before `OVERLOADED` is answered", positive=True)
    ] = 4_096
    wait_seconds: Annotated[float, Meaning("how long a read waits for `min_version`", shape="SECONDS")] = 5.0
    heartbeat_seconds: Annotated[
        float, Meaning("time between the heartbeats of a stream", shape="SECONDS", positive=True)
    ] = 15.0
    slow_reader_seconds: Annotated[
        float, Meaning("a stream ends if its reader takes nothing for this time", shape="SECONDS", positive=True)
    ] = 60.0
    grace_seconds: Annotated[
        float, Meaning("time for open calls to finish when the service stops", shape="SECONDS")
    ] = 10.0
    drain_seconds: Annotated[
        float,
        Meaning("at a stop, the least time to report NOT_SERVING and reject calls before the exit", shape="SECONDS"),
    ] = 0.0
    reflection: Annotated[bool, Meaning("gRPC server reflection, v1 and v1alpha, for tools such as grpcurl")] = True
    webhooks_insecure: Annotated[
        bool,
        Meaning(
            "[webhooks](feed.md#webhooks) may go to private addresses and `http://`: for tests and development alone",
            flag="--any-webhook",
        ),
    ] = False
    feed_days: Annotated[
        float,
        Meaning("how long the [feed](feed.md) keeps what happened in games, in days", shape="DAYS", positive=True),
    ] = 30.0
    metrics: Annotated[
        str,
        Meaning(
            "where Prometheus finds metrics: `HOST:PORT`, or a port of this machine alone"
            " ([monitoring](monitoring.md))",
            shape="HOST:PORT",
        ),
    ] = ""
    tracing: Annotated[
        str,
        Meaning(
            "an OTLP collector (gRPC) to which traces of calls are sent, as in `http://127.0.0.1:4317`"
            " ([monitoring](monitoring.md#traces))",
            shape="URL",
        ),
    ] = ""
    trace_share: Annotated[float, Meaning("of how many calls, 0 to 1", shape="SHARE")] = 0.01

    @property
    def endpoint(self) -> Endpoint:
        """Where to listen; raises :class:`StartupError`."""
        return Endpoint.parse(self.listen)

    @property
    def web_endpoint(self) -> Endpoint | None:
        """Where browsers are answered, ``None`` if nowhere; raises :class:`StartupError`."""
        if self.web in ("", "off") or (self.web == "auto" and self.listen != DEFAULT_LISTEN):
            return None
        try:
            return Endpoint.parse(DEFAULT_WEB if self.web == "auto" else self.web)
        except StartupError as error:
            raise SettingError(
                f"cannot answer browsers on {self.web!r}: give HOST:PORT, as in {DEFAULT_WEB}, unix:PATH, or off"
            ) from error

    @property
    def metrics_address(self) -> tuple[str, int] | None:
        """Host and port of the metrics, ``None`` if there are to be none; raises :class:`StartupError`."""
        if not self.metrics:
            return None
        given = f"127.0.0.1:{self.metrics}" if self.metrics.isdecimal() else self.metrics
        found = host_and_port(given)
        if found is None:
            raise StartupError(
                f"cannot give metrics on {self.metrics!r}: give HOST:PORT or PORT, as in {DEFAULT_METRICS}"
            )
        return found

    def __repr__(self) -> str:
        """Without secrets: it may come into a trace."""
        shown = (f"{name}={about.shown(getattr(self, name))!r}" for name, about in SETTINGS.items())
        return f"Config({', '.join(shown)})"

    @classmethod
    def read(cls, arguments: Mapping[str, object], environment: Mapping[str, str] | None = None) -> Config:
        """The settings that were given; see :meth:`found`."""
        return cls.of(cls.found(arguments, environment))

    @classmethod
    def found(
        cls, arguments: Mapping[str, object], environment: Mapping[str, str] | None = None
    ) -> Mapping[str, Found]:
        """Every setting by name, with where it comes from.

        An argument that is ``None`` counts as not given, and a variable that is empty. The argument ``config`` names a
        file, a secret's name with ``_file`` the file that holds it.

        Raises :class:`SettingError` for a value that does not fit and for a name that nobody knows, saying where.
        """
        unknown = set(arguments) - {name for about in SETTINGS.values() for name in (about.name, about.argument)}
        if unknown - {"config"}:
            raise TypeError(f"no such setting: {', '.join(sorted(unknown))}")
        return gather(SETTINGS, arguments, os.environ if environment is None else environment)

    @classmethod
    def of(cls, found: Mapping[str, Found]) -> Config:
        """The settings by themselves."""
        return cls(**{name: each.value for name, each in found.items()})


SETTINGS: Mapping[str, About] = settings_of(Config)
"""All of them by name, in the order of the table."""
