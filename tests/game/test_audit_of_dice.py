"""The draws of finished games, verified with the program of ``docs/dice.md``."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.game.games import start
from tests.service.tiny_title import TINY

from boardkeeper.game.events import GameCreated, GameEnded, GameEvent, SeatJoined
from boardkeeper.table.effects import Draw, Shuffle
from boardkeeper.table.table import Table
from boardkeeper.table.zones import Pile
from boardkeeper.testkit.games import finish_game
from boardkeeper.titlekit.title import Title
from boardkeeper.titles.registry import load_title


@pytest.fixture(scope="module")
def published(repository: Path) -> dict[str, Any]:
    """The functions of the published program."""
    (program,) = re.findall(r"```python\n(.*?)```", (repository / "docs/dice.md").read_text("utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(program, names)
    return names


def audit(published: dict[str, Any], events: list[GameEvent]) -> int:
    """Check every draw and shuffle of a game. Return their number."""
    created, ended = events[0].detail, events[-1].detail
    assert isinstance(created, GameCreated)
    assert isinstance(ended, GameEnded)
    secret = bytes.fromhex(ended.secret)
    assert published["commitment"](secret) == created.commitment
    entropies = dict.fromkeys(range(1, len(created.seats) + 1), b"")
    for event in events:
        if isinstance(event.detail, SeatJoined):
            entropies[event.seat] = bytes.fromhex(event.detail.entropy)
    key = published["make_key"](secret, list(entropies.values()))

    table = Table(created.layout)
    checked = 0
    for event in events:
        for effect in event.effects:
            if isinstance(effect, Draw):
                zone = table.zones[effect.zone]
                assert isinstance(zone, Pile)
                contents = [component for component, count in zone.items.items() for _ in range(count)]
                drawn = published["draw"](key, zone.id, zone.counter, contents, len(effect.drawn))
                assert (effect.counter, effect.drawn) == (zone.counter, tuple(drawn)), event
                checked += 1
            elif isinstance(effect, Shuffle):
                stack = table.stack(effect.zone)
                after = published["shuffle"](key, stack.id, stack.counter, stack.order)
                assert (effect.counter, effect.after) == (stack.counter, tuple(after)), event
                checked += 1
            table.apply(effect)
    return checked


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("title", "fewest"), [(TINY, 1), (load_title("orleans"), 18)], ids=["tiny", "orleans"])
def test_every_draw_of_a_game_can_be_verified(published: dict[str, Any], title: Title, fewest: int, seed: int) -> None:
    game, events = start(b"mine", b"", b"\x00" * 16, title=title)
    events += finish_game(game, Random(seed))
    assert audit(published, events) >= fewest


def test_another_secret_has_another_commitment(published: dict[str, Any]) -> None:
    game, events = start(b"mine", b"", title=load_title("orleans"))
    events += finish_game(game, Random(1))
    created = events[0].detail
    assert isinstance(created, GameCreated)
    assert published["commitment"](bytes(32)) != created.commitment
