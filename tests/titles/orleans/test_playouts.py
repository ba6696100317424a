"""Random games: what is true of every game, whoever plays it and however.

The normal tests play some hundreds, the soak thousands.
"""

from __future__ import annotations

import sys
from collections import Counter
from random import Random

import msgspec
import pytest
from tests.titles.orleans.playouts import (
    META,
    Playout,
    check_agreement,
    check_components,
    check_invariants,
    playout,
    same_history,
    standard,
    stored,
    varied,
)

from boardkeeper.table.events import fold, unfold
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.table import Table
from boardkeeper.table.title import Setup
from boardkeeper.titles.orleans.title import TITLE

PLAYERS = (2, 3, 4, 5)


def setups(seed: int, players: int) -> Setup:
    """Every third game is played with other choices than the usual ones."""
    return varied(seed, players) if seed % 3 == 2 else standard(players)


# --- the checks, one game each ---------------------------------------------------------------------------------


def ends_after_eighteen_rounds(seed: int, setup: Setup) -> None:
    with playout(seed, setup) as game:
        for steps in range(100_000):
            if game.play.is_over():
                break
            game.step()
            if steps % 20 == 0:
                check_invariants(game)
                check_components(game)
        counts = Counter(event.name for event in game.events)
        assert counts["HourGlassTurned"] == 18
        assert counts["StartPlayerChanged"] == 17
        assert counts["SeatScored"] == setup.players
        assert counts["MostStationsRewarded"] == 1
        assert game.play.t.round.value == 18
        assert game.table.deciding() == []
        standings = game.play.standings()
        assert sorted(standing.seat for standing in standings) == list(range(1, setup.players + 1))
        assert standings[0].rank == 1
        assert [standing.points for standing in standings] == sorted((x.points for x in standings), reverse=True)
        check_invariants(game)
        check_components(game)


def conserves_every_component(seed: int, setup: Setup) -> None:
    """After each single event, not only where the players see the table."""
    with playout(seed, setup) as game:
        game.finish()
        table = Table(game.layout)
        components = table.components()
        boxed = None
        for index, event in enumerate(game.events):
            fold(table, event.effects)
            assert table.components() == components, f"event {index}: {event}"
            if boxed is None:
                boxed = table.pile("box").counts()
            assert table.pile("box").counts() == boxed, f"event {index}: {event} opened the box"


def folds_forwards_and_backwards(seed: int, setup: Setup) -> None:
    """Without the rules, from what is stored, each event gives the table that play gave."""
    with playout(seed, setup) as game:
        digests = {len(game.events): game.table.digest()}
        while not game.play.is_over():
            game.step()
            if game.random.random() < 0.05:
                digests[len(game.events)] = game.table.digest()
        digests[len(game.events)] = game.table.digest()
        history = [stored(event) for event in game.events]
        same_history(game.events, history)
        layout = msgspec.json.decode(msgspec.json.encode(game.layout), type=TableLayout)
        table = Table(layout)
        digests[0] = table.digest()
        for index, event in enumerate(history, 1):
            fold(table, event.effects)
            if index in digests:
                assert table.digest() == digests[index], f"folded to event {index}: {event}"
        for index in range(len(history), 0, -1):
            if index in digests:
                assert table.digest() == digests[index], f"unfolded to event {index}"
            unfold(table, history[index - 1].effects)
        assert table.contents() == Table(layout).contents()


def legal_and_decide_agree(seed: int, setup: Setup) -> int:
    """At some positions: what is listed is accepted, all else refused for a known rule, and nothing leaves a trace."""
    tried = 0
    with playout(seed, setup) as game:
        foreign = dict.fromkeys(command for seat in range(1, setup.players + 1) for command in game.play.legal(seat))
        while not game.play.is_over():
            if game.random.random() < 0.04:
                pool = list(foreign)
                tried += check_agreement(game, game.random.sample(pool, min(25, len(pool))))
            _, command = game.choose()
            foreign[command] = None
            game.step()
        tried += check_agreement(game, list(foreign)[-25:])
    return tried


def goes_on_alike_when_read_back(seed: int, setup: Setup) -> None:
    """A game folded from its events lists the same commands in the same order, and the same dice fall."""
    with playout(seed, setup) as game:
        game.finish()
        for _ in range(6):
            at = game.random.randrange(len(game.commands))
            given, count = game.marks[at]
            table = game.at(count)
            play = game.bind(table)
            again = list(game.events[:count])
            for (seat, command), (_, upto) in zip(game.commands[given:][:40], game.marks[at + 1 :], strict=False):
                listed = play.legal(seat)
                assert command in listed, f"after {count} events seat {seat} may not {command}"
                assert play.decide(seat, command) is None
                again += play.recorder.take()
                same_history(game.events[:upto], again)


def order_of_simultaneous_commands_does_not_matter(seed: int, setup: Setup) -> int:
    """Draw and plan again with the seats' commands shuffled into each other: the same table when actions begin.

    Each seat's own order is kept, and nobody plans before all have drawn. Returns how many phases were tried.
    """
    tried = 0
    simultaneous = ("followers",) if setup.options["planning"] == "in_turn" else ("followers", "planning")
    with playout(seed, setup) as game:
        while not game.play.is_over():
            phase = game.play.t.phase.value
            if phase not in simultaneous:
                game.step()
                continue
            begun = (len(game.commands), len(game.events))
            while game.play.t.phase.value == phase:
                game.step()
            if len(game.commands) - begun[0] > 1 and game.random.random() < 0.3:
                _permute(game, *begun)
                tried += 1
    return tried


def _permute(game: Playout, given: int, events: int) -> None:
    waiting: dict[int, list[tuple[int, int]]] = {}
    for index, (seat, _) in enumerate(game.commands[given:], given):
        waiting.setdefault(seat, []).append((seat, index))
    table = game.at(events)
    play = game.bind(table)
    order: list[int] = []
    while waiting:
        seat = game.random.choice(list(waiting))
        _, index = waiting[seat].pop(0)
        if not waiting[seat]:
            del waiting[seat]
        order.append(index)
        command = game.commands[index][1]
        rejection = play.decide(seat, command)
        assert rejection is None, f"commands {order}: seat {seat} may not {command}: {rejection}"
        play.recorder.take()
    assert table.contents() == game.table.contents(), f"commands in the order {order}"


# --- hundreds --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_random_games_end_after_eighteen_rounds(players: int) -> None:
    for seed in range(50):
        ends_after_eighteen_rounds(seed, setups(seed, players))


@pytest.mark.parametrize("players", PLAYERS)
def test_no_event_makes_or_loses_a_component(players: int) -> None:
    for seed in range(100, 108):
        conserves_every_component(seed, setups(seed, players))


@pytest.mark.parametrize("players", PLAYERS)
def test_histories_fold_forwards_and_backwards(players: int) -> None:
    for seed in range(200, 225):
        folds_forwards_and_backwards(seed, setups(seed, players))


@pytest.mark.parametrize("players", PLAYERS)
def test_legal_and_decide_agree(players: int) -> None:
    tried = sum(legal_and_decide_agree(seed, setups(seed, players)) for seed in range(300, 309))
    assert tried > 5000


@pytest.mark.parametrize("players", PLAYERS)
def test_games_read_back_go_on_alike(players: int) -> None:
    for seed in range(400, 415):
        goes_on_alike_when_read_back(seed, setups(seed, players))


@pytest.mark.parametrize("players", PLAYERS)
def test_order_of_simultaneous_commands_does_not_matter(players: int) -> None:
    tried = sum(order_of_simultaneous_commands_does_not_matter(seed, setups(seed, players)) for seed in range(500, 515))
    assert tried > 50


def test_every_choice_is_played() -> None:
    """The varied games above and in the soak reach each edition, option and reading."""
    seen = Counter[tuple[str, str]]()
    for seed in range(2, 200, 3):
        setup = varied(seed, 2 + seed % 4)
        seen.update([("edition", setup.edition), *setup.options.items(), *setup.readings.items()])
    wanted = {("edition", edition.id) for edition in META.editions}
    wanted |= {(option.id, choice.id) for option in (*META.options, *META.readings) for choice in option.choices}
    assert wanted <= set(seen)


def test_every_command_and_event_is_played() -> None:
    """Random games that never come to where a rule bites would prove nothing."""
    commands, events = set[str](), set[str]()
    for seed in range(600, 720):
        players = 2 + seed % 4
        with playout(2 * seed + 1, varied(seed, players) if seed % 2 else standard(players)) as game:
            game.finish()
        commands |= {type(command).__name__ for _, command in game.commands}
        events |= {event.name for event in game.events}
    assert set(TITLE.commands) - commands == set()
    assert set(TITLE.events) - events <= {"DebtLapsed"}


def test_a_failure_prints_its_own_reproduction() -> None:
    """Setup, seed and all commands stand in the error, and the seed gives the same game again."""

    def fail_after_thirty_commands() -> None:
        with playout(7, standard(3)) as game:
            for _ in range(30):
                game.step()
            raise AssertionError("found")

    with pytest.raises(AssertionError, match="found") as raised:
        fail_after_thirty_commands()
    (note,) = raised.value.__notes__
    assert "Playout(7, Setup(edition='capstone-2021', players=3" in note
    assert "30 commands" in note
    again = Playout(7, standard(3))
    for _ in range(30):
        again.step()
    assert again.reproduction() == note
    with pytest.raises(AssertionError, match="first differing event: 3"):
        same_history(again.events, [*again.events[:3], again.events[0]])


# --- thousands -------------------------------------------------------------------------------------------------

CHUNKS = 25


@pytest.mark.soak
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_soak(players: int, chunk: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Twelve thousand games: 20 seeds a chunk and player count, each through all six checks."""
    checks = (
        ends_after_eighteen_rounds,
        conserves_every_component,
        folds_forwards_and_backwards,
        legal_and_decide_agree,
        goes_on_alike_when_read_back,
        order_of_simultaneous_commands_does_not_matter,
    )
    for number in range(20):
        seed = 10_000 + chunk * 20 + number
        setup = varied(seed, players) if Random(seed).random() < 0.5 else standard(players)
        for check in checks:
            check(seed, setup)
    with capsys.disabled():
        sys.stdout.write(f"\n{players} players: {(chunk + 1) * 20} of {CHUNKS * 20} seeds ")
