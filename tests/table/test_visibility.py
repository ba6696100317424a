"""Which effects of an event a viewer sees, and whether it gets the event's detail."""

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
"""The visibilities of the markers that hide others."""

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


def visible_effect(effect: Effect, viewer: int) -> tuple[Effect | None, bool]:
    """Return what a viewer sees of an event with this one effect, and whether the viewer gets the event's detail."""
    effects, whole = redact_effects(Table(LAYOUT), (effect,), viewer)
    assert len(effects) <= 1
    return (effects[0] if effects else None), whole


def can_see(word: str, viewer: int) -> bool:
    word = SCREENS.get(word.removeprefix("as:"), word)
    several = {"seats.1.2": (1, 2), "seats.2.3": (2, 3)}.get(word, ())
    return viewer == OPERATOR or viewer in several or word in ("public", f"seat.{viewer}", f"secret.{viewer}")


def can_see_count(word: str, viewer: int) -> bool:
    word = SCREENS.get(word.removeprefix("as:"), word)
    return can_see(word, viewer) or word in ("seat.1", "seat.2", "seats.1.2", "seats.2.3", "count")


@pytest.mark.parametrize("word", WORDS)
def test_contents_and_counts_are_visible_as_the_visibility_says(word: str) -> None:
    for viewer in VIEWERS:
        table = Table(LAYOUT)
        assert visibility.sees(table, table.zones[word], viewer) == can_see(word, viewer)
        assert visibility.sees(table, table.markers[f"{word}.marker"], viewer) == can_see(word, viewer)
        assert visibility.can_count(table, table.zones[word], viewer) == can_see_count(word, viewer)


@pytest.mark.parametrize("target", WORDS)
def test_a_moved_component_is_known_to_viewers_of_either_zone(target: str) -> None:
    for source, viewer in itertools.product(WORDS, VIEWERS):
        move = Move("red", 2, source, target)
        visible, whole = visible_effect(move, viewer)
        if can_see(source, viewer) or can_see(target, viewer):
            assert (visible, whole) == (move, True)
        elif can_see_count(source, viewer) and can_see_count(target, viewer):
            assert (visible, whole) == (Move(HIDDEN, 2, source, target), False)
        else:
            assert (visible, whole) == (None, False)


@pytest.mark.parametrize("word", WORDS)
def test_a_change_of_a_marker_is_known_to_its_viewers(word: str) -> None:
    for viewer in VIEWERS:
        change = Set(f"{word}.marker", 0, 1)
        assert visible_effect(change, viewer) == ((change, True) if can_see(word, viewer) else (None, False))


@pytest.mark.parametrize("word", WORDS)
def test_a_draw_hides_its_components_but_not_the_event(word: str) -> None:
    """The moves after a draw show the components, so a draw alone hides the detail from no viewer."""
    for viewer in VIEWERS:
        draw = Draw(word, 3, ("red", "blue"))
        visible, whole = visible_effect(draw, viewer)
        assert whole
        if can_see(word, viewer):
            assert visible == draw
        elif can_see_count(word, viewer):
            assert visible == Draw(word, 3, (HIDDEN, HIDDEN))
        else:
            assert visible is None


@pytest.mark.parametrize("word", WORDS)
def test_a_shuffle_hides_both_orders(word: str) -> None:
    for viewer in VIEWERS:
        shuffle = Shuffle(f"{word}.deck", 0, ("red", "blue"), ("blue", "red"))
        visible, whole = visible_effect(shuffle, viewer)
        if can_see(word, viewer):
            assert (visible, whole) == (shuffle, True)
        else:
            hidden = Shuffle(f"{word}.deck", 0, (HIDDEN, HIDDEN), (HIDDEN, HIDDEN))
            assert (visible, whole) == (hidden if can_see_count(word, viewer) else None, False)


@pytest.mark.parametrize("effect", [Ask(2, "", "act"), Reveal("nobody", "nobody", "count")], ids=repr)
def test_decisions_and_visibilities_are_public(effect: Effect) -> None:
    for viewer in VIEWERS:
        assert visible_effect(effect, viewer) == (effect, True)


def test_one_hidden_effect_hides_the_detail_but_not_the_other_effects() -> None:
    open_move, hidden_move = Move("red", 1, "public", "seat.1"), Move("red", 1, "seat.1", "seat.2")
    event = Event(1, Happened(), (open_move, hidden_move, Ask(1, "", "act")))
    effects, whole = redact_effects(Table(LAYOUT), event.effects, SPECTATOR)
    assert effects == (open_move, Move(HIDDEN, 1, "seat.1", "seat.2"), Ask(1, "", "act"))
    assert not whole
    for viewer in (1, 2):
        assert redact_effects(Table(LAYOUT), event.effects, viewer) == (event.effects, True)


def test_seats_with_two_digits_are_not_confused() -> None:
    """Seat 1 does not see the zone of seat 11, and a spectator is no seat."""
    table = Table(TableLayout(11, (ZoneSpec("bag", "seat.11", {"red": 1}), ZoneSpec("count", "count")), ()))
    event = Event(11, Happened(), (Move("red", 1, "bag", "count"),))
    assert not redact_effects(table, event.effects, 1)[1]
    assert not redact_effects(table, event.effects, SPECTATOR)[1]
    assert redact_effects(table, event.effects, 11)[1]
