"""The rules of all titles: one test for each rule id, named after it."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace
from tests.game.games import create, start
from tests.game.test_undo import answer, undo
from tests.service.tiny_title import TINY, DrawPearl, PassCoin, TinyTitle

from boardkeeper.game.creation import create_game
from boardkeeper.game.forking import Fork, fork_game
from boardkeeper.game.time_control import TimeControl
from boardkeeper.game.undo_effects import invert
from boardkeeper.table.effects import Effect, Move, Shuffle
from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.testkit.games import ID, SECRET, finish_game, give
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.orleans.commands import FinishPlanning, Pass, PlaceFollower
from boardkeeper.titles.registry import load_title

ORLEANS = load_title("orleans")


def check_rejection(outcome: object, rule: str, code: str) -> Rejection:
    """Check that the outcome is a rejection with this rule and code. Return it."""
    assert isinstance(outcome, Rejection), outcome
    assert (outcome.rule, outcome.code) == (rule, code)
    return outcome


def test_table_not_deciding() -> None:
    game, _ = create("bot.random", "bot.random", title=ORLEANS)
    give(game, 1, FinishPlanning())
    check_rejection(game.decide(1, [FinishPlanning()], "again", 4), "table.not_deciding", "NOT_DECIDING")


def test_table_wrong_decision() -> None:
    game, _ = create("bot.random", "bot.random", title=ORLEANS)
    assert game.table.decisions[1] == "plan"
    check_rejection(game.decide(1, [Pass()], "early", 4), "table.wrong_decision", "WRONG_DECISION")


def test_table_known_ids() -> None:
    game, _ = create("bot.random", "bot.random", title=ORLEANS)
    outcome = game.decide(1, [PlaceFollower("emperor", "village", "farmer")], "unknown", 4)
    rejection = check_rejection(outcome, "table.known_ids", "UNKNOWN_ID")
    assert (rejection.values["field"], rejection.values["id"]) == ("follower", "emperor")
    assert "own_farmer" in rejection.values["known"].split(", ")


def test_table_all_seats_taken() -> None:
    game, _ = create()
    game.commit(game.join([1], b"", "join", 2))
    check_rejection(game.decide(1, [PassCoin(2)], "early", 4), "table.all_seats_taken", "GAME_NOT_STARTED")


def test_table_game_over() -> None:
    game, _ = start()
    finish_game(game, Random(1))
    check_rejection(game.decide(1, [PassCoin(2)], "late", 4), "table.game_over", "GAME_OVER")


def test_table_undo_own_command() -> None:
    game, history = start()
    check_rejection(undo(game, history, 1), "table.undo_own_command", "NOTHING_TO_UNDO")
    history += give(game, 1, PassCoin(2))
    check_rejection(undo(game, history, 2), "table.undo_own_command", "NOTHING_TO_UNDO")
    assert not isinstance(undo(game, history, 1), Rejection)


def test_table_one_undo_at_a_time() -> None:
    game, history = start(b"", b"", b"")
    history += give(game, 1, DrawPearl())
    undo(game, history, 1)
    check_rejection(undo(game, history, 1, id="another"), "table.one_undo_at_a_time", "UNDO_OPEN")


def test_table_undo_in_moderation() -> None:
    game, history = start()
    history += give(game, 1, DrawPearl())
    for _ in range(3):
        assert not isinstance(undo(game, history, 1), Rejection)
        assert not isinstance(answer(game, history, 2, consent=False), Rejection)
    check_rejection(undo(game, history, 1), "table.undo_in_moderation", "ASKED_TOO_OFTEN")


def test_table_undo_within_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    game, history = start()
    history += give(game, 1, PassCoin(2))
    monkeypatch.setattr("boardkeeper.game.undo.MAX_UNDONE_EVENTS", 0)
    check_rejection(undo(game, history, 1), "table.undo_within_reach", "UNDO_TOO_FAR")


def test_table_undo_vote() -> None:
    game, history = start(b"", b"", b"")
    history += give(game, 1, DrawPearl())
    undo(game, history, 1)
    answer(game, history, 2, consent=True)
    check_rejection(answer(game, history, 2, consent=True), "table.undo_vote", "NOT_ASKED")


def test_table_undo_consent() -> None:
    game, history = start(b"", b"", b"")
    history += give(game, 1, DrawPearl())
    resigned = game.resign(2, "random", "resign", 3)
    assert not isinstance(resigned, Rejection)
    game.commit(resigned)
    history += resigned
    check_rejection(undo(game, history, 1), "table.undo_consent", "CONSENT_IMPOSSIBLE")


def test_table_seat_of_person() -> None:
    game, _ = create("bot.random", "person")
    game.commit(game.join([2], b"", "join", 2))
    for outcome in (
        game.hand_to_bot(1, "random", "h", 3),
        game.take_seat_back(1, "b", 3),
        game.resign(1, "random", "r", 3),
    ):
        check_rejection(outcome, "table.seat_of_person", "SEAT_OF_NO_PERSON")


def test_table_seat_of_bot() -> None:
    game, _ = start()
    check_rejection(game.take_seat_back(1, "back", 3), "table.seat_of_bot", "SEAT_NOT_HANDED_OVER")
    handed = game.hand_to_bot(1, "random", "hand", 3)
    assert not isinstance(handed, Rejection)
    game.commit(handed)
    check_rejection(game.seats.rejection_for_person(1), "table.seat_of_bot", "SEAT_PLAYED_BY_BOT")


def test_table_resigned_for_good() -> None:
    game, _ = start(b"", b"", b"")
    resigned = game.resign(1, "random", "resign", 3)
    assert not isinstance(resigned, Rejection)
    game.commit(resigned)
    check_rejection(game.take_seat_back(1, "back", 3), "table.resigned_for_good", "SEAT_RESIGNED")


def test_table_time_control() -> None:
    control = TimeControl("move", 60, 0, "bot")
    game, events = create_game(ID, TINY, Setup("", 2), ["person"] * 2, SECRET, "test", "", 1, time_control=control)
    game.commit(events)
    game.commit(game.join([1, 2], b"", "join", 1_000))
    check_rejection(game.expire(1, "random", "x", 60_999), "table.time_control", "NOT_EXPIRED")
    assert not isinstance(game.expire(1, "random", "x", 61_000), Rejection)


def test_table_shuffles_stay() -> None:
    """An undo does not revert a shuffle."""
    table = Table(TableLayout(1, (ZoneSpec("deck", stack=True), ZoneSpec("open", contents={"a": 1, "b": 1})), ()))
    effects: list[Effect] = [Move("a", 1, "open", "deck"), Move("b", 1, "open", "deck"), Shuffle("deck", 0, (), ())]
    assert not any(isinstance(effect, Shuffle) for effect in invert(effects))
    assert [effect for effect in invert(effects) if isinstance(effect, Move)] == [
        Move("b", 1, "deck", "open"),
        Move("a", 1, "deck", "open"),
    ]
    assert table.zones["deck"].total() == 0


def test_table_forks_deal_anew() -> None:
    game, _ = create("bot.random", "bot.random", setup=Setup("", 2, {"planning": "sealed"}), title=ORLEANS)
    check_rejection(fork_game(game, 1, b""), "table.forks_deal_anew", "PLANS_HIDDEN")


def test_table_forks_deal_zones(monkeypatch: pytest.MonkeyPatch) -> None:
    """A viewer who does not see a marker cannot fork. The rejection names the marker."""
    layout = TINY.layout(Setup("first", 2))
    layout = replace(layout, markers=(*layout.markers, MarkerSpec("note", 1, "seat.2")))
    monkeypatch.setattr(TinyTitle, "layout", lambda *_: layout)
    for viewer in (0, 1):
        rejection = check_rejection(fork_game(start()[0], viewer, b""), "table.forks_deal_zones", "MARKERS_HIDDEN")
        assert rejection.values == {"version": "5", "marker": "note"}
    for viewer in (2, OPERATOR):
        assert isinstance(fork_game(start()[0], viewer, b""), Fork)
