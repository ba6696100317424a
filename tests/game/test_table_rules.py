"""The rules of every table, whatever is played on it: one test a rule id, named after it."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace
from tests.game.games import create, started
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


def cites(outcome: object, rule: str, code: str) -> bool:
    """Whether something was refused for that rule, with that code."""
    assert isinstance(outcome, Rejection), outcome
    assert (outcome.rule, outcome.code) == (rule, code)
    return True


def test_table_not_deciding() -> None:
    game, _ = create("bot.random", "bot.random", title=ORLEANS)
    give(game, 1, FinishPlanning())
    assert cites(game.decide(1, [FinishPlanning()], "again", 4), "table.not_deciding", "NOT_DECIDING")


def test_table_wrong_decision() -> None:
    game, _ = create("bot.random", "bot.random", title=ORLEANS)
    assert game.table.decisions[1] == "plan"
    assert cites(game.decide(1, [Pass()], "early", 4), "table.wrong_decision", "WRONG_DECISION")


def test_table_known_ids() -> None:
    game, _ = create("bot.random", "bot.random", title=ORLEANS)
    refused = game.decide(1, [PlaceFollower("emperor", "village", "farmer")], "astray", 4)
    assert cites(refused, "table.known_ids", "UNKNOWN_ID")
    assert isinstance(refused, Rejection)
    assert (refused.values["field"], refused.values["id"]) == ("follower", "emperor")
    assert "own_farmer" in refused.values["known"].split(", ")


def test_table_all_seats_taken() -> None:
    game, _ = create()
    game.commit(game.join([1], b"", "join", 2))
    assert cites(game.decide(1, [PassCoin(2)], "early", 4), "table.all_seats_taken", "GAME_NOT_STARTED")


def test_table_game_over() -> None:
    game, _ = started()
    finish_game(game, Random(1))
    assert cites(game.decide(1, [PassCoin(2)], "late", 4), "table.game_over", "GAME_OVER")


def test_table_undo_own_command() -> None:
    game, history = started()
    assert cites(undo(game, history, 1), "table.undo_own_command", "NOTHING_TO_UNDO")
    history += give(game, 1, PassCoin(2))
    assert cites(undo(game, history, 2), "table.undo_own_command", "NOTHING_TO_UNDO")
    assert not isinstance(undo(game, history, 1), Rejection)


def test_table_one_undo_at_a_time() -> None:
    game, history = started(b"", b"", b"")
    history += give(game, 1, DrawPearl())
    undo(game, history, 1)
    assert cites(undo(game, history, 1, id="another"), "table.one_undo_at_a_time", "UNDO_OPEN")


def test_table_undo_in_moderation() -> None:
    game, history = started()
    history += give(game, 1, DrawPearl())
    for _ in range(3):
        assert not isinstance(undo(game, history, 1), Rejection)
        assert not isinstance(answer(game, history, 2, consent=False), Rejection)
    assert cites(undo(game, history, 1), "table.undo_in_moderation", "ASKED_TOO_OFTEN")


def test_table_undo_within_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    game, history = started()
    history += give(game, 1, PassCoin(2))
    monkeypatch.setattr("boardkeeper.game.undo.MAX_UNDONE_EVENTS", 0)
    assert cites(undo(game, history, 1), "table.undo_within_reach", "UNDO_TOO_FAR")


def test_table_undo_vote() -> None:
    game, history = started(b"", b"", b"")
    history += give(game, 1, DrawPearl())
    undo(game, history, 1)
    answer(game, history, 2, consent=True)
    assert cites(answer(game, history, 2, consent=True), "table.undo_vote", "NOT_ASKED")


def test_table_undo_consent() -> None:
    game, history = started(b"", b"", b"")
    history += give(game, 1, DrawPearl())
    resigned = game.resign(2, "random", "resign", 3)
    assert not isinstance(resigned, Rejection)
    game.commit(resigned)
    history += resigned
    assert cites(undo(game, history, 1), "table.undo_consent", "CONSENT_IMPOSSIBLE")


def test_table_seat_of_person() -> None:
    game, _ = create("bot.random", "person")
    game.commit(game.join([2], b"", "join", 2))
    for refused in (
        game.hand_to_bot(1, "random", "h", 3),
        game.take_seat_back(1, "b", 3),
        game.resign(1, "random", "r", 3),
    ):
        assert cites(refused, "table.seat_of_person", "SEAT_OF_NO_PERSON")


def test_table_seat_of_bot() -> None:
    game, _ = started()
    assert cites(game.take_seat_back(1, "back", 3), "table.seat_of_bot", "SEAT_NOT_HANDED_OVER")
    handed = game.hand_to_bot(1, "random", "hand", 3)
    assert not isinstance(handed, Rejection)
    game.commit(handed)
    assert cites(game.seats.rejection_for_person(1), "table.seat_of_bot", "SEAT_PLAYED_BY_BOT")


def test_table_resigned_for_good() -> None:
    game, _ = started(b"", b"", b"")
    resigned = game.resign(1, "random", "resign", 3)
    assert not isinstance(resigned, Rejection)
    game.commit(resigned)
    assert cites(game.take_seat_back(1, "back", 3), "table.resigned_for_good", "SEAT_RESIGNED")


def test_table_time_control() -> None:
    control = TimeControl("move", 60, 0, "bot")
    game, events = create_game(ID, TINY, Setup("", 2), ["person"] * 2, SECRET, "test", "", 1, time_control=control)
    game.commit(events)
    game.commit(game.join([1, 2], b"", "join", 1_000))
    assert cites(game.expire(1, "random", "x", 60_999), "table.time_control", "NOT_EXPIRED")
    assert not isinstance(game.expire(1, "random", "x", 61_000), Rejection)


def test_table_shuffles_stay() -> None:
    """A shuffle has no way back: an undo leaves it and takes back only what can still be taken from the top."""
    table = Table(TableLayout(1, (ZoneSpec("deck", stack=True), ZoneSpec("open", contents={"a": 1, "b": 1})), ()))
    laid: list[Effect] = [Move("a", 1, "open", "deck"), Move("b", 1, "open", "deck"), Shuffle("deck", 0, (), ())]
    assert not any(isinstance(effect, Shuffle) for effect in invert(laid))
    assert [effect for effect in invert(laid) if isinstance(effect, Move)] == [
        Move("b", 1, "deck", "open"),
        Move("a", 1, "deck", "open"),
    ]
    assert table.zones["deck"].total() == 0


def test_table_forks_deal_anew() -> None:
    game, _ = create("bot.random", "bot.random", setup=Setup("", 2, {"planning": "sealed"}), title=ORLEANS)
    assert cites(fork_game(game, 1, b""), "table.forks_deal_anew", "PLANS_HIDDEN")


def test_table_forks_deal_zones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whom a marker is hidden from gets no fork, and is told which; whoever sees it does, and an operator."""
    layout = TINY.layout(Setup("first", 2))
    noted = replace(layout, markers=(*layout.markers, MarkerSpec("note", 1, "seat.2")))
    monkeypatch.setattr(TinyTitle, "layout", lambda *_: noted)
    for viewer in (0, 1):
        refused = fork_game(started()[0], viewer, b"")
        assert cites(refused, "table.forks_deal_zones", "MARKERS_HIDDEN")
        assert isinstance(refused, Rejection)
        assert refused.values == {"version": "5", "marker": "note"}
    for viewer in (2, OPERATOR):
        assert isinstance(fork_game(started()[0], viewer, b""), Fork)
