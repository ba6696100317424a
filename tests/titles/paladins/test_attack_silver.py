"""The silver for missing strength in an attack, under both readings."""

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


def create_table(reading: str, *empty: int) -> Paladins:
    """Create a table with these places of the outsider row empty."""
    setup = complete(META, Setup("", 2, {}, {"attack_top_up": reading}))
    play = TITLE.play(Table(TITLE.layout(setup)), Dice(b"seed"), setup)
    play.set_up()
    for at in empty:
        place = play.t.outsiders[at]
        play.t.move(next(iter(place.items)), place, play.t.outsider_discard)
    return play.t


def costs(t: Paladins, level: int) -> list[int]:
    """Return the cost of each outsider in the row."""
    return [attack.cost(t, level, at) for at, place in enumerate(t.outsiders) if place.items]


@pytest.mark.parametrize(
    ("level", "expected"), [(2, [0, 1, 2, 3, 4, 5]), (5, [0, 0, 0, 1, 2, 3]), (0, [1, 2, 3, 4, 5, 6])]
)
def test_by_cards_skipped_every_outsider_beyond_the_strength_costs_a_silver(level: int, expected: list[int]) -> None:
    assert costs(create_table("by_cards_skipped"), level) == expected


def test_by_cards_skipped_no_outsider_beyond_the_strength_is_free() -> None:
    assert costs(create_table("by_cards_skipped", 0, 1), 4) == [1, 2, 3, 4]
    assert costs(create_table("by_cards_skipped", 1, 3), 4) == [0, 1, 2, 3]


def test_by_flag_two_missing_points_cost_a_silver_also_for_empty_places() -> None:
    assert costs(create_table("by_flag", 0, 1), 4) == [1, 2, 3, 4]
    assert costs(create_table("by_flag", 3), 5) == [0, 0, 0, 2, 3]
