"""The size of consecutive undos: rows read, effects stored and returned.

In games of release 0.1.0 the effects of each undo are twice those of the one before.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import grpc
import pytest
from tests.game.old_undos import PLACE, WITHDRAW, game_with_old_undos
from tests.service.api_server import Api, bearer, grpc_error, run_server

from boardkeeper.game.audit import audit
from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import Game
from boardkeeper.game.record_reading import split_lines
from boardkeeper.game.seat_actions import RequestUndo, SubmitCommands
from boardkeeper.game.undo import SPARE_UNDOS, UNDOS_PER_BATCH
from boardkeeper.service.cache.game_registry import GameRegistry
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.cache.visibility_history import MAX_EFFECTS, VisibilityHistory
from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.games.game_creator import GameCreator, SeatPlan
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.changes import NewGame
from boardkeeper.service.storage.projections import build_lobby_row
from boardkeeper.service.storage.rows import SeatRow
from boardkeeper.testkit.games import ID, SECRET
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.registry import load_title
from boardkeeper.v1 import games_pb2, history_pb2
from boardkeeper.wire.messages import command_to_message
from boardkeeper.wire.signatures import verify

CONSECUTIVE = 15


@pytest.fixture
async def handler(tmp_path: Path) -> AsyncIterator[CommandHandler]:
    application = GameApplication.open(tmp_path / "games.db", load_title)
    try:
        yield CommandHandler(GameRegistry(application))
    finally:
        application.close()


async def test_consecutive_undos_read_and_store_only_the_undone_events(
    handler: CommandHandler, monkeypatch: pytest.MonkeyPatch
) -> None:
    creator = GameCreator(handler, load_title, "test")
    game = (await creator.create("orleans", Setup("", 2), (SeatPlan("Ada"), SeatPlan("Bob")), "")).game
    stored = 0
    for number in range(40):
        outcome = await handler.act(game, 1, SubmitCommands([WITHDRAW if number % 2 else PLACE]), f"do-{number}")
        stored += sum(len(it.event.effects) for it in outcome.events)
    read = 0
    application = handler.registry.application
    events = application.game_events

    def count_events(game: UUID, **limits: Any) -> list[GameEvent]:
        nonlocal read
        found = events(game, **limits)
        read += len(found)
        return found

    monkeypatch.setattr(application, "game_events", count_events)
    undone = 0
    for number in range(40):
        answer = await handler.act(game, 1, RequestUndo(), f"undo-{number}")
        undone += sum(len(it.event.effects) for it in answer.events)
    assert read == 40, "each event once"
    assert undone == stored
    again = await handler.act(game, 1, RequestUndo(), "undo-39")
    assert again.repeated
    assert read < 50, "a repeated request reads only its own events"


# --- limits ----------------------------------------------------------------------------------------------------


async def test_the_number_of_undos_is_limited(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        game, tokens = await api.create()
        place = command_to_message("orleans", PLACE)
        most = SPARE_UNDOS + UNDOS_PER_BATCH
        for number in range(most):
            await api.submit(game.game_id, 1, tokens[1], f"do-{number}", place)
            await undo(api, game.game_id, 1, tokens[1], f"undo-{number}")
        await api.submit(game.game_id, 1, tokens[1], "do", place)
        async with grpc_error(grpc.StatusCode.FAILED_PRECONDITION, "TOO_MANY_UNDOS") as problems:
            await undo(api, game.game_id, 1, tokens[1], "undo")
        assert problems[0].values["rule"] == "table.undo_in_moderation"
        assert problems[0].values["most"] == str(most)


async def undo(api: Api, game_id: str, seat: int, token: str, id: str) -> Any:
    request = games_pb2.RequestUndoRequest(game_id=game_id, seat=seat, command_id=id)
    return await api.games.RequestUndo(request, metadata=bearer(token))


# --- games of release 0.1.0 ------------------------------------------------------------------------------------


async def store_game(path: Path, events: Sequence[GameEvent]) -> None:
    """Create a database with the game."""
    application = GameApplication.open(path, load_title)
    try:
        game = Game.load(load_title("orleans"), SECRET, events)
        seats = [SeatRow(1, "person", "Ada", True), SeatRow(2, "person", "Ben", True)]
        live = LiveGame(game, seats, VisibilityHistory(events))
        await CommandHandler(GameRegistry(application)).changes.create(
            live, events, [NewGame(build_lobby_row(game, events, seats), SECRET)]
        )
    finally:
        application.close()


async def test_a_game_of_0_1_0_with_consecutive_undos_loads_streams_and_verifies(tmp_path: Path) -> None:
    events = game_with_old_undos(CONSECUTIVE)
    assert max(len(event.effects) for event in events) > 60_000
    await store_game(tmp_path / "games.db", events)
    async with run_server(tmp_path / "games.db") as api:
        watch = api.games.WatchGame(games_pb2.WatchGameRequest(game_id=str(ID)))
        watched = [it.event async for it in watch]
        assert [event.version for event in watched] == [event.originator_version for event in events]
        listed = await api.events(str(ID))
        assert listed == watched
        assert max(len(event.effects) for event in listed) <= MAX_EFFECTS
        long = [event.originator_version for event in events if len(event.effects) > MAX_EFFECTS]
        assert len(long) > 4
        assert {len(listed[version - 1].effects) for version in long} == {2}
        for version in (events[-1].originator_version // 2, 5 + 2 * CONSECUTIVE):
            await api.games.GetBoard(games_pb2.GetBoardRequest(game_id=str(ID), version=version))
        blocks = [it.data async for it in api.history.GetRecord(history_pb2.GetRecordRequest(game_id=str(ID)))]
        assert max(map(len, blocks)) < 1 << 20, "each message is within the limit of clients"
        report = audit(split_lines(blocks), load_title, verify)
        assert report.holds, report.problems
        verified = await api.history.VerifyGame(history_pb2.VerifyGameRequest(game_id=str(ID)))
        assert not verified.verification.problems


async def test_a_game_of_0_1_0_continues(tmp_path: Path) -> None:
    events = game_with_old_undos(CONSECUTIVE, to_the_end=False)
    await store_game(tmp_path / "games.db", events)
    application = GameApplication.open(tmp_path / "games.db", load_title)
    try:
        handler = CommandHandler(GameRegistry(application))
        await handler.act(ID, 1, SubmitCommands([PLACE]), "on")
        (undone,) = (await handler.act(ID, 1, RequestUndo(), "back")).events
        assert len(undone.event.effects) == 2
        repeated = await handler.act(ID, 1, RequestUndo(), f"undo-{CONSECUTIVE - 1}")
        assert repeated.repeated
        assert [len(it.event.effects) for it in repeated.events] == [2]
    finally:
        application.close()
