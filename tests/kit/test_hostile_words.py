"""Hostile values in the commands and event details of a record are found by the rules of the title.

The general bounds of records do not cover these values: each title defines them. The reported problems are short and
printable.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from tests.game.records import check
from tests.kit.adapters import EACH_TITLE

from boardkeeper.game.audit import DECIDED, WELL_FORMED
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.games import record, rewrite_event
from boardkeeper.testkit.histories import eager_history
from boardkeeper.testkit.setups import default_setup

NESTED: Any = []
for _ in range(9):
    NESTED = [NESTED]

HOSTILE: tuple[Any, ...] = (
    *("", "x" * 100_000, "\x1b[2J", "\u202eevil", "{}", "no such thing", "__class__"),
    *(-1, 2**31, 2**53 - 1, 1 - 2**53, True, None),
    *([], [1], {}, {"a": 1}, NESTED, list(range(10_000)), {f"a{at}": at for at in range(1000)}),
)


def leaves(value: Any, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the path of every value in a detail or command, including containers."""
    yield place
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, it in items:
        yield from leaves(it, (*place, name))


def put(value: Any, place: tuple[str | int, ...], hostile: Any) -> Any:
    """Return the value with the part at a path replaced."""
    if not place:
        return hostile
    value[place[0]] = put(value[place[0]], place[1:], hostile)
    return value


def at_place(value: Any, place: tuple[str | int, ...]) -> Any:
    """Return the part at a path."""
    return at_place(value[place[0]], place[1:]) if place else value


def title_values(lines: list[Any]) -> Iterator[tuple[int, tuple[str | int, ...]]]:
    """Yield line and path of each kind of value that a title defines, once."""
    seen = set()
    for at, line in enumerate(lines[1:-1], 1):
        topic = line["event"]["topic"]
        structs: list[tuple[str, tuple[str | int, ...]]] = []
        if not topic.startswith("game."):
            structs.append((topic, ("event", "detail")))
        for number, (name, _) in enumerate(line["given"]["commands"] if line["given"] else ()):
            structs.append((name, ("given", "commands", number, 1)))
        for name, where in structs:
            for place in leaves(at_place(line, where)):
                kind = (name, tuple("" if isinstance(it, int) else it for it in place))
                if kind not in seen:
                    seen.add(kind)
                    yield at, (*where, *place)


def check_forgeries_are_found(adapter: Adapter, command_step: int, detail_step: int, first: int = 0) -> None:
    """Try every ``command_step``-th forgery of commands and every ``detail_step``-th of event details of a game."""
    lines = record(eager_history(adapter, default_setup(adapter.title, adapter.players[0]), Random(1)))
    plain = [msgspec.json.decode(line) for line in lines]
    forgeries = [
        (line, place, value)
        for line, place in title_values(plain)
        for value in HOSTILE
        if at_place(plain[line], place) != value
    ]
    commands, details = ([it for it in forgeries if it[1][0] == part] for part in ("given", "event"))
    assert len(commands) > 5 * command_step
    assert len(details) > 5 * detail_step
    for version, place, value in commands[first::command_step] + details[first::detail_step]:
        report = check(rewrite_event(lines, version, lambda line, place=place, value=value: put(line, place, value)))
        assert {it.level for it in report.problems} & {WELL_FORMED, DECIDED}, (place, value)
        for problem in report.problems:
            assert 0 < len(problem.message) <= 300
            assert problem.message.isprintable()


@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_hostile_values_are_found_by_the_rules(adapter: Adapter) -> None:
    check_forgeries_are_found(adapter, 83, 423)


@pytest.mark.soak
@pytest.mark.parametrize("first", range(5))
@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_soak_hostile_values_are_found_by_the_rules(adapter: Adapter, first: int) -> None:
    check_forgeries_are_found(adapter, 5, 31, first)
