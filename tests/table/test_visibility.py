"""Who may know what of an event, from its effects alone."""

from __future__ import annotations

import itertools

import pytest
from tests.table.tables import Happened

from boardkeeper.table import visibility
from boardkeeper.table.effects import Ask, Draw, Effect, Event, Move, Reveal, Set, Shuffle
from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import HIDDEN, OPERATOR, SPECTATOR, redact_effects

WORDS = ("public", "seat.1", "seat.2", "seats.1.2", "seats.2.3", "count", "nobody", "secret.1", "as:screen", "as:fence")
SCREENS = {"screen": "secret.1", "fence": "count"}
"""Markers that stand before others: what they let through."""

LAYOUT = TableLayout(
    3,
    (
        *(ZoneSpec(word, word, {"red": 2, "blue": 1}) for word in WORDS),
        *(ZoneSpec(f"{word}.deck", word, stack=True) for word in WORDS),
    ),
    (
        *(MarkerSpec(f"{word}.marker", 0, word) for word in WORDS),
        *(MarkerSpec(screen, 0, word) for screen, word in SCREENS.items()),
    ),
)
VIEWERS = (SPECTATOR, 1, 2, 3, OPERATOR)


def seen(effect: Effect, viewer: int) -> tuple[Effect | None, bool]:
    """What a viewer sees of an event with that one effect, and whether it may know the event's detail."""
    effects, whole = redact_effects(Table(LAYOUT), (effect,), viewer)
    assert len(effects) <= 1
    return (effects[0] if effects else None), whole


def knows(word: str, viewer: int) -> bool:
    word = SCREENS.get(word.removeprefix("as:"), word)
    several = {"seats.1.2": (1, 2), "seats.2.3": (2, 3)}.get(word, ())
    return viewer == OPERATOR or viewer in several or word in ("public", f"seat.{viewer}", f"secret.{viewer}")


def counts(word: str, viewer: int) -> bool:
    word = SCREENS.get(word.removeprefix("as:"), word)
    return knows(word, viewer) or word in ("seat.1", "seat.2", "seats.1.2", "seats.2.3", "count")


@pytest.mark.parametrize("word", WORDS)
def test_a_zone_is_seen_into_or_counted_as_its_word_says(word: str) -> None:
    for viewer in VIEWERS:
        table = Table(LAYOUT)
        assert visibility.sees(table, table.zones[word], viewer) == knows(word, viewer)
        assert visibility.sees(table, table.markers[f"{word}.marker"], viewer) == knows(word, viewer)
        assert visibility.can_count(table, table.zones[word], viewer) == counts(word, viewer)


@pytest.mark.parametrize("target", WORDS)
def test_a_component_is_known_if_it_comes_from_or_goes_to_where_one_sees(target: str) -> None:
    for source, viewer in itertools.product(WORDS, VIEWERS):
        move = Move("red", 2, source, target)
        visible, whole = seen(move, viewer)
        if knows(source, viewer) or knows(target, viewer):
            assert (visible, whole) == (move, True)
        elif counts(source, viewer) and counts(target, viewer):
            assert (visible, whole) == (Move(HIDDEN, 2, source, target), False)
        else:
            assert (visible, whole) == (None, False)


@pytest.mark.parametrize("word", WORDS)
def test_a_marker_is_known_to_those_who_see_it(word: str) -> None:
    for viewer in VIEWERS:
        change = Set(f"{word}.marker", 0, 1)
        assert seen(change, viewer) == ((change, True) if knows(word, viewer) else (None, False))


@pytest.mark.parametrize("word", WORDS)
def test_a_draw_hides_what_was_drawn_but_not_the_event(word: str) -> None:
    """What became of the components, the moves tell; so a draw alone keeps nobody from the detail."""
    for viewer in VIEWERS:
        draw = Draw(word, 3, ("red", "blue"))
        visible, whole = seen(draw, viewer)
        assert whole
        if knows(word, viewer):
            assert visible == draw
        elif counts(word, viewer):
            assert visible == Draw(word, 3, (HIDDEN, HIDDEN))
        else:
            assert visible is None


@pytest.mark.parametrize("word", WORDS)
def test_a_shuffle_hides_both_orders(word: str) -> None:
    for viewer in VIEWERS:
        shuffle = Shuffle(f"{word}.deck", 0, ("red", "blue"), ("blue", "red"))
        visible, whole = seen(shuffle, viewer)
        if knows(word, viewer):
            assert (visible, whole) == (shuffle, True)
        else:
            hidden = Shuffle(f"{word}.deck", 0, (HIDDEN, HIDDEN), (HIDDEN, HIDDEN))
            assert (visible, whole) == (hidden if counts(word, viewer) else None, False)


@pytest.mark.parametrize("effect", [Ask(2, "", "act"), Reveal("nobody", "nobody", "count")], ids=repr)
def test_who_decides_and_who_sees_what_is_known_to_all(effect: Effect) -> None:
    for viewer in VIEWERS:
        assert seen(effect, viewer) == (effect, True)


def test_one_hidden_effect_hides_the_detail_but_not_the_others() -> None:
    open_move, hidden_move = Move("red", 1, "public", "seat.1"), Move("red", 1, "seat.1", "seat.2")
    event = Event(1, Happened(), (open_move, hidden_move, Ask(1, "", "act")))
    effects, whole = redact_effects(Table(LAYOUT), event.effects, SPECTATOR)
    assert effects == (open_move, Move(HIDDEN, 1, "seat.1", "seat.2"), Ask(1, "", "act"))
    assert not whole
    for viewer in (1, 2):
        assert redact_effects(Table(LAYOUT), event.effects, viewer) == (event.effects, True)


def test_seats_with_two_digits_are_not_mistaken() -> None:
    """Seat 1 does not see what belongs to seat 11, and a spectator is no seat."""
    table = Table(TableLayout(11, (ZoneSpec("bag", "seat.11", {"red": 1}), ZoneSpec("count", "count")), ()))
    event = Event(11, Happened(), (Move("red", 1, "bag", "count"),))
    assert not redact_effects(table, event.effects, 1)[1]
    assert not redact_effects(table, event.effects, SPECTATOR)[1]
    assert redact_effects(table, event.effects, 11)[1]
