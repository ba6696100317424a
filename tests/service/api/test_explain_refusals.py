"""The `ExplainRefusals` RPC over a real socket: its rejections equal those of `SubmitCommands`."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.service.api_server import Api, bearer, error_details, grpc_error

from boardkeeper.client import Client
from boardkeeper.client.aio import AsyncClient
from boardkeeper.service.process.server import running_service
from boardkeeper.v1 import games_pb2
from boardkeeper.wire.errors import parse_status

pytestmark = [pytest.mark.socket, pytest.mark.databases]

SPACE = "seat.1.village.farmer"


async def explain(
    api: Api, game_id: str, seat: int, token: str, *subjects: str, language: str = "en", **more: Any
) -> games_pb2.ExplainRefusalsResponse:
    request = games_pb2.ExplainRefusalsRequest(game_id=game_id, seat=seat, subjects=subjects, **more)
    metadata = bearer(token, **{"accept-language": language})
    answer: games_pb2.ExplainRefusalsResponse = await api.games.ExplainRefusals(request, metadata=metadata)
    return answer


async def start_planning(api: Api) -> tuple[str, dict[int, str]]:
    """Create a game and play it until both seats plan."""
    game, tokens = await api.create()
    for seat, token in tokens.items():
        legal = await api.legal(game.game_id, seat, token)
        while legal.decision != "plan" and legal.commands:
            await api.submit(game.game_id, seat, token, f"on-{legal.version}", legal.commands[-1].command)
            legal = await api.legal(game.game_id, seat, token)
    return game.game_id, tokens


async def test_an_explanation_equals_the_rejection_of_the_command(api: Api) -> None:
    game, tokens = await start_planning(api)
    for language in ("en", "de"):
        answer = await explain(api, game, 1, tokens[1], "own_craftsman", SPACE, language=language)
        first = answer.explanations[0]
        assert not first.legal
        assert first.command.orleans.place_follower.follower == "own_craftsman"
        assert first.sentence
        metadata = bearer(tokens[1], **{"accept-language": language})
        submit = games_pb2.SubmitCommandsRequest(game_id=game, seat=1, commands=[first.command], command_id="no")
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await api.games.SubmitCommands(submit, metadata=metadata)
        explained, submitted = parse_status(first.status), error_details(caught.value)
        assert (explained.code, explained.reason, explained.text) == (submitted.code, submitted.reason, submitted.text)
        assert explained.values == submitted.values
        assert explained.values["rule"] == "orleans.planning.matching_space"
        assert explained.values["reference"]
    assert answer.decision == "plan"
    assert 1 in answer.deciding


async def test_legal_commands_come_first(api: Api) -> None:
    game, tokens = await start_planning(api)
    for subjects in (["own_farmer", SPACE], ["seat.1.market", SPACE]):
        answer = await explain(api, game, 1, tokens[1], *subjects)
        first, *others = answer.explanations
        assert first.legal
        assert not first.HasField("status")
        await api.games.CheckCommand(
            games_pb2.CheckCommandRequest(game_id=game, seat=1, commands=[first.command]), metadata=bearer(tokens[1])
        )
        assert len(others) < 20
        assert [it.legal for it in others] == sorted((it.legal for it in others), reverse=True)


async def test_explanations_equal_checks_and_change_nothing(api: Api) -> None:
    game, tokens = await api.create()
    chance = random.Random(4)
    zones = [f"seat.1.{it}" for it in ("market", "bag", "castle.boatman", "goods", "ship.farmer")]
    zones += ["supply", "goods_market", "town.tours", "place.hayrick.farmer", "place_tiles.1", "deed.astronomy"]
    seen: set[str] = set()
    for _ in range(120):
        subjects = chance.sample(
            [*zones, "seat.1.merchant", "own_farmer", "monk", "wine", "office"], chance.choice((1, 2))
        )
        answer = await explain(api, game.game_id, 1, tokens[1], *subjects)
        assert len(answer.explanations) <= 20
        for it in answer.explanations:
            if not it.HasField("command"):
                assert len(answer.explanations) == 1
                assert not answer.decision
                assert parse_status(it.status).reason == "OTHERS_DECIDE"
                continue
            check = games_pb2.CheckCommandRequest(
                game_id=game.game_id, seat=1, commands=[it.command], expected_version=answer.version
            )
            if it.legal:
                await api.games.CheckCommand(check, metadata=bearer(tokens[1]))
                continue
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await api.games.CheckCommand(check, metadata=bearer(tokens[1]))
            assert error_details(caught.value).values == parse_status(it.status).values
            seen.add(error_details(caught.value).reason)
        await api.play_turn(game.game_id, tokens, chance)
    assert len(seen) > 6, seen


async def test_each_reason_is_given_once(api: Api) -> None:
    game, tokens = await start_planning(api)
    for language, text in (
        ("en", "first you have to decide: “Place followers”."),
        ("de", "zu entscheiden: „Gefolgsleute einsetzen“."),
    ):
        answer = await explain(api, game, 1, tokens[1], SPACE, language=language)
        explained = [
            (it.command.orleans.WhichOneof("command"), parse_status(it.status))
            for it in answer.explanations
            if not it.legal
        ]
        wrong = [(kind, status.reason) for kind, status in explained if status.reason == "WRONG_CHARACTER"]
        assert wrong == [("place_follower", "WRONG_CHARACTER")], "not one for each follower"
        assert [status.values["reference"] for _, status in explained if status.reason == "WRONG_CHARACTER"] == [
            "Phase 4: Planning"
        ]
        (last,) = [status for _, status in explained if status.reason == "WRONG_DECISION"]
        assert (last, last.values["decision"]) == (explained[-1][1], "plan")
        assert text in last.text
    answer = await explain(api, game, 1, tokens[1], "seat.1.market")
    reasons = [parse_status(it.status).reason for it in answer.explanations if not it.legal]
    assert reasons.count("WRONG_CHARACTER") == 1


async def test_a_seat_that_cannot_act_gets_one_explanation(api: Api) -> None:
    game, tokens = await start_planning(api)
    seat = 1
    legal = await api.legal(game, seat, tokens[seat])
    finish = next(it.command for it in legal.commands if it.command.orleans.HasField("finish_planning"))
    await api.submit(game, seat, tokens[seat], "done", finish)
    for language, text in (("en", "Only Bob can act now"), ("de", "kann nur Bob handeln")):
        (only,) = (await explain(api, game, seat, tokens[seat], SPACE, language=language)).explanations
        assert text in parse_status(only.status).text
        assert not only.HasField("command")
    for other in tokens:
        request = games_pb2.ResignSeatRequest(game_id=game, seat=other, command_id=f"resign-{other}")
        if (await api.game(game)).deciding:
            await api.games.ResignSeat(request, metadata=bearer(tokens[other]))
    (only,) = (await explain(api, game, seat, tokens[seat], SPACE)).explanations
    assert parse_status(only.status).reason == "GAME_OVER"


async def test_invalid_requests(api: Api) -> None:
    game, tokens = await start_planning(api)
    for subjects in ([], ["supply"] * 9, ["x" * 65]):
        async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT):
            await explain(api, game, 1, tokens[1], *subjects)
    async with grpc_error(grpc.StatusCode.PERMISSION_DENIED, "TOKEN_WRONG"):
        await explain(api, game, 1, tokens[2], SPACE)
    async with grpc_error(grpc.StatusCode.OUT_OF_RANGE):
        await explain(api, game, 1, tokens[1], SPACE, min_version=10_000)
    for unknown in ("no such subject", "seat.2.village.farmer", "round"):
        assert not (await explain(api, game, 1, tokens[1], unknown)).explanations


def test_the_sdk_explains_rejections(tmp_path: Path) -> None:
    with running_service(str(tmp_path / "games.db")) as address, Client(address) as client:
        anna = client.create_game("orleans", [games_pb2.SeatRequest(name=it) for it in ("Anna", "Ben")]).seats[0]
        one, other = anna.explain_refusals(SPACE), client.explain_refusals(anna, SPACE, min_version=1)
        assert one.explanations
        assert [it.sentence for it in one.explanations] == [it.sentence for it in other.explanations]


async def test_the_async_sdk_explains_rejections(api: Api) -> None:
    game, tokens = await start_planning(api)
    async with AsyncClient(api.address) as client:
        seat = client.seat(game, 1, tokens[1])
        assert (await seat.explain_refusals("own_craftsman", SPACE)).explanations
