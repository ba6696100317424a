"""Policies: scores of commands, on which the sensible bot is built, and evaluations of running games."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from msgspec import Struct
from tests.kit.families import members

from boardkeeper.families.followers import bots
from boardkeeper.game.choices import complete
from boardkeeper.testkit.bot_games import play_bot_game
from boardkeeper.titlekit.policies import policy_of
from boardkeeper.titlekit.redaction import redacted_play
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.registry import load_title


@pytest.mark.parametrize("id", members("followers"))
def test_scores_depend_only_on_what_the_seat_sees(id: str) -> None:
    """They are the same on the redacted table, and without values that an earlier call has computed."""
    title, chance = load_title(id), Random(1)
    policy = policy_of(title)
    assert policy is not None

    def watch(play: Any, seat: int, legal: Sequence[Struct]) -> None:
        scores = policy.scores(play, seat, legal)
        assert len(scores) == len(legal)
        if chance.random() < 0.2:
            bots.forget_valuations()
            with redacted_play(title, setup, play.table, seat) as redacted:
                assert policy.scores(redacted, seat, legal) == scores

    setup = complete(title.meta, Setup("", 2))
    play, _ = play_bot_game(title, ("sensible", "sensible"), "policy", watch)
    final = {standing.seat: standing.points for standing in play.standings()}
    assert policy.evaluate(play) == [final[1], final[2]]
