"""The times of events never go back, even if the system clock does."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace
from tests.game.games import create, start
from tests.game.records import check, finished_game
from tests.service.tiny_title import TINY, DrawPearl, PassCoin

from boardkeeper.game.creation import create_game
from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import Game
from boardkeeper.table.rejections import Rejection
from boardkeeper.testkit.games import ID, SECRET, give, record


def commit(game: Game, history: list[GameEvent], decided: Sequence[GameEvent] | Rejection) -> None:
    assert not isinstance(decided, Rejection), decided
    game.commit(decided)
    history += decided


def test_no_event_is_earlier_than_the_one_before() -> None:
    """For joins, commands, votes and undos, also after a restart."""
    game, history = create()
    commit(game, history, game.join([1], b"", "", 5_000))
    commit(game, history, game.join([2], b"", "", 4_000))
    assert history[-1].time == 5_000
    history += give(game, 1, PassCoin(2), time=7_000)
    history += give(game, 2, DrawPearl(), time=6_000)
    assert history[-1].time == 7_000
    game = Game.load(TINY, SECRET, history)
    first = game.first_undo_version(1)
    assert isinstance(first, int)
    commit(game, history, game.request_undo(1, history[first - 1 :], "undo", 3_000))
    commit(game, history, game.answer_undo(2, game.version, True, history[first - 1 :], "yes", 2_000))
    history += give(game, 1, PassCoin(2), time=8_000)
    times = [event.time for event in history]
    assert times == sorted(times)
    assert times[-4:] == [7_000, 7_000, 7_000, 8_000]


def test_a_record_whose_times_go_back_is_valid() -> None:
    """0.1.0 stored the time of the system clock."""
    events = [replace(event, time=10_000 - event.originator_version) for event in finished_game()]
    by_command: dict[str, int] = {}
    events = [replace(it, time=by_command.setdefault(it.command_id, it.time)) for it in events]
    assert [it.time for it in events] != sorted(it.time for it in events)
    report = check(record(events))
    assert report.holds, report.problems


def test_the_time_of_a_new_game_does_not_depend_on_other_games() -> None:
    game, _ = start()
    assert game.latest_time == 2
    assert create_game(ID, TINY, game.created.setup, ("person",) * 2, SECRET, "test", "", 1)[1][0].time == 1
