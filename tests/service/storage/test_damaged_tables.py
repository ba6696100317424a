"""Invalid values in all tables except the events: each call succeeds or reports the damage.

An answer may be wrong where no hash protects a value, but no call fails with an unexpected error.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from tests.service.api_server import Metadata, bearer, error_details
from tests.service.keys import OPERATOR_TOKEN, key_metadata
from tests.service.log_capture import capture_logs
from tests.service.platforms import SEAT, PlatformServer, call_rpc, run_platform_server

from boardkeeper.v1 import feed_pb2

pytestmark = [pytest.mark.socket, pytest.mark.sqlite_only]

ADA, BOB = SEAT(name="Ada", player_id="p-ada"), SEAT(name="Bob", player_id="p-bob")

TABLES = (
    "players",
    "seat_results",
    "results",
    "invitations",
    "invitation_ends",
    "quotas",
    "expiries",
    "feed",
    "webhook_endpoints",
    "webhook_deliveries",
    "access_keys",
    "game_access",
    "requests",
    "imports",
)

GARBAGE = {
    "invalid UTF-8": "CAST(x'ff' AS TEXT)",
    "text": "'nonsense'",
    "bytes": "x'ff00'",
    "a number": "7",
    "a large number": "9000000000000000000",
    "nothing": "NULL",
}


class Service:
    """A running service with rows in each of these tables, and the calls that read them."""

    def __init__(self, server: PlatformServer, path: Path) -> None:
        self.server = server
        self.path = path
        self.game = ""
        self.free = ""
        self.number = 0

    async def fill(self) -> None:
        """Create rows in each table."""
        server, key = self.server, key_metadata(self.server.key)
        self.game, _ = await server.create(server.key, ADA, BOB, request_id="the-same-request-0")
        self.free, _ = await server.create(
            server.key, ADA, SEAT(open=True), SEAT(open=True), request_id="the-same-request-1"
        )
        for _ in range(2):
            (created,) = await call_rpc(
                server.api, "Players.CreateInvitation", key, game_id=self.free, player_id="p-cem"
            )
        await call_rpc(
            server.api, "Players.RevokeInvitation", key,
            game_id=self.free, invitation_id=created.invitation.invitation_id,
        )  # fmt: skip
        for _ in range(2):
            await call_rpc(server.api, "Webhooks.CreateWebhook", key, url="https://lobby.example")
        (listed,) = await call_rpc(server.api, "Webhooks.ListWebhooks", key)
        webhook = listed.webhooks[0].webhook_id
        with closing(sqlite3.connect(self.path)) as file, file:
            hex = self.game.replace("-", "")
            file.execute(
                "INSERT INTO webhook_deliveries VALUES (?,1,?,3,5,NULL,'x'), (?,2,?,3,5,9,'x')", (webhook, hex) * 2
            )
            file.execute("INSERT INTO results VALUES (1,?,'ours','orleans',5,2,2)", (hex,))
            file.execute("INSERT INTO seat_results VALUES (?,1,5,1,'won',1.0), (?,2,4,2,'lost',0.0)", (hex, hex))
            file.execute("INSERT INTO imports VALUES (?,'key',x'7b7d',5,?,'head')", (hex, hex))
            file.execute("UPDATE players SET ended=1 WHERE game=?", (hex,))
            if not file.execute("SELECT count(*) FROM expiries").fetchone()[0]:
                file.execute("INSERT INTO expiries (game, time) VALUES (?, 9000000000000)", (hex,))
        for table in TABLES:
            with closing(sqlite3.connect(self.path)) as file:
                assert file.execute(f"SELECT count(*) FROM {table}").fetchone()[0], table

    def calls(self) -> Iterator[tuple[str, Metadata, dict[str, Any]]]:
        """Yield calls: name, credentials and arguments."""
        key, operator = key_metadata(self.server.key), bearer(OPERATOR_TOKEN)
        yield "Games.ListGames", key, {}
        yield "Games.ListGames", key, {"player_id": "p-ada"}
        yield "Games.ListGames", operator, {"created_after": Timestamp(seconds=1)}
        yield "Games.GetGame", key, {"game_id": self.game}
        yield "Games.GetGame", operator, {"game_id": self.free}
        yield "Players.ListResults", key, {}
        yield "Players.GetStandings", key, {"title": "orleans", "player_ids": ["p-ada", "p-bob"]}
        yield "Players.ListInvitations", key, {"game_id": self.free}
        yield "Players.CreateInvitation", key, {"game_id": self.free}
        yield "Players.SetSeatPlayer", key, {"game_id": self.game, "seat": 1, "player_id": "p-ada"}
        yield "Games.JoinGame", (), {"game_id": self.free, "seat": 3, "invitation": "bki_nonsense"}
        yield "Webhooks.ListWebhooks", key, {}
        (webhook,) = self._first("SELECT endpoint_id FROM webhook_endpoints")
        yield "Webhooks.ListDeadLetters", key, {"webhook_id": str(webhook)}
        yield "Webhooks.RotateWebhookSecret", key, {"webhook_id": str(webhook)}
        yield "Access.ListAccessKeys", operator, {}
        yield "Games.CreateGame", key, {"title": "orleans", "seats": [ADA, BOB], "request_id": "the-same-request-0"}
        self.number += 1
        yield (
            "Games.CreateGame",
            key,
            {"title": "orleans", "seats": [ADA, BOB], "request_id": f"request-{self.number:09}"},
        )

    async def unexpected_errors(self) -> list[str]:
        """Make all calls; return their unexpected errors."""
        wrong: list[str] = []
        for name, metadata, fields in self.calls():
            try:
                await call_rpc(self.server.api, name, metadata, **fields)
            except grpc.aio.AioRpcError as error:
                if error_details(error).reason in ("UNEXPECTED", ""):
                    wrong.append(f"{name} {fields}: {error.code().name} {error.details()}")
        feed = self.server.api.feed.WatchGames(feed_pb2.WatchGamesRequest(), metadata=key_metadata(self.server.key))
        try:
            await feed.read()
        except grpc.aio.AioRpcError as error:
            if error_details(error).reason in ("UNEXPECTED", ""):
                wrong.append(f"WatchGames: {error.code().name} {error.details()}")
        feed.cancel()
        return wrong

    def _first(self, select: str) -> tuple[Any, ...]:
        with closing(sqlite3.connect(self.path)) as file:
            file.text_factory = lambda data: data.decode(errors="replace")
            return tuple(file.execute(select).fetchone())

    @contextmanager
    def change(self, table: str, column: str, value: str) -> Iterator[bool]:
        """Change all values of a column for a while; provide whether any value changed."""
        with closing(sqlite3.connect(self.path, timeout=60)) as file:
            before = file.execute(f"SELECT * FROM {table}").fetchall()
            count = 0
            with suppress(sqlite3.IntegrityError), file:
                count = file.execute(f"UPDATE OR IGNORE {table} SET {column}={value}").rowcount
            yield count > 0
            with file:
                file.execute(f"DELETE FROM {table}")
                placeholders = ",".join("?" * len(before[0]))
                file.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({placeholders})", before)


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[Service]:
    async with run_platform_server(tmp_path / "games.db") as server:
        service = Service(server, tmp_path / "games.db")
        await service.fill()
        with capture_logs():
            assert await service.unexpected_errors() == []
            yield service


async def try_all(service: Service, table: str, garbage: list[str]) -> list[str]:
    """Return the unexpected errors with each of these values in each column of a table."""
    with closing(sqlite3.connect(service.path)) as file:
        columns = [row[1] for row in file.execute(f"PRAGMA table_info({table})")]
    wrong: list[str] = []
    tried = 0
    for column in columns:
        for kind in garbage:
            with service.change(table, column, GARBAGE[kind]) as is_changed:
                if is_changed:
                    tried += 1
                    wrong += [f"{table}.{column} {kind}: {problem}" for problem in await service.unexpected_errors()]
    assert tried
    return wrong


@pytest.mark.parametrize("table", TABLES)
async def test_invalid_text_causes_no_unexpected_error(service: Service, table: str) -> None:
    assert await try_all(service, table, ["invalid UTF-8"]) == []


@pytest.mark.soak
@pytest.mark.parametrize("table", TABLES)
async def test_soak_invalid_values_cause_no_unexpected_error(service: Service, table: str) -> None:
    assert await try_all(service, table, list(GARBAGE)) == []
