"""Effects and their inverses: a history can be folded forwards and backwards, and nothing is lost on the way."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.table.tables import LAYOUT, changes, effects_of, record, recorder

from boardkeeper.table.effects import Ask, Draw, Effect, Move, Reveal, Set, Shuffle
from boardkeeper.table.table import Table


@given(changes())
def test_folding_gives_the_table_that_was_played(made: list[tuple[Any, ...]]) -> None:
    r = recorder()
    events = record(r, made)
    table = Table(LAYOUT)
    for event in events:
        table.apply_all(event.effects)
    assert table.contents() == r.table.contents()
    assert table.digest() == r.table.digest()


@given(changes())
def test_unfolding_gives_every_table_on_the_way_back(made: list[tuple[Any, ...]]) -> None:
    events = record(recorder(), made)
    table = Table(LAYOUT)
    stations = []
    for event in events:
        stations.append(table.contents())
        table.apply_all(event.effects)
    for event in reversed(events):
        table.revert_all(event.effects)
        assert table.contents() == stations.pop()


@given(changes(), st.lists(st.booleans(), max_size=60))
def test_each_effect_can_be_taken_back_at_any_time(made: list[tuple[Any, ...]], steps: list[bool]) -> None:
    """Wander to and fro in a history: the table depends on the place in it, not on the way there."""
    effects = effects_of(record(recorder(), made))
    table = Table(LAYOUT)
    known = {0: table.digest()}
    at = 0
    for forwards in steps:
        if forwards and at < len(effects):
            table.apply(effects[at])
            at += 1
        elif not forwards and at > 0:
            at -= 1
            table.revert(effects[at])
        assert known.setdefault(at, table.digest()) == table.digest()


@given(changes())
def test_no_effect_makes_or_loses_a_component(made: list[tuple[Any, ...]]) -> None:
    table = Table(LAYOUT)
    components = table.components()
    assert components == {"red": 7, "blue": 3, "green": 1}
    for effect in effects_of(record(recorder(), made)):
        table.apply(effect)
        assert table.components() == components
        assert all(count > 0 for id in ("box", "bag.1", "bag.2") for count in table.pile(id).items.values())


@given(changes())
def test_effects_survive_the_way_to_the_store_and_back(made: list[tuple[Any, ...]]) -> None:
    effects = tuple(effects_of(record(recorder(), made)))
    for codec in (msgspec.json, msgspec.msgpack):
        assert codec.decode(codec.encode(effects), type=tuple[Effect, ...]) == effects


@given(changes(), changes())
def test_equal_tables_have_equal_digests_and_others_have_not(
    one: list[tuple[Any, ...]], other: list[tuple[Any, ...]]
) -> None:
    first, second = recorder(), recorder()
    record(first, one)
    record(second, other)
    assert (first.table.digest() == second.table.digest()) == (first.table.contents() == second.table.contents())


def test_the_digest_does_not_depend_on_the_order_in_which_things_came() -> None:
    first, second = Table(LAYOUT), Table(LAYOUT)
    for component in ("red", "blue"):
        first.apply(Move(component, 1, "box", "bag.1"))
    for component in ("blue", "red"):
        second.apply(Move(component, 1, "box", "bag.1"))
    assert first.digest() == second.digest()


def test_the_digest_depends_on_the_order_of_a_stack() -> None:
    first, second = Table(LAYOUT), Table(LAYOUT)
    for component in ("red", "blue"):
        first.apply(Move(component, 1, "box", "deck"))
    for component in ("blue", "red"):
        second.apply(Move(component, 1, "box", "deck"))
    assert first.digest() != second.digest()


@pytest.mark.parametrize(
    "effect",
    [
        Move("red", 1, "box", "bag.1"),
        Set("coins", 0, 1),
        Set("phase", "", "day"),
        Ask(2, "", "act"),
        Draw("box", 0, ("red",)),
        Reveal("box", "public", "nobody"),
        Reveal("coins", "public", "seat.1"),
    ],
    ids=repr,
)
def test_every_effect_shows_in_the_digest(effect: Effect) -> None:
    """Counters, decisions and visibility are part of the state, or a history could not be checked by hashes."""
    table = Table(LAYOUT)
    before = table.digest()
    table.apply(effect)
    assert table.digest() != before
    table.revert(effect)
    assert table.digest() == before


def test_a_shuffle_sets_the_order_and_counts_its_numbers() -> None:
    table = Table(LAYOUT)
    table.apply_all([Move("red", 1, "box", "deck"), Move("blue", 2, "box", "deck")])
    shuffle = Shuffle("deck", 0, ("red", "blue", "blue"), ("blue", "red", "blue"))
    table.apply(shuffle)
    assert table.stack("deck").order == ["blue", "red", "blue"]
    assert table.stack("deck").counter == 2
    table.revert(shuffle)
    assert table.stack("deck").order == ["red", "blue", "blue"]
    assert table.stack("deck").counter == 0


@pytest.mark.parametrize(
    ("effect", "error"),
    [
        (Move("green", 2, "box", "bag.1"), ValueError),
        (Move("yellow", 1, "box", "bag.1"), ValueError),
        (Move("red", 1, "deck", "box"), ValueError),
        (Move("red", 1, "nowhere", "box"), KeyError),
        (Set("nothing", 0, 1), KeyError),
        (Draw("nowhere", 0, ("red",)), KeyError),
        (Reveal("nothing", "public", "nobody"), KeyError),
        (Shuffle("nowhere", 0, (), ()), KeyError),
        (Shuffle("box", 0, (), ()), TypeError),
    ],
    ids=repr,
)
def test_an_effect_that_does_not_fit_is_refused_and_changes_nothing(effect: Effect, error: type[Exception]) -> None:
    table = Table(LAYOUT)
    before = table.contents()
    with pytest.raises(error):
        table.apply(effect)
    assert table.contents() == before


def test_a_stack_gives_its_top_only() -> None:
    table = Table(LAYOUT)
    table.apply_all([Move("blue", 1, "box", "deck"), Move("red", 2, "box", "deck")])
    with pytest.raises(ValueError, match="on top"):
        table.apply(Move("blue", 1, "deck", "box"))
    with pytest.raises(ValueError, match="on top"):
        table.apply(Move("red", 3, "deck", "box"))
    table.apply_all([Move("red", 2, "deck", "discard"), Move("blue", 1, "deck", "discard")])
    assert table.stack("discard").order == ["red", "red", "blue"]
