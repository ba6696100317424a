"""The aggregate: seats, commands, what is stored, and reading it back."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest
from msgspec import Struct
from msgspec.structs import replace
from tests.game.games import create, names, started
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

# --- creating --------------------------------------------------------------------------------------------------


def test_the_first_event_fixes_everything_that_is_fixed() -> None:
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


def test_a_new_game_waits_for_its_people() -> None:
    game, _ = create("person", "bot.random", "person")
    assert (game.version, game.status) == (1, OPEN)
    assert game.seats.free() == [1, 3]
    assert [game.seats.bot(seat) for seat in (1, 2, 3)] == ["", "random", ""]
    assert game.legal(2) == ()


def test_nothing_counts_before_it_is_committed() -> None:
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
    ("setup", "field", "says"),
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
def test_a_choice_that_the_title_does_not_offer_is_refused(setup: Setup, field: str, says: str) -> None:
    with pytest.raises(ChoiceError, match=says) as raised:
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
def test_seats_that_are_not_free_cannot_be_taken_and_none_beside_them(seats: list[int]) -> None:
    game, _ = create("person", "bot.random", "person")
    with pytest.raises(ValueError, match="is not free"):
        game.join(seats, b"", "join", 1)
    assert game.seats.free() == [1, 3]
    assert game.status == OPEN
    assert names(game.join([1, 3], b"", "join", 1))[:3] == ["game.SeatJoined", "game.SeatJoined", "game.GameStarted"]


def test_what_seats_add_changes_the_dice() -> None:
    """The same secret and the same commands draw other pearls if a seat brought other entropy."""
    drawn = set()
    for entropies in ((b"", b""), (b"a", b""), (b"", b"a"), (b"b", b"c")):
        game, _ = started(*entropies)
        drawn.add(tuple(give(game, turn % 2 + 1, DrawPearl())[0].detail for turn in range(6)))
    assert len(drawn) > 1


# --- commands --------------------------------------------------------------------------------------------------


def test_before_all_seats_are_taken_no_command_is_carried_out() -> None:
    game, _ = create()
    expected = Rejection("GAME_NOT_STARTED", "table.all_seats_taken")
    assert game.decide(1, [Peek()], "id", 1) == expected
    assert game.check(1, [Peek()]) == expected


def test_the_events_of_a_command_carry_its_cause() -> None:
    game, before = started()
    (event,) = give(game, 1, PassCoin(2), id="one", time=77)
    assert event.originator_version == len(before) + 1 == game.version
    assert (event.topic, event.seat, event.command_id, event.time) == ("tiny.CoinPassed", 1, "one", 77)
    assert event.effects
    assert game.seen.find("one") == [game.version]


def test_a_refused_command_changes_nothing() -> None:
    game, _ = started()
    before = (game.table.contents(), game.version)
    assert game.decide(1, [PassCoin(1)], "id", 1) == Rejection("NO_SUCH_SEAT", "tiny.pass", {"to": "1"})
    assert game.decide(2, [Peek()], "id", 1) == Rejection("NOT_YOUR_TURN", "tiny.turn", {"seat": "2"})
    assert (game.table.contents(), game.version) == before
    assert game.seen.find("id") == []


def test_a_batch_is_carried_out_as_one() -> None:
    """Seat 1 acts twice in a row only if the other's turn does not come between: of these, the second fails."""
    game, _ = started()
    before = game.table.contents()
    refused = game.decide(1, [PassCoin(2), Peek()], "id", 1)
    assert refused == Rejection("NOT_YOUR_TURN", "tiny.turn", {"seat": "1", "index": "1"})
    assert game.table.contents() == before, "the coin is back"
    assert game.check(1, [PassCoin(2), Peek()]) == refused


@pytest.mark.parametrize("news", [DrawPearl(), Peek()])
@pytest.mark.parametrize("next", [DrawPearl(), Peek(), PassCoin(1), PassCoin(9)])
def test_table_batches_end_with_news(news: Struct, next: Struct) -> None:
    """Whether the next command were possible could tell what chance would give, without anything being done."""
    game, _ = started()
    before = game.table.contents()
    refused = Rejection("NOT_PAST_NEWS", "table.batches_end_with_news", {"index": "1"})
    assert game.check(1, [news, next]) == refused
    assert game.decide(1, [news, next], "id", 1) == refused
    assert game.table.contents() == before, "the pearl is back, and the next draw is the same"
    assert game.check(1, [news]) is None


def test_the_events_of_a_batch_are_one_sequence() -> None:
    orleans = load_title("orleans")
    game, _ = started(b"", b"", title=orleans)
    seat = game.table.deciding()[0]
    commands = []
    for _ in range(3):
        commands.append(game.legal(seat)[0])
        give(game, seat, commands[-1])
    single = game.table.digest()

    game, _ = started(b"", b"", title=orleans)
    version = game.version
    events = give(game, seat, *commands, id="batch", time=9)
    assert game.table.digest() == single
    assert [event.originator_version for event in events] == [*range(version + 1, version + 1 + len(events))]
    assert {(event.command_id, event.time, event.seat) for event in events} == {("batch", 9, seat)}
    assert game.seen.find("batch") == [version + 1]


def test_a_batch_is_looked_through_once_however_long_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """A client chooses how long it is, and everybody waits for it."""
    game, _ = started(b"", b"", title=load_title("orleans"))
    seat = game.table.deciding()[0]
    place = next(it for it in game.legal(seat) if type(it).__name__ == "PlaceFollower")
    give(game, seat, place)
    withdraw = next(it for it in game.legal(seat) if type(it).__name__ == "WithdrawFollower")
    looked_at: list[Effect] = []
    reveals_nothing = undo_effects.reveals_nothing

    def counted(table: Table, effects: Iterable[Effect]) -> bool:
        seen = list(effects)
        looked_at.extend(seen)
        return reveals_nothing(table, seen)

    monkeypatch.setattr(undo_effects, "reveals_nothing", counted)
    decided = game.decide(seat, [withdraw, place] * 32, "batch", 9)
    assert not isinstance(decided, Rejection)
    effects = [effect for event in decided for effect in event.effects]
    assert looked_at == effects[: len(looked_at)]
    assert len(effects) * 9 // 10 < len(looked_at) < len(effects), "all but the last command's"


def test_a_batch_may_not_go_on_after_the_end() -> None:
    game, _ = started()
    while game.table.number("turn").value < 11:
        give(game, game.table.deciding()[0], Peek())
    (seat,) = game.table.deciding()
    before = game.table.contents()
    refused = Rejection("GAME_OVER", "table.game_over", {"index": "1"})
    assert game.check(seat, [Peek(), Peek()]) == refused
    assert game.decide(seat, [Peek(), Peek()], "id", 1) == refused
    assert game.table.contents() == before
    assert game.status == RUNNING
    give(game, seat, Peek())
    assert game.status == ENDED


def test_check_changes_nothing_and_answers_like_decide() -> None:
    random = Random(4)
    game, events = started()
    twin = Game.load(TINY, SECRET, events)
    while game.status == RUNNING:
        (seat,) = game.table.deciding()
        for checked in (1, 2):
            for command in (PassCoin(1), PassCoin(2), PassCoin(3), DrawPearl(), Peek()):
                before = (game.table.contents(), game.version, game.status)
                answer = game.check(checked, [command])
                assert (game.table.contents(), game.version, game.status) == before
                assert (answer is None) == (command in game.legal(checked))
                decided = Game.load(TINY, SECRET, events).decide(checked, [command], "", 0)
                assert answer == (decided if isinstance(decided, Rejection) else None)
        chosen = random.choice(game.legal(seat))
        made = give(game, seat, chosen, id=f"turn {game.version}")
        assert made == give(twin, seat, chosen, id=f"turn {twin.version}"), "checks leave no trace in the dice"
        events += made


def test_a_rule_that_fails_halfway_is_an_error_not_a_rejection() -> None:
    """Whoever owns the game forgets it then and reads it again, which brings back the committed table."""
    game, events = started()
    before = game.table.contents()
    with pytest.raises(RuntimeError, match="spilt"):
        game.decide(1, [Spill()], "id", 1)
    assert Game.load(TINY, SECRET, events).table.contents() == before


# --- the end ---------------------------------------------------------------------------------------------------


def test_the_last_event_reveals_the_secret_and_the_ranks() -> None:
    game, events = started(b"x", b"y", b"z")
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


def test_after_the_end_no_command_is_carried_out() -> None:
    game, _ = started()
    finish_game(game, Random(1))
    over = Rejection("GAME_OVER", "table.game_over")
    for seat in (1, 2):
        assert game.legal(seat) == ()
        assert game.decide(seat, [Peek()], "id", 1) == over
        assert game.check(seat, [Peek()]) == over


# --- reading back ----------------------------------------------------------------------------------------------


def test_a_game_read_back_at_any_event_is_the_game_that_was_played() -> None:
    """Same table, status, version and seen commands, and it goes on with the same events, dice included."""
    game, events = started(b"one", b"two")
    history = [*events, *finish_game(game, Random(7))]
    for count in range(1, len(history) + 1):
        loaded = Game.load(TINY, SECRET, history[:count])
        assert loaded.version == count
        assert loaded.id == ID
        causes = [event.command_id for event in history[count - 1 : count + 1]]
        if loaded.status == RUNNING and len(set(causes)) == 2:
            expected = [event for event in history[count:] if event.command_id == causes[1]]
            (seat,) = loaded.table.deciding()
            answers = [
                Game.load(TINY, SECRET, history[:count]).decide(seat, [command], causes[1], 3)
                for command in loaded.legal(seat)
            ]
            assert expected in answers
    loaded = Game.load(TINY, SECRET, history)
    assert loaded.status == game.status == ENDED
    assert loaded.table.contents() == game.table.contents()
    assert [loaded.seen.find(event.command_id) for event in history] == [
        game.seen.find(event.command_id) for event in history
    ]
    assert loaded.created == game.created


def test_a_history_must_begin_at_its_beginning_and_have_no_gap() -> None:
    _, events = started()
    with pytest.raises(ValueError, match=r"the first event of game .* is game\.SeatJoined"):
        Game.load(TINY, SECRET, events[1:])
    with pytest.raises(ValueError, match="event 3 after version 1"):
        Game.load(TINY, SECRET, [events[0], *events[2:]])
    with pytest.raises(ValueError, match="event 2 after version 2"):
        Game.load(TINY, SECRET, [*events[:2], *events[1:]])


def test_events_are_committed_in_order_and_once() -> None:
    game, _ = started()
    decided = game.decide(1, [Peek()], "id", 1)
    assert not isinstance(decided, Rejection)
    game.commit(decided)
    with pytest.raises(ValueError, match="after version"):
        game.commit(decided)


def test_an_old_game_keeps_the_layout_that_it_was_laid_with() -> None:
    """Zones of a title may change later; a stored layout says what this game has."""
    _, (first,) = create()
    created = first.detail
    assert isinstance(created, GameCreated)
    older = replace(created, layout=replace(created.layout, zones=created.layout.zones[:-1]))
    game = Game.load(TINY, SECRET, [replace(first, detail=older)])
    assert len(game.table.zones) == len(created.layout.zones) - 1
