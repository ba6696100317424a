"""The recorder: what rules did is what is stored, or it never happened."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from tests.table.tables import Happened, changes, effects_of, perform, record, recorder

from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Ask, Draw, Event, Move, Reveal, Set, Shuffle
from boardkeeper.table.layout import TableLayout, ZoneSpec
from boardkeeper.table.recorder import Recorder
from boardkeeper.table.table import Table


@given(changes(), changes())
def test_rollback_undoes_everything_since_the_last_take(
    kept: list[tuple[Any, ...]], refused: list[tuple[Any, ...]]
) -> None:
    r = recorder()
    record(r, kept)
    before = r.table.contents()
    for change in refused:
        perform(r, change)
    r.rollback()
    assert r.table.contents() == before
    assert r.take() == [], "and nothing of it is left over"


@given(changes(), changes())
def test_after_a_rollback_the_same_changes_have_the_same_effects(
    refused: list[tuple[Any, ...]], made: list[tuple[Any, ...]]
) -> None:
    """A refused command leaves no trace in chance either: draw counters go back with everything else."""
    clean, tried = recorder(), recorder()
    for change in refused:
        perform(tried, change)
    tried.rollback()
    assert record(tried, made) == record(clean, made)


@given(changes(), changes(), changes())
def test_what_is_taken_back_leaves_what_came_before_as_it_lay(
    kept: list[tuple[Any, ...]], held: list[tuple[Any, ...]], refused: list[tuple[Any, ...]]
) -> None:
    """Down to the order of kinds in piles, which rules may list: a dry run must not change what comes after it."""
    r = recorder()
    record(r, kept)
    for change in held:
        perform(r, change)
    before, place = r.table.contents(), r.savepoint()
    orders = {id: list(zone.counts()) for id, zone in r.table.zones.items()}
    effects = r.effects_since((0, 0))
    for change in refused:
        perform(r, change)
    r.rollback_to(place)
    assert r.table.contents() == before
    assert {id: list(zone.counts()) for id, zone in r.table.zones.items()} == orders
    assert r.effects_since((0, 0)) == effects
    assert r.savepoint() == place


def test_rollback_reaches_over_closed_events() -> None:
    r = recorder()
    before = r.table.contents()
    r.set(r.table.number("coins"), 1)
    r.emit(1, Happened(1))
    r.set(r.table.number("coins"), 2)
    r.emit(1, Happened(2))
    r.set(r.table.number("coins"), 3)
    r.rollback()
    assert r.table.contents() == before


@given(changes(), changes(), changes())
def test_what_was_recorded_since_a_mark(
    before: list[tuple[Any, ...]], after: list[tuple[Any, ...]], loose: list[tuple[Any, ...]]
) -> None:
    """Also where an event is closed after the mark that takes in what was loose before it."""
    for is_closed in (False, True):
        r = recorder()
        for change in before:
            perform(r, change)
        if is_closed:
            r.emit(1, Happened(1))
        mark = r.savepoint()
        assert list(r.effects_since(mark)) == []
        first = len(list(r.effects_since((0, 0))))
        for change in after:
            perform(r, change)
        r.emit(1, Happened(2))
        for change in loose:
            perform(r, change)
        since = list(r.effects_since(mark))
        r.emit(1, Happened(3))
        assert [effect for event in r.take() for effect in event.effects][first:] == since


def test_emit_closes_an_event_with_what_was_recorded_since_the_last() -> None:
    r = recorder()
    box, bag = r.table.pile("box"), r.table.pile("bag.1")
    r.move("red", box, bag, 2)
    r.emit(1, Happened(1))
    r.set(r.table.number("coins"), 4)
    r.ask(2, "act")
    r.emit(2, Happened(2))
    assert r.take() == [
        Event(1, Happened(1), (Move("red", 2, "box", "bag.1"),)),
        Event(2, Happened(2), (Set("coins", 0, 4), Ask(2, "", "act"))),
    ]


def test_trailing_effects_belong_to_the_last_event() -> None:
    r = recorder()
    r.emit(1, Happened(1))
    r.set(r.table.number("coins"), 1)
    r.emit(1, Happened(2))
    r.ask(2, "act")
    first, last = r.take()
    assert first.effects == ()
    assert last == Event(1, Happened(2), (Set("coins", 0, 1), Ask(2, "", "act")))
    assert r.take() == []


def test_effects_without_an_event_are_an_error_of_the_rules() -> None:
    r = recorder()
    r.ask(1, "act")
    with pytest.raises(RuntimeError, match="without an event"):
        r.take()
    r.rollback()
    assert r.table.decisions == ["", "", ""]


def test_what_is_hidden_does_not_join_an_event_that_everybody_is_told() -> None:
    """It would take the event's detail from all who may not see it; the plan is for seat 1 alone."""
    r = recorder()
    before = r.table.contents()
    r.set(r.table.number("coins"), 1)
    r.emit(1, Happened(1))
    r.ask(2, "act")
    r.set(r.table.number("plan"), 3)
    with pytest.raises(RuntimeError, match="viewer 0 gets Happened"):
        r.take()
    r.rollback()
    assert r.table.contents() == before


def test_what_one_seat_sees_does_not_join_an_event_that_only_another_is_told() -> None:
    """The plan is for seat 1 alone, and what goes from the deck to a bag is for the owner of the bag."""
    r = recorder()
    r.move("green", r.table.zones["box"], r.table.zones["deck"])
    r.emit(0, Happened())
    r.take()
    r.set(r.table.number("plan"), 1)
    r.emit(1, Happened(1))
    r.move("green", r.table.zones["deck"], r.table.zones["bag.2"])
    with pytest.raises(RuntimeError, match="viewer 1 gets Happened"):
        r.take()


def test_what_is_hidden_does_not_join_an_event_because_one_before_it_was_hidden() -> None:
    r = recorder()
    r.set(r.table.number("plan"), 1)
    r.emit(1, Happened(1))
    r.set(r.table.number("coins"), 1)
    r.emit(1, Happened(2))
    r.set(r.table.number("plan"), 2)
    with pytest.raises(RuntimeError, match="viewer 0 gets Happened"):
        r.take()


def test_events_that_never_end_are_an_error_of_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardkeeper.table.recorder.MOST_AT_ONCE", 3)
    r = recorder()
    for number in range(3):
        r.emit(1, Happened(number))
    with pytest.raises(RuntimeError, match="more than 3 events"):
        r.emit(1, Happened(3))
    assert len(r.take()) == 3


def test_what_is_hidden_joins_an_event_that_tells_no_more() -> None:
    """Either because the event is as hidden, or because everybody sees it by then."""
    r = recorder()
    r.set(r.table.number("plan"), 1)
    r.emit(1, Happened(1))
    r.set(r.table.number("plan"), 2)
    assert effects_of(r.take()) == [Set("plan", 0, 1), Set("plan", 1, 2)]
    r.emit(1, Happened(2))
    r.set(r.table.number("plan"), 3)
    r.reveal(r.table.markers["plan"], "public")
    assert effects_of(r.take()) == [Set("plan", 2, 3), Reveal("plan", "seat.1", "public")]


def test_a_draw_from_what_nobody_sees_joins_any_event() -> None:
    """What was drawn tells nothing but itself; it shows where it goes."""
    r = recorder()
    r.emit(1, Happened(1))
    r.pick(r.table.pile("bag.2"))
    assert len(effects_of(r.take())) == 1


def test_what_changes_nothing_is_not_recorded() -> None:
    r = recorder()
    r.set(r.table.number("coins"), 0)
    r.set(r.table.word("phase"), "")
    r.ask(1, "")
    r.reveal(r.table.zones["box"], "public")
    r.reveal(r.table.markers["plan"], "seat.1")
    r.emit(0, Happened())
    assert r.take() == [Event(0, Happened(), ())]


def test_a_move_that_cannot_be_made_is_not_recorded() -> None:
    r = recorder()
    with pytest.raises(ValueError, match="does not hold"):
        r.move("green", r.table.zones["box"], r.table.zones["bag.1"], 2)
    r.emit(0, Happened())
    assert effects_of(r.take()) == []


def test_later_lines_of_a_rule_see_what_earlier_lines_did() -> None:
    r = recorder()
    box, bag = r.table.pile("box"), r.table.pile("bag.1")
    r.move("green", box, bag)
    assert bag.items == {"green": 1}
    assert "green" not in box.items


def test_a_pick_tells_what_chance_chose_and_moves_nothing() -> None:
    r = recorder()
    box = r.table.pile("box")
    first, second = r.pick(box, 2), r.pick(box)
    assert box.total() == 9
    assert box.counter == 3
    r.emit(0, Happened())
    assert effects_of(r.take()) == [Draw("box", 0, tuple(first)), Draw("box", 2, tuple(second))]


def test_picking_none_is_nothing_that_happened() -> None:
    r = recorder()
    box = r.table.pile("box")
    assert r.pick(box, 0) == []
    assert r.draw(box, r.table.pile("bag.1"), 0) == []
    assert box.counter == 0
    assert r.take() == []


@pytest.mark.parametrize("contents", [{"coin": 2}, {"coin": 1, "gem": 1}, {}])
def test_more_than_a_pile_has_cannot_be_drawn(contents: dict[str, int]) -> None:
    r = Recorder(Table(TableLayout(1, (ZoneSpec("bag", contents=contents), ZoneSpec("hand")), ())), Dice(b"key"))
    with pytest.raises(ValueError, match=f"bag has {sum(contents.values())} components, so 3 cannot be drawn"):
        r.draw(r.table.pile("bag"), r.table.pile("hand"), 3)
    assert r.table.pile("bag").counts() == contents


def test_a_draw_moves_what_chance_chose() -> None:
    r = recorder()
    drawn = r.draw(r.table.pile("box"), r.table.pile("bag.1"), 9)
    assert r.table.pile("bag.1").items == {"red": 5, "blue": 3, "green": 1}
    assert r.table.pile("box").total() == 0
    r.emit(0, Happened())
    draw, *moves = effects_of(r.take())
    assert draw == Draw("box", 0, tuple(drawn))
    assert moves == [Move(component, 1, "box", "bag.1") for component in drawn]


def test_what_is_drawn_from_one_zone_does_not_depend_on_others() -> None:
    """Each zone is a stream of its own, so the order in which seats draw does not matter."""
    outcomes = []
    for order in (("bag.1", "bag.2"), ("bag.2", "bag.1")):
        r = recorder()
        for id in ("bag.1", "bag.2"):
            for component in ("red", "blue"):
                r.move(component, r.table.zones["box"], r.table.zones[id])
        outcomes.append({id: r.pick(r.table.pile(id), 2) for id in order})
    assert outcomes[0] == outcomes[1]


def test_a_shuffle_is_recorded_with_both_orders() -> None:
    r = recorder()
    deck = r.table.stack("deck")
    for component in ("red", "blue", "green", "red", "blue"):
        r.move(component, r.table.zones["box"], deck)
    before = tuple(deck.order)
    r.emit(0, Happened())
    r.take()
    for _ in range(3):
        r.shuffle(deck)
    r.emit(0, Happened())
    first, second, third = effects_of(r.take())
    assert first == Shuffle("deck", 0, before, tuple(Dice(b"key").shuffled("deck", 0, before)))
    assert isinstance(first, Shuffle)
    assert second == Shuffle("deck", 4, first.after, tuple(Dice(b"key").shuffled("deck", 4, first.after)))
    assert isinstance(second, Shuffle)
    assert third == Shuffle("deck", 8, second.after, tuple(deck.order))


def test_reveal_changes_who_sees_a_zone_or_a_marker() -> None:
    r = recorder()
    r.reveal(r.table.zones["deck"], "public")
    r.reveal(r.table.markers["plan"], "public")
    r.emit(0, Happened())
    assert effects_of(r.take()) == [Reveal("deck", "count", "public"), Reveal("plan", "seat.1", "public")]


def test_forget_keeps_the_table_and_drops_the_record() -> None:
    r = recorder()
    r.set(r.table.number("coins"), 7)
    r.emit(0, Happened())
    r.set(r.table.number("coins"), 8)
    r.clear()
    r.rollback()
    assert r.table.number("coins").value == 8
    assert r.take() == []
