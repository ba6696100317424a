"""The errors of the API, which ``errors.toml`` lists, as exceptions.

Any code below the servicers raises them; :mod:`boardkeeper.service.transport.statuses` turns them into a gRPC status.
A test checks that every reason in the code exists, and that it gets exactly the values of its texts and metadata.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TypeGuard

import msgspec
from grpc import StatusCode

from boardkeeper.service.requests.texts import Sentence, in_language
from boardkeeper.table.decoding import convert
from boardkeeper.table.rejections import Rejection
from boardkeeper.titlekit.title import Title
from boardkeeper.titlekit.title_files import read_toml
from boardkeeper.titlekit.title_guard import IncompatibleTitleError


class Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text with named values, in each language."""

    en: str
    de: str

    def fill(self, values: Mapping[str, object]) -> Sentence:
        """Return the text with its values, which can be ``Sentence`` objects."""
        german = {name: in_language(value, "de") for name, value in values.items()}
        return Sentence(self.en.format_map(values), self.de.format_map(german))


class Entry(Text, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An error of ``errors.toml``; the heading of the file explains the fields."""

    code: str
    metadata: dict[str, str] = {}
    retry: float | None = None
    reason: str = ""
    is_guess: bool = False
    resource: str = ""
    limit: str = ""
    counts: str = ""
    advice: str = ""


@cache
def sections() -> dict[str, dict[str, Entry]]:
    """Return the entries of ``errors.toml`` by section and name."""
    return convert(read_toml(__package__, "errors.toml"), dict[str, dict[str, Entry]])


@cache
def entries() -> dict[str, Entry]:
    """Return the entries of ``errors.toml`` by name."""
    return {name: entry for section in sections().values() for name, entry in section.items()}


@cache
def problems() -> dict[str, Text]:
    """Return the entries of ``problems.toml`` by name."""
    return convert(read_toml(__package__, "problems.toml"), dict[str, Text])


def load() -> None:
    """Read ``errors.toml`` and ``problems.toml``, so that no call waits for it (about 20 ms)."""
    entries()
    problems()


def problem(name: str, /, **values: object) -> Sentence:
    """Return a text of ``problems.toml`` about a field, with its values."""
    return problems()[name].fill(values)


class ApiError(Exception):
    """An error of ``errors.toml``, with the values of its texts and metadata.

    ``reason`` and ``values`` are for programs, ``message`` is for people. ``retry_seconds``: after this time the same
    request can succeed (0: at once); ``None``: never. ``is_guess``: the caller presented a wrong key or token.
    """

    code = StatusCode.FAILED_PRECONDITION
    retry_seconds: float | None = None
    is_guess = False
    resource = ""

    def __init__(self, name: str, /, **values: object) -> None:
        entry = entries()[name]
        self.message = entry.fill(values)
        super().__init__(self.message)
        self.reason = entry.reason or name
        self.code = StatusCode[entry.code]
        self.values = {key: str(values[key]) for key in entry.metadata}
        self.retry_seconds = entry.retry
        self.is_guess = entry.is_guess
        self.resource = entry.resource


def is_reason(error: object, *reasons: str) -> TypeGuard[ApiError]:
    """Return whether something is an error of the API with one of these reasons."""
    return isinstance(error, ApiError) and error.reason in reasons


class InvalidRequestError(ApiError):
    """The request is malformed, regardless of the state of the game.

    ``violations`` maps paths of fields to problems (see ``problems.toml``). An empty path is the whole request.
    """

    def __init__(self, violations: Mapping[str, str]) -> None:
        text = "; ".join(f"`{field}` {problem}" if field else problem for field, problem in violations.items())
        super().__init__("BAD_REQUEST", problems=text)
        self.violations = dict(violations)


def invalid(field: str, name: str, /, **values: object) -> InvalidRequestError:
    """Return the error for one field with a problem of ``problems.toml``."""
    return InvalidRequestError({field: problem(name, **values)})


class RejectedError(ApiError):
    """A rule of the title forbids the command; nothing has changed.

    ``seat_names`` returns the names of the game's seats in a language.
    """

    def __init__(
        self,
        rejection: Rejection,
        title: Title,
        edition: str,
        seat_names: Callable[[str], Sequence[str]] = lambda _language: (),
    ) -> None:
        Exception.__init__(self, rejection.rule)
        self.reason = rejection.code
        self.message = Sentence(rejection.rule, rejection.rule)
        self.values = {}
        self.rejection = rejection
        self.title = title
        self.edition = edition
        self.seat_names = seat_names


@cache
def limit_error_names() -> dict[str, str]:
    """Return the names of the errors of rate limits and quotas, by the name of the limit."""
    return {entry.limit: name for name, entry in entries().items() if entry.limit}


class LimitError(ApiError):
    """A rate limit or quota was exceeded; a request can succeed after ``retry_seconds``.

    ``most`` is the value of the limit. ``by`` is the kind of its subject: ``key``, ``address``, ``platform``, ``game``
    or ``service``. ``name`` is the name of the subject; empty if the caller may not know it.
    """

    retry_seconds: float

    def __init__(self, limit: str, by: str, name: str, most: str, retry_seconds: float) -> None:
        whom = problem(f"limit_of_{by}")
        text = problem("limit_reached", most=most, whom=whom, seconds=max(1, round(retry_seconds)))
        super().__init__(limit_error_names()[limit], terms=text)
        self.values = {"limit": limit, "most": most, "by": by}
        self.subject = f"{by}:{name}" if name else by
        self.retry_seconds = retry_seconds


def record_error(level: str, line: int, version: int, problem: str) -> ApiError:
    """Return the error for the first failed check of a record; line 0 stands for the whole record."""
    if not line:
        return ApiError("RECORD_REFUSED", level=level, line=line, version=version, problem=problem)
    return ApiError("RECORD_REFUSED_IN_LINE", level=level, line=line, version=version, problem=problem)


def api_error_of(error: ApiError | IncompatibleTitleError) -> ApiError:
    """Return an error as an error of the API: an incompatible title becomes ``TITLE_INCOMPATIBLE``."""
    if isinstance(error, IncompatibleTitleError):
        recorded, installed = error.recorded, error.build
        return ApiError("TITLE_INCOMPATIBLE", title=error.title, title_build=recorded, installed=installed)
    return error
