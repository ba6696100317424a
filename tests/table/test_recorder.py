"""The recorder stores exactly the changes that the rules made, or rolls them back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from tests.table.tables import Happened, all_effects, changes, create_recorder, perform, record

from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Ask, Draw, Event, Move, Reveal, Set, Shuffle
from boardkeeper.table.layout import TableLayout, ZoneSpec
from boardkeeper.table.recorder import Recorder
from boardkeeper.table.table import Table


@given(changes(), changes())
def test_rollback_undoes_everything_since_the_last_take(
    accepted: list[tuple[Any, ...]], rejected: list[tuple[Any, ...]]
) -> None:
    r = create_recorder()
    record(r, accepted)
    before = r.table.contents()
    for change in rejected:
        perform(r, change)
    r.rollback()
    assert r.table.contents() == before
    assert r.take() == []


@given(changes(), changes())
def test_after_a_rollback_the_same_changes_have_the_same_effects(
    rejected: list[tuple[Any, ...]], made: list[tuple[Any, ...]]
) -> None:
    """A rejected command does not affect the dice either: the draw counters are restored too."""
    clean, tried = create_recorder(), create_recorder()
    for change in rejected:
        perform(tried, change)
    tried.rollback()
    assert record(tried, made) == record(clean, made)


@given(changes(), changes(), changes())
def test_rollback_to_a_savepoint_restores_everything_before_it(
    accepted: list[tuple[Any, ...]], earlier: list[tuple[Any, ...]], rejected: list[tuple[Any, ...]]
) -> None:
    """Including the order of kinds in piles, which rules may list: a preview must not change later events."""
    r = create_recorder()
    record(r, accepted)
    for change in earlier:
        perform(r, change)
    before, savepoint = r.table.contents(), r.savepoint()
    orders = {id: list(zone.counts()) for id, zone in r.table.zones.items()}
    effects = r.effects_since((0, 0))
    for change in rejected:
        perform(r, change)
    r.rollback_to(savepoint)
    assert r.table.contents() == before
    assert {id: list(zone.counts()) for id, zone in r.table.zones.items()} == orders
    assert r.effects_since((0, 0)) == effects
    assert r.savepoint() == savepoint


def test_rollback_reaches_over_closed_events() -> None:
    r = create_recorder()
    before = r.table.contents()
    r.set(r.table.number("coins"), 1)
    r.emit(1, Happened(1))
    r.set(r.table.number("coins"), 2)
    r.emit(1, Happened(2))
    r.set(r.table.number("coins"), 3)
    r.rollback()
    assert r.table.contents() == before


@given(changes(), changes(), changes())
def test_effects_since_a_savepoint(
    before: list[tuple[Any, ...]], after: list[tuple[Any, ...]], loose: list[tuple[Any, ...]]
) -> None:
    """Also if an event that is closed after the savepoint contains effects from before it."""
    for is_closed in (False, True):
        r = create_recorder()
        for change in before:
            perform(r, change)
        if is_closed:
            r.emit(1, Happened(1))
        savepoint = r.savepoint()
        assert list(r.effects_since(savepoint)) == []
        first = len(list(r.effects_since((0, 0))))
        for change in after:
            perform(r, change)
        r.emit(1, Happened(2))
        for change in loose:
            perform(r, change)
        since = list(r.effects_since(savepoint))
        r.emit(1, Happened(3))
        assert [effect for event in r.take() for effect in event.effects][first:] == since


def test_emit_closes_an_event_with_what_was_recorded_since_the_last() -> None:
    r = create_recorder()
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
    r = create_recorder()
    r.emit(1, Happened(1))
    r.set(r.table.number("coins"), 1)
    r.emit(1, Happened(2))
    r.ask(2, "act")
    first, last = r.take()
    assert first.effects == ()
    assert last == Event(1, Happened(2), (Set("coins", 0, 1), Ask(2, "", "act")))
    assert r.take() == []


def test_effects_without_an_event_are_an_error_of_the_rules() -> None:
    r = create_recorder()
    r.ask(1, "act")
    with pytest.raises(RuntimeError, match="without an event"):
        r.take()
    r.rollback()
    assert r.table.decisions == ["", "", ""]


def test_a_hidden_change_does_not_join_a_public_event() -> None:
    """It would hide the event's detail from all other viewers; only seat 1 sees the plan."""
    r = create_recorder()
    before = r.table.contents()
    r.set(r.table.number("coins"), 1)
    r.emit(1, Happened(1))
    r.ask(2, "act")
    r.set(r.table.number("plan"), 3)
    with pytest.raises(RuntimeError, match="viewer 0 gets Happened"):
        r.take()
    r.rollback()
    assert r.table.contents() == before


def test_a_change_that_one_seat_sees_does_not_join_an_event_of_another_seat() -> None:
    """Only seat 1 sees the plan; only the owner of the bag sees a move from the deck to it."""
    r = create_recorder()
    r.move("green", r.table.zones["box"], r.table.zones["deck"])
    r.emit(0, Happened())
    r.take()
    r.set(r.table.number("plan"), 1)
    r.emit(1, Happened(1))
    r.move("green", r.table.zones["deck"], r.table.zones["bag.2"])
    with pytest.raises(RuntimeError, match="viewer 1 gets Happened"):
        r.take()


def test_a_hidden_change_does_not_join_a_public_event_after_a_hidden_one() -> None:
    r = create_recorder()
    r.set(r.table.number("plan"), 1)
    r.emit(1, Happened(1))
    r.set(r.table.number("coins"), 1)
    r.emit(1, Happened(2))
    r.set(r.table.number("plan"), 2)
    with pytest.raises(RuntimeError, match="viewer 0 gets Happened"):
        r.take()


def test_events_that_never_end_are_an_error_of_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardkeeper.table.recorder.MAX_EVENTS_AT_ONCE", 3)
    r = create_recorder()
    for number in range(3):
        r.emit(1, Happened(number))
    with pytest.raises(RuntimeError, match="more than 3 events"):
        r.emit(1, Happened(3))
    assert len(r.take()) == 3


def test_a_hidden_change_can_join_an_event_with_the_same_viewers() -> None:
    """Either the event is as hidden, or every viewer sees the marker by then."""
    r = create_recorder()
    r.set(r.table.number("plan"), 1)
    r.emit(1, Happened(1))
    r.set(r.table.number("plan"), 2)
    assert all_effects(r.take()) == [Set("plan", 0, 1), Set("plan", 1, 2)]
    r.emit(1, Happened(2))
    r.set(r.table.number("plan"), 3)
    r.reveal(r.table.markers["plan"], "public")
    assert all_effects(r.take()) == [Set("plan", 2, 3), Reveal("plan", "seat.1", "public")]


def test_a_draw_from_a_hidden_zone_can_join_any_event() -> None:
    """The effect of a draw hides only its own components."""
    r = create_recorder()
    r.emit(1, Happened(1))
    r.pick(r.table.pile("bag.2"))
    assert len(all_effects(r.take())) == 1


def test_an_effect_without_a_change_is_not_recorded() -> None:
    r = create_recorder()
    r.set(r.table.number("coins"), 0)
    r.set(r.table.word("phase"), "")
    r.ask(1, "")
    r.reveal(r.table.zones["box"], "public")
    r.reveal(r.table.markers["plan"], "seat.1")
    r.emit(0, Happened())
    assert r.take() == [Event(0, Happened(), ())]


def test_an_impossible_move_is_not_recorded() -> None:
    r = create_recorder()
    with pytest.raises(ValueError, match="does not hold"):
        r.move("green", r.table.zones["box"], r.table.zones["bag.1"], 2)
    r.emit(0, Happened())
    assert all_effects(r.take()) == []


def test_changes_are_visible_to_the_next_line_of_a_rule() -> None:
    r = create_recorder()
    box, bag = r.table.pile("box"), r.table.pile("bag.1")
    r.move("green", box, bag)
    assert bag.items == {"green": 1}
    assert "green" not in box.items


def test_a_pick_records_the_draw_and_moves_nothing() -> None:
    r = create_recorder()
    box = r.table.pile("box")
    first, second = r.pick(box, 2), r.pick(box)
    assert box.total() == 9
    assert box.counter == 3
    r.emit(0, Happened())
    assert all_effects(r.take()) == [Draw("box", 0, tuple(first)), Draw("box", 2, tuple(second))]


def test_picking_zero_components_records_nothing() -> None:
    r = create_recorder()
    box = r.table.pile("box")
    assert r.pick(box, 0) == []
    assert r.draw(box, r.table.pile("bag.1"), 0) == []
    assert box.counter == 0
    assert r.take() == []


@pytest.mark.parametrize("contents", [{"coin": 2}, {"coin": 1, "gem": 1}, {}])
def test_drawing_more_than_a_pile_has_is_an_error(contents: dict[str, int]) -> None:
    r = Recorder(Table(TableLayout(1, (ZoneSpec("bag", contents=contents), ZoneSpec("hand")), ())), Dice(b"key"))
    with pytest.raises(ValueError, match=f"bag has {sum(contents.values())} components, so 3 cannot be drawn"):
        r.draw(r.table.pile("bag"), r.table.pile("hand"), 3)
    assert r.table.pile("bag").counts() == contents


def test_a_draw_moves_the_drawn_components() -> None:
    r = create_recorder()
    drawn = r.draw(r.table.pile("box"), r.table.pile("bag.1"), 9)
    assert r.table.pile("bag.1").items == {"red": 5, "blue": 3, "green": 1}
    assert r.table.pile("box").total() == 0
    r.emit(0, Happened())
    draw, *moves = all_effects(r.take())
    assert draw == Draw("box", 0, tuple(drawn))
    assert moves == [Move(component, 1, "box", "bag.1") for component in drawn]


def test_draws_from_one_zone_do_not_depend_on_other_zones() -> None:
    """Each zone has its own dice stream, so the order in which seats draw does not matter."""
    outcomes = []
    for order in (("bag.1", "bag.2"), ("bag.2", "bag.1")):
        r = create_recorder()
        for id in ("bag.1", "bag.2"):
            for component in ("red", "blue"):
                r.move(component, r.table.zones["box"], r.table.zones[id])
        outcomes.append({id: r.pick(r.table.pile(id), 2) for id in order})
    assert outcomes[0] == outcomes[1]


def test_a_shuffle_is_recorded_with_both_orders() -> None:
    r = create_recorder()
    deck = r.table.stack("deck")
    for component in ("red", "blue", "green", "red", "blue"):
        r.move(component, r.table.zones["box"], deck)
    before = tuple(deck.order)
    r.emit(0, Happened())
    r.take()
    for _ in range(3):
        r.shuffle(deck)
    r.emit(0, Happened())
    first, second, third = all_effects(r.take())
    assert first == Shuffle("deck", 0, before, tuple(Dice(b"key").shuffled("deck", 0, before)))
    assert isinstance(first, Shuffle)
    assert second == Shuffle("deck", 4, first.after, tuple(Dice(b"key").shuffled("deck", 4, first.after)))
    assert isinstance(second, Shuffle)
    assert third == Shuffle("deck", 8, second.after, tuple(deck.order))


def test_a_reveal_changes_the_visibility_of_a_zone_or_a_marker() -> None:
    r = create_recorder()
    r.reveal(r.table.zones["deck"], "public")
    r.reveal(r.table.markers["plan"], "public")
    r.emit(0, Happened())
    assert all_effects(r.take()) == [Reveal("deck", "count", "public"), Reveal("plan", "seat.1", "public")]


def test_clear_keeps_the_table_and_drops_recorded_events() -> None:
    r = create_recorder()
    r.set(r.table.number("coins"), 7)
    r.emit(0, Happened())
    r.set(r.table.number("coins"), 8)
    r.clear()
    r.rollback()
    assert r.table.number("coins").value == 8
    assert r.take() == []
