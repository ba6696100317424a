"""The code and ``errors.toml`` agree: reasons, values, problems of fields, and whether a retry can succeed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import NamedTuple

import pytest
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from grpc import StatusCode

from boardkeeper.service.limits.limits import NAMES
from boardkeeper.service.requests.errors import ApiError, Text, entries, limit_error_names, problems
from boardkeeper.service.transport.statuses import status_of

FIELD_PROBLEM_FUNCTIONS = {"problem": 0, "invalid": 1, "BadNameError": 0, "_reject": 0, "_InvalidValueError": 0}
"""Functions that take the name of a problem, and the place of that argument."""
REASONS = {entry.reason or name for name, entry in entries().items()}


class Use(NamedTuple):
    """A call with the name of an error or problem; ``values`` is ``None`` if they are passed on."""

    place: str
    name: str
    is_prefix: bool
    values: set[str] | None


def calls(repository: Path, functions: dict[str, int]) -> Iterator[Use]:
    """Yield all calls of these functions in the service, with the place of their name argument."""
    for source in sorted((repository / "service").rglob("*.py")):
        for node in ast.walk(ast.parse(source.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in functions:
                argument = node.args[functions[node.func.id]]
                if isinstance(argument, ast.Name | ast.Attribute):
                    continue  # passed on by one of these functions
                keys = [keyword.arg for keyword in node.keywords]
                values = None if None in keys else {key for key in keys if key is not None}
                first = argument.values[0] if isinstance(argument, ast.JoinedStr) else argument
                assert isinstance(first, ast.Constant), f"{source}:{node.lineno} needs a literal name"
                yield Use(f"{source}:{node.lineno}", str(first.value), first is not argument, values)


def names(text: Text) -> set[str]:
    """Return the names of the values of a text."""
    return {name for each in (text.en, text.de) for _, name, _, _ in Formatter().parse(each) if name}


def test_every_error_of_the_code_exists_and_gets_its_values(repository: Path) -> None:
    used = set()
    for use in calls(repository, {"ApiError": 0}):
        assert use.name in entries(), use.place
        entry = entries()[use.name]
        assert use.values == names(entry) | entry.metadata.keys(), use.place
        used.add(use.name)
    assert entries().keys() - used - set(limit_error_names().values()) == {"BAD_REQUEST"}


def test_every_problem_of_the_code_exists_and_gets_its_values(repository: Path) -> None:
    used: set[str] = set()
    for use in calls(repository, FIELD_PROBLEM_FUNCTIONS):
        found = {name for name in problems() if name == use.name or (use.is_prefix and name.startswith(use.name))}
        assert found, use.place
        assert {frozenset(names(problems()[name])) for name in found} == {frozenset(use.values or ())}, use.place
        used |= found
    assert problems().keys() == used


def test_every_reason_that_the_code_compares_exists(repository: Path) -> None:
    compared = set()
    for source in (repository / "service").rglob("*.py"):
        for node in ast.walk(ast.parse(source.read_text("utf-8"))):
            is_of_error = isinstance(node, ast.Compare) and ast.unparse(node.left) == "error.reason"
            if is_of_error or (isinstance(node, ast.Call) and ast.unparse(node.func) == "is_reason"):
                compared |= {str(each.value) for each in ast.walk(node) if isinstance(each, ast.Constant)}
    assert len(compared) > 5
    assert compared - REASONS == set()


def test_both_languages_have_the_same_values() -> None:
    texts: list[Text] = [*entries().values(), *problems().values()]
    for text in texts:
        english, german = (
            sorted(filter(None, (it[1] for it in Formatter().parse(each)))) for each in (text.en, text.de)
        )
        assert english == german, text


@pytest.mark.parametrize("name", sorted(set(entries()) - {"BAD_REQUEST"}))
def test_an_error_is_sent_as_its_entry_says(name: str) -> None:
    """``RetryInfo`` exists if a retry can succeed, also immediately: clients retry only if it exists."""
    entry = entries()[name]
    error = ApiError(name, **dict.fromkeys(names(entry) | entry.metadata.keys(), "7"))
    status = status_of(error, "en", "call")
    info, retry = ErrorInfo(), RetryInfo()
    assert status.details[0].Unpack(info)
    assert (info.reason, dict(info.metadata)) == (entry.reason or name, dict.fromkeys(entry.metadata, "7"))
    assert StatusCode[entry.code].value[0] == status.code
    assert any(each.Unpack(retry) for each in status.details) == (entry.retry is not None)
    assert retry.retry_delay.ToTimedelta().total_seconds() == (entry.retry or 0)
    if entry.retry is not None:
        assert "`RetryInfo`" in entry.advice


def test_every_limit_has_its_error() -> None:
    assert list(limit_error_names()) == list(NAMES)
