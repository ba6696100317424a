"""Forks of every title: games can start from them, their records are valid, and any layout can be checked."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from tests.game.records import check
from tests.kit.adapters import EACH_GAME, EACH_TITLE, adapters

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


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 5))])
@pytest.mark.parametrize(("adapter", "players"), EACH_GAME)
def test_the_record_of_a_fork_is_valid_on_every_level(adapter: Adapter, players: int, seed: int) -> None:
    """With a fork for the operator and for a seat, and an undo in each."""
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
def test_every_position_can_be_forked_or_is_rejected_for_hidden_plans(adapter: Adapter, players: int) -> None:
    """Fork for several viewers at the first occurrence of each decision, then fork the fork."""
    title, chance = adapter.title, Random(f"forks {players}")
    setup = mixed_setup(title, 2, players)
    game, history = start_game(title, setup)
    forked: dict[str, set[str]] = {"operator": set(), "others": set()}
    while game.status != ENDED:
        asked = {decision for decision in game.table.decisions if decision}
        if asked - forked["operator"]:
            forked["operator"] |= asked
            for viewer in (OPERATOR, SPECTATOR, *chance.sample(range(1, setup.players + 1), 2)):
                if check_forks(title, setup, history, viewer, chance) and viewer != OPERATOR:
                    forked["others"] |= asked
        seat = chance.choice(game.table.deciding())
        history += give(game, seat, adapter.eager(chance, game.play, seat, game.legal(seat)))
    assert len(forked["operator"]) >= len(adapter.decisions) / 3, "not every edition has all decisions"
    assert forked["others"]


def check_forks(title: Title, setup: Setup, history: list[GameEvent], viewer: int, chance: Random) -> bool:
    """Fork for a viewer, fork the fork, play on and check the record. Return False if the fork is rejected."""
    for again in range(2):
        game = Game.load(title, SECRET, history)
        known = visible_contents(game.table, viewer)
        can_deal = viewer == OPERATOR or title.exchangeable_zones(game.table, viewer) is not None
        fork = fork_game(game, viewer, chance.randbytes(16))
        if isinstance(fork, Rejection):
            assert (fork.code, again, can_deal) == ("PLANS_HIDDEN", 0, False)
            return False
        assert can_deal
        assert visible_contents(Table(fork.layout), viewer) == known
        assert not problems(title, setup, fork.layout)
        game, history = start_game(title, setup, fork)
    for _ in range(20):
        if game.status != ENDED:
            seat = chance.choice(game.table.deciding())
            history += give(game, seat, chance.choice(game.legal(seat)))
    report = check(record(history))
    assert not report.fails, report.problems
    return True


def visible_contents(table: Table, viewer: int) -> list[Any]:
    """Return the contents of a table that a viewer sees. Of hidden zones, return the number of components."""
    zones = [
        (list(zone.order) if isinstance(zone, Stack) else dict(zone.items), zone.counter)
        if sees(table, zone, viewer)
        else zone.total()
        for zone in table.zones.values()
    ]
    return [zones, [it.value for it in table.markers.values() if sees(table, it, viewer)], list(table.decisions)]


# --- invalid layouts ---------------------------------------------------------------------------------------------


def change_layout(layout: TableLayout, chance: Random) -> TableLayout:
    """Return the layout with a few random changes."""
    plain: Any = msgspec.json.decode(msgspec.json.encode(layout))
    for _ in range(chance.randint(1, 3)):
        zones, markers = plain["zones"], plain["markers"]
        zone = chance.choice([it for it in zones if it[2] or it[5]])
        other, marker = chance.choice(zones), chance.choice(markers)
        match chance.randrange(8):
            case 0:
                values = [it[1] for it in markers if type(it[1]) is type(marker[1])]
                marker[1] = chance.choice([*values, 0, -1, 10**9 - 1, 1 - 10**9, "", "no such value"])
            case 1:
                zone[2], other[2] = other[2], zone[2]
            case 2:
                _take_one(zone[2], chance.choice([other[2], {}]), chance)
            case 3:
                zone[5], other[5] = other[5], zone[5]
            case 4:
                decisions = [*plain["decisions"], "", "no such decision"]
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


@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_checking_an_invalid_layout_finds_problems_and_never_raises(adapter: Adapter) -> None:
    fields: set[str] = set()
    for seed in range(6):
        chance = Random(f"change_layout {seed}")
        setup = mixed_setup(adapter.title, seed, chance.choice(adapter.players))
        with playout(adapter, seed, setup) as game:
            for _ in range(40):
                for _ in range(chance.randrange(5)):
                    if not game.play.is_over():
                        game.step()
                if not game.play.is_over():
                    found = problems(adapter.title, setup, change_layout(layout_of(game.table), chance))
                    fields |= {problem.field.partition("[")[0] for problem in found}
    assert {"zones", "markers", "components", "decisions"} <= fields
