"""Seats that look at each other's cards: redacted events, forks and records."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from tests.game.games import join_all, start
from tests.game.records import check, finished_game, load_title
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


def start_nations(secret: bytes = SECRET) -> tuple[Game, list[GameEvent]]:
    return start(b"", b"", b"", b"", secret=secret, title=NATIONS)


def start_with_look(secret: bytes = SECRET) -> tuple[Game, list[GameEvent]]:
    """Start a game in which seat 4 has start_with_look at the card of seat 2, and it is the turn of seat 1 again."""
    game, events = start_nations(secret)
    for seat, command in ((1, Wait()), (2, Wait()), (3, Wait()), (4, Look(2))):
        events += give(game, seat, command)
    return game, events


def cards(game: Game) -> tuple[str, ...]:
    """Return the nation of each seat."""
    assert game.play is not None
    board = game.play.board(OPERATOR)
    assert isinstance(board, NationsBoard)
    return board.nations


def forms_of(events: list[GameEvent], topic: str) -> list[list[Any]]:
    """Return the forms of the events with a topic: the whole event, and the redacted one of each viewer."""
    table, found = Table(NATIONS.layout(events[0].detail.setup)), []  # type: ignore[attr-defined]
    for event in events:
        table.apply_all(event.effects)
        if event.topic == f"nations.{topic}":
            found.append(event_forms(table, event))
    return found


# --- redacted events -------------------------------------------------------------------------------------------


def test_only_viewers_who_see_the_card_get_its_component() -> None:
    game, events = start_with_look()
    nation, id = cards(game)[1], "seat.2.nation"
    reveal, move = Reveal(id, "seat.2", "seats.2.4"), Move(nation, 1, id, id)
    ((whole, *others),) = forms_of(events, "NationSeen")
    assert (whole.detail, whole.effects) == (NationSeen(2, nation), (reveal, move))
    for viewer, form in enumerate(others):
        if viewer in (2, 4):
            assert form == whole, viewer
        else:
            assert (form.topic, form.detail) == ("nations.NationSeen", None), viewer
            assert form.effects == (reveal, Move("?", 1, id, id)), viewer
    ((whole, *others),) = forms_of(events, "Looked")
    assert all(form == whole for form in others), "all viewers know that a seat has looked"


def test_a_second_look_is_sent_to_all_seats_that_see_the_card() -> None:
    game, events = start_with_look()
    events += give(game, 1, Look(2))
    _, (whole, *others) = forms_of(events, "NationSeen")
    assert [form == whole for form in others] == [False, True, True, False, True]
    assert game.table.zones["seat.2.nation"].visibility == "seats.1.2.4"
    boards = [game.play.board(viewer) for viewer in VIEWERS] if game.play else []
    assert [board.nations[1] != "" for board in boards] == [False, True, True, False, True, True]  # type: ignore[attr-defined]


def test_a_declared_nation_is_sent_to_all_viewers() -> None:
    game, events = start_with_look()
    events += give(game, 1, Wait())
    events += give(game, 2, Declare())
    ((whole, *others),) = forms_of(events, "NationDeclared")
    assert all(form == whole for form in others)
    assert Move(cards(game)[1], 1, "seat.2.nation", "seat.2.nation") in whole.effects


@pytest.mark.parametrize("seed", range(6))
def test_redacted_effects_give_the_redacted_table_at_every_version(seed: int) -> None:
    """Also after undos of looks."""
    chance = Random(seed)
    game, events = start_nations()
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


def test_an_undone_look_hides_the_card_and_is_sent_in_full_only_to_its_owner() -> None:
    game, events = start_with_look()
    undo(game, events, 4, "back")
    assert game.table.zones["seat.2.nation"].visibility == "seat.2"
    table = Table(NATIONS.layout(game.created.setup))
    for event in events:
        table.apply_all(event.effects)
    _, *others = event_forms(table, events[-1])
    moved = [next(it for it in form.effects if isinstance(it, Move)).component for form in others]
    assert moved == ["?", "?", cards(game)[1], "?", "?"]


# --- forks -----------------------------------------------------------------------------------------------------


def count_deals(game: Game, history: list[GameEvent], viewer: int, forks: int) -> Counter[tuple[str, ...]]:
    """Count the deals in a number of forks for a viewer."""
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


def test_forks_keep_known_cards_and_deal_the_rest_uniformly() -> None:
    """Seat 4 knows two cards, seat 1 only its own."""
    for game, history in map(_deal, ((ENGLAND, FRANCE, FRANCE, ENGLAND), (FRANCE, ENGLAND, FRANCE, ENGLAND))):
        now = cards(game)
        found = count_deals(game, history, 4, 2000)
        assert all((deal[1], deal[3]) == (now[1], now[3]) for deal in found)
        assert len(found) == (1 if now[1] == now[3] else 2)
        assert len(found) == 1 or all(900 < count < 1100 for count in found.values()), found
        found = count_deals(game, history, 1, 2000)
        assert all(deal[0] == now[0] and Counter(deal) == Counter(now) for deal in found)
        assert len(found) == 3
        assert all(570 < count < 770 for count in found.values()), found
        assert list(count_deals(game, history, OPERATOR, 3)) == [now]
        assert len(count_deals(game, history, SPECTATOR, 300)) == 6


def _deal(wanted: tuple[str, ...]) -> tuple[Game, list[GameEvent]]:
    """Find a game with these cards, in which seat 4 has looked at the card of seat 2."""
    for number in range(1000):
        secret = number.to_bytes(32, "big")
        if cards(start_nations(secret)[0]) == wanted:
            return start_with_look(secret)
    raise AssertionError(f"no secret deals {wanted}")


@pytest.mark.parametrize("viewer", [OPERATOR, SPECTATOR, 1, 4])
def test_a_fork_can_be_played_and_its_record_is_valid(viewer: int) -> None:
    game, history = start_with_look()
    fork = fork_game(Game.load(NATIONS, SECRET, history), viewer, b"chance")
    assert isinstance(fork, Fork)
    new, events = create_game(ID, NATIONS, game.created.setup, ["person"] * 4, SECRET, "test", "", 1, fork=fork)
    new.commit(events)
    join_all(new, events)
    events += finish_game(new, Random(2))
    assert json.loads(record(events)[0])["format"] == 2
    report = check(record(events))
    assert report.holds, report.problems
    assert not check(record(events, 4)).fails


# --- records ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_records_of_games_with_looks_have_format_2_and_are_valid(seed: int) -> None:
    game, events = start_with_look()
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


def test_a_record_has_format_1_until_an_event_needs_format_2() -> None:
    """Then old verifiers can read it. A later look does not change the earlier lines."""
    game, events = start_nations()
    events += give(game, 1, Wait())
    early = record(events)
    assert json.loads(early[0])["format"] == 1
    events += give(game, 2, Look(1))
    late = record(events)
    assert json.loads(late[0])["format"] == 2
    assert late[1 : len(early) - 1] == early[1:-1]


@pytest.mark.parametrize("title", ["tiny", "orleans", "paladins"])
def test_games_without_looks_have_format_1(title: str) -> None:
    assert json.loads(record(finished_game(title=load_title(title)))[0])["format"] == 1


def test_format_1_has_no_visibility_of_several_seats() -> None:
    game, events = start_with_look()
    lines = record(events + finish_game(game, Random(1)))
    (lines[0],) = [lines[0].replace(b'"format":2', b'"format":1')]
    report = check(lines)
    at = next(at for at, line in enumerate(lines, 1) if b"seats.2.4" in line)
    assert (report.problems[0].level, report.problems[0].line) == ("well-formed", at)
    assert report.problems[0].message == "the line has a visibility of several seats, which needs format 2"


@pytest.mark.parametrize("format", [3, 10, 999_999_999])
def test_unknown_formats_are_rejected(format: int) -> None:
    lines = record(finished_game())
    lines[0] = lines[0].replace(b'"format":1', b'"format":%d' % format)
    report = check(lines)
    assert statuses(report)["well-formed"] == "fails"
    assert [(it.line, it.message) for it in report.problems] == [
        (1, f"the line has the format {format}; this program reads the formats 1 and 2")
    ]


def test_format_2_is_valid_for_records_that_need_only_format_1() -> None:
    lines = record(finished_game())
    lines[0] = lines[0].replace(b'"format":1', b'"format":2')
    assert check(lines).holds


@pytest.mark.parametrize(
    "word",
    ["seats.4.2", "seats.2", "seats.2.2", "seats.02.4", "seats.2.17", "seats.0.2", "seats.", "seats.2.4.", "seats"],
)
def test_other_spellings_of_a_set_of_seats_are_rejected(word: str) -> None:
    game, events = start_with_look()
    events += finish_game(game, Random(1))
    at = next(event.originator_version for event in events if event.topic == "nations.NationSeen")

    def respell(line: Any) -> None:
        line["event"]["effects"][0][3] = word

    report = check(rewrite_event(record(events), at, respell))
    assert ("well-formed", at + 1) in [(it.level, it.line) for it in report.problems]


# --- reveals in format 1 ---------------------------------------------------------------------------------------


@pytest.fixture
def peeking(monkeypatch: pytest.MonkeyPatch) -> list[GameEvent]:
    """A game of the tiny title in which a peek shows the pile only to seat 1, with visibilities of format 1."""
    reveal = Recorder.reveal

    def reveal_to_seat_1(self: Recorder, subject: Zone | AnyMarker, _: str) -> None:
        reveal(self, subject, "seat.1")

    monkeypatch.setattr(Recorder, "reveal", reveal_to_seat_1)
    game, events = start()
    events += give(game, 1, Peek())
    return events + finish_game(game, Random(1))


def test_format_1_shows_a_reveal_to_all_viewers_and_remains_valid(
    peeking: list[GameEvent], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = next(event.originator_version for event in peeking if event.topic == "tiny.PileShown")
    monkeypatch.setattr("boardkeeper.game.record.required_format", lambda _: 1)
    old = record(peeking)
    assert json.loads(record(peeking, 2)[at])["event"]["detail"] == {}
    assert check(old).holds
    assert not check(record(peeking, 2)).fails


def test_format_2_shows_a_reveal_only_to_viewers_who_see_it(peeking: list[GameEvent]) -> None:
    at = next(event.originator_version for event in peeking if event.topic == "tiny.PileShown")
    new = record(peeking)
    assert json.loads(new[0])["format"] == 2
    assert check(new).holds
    for viewer, detail in ((1, {}), (2, None), (SPECTATOR, None)):
        assert json.loads(record(peeking, viewer)[at])["event"]["detail"] == detail
    as_format_1 = [new[0].replace(b'"format":2', b'"format":1'), *new[1:]]
    assert [it.message for it in check(as_format_1).problems] == [
        "the form for spectator is not the one that it may see of this event"
    ]


@pytest.mark.interpreted
def test_a_record_shows_that_a_viewer_got_too_much_of_a_reveal(
    peeking: list[GameEvent], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = next(event.originator_version for event in peeking if event.topic == "tiny.PileShown")
    with monkeypatch.context() as patch:
        patch.setattr("boardkeeper.table.visibility._reveals_to_others_only", lambda *_: False)
        lines = record(peeking)
    assert [(it.level, it.version, it.message) for it in check(lines).problems] == [
        ("chained", at, "the form for spectator is not the one that it may see of this event")
    ]


# --- undo ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "cover"),
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
def test_an_undo_is_visible_to_viewers_who_see_the_card_before_and_after(one: str, other: str, cover: str) -> None:
    for before, after in ((one, other), (other, one)):
        reveal = Reveal("card", before, after)
        for effects in ([reveal], [reveal, Reveal("card", after, before)], [reveal, Reveal("card", after, "public")]):
            assert visibility_covers(effects) == {"card": cover}


@pytest.mark.parametrize("words", [("seat.2", "seats.2.4", "seats.1.2.4"), ("seats.1.2", "seats.2.3", "seat.3")])
def test_a_shortened_undo_of_reveals_has_the_same_visibility(words: tuple[str, ...]) -> None:
    game, _ = start_nations()
    card = game.table.zones["seat.2.nation"]
    card.visibility = words[-1]
    back = [Reveal(card.id, after, before) for before, after in reversed(list(pairwise(words)))]
    short = shorten(game.table, back)
    assert len(short) <= len(back)
    assert visibility_covers(short) == visibility_covers(back)
    game.table.apply_all(short)
    assert card.visibility == words[0]
