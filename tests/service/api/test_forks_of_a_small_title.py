"""Forks of a small title: play, undo, record, verification and import."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from uuid import UUID

import pytest
from tests.service.cache.test_game_registry import PERSONS, GameService, open_service
from tests.service.tiny_title import load_title

from boardkeeper.game.game import ENDED
from boardkeeper.game.seat_actions import AnswerUndo, RequestUndo, SubmitCommands
from boardkeeper.service.games.records import Records
from boardkeeper.table.visibility import OPERATOR

pytestmark = pytest.mark.databases


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[GameService]:
    async with open_service(tmp_path / "games.db") as service:
        yield service


@pytest.fixture
async def other_service(tmp_path: Path) -> AsyncIterator[GameService]:
    async with open_service(tmp_path / "elsewhere.db") as service:
        yield service


async def play(service: GameService, game: UUID, turns: int) -> None:
    """Play random turns until the game ends or ``turns`` were played."""
    chance = Random(turns)
    live = await service.registry.get(game)
    for _ in range(turns):
        if live.game.status == ENDED:
            break
        (seat,) = live.game.table.deciding()
        await service.handler.act(
            game, seat, SubmitCommands([chance.choice(live.game.legal(seat))]), f"at {live.game.version}"
        )
        live = await service.registry.get(game)


@pytest.mark.parametrize("viewer", [OPERATOR, 1])
async def test_a_fork_is_played_undone_recorded_and_imported(
    service: GameService, other_service: GameService, viewer: int
) -> None:
    original = await service.game()
    await play(service, original, 5)
    fork = (await service.creator.fork(original, None, viewer, PERSONS, "")).game
    await play(service, fork, 1)
    game = (await service.registry.get(fork)).game
    (deciding,) = game.table.deciding()
    await service.handler.act(fork, 3 - deciding, RequestUndo(), "back")
    if game.undo.vote is not None:
        await service.handler.act(fork, game.undo.vote.waiting[0], AnswerUndo(game.undo.vote.version, True), "agreed")
    assert game.table.deciding() == [3 - deciding]
    await play(service, fork, 20)

    records = Records(service.handler, load_title, service.application.database.key)
    live = await service.registry.get(fork)
    report = await records.check(live, OPERATOR)
    assert report.holds, report.problems
    lines = await records.lines(live, OPERATOR)
    id, _ = await Records(other_service.handler, load_title, other_service.application.database.key).import_record(
        b"".join(lines)
    )
    imported_game = (await other_service.registry.get(id)).game
    assert imported_game.table.contents() == live.game.table.contents()
    assert (imported_game.created.forked_game, imported_game.created.position) == (str(original), True)
