"""Seats that are handed to bots and taken back, and seats that give up: who plays, who ranks where, in records too."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import UNSET, Struct
from msgspec.structs import replace
from tests.game.games import create, started
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


def keep(game: Game, history: list[GameEvent], decided: list[GameEvent] | Rejection) -> list[Struct]:
    """Commit what was decided, and see that whoever reads the game has the same."""
    assert not isinstance(decided, Rejection), decided
    game.commit(decided)
    history += decided
    again = Game.load(game.title, SECRET, history)
    assert again.table.contents() == game.table.contents()
    assert (again.seats.kinds, again.seats.bots, again.seats.resigned, again.status, again.undo.vote) == (
        game.seats.kinds,
        game.seats.bots,
        game.seats.resigned,
        game.status,
        game.undo.vote,
    )
    assert list(again.standings()) == list(game.standings())
    return [event.detail for event in decided]


def code(decided: list[GameEvent] | Rejection | None) -> str:
    assert isinstance(decided, Rejection), decided
    return decided.code


def open_vote(game: Game) -> bool:
    return game.undo.vote is not None


# --- handing over ----------------------------------------------------------------------------------------------


def test_a_seat_is_a_bots_from_when_it_is_handed_over_until_it_is_taken_back() -> None:
    game, history = started(b"", b"")
    assert keep(game, history, game.hand_to_bot(2, BOT, "hand", 5)) == [SeatHandedToBot(BOT)]
    assert (game.seats.bot(2), game.seats.bots, game.seats.people(), game.seats.is_handed_over(2)) == (
        BOT,
        (2,),
        [1],
        True,
    )
    assert code(game.seats.rejection_for_person(2)) == "SEAT_PLAYED_BY_BOT"
    assert code(game.hand_to_bot(2, BOT, "again", 5)) == "SEAT_PLAYED_BY_BOT"
    assert keep(game, history, game.take_seat_back(2, "back", 6)) == [SeatTakenBack()]
    assert (game.seats.bot(2), game.seats.bots, game.seats.people(), game.seats.rejection_for_person(2)) == (
        "",
        (),
        [1, 2],
        None,
    )
    assert code(game.take_seat_back(2, "again", 6)) == "SEAT_NOT_HANDED_OVER"


def test_only_seats_of_people_in_games_under_way_change_hands() -> None:
    game, _ = create("person", "bot.random", "person")
    assert code(game.hand_to_bot(1, BOT, "early", 2)) == "GAME_NOT_STARTED"
    assert code(game.resign(1, BOT, "early", 2)) == "GAME_NOT_STARTED"
    for seat in (1, 3):
        game.commit(game.join([seat], b"", "", 2))
    for seat in (0, 2, 4):
        assert code(game.hand_to_bot(seat, BOT, "hand", 3)) == "SEAT_OF_NO_PERSON"
        assert code(game.take_seat_back(seat, "back", 3)) == "SEAT_OF_NO_PERSON"
        assert code(game.resign(seat, BOT, "resign", 3)) == "SEAT_OF_NO_PERSON"
    finish_game(game, Random(1))
    assert code(game.hand_to_bot(1, BOT, "late", 9)) == "GAME_OVER"
    assert code(game.resign(1, BOT, "late", 9)) == "GAME_OVER"


def ask(game: Game, history: list[GameEvent], seat: int) -> list[GameEvent] | Rejection:
    """Ask for an undo."""
    first = game.first_undo_version(seat)
    assert isinstance(first, int), first
    return game.request_undo(seat, history[first - 1 :], "ask", 6)


def agree(game: Game, history: list[GameEvent], seat: int) -> list[GameEvent] | Rejection:
    """Consent to the undo that is asked for."""
    assert game.undo.vote is not None
    return game.answer_undo(seat, game.undo.vote.version, True, history[game.undo.vote.first_version - 1 :], "agree", 7)


def test_a_bot_that_plays_for_a_person_does_not_consent_to_an_undo() -> None:
    game, history = started(b"", b"")
    history += give(game, 1, DrawPearl())
    first = history[-1].originator_version
    keep(game, history, ask(game, history, 1))
    assert open_vote(game)
    keep(game, history, game.hand_to_bot(2, BOT, "hand", 5))
    assert not open_vote(game)
    assert keep(game, history, ask(game, history, 1)) == [UndoRequested(first)]
    assert game.undo.vote == Vote(game.version, 1, first, (), (2,))
    assert code(agree(game, history, 2)) == "SEAT_PLAYED_BY_BOT", "the client of the seat cannot consent for the bot"
    withdrawn = game.answer_undo(1, game.undo.vote.version, False, (), "withdraw", 7)
    assert keep(game, history, withdrawn) == [UndoDeclined(game.version - 1)]
    assert not open_vote(game)


def test_a_vote_waits_for_the_person_who_takes_the_seat_back() -> None:
    game, history = started(b"", b"", b"")
    history += give(game, 1, DrawPearl())
    first = history[-1].originator_version
    keep(game, history, game.hand_to_bot(2, BOT, "hand", 5))
    keep(game, history, game.hand_to_bot(3, BOT, "hand 3", 5))
    keep(game, history, ask(game, history, 1))
    asked = game.version
    keep(game, history, game.take_seat_back(2, "back", 6))
    assert game.undo.vote == Vote(asked, 1, first, (), (2, 3))
    keep(game, history, agree(game, history, 2))
    assert game.undo.vote == Vote(asked, 1, first, (2,), (3,))
    keep(game, history, game.take_seat_back(3, "back 3", 6))
    undone = keep(game, history, agree(game, history, 3))
    assert undone == [UndoConsented(asked), Undone(first, game.version - 1)]
    assert not open_vote(game)


def test_any_other_change_of_hands_closes_a_vote() -> None:
    game, history = started(b"", b"", b"")
    history += give(game, 1, DrawPearl())
    keep(game, history, game.hand_to_bot(2, BOT, "hand", 5))
    keep(game, history, ask(game, history, 1))
    keep(game, history, game.hand_to_bot(3, BOT, "hand 3", 5))
    assert not open_vote(game)
    keep(game, history, ask(game, history, 1))
    keep(game, history, game.resign(2, BOT, "resign", 5))
    assert not open_vote(game)


def test_nobody_consents_for_a_seat_that_is_given_up() -> None:
    game, history = started(b"", b"", b"")
    history += give(game, 1, DrawPearl())
    keep(game, history, game.resign(3, BOT, "resign", 5))
    refused = ask(game, history, 1)
    assert code(refused) == "CONSENT_IMPOSSIBLE"
    assert isinstance(refused, Rejection)
    assert refused.values == {"seat": "3"}
    history += give(game, 2, PassCoin(1))
    assert keep(game, history, ask(game, history, 2)) == [Undone(game.version - 1, game.version - 1)], "it is free"


def test_a_game_of_earlier_rules_takes_back_as_ever() -> None:
    lines, answers = {}, {}
    for rules in ("2", "3"):
        game, history = create(*["person"] * 2)
        history[0] = replace(history[0], detail=replace(created_of(history), rules_version=rules))
        game = Game.load(game.title, SECRET, history)
        for seat in (1, 2):
            keep(game, history, game.join([seat], b"", "", 1))
        history += give(game, 1, DrawPearl())
        keep(game, history, game.hand_to_bot(2, BOT, "hand", 5))
        answers[rules] = keep(game, history, ask(game, history, 1))
        if rules == "3":
            keep(game, history, game.answer_undo(1, game.version, False, (), "withdraw", 6))
        keep(game, history, game.take_seat_back(2, "back", 7))
        history += finish_game(game, Random(1))
        lines[rules] = record(history)
        report = check(lines[rules])
        assert report.holds, report.problems
    assert [type(detail) for detail in answers["2"]] == [UndoRequested, Undone]
    assert [type(detail) for detail in answers["3"]] == [UndoRequested]
    newer = rewrite_event(lines["2"], 1, lambda line: line["event"]["detail"].update(rules_version="3"))
    assert not check(newer).holds, "a bot consented that may not"


def created_of(history: Sequence[GameEvent]) -> GameCreated:
    """The first event's detail."""
    detail = history[0].detail
    assert isinstance(detail, GameCreated)
    return detail


@pytest.mark.parametrize(("viewer", "stand_ins"), [(OPERATOR, (2,)), (1, UNSET)], ids=["exact", "dealt anew"])
def test_in_an_exact_fork_bots_do_not_consent_for_people_of_the_other_game(viewer: int, stand_ins: Any) -> None:
    of, past = started(b"", b"", b"")
    fork = fork_game(Game.load(of.title, SECRET, past), viewer, b"")
    assert isinstance(fork, Fork)
    kinds = ["person", "bot.random", "person"]
    game, history = create_game(ID, of.title, of.created.setup, kinds, SECRET, "test", "", 1, fork=fork)
    game.commit(history)
    assert created_of(history).stand_ins == stand_ins
    assert (b"stand_ins" in msgspec.json.encode(history[0].detail)) is (viewer == OPERATOR)
    keep(game, history, game.join([1], b"", "", 1))
    keep(game, history, game.join([3], b"", "", 1))
    history += give(game, 1, DrawPearl())
    asked = ask(game, history, 1)
    if viewer == OPERATOR:
        assert code(asked) == "CONSENT_IMPOSSIBLE"
        again = fork_game(Game.load(game.title, SECRET, history), OPERATOR, b"")
        assert isinstance(again, Fork)
        assert again.people == (1, 2, 3), "also in a fork of the fork"
    else:
        keep(game, history, asked)
        assert game.undo.vote is not None
        assert game.undo.vote.waiting == (3,)
        keep(game, history, game.answer_undo(3, game.version, False, (), "no", 6))
    history += finish_game(game, Random(1))
    lines = record(history)
    assert check(lines).holds
    assert not check(rewrite_event(lines, 1, lambda line: line["event"]["detail"].update(stand_ins=[1]))).holds


def test_an_undo_stays_free_over_a_hand_over() -> None:
    game, history = started(b"", b"")
    history += give(game, 1, PassCoin(2))
    first = game.version
    keep(game, history, game.hand_to_bot(1, BOT, "hand", 5))
    keep(game, history, game.take_seat_back(1, "back", 5))
    undone = keep(game, history, game.request_undo(1, history[first - 1 :], "undo", 6))
    assert undone == [Undone(first, first + 2)]
    assert game.seats.people() == [1, 2]


# --- giving up -------------------------------------------------------------------------------------------------


def test_of_two_the_other_one_has_won_when_one_gives_up() -> None:
    game, history = started(b"", b"")
    ended = keep(game, history, game.resign(1, BOT, "resign", 5))
    assert ended == [SeatResigned(""), GameEnded(SECRET.hex(), (2, 1))]
    assert game.status == ENDED
    assert list(game.standings()) == [Standing(2, 0, 1), Standing(1, 0, 2)]
    assert not any(game.table.decisions), "nobody is asked any more"
    assert code(game.request_undo(1, [], "undo", 6)) == "GAME_OVER"
    assert check(record(history)).holds


def test_of_three_the_others_play_on_with_a_bot_and_who_gave_up_is_last_whatever_it_scores() -> None:
    game, history = started(b"", b"", b"")
    assert keep(game, history, game.resign(1, BOT, "resign", 5)) == [SeatResigned(BOT)]
    assert (game.status, game.seats.bot(1), game.seats.people()) == (RUNNING, BOT, [2, 3])
    assert code(game.seats.rejection_for_person(1)) == "SEAT_RESIGNED"
    for refused in (game.take_seat_back(1, "b", 6), game.hand_to_bot(1, BOT, "h", 6), game.resign(1, BOT, "r", 6)):
        assert code(refused) == "SEAT_RESIGNED"
    while game.status == RUNNING:  # everybody gives the resigned seat what it can
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


def test_a_game_of_people_ends_with_the_last_but_one_who_gives_up_and_the_later_ranks_before_the_earlier() -> None:
    game, history = started(b"", b"", b"", b"")
    keep(game, history, game.resign(3, BOT, "a", 5))
    keep(game, history, game.resign(1, BOT, "b", 6))
    keep(game, history, game.resign(4, BOT, "c", 7))
    assert game.status == ENDED
    assert [(it.seat, it.rank) for it in game.standings()] == [(2, 1), (4, 2), (1, 3), (3, 4)]
    assert check(record(history)).holds


def test_bots_need_no_game_of_their_own_when_the_only_person_gives_up() -> None:
    game, history = create("person", "bot.random", "bot.random")
    keep(game, history, game.join([1], b"", "", 2))
    keep(game, history, game.hand_to_bot(1, BOT, "hand", 3))
    keep(game, history, game.resign(1, BOT, "resign", 4))
    assert [(it.seat, it.rank) for it in game.standings()] == [(2, 1), (3, 1), (1, 3)]
    assert check(record(history)).holds


def test_who_plays_alone_against_the_rules_has_lost_by_giving_up() -> None:
    game, history = create("person", setup=Setup("", 1, {"rival": "keen"}), title=RIVAL_TITLE)
    keep(game, history, game.join([1], b"", "", 2))
    keep(game, history, game.resign(1, BOT, "resign", 3))
    assert [(it.seat, it.rank) for it in game.standings()] == [(2, 1), (1, 2)]


def test_without_a_bot_to_play_on_the_game_ends_for_all() -> None:
    game, history = started(b"", b"", b"")
    keep(game, history, game.resign(2, "", "resign", 5))
    assert [(it.seat, it.rank) for it in game.standings()] == [(1, 1), (3, 1), (2, 3)]
    assert check(record(history)).holds


@pytest.mark.parametrize(
    ("began", "resigned", "on"),
    [
        (("person", "person"), {1}, False),
        (("person", "person", "person"), {1}, True),
        (("person", "person", "person"), {1, 3}, False),
        (("person", "bot.x", "person"), {1}, True),
        (("person", "bot.x", "bot.x"), {1}, False),
        (("person", "bot.automa"), {1}, False),
    ],
)
def test_a_game_goes_on_between_two_seats_of_which_one_is_a_persons(
    began: Sequence[str], resigned: set[int], on: bool
) -> None:
    assert can_continue(began, dict.fromkeys(resigned, 1)) is on


def test_who_did_not_give_up_ranks_as_without_the_others() -> None:
    standings = [Standing(1, 9, 1), Standing(2, 9, 1), Standing(3, 5, 3), Standing(4, 1, 4)]
    assert [(it.seat, it.rank) for it in rank_seats(4, standings, {})] == [(1, 1), (2, 1), (3, 3), (4, 4)]
    assert [(it.seat, it.rank) for it in rank_seats(4, standings, {1: 7})] == [(2, 1), (3, 2), (4, 3), (1, 4)]
    assert [(it.seat, it.rank) for it in rank_seats(4, standings, {4: 9, 3: 7})] == [(1, 1), (2, 1), (4, 3), (3, 4)]


def test_who_plays_with_whom_in_secret_does_not_show_in_whether_a_game_goes_on() -> None:
    stories = load_title("stories")
    setup = complete(stories.meta, Setup("england-vs-france", 4))
    for seats in combinations(range(1, 5), 2):
        game, history = _begun(stories, setup)
        for seat in seats:
            keep(game, history, game.resign(seat, "sensible", "resign", 5))
        assert game.status == RUNNING, "whether or not these two were a team"
        last = min({1, 2, 3, 4} - set(seats))
        keep(game, history, game.resign(last, "sensible", "resign", 6))
        assert game.status == ENDED
        assert [it.rank for it in game.standings()] == [1, 2, 3, 4]


# --- records ---------------------------------------------------------------------------------------------------


def test_a_record_with_another_outcome_of_a_resignation_fails() -> None:
    game, history = started(b"", b"", b"")
    keep(game, history, game.resign(1, BOT, "resign", 5))
    keep(game, history, game.resign(2, BOT, "resign 2", 5))

    def other_ranks(line: Any) -> None:
        line["event"]["detail"]["ranks"] = [1, 2, 3]

    report = check(rewrite_event(record(history), game.version, other_ranks))
    assert report.fails
    assert any("game.GameEnded is different" in problem.message for problem in report.problems)


def test_a_record_in_which_a_game_goes_on_after_all_have_given_up_fails() -> None:
    game, history = started(b"", b"")
    keep(game, history, game.resign(1, BOT, "resign", 5))

    def bot_plays_on(line: Any) -> None:
        line["event"]["detail"]["bot"] = BOT

    assert check(rewrite_event(record(history), game.version - 1, bot_plays_on)).fails


# --- titles ----------------------------------------------------------------------------------------------------


GAMES = [
    pytest.param(title, players, seed, marks=[] if seed == players % 2 * 2 else [pytest.mark.soak])
    for title in TITLES
    for players in player_counts(load_title(title).meta)
    for seed in (0, 2)
]
"""With the usual choices and with others; the soak has both for each number of players."""


@pytest.mark.parametrize(("title", "players", "seed"), GAMES)
def test_bots_play_on_from_wherever_people_stop_and_people_from_wherever_bots_do(
    title: str, players: int, seed: int
) -> None:
    """People act at random, in the middle of whatever they do a bot takes over, and they come back, or give up."""
    loaded, random = load_title(title), Random(f"{title} {players} {seed}")
    setup = mixed_setup(loaded, seed, players)
    game, history = _begun(loaded, setup)
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
            history += _hand_round(game, random)
    assert sorted(it.seat for it in game.standings()) == list(range(1, setup.players + 1))
    loaded_again = Game.load(loaded, SECRET, history)
    assert loaded_again.table.contents() == game.table.contents()
    report = check(record(history))
    assert report.holds, report.problems
    Timeline(loaded, lambda after, until: history[after:until]).at(game.version // 2)


def _begun(title: Title, setup: Setup) -> tuple[Game, list[GameEvent]]:
    people = setup.players - len(title.automata(setup))
    game, history = create_game(ID, title, setup, ["person"] * people, SECRET, "test", "", 1)
    game.commit(history)
    for seat in range(1, people + 1):
        joined = game.join([seat], b"", "", 1)
        game.commit(joined)
        history += joined
    return game, history


def _hand_round(game: Game, random: Random) -> list[GameEvent]:
    """Some seat goes to a bot or comes back; one in fifty gives up, if the game goes on after it."""
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
