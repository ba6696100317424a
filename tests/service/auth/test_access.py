"""Access control: keys and their scopes, the games of platforms, and the errors of calls that are not allowed."""

from __future__ import annotations

import json
import time
from pathlib import Path

import grpc
import pytest
from tests.service.api.test_records import create_finished_game, get_record
from tests.service.api_server import Api, Metadata, bearer, error_details, grpc_error, run_server, run_service
from tests.service.keys import OPERATOR_TOKEN, create_key_in, key_metadata, store_changes
from tests.service.platforms import METHODS, SEAT, PlatformServer, call_rpc, expect_error, run_platform_server
from tests.waiting import SECONDS, until

from boardkeeper.service.auth.key_management import revoke_key, rotate_key
from boardkeeper.service.auth.scopes import NO_SCOPE, RPC_SCOPES, SCOPES, SEAT_TOKEN_SCOPES
from boardkeeper.service.observability import logs
from boardkeeper.service.storage.access import EndKey
from boardkeeper.service.transport import guard
from boardkeeper.v1 import (
    catalog_pb2,
    game_pb2,
    games_pb2,
    history_pb2,
)

pytestmark = pytest.mark.socket

UNAUTHENTICATED = grpc.StatusCode.UNAUTHENTICATED
DENIED = grpc.StatusCode.PERMISSION_DENIED
GONE = grpc.StatusCode.NOT_FOUND
NO_GAME = "00000000-0000-4000-8000-000000000000"
FIELDS = {"seat": 1, "command_id": "c", "request_id": "r" * 16, "seats": [SEAT(), SEAT()]}
"""Required fields of requests about games."""


GAME_RPCS = [
    name
    for name, method in METHODS.items()
    if not method.client_streaming and "game_id" in method.input_type.fields_by_name
]
KEY_RPCS = [name for name, scope in RPC_SCOPES.items() if scope != NO_SCOPE]


# --- scopes -------------------------------------------------------------------------------------------------


def test_every_rpc_has_a_scope() -> None:
    assert sorted(RPC_SCOPES) == sorted(METHODS)
    assert {scope for scope in RPC_SCOPES.values() if scope != NO_SCOPE} == set(SCOPES)


async def test_a_key_without_the_scope_is_rejected(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    lacking = {scope: create_key_in(database, f"no-{scope}", *(set(SCOPES) - {scope})) for scope in SCOPES}
    async with run_server(database) as api:
        for name in KEY_RPCS:
            key = lacking[RPC_SCOPES[name]]
            problem = await expect_error(api, name, key_metadata(key), game_id=NO_GAME)
            assert (problem.code, problem.reason) == (DENIED, "SCOPE_MISSING"), name
            assert problem.values == {"key": key.row.key_id, "scope": RPC_SCOPES[name]}


async def test_a_rejected_stream_ends_after_its_first_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a call ends while the client writes, gRPC's asyncio client reports INTERNAL instead of the server's status."""
    monkeypatch.setattr(guard, "FIRST_MESSAGE_SECONDS", SECONDS)
    key = create_key_in(tmp_path / "games.db", "watcher", "watch")
    async with run_service(tmp_path / "games.db") as (service, channel):
        api = Api(channel)
        call = api.games.Play(metadata=key_metadata(key))
        await until(lambda: service._calls.errors.get("SCOPE_MISSING"))
        await api.catalog.ListTitles(catalog_pb2.ListTitlesRequest())
        assert not call.done()
        await call.write(games_pb2.PlayRequest())
        assert await call.code() is DENIED


async def test_a_rejected_stream_without_a_message_ends_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "FIRST_MESSAGE_SECONDS", 0.01)
    key = create_key_in(tmp_path / "games.db", "watcher", "watch")
    async with run_server(tmp_path / "games.db") as api:
        call = api.games.Play(metadata=key_metadata(key))
        assert await call.code() is DENIED


async def test_the_number_of_waiting_rejected_streams_is_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limits per caller do not count them, so they could use up all calls of the server."""
    monkeypatch.setattr(guard, "FIRST_MESSAGE_SECONDS", SECONDS)
    monkeypatch.setattr(guard, "MAX_FIRST_MESSAGES", 2)
    key = create_key_in(tmp_path / "games.db", "watcher", "watch")
    async with run_service(tmp_path / "games.db") as (service, channel):
        api = Api(channel)
        waiting = [api.games.Play(metadata=key_metadata(key)) for _ in range(2)]
        await until(lambda: service._admission.first_messages == 2)
        assert await api.games.Play(metadata=key_metadata(key)).code() is DENIED
        assert [call.done() for call in waiting] == [False, False]
        waiting[0].cancel()
        await waiting[1].write(games_pb2.PlayRequest())
        assert await waiting[1].code() is DENIED
        await until(lambda: service._admission.first_messages == 0)


async def test_a_key_with_only_the_scope_of_the_rpc_passes(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    having = {scope: create_key_in(database, f"only-{scope}", scope) for scope in SCOPES}
    async with run_server(database) as api:
        for name in GAME_RPCS:
            problem = await expect_error(
                api, name, key_metadata(having[RPC_SCOPES[name]]), game_id=NO_GAME, request_id="r" * 16
            )
            assert problem.reason in ("GAME_NOT_FOUND", "BAD_REQUEST"), name


async def test_a_subscription_on_a_play_stream_needs_the_scope_to_watch(tmp_path: Path) -> None:
    key = create_key_in(tmp_path / "games.db", "player", "create", "play")
    async with run_server(tmp_path / "games.db") as api:
        game, _ = await api.create(SEAT(name="Ada"), SEAT(name="Bob"))
        request = games_pb2.PlayRequest(subscription=games_pb2.PlaySubscription(game_id=game.game_id))
        (answer,) = [it async for it in api.games.Play(iter([request]), metadata=key_metadata(key))]
        assert "watch" in answer.rejection.status.message


# --- games of platforms -------------------------------------------------------------------------------------


@pytest.mark.databases
async def test_a_platform_lists_its_own_games_only(server: PlatformServer) -> None:
    (ours, _), (theirs, _), (without_platform, _) = [
        await server.create(key) for key in (server.key, server.other_key, None)
    ]
    assert await server.list_games(key_metadata(server.key)) == [ours]
    assert await server.list_games(key_metadata(server.other_key)) == [theirs]
    assert await server.list_games(()) == [without_platform]
    assert await server.list_games(bearer(OPERATOR_TOKEN)) == [without_platform, theirs, ours]
    for id in (ours, theirs, without_platform):
        more = {"status": game_pb2.GAME_STATUS_RUNNING, "title": "orleans", "id_prefix": id[:12]}
        assert await server.list_games(key_metadata(server.key), **more) == ([ours] if id == ours else [])
    assert await server.list_games(key_metadata(server.key), status=game_pb2.GAME_STATUS_OPEN) == []


async def test_a_page_token_is_valid_for_one_platform(server: PlatformServer) -> None:
    for key in (server.key, server.key, server.other_key, server.other_key):
        await server.create(key)

    async def page(metadata: Metadata, token: str = "", platform: str = "") -> str:
        request = games_pb2.ListGamesRequest(page_size=1, page_token=token, platform=platform)
        answer = await server.api.games.ListGames(request, metadata=metadata)
        return str(answer.next_page_token)

    token = await page(key_metadata(server.key))
    assert await page(key_metadata(server.key), token) == ""
    for metadata in (key_metadata(server.other_key), bearer(OPERATOR_TOKEN)):
        problem = await expect_error(server.api, "Games.ListGames", metadata, page_token=token)
        assert list(problem.violations) == ["page_token"]
    assert await page(bearer(OPERATOR_TOKEN), token, "ours") == "", "an operator who asks for that platform"


@pytest.mark.databases
async def test_games_of_other_platforms_look_like_unknown_games(server: PlatformServer) -> None:
    ours, tokens = await server.create(server.key)
    for name in GAME_RPCS:
        for metadata in (
            key_metadata(server.other_key),
            key_metadata(server.other_key, tokens[1]),
            (),
            bearer("unknown"),
        ):
            if not metadata and RPC_SCOPES[name] == "operate":
                continue
            error_of_game = await expect_error(server.api, name, metadata, game_id=ours, **FIELDS)
            error_of_unknown = await expect_error(server.api, name, metadata, game_id=NO_GAME, **FIELDS)
            assert str(error_of_game).replace(ours, NO_GAME) == str(error_of_unknown), (name, metadata)
            if metadata != bearer("unknown") or RPC_SCOPES[name] != "operate":
                assert (error_of_game.code, error_of_game.reason) == (GONE, "GAME_NOT_FOUND"), (name, metadata)


async def test_games_of_other_platforms_are_unknown_on_play_streams(server: PlatformServer) -> None:
    ours, tokens = await server.create(server.key)

    async def rejections(game: str) -> list[str]:
        resignation = games_pb2.ResignSeatRequest(game_id=game, seat=1, command_id="d")
        requests = [
            games_pb2.PlayRequest(subscription=games_pb2.PlaySubscription(game_id=game)),
            games_pb2.PlayRequest(subscription=games_pb2.PlaySubscription(game_id=game, token=tokens[1])),
            games_pb2.PlayRequest(commands=games_pb2.PlayCommands(game_id=game, seat=1, command_id="c")),
            games_pb2.PlayRequest(action=games_pb2.PlayAction(resign_seat=resignation)),
        ]
        answers = server.api.games.Play(iter(requests), metadata=key_metadata(server.other_key))
        return [it.rejection.status.message async for it in answers]

    assert [text.replace(ours, NO_GAME) for text in await rejections(ours)] == await rejections(NO_GAME)
    assert all("There is no game" in text for text in await rejections(ours))


@pytest.mark.databases
async def test_only_its_own_platform_sees_that_a_game_was_removed(server: PlatformServer) -> None:
    ours, _ = await server.create(server.key)
    async with grpc_error(GONE, "GAME_NOT_FOUND"):
        await call_rpc(server.api, "Games.RemoveGame", key_metadata(server.other_key), game_id=ours)
    await call_rpc(server.api, "Games.RemoveGame", key_metadata(server.key), game_id=ours)
    assert (
        await expect_error(server.api, "Games.GetGame", key_metadata(server.key), game_id=ours)
    ).reason == "GAME_REMOVED"
    assert (
        await expect_error(server.api, "Games.GetGame", key_metadata(server.other_key), game_id=ours)
    ).reason == "GAME_NOT_FOUND"
    assert (await expect_error(server.api, "Games.GetGame", (), game_id=ours)).reason == "GAME_NOT_FOUND"


@pytest.mark.databases
async def test_forks_and_imports_belong_to_the_calling_platform(server: PlatformServer, tmp_path: Path) -> None:
    ours, _ = await server.create(server.key)
    fork = (
        await call_rpc(
            server.api,
            "Games.ForkGame",
            key_metadata(server.key),
            game_id=ours,
            seats=[SEAT(bot="random"), SEAT()],
        )
    )[0].game.game_id
    async with run_server(tmp_path / "elsewhere.db") as elsewhere:
        record = await get_record(elsewhere, await create_finished_game(elsewhere))
    pieces = [history_pb2.ImportRecordRequest(data=record[at : at + 50_000]) for at in range(0, len(record), 50_000)]
    imported = await server.api.history.ImportRecord(iter(pieces), metadata=key_metadata(server.other_key))
    assert await server.list_games(key_metadata(server.key)) == [fork, ours]
    assert await server.list_games(key_metadata(server.other_key)) == [imported.game.game_id]


async def test_request_ids_are_separate_for_each_platform(server: PlatformServer) -> None:
    (ours, tokens), (theirs, others) = [
        await server.create(key, request_id="the-same-request") for key in (server.key, server.other_key)
    ]
    assert ours != theirs
    assert not set(tokens.values()) & set(others.values())
    assert await server.create(server.key, request_id="the-same-request") == (ours, tokens)


async def test_the_platform_of_a_game_survives_a_restart(tmp_path: Path) -> None:
    async with run_platform_server(tmp_path / "games.db") as server:
        game, tokens = await server.create(server.key)
    async with run_server(tmp_path / "games.db") as api:
        assert (await call_rpc(api, "Games.GetGame", key_metadata(server.key), game_id=game))[0].game.game_id == game
        assert (await call_rpc(api, "Games.GetGame", bearer(tokens[1]), game_id=game))[0].game.game_id == game
        assert (await expect_error(api, "Games.GetGame", (), game_id=game)).reason == "GAME_NOT_FOUND"


async def test_a_seat_token_needs_no_key_for_its_game(strict_server: PlatformServer) -> None:
    game, tokens = await strict_server.create(strict_server.key)
    legal = await strict_server.api.legal(game, 1, tokens[1])
    await strict_server.api.submit(game, 1, tokens[1], "c1", legal.commands[0].command)
    for name in ("Games.GetGame", "Games.GetBoard", "History.ListEvents", "History.GetRecord"):
        assert await call_rpc(strict_server.api, name, bearer(tokens[1]), game_id=game)
    for name in ("Games.JoinGame", "Games.ForkGame", "Games.RemoveGame"):
        problem = await expect_error(strict_server.api, name, bearer(tokens[1]), game_id=game, seats=[SEAT(), SEAT()])
        assert problem.reason in ("GAME_NOT_FOUND", "KEY_MISSING", "OPERATOR_ONLY"), name


# --- required keys ------------------------------------------------------------------------------------------


async def test_calls_without_a_required_key_are_rejected(strict_server: PlatformServer) -> None:
    for name in set(KEY_RPCS) - {"Games.Play"}:  # a play stream answers its requests and has no error status
        problem = await expect_error(strict_server.api, name, (), game_id=NO_GAME, **FIELDS)
        assert (problem.code, problem.reason) == (UNAUTHENTICATED, "KEY_MISSING"), name
    for name in set(METHODS) - set(KEY_RPCS):
        assert await call_rpc(strict_server.api, name, (), title="orleans")


async def test_an_unknown_token_finds_no_game_if_keys_are_required(strict_server: PlatformServer) -> None:
    game, _ = await strict_server.create(strict_server.key)
    for name in GAME_RPCS:
        problem = await expect_error(strict_server.api, name, bearer("unknown"), game_id=game, **FIELDS)
        expected = "GAME_NOT_FOUND" if RPC_SCOPES[name] in SEAT_TOKEN_SCOPES else "KEY_MISSING"
        assert problem.reason == expected, name


async def test_games_without_a_platform_belong_to_the_operator_if_keys_are_required(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        game, tokens = await api.create()
    async with run_platform_server(tmp_path / "games.db", need_keys=True) as server:
        for name in ("Games.GetGame", "Games.GetBoard", "History.ListEvents"):
            assert await call_rpc(server.api, name, bearer(OPERATOR_TOKEN), game_id=game.game_id)
            assert await call_rpc(server.api, name, bearer(tokens[1]), game_id=game.game_id)
            assert (
                await expect_error(server.api, name, key_metadata(server.key), game_id=game.game_id)
            ).reason == "GAME_NOT_FOUND"
            assert (await expect_error(server.api, name, (), game_id=game.game_id)).reason == "KEY_MISSING"
        assert await server.list_games(bearer(OPERATOR_TOKEN)) == [game.game_id]


# --- rights of a key ----------------------------------------------------------------------------------------


async def test_a_key_plays_for_any_seat_of_its_games(server: PlatformServer) -> None:
    game, tokens = await server.create(server.key)
    legal = (await call_rpc(server.api, "Games.ListLegalCommands", key_metadata(server.key), game_id=game, seat=2))[0]
    fields = {"game_id": game, "seat": 2, "command_id": "c1", "commands": [legal.commands[0].command]}
    assert (await call_rpc(server.api, "Games.CheckCommand", key_metadata(server.key), **fields))[0].version
    assert (await call_rpc(server.api, "Games.SubmitCommands", key_metadata(server.key), **fields))[0].events
    wrong = await expect_error(
        server.api, "Games.SubmitCommands", key_metadata(server.key, tokens[1]), **fields | {"command_id": "c2"}
    )
    assert wrong.reason == "TOKEN_WRONG"
    beyond = await expect_error(server.api, "Games.SubmitCommands", key_metadata(server.key), **fields | {"seat": 9})
    assert beyond.reason == "BAD_REQUEST"


async def test_a_key_has_the_view_of_a_spectator_by_default(server: PlatformServer) -> None:
    game, tokens = await server.create(server.key, options={"planning": "sealed"})
    legal = await server.api.legal(game, 1, tokens[1])
    await server.api.submit(game, 1, tokens[1], "c1", legal.commands[0].command)

    async def read_board(metadata: Metadata) -> bytes:
        (answer,) = await call_rpc(server.api, "Games.GetBoard", metadata, game_id=game)
        data: bytes = answer.SerializeToString(deterministic=True)
        return data

    plain = await read_board(key_metadata(server.key))
    of_seat = await read_board(bearer(tokens[1]))
    assert plain != of_seat
    assert await read_board(key_metadata(server.key, **{"x-boardkeeper-view": "0"})) == plain
    assert await read_board(key_metadata(server.key, **{"x-boardkeeper-view": "1"})) == of_seat
    assert await read_board(key_metadata(server.key, tokens[1])) == of_seat
    whole = await read_board(key_metadata(server.key, **{"x-boardkeeper-view": "operator"}))
    assert whole == await read_board(bearer(OPERATOR_TOKEN))
    assert whole not in (plain, of_seat)
    for invalid in ("9", "-1", "x", "0x1"):
        metadata = key_metadata(server.key, **{"x-boardkeeper-view": invalid})
        assert (await expect_error(server.api, "Games.GetBoard", metadata, game_id=game)).reason == "BAD_REQUEST"
    for view in ("1", "operator"):
        assert await read_board((("x-boardkeeper-view", view), *bearer(tokens[2]))) == await read_board(
            bearer(tokens[2])
        )


async def test_a_key_cannot_act_or_see_for_bots(server: PlatformServer) -> None:
    game, _ = await server.create(server.key, SEAT(name="Ada"), SEAT(bot="random"))
    fields = {"game_id": game, "seat": 2, "command_id": "c1", "commands": []}
    for name in ("Games.ListLegalCommands", "Games.CheckCommand", "Games.SubmitCommands", "Games.RequestUndo"):
        assert (await expect_error(server.api, name, key_metadata(server.key), **fields)).reason == "NO_PERSON", name
    metadata = key_metadata(server.key, **{"x-boardkeeper-view": "2"})
    assert (await expect_error(server.api, "Games.GetBoard", metadata, game_id=game)).reason == "NO_PERSON"


async def test_another_view_needs_a_scope(tmp_path: Path) -> None:
    key = create_key_in(tmp_path / "games.db", "lobby", "create", "watch")
    async with run_server(tmp_path / "games.db") as api:
        request = games_pb2.CreateGameRequest(title="orleans", seats=[SEAT(), SEAT()])
        game = (await api.games.CreateGame(request, metadata=key_metadata(key))).game.game_id
        for view, reason in (("1", "SCOPE_MISSING"), ("operator", "OPERATOR_ONLY")):
            metadata = key_metadata(key, **{"x-boardkeeper-view": view})
            assert (await expect_error(api, "Games.GetBoard", metadata, game_id=game)).reason == reason


async def test_an_operator_key_covers_all_games_and_creates_games_without_a_platform(tmp_path: Path) -> None:
    own = create_key_in(tmp_path / "games.db", "operator", platform="*")
    async with run_platform_server(tmp_path / "games.db") as server:
        ours, _ = await server.create(server.key)
        without_platform, _ = await server.create(own)
        assert await server.list_games(key_metadata(own)) == [without_platform, ours]
        assert await server.list_games(()) == [without_platform]
        assert await call_rpc(server.api, "Games.RemoveGame", key_metadata(own), game_id=ours)


# --- invalid keys -------------------------------------------------------------------------------------------


async def test_invalid_keys_are_rejected(server: PlatformServer) -> None:
    good, other = server.key.secret, server.other_key.secret
    for secret in (good[:-1] + ("0" if good[-1] != "0" else "1"), good[:16] + other[16:], "bk_" + "0" * 62):
        assert len(secret) == len(good)
        problem = await expect_error(server.api, "Games.ListGames", key_metadata(secret))
        assert (problem.code, problem.reason) == (UNAUTHENTICATED, "KEY_WRONG"), secret
        assert secret[16:] not in str(problem)
    for metadata in ((("x-boardkeeper-key", "bk"),), (("x-boardkeeper-key", good), *key_metadata(other))):
        assert (await expect_error(server.api, "Games.ListGames", metadata)).reason == "KEY_WRONG"
    assert await server.list_games((("x-boardkeeper-key", good),)) == []


@pytest.mark.databases
async def test_ended_keys_are_rejected_and_rotated_keys_overlap(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    revoked, expired, rotated = [create_key_in(database, name) for name in ("revoked", "expired", "rotated")]
    changes = revoke_key([revoked.row], revoked.row.key_id, 1).changes
    now = time.time_ns() // 1_000_000
    fresh = rotate_key([rotated.row], rotated.row.key_id, now, 300 * 24 * 3_600_000)
    store_changes(database, [*changes, EndKey(expired.row.key_id, expire_time=1), *fresh.changes])
    async with run_server(database) as api:
        for key in (revoked, expired):
            problem = await expect_error(api, "Games.ListGames", key_metadata(key))
            assert (problem.code, problem.reason) == (UNAUTHENTICATED, "KEY_ENDED")
            assert problem.values == {"key": key.row.key_id}
        for key in (rotated, fresh):
            assert await call_rpc(api, "Games.ListGames", key_metadata(key))


# --- secrets ------------------------------------------------------------------------------------------------


def read_log(capfd: pytest.CaptureFixture[str]) -> str:
    logs._writer.flush()
    return capfd.readouterr().err


def files_in(folder: Path) -> list[bytes]:
    return [file.read_bytes() for file in folder.iterdir()]


async def test_keys_are_in_no_log_error_or_file(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from boardkeeper.service.api.games import GamesServicer

    async def fails(*_: object) -> None:
        raise RuntimeError("an unexpected error")

    database = tmp_path / "games.db"
    async with run_platform_server(database, log="json") as server:
        secret, random = server.key.secret, server.key.secret[16:]
        game, tokens = await server.create(server.key)
        problems = [
            await expect_error(
                server.api, "Games.SubmitCommands", key_metadata(server.key, tokens[1]), game_id=game, seat=2
            ),
            await expect_error(server.api, "Games.RemoveGame", key_metadata(server.key), game_id=NO_GAME),
            await expect_error(server.api, "Games.ListGames", key_metadata(secret[:-1] + "_")),
        ]
        monkeypatch.setattr(GamesServicer, "GetGame", fails)
    async with run_server(database, log="json") as api:
        problems.append(await expect_error(api, "Games.GetGame", key_metadata(server.key, tokens[1]), game_id=game))
        assert problems[-1].reason == "UNEXPECTED"
    log = read_log(capfd)
    assert "an unexpected error" in log
    assert server.key.row.key_id in log
    written = "".join(map(str, problems)) + log + repr(server.key.row)
    for token in (random, tokens[1]):
        assert token not in written
        assert all(token.encode() not in data for data in files_in(tmp_path))


async def test_calls_of_operators_are_logged_separately(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    async with run_platform_server(tmp_path / "games.db", log="json") as server:
        game, tokens = await server.create(server.key)
        await call_rpc(server.api, "Games.GetBoard", key_metadata(server.key), game_id=game)
        await call_rpc(server.api, "Games.GetBoard", bearer(tokens[1]), game_id=game)
        await call_rpc(server.api, "Games.GetBoard", bearer(OPERATOR_TOKEN), game_id=game)
        await call_rpc(
            server.api,
            "Games.GetBoard",
            key_metadata(server.key, **{"x-boardkeeper-view": "operator"}),
            game_id=game,
        )
        await call_rpc(server.api, "Games.RemoveGame", key_metadata(server.key), game_id=game)
        await expect_error(server.api, "Games.RemoveGame", bearer(OPERATOR_TOKEN), game_id=NO_GAME)
    lines = [json.loads(line) for line in read_log(capfd).splitlines()]
    operator_lines = [line for line in lines if line["event"] == "operator"]
    key = server.key.row.key_id
    assert [(line["who"], line["rpc"], line["game"], line["reason"]) for line in operator_lines] == [
        ("token", "Games.GetBoard", game, ""),
        (key, "Games.GetBoard", game, ""),
        (key, "Games.RemoveGame", game, ""),
        ("token", "Games.RemoveGame", NO_GAME, "GAME_NOT_FOUND"),
    ]
    assert OPERATOR_TOKEN not in str(lines)


# --- spectators ---------------------------------------------------------------------------------------------

VIEW_RPCS = ("Games.GetBoard", "Games.WatchGame", "History.ListEvents", "History.GetRecord", "History.VerifyGame")


@pytest.mark.parametrize("required", [False, True])
async def test_any_caller_can_watch_a_game_with_spectators(tmp_path: Path, required: bool) -> None:
    async with run_platform_server(tmp_path / "games.db", need_keys=required) as server:
        bots = [SEAT(bot="random"), SEAT(bot="random")]
        watched, _ = await server.create(server.key, *bots, spectators=True)
        hidden, _ = await server.create(server.key, *bots)
        for name in ("Games.GetGame", *VIEW_RPCS):
            assert await call_rpc(server.api, name, (), game_id=watched), name
            reason = (await expect_error(server.api, name, (), game_id=hidden)).reason
            assert reason == ("KEY_MISSING" if required else "GAME_NOT_FOUND"), name
        for name in ("Games.JoinGame", "Games.SubmitCommands", "Games.ForkGame"):
            assert (await expect_error(server.api, name, (), game_id=watched, **FIELDS)).reason == "KEY_MISSING", name


async def test_only_seats_and_operators_watch_a_game_without_spectators(server: PlatformServer) -> None:
    game, tokens = await server.create(None, spectators=False)
    fork = {"seats": [SEAT(), SEAT()]}
    for name in set(VIEW_RPCS) - {"Games.WatchGame"}:
        problem = await expect_error(server.api, name, (), game_id=game)
        assert (problem.code, problem.reason) == (DENIED, "NO_SPECTATORS"), name
        for metadata in (bearer(tokens[1]), bearer(OPERATOR_TOKEN)):
            assert await call_rpc(server.api, name, metadata, game_id=game), name
    for name in ("Games.WatchGame", "Games.ForkGame"):
        assert (await expect_error(server.api, name, (), game_id=game, **fork)).reason == "NO_SPECTATORS"
    assert await call_rpc(server.api, "Games.GetGame", (), game_id=game)


async def test_spectators_are_part_of_an_idempotent_request(server: PlatformServer) -> None:
    first = await server.create(None, request_id="the-same-request", spectators=False)
    assert await server.create(None, request_id="the-same-request", spectators=False) == first
    async with grpc_error(grpc.StatusCode.ALREADY_EXISTS, "REQUEST_ID_REUSED"):
        await server.create(None, request_id="the-same-request")


# --- new tokens ---------------------------------------------------------------------------------------------


async def reissue_token(server: PlatformServer, game: str, metadata: Metadata, seat: int = 1) -> str:
    (answer,) = await call_rpc(server.api, "Games.ReissueSeatToken", metadata, game_id=game, seat=seat)
    token: str = answer.seat_token.token
    return token


@pytest.mark.databases
async def test_a_new_token_replaces_the_old_one(server: PlatformServer) -> None:
    game, tokens = await server.create(server.key)
    issued = [tokens[1]]
    for metadata in (key_metadata(server.key), bearer(OPERATOR_TOKEN), bearer("")):
        issued.append(await reissue_token(server, game, metadata if metadata != bearer("") else bearer(issued[-1])))
    assert len(set(issued)) == 4
    for old in issued[:-1]:
        problem = await expect_error(
            server.api, "Games.ListLegalCommands", key_metadata(server.key, old), game_id=game, seat=1
        )
        assert problem.reason == "TOKEN_WRONG"
        assert (await expect_error(server.api, "Games.GetBoard", bearer(old), game_id=game)).reason == "GAME_NOT_FOUND"
    assert (await server.api.legal(game, 1, issued[-1])).commands
    assert (await server.api.legal(game, 2, tokens[2])).commands


async def test_a_new_token_survives_a_restart(tmp_path: Path) -> None:
    async with run_platform_server(tmp_path / "games.db") as server:
        game, tokens = await server.create(server.key)
        token = await reissue_token(server, game, key_metadata(server.key))
    async with run_server(tmp_path / "games.db") as api:
        assert (await api.legal(game, 1, token)).commands
        assert (await expect_error(api, "Games.GetBoard", bearer(tokens[1]), game_id=game)).reason == "GAME_NOT_FOUND"


async def test_new_tokens_are_only_for_people_and_their_platform(server: PlatformServer) -> None:
    game, tokens = await server.create(server.key, SEAT(name="Ada"), SEAT(bot="random"), SEAT(open=True))
    for seat in (2, 3):
        fields = {"game_id": game, "seat": seat}
        assert (
            await expect_error(server.api, "Games.ReissueSeatToken", key_metadata(server.key), **fields)
        ).reason == "NO_PERSON"
    for metadata, reason in (
        (key_metadata(server.other_key), "GAME_NOT_FOUND"),
        ((), "GAME_NOT_FOUND"),
        (key_metadata(server.key, "unknown"), "TOKEN_WRONG"),
    ):
        assert (
            await expect_error(server.api, "Games.ReissueSeatToken", metadata, game_id=game, seat=1)
        ).reason == reason
    beyond = await expect_error(server.api, "Games.ReissueSeatToken", key_metadata(server.key), game_id=game, seat=9)
    assert beyond.reason == "BAD_REQUEST"
    assert await call_rpc(server.api, "Games.GetGame", bearer(tokens[1]), game_id=game)


async def test_a_stream_opened_with_a_replaced_token_ends_before_the_next_event(server: PlatformServer) -> None:
    game, tokens = await server.create(server.key)
    version = (await call_rpc(server.api, "Games.GetGame", key_metadata(server.key), game_id=game))[0].game.version
    request = games_pb2.WatchGameRequest(game_id=game, after_version=version - 1)
    watched = server.api.games.WatchGame(request, metadata=bearer(tokens[1]))
    subscription = games_pb2.PlaySubscription(game_id=game, after_version=version - 1, token=tokens[1])
    played = server.api.games.Play(metadata=())
    await played.write(games_pb2.PlayRequest(subscription=subscription))
    assert (await watched.read()).event.version == version
    assert (await played.read()).event.version == version
    token = await reissue_token(server, game, key_metadata(server.key))
    legal = await server.api.legal(game, 1, token)
    await server.api.submit(game, 1, token, "c1", legal.commands[0].command)
    assert "does not belong to seat 1" in (await played.read()).rejection.status.message
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await watched.read()
    assert error_details(caught.value).reason == "TOKEN_WRONG"
    await played.done_writing()
