"""The operator's RPCs about keys, and servers that require keys."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from tests.certificates import Authority
from tests.service.api_server import Api, Metadata, bearer, grpc_error, run_server
from tests.service.keys import OPERATOR_TOKEN, create_key_in, key_metadata

from boardkeeper.client import Client
from boardkeeper.client.aio import AsyncClient
from boardkeeper.client.connection import CallHeaders
from boardkeeper.client.errors import PermissionDenied, Unauthenticated
from boardkeeper.client.keys import KeyClient
from boardkeeper.client.requests import person
from boardkeeper.client.tls import Tls
from boardkeeper.service.auth.access_control import requires_keys
from boardkeeper.service.config import Config
from boardkeeper.service.errors import SettingError
from boardkeeper.service.process.server import Service, running_service
from boardkeeper.v1 import access_pb2, access_pb2_grpc, games_pb2

pytestmark = pytest.mark.socket

OPERATOR = bearer(OPERATOR_TOKEN)
DENIED = grpc.StatusCode.PERMISSION_DENIED
INVALID = grpc.StatusCode.INVALID_ARGUMENT
UNAUTHENTICATED = grpc.StatusCode.UNAUTHENTICATED


def access(api: Api) -> Any:
    return access_pb2_grpc.AccessStub(api.channel)


async def create(api: Api, name: str = "lobby", metadata: Metadata = OPERATOR, **more: Any) -> Any:
    request = access_pb2.CreateAccessKeyRequest(name=name, scopes=["watch", "create"], **more)
    return await access(api).CreateAccessKey(request, metadata=metadata)


async def list_games(api: Api, metadata: Metadata) -> None:
    await api.games.ListGames(games_pb2.ListGamesRequest(), metadata=metadata)


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async with run_server(tmp_path / "games.db", operator_token=OPERATOR_TOKEN) as api:
        yield api


@pytest.mark.databases
async def test_changes_of_keys_take_effect_immediately(api: Api) -> None:
    created = await create(api)
    await list_games(api, key_metadata(created.secret))
    fresh = await access(api).RotateAccessKey(
        access_pb2.RotateAccessKeyRequest(key_id=created.key.key_id, overlap=Duration(seconds=3600)), metadata=OPERATOR
    )
    for secret in (created.secret, fresh.secret):
        await list_games(api, key_metadata(secret))
    await access(api).RevokeAccessKey(access_pb2.RevokeAccessKeyRequest(key_id=created.key.key_id), metadata=OPERATOR)
    async with grpc_error(UNAUTHENTICATED, "KEY_ENDED"):
        await list_games(api, key_metadata(created.secret))
    await list_games(api, key_metadata(fresh.secret))
    answer = await access(api).ListAccessKeys(access_pb2.ListAccessKeysRequest(), metadata=OPERATOR)
    assert [(key.key_id, key.HasField("revoke_time")) for key in answer.keys] == [
        (created.key.key_id, True),
        (fresh.key.key_id, False),
    ]
    assert created.secret[16:] not in str(answer)


async def test_streams_end_when_their_key_is_revoked(tmp_path: Path) -> None:
    key = create_key_in(tmp_path / "games.db", "lobby")
    async with run_server(tmp_path / "games.db", operator_token=OPERATOR_TOKEN, heartbeat_seconds=0.01) as api:
        request = games_pb2.CreateGameRequest(title="orleans", seats=[games_pb2.SeatRequest()] * 2)
        game = (await api.games.CreateGame(request, metadata=key_metadata(key))).game.game_id
        watched = api.games.WatchGame(games_pb2.WatchGameRequest(game_id=game), metadata=key_metadata(key))
        subscription = games_pb2.PlayRequest(subscription=games_pb2.PlaySubscription(game_id=game))
        played = api.games.Play(metadata=key_metadata(key))
        await played.write(subscription)
        assert await watched.read()
        assert await played.read()
        await access(api).RevokeAccessKey(access_pb2.RevokeAccessKeyRequest(key_id=key.row.key_id), metadata=OPERATOR)
        for stream in (watched, played):
            async with asyncio.timeout(60):
                while True:
                    try:
                        if await stream.read() is grpc.aio.EOF:
                            break
                    except grpc.aio.AioRpcError:
                        break
            assert await stream.code() is UNAUTHENTICATED


@pytest.mark.databases
async def test_a_key_revoked_by_one_process_is_rejected_by_another(tmp_path: Path, database_kind: str) -> None:
    if database_kind == "sqlite":
        pytest.skip("a file has one process")
    database = tmp_path / "games.db"
    key = create_key_in(database, "lobby")
    async with (
        run_server(database, operator_token=OPERATOR_TOKEN) as one,
        run_server(database, operator_token=OPERATOR_TOKEN) as other,
    ):
        for api in (one, other):
            await list_games(api, key_metadata(key))
        await access(one).RevokeAccessKey(access_pb2.RevokeAccessKeyRequest(key_id=key.row.key_id), metadata=OPERATOR)
        async with asyncio.timeout(60), grpc_error(UNAUTHENTICATED, "KEY_ENDED"):
            while True:
                await list_games(other, key_metadata(key))
                await asyncio.sleep(0.02)


async def wait_until_rejected(api: Api, game: str, token: str) -> None:
    """Wait until a token of seat 1 is rejected."""
    async with asyncio.timeout(60), grpc_error(DENIED, "TOKEN_WRONG"):
        while True:
            await api.legal(game, 1, token)
            await asyncio.sleep(0.02)


@pytest.mark.databases
async def test_a_token_replaced_by_one_process_is_rejected_by_another(tmp_path: Path, database_kind: str) -> None:
    if database_kind == "sqlite":
        pytest.skip("a file has one process")
    async with run_server(tmp_path / "games.db") as one, run_server(tmp_path / "games.db") as other:
        game, tokens = await one.create()
        assert (await other.legal(game.game_id, 1, tokens[1])).commands
        request = games_pb2.ReissueSeatTokenRequest(game_id=game.game_id, seat=1)
        answer = await one.games.ReissueSeatToken(request, metadata=bearer(tokens[1]))
        await wait_until_rejected(other, game.game_id, tokens[1])
        assert (await other.legal(game.game_id, 1, answer.seat_token.token)).commands


async def test_only_the_operator_creates_keys(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    platform, operator_key = create_key_in(database, "lobby"), create_key_in(database, "own", platform="*")
    async with run_server(database, operator_token=OPERATOR_TOKEN) as api:
        for metadata in ((), bearer("unknown"), key_metadata(platform)):
            async with grpc_error(DENIED, "OPERATOR_ONLY"):
                await create(api, "new", metadata)
        assert (await create(api, "new", key_metadata(operator_key))).secret


async def test_invalid_key_requests_name_their_field(api: Api) -> None:
    wrong: dict[str, Any]
    for field, wrong in (
        ("platform", {"platform": "No Id"}),
        ("expire_time", {"expire_time": {"seconds": 5}}),
        ("certificate", {"certificate": "a name"}),
    ):
        async with grpc_error(INVALID, "BAD_REQUEST") as problems:
            await create(api, "lobby", **wrong)
        assert list(problems[0].violations) == [field]
    for overlap in (Duration(seconds=-1), Duration(seconds=10**11)):
        created = await create(api)
        async with grpc_error(INVALID) as problems:
            request = access_pb2.RotateAccessKeyRequest(key_id=created.key.key_id, overlap=overlap)
            await access(api).RotateAccessKey(request, metadata=OPERATOR)
        assert list(problems[0].violations) == ["overlap"]
    async with grpc_error(INVALID) as problems:
        await access(api).RevokeAccessKey(access_pb2.RevokeAccessKeyRequest(key_id="x"), metadata=OPERATOR)
    assert list(problems[0].violations) == ["key_id"]
    await create(api, certificate="lobby.example.org")
    async with grpc_error(grpc.StatusCode.ALREADY_EXISTS, "CERTIFICATE_TAKEN"):
        await create(api, certificate="dns:lobby.example.org")


# --- servers that require keys ------------------------------------------------------------------------------


async def test_a_public_server_does_not_start_without_a_key(tmp_path: Path) -> None:
    config = Config(database=str(tmp_path / "games.db"), listen="0.0.0.0:0", log="off", insecure=True)
    with pytest.raises(SettingError, match="boardkeeper access create"):
        await Service(config).start()
    assert not (tmp_path / "games.db").exists()
    key = create_key_in(tmp_path / "games.db", "lobby")
    service = Service(config)
    await service.start()
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{service.address.rpartition(':')[2]}") as channel:
            async with grpc_error(UNAUTHENTICATED, "KEY_MISSING"):
                await list_games(Api(channel), ())
            await list_games(Api(channel), key_metadata(key))
    finally:
        await service.stop()


def test_keys_are_required_on_public_addresses_or_by_setting() -> None:
    assert not requires_keys(Config(listen="127.0.0.1:1"))
    assert not requires_keys(Config(listen="unix:/run/games.sock"))
    assert requires_keys(Config(listen="127.0.0.1:1", need_keys=True))
    assert requires_keys(Config(listen="0.0.0.0:1", insecure=True))
    assert not requires_keys(Config(listen="0.0.0.0:1", tls_client_ca="ca.pem"))
    assert requires_keys(Config(listen="0.0.0.0:1", tls_client_ca="ca.pem", need_keys=True))


def test_a_certificate_is_a_key(tmp_path: Path) -> None:
    authority = Authority(tmp_path, "authority")
    own, lobby, other = [authority.sign(name) for name in ("localhost", "lobby.example.org", "other.example.org")]
    create_key_in(tmp_path / "games.db", "lobby", "create", "watch", certificate="lobby.example.org")
    settings: dict[str, Any] = {"tls_certificate": own.certificate, "tls_key": own.key, "tls_client_ca": authority.file}
    for required in (False, True):
        with running_service(tmp_path / "games.db", need_keys=required, **settings) as address:
            place = f"https://localhost:{address.rpartition(':')[2]}"
            with Client(place, tls=Tls(authority.file, *lobby)) as client:
                game = client.create_game("orleans", [person("Ada"), person("Bob")]).game.game_id
                assert game in [game.game_id for game in client.games()]
                with pytest.raises(PermissionDenied, match="history"):
                    list(client.events(game))
            with Client(place, tls=Tls(authority.file, *other)) as client:
                if required:
                    with pytest.raises(Unauthenticated):
                        list(client.games())
                else:
                    assert list(client.games()) == []


# --- clients ------------------------------------------------------------------------------------------------


def test_a_client_sends_its_key_and_does_not_print_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = create_key_in(tmp_path / "games.db", "lobby")
    with running_service(tmp_path / "games.db", need_keys=True) as address:
        with Client(address, key=key.secret) as client:
            new = client.create_game("orleans", [person("Ada"), person("Bob")])
            assert new.seats[0].legal_commands().commands
            assert key.secret not in repr(client.__dict__)
        monkeypatch.setenv("BOARDKEEPER_KEY", key.secret)
        with Client(address) as client:
            assert [game.game_id for game in client.games()] == [new.game.game_id]
        with Client(address, key="") as client, pytest.raises(Unauthenticated):
            list(client.games())


async def test_the_async_client_sends_its_key(tmp_path: Path) -> None:
    key = create_key_in(tmp_path / "games.db", "lobby")
    async with (
        run_server(tmp_path / "games.db", need_keys=True) as api,
        AsyncClient(api.address, key=key.secret) as client,
    ):
        new = await client.create_game("orleans", [person("Ada"), person("Bob")])
        assert [game.game_id async for game in client.games()] == [new.game.game_id]


def test_an_invalid_key_is_not_in_the_error() -> None:
    for wrong in ("bk_0\n", "schlüssel", "x" * 300):
        with pytest.raises(ValueError, match="characters that are not allowed in a key") as caught:
            Client("localhost:1", key=wrong)
        assert wrong not in str(caught.value)
    assert "bk_secret" not in repr(CallHeaders(key="bk_secret"))
    assert CallHeaders(key="k").metadata("t") == (
        ("accept-language", "en"),
        ("authorization", "Bearer t"),
        ("x-boardkeeper-key", "k"),
    )


def test_an_operator_creates_and_revokes_keys(tmp_path: Path) -> None:
    with running_service(tmp_path / "games.db", operator_token=OPERATOR_TOKEN) as address, Client(address) as client:
        keys = KeyClient(client, OPERATOR_TOKEN)
        created = keys.create("lobby", ["create"])
        assert keys.revoke(created.key.key_id).key_id == created.key.key_id
        assert [key.HasField("revoke_time") for key in keys.all_keys()] == [True]
        with pytest.raises(PermissionDenied):
            KeyClient(client, "no operator's").all_keys()
