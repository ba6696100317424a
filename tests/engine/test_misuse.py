"""A wrong call raises an error that says what to do instead, and changes nothing."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from copy import copy, deepcopy
from itertools import repeat
from random import Random
from threading import Thread
from typing import Any

import pytest
from msgspec import Struct
from tests.engine.playing import play

from boardkeeper import engine
from boardkeeper.engine.events import full_event
from boardkeeper.game.automata import SeatCountError
from boardkeeper.game.creation import create_game
from boardkeeper.game.game import Game
from boardkeeper.game.record_bounds import LATEST_TIME
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.registry import load_title


def create() -> engine.Game:
    return engine.create("orleans", 2, seed=1)


def legal(game: engine.Game) -> Struct:
    return game.legal(game.to_move[0])[0]


def push(game: engine.Game) -> engine.Game:
    game.push(game.to_move[0], legal(game))
    return game


class PlaceFollower(Struct, frozen=True):
    """A command with the name of a command of the title."""

    follower: str = "farmer"


CREATED: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "title": (lambda: engine.create("orlean", 2), engine.UnknownNameError, "did you mean 'orleans'"),
    "edition": (lambda: engine.create("orleans", 2, edition="capstone"), engine.UnknownNameError, "'capstone-2021'"),
    "option": (lambda: engine.create("orleans", 2, options={"planing": "open"}), engine.ChoiceError, "'planning'"),
    "choice": (lambda: engine.create("orleans", 2, options={"planning": "seald"}), engine.ChoiceError, "'sealed'"),
    "reading": (lambda: engine.create("orleans", 2, readings={"drawn": "up_to"}), engine.ChoiceError, "'draw_amount'"),
    "reading as option": (
        lambda: engine.create("orleans", 2, options={"draw_amount": "up_to"}),
        engine.ChoiceError,
        "`options.draw_amount` is a reading, not an option",
    ),
    "other edition": (
        lambda: engine.create("stories", 2, readings={"tie_evf": "shared"}),
        engine.ChoiceError,
        "`readings.tie_evf` exists only in the edition england-vs-france, not in settlers",
    ),
    "too many": (lambda: engine.create("orleans", 6), engine.ChoiceError, "must be 2 to 5 in the edition .*, not 6"),
    "too few": (lambda: engine.create("orleans", ["Anna"]), engine.ChoiceError, "not 1"),
    "nobody": (lambda: engine.create("orleans", []), engine.MisuseError, "at least one seat"),
    "a name": (lambda: engine.create("orleans", "Anna"), engine.MisuseError, "list of names"),
    "no name": (lambda: engine.create("orleans", ["Anna", 2]), engine.MisuseError, "not 2"),  # type: ignore[list-item]
    "bot": (lambda: engine.create("orleans", ["Anna", engine.Bot("sensibel")]), engine.UnknownNameError, "'sensible'"),
    "table of 3": (
        lambda: engine.create("orleans", 2, position=engine.create("orleans", 3, seed=1).table(engine.OPERATOR)),
        engine.PositionError,
        "`seats` must be 2, not 3",
    ),
}
"""Creation with unknown names, wrong numbers of seats and wrong positions."""

SURROGATE = "\ud800"
"""A character that Python strings can contain, but that cannot be encoded."""


def create_with(**wrong: Any) -> Callable[[], object]:
    """Return a function that creates a game with a wrong argument."""
    return lambda: engine.create(**{"title": "orleans", "seats": 2, "seed": 1, **wrong})


MISTYPED: dict[str, tuple[Callable[[], object], str]] = {
    "title": (create_with(title=[]), r"a title's id must be a str, not \[\]"),
    "edition": (create_with(edition=None), "an edition's id must be a str, not None"),
    "options": (create_with(options=["planning"]), "options must be a dict"),
    "no options": (create_with(options=[]), "options must be a dict"),
    "readings": (create_with(readings="drawn"), "readings must be a dict"),
    "half a seat": (create_with(seats=2.5), "names and bots, not 2.5"),
    "no seats": (create_with(seats=None), "names and bots, not None"),
    "True seats": (create_with(seats=True), "names and bots, not True"),
    "seats in no order": (create_with(seats={"Anna", "Ben"}), "a list of names and bots"),
    "more seats than memory": (create_with(seats=10**11), "no game has 100000000000 seats"),
    "name": (create_with(seats=["Anna", SURROGATE]), "a name must be valid Unicode"),
    "bot's name": (create_with(seats=["Anna", engine.Bot(name=5)]), "a bot's name must be a str, not 5"),  # type: ignore[arg-type]
    "bot's kind": (create_with(seats=["Anna", engine.Bot(None)]), "a kind of bot must be a str"),  # type: ignore[arg-type]
    "seed": (create_with(seed=1.5), "an int, a str or bytes, not 1.5"),
    "seed without a value": (create_with(seed=object()), "an int, a str or bytes"),
    "True seed": (create_with(seed=True), "an int, a str or bytes"),
    "unwritten seed": (create_with(seed=SURROGATE), "use bytes: "),
    "endless seed": (create_with(seed=10**5000), "use bytes: "),
    "clock": (create_with(clock=5), "clock must be a function"),
    "clock of seconds": (create_with(clock=lambda: 1763926633.5), "time.time_ns"),
    "clock of nothing": (create_with(clock=lambda: None), "clock must return whole milliseconds .* not None"),
    "clock of nanoseconds": (create_with(clock=lambda: 1763926633 * 10**9), "whole milliseconds"),
    "clock before all": (create_with(clock=lambda: -1), "whole milliseconds"),
    "position": (create_with(position={}), "position is not the JSON of a table"),
    "text as a position": (create_with(position="{"), "position is not the JSON of a table"),
    "a board as a position": (create_with(position=7), "position must be a table"),
    "title's name": (lambda: engine.title(5), "must be a str, not 5"),  # type: ignore[arg-type]
    "edition's name": (lambda: engine.edition("orleans", 5), "must be a str, not 5"),  # type: ignore[arg-type]
    "save": (lambda: engine.load("save"), "a save must be bytes"),  # type: ignore[arg-type]
    "save's clock": (lambda: engine.load(create().save(), clock=7), "clock must be a function"),  # type: ignore[arg-type]
    "record": (lambda: engine.load_record("record"), "a record must be bytes"),  # type: ignore[arg-type]
    "record's name": (lambda: engine.load_record(b"", "Anna"), "names must be a list"),
    "record's names": (lambda: engine.load_record(b"", [1, 2]), "a name must be a str, not 1"),  # type: ignore[list-item]
    "verified": (lambda: engine.verify("record"), "a record must be bytes"),  # type: ignore[arg-type]
    "verifier": (lambda: engine.verify(b"", 5), "verify_signature must be a function"),  # type: ignore[arg-type]
}
"""Creation and loading with arguments of the wrong type."""


@pytest.mark.parametrize("case", MISTYPED)
def test_arguments_of_the_wrong_type_are_errors(case: str) -> None:
    misuse, message = MISTYPED[case]
    with pytest.raises(engine.MisuseError, match=message):
        misuse()


def test_all_errors_have_one_base_class() -> None:
    for name in engine.__all__:
        kind = getattr(engine, name)
        if isinstance(kind, type) and issubclass(kind, Exception):
            assert issubclass(kind, engine.RulesError)


@pytest.mark.parametrize("case", CREATED)
def test_invalid_setups_are_errors(case: str) -> None:
    misuse, error, message = CREATED[case]
    with pytest.raises(error, match=message):
        misuse()


MISUSES: dict[str, tuple[Callable[[engine.Game], object], str]] = {
    "no such seat": (lambda game: game.submit(3, legal(game)), "seat must be 1 to 2"),
    "seat 0": (lambda game: game.legal(0), "seat must be 1 to 2"),
    "a seat's name": (lambda game: game.legal("Anna"), "not 'Anna'"),  # type: ignore[arg-type]
    "no such viewer": (lambda game: game.board(3), "SPECTATOR or OPERATOR"),
    "viewer": (lambda game: game.events(-2), "SPECTATOR or OPERATOR"),
    "no command": (lambda game: game.submit(1, []), "needs at least one command"),
    "text": (lambda game: game.submit(1, "Pass"), "not a command of orleans"),  # type: ignore[arg-type]
    "another's command": (lambda game: game.submit(1, PlaceFollower()), "not a command of orleans"),
    "another title's": (
        lambda game: game.submit(1, legal(engine.create("paladins", 2, seed=1))),
        "not a command of orleans",
    ),
    "ill-typed": (
        lambda game: game.submit(1, game.commands["PlaceFollower"](follower=3, place="village", space="x")),
        "Expected `str`, got `int`",
    ),
    "texts that cannot be written": (
        lambda game: game.submit(1, game.commands["PlaceFollower"](follower=SURROGATE, place="village", space="x")),
        "PlaceFollower: .*surrogates",
    ),
    "fields that cannot": (lambda game: game.command("PlaceFollower", follower=object()), "PlaceFollower: .*object"),
    "numbers that cannot": (lambda game: game.command("PlaceFollower", follower=10**30), "PlaceFollower: "),
    "nothing": (lambda game: game.submit(1, None), "a list of commands, not None"),  # type: ignore[arg-type]
    "a number": (lambda game: game.submit(1, 5), "a list of commands, not 5"),  # type: ignore[arg-type]
    "a kind of command": (lambda game: game.submit(1, game.commands["Pass"]), "needs a command or a list of commands"),  # type: ignore[arg-type]
    "no order": (lambda game: game.submit(1, {game.command("Pass")}), "a list of commands"),  # type: ignore[arg-type]
    "pushed batch": (lambda game: game.push(1, [legal(game)] * 2), "a single command here"),  # type: ignore[arg-type]
    "pushed list": (lambda game: game.push(1, [legal(game)]), "a single command here"),  # type: ignore[arg-type]
    "previewed batch": (lambda game: game.preview(1, [legal(game)] * 2), "a single command here"),  # type: ignore[arg-type]
    "command's name": (lambda game: game.command([]), "a command's name must be a str"),  # type: ignore[arg-type]
    "kind of bot": (lambda game: game.suggest(1, None), "a kind of bot must be a str"),  # type: ignore[arg-type]
    "signer": (lambda game: game.record(signer=5), "signer must have public_key"),  # type: ignore[arg-type]
    "said text": (lambda game: game.sentence("hello"), "not an event, a command or a rejection"),  # type: ignore[arg-type]
    "said to a seat": (lambda game: game.sentence(legal(game), seat=9), "seat must be 1 to 2"),
    "another's sentence": (
        lambda game: game.sentence(play(engine.create("paladins", 2, seed=1), Random(1), 9).events(-1)[-1]),
        "of orleans",
    ),
    "another's imperative": (lambda game: game.sentence(legal(engine.create("paladins", 2, seed=1))), "of orleans"),
    "past viewer": (lambda game: game.at(game.version).board(True), "SPECTATOR or OPERATOR"),
    "past table": (lambda game: game.at(game.version).table(1.0), "SPECTATOR or OPERATOR"),  # type: ignore[arg-type]
    "past commands": (lambda game: game.at(game.version).legal(engine.OPERATOR), "seat must be 1 to 2"),
    "past commands of nobody": (lambda game: game.at(game.version).legal(engine.SPECTATOR), "seat must be 1 to 2"),
    "misspelt field": (lambda game: game.command("PlaceFollower", folower="farmer"), "did you mean 'follower'"),
    "version": (lambda game: game.at(10_000), "version must be 1 to 9, not 10000"),
    "version 0": (lambda game: game.at(0), "version must be 1 to 9, not 0"),
    "at": (lambda game: game.fork(at=None), "version must be 1 to 9, not None"),  # type: ignore[arg-type]
    "after": (lambda game: game.events(1, 99), "version must be 0 to .*, not 99"),
    "not laid yet": (lambda game: game.at(1).board(1), "no board at version 1"),
    "pop": (lambda game: game.pop(), "needs a push"),
    "no vote": (lambda game: game.answer_undo(1, consent=True), "no seat has asked"),
    "all knowing": (lambda game: game.determinised(engine.OPERATOR), "nothing is hidden"),
}
CALLS_WITHOUT_PUSHES: dict[str, Callable[[engine.Game], object]] = {
    "submit": lambda game: game.submit(game.to_move[0], legal(game)),
    "check": lambda game: game.check(game.to_move[0], legal(game)),
    "why_not": lambda game: game.why_not(1, legal(game)),
    "preview": lambda game: game.preview(1, legal(game)),
    "undo": lambda game: game.undo(1),
    "answer_undo": lambda game: game.answer_undo(1, consent=True),
    "clone": lambda game: game.clone(),
    "fork": lambda game: game.fork(),
    "determinised": lambda game: game.determinised(1),
    "play_bots": lambda game: game.play_bots(),
    "save": lambda game: game.save(),
    "record": lambda game: game.record(),
}


@pytest.mark.parametrize("case", MISUSES)
def test_a_misuse_is_an_error_and_changes_nothing(case: str) -> None:
    misuse, message = MISUSES[case]
    game = create()
    before = game.save()
    with pytest.raises(engine.MisuseError, match=message):
        misuse(game)
    assert game.save() == before
    assert game.submit(game.to_move[0], legal(game))


@pytest.mark.parametrize("call", CALLS_WITHOUT_PUSHES)
def test_calls_on_the_real_game_are_errors_after_a_push(call: str) -> None:
    game = create()
    before = game.save()
    push(game)
    digest = game.digest()
    with pytest.raises(engine.MisuseError, match=rf"{call}\(\).*pop\(\) first"):
        CALLS_WITHOUT_PUSHES[call](game)
    assert game.digest() == digest
    game.pop()
    assert game.save() == before


def test_popping_earlier_pushes_in_a_trying_block_is_an_error() -> None:
    game = push(create())
    with pytest.raises(engine.MisuseError, match=r"as many push.* as pop"), game.trying():
        game.pop()


def replace_push(game: engine.Game, divisor: int = 1) -> int:
    """Pop an earlier push, push two commands, and divide by ``divisor``."""
    game.pop()
    push(push(game))
    return 1 // divisor


def test_replacing_earlier_pushes_in_a_trying_block_is_an_error() -> None:
    game = push(push(create()))
    with game.trying():
        game.push(game.to_move[0], legal(game))
        game.pop()
        push(push(game))
    assert game.pushed == 2
    with (
        pytest.raises(engine.MisuseError, match=r"as many push.* as pop.*: 1 of 2 earlier ones are left"),
        game.trying(),
    ):
        replace_push(game)
    assert game.pushed == 1
    with game.trying():
        push(game)
    assert game.pushed == 1
    game.pop()
    assert game.save() == create().save()


def test_an_error_in_a_trying_block_has_precedence() -> None:
    game = push(create())
    with pytest.raises(ZeroDivisionError), game.trying():
        replace_push(game, 0)
    assert (game.pushed, game.save()) == (0, create().save())


def test_games_can_be_copied() -> None:
    game = create()
    before = game.save()
    for copied in (copy(game), deepcopy(game), pickle.loads(pickle.dumps(game))):
        copied.submit(copied.to_move[0], legal(copied))
        assert copied.version == game.version + 1
        assert game.save() == before


def test_a_rejection_has_a_reason_and_changes_nothing() -> None:
    game = create()
    before = game.save()
    illegal = game.command("PlaceFollower", follower="emperor", place="village", space="farmer")
    rejections = []
    for call in (game.submit, game.check, game.push):
        with pytest.raises(engine.Rejected) as raised:
            call(1, illegal)
        rejections.append(raised.value)
    found = game.why_not(1, illegal)
    assert found is not None
    for rejection in (*rejections, found):
        assert (rejection.code, rejection.rule) == (found.code, found.rule)
        assert rejection.sentence("de") != rejection.sentence() != ""
        assert rejection.code in str(rejection)
        with pytest.raises(TypeError):
            rejection.values["code"] = "none"  # type: ignore[index]
    assert game.save() == before
    assert game.why_not(game.to_move[0], legal(game)) is None


def test_a_batch_is_accepted_or_rejected_as_a_whole() -> None:
    game = create()
    seat, before = game.to_move[0], game.save()
    with pytest.raises(engine.Rejected) as rejected:
        game.submit(seat, [legal(game), game.command("Pass")])
    assert rejected.value.values["index"] == "1"
    assert game.save() == before


def test_a_game_that_is_over_rejects_commands() -> None:
    game = play(engine.create("paladins", ["Anna"], seed=1), Random(1), 10_000)
    before, command = game.save(), game.command("Pass")
    for call in (game.submit, game.push, game.check):
        with pytest.raises(engine.Rejected, match="GAME_OVER"):
            call(1, command)
    for other in (lambda: game.undo(1), lambda: game.determinised(1), game.fork):
        with pytest.raises(engine.Rejected, match="GAME_OVER"):
            other()
    with pytest.raises(engine.MisuseError, match="nothing to decide"):
        game.suggest(1)
    assert game.save() == before


def test_calls_from_the_clock_of_a_game_are_errors() -> None:
    calls: list[str] = []

    def clock() -> int:
        if calls:
            with pytest.raises(engine.MisuseError, match="busy"):
                game.submit(1, ())
            with pytest.raises(engine.MisuseError, match="busy"):
                game.board(1)
            calls.append("rejected")
        return 7

    game = engine.create("orleans", 2, seed=1, clock=clock)
    calls.append("created")
    game.submit(game.to_move[0], legal(game))
    assert calls == ["created", "rejected"]


def test_simultaneous_calls_from_two_threads_are_errors() -> None:
    found: list[BaseException] = []

    def call() -> None:
        try:
            game.legal(1)
        except engine.MisuseError as error:
            found.append(error)

    def clock() -> int:
        thread = Thread(target=call)
        thread.start()
        thread.join()
        return 7

    game = engine.create("orleans", 2, seed=1)
    game._clock = clock
    game.submit(game.to_move[0], legal(game))
    assert len(found) == 1


ALWAYS = repeat(True)


def _interrupt_after(function: Callable[..., Any], interrupts: Iterator[bool] = ALWAYS) -> Callable[..., Any]:
    """Return a function that calls ``function`` and then raises ``KeyboardInterrupt`` if the next interrupt is true."""

    def call(*arguments: Any) -> Any:
        result = function(*arguments)
        if next(interrupts, False):
            raise KeyboardInterrupt
        return result

    return call


@pytest.mark.interpreted
def test_an_interrupted_call_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    game = engine.create("paladins", 2, seed=1)
    game.submit(game.to_move[0], legal(game))
    push(game)
    tried = game.digest()
    game.pop()
    before = game.save()
    seat, command = game.to_move[0], legal(game)

    with monkeypatch.context() as patch:
        patch.setattr(Game, "_end", _interrupt_after(Game._end))
        patch.setattr(Game, "_events", _interrupt_after(Game._events))
        with pytest.raises(KeyboardInterrupt):
            game.submit(seat, command)
    assert game.save() == before
    push(game)
    assert game.digest() == tried
    with monkeypatch.context() as patch:
        kind = type(game._play())
        patch.setattr(kind, "decide", _interrupt_after(kind.decide))
        patch.setattr("boardkeeper.game.game.Game.load", classmethod(_unpatch_and_load(patch, Game.load.__func__)))  # type: ignore[attr-defined]
        with pytest.raises(KeyboardInterrupt):
            game.push(game.to_move[0], legal(game))
    assert (game.digest(), game.pushed) == (tried, 1)
    game.pop()
    assert game.save() == before
    assert game.submit(seat, command)


@pytest.mark.interpreted
@pytest.mark.parametrize("where", ["commit", "events", "again"])
def test_an_interrupt_at_the_last_step_changes_nothing(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = create()
    before, seat, command, commit, load = game.save(), game.to_move[0], legal(game), Game.commit, Game.load
    interrupts = iter([True, True])
    with monkeypatch.context() as patch:
        if where == "events":
            patch.setattr("boardkeeper.engine.game.full_event", _interrupt_after(full_event, interrupts))
        else:
            patch.setattr(Game, "commit", _interrupt_after(commit, interrupts))
        if where == "again":
            patch.setattr(Game, "load", _interrupt_after(load, interrupts))
        with pytest.raises(KeyboardInterrupt):
            game.submit(seat, command)
    assert game.save() == before
    twin = create()
    assert game.submit(seat, command) == twin.submit(seat, command)
    assert game.save() == twin.save()


def _unpatch_and_load(patch: pytest.MonkeyPatch, load: Callable[..., Game]) -> Callable[..., Game]:
    """Return a function that ends the interrupts and then loads a game."""

    def unpatch_and_load(*arguments: Any) -> Game:
        patch.undo()
        return load(*arguments)

    return unpatch_and_load


def test_changes_of_returned_values_do_not_change_the_game() -> None:
    for title in ("orleans", "paladins", "stories"):
        game = engine.create(title, 2, seed=1)
        before = (game.save(), game.digest())
        returned: list[object] = [game.events(engine.OPERATOR), game.setup, game.commands, game.at(4).board(1)]
        returned += [value for viewer in range(-1, 3) for value in (game.board(viewer), game.table(viewer))]
        assert sum(clear(value) for value in returned) > 10
        assert (game.save(), game.digest()) == before
        clean = engine.create(title, 2, seed=1)
        assert [clean.board(viewer) for viewer in range(-1, 3)] == [game.board(viewer) for viewer in range(-1, 3)]


def clear(value: object) -> int:
    """Clear every mapping and list in a value. Return their number."""
    if isinstance(value, Struct):
        for field in type(value).__struct_fields__[:1]:
            with pytest.raises(AttributeError):
                setattr(value, field, None)
        return sum(clear(getattr(value, field)) for field in type(value).__struct_fields__)
    if isinstance(value, (dict, list)):
        inside = sum(map(clear, value.values() if isinstance(value, dict) else value))
        value.clear()
        return inside + 1
    return sum(map(clear, value)) if isinstance(value, tuple) else 0


@pytest.mark.parametrize("language", ["fr", "", "deutsch", None])
def test_unknown_languages_are_errors(language: Any) -> None:
    game = create()
    rejection = game.why_not(1, game.command("PlaceFollower", follower="emperor", place="village", space="farmer"))
    assert rejection is not None
    for say in (game.sentence, lambda _, language: rejection.sentence(language)):
        with pytest.raises(engine.RulesError, match="language"):
            say(legal(game), language)
    assert game.sentence(legal(game), "de-AT") == game.sentence(legal(game), "de")


def test_an_invalid_time_in_a_running_game_changes_nothing() -> None:
    times: list[Any] = [1, 1, 1.5]
    game = engine.create("orleans", 2, seed=1, clock=lambda: times.pop(0) if len(times) > 1 else times[0])
    assert game.submit(1, legal(game))[0].time == 1
    before = game.save()
    with pytest.raises(engine.MisuseError, match=r"not 1\.5"):
        game.clone().submit(1, legal(game))
    assert game.save() == before
    times[0] = LATEST_TIME
    game.submit(game.to_move[0], legal(game))
    assert engine.load(game.save()).save() == game.save()


def test_consent_must_be_a_boolean() -> None:
    game = engine.create("paladins", 2, seed=1)
    while True:
        seat = game.to_move[0]
        game.submit(seat, legal(game))
        if game.clone().undo(seat)[0].name == "UndoRequested":
            break
    game.undo(seat)
    assert game.vote is not None
    before = game.save()
    with pytest.raises(engine.MisuseError, match="consent must be True or False, not 'no'"):
        game.answer_undo(game.vote.waiting[0], consent="no")  # type: ignore[arg-type]
    assert game.save() == before


def test_a_domain_game_needs_a_commit_after_each_decision() -> None:
    title = load_title("orleans")
    with pytest.raises(SeatCountError, match="3 seats, not 2"):
        create_game(create().id, title, Setup("", 3), ["person"] * 2, bytes(32), "", "", 0)
    game, events = create_game(create().id, title, Setup("", 2), ["person"] * 2, bytes(32), "", "", 0)
    game.commit(events)
    game.commit(game.join([1, 2], b"", "join", 0))
    seat = game.table.deciding()[0]
    before, command = game.table.digest(), game.legal(seat)[0]
    decided = game.decide(seat, [command], "one", 0)
    assert isinstance(decided, list)
    for call in (
        lambda: game.decide(seat, [command], "two", 0),
        lambda: game.check(seat, [command]),
        lambda: game.request_undo(seat, (), "undo", 0),
        lambda: game.resign(seat, "", "gone", 0),
        game.copy,
    ):
        with pytest.raises(RuntimeError, match="commit or discard"):
            call()
    game.discard(decided)
    assert game.table.digest() == before
    again = game.decide(seat, [command], "two", 0)
    assert isinstance(again, list)
    assert [event.effects for event in again] == [event.effects for event in decided]
