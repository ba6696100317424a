"""Games with undos in the format of 0.1.0: each undo inverts all earlier ones, so the number of effects doubles."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace
from tests.game.games import join_all
from tests.game.records import ORLEANS

from boardkeeper.game.creation import create_game
from boardkeeper.game.events import GameCreated, GameEvent, Undone
from boardkeeper.game.game import Game
from boardkeeper.game.undo_effects import invert
from boardkeeper.table.rejections import Rejection
from boardkeeper.testkit.games import ID, SECRET, finish_game, give
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.orleans.commands import PlaceFollower, WithdrawFollower

PLACE = PlaceFollower("own_boatman", "ship", "boatman")
WITHDRAW = WithdrawFollower("ship", "boatman")


def busy_game(commands: int, *, rules: str = "1", planning: str = "open") -> tuple[Game, list[GameEvent]]:
    """Start a game of Orléans under a version of the rules. Seat 1 alternately places and withdraws a follower."""
    setup = Setup("", 2, {"planning": planning})
    game, events = create_game(ID, ORLEANS, setup, ["person"] * 2, SECRET, "boardkeeper 0.1.0", "", 1)
    created = events[0].detail
    assert isinstance(created, GameCreated)
    events[0] = replace(events[0], detail=replace(created, rules_version=rules))
    game.commit(events)
    join_all(game, events)
    for number in range(commands):
        events += give(game, 1, WITHDRAW if number % 2 else PLACE, id=f"1:busy-{number}")
    return game, events


def undo_in_old_format(game: Game, history: list[GameEvent], seat: int, id: str) -> GameEvent:
    """Undo the last command of a seat, in the format of 0.1.0."""
    first = game.first_undo_version(seat)
    assert isinstance(first, int)
    past = history[first - 1 :]
    decided = game.request_undo(seat, past, id, 9)
    assert not isinstance(decided, Rejection), decided
    (undone,) = decided
    assert isinstance(undone.detail, Undone)
    full = invert([effect for event in past for effect in event.effects])
    stored = replace(undone, effects=full)
    game.commit([stored])
    history.append(stored)
    return stored


def game_with_old_undos(undos: int, *, to_the_end: bool = True) -> list[GameEvent]:
    """Return the events of a game in which a seat undoes its last commands a number of times in a row."""
    game, events = busy_game(undos)
    for number in range(undos):
        undo_in_old_format(game, events, 1, f"1:undo-{number}")
    return events + (finish_game(game, Random(1)) if to_the_end else [])
