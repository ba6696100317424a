"""The game aggregate: seats, commands, stored events, and loading."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest
from msgspec import Struct
from msgspec.structs import replace
from tests.game.games import create, names, start
from tests.service.tiny_title import TINY, DrawPearl, PassCoin, Peek, Spill

from boardkeeper.game import undo_effects
from boardkeeper.game.choices import ChoiceError
from boardkeeper.game.creation import create_game
from boardkeeper.game.events import GameCreated, GameEnded, GameStarted, SeatJoined
from boardkeeper.game.game import ENDED, OPEN, RUNNING, Game
from boardkeeper.table.dice import ALGORITHM, commitment
from boardkeeper.table.effects import Effect
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.testkit.games import ID, SECRET, finish_game, give
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.registry import load_title

# --- creation --------------------------------------------------------------------------------------------------


def test_the_first_event_contains_everything_that_never_changes() -> None:
    _, (first,) = create("person", "bot.random", setup=Setup("", 2, {"pearls": "few"}))
    assert (first.originator_id, first.originator_version, first.topic) == (ID, 1, "game.GameCreated")
    assert (first.seat, first.command_id, first.time, first.effects) == (0, "create", 1, ())
    created = first.detail
    assert isinstance(created, GameCreated)
    assert created.title == "tiny"
    assert created.setup == Setup("first", 2, {"pearls": "few"}, {})
    assert created.seats == ("person", "bot.random")
    assert created.dice == ALGORITHM
    assert created.commitment == commitment(SECRET)
    assert created.server_build == "test"
    assert created.layout == TINY.layout(created.setup)
    assert SECRET.hex() not in repr(first)


def test_a_new_game_waits_for_persons() -> None:
    game, _ = create("person", "bot.random", "person")
    assert (game.version, game.status) == (1, OPEN)
    assert game.seats.free() == [1, 3]
    assert [game.seats.bot(seat) for seat in (1, 2, 3)] == ["", "random", ""]
    assert game.legal(2) == ()


def test_events_have_no_effect_before_the_commit() -> None:
    game, events = create_game(ID, TINY, Setup("", 2), ["person"] * 2, SECRET, "test", "create", 1)
    assert game.version == 0
    game.commit(events)
    assert game.version == 1
    assert game.seen.find("create") == [1]


def test_a_game_of_bots_starts_at_once() -> None:
    game, events = create("bot.random", "bot.random")
    assert names(events) == ["game.GameCreated", "game.GameStarted", "tiny.CoinPassed"]
    assert [event.originator_version for event in events] == [1, 2, 3]
    assert game.status == RUNNING
    assert game.table.deciding() == [1]


def test_choices_are_completed_with_defaults() -> None:
    _, (first,) = create()
    assert isinstance(first.detail, GameCreated)
    assert first.detail.setup == Setup("first", 2, {"pearls": "many"}, {})


@pytest.mark.parametrize(
    ("setup", "field", "message"),
    [
        (Setup("second", 2), "edition", "must be one of: first"),
        (Setup("", 1), "seats", "must be 2 to 4 in the edition .first., not 1"),
        (Setup("", 5), "seats", "must be 2 to 4 in the edition .first., not 5"),
        (Setup("", 2, {"shells": "few"}), "options.shells", "does not exist; this edition has: pearls"),
        (Setup("", 2, {"pearls": "none"}), "options.pearls", "must be one of: few, many"),
        (Setup("", 2, {}, {"shells": "few"}), "readings.shells", "does not exist; this edition has: none"),
        (Setup("", 2, {}, {"pearls": "few"}), "readings.pearls", "is an option, not a reading"),
    ],
    ids=repr,
)
def test_an_invalid_choice_is_an_error(setup: Setup, field: str, message: str) -> None:
    with pytest.raises(ChoiceError, match=message) as raised:
        create(*["person"] * setup.players, setup=setup)
    assert raised.value.field == field


# --- joining ---------------------------------------------------------------------------------------------------


def test_the_last_free_seat_starts_the_game() -> None:
    game, _ = create("person", "bot.random", "person")
    first = game.join([3], b"\x01\x02", "join 3", 5)
    assert names(first) == ["game.SeatJoined"]
    assert (first[0].seat, first[0].command_id, first[0].time) == (3, "join 3", 5)
    assert first[0].detail == SeatJoined("0102")
    game.commit(first)
    assert (game.status, game.seats.free(), game.version) == (OPEN, [1], 2)

    last = game.join([1], b"", "join 1", 6)
    assert names(last) == ["game.SeatJoined", "game.GameStarted", "tiny.CoinPassed"]
    assert isinstance(last[1].detail, GameStarted)
    game.commit(last)
    assert (game.status, game.seats.free(), game.version) == (RUNNING, [], 5)


@pytest.mark.parametrize("seats", [[2], [0], [4], [-1], [1, 2], [1, 1], [1, 3, 1]], ids=repr)
def test_no_seat_is_taken_if_one_of_them_is_not_free(seats: list[int]) -> None:
    game, _ = create("person", "bot.random", "person")
    with pytest.raises(ValueError, match="is not free"):
        game.join(seats, b"", "join", 1)
    assert game.seats.free() == [1, 3]
    assert game.status == OPEN
    assert names(game.join([1, 3], b"", "join", 1))[:3] == ["game.SeatJoined", "game.SeatJoined", "game.GameStarted"]


def test_the_entropy_of_seats_changes_the_dice() -> None:
    drawn = set()
    for entropies in ((b"", b""), (b"a", b""), (b"", b"a"), (b"b", b"c")):
        game, _ = start(*entropies)
        drawn.add(tuple(give(game, turn % 2 + 1, DrawPearl())[0].detail for turn in range(6)))
    assert len(drawn) > 1


# --- commands --------------------------------------------------------------------------------------------------


def test_commands_are_rejected_before_all_seats_are_taken() -> None:
    game, _ = create()
    expected = Rejection("GAME_NOT_STARTED", "table.all_seats_taken")
    assert game.decide(1, [Peek()], "id", 1) == expected
    assert game.check(1, [Peek()]) == expected


def test_events_contain_the_seat_id_and_time_of_their_command() -> None:
    game, before = start()
    (event,) = give(game, 1, PassCoin(2), id="one", time=77)
    assert event.originator_version == len(before) + 1 == game.version
    assert (event.topic, event.seat, event.command_id, event.time) == ("tiny.CoinPassed", 1, "one", 77)
    assert event.effects
    assert game.seen.find("one") == [game.version]


def test_a_rejected_command_changes_nothing() -> None:
    game, _ = start()
    before = (game.table.contents(), game.version)
    assert game.decide(1, [PassCoin(1)], "id", 1) == Rejection("NO_SUCH_SEAT", "tiny.pass", {"to": "1"})
    assert game.decide(2, [Peek()], "id", 1) == Rejection("NOT_YOUR_TURN", "tiny.turn", {"seat": "2"})
    assert (game.table.contents(), game.version) == before
    assert game.seen.find("id") == []


def test_a_batch_with_an_illegal_command_changes_nothing() -> None:
    game, _ = start()
    before = game.table.contents()
    rejection = game.decide(1, [PassCoin(2), Peek()], "id", 1)  # after the first command it is the turn of seat 2
    assert rejection == Rejection("NOT_YOUR_TURN", "tiny.turn", {"seat": "1", "index": "1"})
    assert game.table.contents() == before
    assert game.check(1, [PassCoin(2), Peek()]) == rejection


@pytest.mark.parametrize("news", [DrawPearl(), Peek()])
@pytest.mark.parametrize("next", [DrawPearl(), Peek(), PassCoin(1), PassCoin(9)])
def test_table_batches_end_with_news(news: Struct, next: Struct) -> None:
    """Otherwise a client could learn random results from checks, without playing."""
    game, _ = start()
    before = game.table.contents()
    rejection = Rejection("NOT_PAST_NEWS", "table.batches_end_with_news", {"index": "1"})
    assert game.check(1, [news, next]) == rejection
    assert game.decide(1, [news, next], "id", 1) == rejection
    assert game.table.contents() == before, "the pearl is back, and the next draw is the same"
    assert game.check(1, [news]) is None


def test_a_batch_has_the_same_result_as_its_commands() -> None:
    orleans = load_title("orleans")
    game, _ = start(b"", b"", title=orleans)
    seat = game.table.deciding()[0]
    commands = []
    for _ in range(3):
        commands.append(game.legal(seat)[0])
        give(game, seat, commands[-1])
    single = game.table.digest()

    game, _ = start(b"", b"", title=orleans)
    version = game.version
    events = give(game, seat, *commands, id="batch", time=9)
    assert game.table.digest() == single
    assert [event.originator_version for event in events] == [*range(version + 1, version + 1 + len(events))]
    assert {(event.command_id, event.time, event.seat) for event in events} == {("batch", 9, seat)}
    assert game.seen.find("batch") == [version + 1]


def test_the_effects_of_a_batch_are_examined_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time must be linear, because clients choose the length of a batch."""
    game, _ = start(b"", b"", title=load_title("orleans"))
    seat = game.table.deciding()[0]
    place = next(it for it in game.legal(seat) if type(it).__name__ == "PlaceFollower")
    give(game, seat, place)
    withdraw = next(it for it in game.legal(seat) if type(it).__name__ == "WithdrawFollower")
    examined: list[Effect] = []
    reveals_nothing = undo_effects.reveals_nothing

    def count(table: Table, effects: Iterable[Effect]) -> bool:
        found = list(effects)
        examined.extend(found)
        return reveals_nothing(table, found)

    monkeypatch.setattr(undo_effects, "reveals_nothing", count)
    decided = game.decide(seat, [withdraw, place] * 32, "batch", 9)
    assert not isinstance(decided, Rejection)
    effects = [effect for event in decided for effect in event.effects]
    assert examined == effects[: len(examined)]
    assert len(effects) * 9 // 10 < len(examined) < len(effects), "all but those of the last command"


def test_a_batch_cannot_continue_after_the_end_of_the_game() -> None:
    game, _ = start()
    while game.table.number("turn").value < 11:
        give(game, game.table.deciding()[0], Peek())
    (seat,) = game.table.deciding()
    before = game.table.contents()
    rejection = Rejection("GAME_OVER", "table.game_over", {"index": "1"})
    assert game.check(seat, [Peek(), Peek()]) == rejection
    assert game.decide(seat, [Peek(), Peek()], "id", 1) == rejection
    assert game.table.contents() == before
    assert game.status == RUNNING
    give(game, seat, Peek())
    assert game.status == ENDED


def test_check_changes_nothing_and_agrees_with_decide() -> None:
    random = Random(4)
    game, events = start()
    twin = Game.load(TINY, SECRET, events)
    while game.status == RUNNING:
        (seat,) = game.table.deciding()
        for each in (1, 2):
            for command in (PassCoin(1), PassCoin(2), PassCoin(3), DrawPearl(), Peek()):
                before = (game.table.contents(), game.version, game.status)
                outcome = game.check(each, [command])
                assert (game.table.contents(), game.version, game.status) == before
                assert (outcome is None) == (command in game.legal(each))
                decided = Game.load(TINY, SECRET, events).decide(each, [command], "", 0)
                assert outcome == (decided if isinstance(decided, Rejection) else None)
        chosen = random.choice(game.legal(seat))
        new = give(game, seat, chosen, id=f"turn {game.version}")
        assert new == give(twin, seat, chosen, id=f"turn {twin.version}"), "checks do not change the dice"
        events += new


def test_an_exception_in_a_rule_is_not_a_rejection() -> None:
    """The caller must load the game again, which restores the committed table."""
    game, events = start()
    before = game.table.contents()
    with pytest.raises(RuntimeError, match="spilt"):
        game.decide(1, [Spill()], "id", 1)
    assert Game.load(TINY, SECRET, events).table.contents() == before


# --- the end ---------------------------------------------------------------------------------------------------


def test_the_last_event_reveals_the_secret_and_the_ranks() -> None:
    game, events = start(b"x", b"y", b"z")
    while game.table.number("turn").value < 11:
        events += give(game, game.table.deciding()[0], Peek())
    assert all(SECRET.hex() not in repr(event) for event in events)
    last = give(game, game.table.deciding()[0], PassCoin(2), id="last")
    assert names(last) == ["tiny.CoinPassed", "tiny.Finished", "game.GameEnded"]
    ended = last[-1].detail
    assert ended == GameEnded(SECRET.hex(), ranks=(2, 1, 3))
    assert isinstance(ended, GameEnded)
    created = events[0].detail
    assert isinstance(created, GameCreated)
    assert commitment(bytes.fromhex(ended.secret)) == created.commitment
    assert {event.command_id for event in last} == {"last"}
    assert game.status == ENDED


def test_commands_are_rejected_after_the_end() -> None:
    game, _ = start()
    finish_game(game, Random(1))
    over = Rejection("GAME_OVER", "table.game_over")
    for seat in (1, 2):
        assert game.legal(seat) == ()
        assert game.decide(seat, [Peek()], "id", 1) == over
        assert game.check(seat, [Peek()]) == over


# --- loading ---------------------------------------------------------------------------------------------------


def test_a_game_loaded_at_any_version_continues_with_the_same_events() -> None:
    """With the same table, status, version, command ids and dice."""
    game, events = start(b"one", b"two")
    history = [*events, *finish_game(game, Random(7))]
    for count in range(1, len(history) + 1):
        loaded = Game.load(TINY, SECRET, history[:count])
        assert loaded.version == count
        assert loaded.id == ID
        causes = [event.command_id for event in history[count - 1 : count + 1]]
        if loaded.status == RUNNING and len(set(causes)) == 2:
            expected = [event for event in history[count:] if event.command_id == causes[1]]
            (seat,) = loaded.table.deciding()
            outcomes = [
                Game.load(TINY, SECRET, history[:count]).decide(seat, [command], causes[1], 3)
                for command in loaded.legal(seat)
            ]
            assert expected in outcomes
    loaded = Game.load(TINY, SECRET, history)
    assert loaded.status == game.status == ENDED
    assert loaded.table.contents() == game.table.contents()
    assert [loaded.seen.find(event.command_id) for event in history] == [
        game.seen.find(event.command_id) for event in history
    ]
    assert loaded.created == game.created


def test_a_history_without_its_start_or_with_gaps_cannot_be_loaded() -> None:
    _, events = start()
    with pytest.raises(ValueError, match=r"the first event of game .* is game\.SeatJoined"):
        Game.load(TINY, SECRET, events[1:])
    with pytest.raises(ValueError, match="event 3 after version 1"):
        Game.load(TINY, SECRET, [events[0], *events[2:]])
    with pytest.raises(ValueError, match="event 2 after version 2"):
        Game.load(TINY, SECRET, [*events[:2], *events[1:]])


def test_events_cannot_be_committed_twice() -> None:
    game, _ = start()
    decided = game.decide(1, [Peek()], "id", 1)
    assert not isinstance(decided, Rejection)
    game.commit(decided)
    with pytest.raises(ValueError, match="after version"):
        game.commit(decided)


def test_an_old_game_has_its_stored_layout() -> None:
    """The zones of a title may change in later versions."""
    _, (first,) = create()
    created = first.detail
    assert isinstance(created, GameCreated)
    older = replace(created, layout=replace(created.layout, zones=created.layout.zones[:-1]))
    game = Game.load(TINY, SECRET, [replace(first, detail=older)])
    assert len(game.table.zones) == len(created.layout.zones) - 1
