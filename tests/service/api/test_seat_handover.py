"""Seats handed over to bots, and resignation."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.databases import database_access
from tests.service.api_server import Api, bearer, grpc_error, run_server
from tests.service.cache.test_game_registry import PERSONS
from tests.service.cache.test_peer_sync import Process, check_equal_to_the_log, pair, processes, start_game
from tests.service.tiny_title import DrawPearl, PassCoin
from tests.waiting import SECONDS

from boardkeeper.game.game import ENDED
from boardkeeper.game.seat_actions import (
    AnswerUndo,
    HandSeatToBot,
    RequestUndo,
    ResignSeat,
    SubmitCommands,
    TakeSeatBack,
)
from boardkeeper.service.games.bots import Bots
from boardkeeper.service.requests.errors import RejectedError
from boardkeeper.service.storage.projection_rebuild import rebuild
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.registry import load_title as load_registered
from boardkeeper.v1 import game_pb2, games_pb2, history_pb2

__all__ = ["pair", "processes"]

SEAT = games_pb2.SeatRequest
THREE = (SEAT(name="Ada"), SEAT(name="Bob"), SEAT())


async def hand_over(api: Api, game: str, seat: int, token: str, id: str = "hand", bot: str = "") -> Any:
    request = games_pb2.HandSeatToBotRequest(game_id=game, seat=seat, command_id=id, bot=bot)
    return await api.games.HandSeatToBot(request, metadata=bearer(token))


async def take_back(api: Api, game: str, seat: int, token: str, id: str = "take") -> Any:
    request = games_pb2.TakeSeatBackRequest(game_id=game, seat=seat, command_id=id)
    return await api.games.TakeSeatBack(request, metadata=bearer(token))


async def resign(api: Api, game: str, seat: int, token: str, id: str = "resign") -> Any:
    request = games_pb2.ResignSeatRequest(game_id=game, seat=seat, command_id=id)
    return await api.games.ResignSeat(request, metadata=bearer(token))


async def until(api: Api, game: str, holds: Callable[[game_pb2.Game], bool]) -> game_pb2.Game:
    """Wait until a condition holds for a game, and return the game."""
    async with asyncio.timeout(SECONDS):
        version = 1
        while True:
            request = games_pb2.GetGameRequest(game_id=game, min_version=version)
            found: game_pb2.Game = (await api.games.GetGame(request)).game
            if holds(found):
                return found
            async for _ in api.games.WatchGame(games_pb2.WatchGameRequest(game_id=game, after_version=found.version)):
                break
            version = found.version


@pytest.mark.databases
async def test_a_bot_plays_a_seat_until_its_person_takes_it_back(api: Api) -> None:
    game, tokens = await api.create()
    id = game.game_id
    handed_over = await hand_over(api, id, 1, tokens[1])
    assert [event.name for event in handed_over.events] == ["SeatHandedToBot"]
    assert handed_over.events[0].sentence == "A bot takes over for Ada."
    again = await hand_over(api, id, 1, tokens[1])
    assert (again.repeated, again.version) == (True, handed_over.version)
    at = await until(api, id, lambda it: 1 not in it.deciding)
    assert (at.seats[0].bot, at.seats[0].handed_over, at.seats[0].name) == (
        "sensible",
        True,
        "Ada",
    )
    (listed,) = (await api.games.ListGames(games_pb2.ListGamesRequest())).games
    assert listed.seats[0].bot == "sensible"
    legal = await api.legal(id, 2, tokens[2])
    async with grpc_error(grpc.StatusCode.FAILED_PRECONDITION, "SEAT_PLAYED_BY_BOT"):
        await api.submit(id, 1, tokens[1], "mine", legal.commands[0].command)
    async with grpc_error(grpc.StatusCode.FAILED_PRECONDITION, "SEAT_PLAYED_BY_BOT"):
        await api.games.RequestUndo(
            games_pb2.RequestUndoRequest(game_id=id, seat=1, command_id="undo"), metadata=bearer(tokens[1])
        )
    seen = await api.games.GetBoard(games_pb2.GetBoardRequest(game_id=id), metadata=bearer(tokens[1]))
    assert seen.version, "its person still sees the board of the seat"
    taken_back = await take_back(api, id, 1, tokens[1])
    assert [event.name for event in taken_back.events] == ["SeatTakenBack"]
    back = await api.game(id)
    assert (back.seats[0].bot, back.seats[0].handed_over) == ("", False)
    async with grpc_error(grpc.StatusCode.FAILED_PRECONDITION, "SEAT_NOT_HANDED_OVER"):
        await take_back(api, id, 1, tokens[1], "again")


async def test_only_the_seats_own_token_hands_over_takes_back_and_resigns(api: Api) -> None:
    game, tokens = await api.create(SEAT(), SEAT(), SEAT(bot="random"))
    for act in (hand_over, take_back, resign):
        async with grpc_error(grpc.StatusCode.PERMISSION_DENIED):
            await act(api, game.game_id, 1, tokens[2])
        async with grpc_error(grpc.StatusCode.UNAUTHENTICATED):
            await act(api, game.game_id, 3, "")
    async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT) as problems:
        await hand_over(api, game.game_id, 1, tokens[1], bot="genius")
    assert "sensible" in str(problems[0])


@pytest.mark.databases
async def test_a_bot_continues_with_a_seat_after_a_restart(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        game, tokens = await api.create()
        await hand_over(api, game.game_id, 1, tokens[1])
        await until(api, game.game_id, lambda it: 1 not in it.deciding)
    async with run_server(tmp_path / "games.db") as api:
        at = await api.game(game.game_id)
        assert at.seats[0].handed_over
        await hand_over(api, game.game_id, 2, tokens[2], bot="random")
        ended = await until(api, game.game_id, lambda it: it.status == game_pb2.GAME_STATUS_ENDED)
        assert len(ended.standings) == 2
        verified = await api.history.VerifyGame(history_pb2.VerifyGameRequest(game_id=game.game_id))
        assert not verified.verification.problems


@pytest.mark.databases
async def test_a_seat_keeps_its_name_after_handover_and_resignation(api: Api) -> None:
    game, tokens = await api.create(SEAT(), SEAT(bot="sensible"), SEAT(name="Cleo"))
    id = game.game_id

    async def names(language: str = "en") -> set[tuple[str, ...]]:
        metadata = (("accept-language", language),)
        one_game = (await api.games.GetGame(games_pb2.GetGameRequest(game_id=id), metadata=metadata)).game
        (listed,) = (await api.games.ListGames(games_pb2.ListGamesRequest(), metadata=metadata)).games
        return {tuple(seat.display_name for seat in it.seats) for it in (one_game, listed)}

    assert await names() == {("Seat 1", "Bot 2", "Cleo")}
    handed_over = await hand_over(api, id, 1, tokens[1])
    assert handed_over.events[0].sentence == "A bot takes over for Seat 1."
    assert await names() == {("Seat 1", "Bot 2", "Cleo")}
    assert await names("de") == {("Platz 1", "Bot 2", "Cleo")}
    await resign(api, id, 1, tokens[1])
    assert await names() == {("Seat 1", "Bot 2", "Cleo")}


@pytest.mark.databases
async def test_a_bot_that_replaces_a_person_does_not_consent_to_undos(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        game, tokens = await api.create()
        id = game.game_id
        for seat in (1, 2):
            legal = await api.legal(id, seat, tokens[seat])
            await api.submit(id, seat, tokens[seat], "first", legal.commands[0].command)
        await hand_over(api, id, 2, tokens[2])
        undo_request = await api.games.RequestUndo(
            games_pb2.RequestUndoRequest(game_id=id, seat=1, command_id="undo"), metadata=bearer(tokens[1])
        )
        assert [event.name for event in undo_request.events] == ["UndoRequested"]
    async with run_server(tmp_path / "games.db") as api:
        at = await api.game(id)
        assert (list(at.undo_vote.waiting), at.seats[1].handed_over) == ([2], True)
        yes = games_pb2.AnswerUndoRequest(
            game_id=id, seat=2, request_version=undo_request.version, consent=True, command_id="yes"
        )
        async with grpc_error(grpc.StatusCode.FAILED_PRECONDITION, "SEAT_PLAYED_BY_BOT"):
            await api.games.AnswerUndo(yes, metadata=bearer(tokens[2]))
        await take_back(api, id, 2, tokens[2])
        assert list((await api.game(id)).undo_vote.waiting) == [2]
        undone = await api.games.AnswerUndo(yes, metadata=bearer(tokens[2]))
        assert [event.name for event in undone.events] == ["UndoConsented", "Undone"]
        await resign(api, id, 1, tokens[1])
        verified = await api.history.VerifyGame(history_pb2.VerifyGameRequest(game_id=id))
        assert not verified.verification.problems


@pytest.mark.databases
async def test_a_seat_that_resigns_is_last_and_the_game_continues(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        game, tokens = await api.create(*THREE)
        resignation = await resign(api, game.game_id, 3, tokens[3])
        assert resignation.events[0].sentence == "Seat 3 resigns; a bot takes over."
        at = await api.game(game.game_id)
        assert (at.seats[2].bot, at.seats[2].resigned, at.seats[2].handed_over) == ("sensible", True, False)
        assert at.status == game_pb2.GAME_STATUS_RUNNING
        async with grpc_error(grpc.StatusCode.FAILED_PRECONDITION, "SEAT_RESIGNED"):
            await take_back(api, game.game_id, 3, tokens[3])
        ended = await resign(api, game.game_id, 1, tokens[1])
        assert [event.name for event in ended.events] == ["SeatResigned", "GameEnded"]
        at = await api.game(game.game_id)
        assert (at.status, list(at.deciding)) == (game_pb2.GAME_STATUS_ENDED, [])
        assert [(it.seat, it.rank) for it in at.standings] == [(2, 1), (1, 2), (3, 3)]
        verified = await api.history.VerifyGame(history_pb2.VerifyGameRequest(game_id=game.game_id))
        assert not verified.verification.problems
        pieces = [it.data async for it in api.history.GetRecord(history_pb2.GetRecordRequest(game_id=game.game_id))]
    async with run_server(tmp_path / "elsewhere.db") as other:
        await other.history.ImportRecord(history_pb2.ImportRecordRequest(data=it) for it in pieces)
        imported = await other.game(game.game_id)
        assert [(it.seat, it.rank) for it in imported.standings] == [(2, 1), (1, 2), (3, 3)]
        assert imported.seats[2].bot == "sensible"
        (listed,) = (await other.games.ListGames(games_pb2.ListGamesRequest())).games
        for it in (imported, listed):
            assert [seat.display_name for seat in it.seats] == ["Seat 1", "Seat 2", "Seat 3"]


@pytest.mark.databases
async def test_rebuilt_projections_contain_handovers(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        game, tokens = await api.create(*THREE)
        await hand_over(api, game.game_id, 1, tokens[1])
        await resign(api, game.game_id, 2, tokens[2])
    path = tmp_path / "games.db"
    rebuilt = rebuild(database_access.db_argument(path), load_registered, key_file=database_access.key_path(path))
    assert not rebuilt.differences


async def test_handovers_are_known_to_other_processes(pair: tuple[Process, Process]) -> None:
    one, other = pair
    game = await start_game(one, other)
    await one.handler.act(game, 1, HandSeatToBot("random"), "hand")
    with pytest.raises(RejectedError) as caught:
        await other.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "mine")
    assert caught.value.rejection.code == "SEAT_PLAYED_BY_BOT"
    assert (await other.registry.get(game)).seats[0].kind == "bot.random"
    outcome = await other.handler.act(game, 1, TakeSeatBack(), "take")
    await one.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "mine")
    repeated = await one.handler.act(game, 1, TakeSeatBack(), "take")
    assert (repeated.repeated, repeated.version) == (True, outcome.version)
    await other.handler.act(game, 2, ResignSeat(), "resign")
    with pytest.raises(RejectedError) as caught:
        await one.handler.act(game, 2, SubmitCommands([PassCoin(1)]), "late")
    assert caught.value.rejection.code == "GAME_OVER"
    for process in pair:
        await check_equal_to_the_log(process, game)
        assert (await process.registry.get(game)).game.status == ENDED


async def test_an_undo_waits_for_a_replaced_person_on_several_processes(pair: tuple[Process, Process]) -> None:
    one, other = pair
    game = await start_game(one, other)
    await one.handler.act(game, 1, SubmitCommands([DrawPearl()]), "draw")
    await one.handler.act(game, 2, HandSeatToBot("random"), "hand")
    undo_request = await other.handler.act(game, 1, RequestUndo(), "undo")
    assert [it.event.topic for it in undo_request.events] == ["game.UndoRequested"]
    bots = Bots(one.handler)
    assert await bots._play(game), "the other process has already played"
    assert not await bots._play(game), "bots wait for a vote"
    with pytest.raises(RejectedError) as caught:
        await one.handler.act(game, 2, AnswerUndo(undo_request.version, True), "as the bot")
    assert caught.value.rejection.code == "SEAT_PLAYED_BY_BOT"
    await other.handler.act(game, 2, TakeSeatBack(), "back")
    live = await one.registry.get(game)
    await one.registry.peer_sync.catch_up(live)
    assert live.game.undo.vote is not None
    assert live.game.undo.vote.waiting == (2,)
    done = await one.handler.act(game, 2, AnswerUndo(undo_request.version, True), "yes")
    assert [it.event.topic for it in done.events] == ["game.UndoConsented", "game.Undone"]
    for process in pair:
        await check_equal_to_the_log(process, game)


async def test_the_bot_of_another_process_plays_a_handed_over_seat(pair: tuple[Process, Process]) -> None:
    """The process that handed it over could die before its bot decides."""
    one, other = pair
    game = (await one.creator.create("tiny", Setup("", 2), PERSONS, "")).game
    await one.handler.act(game, 1, HandSeatToBot("random"), "hand")
    find = other.registry.application.game_tables.running_with_bots
    assert (await other.registry.application.read(lambda: find(0)))[0] == [game]
    bots = Bots(other.handler)
    assert await bots._play(game)
    live = await other.registry.get(game)
    assert live.game.table.decisions[2] == "turn"
    assert not await bots._play(game), "the other seat is a person's"
