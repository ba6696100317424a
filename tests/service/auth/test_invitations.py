"""Invitations to free seats, and seat tokens that expire."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier
from typing import Any
from uuid import UUID, uuid4

import grpc
import psycopg
import pytest
from eventsourcing.persistence import IntegrityError
from google.protobuf.duration_pb2 import Duration
from tests.databases import database_access
from tests.service.api_errors import api_error
from tests.service.api_server import Metadata, bearer, error_details, grpc_error
from tests.service.cache.test_game_registry import open_service
from tests.service.keys import OPERATOR_TOKEN, key_metadata, store_changes
from tests.service.platforms import SEAT, PlatformServer, call_rpc, expect_error, run_platform_server

from boardkeeper.service.api import authorization
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.games.game_creator import SeatPlan
from boardkeeper.service.games.invitations import EXPIRED, PREFIX, REVOKED, USABLE, USED, Invitations, state_of
from boardkeeper.service.process.background import delete_invitations
from boardkeeper.service.storage.access import ReplaceToken
from boardkeeper.service.storage.database_urls import open_database
from boardkeeper.service.storage.invitations import EndInvitation, InvitationRow, NewInvitation
from boardkeeper.titlekit.title import Setup
from boardkeeper.v1 import games_pb2, players_pb2

pytestmark = pytest.mark.socket

ONE_OPEN_SEAT = (SeatPlan("Ada"), SeatPlan(open=True))

JOIN, INVITE = "Games.JoinGame", "Players.CreateInvitation"
MINUTE = Duration(seconds=60)


async def create_invitation(
    server: PlatformServer, metadata: Metadata, game: str, **more: Any
) -> players_pb2.CreateInvitationResponse:
    (answer,) = await call_rpc(server.api, INVITE, metadata, game_id=game, **more)
    assert isinstance(answer, players_pb2.CreateInvitationResponse)
    return answer


async def list_invitations(server: PlatformServer, metadata: Metadata, game: str) -> list[players_pb2.Invitation]:
    (answer,) = await call_rpc(server.api, "Players.ListInvitations", metadata, game_id=game)
    return list(answer.invitations)


# --- invitations --------------------------------------------------------------------------------------------


@pytest.mark.databases
async def test_an_invited_player_joins_once_without_a_key(strict_server: PlatformServer) -> None:
    key = key_metadata(strict_server.key)
    game, _ = await strict_server.create(
        strict_server.key, SEAT(name="Ada"), SEAT(open=True), SEAT(open=True), by_invitation=True
    )
    created = await create_invitation(strict_server, key, game, seat=3, player_id="p-cem")
    assert created.code.startswith(PREFIX)
    assert (created.invitation.seat, created.invitation.player_id) == (3, "p-cem")
    fields = {"game_id": game, "invitation": created.code, "request_id": "the-same-request"}
    (joined,) = await call_rpc(strict_server.api, JOIN, (), **fields)
    assert joined.seat_token.seat == 3
    assert [seat.player_id for seat in joined.game.seats] == ["", "", ""], "the player who joins is not a platform"
    assert (await call_rpc(strict_server.api, JOIN, (), **fields))[0].seat_token == joined.seat_token
    (seen,) = await call_rpc(strict_server.api, "Games.GetGame", key, game_id=game)
    assert [seat.player_id for seat in seen.game.seats] == ["", "", "p-cem"]
    problem = await expect_error(strict_server.api, JOIN, (), game_id=game, invitation=created.code)
    assert (problem.reason, problem.values) == ("INVITATION_ENDED", {"state": "used"})
    (row,) = await list_invitations(strict_server, key, game)
    assert (row.used_seat, row.HasField("end_time")) == (3, True)
    assert (await strict_server.api.legal(game, 3, joined.seat_token.token)).decision == ""


@pytest.mark.databases
async def test_a_game_by_invitation_needs_an_invitation(server: PlatformServer) -> None:
    ours, tokens = await server.create(server.key, SEAT(name="Ada"), SEAT(open=True), by_invitation=True)
    other, _ = await server.create(server.key, SEAT(name="Ada"), SEAT(open=True))
    elsewhere = await create_invitation(server, key_metadata(server.key), other)
    for metadata in (key_metadata(server.key), bearer(OPERATOR_TOKEN)):
        assert (await expect_error(server.api, JOIN, metadata, game_id=ours)).reason == "INVITATION_MISSING"
        for code in (elsewhere.code, "bki_x"):
            problem = await expect_error(server.api, JOIN, metadata, game_id=ours, invitation=code)
            assert problem.reason == "INVITATION_WRONG"
    for code in ("", elsewhere.code, "bki_x"):  # other callers do not see that the game exists
        assert (await expect_error(server.api, JOIN, (), game_id=ours, invitation=code)).reason == "GAME_NOT_FOUND"
    assert (await expect_error(server.api, JOIN, (), game_id=ours, invitation="x" * 129)).reason == "BAD_REQUEST"
    own_invitation = await create_invitation(server, bearer(tokens[1]), ours)
    (joined,) = await call_rpc(server.api, JOIN, (), game_id=ours, invitation=own_invitation.code)
    assert joined.seat_token.seat == 2


async def test_only_seats_and_the_games_platform_can_invite(server: PlatformServer) -> None:
    game, tokens = await server.create(None, SEAT(name="Ada"), SEAT(open=True), by_invitation=True)
    for metadata, reason in (
        ((), "TOKEN_MISSING"),
        (bearer("x"), "TOKEN_WRONG"),
        (key_metadata(server.key), "GAME_NOT_FOUND"),
    ):
        for name in (INVITE, "Players.ListInvitations", "Players.RevokeInvitation"):
            assert (await expect_error(server.api, name, metadata, game_id=game)).reason == reason, (name, metadata)
    created = await create_invitation(server, bearer(tokens[1]), game)
    assert (
        await expect_error(server.api, INVITE, bearer(tokens[1]), game_id=game, player_id="p")
    ).reason == "PLATFORM_ONLY"
    assert [it.invitation_id for it in await list_invitations(server, bearer(OPERATOR_TOKEN), game)] == [
        created.invitation.invitation_id
    ]
    async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT, "BAD_REQUEST"):
        await server.create(None, SEAT(open=True), SEAT(bot="random"), by_invitation=True)
    await server.create(server.key, SEAT(open=True), SEAT(bot="random"), by_invitation=True)


async def test_only_platforms_see_player_ids_of_invitations(server: PlatformServer) -> None:
    game, tokens = await server.create(server.key, SEAT(name="Ada"), SEAT(open=True))
    created = await create_invitation(server, key_metadata(server.key), game, player_id="p")
    assert [it.player_id for it in await list_invitations(server, key_metadata(server.key), game)] == ["p"]
    assert [it.player_id for it in await list_invitations(server, bearer(tokens[1]), game)] == [""]
    fields = {"game_id": game, "invitation": created.code}
    assert (
        await expect_error(server.api, JOIN, key_metadata(server.key), **fields, player_id="q")
    ).reason == "BAD_REQUEST"
    assert (await expect_error(server.api, JOIN, (), **fields, player_id="p")).reason == "PLATFORM_ONLY"


@pytest.mark.databases
async def test_a_revoked_invitation_stays_revoked(server: PlatformServer) -> None:
    game, tokens = await server.create(server.key, SEAT(name="Ada"), SEAT(open=True))
    created = await create_invitation(server, bearer(tokens[1]), game)
    fields = {"game_id": game, "invitation_id": created.invitation.invitation_id}
    (revoked,) = await call_rpc(server.api, "Players.RevokeInvitation", bearer(tokens[1]), **fields)
    assert (await call_rpc(server.api, "Players.RevokeInvitation", bearer(tokens[1]), **fields))[0] == revoked
    assert revoked.invitation.used_seat == 0
    problem = await expect_error(server.api, JOIN, (), game_id=game, invitation=created.code)
    assert (problem.reason, problem.values) == ("INVITATION_ENDED", {"state": "revoked"})
    missing = await expect_error(
        server.api, "Players.RevokeInvitation", bearer(tokens[1]), game_id=game, invitation_id="x"
    )
    assert missing.reason == "INVITATION_NOT_FOUND"


async def test_invitations_are_only_for_free_seats(server: PlatformServer) -> None:
    key = key_metadata(server.key)
    game, _ = await server.create(server.key, SEAT(name="Ada"), SEAT(open=True))
    assert (await expect_error(server.api, INVITE, key, game_id=game, seat=1)).reason == "SEAT_TAKEN"
    for wrong in ({"seat": 17}, {"lifetime": Duration(seconds=59)}, {"lifetime": Duration(seconds=60, nanos=1)}):
        assert (await expect_error(server.api, INVITE, key, game_id=game, **wrong)).reason == "BAD_REQUEST"
    first, second = await create_invitation(server, key, game, seat=2), await create_invitation(server, key, game)
    assert (
        await expect_error(server.api, JOIN, (), game_id=game, seat=1, invitation=first.code)
    ).reason == "BAD_REQUEST"
    await call_rpc(server.api, JOIN, (), game_id=game, invitation=second.code)
    assert (await expect_error(server.api, JOIN, (), game_id=game, invitation=first.code)).reason == "NO_FREE_SEAT"
    assert (await expect_error(server.api, INVITE, key, game_id=game)).reason == "NO_FREE_SEAT"
    await call_rpc(server.api, "Games.RemoveGame", key, game_id=game)
    assert (await expect_error(server.api, JOIN, (), game_id=game, invitation=first.code)).reason == "GAME_NOT_FOUND"


async def test_the_number_of_invitations_is_limited(server: PlatformServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardkeeper.service.games.invitations.MAX_INVITATIONS", 2)
    game, tokens = await server.create(server.key, SEAT(name="Ada"), SEAT(open=True))
    for _ in range(2):
        await create_invitation(server, bearer(tokens[1]), game)
    problem = await expect_error(server.api, INVITE, bearer(tokens[1]), game_id=game)
    assert (problem.reason, problem.values) == ("TOO_MANY_INVITATIONS", {"most": "2"})


def invitation(game: UUID, number: int, until: int | None = None) -> InvitationRow:
    return InvitationRow(f"{game.hex[:6]}-{number}", f"{game}{number}".encode(), game, 0, "", number, until)


@pytest.mark.databases
async def test_the_limit_of_invitations_counts_concurrent_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is checked when an invitation is stored, because others may be stored after the read."""
    monkeypatch.setattr("boardkeeper.service.games.invitations.MAX_INVITATIONS", 2)
    async with open_service(tmp_path / "games.db") as service:
        invitations, tables = Invitations(service.handler), service.application.database.invitations
        game = (await service.creator.create("tiny", Setup("", 2), ONE_OPEN_SEAT, "")).game

        async def store_others_first(live: LiveGame) -> None:
            rows = [NewInvitation(invitation(live.id, number)) for number in (1, 2)]
            monkeypatch.setattr(tables, "invitations_of", lambda _: [])
            await asyncio.to_thread(service.application.writer.store, rows)

        with api_error("TOO_MANY_INVITATIONS"):
            await invitations.create(game, 0, 0, "", store_others_first)
        monkeypatch.undo()
        assert [row.id for row in tables.invitations_of(game)] == [f"{game.hex[:6]}-1", f"{game.hex[:6]}-2"]
        assert (await service.registry.get(game)).game.seats.free(), "the game is still open"


@pytest.mark.postgres
def test_processes_share_the_limit_of_invitations(tmp_path: Path, empty_database: str) -> None:
    game, most = uuid4(), 5
    databases = [open_database(empty_database, key_file=tmp_path / "key") for _ in range(4)]
    try:
        with psycopg.connect(empty_database, autocommit=True) as tables:
            tables.execute("INSERT INTO progress (game, version, chain) VALUES (%s, 1, '')", (game,))
        barrier = Barrier(len(databases))

        def make(at: int) -> int:
            count = 0
            for number in range(most):
                barrier.wait()
                with suppress(IntegrityError):
                    change = NewInvitation(invitation(game, 10 * at + number), most)
                    databases[at].log.writer.store([change])
                    count += 1
            return count

        with ThreadPoolExecutor(len(databases)) as threads:
            assert sum(threads.map(make, range(len(databases)))) == most
        assert len(databases[0].invitations.invitations_of(game)) == most
    finally:
        for database in databases:
            database.close()


@pytest.mark.databases
async def test_old_ended_invitations_are_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardkeeper.service.storage.invitations.DELETE_BATCH", 2)
    async with open_service(tmp_path / "games.db") as service:
        game = (await service.creator.create("tiny", Setup("", 2), ONE_OPEN_SEAT, "")).game
        rows = [invitation(game, number, until) for number, until in enumerate((None, 100, 99, 5, None, 7, 8, 500))]
        ends = [EndInvitation(rows[at].id, game, time) for at, time in ((3, 100), (4, 99), (7, 98))]
        store = service.application.writer.store
        store([*map(NewInvitation, rows), *ends])
        tables = service.application.database.invitations
        await delete_invitations(service.application, 100)
        # One is usable and one expired just now; those that were ended just now had expired before.
        assert [row.create_time for row in tables.invitations_of(game)] == [0, 1]
        assert not tables.has_ended(100)
        assert count_invitation_rows(tmp_path / "games.db", str(game)) == {"invitations": 2}
        await delete_invitations(service.application, 101)
        assert [row.create_time for row in tables.invitations_of(game)] == [0]


def count_invitation_rows(path: Path, game: str) -> dict[str, int]:
    found = database_access.count_rows(path, game)
    return {table: count for table, count in found.items() if table.startswith("invitation")}


async def test_a_server_deletes_old_invitations(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as service:
        game = (await service.creator.create("tiny", Setup("", 2), ONE_OPEN_SEAT, "")).game
        service.application.writer.store([NewInvitation(invitation(game, number, 5)) for number in range(3)])
    async with run_platform_server(path), asyncio.timeout(60):
        while count_invitation_rows(path, str(game)):  # noqa: ASYNC110  # there is nothing else to wait for
            await asyncio.sleep(0.01)


@pytest.mark.databases
async def test_concurrent_uses_of_one_invitation_succeed_once(server: PlatformServer) -> None:
    game, _ = await server.create(server.key, SEAT(name="Ada"), SEAT(open=True), SEAT(open=True), SEAT(open=True))
    created = await create_invitation(server, key_metadata(server.key), game)
    fields = {"game_id": game, "invitation": created.code}
    answers = await asyncio.gather(
        *(call_rpc(server.api, JOIN, (), **fields) for _ in range(3)), return_exceptions=True
    )
    assert sum(isinstance(answer, list) for answer in answers) == 1
    assert {error_details(it).reason for it in answers if isinstance(it, grpc.RpcError)} == {"INVITATION_ENDED"}


@pytest.mark.databases
async def test_an_invitation_ends_only_once(tmp_path: Path) -> None:
    async with open_service(tmp_path / "games.db") as service:
        game = (await service.creator.create("tiny", Setup("", 2), ONE_OPEN_SEAT, "")).game
        end = EndInvitation("an-id", game, 5, 2)
        service.application.writer.store([end])
        with pytest.raises(IntegrityError):
            service.application.writer.store([EndInvitation("an-id", game, 6)])


def test_an_invitation_expires() -> None:
    row = InvitationRow("i", b"", "g", 0, "", 5, 10)  # type: ignore[arg-type]
    assert [state_of(row, time) for time in (9, 10)] == [USABLE, EXPIRED]
    used = InvitationRow("i", b"", "g", 0, "", 5, 10, 7, 2)  # type: ignore[arg-type]
    revoked = InvitationRow("i", b"", "g", 0, "", 5, 10, 7)  # type: ignore[arg-type]
    assert (state_of(used, 20), state_of(revoked, 20)) == (USED, REVOKED)


# --- tokens that expire -------------------------------------------------------------------------------------


@pytest.mark.databases
async def test_tokens_expire_after_the_lifetime_of_the_game(
    server: PlatformServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = games_pb2.CreateGameRequest(
        title="orleans",
        seats=[SEAT(name="Ada"), SEAT(open=True)],
        seat_token_lifetime=MINUTE,
        request_id="the-same-request",
    )
    created = await server.api.games.CreateGame(request, metadata=key_metadata(server.key))
    assert (
        await server.api.games.CreateGame(request, metadata=key_metadata(server.key))
    ).seat_tokens == created.seat_tokens
    game, (first,) = created.game.game_id, created.seat_tokens
    (joined,) = await call_rpc(server.api, JOIN, key_metadata(server.key), game_id=game)
    expires = max(it.expire_time.ToMilliseconds() for it in (first, joined.seat_token))
    assert expires - created.game.create_time.ToMilliseconds() >= 60_000
    assert (await server.api.legal(game, 1, first.token)).commands
    monkeypatch.setattr(authorization, "wall_milliseconds", lambda: expires)
    for name in ("Games.ListLegalCommands", "Games.GetBoard", "History.ListEvents"):
        problem = await expect_error(server.api, name, bearer(first.token), game_id=game, seat=1)
        assert (problem.code, problem.reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_EXPIRED"), name
        assert problem.values["seat"] == "1"
    assert (
        await expect_error(server.api, "Games.ReissueSeatToken", bearer(first.token), game_id=game, seat=1)
    ).reason == ("TOKEN_EXPIRED")
    (again,) = await call_rpc(server.api, "Games.ReissueSeatToken", key_metadata(server.key), game_id=game, seat=1)
    assert again.seat_token.expire_time.ToMilliseconds() >= first.expire_time.ToMilliseconds()
    lifetime = Duration(seconds=86_400)
    (long,) = await call_rpc(
        server.api, "Games.ReissueSeatToken", key_metadata(server.key), game_id=game, seat=1, lifetime=lifetime
    )
    assert (await server.api.legal(game, 1, long.seat_token.token)).commands
    wrong = await expect_error(
        server.api, "Games.ReissueSeatToken", key_metadata(server.key), game_id=game, seat=1, lifetime=Duration()
    )
    assert wrong.reason == "BAD_REQUEST"


async def test_tokens_without_a_lifetime_do_not_expire(server: PlatformServer, monkeypatch: pytest.MonkeyPatch) -> None:
    game, tokens = await server.create(server.key)
    monkeypatch.setattr(authorization, "wall_milliseconds", lambda: 1 << 60)
    assert (await server.api.legal(game, 1, tokens[1])).commands
    (answer,) = await call_rpc(server.api, "Games.ReissueSeatToken", key_metadata(server.key), game_id=game, seat=1)
    assert not answer.seat_token.HasField("expire_time")


async def test_a_stream_ends_when_its_token_expires(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with run_platform_server(tmp_path / "games.db", heartbeat_seconds=0.05) as server:
        game, tokens = await server.create(server.key, seat_token_lifetime=MINUTE)
        (seen,) = await call_rpc(server.api, "Games.GetGame", key_metadata(server.key), game_id=game)
        watched = server.api.games.WatchGame(
            games_pb2.WatchGameRequest(game_id=game, after_version=seen.game.version), metadata=bearer(tokens[1])
        )
        subscription = games_pb2.PlaySubscription(game_id=game, after_version=seen.game.version, token=tokens[1])
        played = server.api.games.Play(metadata=())
        await played.write(games_pb2.PlayRequest(subscription=subscription))
        assert (await watched.read()).HasField("heartbeat")
        assert (await played.read()).HasField("heartbeat")
        monkeypatch.setattr(authorization, "wall_milliseconds", lambda: 1 << 60)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await read_to_end(watched)
        assert error_details(caught.value).reason == "TOKEN_EXPIRED"
        while not (answer := await played.read()).HasField("rejection"):
            pass
        assert answer.rejection.status.code == grpc.StatusCode.UNAUTHENTICATED.value[0]
        await played.done_writing()


async def read_to_end(stream: Any) -> None:
    """Read a stream to its end."""
    while await stream.read() is not grpc.aio.EOF:
        pass


@pytest.mark.databases
async def test_a_token_is_replaced_only_if_it_is_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as service:
        seated = await service.creator.create("tiny", Setup("", 2), ONE_OPEN_SEAT, "")
        before = service.application.game_tables.seats(seated.game)[0]
        service.application.writer.store([ReplaceToken(seated.game, 1, b"first", before.token_hash, 7)])
        with pytest.raises(IntegrityError):
            service.application.writer.store([ReplaceToken(seated.game, 1, b"second", before.token_hash)])
        row = service.application.game_tables.seats(seated.game)[0]
        assert (row.token_hash, row.token_expires, row.taken) == (b"first", 7, True)
    store_changes(path, [ReplaceToken(seated.game, 1, b"third", b"first")])
