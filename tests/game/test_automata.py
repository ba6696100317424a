"""Automata: seats that the rules play."""

from __future__ import annotations

from random import Random
from typing import Any
from uuid import UUID

import pytest
from msgspec import Struct
from tests.game import records
from tests.game.games import create, rejection_code
from tests.service.rival_title import RIVAL, RIVAL_TITLE, load_title
from tests.service.tiny_title import TINY, DrawPearl, PassCoin, PearlDrawn

from boardkeeper.game.audit import Report, audit
from boardkeeper.game.automata import AutomaSeatError, NoOpponentError, SeatCountError, automaton_seats
from boardkeeper.game.choices import ChoiceError
from boardkeeper.game.creation import create_game
from boardkeeper.game.events import GameCreated, GameEvent, Undone, UndoRequested
from boardkeeper.game.forking import Fork, fork_game
from boardkeeper.game.game import RUNNING, Game
from boardkeeper.game.record import sealer, write_record
from boardkeeper.game.seats import AUTOMA
from boardkeeper.game.timeline import Timeline
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.table.zones import Pile
from boardkeeper.testkit.games import (
    ID,
    SECRET,
    Signer,
    finish_game,
    give,
    record,
    rewrite_event,
    undo,
    verify_signature,
)
from boardkeeper.titlekit.title import Setup

NEW = UUID(int=2)


def start_solo(rival: str = "keen", kind: str = "person") -> tuple[Game, list[GameEvent]]:
    """Start a game of one seat against the rival. Return the game and its events."""
    game, events = create(kind, setup=Setup("", 1, {"rival": rival}), title=RIVAL_TITLE)
    if kind == "person":
        joined = game.join([1], b"mine", "join", 2)
        game.commit(joined)
        events += joined
    return game, events


def check(events: list[GameEvent]) -> Report:
    return audit(record(events), load_title, verify_signature)


# --- seats ---------------------------------------------------------------------------------------------------------


def test_a_solo_game_has_a_person_and_an_automaton() -> None:
    game, events = start_solo()
    created = events[0].detail
    assert isinstance(created, GameCreated)
    assert created.seats == ("person", AUTOMA)
    assert created.setup == Setup("first", 2, {"pearls": "many", "rival": "keen"})
    assert (game.status, game.seats.free(), game.seats.people()) == (RUNNING, [], [1])
    assert game.seats.bot(RIVAL) == "automa"
    assert game.table.deciding() == [1]


def test_the_seat_of_the_automaton_is_optional_in_the_list_of_seats() -> None:
    setup = Setup("", 2, {"rival": "meek"})
    for seats in (("person",), ("person", AUTOMA)):
        _, events = create(*seats, setup=setup, title=RIVAL_TITLE)
        created = events[0].detail
        assert isinstance(created, GameCreated)
        assert created.seats == ("person", AUTOMA)


def test_a_bot_can_play_against_an_automaton() -> None:
    game, _ = start_solo(kind="bot.random")
    assert (game.status, game.seats.people()) == (RUNNING, [])


@pytest.mark.parametrize("kind", ["person", "bot.random"])
def test_persons_and_bots_cannot_have_the_seat_of_the_automaton(kind: str) -> None:
    with pytest.raises(AutomaSeatError) as raised:
        create("person", kind, setup=Setup("", 2, {"rival": "meek"}), title=RIVAL_TITLE)
    assert (raised.value.seat, raised.value.is_played) == (RIVAL, True)


@pytest.mark.parametrize(
    ("seats", "rival", "seat"),
    [((AUTOMA, "person"), "off", 1), (("person", AUTOMA), "off", 2), ((AUTOMA, AUTOMA), "meek", 1)],
)
def test_an_automaton_cannot_have_another_seat(seats: tuple[str, ...], rival: str, seat: int) -> None:
    with pytest.raises(AutomaSeatError) as raised:
        create(*seats, setup=Setup("", 2, {"rival": rival}), title=RIVAL_TITLE)
    assert (raised.value.seat, raised.value.is_played) == (seat, False)


@pytest.mark.parametrize(("players", "rival", "seats"), [(3, "off", 2), (2, "off", 3)])
def test_a_wrong_number_of_seats_is_an_error(players: int, rival: str, seats: int) -> None:
    with pytest.raises(SeatCountError) as raised:
        create(*["person"] * seats, setup=Setup("", players, {"rival": rival}), title=RIVAL_TITLE)
    assert (raised.value.seats, raised.value.listed) == (players, seats)


@pytest.mark.parametrize("seats", [("person",), ("person", "person")])
def test_a_solo_game_without_an_automaton_is_an_error(seats: tuple[str, ...]) -> None:
    with pytest.raises(NoOpponentError, match="this choice for rival") as raised:
        create(*seats, setup=Setup("", 1, {"rival": "off"}), title=RIVAL_TITLE)
    assert raised.value.options == ("rival",)
    with pytest.raises(NoOpponentError):
        automaton_seats(RIVAL_TITLE, "", 1, {"rival": "off"}, {})
    assert automaton_seats(RIVAL_TITLE, "", 2, {"rival": "off"}, {}) == ()


def test_the_rival_is_for_two_seats_only() -> None:
    with pytest.raises(ChoiceError, match=r"`options\.rival` can be 'meek' only with 2 players, not with 3"):
        create(*["person"] * 3, setup=Setup("", 3, {"rival": "meek"}), title=RIVAL_TITLE)


# --- turns ---------------------------------------------------------------------------------------------------------


def test_the_turn_of_an_automaton_is_part_of_the_command_before_it() -> None:
    game, _ = start_solo()
    events = give(game, 1, PassCoin(2), id="pass")
    assert [(event.seat, event.command_id) for event in events] == [(1, "pass"), (2, "pass")]
    assert events[0].given is not None
    assert events[0].given.seat == 1
    assert events[1].given is None
    assert isinstance(events[1].detail, PearlDrawn)
    assert game.table.deciding() == [1]
    assert game.seen.first_of(events[1].originator_version) == events[0].originator_version


def test_an_automaton_cannot_submit_commands() -> None:
    game, _ = start_solo()
    assert game.legal(RIVAL) == ()
    assert rejection_code(game.decide(RIVAL, [DrawPearl()], "rival", 3)) == "NOT_YOUR_TURN"


def test_a_batch_continues_after_a_turn_of_an_automaton_only_if_it_revealed_nothing() -> None:
    meek, _ = start_solo("meek")
    assert meek.check(1, [PassCoin(2), PassCoin(2)]) is None
    keen, _ = start_solo("keen")
    assert rejection_code(keen.check(1, [PassCoin(2), PassCoin(2)])) == "NOT_PAST_NEWS"


# --- undo ----------------------------------------------------------------------------------------------------------


def undo_last_command(game: Game, history: list[GameEvent]) -> list[Struct]:
    """Undo the last command of seat 1, and commit. Return the details of the events."""
    first = game.first_undo_version(1)
    assert isinstance(first, int), first
    undone = game.request_undo(1, history[first - 1 :], "undo", 9)
    assert not isinstance(undone, Rejection), undone
    game.commit(undone)
    history += undone
    return [event.detail for event in undone]


def test_an_undo_also_reverts_the_turn_of_the_automaton() -> None:
    game, history = start_solo("meek")
    before = game.table.contents()
    history += give(game, 1, PassCoin(2))
    version = game.version
    assert undo_last_command(game, history) == [Undone(version - 1, version)]
    assert game.table.contents() == before
    assert Game.load(RIVAL_TITLE, SECRET, history).table.contents() == before


def test_automata_consent_to_undos() -> None:
    game, history = start_solo("keen")
    before = {id: dict(zone.items) for id, zone in game.table.zones.items() if isinstance(zone, Pile)}
    history += give(game, 1, PassCoin(2))
    version = game.version
    assert undo_last_command(game, history) == [UndoRequested(version - 1), Undone(version - 1, version + 1)]
    assert {id: dict(zone.items) for id, zone in game.table.zones.items() if isinstance(zone, Pile)} == before
    assert game.undo.vote is None


def test_an_automaton_has_nothing_to_undo() -> None:
    game, history = start_solo("meek")
    history += give(game, 1, PassCoin(2))
    assert rejection_code(game.first_undo_version(RIVAL)) == "NOTHING_TO_UNDO"


# --- past versions, forks and records ------------------------------------------------------------------------------


@pytest.mark.parametrize("rival", ["meek", "keen"])
def test_every_version_can_be_viewed(rival: str) -> None:
    game, history = start_solo(rival)
    history += finish_game(game, Random(1))
    timeline = Timeline(RIVAL_TITLE, lambda after, until: history[after:until], step=4)
    for version in (*range(1, game.version + 1), *range(game.version, 0, -1)):
        moment = timeline.at(version)
        expected = Game.load(RIVAL_TITLE, SECRET, history[:version])
        assert moment.table.contents() == expected.table.contents()
        assert moment.legal(RIVAL) == ()


@pytest.mark.parametrize("viewer", [OPERATOR, 0, 1])
def test_a_fork_has_the_same_automaton(viewer: int) -> None:
    game, history = start_solo()
    history += give(game, 1, DrawPearl())
    fork = fork_game(Game.load(RIVAL_TITLE, SECRET, history), viewer, b"chance")
    assert isinstance(fork, Fork)
    setup = game.created.setup
    with pytest.raises(AutomaSeatError):
        create_game(NEW, RIVAL_TITLE, setup, ["person", "person"], SECRET, "test", "", 1, fork=fork)
    forked, events = create_game(NEW, RIVAL_TITLE, setup, ["bot.random"], SECRET, "test", "", 1, fork=fork)
    forked.commit(events)
    assert forked.created.seats == ("bot.random", AUTOMA)
    events += finish_game(forked, Random(2))
    report = audit(list(write_record(NEW, events, SECRET, sealer(Signer()))), load_title, verify_signature)
    assert report.holds, report.problems


@pytest.mark.parametrize("rival", ["meek", "keen"])
def test_a_record_with_an_automaton_holds_on_all_levels(rival: str) -> None:
    game, history = start_solo(rival)
    random = Random(3)
    for number in range(3):
        history += give(game, 1, random.choice(game.legal(1)))
        history += give(game, 1, random.choice(game.legal(1)))
        undo(game, history, 1, f"undo {number}")
    history += finish_game(game, random)
    report = check(history)
    assert report.holds, report.problems


def finished() -> list[bytes]:
    game, history = start_solo()
    return record(history + finish_game(game, Random(4)))


def test_a_record_with_a_bot_in_the_seat_of_the_automaton_fails() -> None:
    def seat_a_bot(line: Any) -> None:
        line["event"]["detail"]["seats"][RIVAL - 1] = "bot.random"

    report = audit(rewrite_event(finished(), 1, seat_a_bot), load_title, verify_signature)
    (problem,) = (it for it in report.problems if it.level == "decided")
    assert (problem.version, problem.message) == (
        1,
        "the setup is not possible in this title: seat 2 must be played by the rules",
    )


def test_a_record_with_an_automaton_in_another_seat_fails() -> None:
    lines = record(records.finished_game())
    assert audit(lines, records.load_title, verify_signature).holds

    def seat_the_rules(line: Any) -> None:
        line["event"]["detail"]["seats"][1] = AUTOMA

    report = audit(rewrite_event(lines, 1, seat_the_rules), records.load_title, verify_signature)
    (problem,) = (it for it in report.problems if it.level == "decided")
    assert (problem.version, problem.message) == (
        1,
        "the setup is not possible in this title: seat 2 must be for a person or a bot",
    )


# --- versions of the rules -----------------------------------------------------------------------------------------


def test_a_new_game_has_the_latest_version_of_the_rules() -> None:
    class Third(type(TINY)):  # type: ignore[misc]  # any title
        meta = TINY.meta.__class__(
            **{name: getattr(TINY.meta, name) for name in TINY.meta.__struct_fields__} | {"rules_versions": ("2", "4")}
        )

    third = Third()
    game, events = create_game(ID, third, Setup("", 2), ["bot.random"] * 2, SECRET, "test", "", 1)
    game.commit(events)
    assert game.created.rules_version == "4"
    lines = record(events + finish_game(game, Random(5)))
    assert audit(lines, lambda _: third, verify_signature).holds
    (decided,) = (it for it in audit(lines, records.load_title, verify_signature).levels if it.name == "decided")
    assert (decided.status, decided.note) == (
        "not checked",
        "the game has rules version '4'; this program has the versions '1', '2', '3'",
    )
