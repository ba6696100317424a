"""Whatever is accepted as a position can be played: to the end, or as long as we like, without losing a component."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from tests.titles.orleans.playouts import Playout, playout, standard, varied

from boardkeeper.table.dice import Dice
from boardkeeper.table.table import Table
from boardkeeper.table.title import PositionError, Setup
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.titles.orleans.board import Board
from boardkeeper.titles.orleans.play import OrleansPlay
from boardkeeper.titles.orleans.position_decisions import DECISIONS
from boardkeeper.titles.orleans.title import TITLE

EVENTS = ("pilgrimage", "income", "harvest", "taxes", "trading_day", "plague")
PLACES = ("", "town_hall", "bathhouse", "gunpowder_tower", "ship")


def copy(game: Playout) -> OrleansPlay:
    """The same table once more, to be spoiled."""
    return game.bind(Table(TITLE.position(game.setup, game.play.board(OPERATOR))))


# --- spoiling a table: totals stay, sense does not ---------------------------------------------------------------


def carry(random: Random, play: OrleansPlay) -> None:
    """Put something where it need not belong."""
    t = play.t
    source = random.choice([zone for zone in t.table.zones.values() if zone.counts()])
    component = random.choice(sorted(source.counts()))
    seat = random.choice(t.seats)
    near = [seat.bag, seat.market, seat.drawn, seat.goods, seat.technology, seat.place_tiles, t.supply, t.removed]
    near += [t.goods_market, *t.deeds.values(), *t.towns.values(), *(x.pile for x in seat.estate().spaces.values())]
    anywhere = list(t.table.zones.values())
    target = random.choice(near) if random.random() < 0.7 else random.choice(anywhere)
    source.take(component, 1)
    target.put(component, 1)


def turn(random: Random, play: OrleansPlay) -> None:
    """Let a marker say something else."""
    t = play.t
    marker = random.choice(list(t.table.markers.values()))
    if isinstance(marker.value, int):
        near = (marker.value + 1, marker.value - 1, t.round.value, -t.round.value)
        marker.value = random.choice((0, 0, 1, 1, 2, 3, 5, 8, 12, 25, *near))
        return
    words: dict[str, Any] = {
        "phase": (*DECISIONS, "over", "?"),
        "action_place": PLACES,
        "event": EVENTS,
        "strength": (*t.data.piles, "?"),
    }
    marker.value = random.choice(words.get(marker.id, tuple(t.towns)))


def ask(random: Random, play: OrleansPlay) -> None:
    """Let a seat have to decide something, with more or less of what belongs to it."""
    t, decisions = play.t, play.t.table.decisions
    phase = random.choice(list(DECISIONS))
    decision = random.choice(DECISIONS[phase])
    seat = random.choice(t.seats)
    if random.random() < 0.7:
        decisions[:] = [""] * len(decisions)
    decisions[seat.number] = decision
    if random.random() < 0.2:
        return
    t.phase.value = phase
    t.acting.value = seat.number if phase == "actions" else 0
    t.cursor.value = t.clockwise().index(seat) + 1
    t.action_place.value = random.choice(PLACES[1:]) if decision in ("deed", "bathhouse") else ""
    for each in t.seats:
        each.passed.value = int(phase == "event" or (decision == "technology" and each is seat))
        each.planned.value = int(not decisions[each.number])
        each.debt.value = each.food_due.value = 0
    if decision == "torture":
        seat.debt.value, seat.coins.value = random.randint(1, 6), 0
    if decision == "harvest":
        seat.food_due.value = random.randint(1, 3)


def spoiled(random: Random, game: Playout) -> Board | None:
    """The board of a spoiled copy; nothing if not even a board can be made of it."""
    play = copy(game)
    try:
        for _ in range(random.choice((1, 1, 2, 3, 5))):
            random.choice((carry, carry, turn, ask))(random, play)
        return play.board(OPERATOR)
    except (IndexError, KeyError):
        return None


def scrambled(random: Random, board: Board) -> Board | None:
    """A board with some of its values exchanged as they come."""
    values = msgspec.json.decode(msgspec.json.encode(board))
    for _ in range(random.choice((1, 2))):
        at: Any = values
        while True:
            key = random.choice(list(at) if isinstance(at, dict) else range(len(at))) if at else None
            if key is None:
                break
            if isinstance(at[key], (dict, list)) and at[key] and random.random() < 0.9:
                at = at[key]
                continue
            kinds: dict[type, Any] = {
                bool: (True, False),
                int: (-1, 0, 1, 7, 10**9, 10**12),
                str: ("", "monk", "own_farmer", "technology", "ship", "any", "school", "orleans", "torture", "?"),
                dict: ({}, {"monk": 1}, {"?": 1}, {"wool": -1}),
                list: ([], at[key] * 2, at[key][1:]) if isinstance(at[key], list) else (),
            }
            at[key] = random.choice(kinds[type(at[key])])
            break
    try:
        return msgspec.convert(values, Board)
    except msgspec.ValidationError:
        return None


# --- playing what was accepted -----------------------------------------------------------------------------------


def plays_on(random: Random, setup: Setup, board: Board, steps: int) -> bool:
    """Play on from a board, if it is accepted as a position; whether it is."""
    try:
        layout = TITLE.position(setup, board)
    except PositionError:
        return False
    table = Table(layout)
    play = TITLE.play(table, Dice(b""), setup)
    components = table.components()
    for _ in range(steps):
        if play.is_over():
            break
        seat = random.choice(table.deciding())
        command = random.choice(play.legal(seat))
        rejection = play.decide(seat, command)
        assert rejection is None, f"{command}: {rejection}"
        assert play.recorder.take()
    assert table.components() == components
    assert all(count > 0 for zone in table.zones.values() for count in zone.counts().values())
    return True


def try_many(seed: int, times: int, steps: int) -> tuple[int, int]:
    """How many spoiled boards of one game were accepted, and how many were tried."""
    random = Random(f"fuzz {seed}")
    players = 2 + seed % 4
    accepted = tried = 0
    with playout(seed, varied(seed, players) if seed % 2 else standard(players)) as game:
        for _ in range(4):
            for _ in range(random.randrange(20, 50 * players)):
                if not game.play.is_over():
                    game.step()
            if game.play.is_over():
                break
            for _ in range(times):
                if random.random() < 0.75:
                    board = spoiled(random, game)
                else:
                    board = scrambled(random, game.play.board(OPERATOR))
                if board is not None:
                    tried += 1
                    accepted += plays_on(random, game.setup, board, steps)
    return accepted, tried


def test_spoiled_positions_are_refused_or_can_be_played() -> None:
    results = [try_many(seed, 20, 60) for seed in range(6)]
    accepted, tried = (sum(numbers) for numbers in zip(*results, strict=True))
    assert tried > 300
    assert tried / 50 < accepted < tried / 2, (accepted, tried)


def test_spoiled_positions_that_are_accepted_come_to_an_end() -> None:
    results = [try_many(seed, 2, 10**6) for seed in range(100, 112)]
    assert sum(accepted for accepted, _ in results) > 5


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(20))
def test_soak(chunk: int) -> None:
    """A hundred thousand spoiled boards."""
    for seed in range(1000 + chunk * 20, 1000 + (chunk + 1) * 20):
        try_many(seed, 60, 100)
