"""Random games: what is true of every game of every title, whoever plays it and however.

The normal tests play some for each number of players, the soak thousands.
"""

from __future__ import annotations

import sys
from collections import Counter
from random import Random

import msgspec
import pytest
from tests.kit.adapters import Adapter, adapters
from tests.kit.playouts import Playout, playout, same_history, stored
from tests.kit.setups import standard, usual_or_not, varied
from tests.kit.trying import check_agreement

from boardkeeper.table.events import fold, unfold
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.table import Table
from boardkeeper.table.title import Play, Setup

MOST_STEPS = 100_000
"""A game that takes more has no end."""

GAMES = [pytest.param(it, players, id=f"{it.id}-{players}") for it in adapters() for players in it.players]
TITLES = [pytest.param(it, id=it.id) for it in adapters()]


# --- the checks, one game each ---------------------------------------------------------------------------------


def ends(adapter: Adapter, seed: int, setup: Setup) -> None:
    with playout(adapter, seed, setup) as game:
        for steps in range(MOST_STEPS):
            if game.play.is_over():
                break
            assert not game.play.standings()
            game.step()
            if steps % 20 == 0:
                adapter.holds(game.play, setup)
        assert game.play.is_over()
        assert game.table.deciding() == []
        adapter.ended(game.play, setup, game.events)
        standings = game.play.standings()
        assert sorted(standing.seat for standing in standings) == list(range(1, setup.players + 1))
        assert standings[0].rank == 1
        assert [standing.rank for standing in standings] == sorted(standing.rank for standing in standings)
        assert [standing.points for standing in standings] == sorted((x.points for x in standings), reverse=True)
        adapter.holds(game.play, setup)


def conserves_every_component(adapter: Adapter, seed: int, setup: Setup) -> None:
    """After each single event, not only where the players see the table."""
    with playout(adapter, seed, setup) as game:
        game.finish()
        table = Table(game.layout)
        components = table.components()
        sealed: list[dict[str, int]] | None = None
        for index, event in enumerate(game.events):
            fold(table, event.effects)
            assert table.components() == components, f"event {index}: {event}"
            held = [table.zones[zone].counts() for zone in adapter.sealed]
            if sealed is None:
                sealed = held
            assert held == sealed, f"event {index}: {event} opened one of {adapter.sealed}"


def folds_forwards_and_backwards(adapter: Adapter, seed: int, setup: Setup) -> None:
    """Without the rules, from what is stored, each event gives the table that play gave."""
    with playout(adapter, seed, setup) as game:
        digests = {len(game.events): game.table.digest()}
        while not game.play.is_over():
            game.step()
            if game.random.random() < 0.05:
                digests[len(game.events)] = game.table.digest()
        digests[len(game.events)] = game.table.digest()
        history = [stored(adapter, event) for event in game.events]
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


def legal_and_decide_agree(adapter: Adapter, seed: int, setup: Setup) -> int:
    """At some positions: what is listed is accepted, all else refused for a known rule, and nothing leaves a trace."""
    tried = 0
    with playout(adapter, seed, setup) as game:
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


def goes_on_alike_when_read_back(adapter: Adapter, seed: int, setup: Setup) -> None:
    """A game folded from its events lists the same commands in the same order, and the same dice fall."""
    with playout(adapter, seed, setup) as game:
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


def order_of_simultaneous_commands_does_not_matter(adapter: Adapter, seed: int, setup: Setup) -> int:
    """Where seats decide at the same time, shuffle their commands into each other: it leads to the same table.

    Each seat's own order is kept, and nobody goes on before all have come so far. Returns how often it was tried.
    """
    tried = 0
    with playout(adapter, seed, setup) as game:
        while not game.play.is_over():
            together = adapter.simultaneous(game.play, setup)
            if together is None:
                game.step()
                continue
            begun = (len(game.commands), len(game.events))
            while adapter.simultaneous(game.play, setup) == together:
                game.step()
            if len(game.commands) - begun[0] > 1 and game.random.random() < 0.5:
                _permute(game, *begun)
                tried += 1
    return tried


def _permute(game: Playout[Play], given: int, events: int) -> None:
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


# --- some ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("adapter", "players"), GAMES)
def test_random_games_end(adapter: Adapter, players: int) -> None:
    for seed in range(12):
        ends(adapter, seed, usual_or_not(adapter.title, seed, players))


@pytest.mark.parametrize(("adapter", "players"), GAMES)
def test_no_event_makes_or_loses_a_component(adapter: Adapter, players: int) -> None:
    for seed in range(100, 104):
        conserves_every_component(adapter, seed, usual_or_not(adapter.title, seed, players))


@pytest.mark.parametrize(("adapter", "players"), GAMES)
def test_histories_fold_forwards_and_backwards(adapter: Adapter, players: int) -> None:
    for seed in range(200, 205):
        folds_forwards_and_backwards(adapter, seed, usual_or_not(adapter.title, seed, players))


@pytest.mark.parametrize(("adapter", "players"), GAMES)
def test_legal_and_decide_agree(adapter: Adapter, players: int) -> None:
    setups = {seed: usual_or_not(adapter.title, seed, players) for seed in range(300, 304)}
    assert sum(legal_and_decide_agree(adapter, seed, setup) for seed, setup in setups.items()) > 1000


@pytest.mark.parametrize(("adapter", "players"), GAMES)
def test_games_read_back_go_on_alike(adapter: Adapter, players: int) -> None:
    for seed in range(400, 404):
        goes_on_alike_when_read_back(adapter, seed, usual_or_not(adapter.title, seed, players))


@pytest.mark.parametrize(("adapter", "players"), GAMES)
def test_order_of_simultaneous_commands_does_not_matter(adapter: Adapter, players: int) -> None:
    setups = {seed: usual_or_not(adapter.title, seed, players) for seed in range(500, 508)}
    tried = sum(order_of_simultaneous_commands_does_not_matter(adapter, seed, it) for seed, it in setups.items())
    assert tried > 20 or players == 1 or not adapter.decides_together


@pytest.mark.parametrize("adapter", TITLES)
def test_every_choice_is_played(adapter: Adapter) -> None:
    """The varied games above and in the soak reach each edition, option and reading."""
    meta = adapter.title.meta
    seen = Counter[tuple[str, str]]()
    for seed in range(2, 200, 3):
        setup = varied(adapter.title, seed, adapter.players[seed % len(adapter.players)])
        seen.update([("edition", setup.edition), *setup.options.items(), *setup.readings.items()])
    wanted = {("edition", edition.id) for edition in meta.editions}
    wanted |= {(option.id, choice.id) for option in (*meta.options, *meta.readings) for choice in option.choices}
    assert wanted <= set(seen)


@pytest.mark.parametrize("adapter", TITLES)
def test_every_command_and_event_is_played(adapter: Adapter) -> None:
    """Random games that never come to where a rule bites would prove nothing."""
    wanted = {*adapter.title.commands, *adapter.title.events} - set(adapter.hardly_played)
    for seed in range(1250, 1370):
        if not wanted:
            break
        players = adapter.players[seed % len(adapter.players)]
        setup = varied(adapter.title, seed, players) if seed % 2 else standard(adapter.title, players)
        with playout(adapter, 2 * seed + 1, setup) as game:
            game.finish()
        wanted -= {type(command).__name__ for _, command in game.commands}
        wanted -= {event.name for event in game.events}
    assert wanted == set()


@pytest.mark.parametrize("adapter", TITLES)
def test_a_failure_prints_its_own_reproduction(adapter: Adapter) -> None:
    """Setup, seed and all commands stand in the error, and the seed gives the same game again."""
    setup = standard(adapter.title, adapter.players[-1])

    def fail_after_thirty_commands() -> None:
        with playout(adapter, 7, setup) as game:
            for _ in range(30):
                game.step()
            raise AssertionError("found")

    with pytest.raises(AssertionError, match="found") as raised:
        fail_after_thirty_commands()
    (note,) = raised.value.__notes__
    assert f"Playout(adapter_of({adapter.id!r}), 7, Setup(edition={setup.edition!r}, players={setup.players}" in note
    assert "30 commands" in note
    again = Playout[Play](adapter, 7, setup)
    for _ in range(30):
        again.step()
    assert again.reproduction() == note
    with pytest.raises(AssertionError, match="first differing event: 3"):
        same_history(again.events, [*again.events[:3], again.events[0]])


# --- thousands -------------------------------------------------------------------------------------------------

CHUNKS = 25


@pytest.mark.soak
@pytest.mark.parametrize(("adapter", "players"), GAMES)
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_soak(adapter: Adapter, players: int, chunk: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Thousands of games of each title: 20 seeds a chunk and player count, each through all six checks."""
    checks = (
        ends,
        conserves_every_component,
        folds_forwards_and_backwards,
        legal_and_decide_agree,
        goes_on_alike_when_read_back,
        order_of_simultaneous_commands_does_not_matter,
    )
    for number in range(20):
        seed = 10_000 + chunk * 20 + number
        setup = (
            varied(adapter.title, seed, players) if Random(seed).random() < 0.5 else standard(adapter.title, players)
        )
        for check in checks:
            check(adapter, seed, setup)
    with capsys.disabled():
        sys.stdout.write(f"\n{adapter.id}, {players} players: {(chunk + 1) * 20} of {CHUNKS * 20} seeds ")
