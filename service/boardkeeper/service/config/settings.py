"""Which settings a service has; docs/running.md has the same as a table."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Struct

from boardkeeper.service.config.about import (
    ACCESS,
    LIMITS,
    MONITORING,
    NETWORK,
    STORAGE,
    TIMEOUTS,
    TITLES,
    About,
    Meaning,
    settings_of,
)
from boardkeeper.service.config.endpoints import Endpoint, host_and_port
from boardkeeper.service.config.sources import Found, gather
from boardkeeper.service.errors import SettingError, StartupError
from boardkeeper.titles.registry import BUILT_IN

DEFAULT_DATABASE = "boardkeeper.db"
SHORTEST_OPERATOR_TOKEN = 32
DEFAULT_LISTEN = "127.0.0.1:8050"
DEFAULT_GRPC_LISTEN = "127.0.0.1:50051"
DEFAULT_METRICS = "127.0.0.1:9464"


class Config(Struct, frozen=True, kw_only=True):
    """How one service runs. Times are seconds."""

    database: Annotated[
        str,
        Meaning(
            "database: path of a SQLite file, `sqlite:///PATH`, or `postgresql://…` ([PostgreSQL](#postgresql))",
            STORAGE,
            flag="--db",
            shape="URL",
        ),
    ] = DEFAULT_DATABASE
    titles: Annotated[
        str,
        Meaning(
            "titles to serve: ids separated by commas; `built-in` stands for all titles of this package"
            " ([titles of other packages](running.md#titles-of-other-packages))",
            TITLES,
            shape="IDS",
        ),
    ] = BUILT_IN
    listen: Annotated[
        str,
        Meaning(
            "where to accept all clients, gRPC and browsers: `HOST:PORT` (port 0: any free port) or `unix:PATH`; TLS is"
            " required unless only this machine can connect",
            NETWORK,
            shape="HOST:PORT",
        ),
    ] = DEFAULT_LISTEN
    grpc_listen: Annotated[
        str,
        Meaning(
            "second address, for gRPC clients that expect port 50051: `HOST:PORT`, `unix:PATH`, `off`, or `auto`: port"
            " 50051 of this machine unless `listen` is set",
            NETWORK,
            shape="HOST:PORT",
            off="off",
        ),
    ] = "auto"
    grpc_server: Annotated[
        Literal["uvicorn", "grpcio"],
        Meaning(
            "HTTP/2 server for gRPC: `uvicorn` on every address, or `grpcio`, the server of gRPC's Python library, on"
            " `grpc_listen` only ([running](running.md#the-two-grpc-servers))",
            NETWORK,
        ),
    ] = "uvicorn"
    web: Annotated[
        str,
        Meaning(
            "`off` disables the [web client](web.md), Connect, gRPC-Web and JSON; `auto` leaves them on. An address is"
            " the old form of `listen`: `listen` is then the second address, for gRPC",
            NETWORK,
            shape="auto|off",
            off="off",
        ),
    ] = "auto"
    web_origin: Annotated[
        str,
        Meaning(
            "other sites whose pages may call ([browsers](web.md)): an origin such as `https://games.example.org`, or"
            " `*` for all",
            NETWORK,
            shape="ORIGIN",
            several=True,
        ),
    ] = ""
    log: Annotated[
        Literal["console", "json", "off"],
        Meaning(
            "log format: `console` for people, `json` for programs, `off` for errors only",
            MONITORING,
            flag="--log-format",
        ),
    ] = "console"
    tls_certificate: Annotated[
        str, Meaning("TLS certificate chain of the server, in PEM ([TLS](#tls))", NETWORK, shape="FILE")
    ] = ""
    tls_key: Annotated[
        str,
        Meaning("private key of the TLS certificate; other users must not be able to read it", NETWORK, shape="FILE"),
    ] = ""
    tls_client_ca: Annotated[
        str, Meaning("require client certificates that one of these authorities signed", NETWORK, shape="FILE")
    ] = ""
    insecure: Annotated[
        bool, Meaning("accept other machines without TLS; all traffic is then unencrypted", NETWORK)
    ] = False
    operator_token: Annotated[
        str,
        Meaning(
            "operator token, at least 32 characters; calls with it see hidden information and can remove games."
            " Commands such as `remove` read it from BOARDKEEPER_OPERATOR_TOKEN",
            ACCESS,
            secret=True,
            shortest=SHORTEST_OPERATOR_TOKEN,
        ),
    ] = ""
    need_keys: Annotated[
        bool, Meaning("require a platform's API key or a seat token for every call ([access](access.md))", ACCESS)
    ] = False
    limits: Annotated[
        Literal["auto", "on", "off"],
        Meaning(
            "rate limits and quotas per client ([limits](limits.md)); `auto`: on if keys are required or a proxy is"
            " trusted",
            LIMITS,
        ),
    ] = "auto"
    key_limits: Annotated[
        str,
        Meaning("limits for each API key, for example `reads=1k/s streams=8k` ([limits](limits.md))", LIMITS),
    ] = ""
    address_limits: Annotated[
        str,
        Meaning("limits for each address that calls without a key, for example `reads=100/s failures=off`", LIMITS),
    ] = ""
    trusted_proxies: Annotated[
        str,
        Meaning(
            "proxies whose `x-forwarded-for` header names the client: addresses, networks or `unix`, for example"
            " `10.0.0.0/8 unix`",
            NETWORK,
        ),
    ] = ""
    streams: Annotated[int, Meaning("maximum number of open streams in each process", LIMITS, positive=True)] = 8_000
    watchers_of_a_game: Annotated[
        int, Meaning("maximum number of open streams for one game in each process", LIMITS, positive=True)
    ] = 2_000
    synchronous: Annotated[
        Literal["FULL", "NORMAL"],
        Meaning(
            "`FULL` writes each command to disk before it is acknowledged; with `NORMAL` a power failure can lose"
            " the last ones",
            STORAGE,
        ),
    ] = "FULL"
    key_file: Annotated[
        str,
        Meaning(
            "key that signs records, for PostgreSQL; created if the database has none. With SQLite it is beside the"
            " database file",
            STORAGE,
            shape="FILE",
        ),
    ] = ""
    archive: Annotated[
        str,
        Meaning("folder with the events of [archived](operations.md#archive) games", STORAGE, shape="FOLDER"),
    ] = ""
    notify: Annotated[
        Literal["listen", "poll"],
        Meaning(
            "how processes on one PostgreSQL database learn of changes: `listen` at once, `poll` every second", STORAGE
        ),
    ] = "listen"
    workers: Annotated[
        int,
        Meaning(
            "number of server processes; more than one requires PostgreSQL ([several processes](#several-processes))",
            NETWORK,
            positive=True,
        ),
    ] = 1
    connections: Annotated[
        int, Meaning("maximum number of open connections in each process", LIMITS, positive=True)
    ] = 900
    connections_of_an_address: Annotated[
        int,
        Meaning(
            "maximum number of connections from one address, if [limits](limits.md) are on; trusted proxies are exempt",
            LIMITS,
            positive=True,
        ),
    ] = 200
    games_in_memory: Annotated[int, Meaning("maximum number of games in memory", LIMITS, positive=True)] = 5_000
    memory_for_games: Annotated[
        int,
        Meaning(
            "memory for games that no client uses, in megabytes ([limits](limits.md#memory))",
            LIMITS,
            shape="MEGABYTES",
            positive=True,
        ),
    ] = 512
    idle_seconds: Annotated[float, Meaning("how long an unused game stays in memory", LIMITS, shape="SECONDS")] = 900.0
    queue_limit: Annotated[
        int, Meaning("maximum number of pending writes; more calls fail with `OVERLOADED`", LIMITS, positive=True)
    ] = 4_096
    wait_seconds: Annotated[float, Meaning("how long a read waits for `min_version`", TIMEOUTS, shape="SECONDS")] = 5.0
    heartbeat_seconds: Annotated[
        float, Meaning("interval of heartbeat messages on streams", TIMEOUTS, shape="SECONDS", positive=True)
    ] = 15.0
    slow_reader_seconds: Annotated[
        float,
        Meaning("end a stream whose client reads nothing for this time", TIMEOUTS, shape="SECONDS", positive=True),
    ] = 60.0
    grace_seconds: Annotated[
        float, Meaning("how long running calls may take to finish at shutdown", TIMEOUTS, shape="SECONDS")
    ] = 10.0
    drain_seconds: Annotated[
        float,
        Meaning(
            "at shutdown, minimum time to report NOT_SERVING and reject calls before exiting", TIMEOUTS, shape="SECONDS"
        ),
    ] = 0.0
    reflection: Annotated[
        bool, Meaning("gRPC server reflection (v1 and v1alpha), for tools such as grpcurl", NETWORK)
    ] = True
    webhooks_insecure: Annotated[
        bool,
        Meaning(
            "allow [webhooks](feed.md#webhooks) to private addresses and `http://`; only for tests and development",
            ACCESS,
            flag="--any-webhook",
        ),
    ] = False
    feed_days: Annotated[
        float,
        Meaning("how many days items of the event [feed](feed.md) are stored", STORAGE, shape="DAYS", positive=True),
    ] = 30.0
    metrics: Annotated[
        str,
        Meaning(
            "where to serve Prometheus metrics: `HOST:PORT`, or `PORT` for this machine only"
            " ([monitoring](monitoring.md))",
            MONITORING,
            shape="HOST:PORT",
        ),
    ] = ""
    tracing: Annotated[
        str,
        Meaning(
            "OTLP collector (gRPC) for traces, for example `http://127.0.0.1:4317`"
            " ([operations](monitoring.md#traces))",
            MONITORING,
            shape="URL",
        ),
    ] = ""
    trace_share: Annotated[float, Meaning("share of calls to trace, 0 to 1", MONITORING, shape="SHARE")] = 0.01

    @property
    def front_endpoints(self) -> tuple[Endpoint, ...]:
        """Where the front listens; browsers are sent to the first. Raises :class:`StartupError`."""
        main, second = self._listen
        return (main,) if second is None or self.grpc_server == "grpcio" else (main, second)

    @property
    def grpcio_endpoint(self) -> Endpoint | None:
        """Where grpcio's server listens, ``None`` without it. Raises :class:`StartupError`."""
        if self.grpc_server != "grpcio":
            return None
        second = self._listen[1]
        if second is None:
            raise SettingError("grpc_server=grpcio needs an address of its own: set it with --grpc-listen HOST:PORT")
        return second

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        """All addresses on which clients are accepted. Raises :class:`StartupError`."""
        grpcio = self.grpcio_endpoint
        return self.front_endpoints if grpcio is None else (*self.front_endpoints, grpcio)

    @property
    def has_web(self) -> bool:
        """Whether browsers are answered."""
        return self.web not in ("", "off")

    @property
    def _listen(self) -> tuple[Endpoint, Endpoint | None]:
        """The main address, and the second one."""
        main = Endpoint.parse(self.listen)
        if self.has_web and self.web != "auto":  # the old form: an address for browsers beside that for gRPC
            grpc = DEFAULT_GRPC_LISTEN if self.listen == DEFAULT_LISTEN else self.listen
            return Endpoint.parse(self.web, "web"), Endpoint.parse(grpc)
        if self.grpc_listen in ("", "off") or (self.grpc_listen == "auto" and self.listen != DEFAULT_LISTEN):
            return main, None
        given = DEFAULT_GRPC_LISTEN if self.grpc_listen == "auto" else self.grpc_listen
        return main, Endpoint.parse(given, "grpc_listen")

    @property
    def metrics_address(self) -> tuple[str, int] | None:
        """Host and port of the metrics, ``None`` if there are to be none; raises :class:`StartupError`."""
        if not self.metrics:
            return None
        given = f"127.0.0.1:{self.metrics}" if self.metrics.isdecimal() else self.metrics
        found = host_and_port(given)
        if found is None:
            raise StartupError(
                f"cannot serve metrics on {self.metrics!r}: write HOST:PORT, for example {DEFAULT_METRICS}, or PORT"
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
