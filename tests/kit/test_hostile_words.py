"""What stands in a record in a title's own words, told otherwise by whoever has a key: found out, said in plain text.

The bounds of a record end where a title's words begin: its commands and the details of its events. Nothing but the
rules says what may stand there.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from tests.game.records import check
from tests.kit.adapters import adapters

from boardkeeper.game.audit import DECIDED, WELL_FORMED
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.games import record, rewrite_event
from boardkeeper.testkit.histories import eager_history
from boardkeeper.testkit.setups import default_setup

TITLES = [pytest.param(it, id=it.id) for it in adapters()]

NESTED: Any = []
for _ in range(9):
    NESTED = [NESTED]

HOSTILE: tuple[Any, ...] = (
    *("", "x" * 100_000, "\x1b[2J", "\u202eevil", "{}", "no such thing", "__class__"),
    *(-1, 2**31, 2**53 - 1, 1 - 2**53, True, None),
    *([], [1], {}, {"a": 1}, NESTED, list(range(10_000)), {f"a{at}": at for at in range(1000)}),
)


def leaves(value: Any, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every place in a detail or command, and what lies around it."""
    yield place
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, it in items:
        yield from leaves(it, (*place, name))


def put(value: Any, place: tuple[str | int, ...], hostile: Any) -> Any:
    """The value with something else in a place."""
    if not place:
        return hostile
    value[place[0]] = put(value[place[0]], place[1:], hostile)
    return value


def at_place(value: Any, place: tuple[str | int, ...]) -> Any:
    """What lies in a place."""
    return at_place(value[place[0]], place[1:]) if place else value


def words(lines: list[Any]) -> Iterator[tuple[int, tuple[str | int, ...]]]:
    """By its line, everything once that a title says itself."""
    seen = set()
    for at, line in enumerate(lines[1:-1], 1):
        topic = line["event"]["topic"]
        said: list[tuple[str, tuple[str | int, ...]]] = []
        if not topic.startswith("game."):
            said.append((topic, ("event", "detail")))
        for number, (name, _) in enumerate(line["given"]["commands"] if line["given"] else ()):
            said.append((name, ("given", "commands", number, 1)))
        for name, where in said:
            for place in leaves(at_place(line, where)):
                kind = (name, tuple("" if isinstance(it, int) else it for it in place))
                if kind not in seen:
                    seen.add(kind)
                    yield at, (*where, *place)


def expect_found_out(adapter: Adapter, commands: int, details: int, first: int = 0) -> None:
    """Each so-many-th of all that could be put into commands, and into details, of a game."""
    lines = record(eager_history(adapter, default_setup(adapter.title, adapter.players[0]), Random(1)))
    plain = [msgspec.json.decode(line) for line in lines]
    forgeries = [
        (*word, value) for word in words(plain) for value in HOSTILE if at_place(plain[word[0]], word[1]) != value
    ]
    asked, told = ([it for it in forgeries if it[1][0] == part] for part in ("given", "event"))
    assert len(asked) > 5 * commands
    assert len(told) > 5 * details
    for version, place, value in asked[first::commands] + told[first::details]:
        report = check(rewrite_event(lines, version, lambda line, place=place, value=value: put(line, place, value)))
        assert {it.level for it in report.problems} & {WELL_FORMED, DECIDED}, (place, value)
        for problem in report.problems:
            assert 0 < len(problem.message) <= 300
            assert problem.message.isprintable()


@pytest.mark.parametrize("adapter", TITLES)
def test_hostile_words_of_a_title_are_found_out_by_its_rules(adapter: Adapter) -> None:
    expect_found_out(adapter, 83, 423)


@pytest.mark.soak
@pytest.mark.parametrize("first", range(5))
@pytest.mark.parametrize("adapter", TITLES)
def test_soak_hostile_words_of_a_title_are_found_out_by_its_rules(adapter: Adapter, first: int) -> None:
    expect_found_out(adapter, 5, 31, first)
