"""The settings of a server, with their types and defaults."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct

from boardkeeper.service.config.descriptions import SettingInfo, read_settings
from boardkeeper.service.config.endpoints import Endpoint, split_host_port
from boardkeeper.service.config.sources import SettingValue, resolve_settings
from boardkeeper.service.errors import SettingError, StartupError
from boardkeeper.titles.registry import BUILT_IN

DEFAULT_DATABASE = "boardkeeper.db"
DEFAULT_LISTEN = "127.0.0.1:8050"
DEFAULT_GRPC_LISTEN = "127.0.0.1:50051"
DEFAULT_METRICS = "127.0.0.1:9464"


class Config(Struct, frozen=True, kw_only=True):
    """The settings of one server. Times are in seconds. ``settings.toml`` describes each setting."""

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
    bot_processes: int = 1
    bot_rollouts: int = 96
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
        """The addresses of the HTTP server, the one for browsers first. Raises :class:`StartupError`."""
        main, second = self._listen
        return (main,) if second is None or self.grpc_server == "grpcio" else (main, second)

    @property
    def grpcio_endpoint(self) -> Endpoint | None:
        """The address of grpcio's server, or ``None`` without it. Raises :class:`StartupError`."""
        if self.grpc_server != "grpcio":
            return None
        second = self._listen[1]
        if second is None:
            raise SettingError("grpc_server=grpcio needs a second address: set it with --grpc-listen HOST:PORT")
        return second

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        """All addresses on which clients are accepted. Raises :class:`StartupError`."""
        grpcio = self.grpcio_endpoint
        return self.front_endpoints if grpcio is None else (*self.front_endpoints, grpcio)

    @property
    def has_web(self) -> bool:
        """Whether the web client is served."""
        return self.web not in ("", "off")

    @property
    def _listen(self) -> tuple[Endpoint, Endpoint | None]:
        """The main address, and the second address, if any."""
        main = Endpoint.parse(self.listen)
        if self.has_web and self.web != "auto":  # the old form: separate addresses for browsers and for gRPC
            grpc = DEFAULT_GRPC_LISTEN if self.listen == DEFAULT_LISTEN else self.listen
            return Endpoint.parse(self.web, "web"), Endpoint.parse(grpc)
        if self.grpc_listen in ("", "off") or (self.grpc_listen == "auto" and self.listen != DEFAULT_LISTEN):
            return main, None
        second = DEFAULT_GRPC_LISTEN if self.grpc_listen == "auto" else self.grpc_listen
        return main, Endpoint.parse(second, "grpc_listen")

    @property
    def metrics_address(self) -> tuple[str, int] | None:
        """The host and port of the metrics, or ``None`` if they are off. Raises :class:`StartupError`."""
        if not self.metrics:
            return None
        values = split_host_port(f"127.0.0.1:{self.metrics}" if self.metrics.isdecimal() else self.metrics)
        if values is None:
            raise StartupError(
                f"cannot serve metrics on {self.metrics!r}: write HOST:PORT, for example {DEFAULT_METRICS}, or PORT"
            )
        return values

    def __repr__(self) -> str:
        """Return a text without secrets, for traces."""
        shown = (f"{name}={info.redact(getattr(self, name))!r}" for name, info in SETTINGS.items())
        return f"Config({', '.join(shown)})"

    @classmethod
    def read(cls, arguments: Mapping[str, object], environment: Mapping[str, str] | None = None) -> Config:
        """Read the settings; see :meth:`resolve`."""
        return cls.from_values(cls.resolve(arguments, environment))

    @classmethod
    def resolve(
        cls, arguments: Mapping[str, object], environment: Mapping[str, str] | None = None
    ) -> Mapping[str, SettingValue]:
        """Return every setting by name, with its source.

        Arguments that are ``None`` and empty environment variables count as not set. The argument ``config`` names a
        settings file; the name of a secret with the suffix ``_file`` names the file with the secret.

        Raises :class:`SettingError` for an invalid value or an unknown name; the message names its source.
        """
        unknown = set(arguments) - {name for info in SETTINGS.values() for name in (info.name, info.argument)}
        if unknown - {"config"}:
            raise TypeError(f"no such setting: {', '.join(sorted(unknown))}")
        return resolve_settings(SETTINGS, arguments, os.environ if environment is None else environment)

    @classmethod
    def from_values(cls, values: Mapping[str, SettingValue]) -> Config:
        """Return the settings without their sources."""
        return cls(**{name: it.value for name, it in values.items()})


SETTINGS: Mapping[str, SettingInfo] = read_settings(Config)
"""All settings by name, in the order of the table in docs/running.md."""


def describe_settings(values: Mapping[str, SettingValue]) -> Iterator[dict[str, Any]]:
    """Yield each setting for programs, without secrets: its name, value, and the source and place of the value."""
    for name, it in values.items():
        info = SETTINGS[name]
        yield {
            "setting": name,
            "value": info.redact(it.value),
            "source": it.source,
            "from": it.where,
            "secret": info.meaning.secret,
        }
