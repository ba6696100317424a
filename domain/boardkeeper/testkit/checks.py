"""Checks of events and rejections. Every test of a rule makes them too."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct

from boardkeeper.table.effects import Ask, Draw, Effect, Event, Move, Reveal, Set, Shuffle
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.playouts import store_and_load
from boardkeeper.titlekit.sentences import Words

PUBLISHED = "rejections.toml"
"""The published rejections of a title, in the folder of its tests."""


@cache
def words_of(package: str, language: str) -> Words:
    """Return the words of a title's package in a language."""
    return Words.read(package, language)


@cache
def published_rejections(folder: Path | None) -> Mapping[tuple[str, str], list[str]]:
    """Return the names of the values of each published rejection, by code and rule.

    They are in ``rejections.toml`` in the folder of the title's tests.
    """
    assert folder is not None, "set Adapter.folder, the folder of the title's tests"
    table = tomllib.loads(folder.joinpath(PUBLISHED).read_text("utf-8"))
    return {(code, rule): names for code, rules in table.items() for rule, names in rules.items()}


def check_rejection(adapter: Adapter, command: Struct, rejection: Rejection) -> None:
    """Check that a rejection is published, and check its values (:func:`check_values`)."""
    published = published_rejections(adapter.folder).get((rejection.code, rejection.rule))
    assert published is not None, f"not published: {rejection}"
    assert " ".join(sorted(rejection.values)) in published, rejection
    check_values(command, rejection)


def check_values(command: Struct, rejection: Rejection) -> None:
    """Check that values with the name of a field of the command have the value of that field."""
    for name, value in rejection.values.items():
        assert type(value) is str, rejection
        assert value != "None", rejection
        if name in command.__struct_fields__:
            assert value == str(getattr(command, name)), (command, rejection)


@cache
def events_with_seat(package: str) -> dict[str, set[bool]]:
    """Return for each event whether its sentence names a seat; with an optional part, both are possible."""
    found: dict[str, set[bool]] = {}
    for name, text in words_of(package, "en").templates["events"].items():
        seats = [field for field in text.fields() if field.name == "seat"]
        found[name] = {True, False} if any(field.test for field in seats) else {bool(seats)}
    return found


def check_events(adapter: Adapter, table: Table, events: Iterable[Event]) -> None:
    """Check that the sentences of events name a seat if the events have one, and :func:`check_changes`."""
    events = list(events)
    for event in events:
        assert bool(event.seat) in events_with_seat(adapter.package)[event.name], event
    check_changes(adapter, table, events)


def check_changes(adapter: Adapter, table: Table, events: Iterable[Event]) -> None:
    """Check that events can be stored, open only known decisions, and keep the types of markers."""
    for event in events:
        assert event.seat in range(len(table.decisions)), event
        assert adapter.title.events[event.name] is type(event.detail), event
        assert store_and_load(adapter, event) == event
        shown = False
        for effect in event.effects:
            assert _changes_something(effect, shown=shown), effect
            shown = shown or isinstance(effect, Reveal)
            if isinstance(effect, Ask):
                assert not effect.after or effect.after in (adapter.decisions or (effect.after,)), effect
            elif isinstance(effect, Set):
                assert type(effect.before) is type(effect.after), effect
                assert not effect.marker.endswith(adapter.yes_or_no) or effect.after in (0, 1), effect


def _changes_something(effect: Effect, *, shown: bool) -> bool:
    """Return whether an effect changes the table. Effects after a reveal need not (:meth:`Recorder.show`)."""
    match effect:
        case Move(count=count):
            return count > 0 and (shown or effect.source != effect.target)
        case Set() if shown:
            return True
        case Draw(drawn=drawn):
            return bool(drawn)
        case Shuffle():
            return True
        case _:
            return effect.before != effect.after
