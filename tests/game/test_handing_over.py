"""Seats that are handed to bots and taken back, and resignations, in games and records."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import UNSET, Struct
from msgspec.structs import replace
from tests.game.games import create, join_all, rejection_code, start
from tests.game.records import check
from tests.service.rival_title import RIVAL_TITLE
from tests.service.tiny_title import DrawPearl, PassCoin, Peek

from boardkeeper.game.choices import complete
from boardkeeper.game.creation import create_game
from boardkeeper.game.events import (
    GameCreated,
    GameEnded,
    GameEvent,
    SeatHandedToBot,
    SeatResigned,
    SeatTakenBack,
    UndoConsented,
    UndoDeclined,
    Undone,
    UndoRequested,
)
from boardkeeper.game.forking import Fork, fork_game
from boardkeeper.game.game import ENDED, RUNNING, Game
from boardkeeper.game.standings import can_continue, rank_seats
from boardkeeper.game.timeline import Timeline
from boardkeeper.game.undo import Vote
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.testkit.games import ID, SECRET, finish_game, give, record, rewrite_event
from boardkeeper.testkit.setups import mixed_setup, player_counts
from boardkeeper.titlekit.bots import ask_bot
from boardkeeper.titlekit.title import Setup, Standing, Title
from boardkeeper.titles.registry import TITLES, load_title

BOT = "random"


def commit(game: Game, history: list[GameEvent], decided: list[GameEvent] | Rejection) -> list[Struct]:
    """Commit events, and check that a loaded game has the same state. Return the details of the events."""
    assert not isinstance(decided, Rejection), decided
    game.commit(decided)
    history += decided
    loaded = Game.load(game.title, SECRET, history)
    assert loaded.table.contents() == game.table.contents()
    for name in ("kinds", "bots", "resigned"):
        assert getattr(loaded.seats, name) == getattr(game.seats, name)
    assert (loaded.status, loaded.undo.vote) == (game.status, game.undo.vote)
    assert list(loaded.standings()) == list(game.standings())
    return [event.detail for event in decided]


def open_vote(game: Game) -> bool:
    return game.undo.vote is not None


# --- handing over ----------------------------------------------------------------------------------------------


def test_a_bot_plays_a_handed_over_seat_until_it_is_taken_back() -> None:
    game, history = start(b"", b"")
    assert commit(game, history, game.hand_to_bot(2, BOT, "hand", 5)) == [SeatHandedToBot(BOT)]
    assert (game.seats.bot(2), game.seats.bots, game.seats.people()) == (BOT, (2,), [1])
    assert game.seats.is_handed_over(2)
    assert rejection_code(game.seats.rejection_for_person(2)) == "SEAT_PLAYED_BY_BOT"
    assert rejection_code(game.hand_to_bot(2, BOT, "again", 5)) == "SEAT_PLAYED_BY_BOT"
    assert commit(game, history, game.take_seat_back(2, "back", 6)) == [SeatTakenBack()]
    assert (game.seats.bot(2), game.seats.bots, game.seats.people()) == ("", (), [1, 2])
    assert game.seats.rejection_for_person(2) is None
    assert rejection_code(game.take_seat_back(2, "again", 6)) == "SEAT_NOT_HANDED_OVER"


def test_only_seats_of_persons_in_running_games_can_be_handed_over_or_resign() -> None:
    game, _ = create("person", "bot.random", "person")
    assert rejection_code(game.hand_to_bot(1, BOT, "early", 2)) == "GAME_NOT_STARTED"
    assert rejection_code(game.resign(1, BOT, "early", 2)) == "GAME_NOT_STARTED"
    for seat in (1, 3):
        game.commit(game.join([seat], b"", "", 2))
    for seat in (0, 2, 4):
        assert rejection_code(game.hand_to_bot(seat, BOT, "hand", 3)) == "SEAT_OF_NO_PERSON"
        assert rejection_code(game.take_seat_back(seat, "back", 3)) == "SEAT_OF_NO_PERSON"
        assert rejection_code(game.resign(seat, BOT, "resign", 3)) == "SEAT_OF_NO_PERSON"
    finish_game(game, Random(1))
    assert rejection_code(game.hand_to_bot(1, BOT, "late", 9)) == "GAME_OVER"
    assert rejection_code(game.resign(1, BOT, "late", 9)) == "GAME_OVER"


def request_undo(game: Game, history: list[GameEvent], seat: int) -> list[GameEvent] | Rejection:
    """Request an undo."""
    first = game.first_undo_version(seat)
    assert isinstance(first, int), first
    return game.request_undo(seat, history[first - 1 :], "request", 6)


def consent(game: Game, history: list[GameEvent], seat: int) -> list[GameEvent] | Rejection:
    """Consent to the requested undo."""
    assert game.undo.vote is not None
    return game.answer_undo(
        seat, game.undo.vote.version, True, history[game.undo.vote.first_version - 1 :], "consent", 7
    )


def test_a_bot_that_plays_for_a_person_does_not_consent_to_an_undo() -> None:
    game, history = start(b"", b"")
    history += give(game, 1, DrawPearl())
    first = history[-1].originator_version
    commit(game, history, request_undo(game, history, 1))
    assert open_vote(game)
    commit(game, history, game.hand_to_bot(2, BOT, "hand", 5))
    assert not open_vote(game)
    assert commit(game, history, request_undo(game, history, 1)) == [UndoRequested(first)]
    assert game.undo.vote == Vote(game.version, 1, first, (), (2,))
    assert rejection_code(consent(game, history, 2)) == "SEAT_PLAYED_BY_BOT", (
        "the client of the seat cannot consent for the bot"
    )
    withdrawn = game.answer_undo(1, game.undo.vote.version, False, (), "withdraw", 7)
    assert commit(game, history, withdrawn) == [UndoDeclined(game.version - 1)]
    assert not open_vote(game)


def test_a_vote_waits_for_the_person_who_takes_the_seat_back() -> None:
    game, history = start(b"", b"", b"")
    history += give(game, 1, DrawPearl())
    first = history[-1].originator_version
    commit(game, history, game.hand_to_bot(2, BOT, "hand", 5))
    commit(game, history, game.hand_to_bot(3, BOT, "hand 3", 5))
    commit(game, history, request_undo(game, history, 1))
    asked = game.version
    commit(game, history, game.take_seat_back(2, "back", 6))
    assert game.undo.vote == Vote(asked, 1, first, (), (2, 3))
    commit(game, history, consent(game, history, 2))
    assert game.undo.vote == Vote(asked, 1, first, (2,), (3,))
    commit(game, history, game.take_seat_back(3, "back 3", 6))
    undone = commit(game, history, consent(game, history, 3))
    assert undone == [UndoConsented(asked), Undone(first, game.version - 1)]
    assert not open_vote(game)


def test_a_hand_over_or_a_resignation_closes_a_vote() -> None:
    game, history = start(b"", b"", b"")
    history += give(game, 1, DrawPearl())
    commit(game, history, game.hand_to_bot(2, BOT, "hand", 5))
    commit(game, history, request_undo(game, history, 1))
    commit(game, history, game.hand_to_bot(3, BOT, "hand 3", 5))
    assert not open_vote(game)
    commit(game, history, request_undo(game, history, 1))
    commit(game, history, game.resign(2, BOT, "resign", 5))
    assert not open_vote(game)


def test_an_undo_that_needs_the_consent_of_a_resigned_seat_is_rejected() -> None:
    game, history = start(b"", b"", b"")
    history += give(game, 1, DrawPearl())
    commit(game, history, game.resign(3, BOT, "resign", 5))
    rejection = request_undo(game, history, 1)
    assert rejection_code(rejection) == "CONSENT_IMPOSSIBLE"
    assert isinstance(rejection, Rejection)
    assert rejection.values == {"seat": "3"}
    history += give(game, 2, PassCoin(1))
    assert commit(game, history, request_undo(game, history, 2)) == [Undone(game.version - 1, game.version - 1)], (
        "it is free"
    )


def test_under_rules_version_2_bots_consent_for_persons() -> None:
    lines, answers = {}, {}
    for rules in ("2", "3"):
        game, history = create(*["person"] * 2)
        history[0] = replace(history[0], detail=replace(created_of(history), rules_version=rules))
        game = Game.load(game.title, SECRET, history)
        for seat in (1, 2):
            commit(game, history, game.join([seat], b"", "", 1))
        history += give(game, 1, DrawPearl())
        commit(game, history, game.hand_to_bot(2, BOT, "hand", 5))
        answers[rules] = commit(game, history, request_undo(game, history, 1))
        if rules == "3":
            commit(game, history, game.answer_undo(1, game.version, False, (), "withdraw", 6))
        commit(game, history, game.take_seat_back(2, "back", 7))
        history += finish_game(game, Random(1))
        lines[rules] = record(history)
        report = check(lines[rules])
        assert report.holds, report.problems
    assert [type(detail) for detail in answers["2"]] == [UndoRequested, Undone]
    assert [type(detail) for detail in answers["3"]] == [UndoRequested]
    newer = rewrite_event(lines["2"], 1, lambda line: line["event"]["detail"].update(rules_version="3"))
    assert not check(newer).holds, "under version 3 a bot cannot consent for a person"


def created_of(history: Sequence[GameEvent]) -> GameCreated:
    """Return the detail of the first event."""
    detail = history[0].detail
    assert isinstance(detail, GameCreated)
    return detail


@pytest.mark.parametrize(("viewer", "stand_ins"), [(OPERATOR, (2,)), (1, UNSET)], ids=["exact", "dealt again"])
def test_in_an_exact_fork_bots_do_not_consent_for_persons_of_the_original(viewer: int, stand_ins: Any) -> None:
    original, past = start(b"", b"", b"")
    fork = fork_game(Game.load(original.title, SECRET, past), viewer, b"")
    assert isinstance(fork, Fork)
    kinds = ["person", "bot.random", "person"]
    setup = original.created.setup
    game, history = create_game(ID, original.title, setup, kinds, SECRET, "test", "", 1, fork=fork)
    game.commit(history)
    assert created_of(history).stand_ins == stand_ins
    assert (b"stand_ins" in msgspec.json.encode(history[0].detail)) is (viewer == OPERATOR)
    commit(game, history, game.join([1], b"", "", 1))
    commit(game, history, game.join([3], b"", "", 1))
    history += give(game, 1, DrawPearl())
    asked = request_undo(game, history, 1)
    if viewer == OPERATOR:
        assert rejection_code(asked) == "CONSENT_IMPOSSIBLE"
        again = fork_game(Game.load(game.title, SECRET, history), OPERATOR, b"")
        assert isinstance(again, Fork)
        assert again.people == (1, 2, 3), "also in a fork of the fork"
    else:
        commit(game, history, asked)
        assert game.undo.vote is not None
        assert game.undo.vote.waiting == (3,)
        commit(game, history, game.answer_undo(3, game.version, False, (), "no", 6))
    history += finish_game(game, Random(1))
    lines = record(history)
    assert check(lines).holds
    assert not check(rewrite_event(lines, 1, lambda line: line["event"]["detail"].update(stand_ins=[1]))).holds


def test_an_undo_is_free_despite_a_hand_over() -> None:
    game, history = start(b"", b"")
    history += give(game, 1, PassCoin(2))
    first = game.version
    commit(game, history, game.hand_to_bot(1, BOT, "hand", 5))
    commit(game, history, game.take_seat_back(1, "back", 5))
    undone = commit(game, history, game.request_undo(1, history[first - 1 :], "undo", 6))
    assert undone == [Undone(first, first + 2)]
    assert game.seats.people() == [1, 2]


# --- resignation -----------------------------------------------------------------------------------------------


def test_in_a_game_of_two_a_resignation_ends_the_game() -> None:
    game, history = start(b"", b"")
    ended = commit(game, history, game.resign(1, BOT, "resign", 5))
    assert ended == [SeatResigned(""), GameEnded(SECRET.hex(), (2, 1))]
    assert game.status == ENDED
    assert list(game.standings()) == [Standing(2, 0, 1), Standing(1, 0, 2)]
    assert not any(game.table.decisions), "no decision is open"
    assert rejection_code(game.request_undo(1, [], "undo", 6)) == "GAME_OVER"
    assert check(record(history)).holds


def test_in_a_game_of_three_a_bot_plays_the_resigned_seat_which_is_last() -> None:
    game, history = start(b"", b"", b"")
    assert commit(game, history, game.resign(1, BOT, "resign", 5)) == [SeatResigned(BOT)]
    assert (game.status, game.seats.bot(1), game.seats.people()) == (RUNNING, BOT, [2, 3])
    assert rejection_code(game.seats.rejection_for_person(1)) == "SEAT_RESIGNED"
    for outcome in (game.take_seat_back(1, "b", 6), game.hand_to_bot(1, BOT, "h", 6), game.resign(1, BOT, "r", 6)):
        assert rejection_code(outcome) == "SEAT_RESIGNED"
    while game.status == RUNNING:  # all seats pass coins to the resigned seat
        seat = game.table.deciding()[0]
        legal = game.legal(seat)
        history += give(game, seat, PassCoin(1) if PassCoin(1) in legal else Peek())
    standings = {it.seat: it for it in game.standings()}
    assert standings[1].points > max(standings[2].points, standings[3].points)
    assert standings[1].rank == 3
    assert isinstance(history[-1].detail, GameEnded)
    assert history[-1].detail.ranks == tuple(standings[seat].rank for seat in (1, 2, 3))
    report = check(record(history))
    assert report.holds, report.problems
    assert list(report.standings) == list(game.standings())


def test_a_game_ends_when_one_person_is_left_and_later_resignations_rank_higher() -> None:
    game, history = start(b"", b"", b"", b"")
    commit(game, history, game.resign(3, BOT, "a", 5))
    commit(game, history, game.resign(1, BOT, "b", 6))
    commit(game, history, game.resign(4, BOT, "c", 7))
    assert game.status == ENDED
    assert [(it.seat, it.rank) for it in game.standings()] == [(2, 1), (4, 2), (1, 3), (3, 4)]
    assert check(record(history)).holds


def test_a_game_ends_when_the_only_person_resigns() -> None:
    game, history = create("person", "bot.random", "bot.random")
    commit(game, history, game.join([1], b"", "", 2))
    commit(game, history, game.hand_to_bot(1, BOT, "hand", 3))
    commit(game, history, game.resign(1, BOT, "resign", 4))
    assert [(it.seat, it.rank) for it in game.standings()] == [(2, 1), (3, 1), (1, 3)]
    assert check(record(history)).holds


def test_a_resignation_in_a_solo_game_is_a_loss() -> None:
    game, history = create("person", setup=Setup("", 1, {"rival": "keen"}), title=RIVAL_TITLE)
    commit(game, history, game.join([1], b"", "", 2))
    commit(game, history, game.resign(1, BOT, "resign", 3))
    assert [(it.seat, it.rank) for it in game.standings()] == [(2, 1), (1, 2)]


def test_a_resignation_without_a_bot_ends_the_game() -> None:
    game, history = start(b"", b"", b"")
    commit(game, history, game.resign(2, "", "resign", 5))
    assert [(it.seat, it.rank) for it in game.standings()] == [(1, 1), (3, 1), (2, 3)]
    assert check(record(history)).holds


@pytest.mark.parametrize(
    ("seats", "resigned", "expected"),
    [
        (("person", "person"), {1}, False),
        (("person", "person", "person"), {1}, True),
        (("person", "person", "person"), {1, 3}, False),
        (("person", "bot.x", "person"), {1}, True),
        (("person", "bot.x", "bot.x"), {1}, False),
        (("person", "bot.automa"), {1}, False),
    ],
)
def test_a_game_continues_with_two_seats_if_a_person_plays_one(
    seats: Sequence[str], resigned: set[int], expected: bool
) -> None:
    assert can_continue(seats, dict.fromkeys(resigned, 1)) is expected


def test_resigned_seats_rank_after_all_others() -> None:
    standings = [Standing(1, 9, 1), Standing(2, 9, 1), Standing(3, 5, 3), Standing(4, 1, 4)]
    assert [(it.seat, it.rank) for it in rank_seats(4, standings, {})] == [(1, 1), (2, 1), (3, 3), (4, 4)]
    assert [(it.seat, it.rank) for it in rank_seats(4, standings, {1: 7})] == [(2, 1), (3, 2), (4, 3), (1, 4)]
    assert [(it.seat, it.rank) for it in rank_seats(4, standings, {4: 9, 3: 7})] == [(1, 1), (2, 1), (4, 3), (3, 4)]


def test_resignations_do_not_reveal_secret_teams() -> None:
    stories = load_title("stories")
    setup = complete(stories.meta, Setup("england-vs-france", 4))
    for seats in combinations(range(1, 5), 2):
        game, history = _start(stories, setup)
        for seat in seats:
            commit(game, history, game.resign(seat, "sensible", "resign", 5))
        assert game.status == RUNNING, "also if these two were a team"
        last = min({1, 2, 3, 4} - set(seats))
        commit(game, history, game.resign(last, "sensible", "resign", 6))
        assert game.status == ENDED
        assert [it.rank for it in game.standings()] == [1, 2, 3, 4]


# --- records ---------------------------------------------------------------------------------------------------


def test_a_record_with_other_ranks_after_a_resignation_fails() -> None:
    game, history = start(b"", b"", b"")
    commit(game, history, game.resign(1, BOT, "resign", 5))
    commit(game, history, game.resign(2, BOT, "resign 2", 5))

    def other_ranks(line: Any) -> None:
        line["event"]["detail"]["ranks"] = [1, 2, 3]

    report = check(rewrite_event(record(history), game.version, other_ranks))
    assert report.fails
    assert any("game.GameEnded is different" in problem.message for problem in report.problems)


def test_a_record_with_a_bot_after_the_last_resignation_fails() -> None:
    game, history = start(b"", b"")
    commit(game, history, game.resign(1, BOT, "resign", 5))

    def add_bot(line: Any) -> None:
        line["event"]["detail"]["bot"] = BOT

    assert check(rewrite_event(record(history), game.version - 1, add_bot)).fails


# --- titles ----------------------------------------------------------------------------------------------------


GAMES = [
    pytest.param(title, players, seed, marks=[] if seed == players % 2 * 2 else [pytest.mark.soak])
    for title in TITLES
    for players in player_counts(load_title(title).meta)
    for seed in (0, 2)
]
"""With default choices or others. Soak runs have both for each number of players."""


@pytest.mark.parametrize(("title", "players", "seed"), GAMES)
def test_seats_can_be_handed_over_taken_back_and_resign_at_any_time(title: str, players: int, seed: int) -> None:
    """Persons play at random, hand their seats to bots at random times, come back, or resign."""
    loaded, random = load_title(title), Random(f"{title} {players} {seed}")
    setup = mixed_setup(loaded, seed, players)
    game, history = _start(loaded, setup)
    decisions = 0
    while game.status == RUNNING:
        seat = random.choice(game.table.deciding())
        legal = game.legal(seat)
        if game.seats.bot(seat):
            command = ask_bot(loaded, setup, game.table, game.seats.bot(seat), seat, legal, random.random())
            assert command in legal
        else:
            command = random.choice(legal)
        history += give(game, seat, command, id=f"{seat}:{decisions}")
        decisions += 1
        if game.status == RUNNING and random.random() < 0.2:
            history += _change_random_seat(game, random)
    assert sorted(it.seat for it in game.standings()) == list(range(1, setup.players + 1))
    assert Game.load(loaded, SECRET, history).table.contents() == game.table.contents()
    report = check(record(history))
    assert report.holds, report.problems
    Timeline(loaded, lambda after, until: history[after:until]).at(game.version // 2)


def _start(title: Title, setup: Setup) -> tuple[Game, list[GameEvent]]:
    people = setup.players - len(title.automata(setup))
    game, history = create_game(ID, title, setup, ["person"] * people, SECRET, "test", "", 1)
    game.commit(history)
    join_all(game, history)
    return game, history


def _change_random_seat(game: Game, random: Random) -> list[GameEvent]:
    """Hand a seat to a bot or take it back. One in fifty seats resigns, if the game continues after it."""
    seat = random.choice([seat for seat, kind in enumerate(game.created.seats, 1) if kind == "person"])
    if seat in game.seats.resigned:
        return []
    bot = random.choice([bot.id for bot in game.title.meta.bots])
    if random.random() < 0.02 and can_continue(game.created.seats, {**game.seats.resigned, seat: 1}):
        decided = game.resign(seat, bot, "resign", 4)
    elif game.seats.is_handed_over(seat):
        decided = game.take_seat_back(seat, "back", 4)
    else:
        decided = game.hand_to_bot(seat, bot, "hand", 4)
    assert not isinstance(decided, Rejection), decided
    game.commit(decided)
    return decided
