"""Forks of every title: games begin from their tables, their records hold, and no layout is too odd to be judged."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import msgspec
import pytest
from tests.game.records import check
from tests.kit.adapters import adapters

from boardkeeper.game.events import GameEvent
from boardkeeper.game.forking import fork_game
from boardkeeper.game.game import ENDED, Game
from boardkeeper.table.forking import layout_of
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR, SPECTATOR, sees
from boardkeeper.table.zones import Stack
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.games import SECRET, finish_game, give, record, undo
from boardkeeper.testkit.histories import random_fork, start_game
from boardkeeper.testkit.playouts import playout
from boardkeeper.testkit.setups import mixed_setup
from boardkeeper.titlekit.positions import problems
from boardkeeper.titlekit.title import Setup, Title

GAMES = [pytest.param(it, players, id=f"{it.id}-{players}") for it in adapters() for players in it.players]
TITLES = [pytest.param(it, id=it.id) for it in adapters()]


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 5))])
@pytest.mark.parametrize(("adapter", "players"), GAMES)
def test_the_record_of_a_fork_holds_on_every_level(adapter: Adapter, players: int, seed: int) -> None:
    """The operator's fork and that of a seat, with a command taken back in it."""
    title, chance = adapter.title, Random(f"fork {seed}")
    setup = mixed_setup(title, chance.randrange(3), players)
    for viewer in (OPERATOR, 1):
        fork = random_fork(title, setup, viewer, chance.randrange(100), chance)
        assert not problems(title, setup, fork.layout)
        game, events = start_game(title, setup, fork)
        seat = chance.choice(game.table.deciding())
        events += give(game, seat, chance.choice(game.legal(seat)))
        if isinstance(game.first_undo_version(seat), int):
            undo(game, events, seat, "back")
        events += finish_game(game, chance)
        report = check(record(events))
        assert report.holds, report.problems


@pytest.mark.parametrize(
    ("adapter", "players"),
    [pytest.param(it, it.players[at], id=f"{it.id}-{it.players[at]}") for it in adapters() for at in (0, -1)],
)
def test_wherever_a_game_stands_it_is_forked_or_that_is_refused(adapter: Adapter, players: int) -> None:
    """Where something is asked for the first time: for anybody, again from the fork, and never for no reason."""
    title, chance = adapter.title, Random(f"forks {players}")
    setup = mixed_setup(title, 2, players)
    game, history = start_game(title, setup)
    random_fork: dict[str, set[str]] = {"operator": set(), "others": set()}
    while game.status != ENDED:
        asked = {decision for decision in game.table.decisions if decision}
        if asked - random_fork["operator"]:
            random_fork["operator"] |= asked
            for viewer in (OPERATOR, SPECTATOR, *chance.sample(range(1, setup.players + 1), 2)):
                if forks_hold(title, setup, history, viewer, chance) and viewer != OPERATOR:
                    random_fork["others"] |= asked
        seat = chance.choice(game.table.deciding())
        history += give(game, seat, adapter.eager(chance, game.play, seat, game.legal(seat)))
    assert len(random_fork["operator"]) >= len(adapter.decisions) / 3, "not every edition asks for everything"
    assert random_fork["others"]


def forks_hold(title: Title, setup: Setup, history: list[GameEvent], viewer: int, chance: Random) -> bool:
    """Fork for a viewer, fork that again and play on: the record holds. No if the fork is refused, as it must be."""
    for again in range(2):
        game = Game.load(title, SECRET, history)
        known, dealt = (
            seen(game.table, viewer),
            viewer == OPERATOR or title.exchangeable_zones(game.table, viewer) is not None,
        )
        fork = fork_game(game, viewer, chance.randbytes(16))
        if isinstance(fork, Rejection):
            assert (fork.code, again, dealt) == ("PLANS_HIDDEN", 0, False)
            return False
        assert dealt
        assert seen(Table(fork.layout), viewer) == known, "what a viewer knows stays true"
        assert not problems(title, setup, fork.layout)
        game, history = start_game(title, setup, fork)
    for _ in range(20):
        if game.status != ENDED:
            seat = chance.choice(game.table.deciding())
            history += give(game, seat, chance.choice(game.legal(seat)))
    report = check(record(history))
    assert not report.fails, report.problems
    return True


def seen(table: Table, viewer: int) -> list[Any]:
    """What a viewer sees of a table; of what is hidden, how much it is."""
    zones = [
        (list(zone.order) if isinstance(zone, Stack) else dict(zone.items), zone.counter)
        if sees(table, zone, viewer)
        else zone.total()
        for zone in table.zones.values()
    ]
    return [zones, [it.value for it in table.markers.values() if sees(table, it, viewer)], list(table.decisions)]


# --- layouts of anybody's ----------------------------------------------------------------------------------------


def odd(layout: TableLayout, chance: Random) -> TableLayout:
    """The layout with a few things changed, moved, added or taken away."""
    plain: Any = msgspec.json.decode(msgspec.json.encode(layout))
    for _ in range(chance.randint(1, 3)):
        zones, markers = plain["zones"], plain["markers"]
        zone = chance.choice([it for it in zones if it[2] or it[5]])
        other, marker = chance.choice(zones), chance.choice(markers)
        match chance.randrange(8):
            case 0:
                kept = [it[1] for it in markers if type(it[1]) is type(marker[1])]
                marker[1] = chance.choice([*kept, 0, -1, 10**9 - 1, 1 - 10**9, "", "nothing that there is"])
            case 1:
                zone[2], other[2] = other[2], zone[2]
            case 2:
                _take_one(zone[2], chance.choice([other[2], {}]), chance)
            case 3:
                zone[5], other[5] = other[5], zone[5]
            case 4:
                decisions = [*plain["decisions"], "", "nothing that there is"]
                plain["decisions"] = [chance.choice(decisions) for _ in plain["decisions"]]
            case 5:
                zone[3], zone[4] = chance.choice([True, False]), chance.choice([0, 10**9 - 1])
            case 6:
                zone[1] = marker[2] = chance.choice(["public", "nobody", "seat.1", "secret.2", f"as:{marker[0]}"])
            case _:
                some = chance.choice([zones, markers])
                some.append(some.pop(chance.randrange(len(some))))
                del some[len(some) - chance.randrange(2) :]
    return msgspec.convert(plain, TableLayout)


def _take_one(source: dict[str, int], target: dict[str, int], chance: Random) -> None:
    if source:
        component = chance.choice(sorted(source))
        source[component] -= 1
        if not source[component]:
            del source[component]
        target[component] = target.get(component, 0) + 1


def fields(found: Iterable[Any]) -> set[str]:
    """What problems are about."""
    return {problem.field.partition("[")[0] for problem in found}


@pytest.mark.parametrize("adapter", TITLES)
def test_any_layout_is_judged_and_none_raises(adapter: Adapter) -> None:
    about: set[str] = set()
    for seed in range(6):
        chance = Random(f"odd {seed}")
        setup = mixed_setup(adapter.title, seed, chance.choice(adapter.players))
        with playout(adapter, seed, setup) as game:
            for _ in range(40):
                for _ in range(chance.randrange(5)):
                    if not game.play.is_over():
                        game.step()
                if not game.play.is_over():
                    about |= fields(problems(adapter.title, setup, odd(layout_of(game.table), chance)))
    assert {"zones", "markers", "components", "decisions"} <= about
