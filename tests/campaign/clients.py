"""Clients that play many games on several servers, and record their requests and the answers.

A client sends a request again, with the same id, until some server answers it.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import grpc
from tests.service.api_server import Api, Metadata, bearer, error_details
from tests.service.keys import key_metadata
from tests.waiting import SECONDS

from boardkeeper.v1 import event_pb2, feed_pb2, game_pb2, games_pb2, players_pb2

SEAT = games_pb2.SeatRequest
COMMAND = "command-"
"""The prefix of command ids."""

_COMMANDS = {"orleans": 12, "pebbles": 60}
"""The number of commands that a seat sends at most. A game of pebbles ends earlier."""

_TIMED = event_pb2.TimeControl(kind="game", seconds=36_000, on_expiry="bot")

_AGAIN = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.ABORTED}
_REJECTED = {grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.PERMISSION_DENIED}


class RejectedError(Exception):
    """A server rejected the request."""


@dataclass
class Table:
    """One game: the commands that its clients sent, by id, and the answers."""

    number: int
    title: str = ""
    game: str = ""
    tokens: dict[int, str] = field(default_factory=dict)
    sent: set[str] = field(default_factory=set)
    answered: dict[str, int] = field(default_factory=dict)
    """The version of the game after each command."""
    rejected: set[str] = field(default_factory=set)
    invitations: list[str] = field(default_factory=list)
    """The ids of answers."""
    invited: int = 0
    """The number of requests for an invitation."""
    joined: dict[str, str] = field(default_factory=dict)
    """The seat token of each person who tried to join, by name; empty for a rejected person."""
    is_finished: bool = False

    @property
    def name(self) -> str:
        """The name of the person in the first seat, which identifies the game."""
        return f"Host {self.number}"

    def set_game(self, answer: Any) -> None:
        """Store the game that a server created for the table."""
        self.game = answer.game.game_id
        self.tokens = {it.seat: it.token for it in answer.seat_tokens}


class Clients:
    """All clients of a campaign. ``key`` is a platform's API key."""

    def __init__(self, addresses: Sequence[str], key: str, chance: random.Random) -> None:
        options = [
            ("grpc.use_local_subchannel_pool", 1),
            ("grpc.initial_reconnect_backoff_ms", 20),
            ("grpc.max_reconnect_backoff_ms", 100),
        ]
        self._channels = [grpc.aio.insecure_channel(address, options=options) for address in addresses]
        self.apis = [Api(channel, address) for channel, address in zip(self._channels, addresses, strict=True)]
        self.tables: list[Table] = []
        self.reasons: Counter[str] = Counter()
        """Why requests were sent again."""
        self.repeated = 0
        """The number of requests that a server answered with the outcome of an earlier attempt."""
        self.items: list[tuple[Any, ...]] = []
        """The items of the feed, in the order received."""
        self.is_enough = False
        self._key: Metadata = key_metadata(key)
        self._chance = chance

    @property
    def answered(self) -> int:
        """The number of commands that were answered."""
        return sum(len(table.answered) for table in self.tables)

    async def close(self) -> None:
        """Close all channels."""
        for channel in self._channels:
            await channel.close()

    async def call(self, send: Callable[[Api], Awaitable[Any]]) -> Any:
        """Send a request until a server answers, and return the answer. Raises :class:`RejectedError`."""
        async with asyncio.timeout(SECONDS):
            while True:
                try:
                    return await send(self._chance.choice(self.apis))
                except grpc.aio.AioRpcError as error:
                    reason = error_details(error).reason
                    if error.code() in _REJECTED:
                        raise RejectedError(reason) from error
                    if error.code() not in _AGAIN:
                        raise
                    self.reasons[reason or "no answer"] += 1
                await asyncio.sleep(self._chance.random() / 20)

    async def play_tables(self) -> None:
        """Play one game after the other until ``is_enough``."""
        while not self.is_enough:
            table = Table(len(self.tables))
            self.tables.append(table)
            await self._play(table)
            table.is_finished = True

    async def follow_feed(self) -> None:
        """Collect every item of the feed; continue after the last one when the stream ends."""
        cursor = ""
        while True:
            stream = self._chance.choice(self.apis).feed.WatchGames(
                feed_pb2.WatchGamesRequest(after_cursor=cursor), metadata=self._key
            )
            try:
                async for answer in stream:
                    if answer.HasField("item"):
                        cursor = answer.item.cursor
                        self.items.append(_as_tuple(answer.item))
                    else:
                        cursor = answer.heartbeat.cursor
            except grpc.aio.AioRpcError as error:
                if error.code() not in _AGAIN:
                    raise
            await asyncio.sleep(0.05)

    async def read_whole_feed(self, api: Api) -> list[tuple[Any, ...]]:
        """Return all items of the feed until now."""
        items: list[tuple[Any, ...]] = []
        stream = api.feed.WatchGames(feed_pb2.WatchGamesRequest(), metadata=self._key)
        heartbeats = 0
        async for answer in stream:
            if answer.HasField("item"):
                items.append(_as_tuple(answer.item))
            elif (heartbeats := heartbeats + 1) > 1:  # the first one comes before all items
                break
        stream.cancel()
        return items

    # --- one game -----------------------------------------------------------------------------------------------

    async def _play(self, table: Table) -> None:
        kind = self._chance.choice(["orleans", "pebbles", "fork", "with a bot", "open", "by invitation"])
        finished = [it for it in self.tables if it.is_finished]
        if kind != "fork" or not finished or not await self._fork(table, self._chance.choice(finished)):
            await self._create(table, kind)
        if kind in ("open", "by invitation"):
            code = await self._invite(table) if kind == "by invitation" else ""
            await asyncio.gather(*(self._join(table, name, code) for name in self._guests(table)))
        await asyncio.gather(*(self._play_seat(table, seat) for seat in list(table.tokens)))

    async def _create(self, table: Table, kind: str) -> None:
        others = {"with a bot": SEAT(bot="greedy"), "open": SEAT(open=True), "by invitation": SEAT(open=True)}
        table.title = "orleans" if kind == "orleans" else "pebbles"
        request = games_pb2.CreateGameRequest(
            title=table.title,
            seats=[SEAT(name=table.name), others.get(kind, SEAT(name="Bob"))],
            request_id=f"the-request-of-table-{table.number:06}",
            by_invitation=kind == "by invitation",
            time_control=self._chance.choice([None, _TIMED]),
        )
        answer = await self._call_repeatedly(lambda api: api.games.CreateGame(request, metadata=self._key))
        table.set_game(answer)

    async def _fork(self, table: Table, source: Table) -> bool:
        """Fork the game of another table; return whether its rules allowed it."""
        table.title = source.title
        request = games_pb2.ForkGameRequest(
            game_id=source.game,
            version=self._chance.randint(3, max(source.answered.values(), default=3)),
            seats=[SEAT(name=table.name), SEAT(name="Bob")],
            request_id=f"the-request-of-table-{table.number:06}",
        )
        try:
            answer = await self._call_repeatedly(lambda api: api.games.ForkGame(request, metadata=self._key))
        except RejectedError:
            return False
        table.set_game(answer)
        return True

    async def _call_repeatedly(self, send: Callable[[Api], Awaitable[Any]]) -> Any:
        """Send a request, and sometimes send it again: the answer must be the same."""
        answer = await self.call(send)
        if self._chance.random() < 0.2:
            again = await self.call(send)
            assert again.game.game_id == answer.game.game_id
            assert str(getattr(again, "seat_tokens", "")) == str(getattr(answer, "seat_tokens", ""))
            assert str(getattr(again, "seat_token", "")) == str(getattr(answer, "seat_token", ""))
        return answer

    def _guests(self, table: Table) -> list[str]:
        """Names of the people who join for the open seat: often two at the same time."""
        return [f"Guest {table.number}", f"Rival {table.number}"][: self._chance.choice([1, 2, 2])]

    async def _invite(self, table: Table) -> str:
        request = players_pb2.CreateInvitationRequest(game_id=table.game)

        async def create(api: Api) -> Any:
            table.invited += 1  # each attempt may create one: these requests have no id
            return await api.players.CreateInvitation(request, metadata=bearer(table.tokens[1]))

        answer = await self.call(create)
        table.invitations.append(answer.invitation.invitation_id)
        code: str = answer.code
        return code

    async def _join(self, table: Table, name: str, code: str) -> None:
        request = games_pb2.JoinGameRequest(
            game_id=table.game, name=name, request_id=f"the-request-of-{name.replace(' ', '-')}", invitation=code
        )
        try:
            answer = await self._call_repeatedly(lambda api: api.games.JoinGame(request, metadata=self._key))
        except RejectedError:
            table.joined[name] = ""
            return
        table.joined[name] = answer.seat_token.token
        table.tokens[answer.seat_token.seat] = answer.seat_token.token

    async def _play_seat(self, table: Table, seat: int) -> None:
        """Send commands of a seat until it has sent its maximum or the game no longer needs it."""
        token = table.tokens[seat]
        get = games_pb2.GetGameRequest(game_id=table.game)
        number = 0
        while number < _COMMANDS[table.title]:
            if table.is_finished:
                return
            game = (await self.call(lambda api: api.games.GetGame(get, metadata=bearer(token)))).game
            if game.status == game_pb2.GAME_STATUS_ENDED:
                return
            if seat in game.undo_vote.waiting:
                number += 1
                answer = {"consent": self._chance.random() < 0.7, "request_version": game.undo_vote.request_version}
                await self._act(table, seat, number, "AnswerUndo", **answer)
                continue
            legal = await self.call(lambda api: api.legal(table.game, seat, token))
            if not legal.commands:
                await asyncio.sleep(0.02)
                continue
            command = self._chance.choice(legal.commands).command
            number += 1
            await self._act(table, seat, number, "SubmitCommands", commands=[command])
            match self._chance.randrange(12):
                case 0:
                    number += 1
                    await self._act(table, seat, number, "RequestUndo")
                case 1:
                    number += 2
                    await self._act(table, seat, number - 1, "HandSeatToBot")
                    await self._act(table, seat, number, "TakeSeatBack")
        table.is_finished = True  # the other seat waits for this one from now on

    async def _act(self, table: Table, seat: int, number: int, rpc: str, **more: Any) -> None:
        """Perform one action of a seat; sometimes send the request again after the answer."""
        id = f"{COMMAND}{seat}-{number}"
        fields: dict[str, Any] = {"game_id": table.game, "seat": seat, "command_id": id, **more}
        request = getattr(games_pb2, f"{rpc}Request")(**fields)
        table.sent.add(id)
        version = 0
        for _ in range(2 if self._chance.random() < 0.1 else 1):
            try:
                answer = await self.call(
                    lambda api: getattr(api.games, rpc)(request, metadata=bearer(table.tokens[seat]))
                )
            except RejectedError:
                assert not version, f"{id} of {table.game} was accepted and then rejected"
                table.rejected.add(id)
                return
            assert version in (0, answer.version), f"{id} of {table.game} had two outcomes"
            assert not version or answer.repeated, f"{id} of {table.game} was carried out twice"
            self.repeated += answer.repeated
            version = answer.version
            table.answered[id] = version


def _as_tuple(item: feed_pb2.FeedItem) -> tuple[Any, ...]:
    kind = feed_pb2.FeedItemKind.Name(item.kind).removeprefix("FEED_ITEM_KIND_").lower()
    return item.game_id, item.version, kind, tuple(item.seats)


async def wait_for_any(tasks: Sequence[asyncio.Task[None]], condition: Callable[[], bool]) -> None:
    """Wait until the condition holds; raise the error of a task that fails before."""
    async with asyncio.timeout(SECONDS):
        while not condition():
            for task in tasks:
                if task.done():
                    task.result()
            await asyncio.sleep(0.005)
