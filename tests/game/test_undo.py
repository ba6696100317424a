"""Undo: free undos, votes, and the restored table."""

from __future__ import annotations

from random import Random

import pytest
from msgspec import Struct
from tests.game.games import create, rejection_code, start
from tests.service.tiny_title import TINY, DrawPearl, PassCoin, Peek

from boardkeeper.game.events import GameEvent, UndoConsented, UndoDeclined, Undone, UndoRequested
from boardkeeper.game.game import Game
from boardkeeper.game.undo import Vote
from boardkeeper.game.undo_effects import apply_all, crosses_shuffle, invert, reveals_nothing
from boardkeeper.table.effects import Ask, Draw, Effect, Move, Reveal, Set, Shuffle
from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.table.zones import Stack
from boardkeeper.testkit.games import ID, give
from boardkeeper.titlekit.title import Setup, Title
from boardkeeper.titles.registry import load_title


def undo(game: Game, history: list[GameEvent], seat: int, id: str = "undo") -> list[GameEvent] | Rejection:
    """Request an undo, and commit the events."""
    first = game.first_undo_version(seat)
    past = [] if isinstance(first, Rejection) else history[first - 1 :]
    return _apply(game, history, game.request_undo(seat, past, id, 9))


def answer(
    game: Game, history: list[GameEvent], seat: int, consent: bool, version: int = 0
) -> list[GameEvent] | Rejection:
    """Answer the open vote, and commit the events."""
    vote = game.undo.vote or Vote(0, 0, len(history) + 1, (), ())
    past = history[vote.first_version - 1 :]
    return _apply(game, history, game.answer_undo(seat, version or vote.version, consent, past, "answer", 9))


def _apply(game: Game, history: list[GameEvent], decided: list[GameEvent] | Rejection) -> list[GameEvent] | Rejection:
    if not isinstance(decided, Rejection):
        game.commit(decided)
        history += decided
        assert Game.load(game.title, bytes(range(32)), history).table.contents() == game.table.contents()
    return decided


def open_vote(game: Game) -> Vote | None:
    return game.undo.vote


def details(events: list[GameEvent] | Rejection) -> list[Struct]:
    assert not isinstance(events, Rejection), events
    return [event.detail for event in events]


# --- free undos ------------------------------------------------------------------------------------------------


def test_a_command_without_new_information_is_undone_at_once() -> None:
    game, history = start()
    before, version = game.table.contents(), game.version
    history += give(game, 1, PassCoin(2))
    undone = undo(game, history, 1)
    assert details(undone) == [Undone(version + 1, version + 1)]
    assert history[-1].seat == 1
    assert history[-1].command_id == "undo"
    assert history[-1].given is None
    assert game.table.contents() == before
    assert game.version == version + 2, "an undo adds an event"
    assert game.seen.find("undo") == [game.version]
    give(game, 1, PassCoin(2))


def test_all_events_of_a_command_are_undone() -> None:
    game, history = start(b"", b"", title=load_title("orleans"))
    seat = game.table.deciding()[0]
    before = game.table.contents()
    placed = next(it for it in game.legal(seat) if type(it).__name__ == "PlaceFollower")
    moved = give(game, seat, placed)
    history += moved
    assert details(undo(game, history, seat)) == [Undone(moved[0].originator_version, moved[-1].originator_version)]
    assert game.table.contents() == before


def test_a_command_cannot_be_undone_twice() -> None:
    game, history = start()
    assert rejection_code(undo(game, history, 1)) == "NOTHING_TO_UNDO"
    history += give(game, 1, PassCoin(2))
    undo(game, history, 1)
    assert rejection_code(undo(game, history, 1)) == "NOTHING_TO_UNDO"


def test_undo_is_rejected_if_the_game_is_not_running() -> None:
    waiting, events = create()
    assert rejection_code(undo(waiting, events, 1)) == "GAME_NOT_STARTED"
    game, history = start()
    for turn in range(12):
        history += give(game, turn % 2 + 1, PassCoin(2 - turn % 2))
    assert rejection_code(undo(game, history, 1)) == "GAME_OVER"


# --- votes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [DrawPearl(), Peek()], ids=["chance", "reveal"])
def test_undo_of_new_information_needs_consent(command: Struct) -> None:
    game, history = start(b"", b"", b"")
    before = game.table.contents()
    history += give(game, 1, command)
    after = game.table.contents()
    asked = game.version + 1
    assert details(undo(game, history, 1)) == [UndoRequested(asked - 1)]
    assert open_vote(game) == Vote(asked, 1, asked - 1, (), (2, 3))
    assert game.table.contents() == after
    assert details(answer(game, history, 3, consent=True)) == [UndoConsented(asked)]
    assert open_vote(game) == Vote(asked, 1, asked - 1, (3,), (2,))
    assert details(answer(game, history, 2, consent=True)) == [UndoConsented(asked), Undone(asked - 1, asked + 2)]
    assert open_vote(game) is None
    assert _without_counters(game.table.contents()) == _without_counters(before)
    assert history[-1].seat == 1


def test_a_draw_after_an_undo_uses_other_dice() -> None:
    game, history = create("person", "bot.random")
    history += _commit(game, game.join([1], b"", "", 1))
    history += give(game, 1, DrawPearl())
    drawn_at = game.version
    assert details(undo(game, history, 1)) == [UndoRequested(drawn_at), Undone(drawn_at, drawn_at + 1)], "bots consent"
    assert game.table.pile("pile").counter == 1
    again = give(game, 1, DrawPearl())
    (drawn,) = (effect for effect in again[0].effects if isinstance(effect, Draw))
    assert drawn.counter == 1


def test_undo_of_later_commands_of_other_seats_needs_their_consent() -> None:
    game, history = start()
    before = game.table.contents()
    history += give(game, 1, PassCoin(2))
    history += give(game, 2, PassCoin(1))
    undo(game, history, 1)
    answer(game, history, 2, consent=True)
    assert game.table.contents() == before
    assert rejection_code(undo(game, history, 2)) == "NOTHING_TO_UNDO"


def test_one_declined_consent_closes_the_vote() -> None:
    game, history = start(b"", b"", b"")
    history += give(game, 1, DrawPearl())
    undo(game, history, 1)
    asked = game.version
    answer(game, history, 2, consent=True)
    assert details(answer(game, history, 3, consent=False)) == [UndoDeclined(asked)]
    assert open_vote(game) is None
    assert rejection_code(answer(game, history, 2, consent=False, version=asked)) == "NO_SUCH_UNDO"


def test_a_request_can_be_withdrawn() -> None:
    game, history = start()
    history += give(game, 1, DrawPearl())
    undo(game, history, 1)
    assert rejection_code(answer(game, history, 1, consent=True)) == "NOT_ASKED"
    answer(game, history, 1, consent=False)
    assert open_vote(game) is None


def test_a_second_answer_and_an_answer_to_another_vote_are_rejected() -> None:
    game, history = start(b"", b"", b"")
    history += give(game, 1, DrawPearl())
    undo(game, history, 1)
    assert rejection_code(undo(game, history, 1, id="another")) == "UNDO_OPEN"
    answer(game, history, 2, consent=True)
    assert rejection_code(answer(game, history, 2, consent=True)) == "NOT_ASKED"
    assert rejection_code(answer(game, history, 3, consent=True, version=1)) == "NO_SUCH_UNDO"


def test_any_command_closes_the_vote() -> None:
    game, history = start(b"", b"", b"")
    history += give(game, 1, DrawPearl())
    undo(game, history, 1)
    asked = game.version
    history += give(game, 2, PassCoin(1))
    assert open_vote(game) is None
    assert rejection_code(answer(game, history, 3, consent=True, version=asked)) == "NO_SUCH_UNDO"


def test_request_undo_needs_all_events_to_undo() -> None:
    game, history = start()
    history += give(game, 1, PassCoin(2))
    with pytest.raises(ValueError, match="needs the events"):
        game.request_undo(1, history[:-1], "undo", 1)


# --- effects ---------------------------------------------------------------------------------------------------

LAYOUT = TableLayout(
    2,
    (
        ZoneSpec("hand.1", "seat.1", {"pearl": 2}),
        ZoneSpec("purse.1", "as:screen", {"coin": 2}),
        ZoneSpec("box", "nobody", {"coin": 1}),
        ZoneSpec("open", "public", {"coin": 3}),
        ZoneSpec("deck", "count", stack=True),
    ),
    (MarkerSpec("screen", 0, "seat.1"),),
)


@pytest.mark.parametrize(
    ("effect", "free"),
    [
        (Move("coin", 1, "open", "hand.1"), True),
        (Move("pearl", 1, "hand.1", "purse.1"), True),
        (Move("pearl", 1, "hand.1", "box"), True),
        (Move("pearl", 1, "hand.1", "open"), False),
        (Move("coin", 1, "box", "hand.1"), False),
        (Set("screen", 0, 1), True),
        (Ask(1, "", "turn"), True),
        (Draw("open", 0, ("coin",)), False),
        (Shuffle("deck", 0, (), ()), False),
        (Reveal("screen", "seat.1", "public"), False),
    ],
    ids=repr,
)
def test_effects_that_reveal_something_are_not_free(effect: Effect, free: bool) -> None:
    assert reveals_nothing(Table(LAYOUT), [effect]) is free


def at(version: int, *effects: Effect) -> GameEvent:
    return GameEvent(ID, version, "tiny.Shuffled", 0, "", 0, UndoRequested(1), effects)


def test_a_shuffle_is_not_undone() -> None:
    table = Table(LAYOUT)
    moves: list[Effect] = [Move("pearl", 1, "hand.1", "deck"), Move("coin", 1, "open", "deck")]
    table.apply_all([*moves, Shuffle("deck", 0, ("pearl", "coin"), ("coin", "pearl"))])
    before = table.contents()
    assert not apply_all(table, invert([*moves, Shuffle("deck", 0, (), ())]))
    for after in (("pearl", "coin"), ("coin", "pearl")):  # the result must not depend on the order after the shuffle
        assert crosses_shuffle([at(4, *moves, Shuffle("deck", 0, ("pearl", "coin"), after))], {"deck": 4})
    assert not crosses_shuffle([at(4, Shuffle("deck", 0, (), ()), *moves)], {"deck": 4})
    assert crosses_shuffle([at(4, *moves)], {"deck": 5}), "also a shuffle of an undone command"
    assert not crosses_shuffle([at(4, *moves)], {"deck": 3})
    assert table.contents() == before
    effects: list[Effect] = [Shuffle("deck", 0, (), ()), Move("pearl", 1, "deck", "open")]
    table.apply(effects[1])
    assert apply_all(table, invert(effects))
    deck = table.zones["deck"]
    assert isinstance(deck, Stack)
    assert (deck.order, deck.counter) == (["coin", "pearl"], 1)


# --- random games ----------------------------------------------------------------------------------------------


def _commit(game: Game, events: list[GameEvent]) -> list[GameEvent]:
    game.commit(events)
    return events


def _without_counters(contents: dict[str, object]) -> dict[str, object]:
    zones = contents["zones"]
    assert isinstance(zones, dict)
    return contents | {"zones": {id: [visibility, items] for id, (visibility, _, items) in zones.items()}}


def undo_at_random(title: Title, setup: Setup, seed: int, chance_of_undo: float) -> int:
    """Play a game to its end, and check the table after undos. Return the number of undos."""
    random = Random(seed)
    game, history = create(*["person"] * setup.players, setup=setup, title=title)
    for seat in range(1, setup.players + 1):
        history += _commit(game, game.join([seat], b"", "", 1))
    whole = game.table.components()
    counters = dict.fromkeys(game.table.zones, 0)
    before: dict[int, dict[str, object]] = {}
    undone = 0
    while game.status == "running":
        seat = random.choice(game.table.deciding())
        if random.random() < chance_of_undo and not isinstance(first := game.first_undo_version(seat), Rejection):
            earlier = before[first]
            undo(game, history, seat)
            while game.undo.vote is not None:
                answer(game, history, random.choice(game.undo.vote.waiting), consent=True)
            assert isinstance(history[-1].detail, Undone)
            assert _without_counters(game.table.contents()) == _without_counters(earlier), f"seed {seed}"
            undone += 1
        else:
            before[game.version + 1] = game.table.contents()
            legal = game.legal(seat)
            history += give(game, seat, random.choice(legal))
        assert game.table.components() == whole
        undone_effects = sum(len(event.effects) for event in history if isinstance(event.detail, Undone))
        assert 2 * undone_effects <= sum(len(event.effects) for event in history), "each effect is undone at most once"
        for id, zone in game.table.zones.items():
            assert zone.counter >= counters[id], "dice must not repeat"
            counters[id] = zone.counter
    return undone


@pytest.mark.parametrize("seed", range(20))
def test_undos_restore_the_table_in_random_games_of_tiny(seed: int) -> None:
    undo_at_random(TINY, Setup("", 2 + seed % 3), seed, 0.3)


@pytest.mark.parametrize("planning", ["open", "sealed"])
@pytest.mark.parametrize("seed", range(2))
def test_undos_restore_the_table_in_random_games_of_orleans(seed: int, planning: str) -> None:
    title = load_title("orleans")
    chosen = {option.id: planning for option in title.meta.options if option.id == "planning"}
    assert undo_at_random(title, Setup("", 2 + seed, chosen), seed, 0.04) > 3


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1000, 1040))
def test_soak_undos_restore_the_table_in_random_games_of_orleans(seed: int) -> None:
    title = load_title("orleans")
    planning = {"planning": ("open", "sealed")[seed % 2]}
    assert undo_at_random(title, Setup("", 2 + seed % 4, planning), seed, 0.03)
