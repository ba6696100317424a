"""The settings of a service."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct

from boardkeeper.service.config.descriptions import About, settings_of
from boardkeeper.service.config.endpoints import Endpoint, host_and_port
from boardkeeper.service.config.sources import Found, gather
from boardkeeper.service.errors import SettingError, StartupError
from boardkeeper.titles.registry import BUILT_IN

DEFAULT_DATABASE = "boardkeeper.db"
DEFAULT_LISTEN = "127.0.0.1:8050"
DEFAULT_GRPC_LISTEN = "127.0.0.1:50051"
DEFAULT_METRICS = "127.0.0.1:9464"


class Config(Struct, frozen=True, kw_only=True):
    """How one service runs. Times are seconds. ``settings.toml`` describes each setting."""

    database: str = DEFAULT_DATABASE
    titles: str = BUILT_IN
    listen: str = DEFAULT_LISTEN
    grpc_listen: str = "auto"
    grpc_server: Literal["uvicorn", "grpcio"] = "uvicorn"
    web: str = "auto"
    web_origin: str = ""
    log: Literal["console", "json", "off"] = "console"
    tls_certificate: str = ""
    tls_key: str = ""
    tls_client_ca: str = ""
    insecure: bool = False
    operator_token: str = ""
    need_keys: bool = False
    limits: Literal["auto", "on", "off"] = "auto"
    key_limits: str = ""
    address_limits: str = ""
    trusted_proxies: str = ""
    streams: int = 8_000
    watchers_of_a_game: int = 2_000
    synchronous: Literal["FULL", "NORMAL"] = "FULL"
    key_file: str = ""
    archive: str = ""
    notify: Literal["listen", "poll"] = "listen"
    workers: int = 1
    connections: int = 900
    connections_of_an_address: int = 200
    games_in_memory: int = 5_000
    memory_for_games: int = 512
    idle_seconds: float = 900.0
    queue_limit: int = 4_096
    wait_seconds: float = 5.0
    heartbeat_seconds: float = 15.0
    slow_reader_seconds: float = 60.0
    grace_seconds: float = 10.0
    drain_seconds: float = 0.0
    reflection: bool = True
    webhooks_insecure: bool = False
    feed_days: float = 30.0
    metrics: str = ""
    tracing: str = ""
    trace_share: float = 0.01

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
"""All settings by name, in the order of the table in docs/running.md."""


def records(found: Mapping[str, Found]) -> Iterator[dict[str, Any]]:
    """Yield each setting for programs, without secrets: its name, value, and the source and place of the value."""
    for name, each in found.items():
        about = SETTINGS[name]
        yield {
            "setting": name,
            "value": about.shown(each.value),
            "source": each.source,
            "from": each.where,
            "secret": about.meaning.secret,
        }
