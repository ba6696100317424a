"""SQL that is written once for SQLite and PostgreSQL, and the conversion of rows to typed values.

The common dialect is PostgreSQL's SQL with ``?`` for a value, or ``?field`` for a field of a struct (:func:`bind`).
Text for one database only is in braces with its name: ``{sqlite:+}``, ``{postgres:FOR UPDATE}``. A statement that is
empty for a database is skipped there. Game ids are ``UUID`` objects; SQLite stores them as 32 hexadecimal digits.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, ClassVar, NamedTuple, TypeVar, get_origin
from uuid import UUID

import msgspec
import structlog
from eventsourcing.persistence import PersistenceError
from msgspec import Struct
from msgspec.structs import astuple

from boardkeeper.service.storage.rows import DamagedRowError, encode
from boardkeeper.table.decoding import convert, decode, state_type

_T = TypeVar("_T")
_S = TypeVar("_S", bound=Struct)
_log = structlog.get_logger()

NOW = (
    "{postgres:(extract(epoch FROM clock_timestamp()) * 1000)::bigint}"
    "{sqlite:CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)}"
)
"""SQL for the database's clock, in milliseconds since 1970."""


JOIN_PROGRESS = "{postgres: JOIN progress p ON p.game = g.game}"
PROGRESS_ALIAS = "{sqlite:g}{postgres:p}"
"""SQL that joins ``progress`` to ``games g``, and its alias. In SQLite its columns are in ``games``."""


class Statement(NamedTuple):
    """SQL in the common dialect with its parameters."""

    sql: str
    parameters: tuple[object, ...] = ()


class Check(NamedTuple):
    """A query that must not return a row; if it does, the change fails with ``error``."""

    sql: str
    parameters: tuple[object, ...]
    error: type[PersistenceError]


class Change(Struct, frozen=True):
    """A modification that is stored with events in one transaction. A violated constraint is a conflict."""

    is_counted: ClassVar[bool] = False
    """True if the change locks rows that belong to many games."""

    @property
    def changed_game(self) -> UUID | None:
        """The game whose other rows than events change. Other processes are notified. ``None``: no game."""
        return None

    @property
    def lock_key(self) -> Hashable:
        """A key of the rows that the change locks besides those of games with events; ``None`` if there are none."""
        return self.changed_game

    def statements(self) -> Sequence[Statement | Check]:
        """Return the SQL of the change."""
        raise NotImplementedError


# --- the two dialects ---------------------------------------------------------------------------------------

_NAMED = re.compile(r"\?([a-z_]+)")
_ONLY_FOR = re.compile(r"\{(sqlite|postgres):([^{}]*)\}")
_SQLITE = (
    (re.compile(r"= ANY\(\?(?:::\w+\[\])?\)"), "IN (SELECT value FROM json_each(?))"),
    (re.compile(r"::\w+(?:\[\])?"), ""),
    (re.compile(r"\bIS NOT DISTINCT FROM\b"), "IS"),
    (re.compile(r"\bgreatest\("), "max("),
    (re.compile(r"\bleast\("), "min("),
)
_SQLITE_TABLES = (
    (re.compile(r"\bbigint GENERATED ALWAYS AS IDENTITY\b"), "INTEGER"),
    (re.compile(r"\b(?:bigint|boolean)\b"), "INTEGER"),
    (re.compile(r"\b(?:uuid|text)\b"), "TEXT"),  # SQLite would store some ids as numbers in a "uuid" column
    (re.compile(r"\bbytea\b"), "BLOB"),
    (re.compile(r' COLLATE "C"'), ""),
)


@cache
def for_postgres(text: str) -> bytes:
    """Return the SQL for PostgreSQL, with the driver's placeholders; may be empty."""
    return _only_for("postgres", text).replace("?", "%b").encode()


@cache
def for_sqlite(text: str) -> str:
    """Return the SQL for SQLite; may be empty."""
    return _replace(_only_for("sqlite", text), _SQLITE)


def sqlite_tables(script: str) -> str:
    """Return the SQL for SQLite of a script that defines tables."""
    return _replace(_only_for("sqlite", script), (*_SQLITE, *_SQLITE_TABLES))


def postgres_tables(script: str) -> str:
    """Return the SQL for PostgreSQL of a script that defines tables."""
    return _only_for("postgres", script)


def _only_for(database: str, text: str) -> str:
    return _ONLY_FOR.sub(lambda found: found[2] if found[1] == database else "", text).strip()


def _replace(text: str, replacements: Iterable[tuple[re.Pattern[str], str]]) -> str:
    for pattern, replacement in replacements:
        text = pattern.sub(replacement, text)
    return text


def sqlite_values(parameters: Iterable[object]) -> list[object]:
    """Return parameters as SQLite stores them: ids as text, lists as JSON."""
    return [
        value.hex
        if type(value) is UUID
        else encode(sqlite_values(value)).decode()
        if isinstance(value, list)
        else value
        for value in parameters
    ]


# --- structs and their columns ------------------------------------------------------------------------------


@cache
def columns(kind: type[Struct]) -> str:
    """Return the field names of a struct, which are the columns of its table, separated by commas."""
    return ", ".join(kind.__struct_fields__)


def insert_row(table: str, row: Struct) -> Statement:
    """Return the statement that inserts a struct into a table with the columns of its fields."""
    values = stored_values(row)
    return Statement(f"INSERT INTO {table} ({columns(type(row))}) VALUES {placeholders(len(values))}", values)


def bind(source: Struct, *texts: str) -> list[Statement]:
    """Return statements in which ``?field`` stands for a field of ``source``; tuples become lists."""
    return [
        Statement(
            sql, tuple(list(value) if isinstance(value := getattr(source, name), tuple) else value for name in names)
        )
        for sql, names in map(_parse_names, texts)
    ]


@cache
def _parse_names(text: str) -> tuple[str, tuple[str, ...]]:
    return _NAMED.sub("?", text), tuple(_NAMED.findall(text))


def stored_values(row: Struct) -> tuple[object, ...]:
    """Return the field values of a struct as they are stored: tuples and structs as JSON."""
    values = astuple(row)
    _, _, encoded = _column_types(type(row), len(values))
    if not encoded:
        return values
    copy = list(values)
    for at, _ in encoded:
        copy[at] = encode(copy[at])
    return tuple(copy)


def placeholders(width: int, rows: int = 1) -> str:
    """Return the placeholders of rows: ``(?, ?), (?, ?)``."""
    return ", ".join([f"({', '.join('?' * width)})"] * rows)


def ids_with_prefix(digits: str) -> tuple[UUID, UUID]:
    """Return the smallest and the largest id that begin with the hexadecimal digits."""
    return UUID(digits.ljust(32, "0")), UUID(digits.ljust(32, "f"))


class Where:
    """The conditions of a query with their parameters. As a string it is the ``WHERE`` clause, or empty."""

    def __init__(self, condition: str = "", *parameters: object) -> None:
        self._conditions = [condition] if condition else []
        self.parameters = list(parameters)

    def add(self, condition: str, *parameters: object) -> None:
        """Add a condition with "and"."""
        self._conditions.append(condition)
        self.parameters += parameters

    def __bool__(self) -> bool:
        return bool(self._conditions)

    def __str__(self) -> str:
        return f" WHERE {' AND '.join(self._conditions)}" if self._conditions else ""


# --- reading ------------------------------------------------------------------------------------------------


class Reader:
    """Reads typed rows from a database; all methods block. Raises ``DamagedRowError`` for values of other types."""

    is_shared: ClassVar[bool]
    """True if other processes may write the database."""

    def fetch(self, text: str, parameters: Sequence[object]) -> list[Any]:
        """Return the rows of a query with the driver's types."""
        raise NotImplementedError

    def read_chain(self, game: UUID) -> tuple[list[Any], object, object]:
        """Return the events of a game with their links, the head of its chain, and the version of the head."""
        raise NotImplementedError

    def execute(self, statements: Sequence[Statement | Check]) -> int:
        """Run statements in a transaction; return the row count of the last one. For shared databases only."""
        raise NotImplementedError

    def fetch_structs(self, kind: type[_S], text: str, *parameters: object) -> list[_S]:
        """Return rows as structs; the columns are the first fields of the struct, in order."""
        return to_structs(kind, self.fetch(text, parameters))

    def fetch_first(self, kind: type[_S], text: str, *parameters: object) -> _S | None:
        """Return the first row as a struct; ``None`` if there is none."""
        return next(iter(self.fetch_structs(kind, text, *parameters)), None)

    def fetch_tuples(self, kind: type[_T], text: str, *parameters: object) -> list[_T]:
        """Return rows as tuples of a type such as ``tuple[UUID, int]``."""
        return _to_type(kind, self.fetch(text, parameters))

    def fetch_values(self, kind: type[_T], text: str, *parameters: object) -> list[_T]:
        """Return the values of a query with one column."""
        return _to_type(kind, [row[0] for row in self.fetch(text, parameters)])

    def fetch_value(self, kind: type[_T], text: str, *parameters: object) -> _T:
        """Return the value of a query with one column and one row."""
        (value,) = self.fetch_values(kind, text, *parameters)
        return value


class Tables:
    """Base class of readers for a group of tables."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader


class Transaction(Reader):
    """A transaction of an operator command. Its reads see its own writes."""

    def write(self, *changes: Change) -> None:
        """Write changes and notify the processes that serve the database."""
        raise NotImplementedError


def to_structs(kind: type[_S], rows: Sequence[Sequence[object]]) -> list[_S]:
    """Convert rows to structs; values are the first fields of the struct. Raises ``DamagedRowError``."""
    return [kind(*values) for values in to_values(kind, rows)]


def to_values(kind: type[Struct], rows: Sequence[Sequence[object]]) -> Sequence[Sequence[Any]]:
    """Convert the values of rows to the types of a struct's first fields. Raises ``DamagedRowError``."""
    if not rows:
        return []
    types, binary, encoded = _column_types(kind, len(rows[0]))
    for at in binary:  # msgspec would decode text as Base64
        if any(type(row[at]) is str for row in rows):
            raise DamagedRowError(f"a value of {kind.__name__} is text instead of bytes")
    found = _convert(types, rows)
    if not encoded:
        return found
    try:
        decoded = [list(row) for row in found]
        for at, value in encoded:
            for row in decoded:
                row[at] = decode(row[at], value)
    except (msgspec.MsgspecError, TypeError, ValueError) as error:
        raise DamagedRowError(f"a value of {kind.__name__} cannot be read: {error}") from error
    return decoded


def undamaged_rows(kind: type[_T], rows: Sequence[object]) -> list[_T]:
    """Convert rows to tuples of a type. Leave out damaged rows, and log each of them once.

    Use this for work on all games, which must not stop at a damaged game.
    """
    try:
        return _to_type(kind, rows)
    except DamagedRowError:
        found: list[_T] = []
        for row in rows:
            try:
                found += _to_type(kind, [row])
            except DamagedRowError as error:
                _log_damage(str(error), repr(row))
        return found


@lru_cache(maxsize=1_000)
def _log_damage(problem: str, row: str) -> None:
    _log.error("a row cannot be read, and is left out", problem=problem, row=row)


def _to_type(kind: Any, values: Sequence[object]) -> list[Any]:
    return _convert(_list_of(kind), values)


def _convert(list_of: type[Struct], values: Sequence[object]) -> list[Any]:
    try:
        found: list[Any] = convert((values,), list_of, strict=False).values  # type: ignore[attr-defined]
    except (msgspec.MsgspecError, ValueError) as error:
        raise DamagedRowError(f"a stored value is not what it must be: {error}") from error
    return found


@cache
def _list_of(kind: Any) -> type[Struct]:
    """Return a struct with a list of a type; msgspec caches type information for structs only."""
    return state_type("Values", [("values", list[kind])])


@cache
def _column_types(kind: type[Struct], width: int) -> tuple[Any, tuple[int, ...], tuple[tuple[int, Any], ...]]:
    """Return the types of a struct's first fields, the indexes of those with bytes, and those stored as JSON."""
    kinds = [field.type for field in msgspec.structs.fields(kind)[:width]]
    encoded = tuple((at, type_) for at, type_ in enumerate(kinds) if _is_json(type_))
    for at, _ in encoded:
        kinds[at] = Any  # files of some releases have text there
    binary = tuple(at for at, type_ in enumerate(kinds) if type_ in (bytes, bytes | None))
    return _list_of(tuple[tuple(kinds)]), binary, encoded  # type: ignore[misc]


def _is_json(kind: Any) -> bool:
    return get_origin(kind) is tuple or (isinstance(kind, type) and issubclass(kind, Struct))
