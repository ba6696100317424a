"""What is shown to some: who is told of it, and that whoever folds what he is told knows what he sees."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.table.tables import Happened

from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Effect, Event, Move, Reveal, Set
from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.recorder import Recorder
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import (
    HIDDEN,
    OPERATOR,
    SPECTATOR,
    can_count,
    hides_detail,
    is_shared_by_seats,
    is_visibility,
    only,
    redact_effects,
    seats_of,
    sees,
    shared_by,
)
from boardkeeper.table.visible_table import visible_table
from boardkeeper.table.zones import AnyMarker, Pile
from boardkeeper.testkit.client_table import ClientTable

SEATS = (1, 2, 3)
SHARED = [shared_by(*some) for size in (2, 3) for some in combinations(SEATS, size)]
COUNTED = ["public", "count", *map(only, SEATS), *SHARED]
SECRET = ["nobody", "secret.1", "secret.2"]
VIEWERS = (SPECTATOR, *SEATS, OPERATOR)


def laid(words: list[str]) -> Recorder:
    """A table with a pile and a marker of each of these words, a stack, and a pile and a marker behind a screen."""
    zones = [ZoneSpec(f"zone {word}", word, {"red": 2, "blue": 1}) for word in words]
    zones += [ZoneSpec("behind", "as:screen", {"green": 2}), ZoneSpec("stack", "public", stack=True)]
    markers = [MarkerSpec(f"marker {word}", at, word) for at, word in enumerate(words)]
    markers += [MarkerSpec("screen", "up", "seat.1"), MarkerSpec("behind too", 7, "as:screen")]
    return Recorder(Table(TableLayout(3, tuple(zones), tuple(markers))), Dice(b"key"))


# --- the word ------------------------------------------------------------------------------------------------------


def test_each_set_of_seats_has_one_word_whatever_order_they_are_named_in() -> None:
    for size in (2, 3):
        for some in combinations((1, 3, 12), size):
            words = {shared_by(*order) for order in permutations(some)} | {shared_by(*some, *some)}
            assert words == {"seats." + ".".join(map(str, some))}
            assert seats_of(words.pop()) == some
    assert shared_by(2) == shared_by(2, 2) == only(2) == "seat.2"
    with pytest.raises(ValueError, match=r"^name at least one seat$"):
        shared_by()


@pytest.mark.parametrize("word", ["seats.1.2", "seats.2.4", "seats.1.2.3.4", "seats.3.4"])
def test_several_seats_in_ascending_order_are_a_visibility(word: str) -> None:
    assert is_visibility(word, (), 4)
    assert is_shared_by_seats(word)
    assert shared_by(*seats_of(word)) == word


@pytest.mark.parametrize(
    "word",
    [
        "seats",
        "seats.",
        "seats.1",
        "seats.2.1",
        "seats.1.1",
        "seats.1.2.2",
        "seats.0.1",
        "seats.01.2",
        "seats.1.02",
        "seats.1.5",
        "seats.1.2.5",
        "seats.1.2.",
        "seats..1.2",
        "seats.1,2",
        "seats.1.2 ",
        "seats.1.2\n",
        "seats.1.²",
        "seat.1.2",
        "secret.1.2",
        "seats.1.100",
    ],
)
def test_no_other_spelling_is(word: str) -> None:
    assert not is_visibility(word, (), 4)
    r = Recorder(Table(TableLayout(4, (ZoneSpec("card"),), ())), Dice(b""))
    with pytest.raises(ValueError, match="is not a visibility"):
        r.reveal(r.table.zones["card"], word)


def test_each_of_the_seats_sees_into_it_and_everybody_counts() -> None:
    table = Table(TableLayout(16, (ZoneSpec("card", "seats.2.11.12", {"red": 1}),), ()))
    card = table.zones["card"]
    assert [viewer for viewer in range(17) if sees(table, card, viewer)] == [2, 11, 12]
    assert sees(table, card, OPERATOR)
    assert all(can_count(table, card, viewer) for viewer in (OPERATOR, *range(17)))


def test_what_goes_there_is_told_to_each_of_the_seats() -> None:
    table = Table(TableLayout(3, (ZoneSpec("box", "count", {"red": 1}), ZoneSpec("card", "seats.1.3")), ()))
    move = Move("red", 1, "box", "card")
    for viewer in VIEWERS:
        effects, whole = redact_effects(table, (move,), viewer)
        assert whole == (viewer in (1, 3, OPERATOR))
        assert effects == ((move,) if whole else (Move(HIDDEN, 1, "box", "card"),))


# --- whom a reveal tells ---------------------------------------------------------------------------------------------


def told_of(before: str, after: str, *, behind: bool = False) -> set[int]:
    """Who is told the detail of an event that lets others see a card, or a screen before it."""
    r = laid([])
    card: Any = r.table.markers["screen"] if behind else r.table.zones["behind"]
    card.visibility = before
    r.reveal(card, after)
    r.emit(1, Happened())
    (event,) = r.take()
    told = {viewer for viewer in VIEWERS if redact_effects(r.table, event.effects, viewer)[1]}
    for viewer in VIEWERS:
        assert redact_effects(r.table, event.effects, viewer)[0] == event.effects, "that it is shown everybody knows"
        assert any(hides_detail(r.table, effect, viewer) for effect in event.effects) == (viewer not in told)
    return told


@pytest.mark.parametrize("behind", [False, True])
@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("seat.2", "seats.2.3", {2, 3}),
        ("seats.2.3", "seats.1.2.3", {1, 2, 3}),
        ("count", "seats.1.3", {1, 3}),
        ("nobody", "secret.2", {2}),
        ("seat.1", "seat.2", {2}),
        ("seats.1.2", "seats.2.3", {2, 3}),
        ("secret.1", "seats.1.2", {1, 2}),
    ],
)
def test_what_is_shown_to_some_is_told_to_those_who_see_it_then(
    before: str, after: str, told: set[int], behind: bool
) -> None:
    assert told_of(before, after, behind=behind) == told | {OPERATOR}


@pytest.mark.parametrize("behind", [False, True])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("seat.2", "public"),
        ("seats.2.3", "public"),
        ("nobody", "public"),
        ("public", "secret.1"),
        ("public", "seats.1.2"),
        ("seats.1.2.3", "seats.1.3"),
        ("seats.1.2", "seat.1"),
        ("seat.1", "count"),
        ("nobody", "count"),
        ("seat.1", "secret.1"),
    ],
)
def test_what_is_hidden_or_shown_to_all_is_told_to_all(before: str, after: str, behind: bool) -> None:
    assert told_of(before, after, behind=behind) == set(VIEWERS)


def test_behind_a_screen_it_is_as_the_screen_is() -> None:
    table = laid([]).table
    for screen, told in (("seats.1.2", {1, 2}), ("seat.3", {3}), ("public", set(VIEWERS)), ("nobody", set(VIEWERS))):
        table.markers["screen"].visibility = screen
        event = Event(1, Happened(), (Reveal("behind", "count", "as:screen"),))
        assert {it for it in VIEWERS if redact_effects(table, event.effects, it)[1]} == told | {OPERATOR}


def test_it_joins_no_event_that_others_are_told() -> None:
    r = laid(["seat.2"])
    r.emit(3, Happened())
    r.show(r.table.pile("zone seat.2"), "seats.2.3")
    with pytest.raises(RuntimeError, match="viewer 0 gets Happened"):
        r.take()


# --- what those learn who see it -------------------------------------------------------------------------------------


def test_showing_tells_what_lies_there_and_changes_nothing() -> None:
    r = laid(["seat.2"])
    card, note = r.table.pile("zone seat.2"), r.table.markers["marker seat.2"]
    before = r.table.contents()["decisions"], r.table.components(), note.value
    r.show(card, "seats.2.3")
    r.show(note, "seats.2.3")
    r.emit(3, Happened())
    (event,) = r.take()
    cards: list[Effect] = [Move(component, 1, card.id, card.id) for component in ("blue", "red", "red")]
    tells = [*cards, Set(note.id, 0, 0)]
    assert redact_effects(r.table, event.effects, 3)[0] == event.effects
    assert [it for it in event.effects if not isinstance(it, Reveal)] == tells
    assert (r.table.contents()["decisions"], r.table.components(), note.value) == before
    for viewer in (SPECTATOR, 1):
        told = [it for it in redact_effects(r.table, event.effects, viewer)[0] if not isinstance(it, Reveal)]
        assert told == [Move(HIDDEN, 1, card.id, card.id)] * 3, "not even which of them are alike"


@pytest.mark.parametrize("word", ["seats.2.3", "seat.3", "count", "nobody", "secret.1"])
def test_what_is_told_to_others_does_not_depend_on_what_lies_there(word: str) -> None:
    told = []
    for contents in ({"red": 3}, {"red": 2, "blue": 1}, {"blue": 1, "green": 1, "red": 1}):
        layout = TableLayout(3, (ZoneSpec("card", "seat.2", contents),), (MarkerSpec("note", len(contents), "seat.2"),))
        r = Recorder(Table(layout), Dice(b""))
        r.show(r.table.pile("card"), word)
        r.show(r.table.markers["note"], word)
        r.emit(1, Happened())
        (event,) = r.take()
        told.append(
            {
                it: redact_effects(r.table, event.effects, it)
                for it in VIEWERS
                if not sees(r.table, r.table.zones["card"], it)
            }
        )
    assert SPECTATOR in told[0]
    assert told[0] == told[1] == told[2]


def test_what_is_seen_so_already_is_not_shown_again() -> None:
    r = laid(["seat.2"])
    r.show(r.table.pile("zone seat.2"), "seat.2")
    r.emit(1, Happened())
    assert r.take() == [Event(1, Happened(), ())]


def test_a_screen_shows_all_that_stands_behind_it() -> None:
    r = laid([])
    r.show(r.table.markers["screen"], "seats.1.2")
    r.emit(1, Happened())
    (event,) = r.take()
    assert event.effects == (
        Reveal("screen", "seat.1", "seats.1.2"),
        Set("screen", "up", "up"),
        Move("green", 1, "behind", "behind"),
        Move("green", 1, "behind", "behind"),
        Set("behind too", 7, 7),
    )


def test_a_stack_is_not_shown_for_nobody_would_know_its_order() -> None:
    r = laid([])
    stack: Any = r.table.stack("stack")
    with pytest.raises(TypeError, match=r"(?i)stack"):
        r.show(stack, "count")


CHANGES = st.lists(
    st.tuples(
        st.sampled_from(["move", "move", "set", "draw", "show", "show", "show", "hide behind", "emit"]),
        st.integers(0, 10**6),
        st.integers(0, 10**6),
    ),
    max_size=40,
)


def perform(r: Recorder, what: str, one: int, other: int, words: list[str]) -> None:
    piles = [zone for zone in r.table.zones.values() if isinstance(zone, Pile)]
    markers = list(r.table.markers.values())
    source, target = piles[one % len(piles)], piles[other % len(piles)]
    subjects: list[Pile | AnyMarker] = [*piles, *markers]
    subject = subjects[one % len(subjects)]
    match what:
        case "move" if source.items and source is not target:
            component = sorted(source.items)[other % len(source.items)]
            r.move(component, source, target, 1 + one % source.items[component])
        case "set" if isinstance(markers[one % len(markers)].value, int):
            r.set(markers[one % len(markers)], other)
        case "draw" if source.items and source is not target:
            r.draw(source, target)
        case "show":
            r.show(subject, words[other % len(words)])
        case "hide behind" if subject.id != "screen":
            r.show(subject, "as:screen")
        case "emit":
            r.emit(one % 4, Happened(other))
        case _:
            pass


def folded(words: list[str], changes: list[tuple[str, int, int]], *, totals: bool) -> None:
    r = laid(words)
    first = laid(words).table
    told = {viewer: ClientTable(visible_table(first, viewer)) for viewer in VIEWERS}
    for viewer, known in told.items():
        assert not list(known.differences(first)), viewer
    for what, one, other in changes:
        perform(r, what, one, other, words)
        if what == "emit":
            _tell(r, first, told, totals=totals)
    r.emit(0, Happened())
    _tell(r, first, told, totals=totals)


def _tell(r: Recorder, table: Table, told: dict[int, ClientTable], *, totals: bool) -> None:
    for event in r.take():
        table.apply_all(event.effects)
        for viewer, known in told.items():
            known.apply_effects(redact_effects(table, event.effects, viewer)[0])
            assert not list(known.differences(table, totals=totals)), (viewer, event)
            lacks = known.missing()
            if totals:
                assert not lacks, (viewer, event)
            else:  # how many there are that could not be counted before; what he sees, empty at first, he has right
                assert lacks <= set(table.zones), (viewer, event)
                true, own = visible_table(table, viewer).zones, known.seen().zones
                for zone, taken in zip(true, own, strict=True):
                    # The viewer still counts components that left for a zone without a visible count; showing an
                    # empty pile does not correct that. The zone is among those that the viewer lacks.
                    is_stale = zone.id in lacks and not zone.contents and set(taken.contents) == {HIDDEN}
                    contents = {} if is_stale else taken.contents
                    assert (zone.contents, zone.order) == (contents, taken.order), (viewer, event)
    assert table.contents() == r.table.contents()


@given(CHANGES)
def test_whoever_folds_what_he_is_told_knows_what_he_sees_and_how_much_lies_elsewhere(
    changes: list[tuple[str, int, int]],
) -> None:
    folded(COUNTED, changes, totals=True)


@given(CHANGES)
@example([("move", 783, 0), ("move", 783, 737), ("emit", 0, 0), ("show", 246, 0)])
def test_whoever_folds_what_he_is_told_knows_what_he_sees_beside_what_he_cannot_count(
    changes: list[tuple[str, int, int]],
) -> None:
    folded([*COUNTED, *SECRET], changes, totals=False)
