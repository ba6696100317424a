"""Choosing for a seat by the kind of its bot."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec import Struct

from boardkeeper.table.bots import choose


class Step(Struct, frozen=True):
    """A command."""

    to: int


STEPS = [Step(1), Step(2), Step(3)]


def farthest(board: int, seat: int, commands: Sequence[Struct]) -> Struct:
    assert (board, seat) == (7, 2), "what the seat sees"
    assert len(commands) > 1, "with one there is nothing to choose"
    return commands[-1]


def test_a_policy_is_asked_where_there_is_a_choice() -> None:
    policies = {"eager": farthest}
    assert choose(policies, "eager", 7, 2, STEPS, 0.0) == Step(3)
    assert choose(policies, "eager", 7, 2, STEPS[:1], 0.0) == Step(1)


@pytest.mark.parametrize(("chance", "to"), [(0.0, 1), (0.34, 2), (0.999, 3)])
def test_every_title_has_the_bot_that_plays_at_random(chance: float, to: int) -> None:
    assert choose({}, "random", 7, 2, STEPS, chance) == Step(to)


def test_a_kind_that_there_is_not_is_said() -> None:
    with pytest.raises(ValueError, match="unknown bot 'clever'"):
        choose({"eager": farthest}, "clever", 7, 2, STEPS[:1], 0.0)
