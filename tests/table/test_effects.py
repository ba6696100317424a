"""Effects and their inverses: a history can be applied forwards and reverted backwards without loss."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.table.tables import LAYOUT, all_effects, changes, create_recorder, record

from boardkeeper.table.effects import Ask, Draw, Effect, Move, Reveal, Set, Shuffle
from boardkeeper.table.table import Table


@given(changes())
def test_applying_all_effects_gives_the_table_of_the_game(made: list[tuple[Any, ...]]) -> None:
    r = create_recorder()
    events = record(r, made)
    table = Table(LAYOUT)
    for event in events:
        table.apply_all(event.effects)
    assert table.contents() == r.table.contents()
    assert table.digest() == r.table.digest()


@given(changes())
def test_reverting_gives_every_earlier_table(made: list[tuple[Any, ...]]) -> None:
    events = record(create_recorder(), made)
    table = Table(LAYOUT)
    earlier = []
    for event in events:
        earlier.append(table.contents())
        table.apply_all(event.effects)
    for event in reversed(events):
        table.revert_all(event.effects)
        assert table.contents() == earlier.pop()


@given(changes(), st.lists(st.booleans(), max_size=60))
def test_each_effect_can_be_reverted_at_any_time(made: list[tuple[Any, ...]], steps: list[bool]) -> None:
    """Move back and forth in a history: the table depends only on the place in it."""
    effects = all_effects(record(create_recorder(), made))
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
    for effect in all_effects(record(create_recorder(), made)):
        table.apply(effect)
        assert table.components() == components
        assert all(count > 0 for id in ("box", "bag.1", "bag.2") for count in table.pile(id).items.values())


@given(changes())
def test_effects_survive_encoding(made: list[tuple[Any, ...]]) -> None:
    effects = tuple(all_effects(record(create_recorder(), made)))
    for codec in (msgspec.json, msgspec.msgpack):
        assert codec.decode(codec.encode(effects), type=tuple[Effect, ...]) == effects


@given(changes(), changes())
def test_digests_are_equal_exactly_for_equal_tables(one: list[tuple[Any, ...]], other: list[tuple[Any, ...]]) -> None:
    first, second = create_recorder(), create_recorder()
    record(first, one)
    record(second, other)
    assert (first.table.digest() == second.table.digest()) == (first.table.contents() == second.table.contents())


def test_the_digest_does_not_depend_on_the_order_of_moves_to_a_pile() -> None:
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
def test_every_effect_changes_the_digest(effect: Effect) -> None:
    """Draw counters, decisions and visibilities are part of the state, so that hashes can verify a history."""
    table = Table(LAYOUT)
    before = table.digest()
    table.apply(effect)
    assert table.digest() != before
    table.revert(effect)
    assert table.digest() == before


def test_a_shuffle_sets_the_order_and_advances_the_draw_counter() -> None:
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
def test_an_impossible_effect_is_an_error_and_changes_nothing(effect: Effect, error: type[Exception]) -> None:
    table = Table(LAYOUT)
    before = table.contents()
    with pytest.raises(error):
        table.apply(effect)
    assert table.contents() == before


def test_only_the_top_of_a_stack_can_move() -> None:
    table = Table(LAYOUT)
    table.apply_all([Move("blue", 1, "box", "deck"), Move("red", 2, "box", "deck")])
    with pytest.raises(ValueError, match="on top"):
        table.apply(Move("blue", 1, "deck", "box"))
    with pytest.raises(ValueError, match="on top"):
        table.apply(Move("red", 3, "deck", "box"))
    table.apply_all([Move("red", 2, "deck", "discard"), Move("blue", 1, "deck", "discard")])
    assert table.stack("discard").order == ["red", "red", "blue"]
