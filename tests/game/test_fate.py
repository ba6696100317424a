"""The future dice results change neither the legal commands nor whether a command or a batch would be accepted.

Otherwise a client could learn future results without acting.
"""

from __future__ import annotations

from random import Random

import pytest
from msgspec import Struct
from tests.game.games import create
from tests.game.records import ORLEANS, load_title

from boardkeeper.game.game import RUNNING
from boardkeeper.table.dice import Dice
from boardkeeper.testkit.games import give
from boardkeeper.titlekit.title import Setup, Title
from boardkeeper.titles.registry import list_metas

TITLES = ["tiny", *(meta.id for meta in list_metas())]
OTHER_DICE = [Dice(bytes([key]) * 32) for key in range(3)]


@pytest.mark.parametrize("title", TITLES)
def test_dice_change_no_answer(title: str) -> None:
    compare_answers(load_title(title), seed=21, moves=2000, most=6)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 22))
@pytest.mark.parametrize("title", TITLES)
def test_soak_dice_change_no_answer(title: str, seed: int) -> None:
    compare_answers(load_title(title), seed, moves=2000, most=12)


def compare_answers(title: Title, seed: int, moves: int, most: int) -> None:
    """Play, and compare all answers under other dice at every step, for at most ``most`` commands and their pairs."""
    chance = Random(seed)
    setup = Setup("", 2, {"planning": chance.choice(["open", "sealed"])} if title is ORLEANS else {})
    game, _ = create("person", "person", setup=setup, title=title, secret=chance.randbytes(32))
    for seat in (1, 2):
        game.commit(game.join([seat], b"", "", 1))
    seen: dict[str, Struct] = {}
    chances = 0
    for _ in range(moves):
        if game.status != RUNNING:
            break
        assert game.play is not None
        recorder, own = game.play.recorder, game.play.recorder.dice
        seat = chance.choice(game.table.deciding())
        legal = list(game.legal(seat))
        seen |= {repr(it): it for it in legal}
        others = chance.sample(list(seen.values()), min(most, len(seen)))
        firsts = legal if len(legal) < most else chance.sample(legal, most)
        batches = [[it] for it in others] + [[first, second] for first in firsts for second in others]
        answers = []
        for dice in (own, *OTHER_DICE):
            recorder.dice = dice
            answers.append((list(game.legal(seat)), [game.check(seat, batch) for batch in batches]))
        recorder.dice = own
        assert all(answer == answers[0] for answer in answers), (seed, game.version, seat)
        decided = give(game, seat, chance.choice(legal))
        chances += any(type(effect).__name__ in ("Draw", "Shuffle") for event in decided for effect in event.effects)
    assert chances, "the game had draws"
