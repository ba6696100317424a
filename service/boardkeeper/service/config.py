"""Settings of the service: from arguments, then from ``BOARDKEEPER_…`` environment variables, then defaults."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote

import msgspec
from msgspec import Struct

from boardkeeper.service.errors import StartupError
from boardkeeper.table.decoding import convert

PREFIX = "BOARDKEEPER_"
DEFAULT_DATABASE = "boardkeeper.db"
SHORTEST_OPERATOR_TOKEN = 32
DEFAULT_LISTEN = "127.0.0.1:50051"
DEFAULT_METRICS = "127.0.0.1:9464"

_POSITIVE = frozenset({"games_in_memory", "queue_limit", "connections", "heartbeat_seconds", "slow_reader_seconds"})
"""With nothing of these no service can be given."""

_MOST = (1 << 31) - 1

_FLAGS = {"database": "--db"}
"""Where the command line calls a setting otherwise."""


class Config(Struct, frozen=True, kw_only=True):
    """How one service runs.

    ``database`` is a path or ``sqlite:///path``; ``listen`` is HOST:PORT, port 0 meaning any free one.
    ``log`` is the form of the log: ``console``, ``json`` or ``off``. With ``synchronous`` NORMAL a loss of
    power may cost the last commands; with FULL it costs nothing. Times are seconds. No more
    than ``connections`` are open at once. Who sends ``operator_token`` as its bearer token sees everything that is
    hidden; without one nobody does. ``metrics`` is where Prometheus finds metrics, HOST:PORT or a port of this machine
    alone; empty means nowhere.
    """

    database: str = DEFAULT_DATABASE
    listen: str = DEFAULT_LISTEN
    log: Literal["console", "json", "off"] = "console"
    synchronous: Literal["FULL", "NORMAL"] = "FULL"
    games_in_memory: int = 5_000
    idle_seconds: float = 900.0
    queue_limit: int = 4_096
    connections: int = 900
    heartbeat_seconds: float = 15.0
    slow_reader_seconds: float = 60.0
    wait_seconds: float = 5.0
    grace_seconds: float = 10.0
    reflection: bool = True
    operator_token: str = ""
    metrics: str = ""

    @property
    def database_path(self) -> Path:
        """The database file; raises :class:`StartupError` if the URL is none that the service understands."""
        scheme, separator, rest = self.database.partition("://")
        if not separator:
            if not self.database:
                raise StartupError("the database has no name")
            return Path(self.database)
        if scheme != "sqlite":
            raise StartupError(f"cannot use a database of kind {scheme!r}; give a path or sqlite:///PATH")
        # As in SQLAlchemy: three slashes begin a relative path, four an absolute one.
        path = unquote(rest).removeprefix("/")
        if not path or path == ":memory:":
            raise StartupError("games need a file: give sqlite:///PATH")
        return Path(path)

    @property
    def address(self) -> tuple[str, int]:
        """Host and port to listen on; raises :class:`StartupError`."""
        return _address(self.listen, f"cannot listen on {self.listen!r}: give HOST:PORT, as in {DEFAULT_LISTEN}")

    @property
    def metrics_address(self) -> tuple[str, int] | None:
        """Host and port of the metrics, ``None`` if there are to be none; raises :class:`StartupError`."""
        if not self.metrics:
            return None
        given = f"127.0.0.1:{self.metrics}" if self.metrics.isdecimal() else self.metrics
        problem = f"cannot give metrics on {self.metrics!r}: give HOST:PORT or PORT, as in {DEFAULT_METRICS}"
        return _address(given, problem)

    @classmethod
    def read(cls, arguments: Mapping[str, object], environment: Mapping[str, str] | None = None) -> Config:
        """Settings by name; an argument that is ``None`` counts as not given.

        Raises :class:`StartupError` for a value that does not fit, naming where it came from.
        """
        environment = os.environ if environment is None else environment
        values: dict[str, Any] = {}
        for field in msgspec.structs.fields(cls):
            variable = PREFIX + field.name.upper()
            given, source = arguments.get(field.name), _FLAGS.get(field.name, f"--{field.name.replace('_', '-')}")
            if given is None:
                given, source = environment.get(variable) or None, variable
            if given is not None:
                try:
                    values[field.name] = convert(given, field.type, strict=False)
                except msgspec.ValidationError as error:
                    raise StartupError(f"{source} cannot be {given!r}: {_plain(str(error))}") from error
                if isinstance(values[field.name], int | float):
                    _check_number(field.name, values[field.name], source)
        unknown = set(arguments) - {field.name for field in msgspec.structs.fields(cls)}
        if unknown:
            raise TypeError(f"no such setting: {', '.join(sorted(unknown))}")
        token = values.get("operator_token", "")
        if token and len(token) < SHORTEST_OPERATOR_TOKEN:
            raise StartupError(f"the operator token must have at least {SHORTEST_OPERATOR_TOKEN} characters")
        return cls(**values)


def _address(text: str, problem: str) -> tuple[str, int]:
    match = re.fullmatch(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]\s]+):(\d{1,5})", text, re.ASCII)
    if match is None or int(match[2]) > 65535:
        raise StartupError(problem)
    return match[1], int(match[2])


def _check_number(name: str, number: float, source: str) -> None:
    if not isfinite(number):
        raise StartupError(f"{source} must be a number")
    if isinstance(number, int) and number > _MOST:
        raise StartupError(f"{source} is too large: {_MOST} is the most")
    if number < 0:
        raise StartupError(f"{source} cannot be negative")
    if not number and name in _POSITIVE:
        raise StartupError(f"{source} cannot be 0")


def _plain(message: str) -> str:
    return message.replace("`", "").removeprefix("Invalid enum value").strip() or "not one of the choices"
