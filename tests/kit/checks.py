"""What holds for whatever a title answers, so that every test of a rule checks it on the side."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache

import msgspec
from msgspec import Struct
from tests.kit.adapters import Adapter, adapter_of

from boardkeeper.table.effects import Ask, Draw, Effect, Move, Reveal, Set, Shuffle
from boardkeeper.table.events import Event
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.sentences import Words
from boardkeeper.table.table import Table


@cache
def words_of(title: str, language: str) -> Words:
    """The words of a title in a language."""
    return Words.read(adapter_of(title).package, language)


@cache
def refusals(title: str) -> Mapping[tuple[str, str], list[str]]:
    """The refusals that clients may count on: code and rule, with the names of the values that failed.

    They stand in ``refusals.toml`` beside the title's tests.
    """
    table = tomllib.loads((adapter_of(title).folder / "refusals.toml").read_text("utf-8"))
    return {(code, rule): names for code, rules in table.items() for rule, names in rules.items()}


def check_refusal(adapter: Adapter, command: Struct, rejection: Rejection) -> None:
    """A refusal is one that is published, and :func:`check_values`."""
    published = refusals(adapter.id).get((rejection.code, rejection.rule))
    assert published is not None, f"not in refusals.toml: {rejection}"
    assert " ".join(sorted(rejection.values)) in published, rejection
    check_values(command, rejection)


def check_values(command: Struct, rejection: Rejection) -> None:
    """The values of a refusal are those of the command, or say something else."""
    for name, value in rejection.values.items():
        assert type(value) is str, rejection
        assert value != "None", rejection
        if name in command.__struct_fields__:
            assert value == str(getattr(command, name)), (command, rejection)


@cache
def told_of_a_seat(title: str) -> dict[str, set[bool]]:
    """Whether the sentence of an event names a seat, or is of the table as a whole; some are either."""
    told: dict[str, set[bool]] = {}
    for name, text in words_of(title, "en").templates["events"].items():
        seats = [field for field in text.fields() if field.name == "seat"]
        told[name] = {True, False} if any(field.test for field in seats) else {bool(seats)}
    return told


def check_events(adapter: Adapter, table: Table, events: Iterable[Event]) -> None:
    """There are words for the events, of a seat or of the table as a whole; and :func:`check_changes`."""
    events = list(events)
    for event in events:
        assert bool(event.seat) in told_of_a_seat(adapter.id)[event.name], event
    check_changes(adapter, table, events)


def check_changes(adapter: Adapter, table: Table, events: Iterable[Event]) -> None:
    """Events are read back from a store as they were, ask for decisions that exist, and set markers to their kind."""
    for event in events:
        assert event.seat in range(len(table.decisions)), event
        assert adapter.title.events[event.name] is type(event.detail), event
        assert _stored(event.detail, type(event.detail)) == event.detail
        assert _stored(event.effects, tuple[Effect, ...]) == event.effects
        shown = False
        for effect in event.effects:
            assert _changes_something(effect, shown=shown), effect
            shown = shown or isinstance(effect, Reveal)
            if isinstance(effect, Ask):
                assert effect.after in adapter.decisions or not effect.after, effect
            elif isinstance(effect, Set):
                assert type(effect.before) is type(effect.after), effect
                assert not effect.marker.endswith(adapter.yes_or_no) or effect.after in (0, 1), effect


def _changes_something(effect: Effect, *, shown: bool) -> bool:
    """What was just shown to somebody is told by effects that change nothing (see :meth:`Recorder.show`)."""
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


def _stored(value: object, kind: object) -> object:
    return msgspec.json.decode(msgspec.json.encode(value), type=kind)
