"""Score sheets over a real socket: during the game, and at the end as the result."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.service.api_server import Api, bearer

from boardkeeper.v1 import games_pb2

pytestmark = [pytest.mark.socket, pytest.mark.databases]


async def get_table(
    api: Api, game_id: str, token: str = "", language: str = "en", **more: Any
) -> games_pb2.GetTableResponse:
    request = games_pb2.GetTableRequest(game_id=game_id, **more)
    metadata = (*(bearer(token) if token else ()), ("accept-language", language))
    answer: games_pb2.GetTableResponse = await api.games.GetTable(request, metadata=metadata)
    return answer


async def get_scores(api: Api, game_id: str, at: int, **more: Any) -> Any:
    """Return the score sheet from `GetScores`, which must be of version ``at``."""
    answer = await api.games.GetScores(games_pb2.GetScoresRequest(game_id=game_id, **more))
    assert answer.version == at
    return answer.score_sheet


async def test_scores_now_and_at_past_versions(api: Api) -> None:
    game, tokens = await api.create()
    assert not (await get_table(api, game.game_id, version=1)).HasField("score_sheet")
    chance = random.Random(3)
    seen: dict[int, Any] = {}
    for _ in range(60):
        now = await get_table(api, game.game_id, tokens[1])
        seen[now.version] = now.score_sheet
        assert now.score_sheet.running
        assert not now.score_sheet.ranks
        assert (await get_table(api, game.game_id)).score_sheet == now.score_sheet
        assert await get_scores(api, game.game_id, now.version) == now.score_sheet
        await api.play_turn(game.game_id, tokens, chance)
    for version, then in seen.items():
        assert (await get_table(api, game.game_id, version=version)).score_sheet == then
        assert await get_scores(api, game.game_id, version, version=version) == then
    german = (await get_table(api, game.game_id, language="de")).score_sheet
    assert [line.text for line in german.lines][:2] == ["Münzen", "Waren"]


async def test_the_final_score_is_the_result(api: Api) -> None:
    game, _ = await api.create(games_pb2.SeatRequest(bot="random"), games_pb2.SeatRequest(bot="random"))
    async for _ in api.games.WatchGame(games_pb2.WatchGameRequest(game_id=game.game_id)):
        pass
    over = await api.game(game.game_id)
    now = await get_table(api, game.game_id)
    sheet = now.score_sheet
    assert not sheet.running
    standings = sorted(over.standings, key=lambda it: it.seat)
    assert list(sheet.totals) == [it.points for it in standings]
    assert list(sheet.totals) == [sum(points) for points in zip(*(line.points for line in sheet.lines), strict=True)]
    assert list(sheet.ranks) == [it.rank for it in standings]
    assert (await get_table(api, game.game_id, version=over.version)).score_sheet == sheet
    assert await get_scores(api, game.game_id, over.version, min_version=over.version) == sheet
    assert (await get_table(api, game.game_id, version=over.version // 2)).score_sheet.running


async def test_points_that_the_viewer_cannot_know_are_marked(api: Api) -> None:
    """Nations and messages are secret until the end, so each seat has only what is public."""
    answer = await api.games.CreateGame(
        games_pb2.CreateGameRequest(
            title="stories",
            edition="england-vs-france",
            seats=[games_pb2.SeatRequest(name=name) for name in ("Ada", "Bob", "Cleo", "Dan")],
        )
    )
    tokens = {it.seat: it.token for it in answer.seat_tokens}
    sheets = [(await get_table(api, answer.game.game_id, token)).score_sheet for token in ("", *tokens.values())]
    assert sheets == sheets[:1] * 5
    unknown = {line.id for line in sheets[0].lines if list(line.unknown_seats) == [1, 2, 3, 4]}
    assert unknown == {"mission", "messages", "majority"}
    assert all(not line.unknown_seats for line in sheets[0].lines if line.id not in unknown)
    assert sheets[0].running


async def test_a_game_that_ended_early_has_no_score_lines(api: Api) -> None:
    game, tokens = await api.create()
    resign = games_pb2.ResignSeatRequest(game_id=game.game_id, seat=2, command_id="enough")
    ended = await api.games.ResignSeat(resign, metadata=bearer(tokens[2]))
    for more in ({}, {"version": ended.version}):
        sheet = (await get_table(api, game.game_id, **more)).score_sheet
        assert not sheet.running
        assert not sheet.lines
        assert (list(sheet.totals), list(sheet.ranks)) == ([0, 0], [1, 2])
