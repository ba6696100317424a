"""Two servers for twin games, with the same time and randomness, called over real sockets.

Responses are compared as bytes. Test titles have no messages in ``proto/``: they are sent as JSON in an unknown
field of the same messages.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet
from msgspec import Struct
from tests.databases import database_access
from tests.game.records import load_title
from tests.service.api_server import bearer
from tests.service.web import envelope, open_connection, send_request

from boardkeeper.game.game import Game
from boardkeeper.game.seat_actions import SubmitCommands
from boardkeeper.service.api import event_messages, legal_commands
from boardkeeper.service.api import games as games_servicer
from boardkeeper.service.api.games import GamesServicer
from boardkeeper.service.api.history import HistoryServicer
from boardkeeper.service.auth.access_control import AccessControl
from boardkeeper.service.cache.game_registry import GameRegistry
from boardkeeper.service.config.endpoints import Endpoint
from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.games.game_creator import GameCreator, SeatPlan
from boardkeeper.service.games.records import Records
from boardkeeper.service.games.seat_manager import SeatManager
from boardkeeper.service.limits.addresses import Peers
from boardkeeper.service.limits.connections_per_address import ConnectionsPerAddress
from boardkeeper.service.observability.counters import CallCounters, ConnectionCounters
from boardkeeper.service.requests import validation
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.private_files import write_private
from boardkeeper.service.transport.application import Application
from boardkeeper.service.transport.connections import Connections
from boardkeeper.service.transport.guard import AnyServiceDescriptor, guarded_rpcs
from boardkeeper.service.transport.listeners import Listener, close
from boardkeeper.service.transport.origins import Origins
from boardkeeper.service.transport.static_files import StaticFiles
from boardkeeper.service.transport.statuses import DETAILS_KEY
from boardkeeper.service.transport.web_application import WebApplication
from boardkeeper.testkit.twin_games import ID, Twins, people
from boardkeeper.titlekit.title import Title
from boardkeeper.v1 import board_pb2, command_pb2, event_pb2, games_pb2, history_pb2
from boardkeeper.wire import messages
from boardkeeper.wire.convert import serialize

OPERATOR_TOKEN = "operator-token-of-the-twins-0123456789ab"
TIME = 1_800_000_000_000
_KEY = Ed25519PrivateKey.from_private_bytes(bytes(32)).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
"""The same for both servers, because signatures and sealed tokens depend on the key."""

_UNKNOWN = 1000
"""The number of the unknown field for titles without messages."""


class TwinService:
    """A server with one of two twin games."""

    uses_connect = False
    """Whether calls use Connect over HTTP like browsers, as far as browsers can."""

    def __init__(self, path: Path, twins: Twins, which: int) -> None:
        self.twins = twins
        self.which = which
        self.title = twins.twin_title()
        write_private(database_access.key_path(path), _KEY)
        self.application = GameApplication.open(path, self._load_title)
        self.registry = GameRegistry(self.application)
        self.handler = CommandHandler(self.registry, clock=lambda: TIME)
        self._draws = 0
        self._secret: bytes | None = twins.secrets[which]
        self._ids = 0
        self.creator = GameCreator(self.handler, self._load_title, "test", new_id=self._id, random_bytes=self._random)
        self.seat_manager = SeatManager(self.handler, random_bytes=self._random)
        self.tokens: dict[int, str] = {}
        self.call_count = 0
        """The number of calls so far."""

    def _load_title(self, id: str) -> Title:
        """Load a title. The title of the twins has their dice."""
        return self.title.as_title() if id == self.twins.title.meta.id else load_title(id)

    def _load_audited(self, id: str) -> Title:
        """Load a title without changed dice: an audit uses the draws of the record."""
        return self.twins.title if id == self.twins.title.meta.id else load_title(id)

    def _random(self, size: int) -> bytes:
        """Return the secret of the game first, then the same bytes in both servers."""
        if self._secret is not None:
            secret, self._secret = self._secret, None
            return secret
        self._draws += 1
        return hashlib.shake_256(f"random {self._draws}".encode()).digest(size)

    def _id(self) -> Any:
        self._ids += 1
        return type(ID)(int=ID.int + self._ids - 1)

    async def play(self) -> None:
        """Create and play the twin game."""
        setup = self.twins.setup
        seats = self.plans()
        seated = await self.creator.create(self.twins.title.meta.id, setup, seats, "a-request-of-the-twins-1")
        assert seated.game == ID
        self.tokens = seated.tokens
        for number, step in enumerate(self.twins.steps):
            await self.handler.act(
                ID, step.seat, SubmitCommands([step.commands[self.which]]), step.command_id(number, self.which)
            )

    def plans(self) -> list[SeatPlan]:
        """Return the plans of the seats."""
        setup = self.twins.setup
        joining = people(self.twins.title, setup)
        return [
            SeatPlan(f"P{seat}") if seat in joining else SeatPlan(bot="automa") for seat in range(1, setup.players + 1)
        ]

    async def change_dice(self) -> None:
        """Let the dice differ between the servers from now on. Stored events stay the same."""
        live = await self.registry.get(ID)
        self.title.fate_changed = True
        live.game._secret = hashlib.sha256(f"fate {self.which}".encode()).digest()
        live.game._bind()

    # --- calls ----------------------------------------------------------------------------------------------

    async def start(self) -> None:
        servicers: dict[AnyServiceDescriptor, object] = {
            games_pb2.DESCRIPTOR.services_by_name["Games"]: GamesServicer(
                self.handler,
                self.creator,
                self.seat_manager,
                heartbeat_seconds=30.0,
                slow_reader_seconds=30.0,
                wait_seconds=0.01,
            ),
            history_pb2.DESCRIPTOR.services_by_name["History"]: HistoryServicer(
                self.registry,
                Records(self.handler, self._load_audited, self.application.database.key),
                wait_seconds=0.01,
            ),
        }
        gate = AccessControl(self.application, OPERATOR_TOKEN)
        rpcs = [rpc for it, servicer in servicers.items() for rpc in guarded_rpcs(it, servicer, access_control=gate)]
        site = WebApplication(rpcs, Origins("", local=True), StaticFiles(), lambda: True, CallCounters())
        self._connections = Connections(
            Application(rpcs, site, CallCounters()),
            ConnectionCounters(),
            ConnectionsPerAddress(Peers(""), None),
            most=1000,
            stall_timeout=60.0,
            most_seconds=None,
            asks_certificates=False,
        )
        self._listener = Listener(Endpoint.parse("127.0.0.1:0"), None, shares_port=False)
        self._web = self._listener.url
        self._listener.listen(self._connections)
        self._channel = grpc.aio.insecure_channel(self._listener.address)

    async def stop(self) -> None:
        await self._channel.close()
        await close([self._listener], self._connections, 0.0)
        await asyncio.get_running_loop().run_in_executor(None, self.application.close)

    async def wait_for_log(self, logged: Sequence[Any]) -> None:
        """Wait until every call so far has its line in the log. It is written after the response."""
        async with asyncio.timeout(100):
            while sum(entry["event"] == "call" for entry in logged) < self.call_count:  # noqa: ASYNC110  # the log has no event to wait for
                await asyncio.sleep(0.005)

    @property
    def _call_id(self) -> tuple[str, str]:
        """The id of a call, the same for both servers. Without it each would generate its own."""
        return ("x-request-id", f"call-{self.call_count}")

    def token_of(self, viewer: int) -> str:
        """Return the token of a seat or of the operator, or an empty string for a spectator."""
        return OPERATOR_TOKEN if viewer < 0 else self.tokens.get(viewer, "")

    async def call(self, rpc: str, request: Message, token: str = "", **metadata: str) -> bytes:
        """Return the bytes of the response, or of the error: its code, text and details."""
        service = "History" if rpc in _HISTORY else "Games"
        self.call_count += 1
        if self.uses_connect:
            return await self._call_by_connect(f"/boardkeeper.v1.{service}/{rpc}", request, token, metadata)
        call: Any = self._channel.unary_unary(
            f"/boardkeeper.v1.{service}/{rpc}", request_serializer=type(request).SerializeToString
        )
        headers = bearer(token, **metadata) if token else tuple(metadata.items())
        try:
            answer: bytes = await call(request, metadata=(*headers, self._call_id))
        except grpc.aio.AioRpcError as error:
            trailers: Any = error.trailing_metadata()
            details = dict(trailers or ()).get(DETAILS_KEY, b"")
            failure: bytes = f"{error.code()}|{error.details()}|".encode() + details
            return failure
        return answer

    async def read_stream(self, rpc: str, request: Message, token: str, most: int) -> list[bytes]:
        """Return the bytes of the first messages of a stream."""
        service = "History" if rpc in _HISTORY else "Games"
        self.call_count += 1
        if self.uses_connect:
            return await self._read_by_connect(f"/boardkeeper.v1.{service}/{rpc}", request, token, most)
        stream: Any = self._channel.unary_stream(
            f"/boardkeeper.v1.{service}/{rpc}", request_serializer=type(request).SerializeToString
        )
        call = stream(request, metadata=(*(bearer(token) if token else ()), self._call_id))
        read: list[bytes] = []
        while len(read) < most and (message := await call.read()) is not grpc.aio.EOF:
            read.append(message)
        call.cancel()
        return read

    async def _call_by_connect(self, path: str, request: Message, token: str, metadata: Mapping[str, str]) -> bytes:
        headers = self._headers(token) | {key.replace("-", "_"): value for key, value in metadata.items()}
        body = request.SerializeToString()
        answer = await send_request(self._web, "POST", path, body, content_type="application/proto", **headers)
        if answer.status == 200:
            return answer.body
        return f"StatusCode {answer.status}|".encode() + serialize(answer.status_message())

    async def _read_by_connect(self, path: str, request: Message, token: str, most: int) -> list[bytes]:
        read: list[bytes] = []
        async with open_connection(self._web) as connection:
            body = envelope(request.SerializeToString())
            headers = self._headers(token)
            connection.send("POST", path, body, content_type="application/connect+proto", **headers)
            await connection.read_head()
            while len(read) < most:
                is_end, message = await connection.read_envelope()
                if is_end:
                    assert "error" not in json.loads(message), message
                    break
                read.append(message)
        return read

    def _headers(self, token: str) -> dict[str, Any]:
        headers = {"x_request_id": self._call_id[1]}
        return headers | {"authorization": f"Bearer {token}"} if token else headers

    async def send_play(self, requests: Sequence[Message], token: str, most: int) -> list[bytes]:
        """Send requests on a Play stream. Return the bytes of the first responses."""
        self.call_count += 1
        stream: Any = self._channel.stream_stream(
            "/boardkeeper.v1.Games/Play", request_serializer=games_pb2.PlayRequest.SerializeToString
        )
        call = stream(metadata=(*(bearer(token) if token else ()), self._call_id))
        for request in requests:
            await call.write(request)
        read = [await call.read() for _ in range(most)]
        call.cancel()
        return read


_HISTORY = {method.name for method in history_pb2.DESCRIPTOR.services_by_name["History"].methods}


@asynccontextmanager
async def twin_services(folder: Path, twins: Twins) -> AsyncIterator[tuple[TwinService, TwinService]]:
    """Run both servers, with their games played."""
    services = tuple(TwinService(folder / f"{which}.db", twins, which) for which in range(2))
    for service in services:
        await service.play()
        await service.start()
    try:
        yield services[0], services[1]
    finally:
        for service in services:
            await service.stop()


def known_commands(game: Game, seat: int) -> Sequence[Struct]:
    """Return the commands that are legal for any seat now, those of this seat first."""
    others = [other for other in range(1, len(game.table.decisions)) if other != seat]
    found: dict[str, Struct] = {}
    for command in (*game.legal(seat), *(it for other in others for it in game.legal(other))):
        found.setdefault(f"{type(command).__name__} {msgspec.json.encode(command)!r}", command)
    return list(found.values())


# --- titles without messages -------------------------------------------------------------------------------------


def patch_messages_for_test_titles(patch: pytest.MonkeyPatch) -> None:
    """Let the messages carry commands, boards and events of the test titles."""
    for module, name, make in (
        (games_servicer, "board_to_message", board_pb2.Board),
        (games_servicer, "command_to_message", command_pb2.Command),
        (legal_commands, "command_to_message", command_pb2.Command),
        (event_messages, "detail_to_message", event_pb2.EventDetail),
    ):
        patch.setattr(module, name, partial(_pack, getattr(module, name), make))
    patch.setattr(validation, "command_from_message", partial(_unpack, messages.command_from_message))


def _pack(usual: Any, make: type[Message], owner: str, value: Struct) -> Message:
    if owner not in ("tiny", "nations"):
        packed: Message = usual(owner, value)
        return packed
    content = msgspec.json.encode([owner, type(value).__name__, value])
    key = _UNKNOWN << 3 | 2
    return make.FromString(_varint(key) + _varint(len(content)) + content)


def _unpack(usual: Any, message: Message) -> tuple[str, Struct]:
    fields = UnknownFieldSet(message)
    if not len(fields):
        found: tuple[str, Struct] = usual(message)
        return found
    owner, name, values = json.loads(fields[0].data)
    return owner, msgspec.convert(values, load_title(owner).commands[name])


def _varint(number: int) -> bytes:
    encoded = bytearray()
    while number > 127:
        encoded.append(number & 127 | 128)
        number >>= 7
    return bytes([*encoded, number])


def command_message(title: str, command: Struct) -> Any:
    """Return the message of a command."""
    return vars(games_servicer)["command_to_message"](title, command)
