"""Seats that look at each other's cards: what each of them is told, what forks keep of it, and what records say."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from tests.game.games import started
from tests.game.records import check, finished, load_title
from tests.service.nations_title import (
    ENGLAND,
    FRANCE,
    NATIONS,
    SEATS,
    Declare,
    Look,
    NationsBoard,
    NationSeen,
    Wait,
)
from tests.service.tiny_title import Peek

from boardkeeper.game.creation import create_game
from boardkeeper.game.events import GameEvent
from boardkeeper.game.forking import Fork, fork_game
from boardkeeper.game.game import Game
from boardkeeper.game.record import event_forms, sealer, write_record
from boardkeeper.game.record_reading import read_events
from boardkeeper.game.undo_effects import shorten, visibility_covers
from boardkeeper.table.effects import Move, Reveal
from boardkeeper.table.recorder import Recorder
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR, SPECTATOR
from boardkeeper.table.zones import AnyMarker, Zone
from boardkeeper.testkit.client_table import follow
from boardkeeper.testkit.games import ID, SECRET, Signer, finish_game, give, record, rewrite_event, statuses, undo

VIEWERS = (SPECTATOR, *SEATS, OPERATOR)


def begun(secret: bytes = SECRET) -> tuple[Game, list[GameEvent]]:
    return started(b"", b"", b"", b"", secret=secret, title=NATIONS)


def looked() -> tuple[Game, list[GameEvent]]:
    """Seat 4 has looked at seat 2's card, the others have waited, and it is seat 1's turn again."""
    game, events = begun()
    for seat, command in ((1, Wait()), (2, Wait()), (3, Wait()), (4, Look(2))):
        events += give(game, seat, command)
    return game, events


def cards(game: Game) -> tuple[str, ...]:
    """Who has which nation."""
    assert game.play is not None
    board = game.play.board(OPERATOR)
    assert isinstance(board, NationsBoard)
    return board.nations


def forms_of(events: list[GameEvent], topic: str) -> list[list[Any]]:
    """The forms of the events of that topic."""
    table, found = Table(NATIONS.layout(events[0].detail.setup)), []  # type: ignore[attr-defined]
    for event in events:
        table.apply_all(event.effects)
        if event.topic == f"nations.{topic}":
            found.append(event_forms(table, event))
    return found


# --- what is told ----------------------------------------------------------------------------------------------


def test_only_those_who_see_the_card_then_are_told_what_it_is() -> None:
    game, events = looked()
    nation, id = cards(game)[1], "seat.2.nation"
    shown, tells = Reveal(id, "seat.2", "seats.2.4"), Move(nation, 1, id, id)
    ((whole, *others),) = forms_of(events, "NationSeen")
    assert (whole.detail, whole.effects) == (NationSeen(2, nation), (shown, tells))
    for viewer, form in enumerate(others):
        if viewer in (2, 4):
            assert form == whole, viewer
        else:
            assert (form.topic, form.detail) == ("nations.NationSeen", None), viewer
            assert form.effects == (shown, Move("?", 1, id, id)), viewer
    ((looked_at, *others),) = forms_of(events, "Looked")
    assert all(form == looked_at for form in others), "that somebody has looked, everybody knows"


def test_who_looks_later_is_told_and_those_who_saw_it_already_are_told_too() -> None:
    game, events = looked()
    events += give(game, 1, Look(2))
    _, (whole, *others) = forms_of(events, "NationSeen")
    assert [form == whole for form in others] == [False, True, True, False, True]
    assert game.table.zones["seat.2.nation"].visibility == "seats.1.2.4"
    boards = [game.play.board(viewer) for viewer in VIEWERS] if game.play else []
    assert [board.nations[1] != "" for board in boards] == [False, True, True, False, True, True]  # type: ignore[attr-defined]


def test_once_it_is_shown_to_all_everybody_is_told() -> None:
    game, events = looked()
    events += give(game, 1, Wait())
    events += give(game, 2, Declare())
    ((whole, *others),) = forms_of(events, "NationDeclared")
    assert all(form == whole for form in others)
    assert Move(cards(game)[1], 1, "seat.2.nation", "seat.2.nation") in whole.effects


@pytest.mark.parametrize("seed", range(6))
def test_whoever_folds_what_he_is_told_knows_what_he_sees_and_the_record_holds(seed: int) -> None:
    """At each version, from the deal to the end, with looks that were taken back by everybody's consent."""
    chance = Random(seed)
    game, events = begun()
    undos = 0
    while game.status == "running":
        (seat,) = game.table.deciding()
        events += give(game, seat, chance.choice(game.legal(seat)))
        if game.status == "running" and chance.random() < 0.3:
            undo(game, events, seat, f"undo {len(events)}")
            undos += 1
    assert undos
    versions = 0
    for table, known in follow(events, VIEWERS):
        versions += 1
        for viewer, knowledge in known.items():
            assert not list(knowledge.differences(table)), (versions, viewer)
            assert not knowledge.missing(), (versions, viewer)
    assert versions == len(events)
    report = check(record(events))
    assert report.holds, report.problems


def test_a_look_that_was_taken_back_is_told_to_the_card_s_owner_and_no_more_is_seen() -> None:
    game, events = looked()
    undo(game, events, 4, "back")
    assert game.table.zones["seat.2.nation"].visibility == "seat.2"
    table = Table(NATIONS.layout(game.created.setup))
    for event in events:
        table.apply_all(event.effects)
    _, *others = event_forms(table, events[-1])
    moved = [next(it for it in form.effects if isinstance(it, Move)).component for form in others]
    assert moved == ["?", "?", cards(game)[1], "?", "?"]


# --- forks -----------------------------------------------------------------------------------------------------


def dealt(game: Game, history: list[GameEvent], viewer: int, forks: int) -> Counter[tuple[str, ...]]:
    """How often each deal comes up in forks for a viewer."""
    found: Counter[tuple[str, ...]] = Counter()
    for key in range(forks):
        fork = fork_game(Game.load(NATIONS, SECRET, history), viewer, key.to_bytes(4, "big"))
        assert isinstance(fork, Fork)
        table = Table(fork.layout)
        found[tuple(next(iter(table.pile(f"seat.{seat}.nation").items)) for seat in SEATS)] += 1
        assert {it.id: it.visibility for it in fork.layout.zones} == {
            id: zone.visibility for id, zone in game.table.zones.items()
        }
    return found


def test_forks_keep_what_a_seat_has_looked_at_and_deal_the_rest_anew() -> None:
    """Seat 4 knows two cards, seat 1 one: of the others each deal comes up as often as it must."""
    for game, history in map(_with_cards, ((ENGLAND, FRANCE, FRANCE, ENGLAND), (FRANCE, ENGLAND, FRANCE, ENGLAND))):
        now = cards(game)
        found = dealt(game, history, 4, 2000)
        assert all((deal[1], deal[3]) == (now[1], now[3]) for deal in found)
        assert len(found) == (1 if now[1] == now[3] else 2)
        assert len(found) == 1 or all(900 < count < 1100 for count in found.values()), found
        found = dealt(game, history, 1, 2000)
        assert all(deal[0] == now[0] and Counter(deal) == Counter(now) for deal in found)
        assert len(found) == 3
        assert all(570 < count < 770 for count in found.values()), found
        assert list(dealt(game, history, OPERATOR, 3)) == [now]
        assert len(dealt(game, history, SPECTATOR, 300)) == 6


def _with_cards(wanted: tuple[str, ...]) -> tuple[Game, list[GameEvent]]:
    """A game that was dealt so and in which seat 4 has looked at seat 2's card; its secret does not matter any more."""
    for number in range(1000):
        game, events = begun(number.to_bytes(32, "big"))
        if cards(game) == wanted:
            for seat, command in ((1, Wait()), (2, Wait()), (3, Wait()), (4, Look(2))):
                events += give(game, seat, command)
            return game, events
    raise AssertionError(f"nobody is ever dealt {wanted}")


@pytest.mark.parametrize("viewer", [OPERATOR, SPECTATOR, 1, 4])
def test_a_fork_is_played_on_and_its_record_holds(viewer: int) -> None:
    game, history = looked()
    fork = fork_game(Game.load(NATIONS, SECRET, history), viewer, b"chance")
    assert isinstance(fork, Fork)
    new, events = create_game(ID, NATIONS, game.created.setup, ["person"] * 4, SECRET, "test", "", 1, fork=fork)
    new.commit(events)
    for seat in SEATS:
        joined = new.join([seat], b"", "", 1)
        new.commit(joined)
        events += joined
    events += finish_game(new, Random(2))
    assert json.loads(record(events)[0])["format"] == 2
    report = check(record(events))
    assert report.holds, report.problems
    assert not check(record(events, 4)).fails


# --- records ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_records_of_games_with_looks_are_of_format_2_and_hold_on_every_level(seed: int) -> None:
    game, events = looked()
    events += finish_game(game, Random(seed))
    lines = record(events)
    assert json.loads(lines[0])["format"] == 2
    report = check(lines)
    assert report.holds, report.problems
    read = read_events(lines, lambda id: load_title(id).events)
    assert list(write_record(ID, read, SECRET, sealer(Signer()), imported=True)) == lines
    for viewer in (SPECTATOR, *SEATS):
        assert not check(record(events, viewer)).fails
        assert json.loads(record(events, viewer)[0])["format"] == 2


def test_a_record_is_of_format_1_as_long_as_nothing_in_it_needs_more() -> None:
    """What nobody looked at reads every verifier, and a look later changes nothing of the lines before it."""
    game, events = begun()
    events += give(game, 1, Wait())
    early = record(events)
    assert json.loads(early[0])["format"] == 1
    events += give(game, 2, Look(1))
    late = record(events)
    assert json.loads(late[0])["format"] == 2
    assert late[1 : len(early) - 1] == early[1:-1]


@pytest.mark.parametrize("title", ["tiny", "orleans", "paladins"])
def test_games_in_which_nothing_is_shown_to_some_stay_in_format_1(title: str) -> None:
    assert json.loads(record(finished(title=load_title(title)))[0])["format"] == 1


def test_format_1_has_no_visibility_of_several_seats() -> None:
    game, events = looked()
    lines = record(events + finish_game(game, Random(1)))
    (lines[0],) = [lines[0].replace(b'"format":2', b'"format":1')]
    report = check(lines)
    at = next(at for at, line in enumerate(lines, 1) if b"seats.2.4" in line)
    assert (report.problems[0].level, report.problems[0].line) == ("well-formed", at)
    assert report.problems[0].message == "the line has a visibility of several seats, which needs format 2"


@pytest.mark.parametrize("format", [3, 10, 999_999_999])
def test_formats_that_nobody_knows_are_refused(format: int) -> None:
    lines = record(finished())
    lines[0] = lines[0].replace(b'"format":1', b'"format":%d' % format)
    report = check(lines)
    assert statuses(report)["well-formed"] == "fails"
    assert [(it.line, it.message) for it in report.problems] == [
        (1, f"the line has the format {format}; this program reads the formats 1 and 2")
    ]


def test_a_record_that_says_2_though_it_needed_1_reads_as_well() -> None:
    lines = record(finished())
    lines[0] = lines[0].replace(b'"format":1', b'"format":2')
    assert check(lines).holds


@pytest.mark.parametrize(
    "word",
    ["seats.4.2", "seats.2", "seats.2.2", "seats.02.4", "seats.2.17", "seats.0.2", "seats.", "seats.2.4.", "seats"],
)
def test_a_set_of_seats_has_one_spelling_in_a_record(word: str) -> None:
    game, events = looked()
    events += finish_game(game, Random(1))
    at = next(event.originator_version for event in events if event.topic == "nations.NationSeen")

    def respell(line: Any) -> None:
        line["event"]["effects"][0][3] = word

    report = check(rewrite_event(record(events), at, respell))
    assert ("well-formed", at + 1) in [(it.level, it.line) for it in report.problems]


# --- what format 1 told ----------------------------------------------------------------------------------------


@pytest.fixture
def peeking(monkeypatch: pytest.MonkeyPatch) -> list[GameEvent]:
    """A game of the small title in which whoever peeks lets seat 1 alone see the pile, with words of format 1."""
    usual = Recorder.reveal

    def to_seat_1(self: Recorder, subject: Zone | AnyMarker, _: str) -> None:
        usual(self, subject, "seat.1")

    monkeypatch.setattr(Recorder, "reveal", to_seat_1)
    game, events = started()
    events += give(game, 1, Peek())
    return events + finish_game(game, Random(1))


def test_format_1_tells_everybody_of_a_reveal_and_is_verified_so_for_ever(
    peeking: list[GameEvent], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = next(event.originator_version for event in peeking if event.topic == "tiny.PileShown")
    monkeypatch.setattr("boardkeeper.game.record.required_format", lambda _: 1)
    old = record(peeking)
    assert json.loads(record(peeking, 2)[at])["event"]["detail"] == {}
    assert check(old).holds
    assert not check(record(peeking, 2)).fails


def test_format_2_tells_of_it_those_who_see_it_and_says_that_it_is_format_2(peeking: list[GameEvent]) -> None:
    at = next(event.originator_version for event in peeking if event.topic == "tiny.PileShown")
    new = record(peeking)
    assert json.loads(new[0])["format"] == 2
    assert check(new).holds
    for viewer, detail in ((1, {}), (2, None), (SPECTATOR, None)):
        assert json.loads(record(peeking, viewer)[at])["event"]["detail"] == detail
    as_if_1 = [new[0].replace(b'"format":2', b'"format":1'), *new[1:]]
    assert [it.message for it in check(as_if_1).problems] == [
        "the form for spectator is not the one that it may see of this event"
    ]


@pytest.mark.interpreted
def test_whom_a_server_told_too_much_of_a_reveal_the_record_shows(
    peeking: list[GameEvent], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = next(event.originator_version for event in peeking if event.topic == "tiny.PileShown")
    with monkeypatch.context() as patch:
        patch.setattr("boardkeeper.table.visibility._is_for_others", lambda *_: False)
        lines = record(peeking)
    assert [(it.level, it.version, it.message) for it in check(lines).problems] == [
        ("chained", at, "the form for spectator is not the one that it may see of this event")
    ]


# --- over an undo ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "over"),
    [
        ("seat.2", "seats.2.4", "seat.2"),
        ("seats.1.2", "seats.2.3", "seat.2"),
        ("seats.1.2.3", "seats.2.3.4", "seats.2.3"),
        ("seats.1.2", "seats.3.4", "nobody"),
        ("seats.1.2", "public", "seats.1.2"),
        ("seats.1.2", "seats.1.2", "seats.1.2"),
        ("seats.1.2", "count", "nobody"),
        ("seats.1.2", "secret.1", "nobody"),
        ("seats.1.2", "nobody", "nobody"),
        ("seats.1.2", "as:screen", "nobody"),
        ("seat.1", "seat.2", "nobody"),
        ("seat.1", "secret.1", "nobody"),
        ("seat.1", "count", "nobody"),
        ("public", "as:screen", "as:screen"),
    ],
)
def test_over_an_undo_those_see_it_who_see_it_before_and_after(one: str, other: str, over: str) -> None:
    for before, after in ((one, other), (other, one)):
        assert visibility_covers([Reveal("card", before, after)]) == {"card": over}
        assert visibility_covers([Reveal("card", before, after), Reveal("card", after, before)]) == {"card": over}
        assert visibility_covers([Reveal("card", before, after), Reveal("card", after, "public")]) == {"card": over}


@pytest.mark.parametrize("words", [("seat.2", "seats.2.4", "seats.1.2.4"), ("seats.1.2", "seats.2.3", "seat.3")])
def test_an_undo_of_several_reveals_in_short_covers_as_much(words: tuple[str, ...]) -> None:
    game, _ = begun()
    card = game.table.zones["seat.2.nation"]
    card.visibility = words[-1]
    back = [Reveal(card.id, after, before) for before, after in reversed(list(pairwise(words)))]
    short = shorten(game.table, back)
    assert len(short) <= len(back)
    assert visibility_covers(short) == visibility_covers(back)
    game.table.apply_all(short)
    assert card.visibility == words[0]
