"""Access control: keys and their scopes, the games of platforms, and the errors of calls that are not allowed."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message_factory import GetMessageClass
from tests.service.api.test_records import create_finished_game, get_record
from tests.service.api_server import Api, Metadata, bearer, error_details, grpc_error, run_server, run_service
from tests.service.keys import create_key_in, key_metadata, store_changes
from tests.waiting import SECONDS, until

from boardkeeper.service.auth.key_management import CreatedKey, revoke_key, rotate_key
from boardkeeper.service.auth.scopes import NO_SCOPE, RPC_SCOPES, SCOPES, SEAT_TOKEN_SCOPES
from boardkeeper.service.observability import logs
from boardkeeper.service.storage.access import EndKey
from boardkeeper.service.transport import guard
from boardkeeper.v1 import (
    access_pb2,
    catalog_pb2,
    feed_pb2,
    game_pb2,
    games_pb2,
    history_pb2,
    players_pb2,
    webhooks_pb2,
)
from boardkeeper.wire.errors import ErrorDetails

pytestmark = pytest.mark.socket

UNAUTHENTICATED = grpc.StatusCode.UNAUTHENTICATED
DENIED = grpc.StatusCode.PERMISSION_DENIED
GONE = grpc.StatusCode.NOT_FOUND
OPERATOR_TOKEN = "an operator's token of forty characters!"
NO_GAME = "00000000-0000-4000-8000-000000000000"
SEAT = games_pb2.SeatRequest
FIELDS = {"seat": 1, "command_id": "c", "request_id": "r" * 16, "seats": [SEAT(), SEAT()]}
"""Required fields of requests about games."""


def methods() -> Iterator[tuple[str, MethodDescriptor]]:
    """Yield every RPC with its short name."""
    for module in (access_pb2, catalog_pb2, feed_pb2, games_pb2, history_pb2, players_pb2, webhooks_pb2):
        for service in module.DESCRIPTOR.services_by_name.values():
            for method in service.methods:
                yield f"{service.name}.{method.name}", method


METHODS = dict(methods())
GAME_RPCS = [
    name
    for name, method in METHODS.items()
    if not method.client_streaming and "game_id" in method.input_type.fields_by_name
]
KEY_RPCS = [name for name, scope in RPC_SCOPES.items() if scope != NO_SCOPE]


async def call_rpc(api: Api, name: str, metadata: Metadata, **fields: Any) -> list[Any]:
    """Call an RPC with those of the fields that its request has, and return all answers."""
    method = METHODS[name]
    request = GetMessageClass(method.input_type)(
        **{field: value for field, value in fields.items() if field in method.input_type.fields_by_name}
    )
    path = f"/{method.containing_service.full_name}/{method.name}"
    parse = GetMessageClass(method.output_type).FromString
    make: Any = getattr(
        api.channel,
        f"{'stream' if method.client_streaming else 'unary'}_{'stream' if method.server_streaming else 'unary'}",
    )
    call = make(path, request_serializer=lambda it: it.SerializeToString(), response_deserializer=parse)
    answers = call(iter([request]) if method.client_streaming else request, metadata=metadata)
    return [answer async for answer in answers] if method.server_streaming else [await answers]


async def expect_error(api: Api, name: str, metadata: Metadata, **fields: Any) -> ErrorDetails:
    """Call an RPC that must fail and return its error."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call_rpc(api, name, metadata, **fields)
    return replace(error_details(caught.value), call_id="")


class Platforms:
    """A server and two platforms, each with a key for all scopes."""

    def __init__(self, api: Api, ours: CreatedKey, theirs: CreatedKey) -> None:
        self.api = api
        self.ours = ours
        self.theirs = theirs
        self.game = game_pb2.Game()
        self.tokens: dict[int, str] = {}

    async def create(
        self, key: CreatedKey | None, *seats: games_pb2.SeatRequest, **more: Any
    ) -> tuple[str, dict[int, str]]:
        """Create a game of a platform, or of no platform."""
        seats = seats or (SEAT(name="Ada"), SEAT(name="Bob"))
        request = games_pb2.CreateGameRequest(title="orleans", seats=seats, **more)
        answer = await self.api.games.CreateGame(request, metadata=key_metadata(key) if key is not None else ())
        return answer.game.game_id, {it.seat: it.token for it in answer.seat_tokens}

    async def listed(self, metadata: Metadata, **more: Any) -> list[str]:
        """Return the ids of the games that a caller can list."""
        answer = await self.api.games.ListGames(games_pb2.ListGamesRequest(**more), metadata=metadata)
        return [game.game_id for game in answer.games]


@asynccontextmanager
async def platforms(database: Path, **settings: Any) -> AsyncIterator[Platforms]:
    ours, theirs = create_key_in(database, "ours"), create_key_in(database, "theirs")
    async with run_server(database, operator_token=OPERATOR_TOKEN, **settings) as api:
        yield Platforms(api, ours, theirs)


@pytest.fixture
async def two(tmp_path: Path) -> AsyncIterator[Platforms]:
    async with platforms(tmp_path / "games.db") as two:
        yield two


@pytest.fixture
async def closed(tmp_path: Path) -> AsyncIterator[Platforms]:
    """Like ``two``, but keys are required."""
    async with platforms(tmp_path / "games.db", need_keys=True, address_limits="failures=off") as two:
        yield two


# --- scopes -------------------------------------------------------------------------------------------------


def test_every_rpc_has_a_scope() -> None:
    assert sorted(RPC_SCOPES) == sorted(METHODS)
    assert {scope for scope in RPC_SCOPES.values() if scope != NO_SCOPE} == set(SCOPES)


async def test_a_key_without_the_scope_is_rejected(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    lacking = {scope: create_key_in(database, f"no-{scope}", *(set(SCOPES) - {scope})) for scope in SCOPES}
    async with run_server(database) as api:
        for name in KEY_RPCS:
            made = lacking[RPC_SCOPES[name]]
            problem = await expect_error(api, name, key_metadata(made), game_id=NO_GAME)
            assert (problem.code, problem.reason) == (DENIED, "SCOPE_MISSING"), name
            assert problem.values == {"key": made.row.key_id, "scope": RPC_SCOPES[name]}


async def test_a_rejected_stream_ends_after_its_first_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a call ends while the client writes, gRPC's asyncio client reports INTERNAL instead of the server's status."""
    monkeypatch.setattr(guard, "FIRST_MESSAGE_SECONDS", SECONDS)
    made = create_key_in(tmp_path / "games.db", "watcher", "watch")
    async with run_service(tmp_path / "games.db") as (service, channel):
        api = Api(channel)
        call = api.games.Play(metadata=key_metadata(made))
        await until(lambda: service._calls.errors.get("SCOPE_MISSING"))
        await api.catalog.ListTitles(catalog_pb2.ListTitlesRequest())
        assert not call.done()
        await call.write(games_pb2.PlayRequest())
        assert await call.code() is DENIED


async def test_a_rejected_stream_without_a_message_ends_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "FIRST_MESSAGE_SECONDS", 0.01)
    made = create_key_in(tmp_path / "games.db", "watcher", "watch")
    async with run_server(tmp_path / "games.db") as api:
        call = api.games.Play(metadata=key_metadata(made))
        assert await call.code() is DENIED


async def test_the_number_of_waiting_rejected_streams_is_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limits per caller do not count them, so they could use up all calls of the server."""
    monkeypatch.setattr(guard, "FIRST_MESSAGE_SECONDS", SECONDS)
    monkeypatch.setattr(guard, "MAX_FIRST_MESSAGES", 2)
    made = create_key_in(tmp_path / "games.db", "watcher", "watch")
    async with run_service(tmp_path / "games.db") as (service, channel):
        api = Api(channel)
        waiting = [api.games.Play(metadata=key_metadata(made)) for _ in range(2)]
        await until(lambda: service._admission.first_messages == 2)
        assert await api.games.Play(metadata=key_metadata(made)).code() is DENIED
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
    made = create_key_in(tmp_path / "games.db", "player", "create", "play")
    async with run_server(tmp_path / "games.db") as api:
        game, _ = await api.create(SEAT(name="Ada"), SEAT(name="Bob"))
        request = games_pb2.PlayRequest(subscription=games_pb2.PlaySubscription(game_id=game.game_id))
        (answer,) = [it async for it in api.games.Play(iter([request]), metadata=key_metadata(made))]
        assert "watch" in answer.rejection.status.message


# --- games of platforms -------------------------------------------------------------------------------------


@pytest.mark.databases
async def test_a_platform_lists_its_own_games_only(two: Platforms) -> None:
    (ours, _), (theirs, _), (without_platform, _) = [await two.create(key) for key in (two.ours, two.theirs, None)]
    assert await two.listed(key_metadata(two.ours)) == [ours]
    assert await two.listed(key_metadata(two.theirs)) == [theirs]
    assert await two.listed(()) == [without_platform]
    assert await two.listed(bearer(OPERATOR_TOKEN)) == [without_platform, theirs, ours]
    for id in (ours, theirs, without_platform):
        more = {"status": game_pb2.GAME_STATUS_RUNNING, "title": "orleans", "id_prefix": id[:12]}
        assert await two.listed(key_metadata(two.ours), **more) == ([ours] if id == ours else [])
    assert await two.listed(key_metadata(two.ours), status=game_pb2.GAME_STATUS_OPEN) == []


async def test_a_page_token_is_valid_for_one_platform(two: Platforms) -> None:
    for key in (two.ours, two.ours, two.theirs, two.theirs):
        await two.create(key)

    async def page(metadata: Metadata, token: str = "", platform: str = "") -> str:
        request = games_pb2.ListGamesRequest(page_size=1, page_token=token, platform=platform)
        answer = await two.api.games.ListGames(request, metadata=metadata)
        return str(answer.next_page_token)

    token = await page(key_metadata(two.ours))
    assert await page(key_metadata(two.ours), token) == ""
    for metadata in (key_metadata(two.theirs), bearer(OPERATOR_TOKEN)):
        problem = await expect_error(two.api, "Games.ListGames", metadata, page_token=token)
        assert list(problem.violations) == ["page_token"]
    assert await page(bearer(OPERATOR_TOKEN), token, "ours") == "", "an operator who asks for that platform"


@pytest.mark.databases
async def test_games_of_other_platforms_look_like_unknown_games(two: Platforms) -> None:
    ours, tokens = await two.create(two.ours)
    for name in GAME_RPCS:
        for metadata in (key_metadata(two.theirs), key_metadata(two.theirs, tokens[1]), (), bearer("unknown")):
            if not metadata and RPC_SCOPES[name] == "operate":
                continue
            error_of_game = await expect_error(two.api, name, metadata, game_id=ours, **FIELDS)
            error_of_unknown = await expect_error(two.api, name, metadata, game_id=NO_GAME, **FIELDS)
            assert str(error_of_game).replace(ours, NO_GAME) == str(error_of_unknown), (name, metadata)
            if metadata != bearer("unknown") or RPC_SCOPES[name] != "operate":
                assert (error_of_game.code, error_of_game.reason) == (GONE, "GAME_NOT_FOUND"), (name, metadata)


async def test_games_of_other_platforms_are_unknown_on_play_streams(two: Platforms) -> None:
    ours, tokens = await two.create(two.ours)

    async def rejections(game: str) -> list[str]:
        resignation = games_pb2.ResignSeatRequest(game_id=game, seat=1, command_id="d")
        requests = [
            games_pb2.PlayRequest(subscription=games_pb2.PlaySubscription(game_id=game)),
            games_pb2.PlayRequest(subscription=games_pb2.PlaySubscription(game_id=game, token=tokens[1])),
            games_pb2.PlayRequest(commands=games_pb2.PlayCommands(game_id=game, seat=1, command_id="c")),
            games_pb2.PlayRequest(action=games_pb2.PlayAction(resign_seat=resignation)),
        ]
        answers = two.api.games.Play(iter(requests), metadata=key_metadata(two.theirs))
        return [it.rejection.status.message async for it in answers]

    assert [text.replace(ours, NO_GAME) for text in await rejections(ours)] == await rejections(NO_GAME)
    assert all("There is no game" in text for text in await rejections(ours))


@pytest.mark.databases
async def test_only_its_own_platform_sees_that_a_game_was_removed(two: Platforms) -> None:
    ours, _ = await two.create(two.ours)
    async with grpc_error(GONE, "GAME_NOT_FOUND"):
        await call_rpc(two.api, "Games.RemoveGame", key_metadata(two.theirs), game_id=ours)
    await call_rpc(two.api, "Games.RemoveGame", key_metadata(two.ours), game_id=ours)
    assert (await expect_error(two.api, "Games.GetGame", key_metadata(two.ours), game_id=ours)).reason == "GAME_REMOVED"
    assert (
        await expect_error(two.api, "Games.GetGame", key_metadata(two.theirs), game_id=ours)
    ).reason == "GAME_NOT_FOUND"
    assert (await expect_error(two.api, "Games.GetGame", (), game_id=ours)).reason == "GAME_NOT_FOUND"


@pytest.mark.databases
async def test_forks_and_imports_belong_to_the_calling_platform(two: Platforms, tmp_path: Path) -> None:
    ours, _ = await two.create(two.ours)
    fork = (
        await call_rpc(
            two.api, "Games.ForkGame", key_metadata(two.ours), game_id=ours, seats=[SEAT(bot="random"), SEAT()]
        )
    )[0].game.game_id
    async with run_server(tmp_path / "elsewhere.db") as elsewhere:
        record = await get_record(elsewhere, await create_finished_game(elsewhere))
    pieces = [history_pb2.ImportRecordRequest(data=record[at : at + 50_000]) for at in range(0, len(record), 50_000)]
    imported = await two.api.history.ImportRecord(iter(pieces), metadata=key_metadata(two.theirs))
    assert await two.listed(key_metadata(two.ours)) == [fork, ours]
    assert await two.listed(key_metadata(two.theirs)) == [imported.game.game_id]


async def test_request_ids_are_separate_for_each_platform(two: Platforms) -> None:
    (ours, tokens), (theirs, others) = [
        await two.create(key, request_id="the-same-request") for key in (two.ours, two.theirs)
    ]
    assert ours != theirs
    assert not set(tokens.values()) & set(others.values())
    assert await two.create(two.ours, request_id="the-same-request") == (ours, tokens)


async def test_the_platform_of_a_game_survives_a_restart(tmp_path: Path) -> None:
    async with platforms(tmp_path / "games.db") as two:
        game, tokens = await two.create(two.ours)
    async with run_server(tmp_path / "games.db") as api:
        assert (await call_rpc(api, "Games.GetGame", key_metadata(two.ours), game_id=game))[0].game.game_id == game
        assert (await call_rpc(api, "Games.GetGame", bearer(tokens[1]), game_id=game))[0].game.game_id == game
        assert (await expect_error(api, "Games.GetGame", (), game_id=game)).reason == "GAME_NOT_FOUND"


async def test_a_seat_token_needs_no_key_for_its_game(closed: Platforms) -> None:
    game, tokens = await closed.create(closed.ours)
    legal = await closed.api.legal(game, 1, tokens[1])
    await closed.api.submit(game, 1, tokens[1], "c1", legal.commands[0].command)
    for name in ("Games.GetGame", "Games.GetBoard", "History.ListEvents", "History.GetRecord"):
        assert await call_rpc(closed.api, name, bearer(tokens[1]), game_id=game)
    for name in ("Games.JoinGame", "Games.ForkGame", "Games.RemoveGame"):
        problem = await expect_error(closed.api, name, bearer(tokens[1]), game_id=game, seats=[SEAT(), SEAT()])
        assert problem.reason in ("GAME_NOT_FOUND", "KEY_MISSING", "OPERATOR_ONLY"), name


# --- required keys ------------------------------------------------------------------------------------------


async def test_calls_without_a_required_key_are_rejected(closed: Platforms) -> None:
    for name in set(KEY_RPCS) - {"Games.Play"}:  # a play stream answers its requests and has no error status
        problem = await expect_error(closed.api, name, (), game_id=NO_GAME, **FIELDS)
        assert (problem.code, problem.reason) == (UNAUTHENTICATED, "KEY_MISSING"), name
    for name in set(METHODS) - set(KEY_RPCS):
        assert await call_rpc(closed.api, name, (), title="orleans")


async def test_an_unknown_token_finds_no_game_if_keys_are_required(closed: Platforms) -> None:
    game, _ = await closed.create(closed.ours)
    for name in GAME_RPCS:
        problem = await expect_error(closed.api, name, bearer("unknown"), game_id=game, **FIELDS)
        expected = "GAME_NOT_FOUND" if RPC_SCOPES[name] in SEAT_TOKEN_SCOPES else "KEY_MISSING"
        assert problem.reason == expected, name


async def test_games_without_a_platform_belong_to_the_operator_if_keys_are_required(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        game, tokens = await api.create()
    async with platforms(tmp_path / "games.db", need_keys=True) as two:
        for name in ("Games.GetGame", "Games.GetBoard", "History.ListEvents"):
            assert await call_rpc(two.api, name, bearer(OPERATOR_TOKEN), game_id=game.game_id)
            assert await call_rpc(two.api, name, bearer(tokens[1]), game_id=game.game_id)
            assert (
                await expect_error(two.api, name, key_metadata(two.ours), game_id=game.game_id)
            ).reason == "GAME_NOT_FOUND"
            assert (await expect_error(two.api, name, (), game_id=game.game_id)).reason == "KEY_MISSING"
        assert await two.listed(bearer(OPERATOR_TOKEN)) == [game.game_id]


# --- rights of a key ----------------------------------------------------------------------------------------


async def test_a_key_plays_for_any_seat_of_its_games(two: Platforms) -> None:
    game, tokens = await two.create(two.ours)
    legal = (await call_rpc(two.api, "Games.ListLegalCommands", key_metadata(two.ours), game_id=game, seat=2))[0]
    fields = {"game_id": game, "seat": 2, "command_id": "c1", "commands": [legal.commands[0].command]}
    assert (await call_rpc(two.api, "Games.CheckCommand", key_metadata(two.ours), **fields))[0].version
    assert (await call_rpc(two.api, "Games.SubmitCommands", key_metadata(two.ours), **fields))[0].events
    wrong = await expect_error(
        two.api, "Games.SubmitCommands", key_metadata(two.ours, tokens[1]), **fields | {"command_id": "c2"}
    )
    assert wrong.reason == "TOKEN_WRONG"
    beyond = await expect_error(two.api, "Games.SubmitCommands", key_metadata(two.ours), **fields | {"seat": 9})
    assert beyond.reason == "BAD_REQUEST"


async def test_a_key_has_the_view_of_a_spectator_by_default(two: Platforms) -> None:
    game, tokens = await two.create(two.ours, options={"planning": "sealed"})
    legal = await two.api.legal(game, 1, tokens[1])
    await two.api.submit(game, 1, tokens[1], "c1", legal.commands[0].command)

    async def seen(metadata: Metadata) -> bytes:
        (answer,) = await call_rpc(two.api, "Games.GetBoard", metadata, game_id=game)
        data: bytes = answer.SerializeToString(deterministic=True)
        return data

    plain = await seen(key_metadata(two.ours))
    of_seat = await seen(bearer(tokens[1]))
    assert plain != of_seat
    assert await seen(key_metadata(two.ours, **{"x-boardkeeper-view": "0"})) == plain
    assert await seen(key_metadata(two.ours, **{"x-boardkeeper-view": "1"})) == of_seat
    assert await seen(key_metadata(two.ours, tokens[1])) == of_seat
    whole = await seen(key_metadata(two.ours, **{"x-boardkeeper-view": "operator"}))
    assert whole == await seen(bearer(OPERATOR_TOKEN))
    assert whole not in (plain, of_seat)
    for invalid in ("9", "-1", "x", "0x1"):
        metadata = key_metadata(two.ours, **{"x-boardkeeper-view": invalid})
        assert (await expect_error(two.api, "Games.GetBoard", metadata, game_id=game)).reason == "BAD_REQUEST"
    for view in ("1", "operator"):
        assert await seen((("x-boardkeeper-view", view), *bearer(tokens[2]))) == await seen(bearer(tokens[2]))


async def test_a_key_cannot_act_or_see_for_bots(two: Platforms) -> None:
    game, _ = await two.create(two.ours, SEAT(name="Ada"), SEAT(bot="random"))
    fields = {"game_id": game, "seat": 2, "command_id": "c1", "commands": []}
    for name in ("Games.ListLegalCommands", "Games.CheckCommand", "Games.SubmitCommands", "Games.RequestUndo"):
        assert (await expect_error(two.api, name, key_metadata(two.ours), **fields)).reason == "NO_PERSON", name
    metadata = key_metadata(two.ours, **{"x-boardkeeper-view": "2"})
    assert (await expect_error(two.api, "Games.GetBoard", metadata, game_id=game)).reason == "NO_PERSON"


async def test_another_view_needs_a_scope(tmp_path: Path) -> None:
    made = create_key_in(tmp_path / "games.db", "lobby", "create", "watch")
    async with run_server(tmp_path / "games.db") as api:
        request = games_pb2.CreateGameRequest(title="orleans", seats=[SEAT(), SEAT()])
        game = (await api.games.CreateGame(request, metadata=key_metadata(made))).game.game_id
        for view, reason in (("1", "SCOPE_MISSING"), ("operator", "OPERATOR_ONLY")):
            metadata = key_metadata(made, **{"x-boardkeeper-view": view})
            assert (await expect_error(api, "Games.GetBoard", metadata, game_id=game)).reason == reason


async def test_an_operator_key_covers_all_games_and_creates_games_without_a_platform(tmp_path: Path) -> None:
    own = create_key_in(tmp_path / "games.db", "operator", platform="*")
    async with platforms(tmp_path / "games.db") as two:
        ours, _ = await two.create(two.ours)
        without_platform, _ = await two.create(own)
        assert await two.listed(key_metadata(own)) == [without_platform, ours]
        assert await two.listed(()) == [without_platform]
        assert await call_rpc(two.api, "Games.RemoveGame", key_metadata(own), game_id=ours)


# --- invalid keys -------------------------------------------------------------------------------------------


async def test_invalid_keys_are_rejected(two: Platforms) -> None:
    good, other = two.ours.secret, two.theirs.secret
    for secret in (good[:-1] + ("0" if good[-1] != "0" else "1"), good[:16] + other[16:], "bk_" + "0" * 62):
        assert len(secret) == len(good)
        problem = await expect_error(two.api, "Games.ListGames", key_metadata(secret))
        assert (problem.code, problem.reason) == (UNAUTHENTICATED, "KEY_WRONG"), secret
        assert secret[16:] not in str(problem)
    for metadata in ((("x-boardkeeper-key", "bk"),), (("x-boardkeeper-key", good), *key_metadata(other))):
        assert (await expect_error(two.api, "Games.ListGames", metadata)).reason == "KEY_WRONG"
    assert await two.listed((("x-boardkeeper-key", good),)) == []


@pytest.mark.databases
async def test_ended_keys_are_rejected_and_rotated_keys_overlap(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    revoked, expired, rotated = [create_key_in(database, name) for name in ("revoked", "expired", "rotated")]
    changes = revoke_key([revoked.row], revoked.row.key_id, 1).changes
    now = time.time_ns() // 1_000_000
    fresh = rotate_key([rotated.row], rotated.row.key_id, now, 300 * 24 * 3_600_000)
    store_changes(database, [*changes, EndKey(expired.row.key_id, expire_time=1), *fresh.changes])
    async with run_server(database) as api:
        for made in (revoked, expired):
            problem = await expect_error(api, "Games.ListGames", key_metadata(made))
            assert (problem.code, problem.reason) == (UNAUTHENTICATED, "KEY_ENDED")
            assert problem.values == {"key": made.row.key_id}
        for made in (rotated, fresh):
            assert await call_rpc(api, "Games.ListGames", key_metadata(made))


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
    async with platforms(database, log="json") as two:
        secret, random = two.ours.secret, two.ours.secret[16:]
        game, tokens = await two.create(two.ours)
        problems = [
            await expect_error(
                two.api, "Games.SubmitCommands", key_metadata(two.ours, tokens[1]), game_id=game, seat=2
            ),
            await expect_error(two.api, "Games.RemoveGame", key_metadata(two.ours), game_id=NO_GAME),
            await expect_error(two.api, "Games.ListGames", key_metadata(secret[:-1] + "_")),
        ]
        monkeypatch.setattr(GamesServicer, "GetGame", fails)
    async with run_server(database, log="json") as api:
        problems.append(await expect_error(api, "Games.GetGame", key_metadata(two.ours, tokens[1]), game_id=game))
        assert problems[-1].reason == "UNEXPECTED"
    log = read_log(capfd)
    assert "an unexpected error" in log
    assert two.ours.row.key_id in log
    written = "".join(map(str, problems)) + log + repr(two.ours.row)
    for token in (random, tokens[1]):
        assert token not in written
        assert all(token.encode() not in data for data in files_in(tmp_path))


async def test_calls_of_operators_are_logged_separately(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    async with platforms(tmp_path / "games.db", log="json") as two:
        game, tokens = await two.create(two.ours)
        await call_rpc(two.api, "Games.GetBoard", key_metadata(two.ours), game_id=game)
        await call_rpc(two.api, "Games.GetBoard", bearer(tokens[1]), game_id=game)
        await call_rpc(two.api, "Games.GetBoard", bearer(OPERATOR_TOKEN), game_id=game)
        await call_rpc(
            two.api, "Games.GetBoard", key_metadata(two.ours, **{"x-boardkeeper-view": "operator"}), game_id=game
        )
        await call_rpc(two.api, "Games.RemoveGame", key_metadata(two.ours), game_id=game)
        await expect_error(two.api, "Games.RemoveGame", bearer(OPERATOR_TOKEN), game_id=NO_GAME)
    lines = [json.loads(line) for line in read_log(capfd).splitlines()]
    operator_lines = [line for line in lines if line["event"] == "operator"]
    key = two.ours.row.key_id
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
    async with platforms(tmp_path / "games.db", need_keys=required) as two:
        bots = [SEAT(bot="random"), SEAT(bot="random")]
        watched, _ = await two.create(two.ours, *bots, spectators=True)
        hidden, _ = await two.create(two.ours, *bots)
        for name in ("Games.GetGame", *VIEW_RPCS):
            assert await call_rpc(two.api, name, (), game_id=watched), name
            reason = (await expect_error(two.api, name, (), game_id=hidden)).reason
            assert reason == ("KEY_MISSING" if required else "GAME_NOT_FOUND"), name
        for name in ("Games.JoinGame", "Games.SubmitCommands", "Games.ForkGame"):
            assert (await expect_error(two.api, name, (), game_id=watched, **FIELDS)).reason == "KEY_MISSING", name


async def test_only_seats_and_operators_watch_a_game_without_spectators(two: Platforms) -> None:
    game, tokens = await two.create(None, spectators=False)
    fork = {"seats": [SEAT(), SEAT()]}
    for name in set(VIEW_RPCS) - {"Games.WatchGame"}:
        problem = await expect_error(two.api, name, (), game_id=game)
        assert (problem.code, problem.reason) == (DENIED, "NO_SPECTATORS"), name
        for metadata in (bearer(tokens[1]), bearer(OPERATOR_TOKEN)):
            assert await call_rpc(two.api, name, metadata, game_id=game), name
    for name in ("Games.WatchGame", "Games.ForkGame"):
        assert (await expect_error(two.api, name, (), game_id=game, **fork)).reason == "NO_SPECTATORS"
    assert await call_rpc(two.api, "Games.GetGame", (), game_id=game)


async def test_spectators_are_part_of_an_idempotent_request(two: Platforms) -> None:
    first = await two.create(None, request_id="the-same-request", spectators=False)
    assert await two.create(None, request_id="the-same-request", spectators=False) == first
    async with grpc_error(grpc.StatusCode.ALREADY_EXISTS, "REQUEST_ID_REUSED"):
        await two.create(None, request_id="the-same-request")


# --- new tokens ---------------------------------------------------------------------------------------------


async def reissue_token(two: Platforms, game: str, metadata: Metadata, seat: int = 1) -> str:
    (answer,) = await call_rpc(two.api, "Games.ReissueSeatToken", metadata, game_id=game, seat=seat)
    token: str = answer.seat_token.token
    return token


@pytest.mark.databases
async def test_a_new_token_replaces_the_old_one(two: Platforms) -> None:
    game, tokens = await two.create(two.ours)
    issued = [tokens[1]]
    for metadata in (key_metadata(two.ours), bearer(OPERATOR_TOKEN), bearer("")):
        issued.append(await reissue_token(two, game, metadata if metadata != bearer("") else bearer(issued[-1])))
    assert len(set(issued)) == 4
    for old in issued[:-1]:
        problem = await expect_error(
            two.api, "Games.ListLegalCommands", key_metadata(two.ours, old), game_id=game, seat=1
        )
        assert problem.reason == "TOKEN_WRONG"
        assert (await expect_error(two.api, "Games.GetBoard", bearer(old), game_id=game)).reason == "GAME_NOT_FOUND"
    assert (await two.api.legal(game, 1, issued[-1])).commands
    assert (await two.api.legal(game, 2, tokens[2])).commands


async def test_a_new_token_survives_a_restart(tmp_path: Path) -> None:
    async with platforms(tmp_path / "games.db") as two:
        game, tokens = await two.create(two.ours)
        token = await reissue_token(two, game, key_metadata(two.ours))
    async with run_server(tmp_path / "games.db") as api:
        assert (await api.legal(game, 1, token)).commands
        assert (await expect_error(api, "Games.GetBoard", bearer(tokens[1]), game_id=game)).reason == "GAME_NOT_FOUND"


async def test_new_tokens_are_only_for_people_and_their_platform(two: Platforms) -> None:
    game, tokens = await two.create(two.ours, SEAT(name="Ada"), SEAT(bot="random"), SEAT(open=True))
    for seat in (2, 3):
        fields = {"game_id": game, "seat": seat}
        assert (
            await expect_error(two.api, "Games.ReissueSeatToken", key_metadata(two.ours), **fields)
        ).reason == "NO_PERSON"
    for metadata, reason in (
        (key_metadata(two.theirs), "GAME_NOT_FOUND"),
        ((), "GAME_NOT_FOUND"),
        (key_metadata(two.ours, "unknown"), "TOKEN_WRONG"),
    ):
        assert (await expect_error(two.api, "Games.ReissueSeatToken", metadata, game_id=game, seat=1)).reason == reason
    beyond = await expect_error(two.api, "Games.ReissueSeatToken", key_metadata(two.ours), game_id=game, seat=9)
    assert beyond.reason == "BAD_REQUEST"
    assert await call_rpc(two.api, "Games.GetGame", bearer(tokens[1]), game_id=game)


async def test_a_stream_opened_with_a_replaced_token_ends_before_the_next_event(two: Platforms) -> None:
    game, tokens = await two.create(two.ours)
    version = (await call_rpc(two.api, "Games.GetGame", key_metadata(two.ours), game_id=game))[0].game.version
    request = games_pb2.WatchGameRequest(game_id=game, after_version=version - 1)
    watched = two.api.games.WatchGame(request, metadata=bearer(tokens[1]))
    subscription = games_pb2.PlaySubscription(game_id=game, after_version=version - 1, token=tokens[1])
    played = two.api.games.Play(metadata=())
    await played.write(games_pb2.PlayRequest(subscription=subscription))
    assert (await watched.read()).event.version == version
    assert (await played.read()).event.version == version
    token = await reissue_token(two, game, key_metadata(two.ours))
    legal = await two.api.legal(game, 1, token)
    await two.api.submit(game, 1, token, "c1", legal.commands[0].command)
    assert "does not belong to seat 1" in (await played.read()).rejection.status.message
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await watched.read()
    assert error_details(caught.value).reason == "TOKEN_WRONG"
    await played.done_writing()
