"""Forks of a small title: they are played, undone, recorded, verified and imported elsewhere."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from uuid import UUID

import pytest
from tests.service.cache.test_game_registry import PERSONS, House, house_on
from tests.service.tiny_title import load_title

from boardkeeper.game.game import ENDED
from boardkeeper.game.seat_actions import AnswerUndo, RequestUndo, SubmitCommands
from boardkeeper.service.games.records import Records
from boardkeeper.table.visibility import OPERATOR

pytestmark = pytest.mark.databases


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with house_on(tmp_path / "games.db") as house:
        yield house


@pytest.fixture
async def elsewhere(tmp_path: Path) -> AsyncIterator[House]:
    async with house_on(tmp_path / "elsewhere.db") as house:
        yield house


async def play(house: House, game: UUID, turns: int) -> None:
    """Random turns, or all that are left."""
    chance = Random(turns)
    live = await house.registry.get(game)
    for _ in range(turns):
        if live.game.status == ENDED:
            break
        (seat,) = live.game.table.deciding()
        await house.handler.act(
            game, seat, SubmitCommands([chance.choice(live.game.legal(seat))]), f"at {live.game.version}"
        )
        live = await house.registry.get(game)


@pytest.mark.parametrize("viewer", [OPERATOR, 1])
async def test_a_fork_is_played_undone_recorded_and_taken_in(house: House, elsewhere: House, viewer: int) -> None:
    original = await house.game()
    await play(house, original, 5)
    fork = (await house.creator.fork(original, None, viewer, PERSONS, "")).game
    await play(house, fork, 1)
    game = (await house.registry.get(fork)).game
    (deciding,) = game.table.deciding()
    await house.handler.act(fork, 3 - deciding, RequestUndo(), "back")
    if game.undo.vote is not None:
        await house.handler.act(fork, game.undo.vote.waiting[0], AnswerUndo(game.undo.vote.version, True), "agreed")
    assert game.table.deciding() == [3 - deciding]
    await play(house, fork, 20)

    records = Records(house.handler, load_title, house.application.database.key)
    live = await house.registry.get(fork)
    report = await records.check(live, OPERATOR)
    assert report.holds, report.problems
    lines = await records.lines(live, OPERATOR)
    taken_in, _ = await Records(elsewhere.handler, load_title, elsewhere.application.database.key).import_record(
        b"".join(lines)
    )
    there = (await elsewhere.registry.get(taken_in)).game
    assert there.table.contents() == live.game.table.contents()
    assert (there.created.forked_game, there.created.position) == (str(original), True)
