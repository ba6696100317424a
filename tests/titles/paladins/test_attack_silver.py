"""What missing strength costs in an attack, under both readings."""

from __future__ import annotations

import pytest

from boardkeeper.game.choices import complete
from boardkeeper.table.dice import Dice
from boardkeeper.table.table import Table
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.paladins.material import Paladins
from boardkeeper.titles.paladins.meta import META
from boardkeeper.titles.paladins.phases.verbs import attack
from boardkeeper.titles.paladins.title import TITLE


def table(reading: str, *empty: int) -> Paladins:
    """A table that is laid; nobody lies on these places of the outsider row."""
    setup = complete(META, Setup("", 2, {}, {"attack_top_up": reading}))
    play = TITLE.play(Table(TITLE.layout(setup)), Dice(b"seed"), setup)
    play.set_up()
    for at in empty:
        place = play.t.outsiders[at]
        play.t.move(next(iter(place.items)), place, play.t.outsider_discard)
    return play.t


def costs(t: Paladins, level: int) -> list[int]:
    """What everybody who lies there costs."""
    return [attack.cost(t, level, at) for at, place in enumerate(t.outsiders) if place.items]


@pytest.mark.parametrize(
    ("level", "expected"), [(2, [0, 1, 2, 3, 4, 5]), (5, [0, 0, 0, 1, 2, 3]), (0, [1, 2, 3, 4, 5, 6])]
)
def test_by_cards_skipped_every_outsider_beyond_the_strength_costs_a_silver(level: int, expected: list[int]) -> None:
    assert costs(table("by_cards_skipped"), level) == expected


def test_by_cards_skipped_nobody_is_free_whom_the_strength_does_not_reach() -> None:
    assert costs(table("by_cards_skipped", 0, 1), 4) == [1, 2, 3, 4]
    assert costs(table("by_cards_skipped", 1, 3), 4) == [0, 1, 2, 3]


def test_by_flag_two_missing_points_cost_a_silver_whoever_lies_there() -> None:
    assert costs(table("by_flag", 0, 1), 4) == [1, 2, 3, 4]
    assert costs(table("by_flag", 3), 5) == [0, 0, 0, 2, 3]
